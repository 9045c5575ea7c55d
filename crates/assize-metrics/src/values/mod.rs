//! Values as people write them, compared by what they mean.
//!
//! A [`Value`] is prepared once ([`Prepared::of`]): read as a number, a date, an identifier, a truth value, words or a
//! list, whichever it can be. [`compare`] then says whether two of them are the same under a set of [`Rules`], and why
//! ([`Reason`]). What can be read in two ways (`1,234`, `03/04/2024`) keeps both readings unless the [`Reading`] settles
//! it, and is compared under one convention for all values of a [`Record`].
//!
//! ```
//! use assize_metrics::values::{Prepared, Reading, Reason, Rules, Value, compare};
//!
//! let read = |text: &str| Prepared::of(&Value::Text(text.into()), Reading::default());
//! let same = compare(&read("$4,500.00"), &read("4500"), &Rules::STRICT);
//! assert!(same.equal);
//! let wrong = compare(&read("392 Main St, 35219"), &read("392 Main Street 32519"), &Rules::STRICT);
//! assert_eq!(wrong.reason, Reason::OtherDigits);
//! ```
//!
//! Wording may be forgiven, a digit never: no setting but the numeric tolerance makes two different numbers equal, and
//! identifiers have no tolerance.

mod assignment;
mod compare;
mod date;
mod decimal;
mod dictionary;
mod digits;
mod evidence;
mod field;
mod list;
mod number;
mod number_words;
mod numeral;
mod opposition;
mod reason;
mod record;
mod time;
mod units;
mod wording;

#[cfg(test)]
mod tests;

pub use assignment::{Candidate, assign};
pub use compare::compare;
pub use date::{DateOrder, Granularity};
pub use decimal::Decimal;
pub use evidence::Evidence;
pub use field::FieldKind;
pub use number_words::Locale;
pub use numeral::DecimalMark;
pub use reason::{Reason, ValueMatch};
pub use record::{Field, Overlap, Record, Required};
pub use time::Clock;

use crate::text::{Normalisation, normalise};
use number::Quantity;
use unicode_normalization::UnicodeNormalization;
use wording::Wording;

/// A value as it was given.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Absent,
    /// True or false.
    Truth(bool),
    /// A number as JSON writes it.
    Number(String),
    /// A text.
    Text(String),
    /// Several values; their order says nothing.
    List(Vec<Value>),
    /// Values by name.
    Map(Vec<(String, Value)>),
}

/// How values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Whether texts are read as numbers and identifiers.
    pub numbers: bool,
    /// Whether texts are read as dates and times.
    pub dates: bool,
    /// Which comes first in `03/04/2024`.
    pub date_order: DateOrder,
    /// The decimal mark of `1,234`; without it, both readings are kept.
    pub decimal_mark: Option<DecimalMark>,
    /// What `9:30` means.
    pub clock: Clock,
    /// The language of number words.
    pub locale: Locale,
    /// What the field's name says of its values.
    pub kind: FieldKind,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            numbers: true,
            dates: true,
            date_order: DateOrder::Either,
            decimal_mark: None,
            clock: Clock::default(),
            locale: Locale::default(),
            kind: FieldKind::default(),
        }
    }
}

/// When two values are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// How far a number may be from the expected one, in percent of it.
    pub tolerance_percent: f64,
    /// How finely dates are compared.
    pub granularity: Granularity,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// Whether punctuation, articles, abbreviations, the order of a list and small slips are ignored.
    pub ignore_wording: bool,
}

impl Rules {
    /// Nothing is ignored.
    pub const STRICT: Self =
        Self { tolerance_percent: 0.0, granularity: Granularity::Day, ignore_case: false, ignore_wording: false };
}

/// A value, read in every way it can be.
#[derive(Clone, Debug)]
pub struct Prepared {
    text: String,
    folded: String,
    truth: Option<bool>,
    quantity: Option<Quantity>,
    date: Option<date::Readings>,
    time: Option<time::Readings>,
    digits: Option<Digits>,
    wording: Wording,
    kind: FieldKind,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Absent,
    Scalar,
    List(Vec<Prepared>),
    Map(Vec<(String, Prepared)>),
}

/// Digits that name something.
#[derive(Clone, Debug, PartialEq)]
struct Digits {
    digits: String,
    /// It is written as one writes phones or account numbers, not as one writes amounts.
    telling: bool,
    international: bool,
}

impl Prepared {
    /// Reads a value.
    pub fn of(value: &Value, reading: Reading) -> Self {
        let nothing = |shape| Self {
            text: String::new(),
            folded: String::new(),
            truth: None,
            quantity: None,
            date: None,
            time: None,
            digits: None,
            wording: Wording::default(),
            kind: reading.kind,
            shape,
        };
        match value {
            Value::Absent => nothing(Shape::Absent),
            Value::List(items) => nothing(Shape::List(items.iter().map(|item| Self::of(item, reading)).collect())),
            Value::Map(members) => nothing(Shape::Map(
                members.iter().map(|(name, member)| (name.clone(), Self::of(member, reading))).collect(),
            )),
            Value::Truth(truth) => {
                Self { truth: Some(*truth), ..Self::of_text(if *truth { "true" } else { "false" }, reading) }
            }
            Value::Number(text) => {
                let of_text = Self::of_text(text, reading);
                let named = matches!(reading.kind, FieldKind::Identifier | FieldKind::Exact);
                let quantity = number::of_json(text).filter(|_| reading.numbers && !named);
                Self { quantity, date: None, time: None, ..of_text }
            }
            Value::Text(text) if text.trim().is_empty() => nothing(Shape::Absent),
            Value::Text(text) => Self::of_text(text, reading),
        }
    }

    fn of_text(text: &str, reading: Reading) -> Self {
        let text = digits::plain(&text.nfc().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "));
        let folded = normalise(&text, &Normalisation { strip_punctuation: false, ..Normalisation::default() });
        let truth = match folded.as_str() {
            "yes" | "true" | "y" => Some(true),
            "no" | "false" | "n" => Some(false),
            _ => None,
        };
        let identifier = reading.kind == FieldKind::Identifier;
        let value = !identifier && reading.kind != FieldKind::Exact;
        let numbers = reading.numbers && value;
        let dates = reading.dates && value;
        Self {
            truth,
            quantity: if numbers { number::read(&text, reading.decimal_mark, reading.locale) } else { None },
            date: if dates { date::read(&text, reading.date_order) } else { None },
            time: if dates { time::read(&text, reading.clock) } else { None },
            digits: if reading.numbers && reading.kind != FieldKind::Exact {
                Digits::of(&text, identifier)
            } else {
                None
            },
            wording: Wording::of(&text, reading.kind),
            kind: reading.kind,
            shape: Shape::Scalar,
            text,
            folded,
        }
    }

    /// Whether there is nothing.
    pub fn is_absent(&self) -> bool {
        matches!(self.shape, Shape::Absent)
    }

    /// What is left open: whether it can be read with the day or the month first, and with a point or a comma.
    fn leaves_open(&self) -> (bool, bool) {
        let day =
            |day_first: bool| self.date.iter().flatten().any(|(_, convention)| convention.day_first == Some(day_first));
        let mut numbers = self.quantity.iter().flat_map(Quantity::numbers);
        let mark = numbers.any(|number| matches!(number.numeral, numeral::Numeral::Open { .. }));
        (day(true) && day(false), mark)
    }

    /// The text, trimmed, in lower case: what most spellings of a value share. Two values with the same one are not
    /// always equal, and equal ones do not always share it.
    pub fn folded(&self) -> &str {
        &self.folded
    }
}

impl Digits {
    fn of(text: &str, identifier: bool) -> Option<Self> {
        let spoken: Option<String> = text
            .split([' ', '-'])
            .map(|word| match word.to_lowercase().as_str() {
                "oh" | "o" => Some('0'),
                word => {
                    number_words::small(word).filter(|value| *value < 10).and_then(|value| char::from_digit(value, 10))
                }
            })
            .collect();
        if let Some(digits) = spoken.filter(|digits| digits.len() >= if identifier { 2 } else { 7 }) {
            return Some(Self { digits, telling: true, international: false });
        }
        if !text.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '+' | '.' | '/')) {
            return None;
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let plain = digits.len() == text.len();
        // `12.5` and `10-12` are amounts; a point that stands alone is a decimal sign in a long number too.
        if digits.is_empty() || (!identifier && !plain && (digits.len() < 7 || text.matches('.').count() == 1)) {
            return None;
        }
        let international = text.starts_with('+');
        let grouped = !plain && text.trim_start_matches('-') != digits;
        // Nobody writes an amount with a zero in front.
        let zero_first = digits.len() > 1 && text.starts_with('0');
        Some(Self { telling: identifier || international || grouped || zero_first, digits, international })
    }

    /// The same number with and without its country code: `+44 20 7946 0958` and `020 7946 0958`.
    fn differ_by_country(&self, other: &Self) -> bool {
        let (long, short) = if self.international { (self, other) } else { (other, self) };
        let national = short.digits.trim_start_matches('0');
        long.international
            && !short.international
            && national.len() >= 9
            && long.digits.strip_suffix(national).is_some_and(|country| (1..=3).contains(&country.len()))
    }
}
