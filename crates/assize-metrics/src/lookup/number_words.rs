//! Numbers that are written in words: English, German, Spanish, French, Hindi, and Japanese in Kanji.
//!
//! Words that follow each other are one number where they can be: `five thousand seven hundred ninety-eight`,
//! `fünfundzwanzig`, `quatre-vingt-dix`, `पाँच हजार`, `三百五`. A single word that is often something else (`one`, `une`,
//! `once`) is no number by itself.

use crate::text::{Normalisation, normalise, words};
use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../../data/number_words.tsv");

/// Words that mean other things as well, in their own language or another one.
const OFTEN_OTHERS: [&str; 14] =
    ["one", "ein", "eine", "eins", "un", "una", "une", "uno", "एक", "once", "elf", "cent", "cents", "null"];

/// What a word is worth in a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    Adds(u64),
    Multiplies(u64),
}

static WORDS: LazyLock<HashMap<&str, Worth>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    let worth = |text: &str| match text.strip_prefix('×') {
        Some(text) => text.parse().map(Worth::Multiplies),
        None => text.parse().map(Worth::Adds),
    };
    rows.filter_map(|(word, text)| Some((word, worth(text).ok()?))).collect()
});

/// The numbers that a text has in words, in order.
pub(super) fn spoken(text: &str) -> Vec<String> {
    let normalised = normalise(&text.replace(['-', '‐'], " "), &Normalisation::default());
    let mut found = Vec::new();
    let mut number = Number::default();
    for word in words(&normalised) {
        if number.joins(word) {
            continue;
        }
        let parts = parts_of(word);
        if parts.is_empty() {
            found.extend(number.take());
        }
        for worth in parts {
            if !number.add(worth) {
                found.extend(number.take());
                number.add(worth);
            }
            number.only = if number.words == 0 { Some(word.to_owned()) } else { None };
        }
        number.words += usize::from(number.current.is_some() || number.total > 0);
    }
    found.extend(number.take());
    found.extend(in_kanji(text));
    found
}

/// What a word is made of: itself, or the parts of a German compound.
fn parts_of(word: &str) -> Vec<Worth> {
    if let Some(worth) = WORDS.get(word) {
        return vec![*worth];
    }
    german(word).unwrap_or_default()
}

/// The numbers in Kanji. One character by itself is mostly part of a word.
fn in_kanji(text: &str) -> Vec<String> {
    const NUMERALS: &str = "〇一二三四五六七八九十百千万億";
    let runs = text.split(|character: char| !NUMERALS.contains(character)).filter(|run| run.chars().count() > 1);
    runs.map(|run| {
        let (mut total, mut group, mut digit) = (0u64, 0u64, None);
        for character in run.chars() {
            let place = NUMERALS.chars().position(|numeral| numeral == character).unwrap_or_default() as u64;
            match place {
                // 二〇 is written as digits are.
                0..=9 => digit = Some(digit.map_or(place, |digit: u64| digit.saturating_mul(10) + place)),
                10..=12 => {
                    group += digit.take().unwrap_or(1).saturating_mul(10u64.pow(place as u32 - 9));
                }
                _ => {
                    let by = if place == 13 { 10_000 } else { 100_000_000 };
                    total += (group + digit.take().unwrap_or_default()).max(1).saturating_mul(by);
                    group = 0;
                }
            }
        }
        (total + group + digit.unwrap_or_default()).to_string()
    })
    .collect()
}

/// `fünfundzwanzig` and `dreihundertvierzig`, from their parts. The unit stands before the ten.
fn german(word: &str) -> Option<Vec<Worth>> {
    let mut rest = word;
    let mut parts = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("und").filter(|_| !parts.is_empty()) {
            rest = after;
            continue;
        }
        let (length, worth) = (1..=rest.len())
            .rev()
            .filter(|end| rest.is_char_boundary(*end))
            .find_map(|end| Some((end, *WORDS.get(&rest[..end])?)))?;
        parts.push(worth);
        rest = &rest[length..];
    }
    (parts.len() > 1).then_some(parts)
}

/// A number in the making.
#[derive(Default)]
struct Number {
    total: u64,
    current: Option<u64>,
    /// Below what the next word must be.
    room: u64,
    words: usize,
    /// The word, where there is one only.
    only: Option<String>,
}

impl Number {
    /// Whether a word stands between parts of one number.
    fn joins(&self, word: &str) -> bool {
        matches!(word, "and" | "und" | "y" | "et") && self.current.is_some()
    }

    /// Adds a part, or says that it belongs to another number.
    fn add(&mut self, worth: Worth) -> bool {
        match (worth, self.current) {
            (Worth::Adds(value), None) => {
                self.current = Some(value);
                self.room = below(value);
            }
            // Four times twenty, and the German unit before its ten.
            (Worth::Adds(20), Some(4)) => (self.current, self.room) = (Some(80), 20),
            (Worth::Adds(ten), Some(unit))
                if (1..10).contains(&(unit % 100)) && ten >= 20 && ten % 10 == 0 && ten < 100 =>
            {
                self.current = Some(unit + ten);
                self.room = 0;
            }
            (Worth::Adds(value), Some(current)) if value > 0 && value < self.room => {
                self.current = Some(current + value);
                self.room = if current % 100 == 60 || current % 100 == 80 { 10 } else { below(value) };
            }
            (Worth::Adds(_), Some(_)) => return false,
            (Worth::Multiplies(by), current) if by < 1000 => {
                self.current = Some(current.unwrap_or(1).saturating_mul(by));
                self.room = by;
            }
            (Worth::Multiplies(by), current) => {
                self.total = self.total.saturating_add(current.unwrap_or(1).saturating_mul(by));
                self.current = None;
                self.room = by;
            }
        }
        true
    }

    fn take(&mut self) -> Option<String> {
        let number = std::mem::take(self);
        let doubtful = number.words <= 1 && number.only.is_some_and(|word| OFTEN_OTHERS.contains(&word.as_str()));
        let said = number.current.is_some() || number.total > 0;
        (said && !doubtful).then(|| number.total.saturating_add(number.current.unwrap_or(0)).to_string())
    }
}

/// Below what a word after this one must be: a unit after a ten, a teen after sixty or eighty.
fn below(value: u64) -> u64 {
    match value {
        60 | 80 => 20,
        20..=90 if value.is_multiple_of(10) => 10,
        100..=900 if value.is_multiple_of(100) => 100,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_words_of_six_languages() {
        for (text, numbers) in [
            ("three to five days", &["3", "5"][..]),
            ("five thousand seven hundred ninety-eight rupees", &["5798"]),
            ("one hundred and five", &["105"]),
            ("wait one moment", &[]),
            ("fünfundzwanzig Tage und dreihundertvierzig Euro", &["25", "340"]),
            ("cuarenta y dos o doscientos cinco", &["42", "205"]),
            ("quatre-vingt-dix-sept et soixante-douze", &["97", "72"]),
            ("पाँच हजार सात सौ अट्ठानवे रुपये, तीन दिन", &["5798", "3"]),
            ("三百五十円と二十日", &["350", "20"]),
            ("一万二千", &["12000"]),
            ("nothing of the kind", &[]),
        ] {
            assert_eq!(spoken(text), numbers, "{text}");
        }
    }
}
