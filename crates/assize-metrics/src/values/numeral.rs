//! Numerals: digits with the separators of several countries.
//!
//! `1,234.56`, `1.234,56`, `1 234,56`, `1'234.56` and `1,00,000` have one reading each. `1,234` and `1.234` have two, by
//! which character the writer takes for the decimal sign; both are kept, and what it is compared with decides.

use super::decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Which character is the decimal mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecimalMark {
    /// 1.5 is one and a half, 1,500 is fifteen hundred.
    Point,
    /// 1,5 is one and a half, 1.500 is fifteen hundred.
    Comma,
}

/// What a numeral can mean: one reading with the mark it shows, if it does, or two with the mark each rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numeral {
    Plain(Decimal, Option<DecimalMark>),
    Open { point: Decimal, comma: Decimal },
}

impl Numeral {
    pub(super) fn map(self, change: impl Fn(Decimal) -> Option<Decimal>) -> Option<Self> {
        Some(match self {
            Self::Plain(value, mark) => Self::Plain(change(value)?, mark),
            Self::Open { point, comma } => Self::Open { point: change(point)?, comma: change(comma)? },
        })
    }

    /// The readings with the mark they need.
    pub(super) fn readings(self) -> ([(Decimal, Option<DecimalMark>); 2], usize) {
        match self {
            Self::Plain(value, mark) => ([(value, mark); 2], 1),
            Self::Open { point, comma } => ([(point, Some(DecimalMark::Point)), (comma, Some(DecimalMark::Comma))], 2),
        }
    }

    /// What is left of it once the mark is known.
    pub(super) fn settled(self, mark: Option<DecimalMark>) -> Self {
        match (self, mark) {
            (Self::Open { point, .. }, Some(DecimalMark::Point)) => Self::Plain(point, mark),
            (Self::Open { comma, .. }, Some(DecimalMark::Comma)) => Self::Plain(comma, mark),
            (open, _) => open,
        }
    }
}

/// Reads a numeral with no sign before it. Spaces in it are group separators.
pub(super) fn read(text: &str) -> Option<Numeral> {
    let text: String = text.chars().map(|c| if matches!(c, ' ' | '’' | '_') { '\'' } else { c }).collect();
    let count = |sign: char| text.matches(sign).count();
    let (points, commas, spaces) = (count('.'), count(','), count('\''));
    match (points, commas, spaces) {
        (0, 0, 0) => plain(Decimal::of_digits(&text, ""), None),
        (0, 0, _) => plain(whole(&text, '\''), None),
        (1, 0, _) if spaces > 0 => plain(parts(&text, '\'', '.'), Some(DecimalMark::Point)),
        (0, 1, _) if spaces > 0 => plain(parts(&text, '\'', ','), Some(DecimalMark::Comma)),
        (_, _, 1..) => None,
        (1, 0, _) => open(&text, '.'),
        (0, 1, _) => open(&text, ','),
        (0, _, _) => plain(whole(&text, ','), Some(DecimalMark::Point)),
        (_, 0, _) => plain(whole(&text, '.'), Some(DecimalMark::Comma)),
        // Both occur: the last one is the decimal sign, if it occurs once.
        _ if text.rfind('.') > text.rfind(',') && points == 1 => {
            plain(parts(&text, ',', '.'), Some(DecimalMark::Point))
        }
        _ if text.rfind(',') > text.rfind('.') && commas == 1 => {
            plain(parts(&text, '.', ','), Some(DecimalMark::Comma))
        }
        _ => None,
    }
}

fn plain(value: Option<Decimal>, mark: Option<DecimalMark>) -> Option<Numeral> {
    value.map(|value| Numeral::Plain(value, mark))
}

/// One separator, once: a decimal sign, unless exactly three digits follow and it could group them too.
fn open(text: &str, separator: char) -> Option<Numeral> {
    let (before, after) = text.split_once(separator)?;
    if after.is_empty() {
        return None;
    }
    let decimal = Decimal::of_digits(before, after)?;
    let groups = after.len() == 3 && (1..=3).contains(&before.len()) && !before.starts_with('0');
    if !groups {
        return plain(Some(decimal), Some(if separator == '.' { DecimalMark::Point } else { DecimalMark::Comma }));
    }
    let grouped = Decimal::of_digits(before, "")
        .zip(Decimal::of_digits(after, ""))
        .and_then(|(thousands, rest)| thousands.shifted(3).plus(rest))?;
    Some(match separator {
        '.' => Numeral::Open { point: decimal, comma: grouped },
        _ => Numeral::Open { point: grouped, comma: decimal },
    })
}

fn parts(text: &str, group: char, decimal: char) -> Option<Decimal> {
    let (before, after) = text.split_once(decimal)?;
    if after.contains(group) {
        return None;
    }
    let digits = grouped(before, group)?;
    Decimal::of_digits(&digits, after)
}

fn whole(text: &str, group: char) -> Option<Decimal> {
    Decimal::of_digits(&grouped(text, group)?, "")
}

/// The digits of a grouped whole number: groups of three, or the Indian way with twos before the last three.
pub(super) fn grouped(text: &str, group: char) -> Option<String> {
    let groups: Vec<&str> = text.split(group).collect();
    let (first, rest) = groups.split_first()?;
    if rest.is_empty() {
        return Some((*first).to_owned());
    }
    let western = (1..=3).contains(&first.len()) && rest.iter().all(|part| part.len() == 3);
    let indian = group == ','
        && (1..=2).contains(&first.len())
        && rest.split_last().is_some_and(|(last, middle)| last.len() == 3 && middle.iter().all(|part| part.len() == 2));
    ((western || indian) && !first.starts_with('0')).then(|| groups.concat())
}
