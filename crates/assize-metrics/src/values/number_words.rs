//! English number words: `four thousand five hundred`, `twenty-five`, `half a million`, `1.5 million`.

use super::decimal::Decimal;

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
pub(super) fn read(words: &[&str]) -> Option<(Decimal, usize)> {
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
