//! Digits of all scripts, and numerals in Chinese characters.

use super::decimal::Decimal;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The text with the decimal digits of every script (`१२३`, `٤٥`, `１２`) as 0 to 9.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|character| digit(character).unwrap_or(character)).collect()
}

/// Unicode keeps the ten digits of a script together and in order, so a digit's value is how many stand before it.
fn digit(character: char) -> Option<char> {
    if character.is_ascii() || character.general_category() != GeneralCategory::DecimalNumber {
        return None;
    }
    let is_digit = |code: u32| {
        char::from_u32(code).is_some_and(|other| other.general_category() == GeneralCategory::DecimalNumber)
    };
    let code = u32::from(character);
    let before = (1..=9).take_while(|step| is_digit(code - step)).count();
    char::from_digit(u32::try_from(before).ok()?, 10)
}

/// Whether a character is part of a numeral in Chinese characters.
pub(super) fn is_han_numeral(character: char) -> bool {
    unit(character).is_some() || power(character).is_some() || myriad(character).is_some()
}

fn unit(character: char) -> Option<i128> {
    "〇一二三四五六七八九".chars().position(|digit| digit == character).map(|place| place as i128).or(match character {
        '零' => Some(0),
        '两' | '兩' => Some(2),
        _ => None,
    })
}

fn power(character: char) -> Option<i32> {
    "十百千".chars().position(|power| power == character).map(|place| place as i32 + 1)
}

fn myriad(character: char) -> Option<i32> {
    match character {
        '万' | '萬' => Some(4),
        '億' | '亿' => Some(8),
        '兆' => Some(12),
        _ => None,
    }
}

/// Reads a numeral in Chinese characters, also mixed with digits: `三百`, `二十五`, `1.5万`, `3億5千万`.
pub(super) fn read_han(text: &str) -> Option<Decimal> {
    let (mut total, mut group, mut pending) = (Decimal::ZERO, Decimal::ZERO, None::<Decimal>);
    let (mut last_power, mut last_myriad) = (i32::MAX, i32::MAX);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        if digits > 0 {
            let (whole, fraction) = rest[..digits].split_once('.').unwrap_or((&rest[..digits], ""));
            pending = Some(Some(Decimal::of_digits(whole, fraction)?).filter(|_| pending.is_none())?);
            rest = &rest[digits..];
            continue;
        }
        rest = &rest[character.len_utf8()..];
        if let Some(value) = unit(character) {
            // A zero stands for the powers that are left out: 一百零五.
            if value == 0 && pending.is_none() && group != Decimal::ZERO {
                continue;
            }
            pending = Some(Some(Decimal::new(value, 0)).filter(|_| pending.is_none())?);
        } else if let Some(power) = power(character).filter(|power| *power < last_power) {
            group = group.plus(pending.take().unwrap_or(Decimal::new(1, 0)).shifted(power))?;
            last_power = power;
        } else if let Some(power) = myriad(character).filter(|power| *power < last_myriad) {
            let value = group.plus(pending.take().unwrap_or(Decimal::ZERO))?;
            total = total.plus(Some(value).filter(|value| *value != Decimal::ZERO)?.shifted(power))?;
            (group, last_power, last_myriad) = (Decimal::ZERO, i32::MAX, power);
        } else {
            return None;
        }
    }
    total.plus(group)?.plus(pending.unwrap_or(Decimal::ZERO))
}
