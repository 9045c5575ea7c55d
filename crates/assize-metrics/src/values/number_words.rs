//! Number words: English ones of our own (`four thousand five hundred`, `half a million`, `two and a half`), because they take
//! part in texts too; German, Spanish and French ones by the crate `text2num`.

use super::decimal::Decimal;
use super::dictionary;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use text2num::{Language, text2digits};

/// The language of number words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Locale {
    /// English, and German, Spanish and French where the words are not English too.
    #[default]
    Any,
    /// English.
    En,
    /// German.
    De,
    /// Spanish.
    Es,
    /// French.
    Fr,
}

const SMALL: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SMALL_ORDINALS: &[&str] = &[
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
const TEN_ORDINALS: &[&str] =
    &["twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth"];

/// A number below 100 that is one word.
pub(super) fn small(word: &str) -> Option<u32> {
    let place =
        |list: &[&str]| list.iter().position(|entry| *entry == word).and_then(|place| u32::try_from(place).ok());
    place(SMALL).or_else(|| place(TENS).map(|place| (place + 2) * 10))
}

/// An ordinal that is one word.
pub(super) fn ordinal(word: &str) -> Option<u32> {
    let place =
        |list: &[&str]| list.iter().position(|entry| *entry == word).and_then(|place| u32::try_from(place).ok());
    place(SMALL_ORDINALS).or_else(|| place(TEN_ORDINALS).map(|place| (place + 2) * 10))
}

/// A scale written after a number, as a power of ten.
pub(super) fn scale(word: &str) -> Option<i32> {
    Some(match word {
        "hundred" | "hundreds" => 2,
        "k" | "thousand" | "thousands" | "grand" => 3,
        "lakh" | "lakhs" | "lac" => 5,
        "m" | "mn" | "mio" | "million" | "millions" => 6,
        "crore" | "crores" => 7,
        "b" | "bn" | "billion" | "billions" => 9,
        "tn" | "trillion" | "trillions" => 12,
        _ => return None,
    })
}

/// Reads number words at the start: the value, and how many words it took.
pub(super) fn read(words: &[&str], locale: Locale) -> Option<(Decimal, usize)> {
    let english = || if matches!(locale, Locale::Any | Locale::En) { english(words) } else { None };
    english().or_else(|| foreign(words, locale))
}

static GERMAN: LazyLock<Language> = LazyLock::new(Language::german);
static SPANISH: LazyLock<Language> = LazyLock::new(Language::spanish);
static FRENCH: LazyLock<Language> = LazyLock::new(Language::french);

/// German, Spanish and French number words: as many as make one number.
fn foreign(words: &[&str], locale: Locale) -> Option<(Decimal, usize)> {
    let languages: &[&LazyLock<Language>] = match locale {
        Locale::Any => &[&GERMAN, &SPANISH, &FRENCH],
        Locale::En => &[],
        Locale::De => &[&GERMAN],
        Locale::Es => &[&SPANISH],
        Locale::Fr => &[&FRENCH],
    };
    // "Elf" and "once" are eleven, and English words; "six cent" is six hundred, and six cents.
    let open = |taken: usize| {
        let english = |word: &str| small(word).is_some() || (taken == 1 && dictionary::has(word));
        locale == Locale::Any && words[..taken].iter().any(|word| english(word))
    };
    let read = |text: &str, language: &Language| {
        let digits = text2digits(text, language).ok()?;
        Decimal::of_digits(Some(&digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?, "")
    };
    // The first word of a number is a number, which most texts do not begin with.
    let first = words.first()?;
    let languages: Vec<&Language> =
        languages.iter().map(|language| &***language).filter(|language| read(first, language).is_some()).collect();
    let lengths = (1..=words.len()).rev().filter(|taken| !languages.is_empty() && !open(*taken));
    let mut found = lengths.filter_map(|taken| {
        let text = words[..taken].join(" ");
        Some((languages.iter().find_map(|language| read(&text, language))?, taken))
    });
    found.next()
}

/// A part of one, in words: `half`, `a third`, `three quarters`.
fn part(words: &[&str]) -> Option<(Decimal, usize)> {
    let (count, name, taken) = match words {
        ["half", "a" | "an", ..] => return Some((Decimal::new(5, -1), 2)),
        ["a" | "an" | "one", name, ..] => (1, *name, 2),
        [count, name, ..] if small(count).is_some_and(|count| count > 1) && name.ends_with('s') => {
            (small(count)?, name.trim_end_matches('s'), 2)
        }
        [name @ "half", ..] => (1, *name, 1),
        _ => return None,
    };
    let parts = match name {
        "half" | "halve" => 2,
        "third" => 3,
        "quarter" => 4,
        "fifth" => 5,
        "eighth" => 8,
        "tenth" => 10,
        _ => return None,
    };
    Some((Decimal::of_fraction(count, parts)?, taken))
}

fn english(words: &[&str]) -> Option<(Decimal, usize)> {
    let several = match words {
        ["half", "a", "dozen", ..] => Some((6, 3)),
        ["a" | "one", "dozen", ..] => Some((12, 2)),
        ["dozen", ..] => Some((12, 1)),
        ["a", "couple", "of", ..] => Some((2, 3)),
        ["a", "couple", ..] => Some((2, 2)),
        _ => None,
    };
    if let Some((value, taken)) = several {
        return Some((Decimal::new(value, 0), taken));
    }
    if let Some(found) =
        part(words).filter(|_| !matches!(words, ["half", "a", scale_word, ..] if scale(scale_word).is_some()))
    {
        return Some(found);
    }
    let (value, taken) = whole(words)?;
    let after = &words[taken..];
    let (value, taken) = match after {
        ["point", digits @ ..] => {
            let spoken: String = digits
                .iter()
                .map_while(|word| small(word).filter(|digit| *digit < 10))
                .map(|digit| digit.to_string())
                .collect();
            if spoken.is_empty() {
                (value, taken)
            } else {
                (value.plus(Decimal::of_digits("", &spoken)?)?, taken + 1 + spoken.len())
            }
        }
        ["and", rest @ ..] => match part(rest).filter(|_| rest.first() != Some(&"half")) {
            Some((part, more)) => (value.plus(part)?, taken + 1 + more),
            None => (value, taken),
        },
        _ => (value, taken),
    };
    match words.get(taken).and_then(|word| scale(word).filter(|power| *power > 2 && word.len() > 3)) {
        Some(power) => Some((value.shifted(power), taken + 1)),
        None => Some((value, taken)),
    }
}

fn whole(words: &[&str]) -> Option<(Decimal, usize)> {
    if let ["half", "a", word, ..] = words
        && let Some(power) = scale(word)
        && word.len() > 2
    {
        return Some((Decimal::new(5, power - 1), 3));
    }
    let (mut total, mut current): (i128, Option<i128>) = (0, None);
    let mut last_scale = i32::MAX;
    let mut taken = 0;
    // What may come next within a group below 1,000: a unit after a ten, nothing after a unit.
    let mut room = 1000;
    while let Some(word) = words.get(taken) {
        if let Some(value) = small(word) {
            let value = i128::from(value);
            if value >= room || (value == 0 && current.is_some()) {
                return None;
            }
            current = Some(current.unwrap_or(0) + value);
            room = if value >= 20 { 10 } else { 0 };
        } else if *word == "hundred" {
            let hundreds = current?;
            if !(1..100).contains(&hundreds) {
                return None;
            }
            current = Some(hundreds * 100);
            room = 100;
        } else if let Some(power) = scale(word).filter(|power| *power > 2 && word.len() > 3) {
            if power >= last_scale {
                return None;
            }
            total += current.take()? * 10_i128.pow(power.unsigned_abs());
            last_scale = power;
            room = 1000;
        } else if *word == "a" && taken == 0 && words.get(1).is_some_and(|next| scale(next).is_some() && next.len() > 3)
        {
            current = Some(1);
        } else if *word == "and"
            && taken > 0
            && words.get(taken + 1).is_some_and(|next| small(next).is_some())
            && part(&words[taken + 1..]).is_none()
            && room >= 100
        {
            // "one hundred and five"
        } else {
            break;
        }
        taken += 1;
    }
    if taken == 0 {
        return None;
    }
    Some((Decimal::new(total + current.unwrap_or(0), 0), taken))
}
