//! Why two values are the same, or not.

use super::Granularity;
use serde::Serialize;
use std::fmt;

/// Why two values are the same, or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Reason {
    /// The same to the letter.
    Identical,
    /// The same number, however written.
    SameNumber {
        /// One of them can be read in two ways, and one of these was taken.
        ambiguous: bool,
    },
    /// Another number, within the tolerance.
    NumberWithinTolerance {
        /// How far it is off, in percent of the expected number.
        difference_percent: f64,
        /// How far it may be off.
        tolerance_percent: f64,
    },
    /// The same date as far as is asked.
    SameDate {
        /// How finely.
        granularity: Granularity,
        /// One of them can be read in two ways, and one of these was taken.
        ambiguous: bool,
    },
    /// The same time of day.
    SameTime {
        /// One of them can be read in two ways, and one of these was taken.
        ambiguous: bool,
    },
    /// The same digits, grouped in another way.
    SameDigits,
    /// Only upper and lower case differ, which is ignored.
    CaseIgnored,
    /// Only the wording differs, which is ignored.
    WordingIgnored,
    /// Both say yes, or both say no.
    SameTruth,
    /// Lists or objects with the same content.
    SameItems,
    /// The value is not there.
    Missing,
    /// A value where none is expected.
    Unexpected,
    /// Another number, beyond the tolerance.
    OtherNumber {
        /// How far it is off, in percent of the expected number.
        #[serde(serialize_with = "finite")]
        difference_percent: f64,
        /// How far it may be off.
        tolerance_percent: f64,
    },
    /// A number on one side, a range on the other.
    RangeAndNumber,
    /// Another currency or unit.
    OtherUnit,
    /// The same number, and only one of them says of what.
    UnitMissing,
    /// Another date.
    OtherDate {
        /// How finely.
        granularity: Granularity,
    },
    /// One of the dates does not say as much as is asked.
    LessPreciseDate {
        /// How finely.
        granularity: Granularity,
    },
    /// Another time of day.
    OtherTime,
    /// Another dose.
    OtherDose,
    /// Left on one side, right on the other.
    OtherSide,
    /// Other digits.
    OtherDigits,
    /// Only upper and lower case differ, which counts.
    OtherCase,
    /// Only the wording differs, which counts.
    OtherWording,
    /// Other words.
    OtherWords,
    /// Yes on one side, no on the other; or one denies what the other says.
    OtherTruth,
    /// Lists or objects with other content.
    OtherItems {
        /// How many parts have no counterpart.
        differing: usize,
    },
    /// A list next to a single value, or the like.
    OtherKind,
}

/// JSON has no infinity: a difference from an expected zero is not a percentage.
fn finite<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() { serializer.serialize_some(value) } else { serializer.serialize_none() }
}

impl Reason {
    /// Whether a difference is one that no reading of the words could explain away: numbers, dates, digits, truth, or a
    /// spelling that was asked to be exact. Other words may still mean the same.
    pub fn is_certain(&self) -> bool {
        matches!(
            self,
            Self::OtherNumber { .. }
                | Self::OtherUnit
                | Self::OtherDate { .. }
                | Self::OtherTime
                | Self::OtherDose
                | Self::OtherSide
                | Self::OtherDigits
                | Self::OtherCase
                | Self::OtherTruth
                | Self::OtherWording
        )
    }
}

impl Reason {
    /// Whether two records that differ so cannot state the same, however much else of them matches: one denies what the other
    /// says, or names the other side, another dose or another unit.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, Self::OtherTruth | Self::OtherSide | Self::OtherDose | Self::OtherUnit)
    }

    /// Whether they are the same in one of several readings, and another would have made them different.
    pub fn is_ambiguous(&self) -> bool {
        matches!(
            self,
            Self::SameNumber { ambiguous: true }
                | Self::SameDate { ambiguous: true, .. }
                | Self::SameTime { ambiguous: true }
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = |granularity: &Granularity| match granularity {
            Granularity::Day => "day",
            Granularity::Month => "month",
            Granularity::Year => "year",
        };
        match self {
            Self::Identical => f.write_str("identical"),
            Self::SameNumber { ambiguous: false } => f.write_str("the same number"),
            Self::SameNumber { ambiguous: true } => f.write_str("the same number in one of two readings"),
            Self::NumberWithinTolerance { difference_percent, tolerance_percent } => {
                write!(f, "{difference_percent:.2} % off, within {tolerance_percent} %")
            }
            Self::SameDate { granularity, ambiguous: false } => write!(f, "the same {}", by(granularity)),
            Self::SameDate { granularity, ambiguous: true } => {
                write!(f, "the same {} in one of two readings", by(granularity))
            }
            Self::SameTime { ambiguous: false } => f.write_str("the same time"),
            Self::SameTime { ambiguous: true } => f.write_str("the same time in one of two readings"),
            Self::SameDigits => f.write_str("the same digits"),
            Self::CaseIgnored => f.write_str("only the case differs, which is ignored"),
            Self::WordingIgnored => f.write_str("only the wording differs, which is ignored"),
            Self::SameTruth => f.write_str("the same truth value"),
            Self::SameItems => f.write_str("the same items"),
            Self::Missing => f.write_str("missing"),
            Self::Unexpected => f.write_str("not expected"),
            Self::OtherNumber { difference_percent, tolerance_percent } if difference_percent.is_finite() => {
                write!(f, "{difference_percent:.2} % off, more than {tolerance_percent} %")
            }
            Self::OtherNumber { .. } => f.write_str("another number than zero"),
            Self::RangeAndNumber => f.write_str("a range and a single number"),
            Self::OtherUnit => f.write_str("another currency or unit"),
            Self::UnitMissing => f.write_str("only one of them names a unit"),
            Self::OtherDate { granularity } => write!(f, "another {}", by(granularity)),
            Self::LessPreciseDate { granularity } => write!(f, "one of them does not give the {}", by(granularity)),
            Self::OtherTime => f.write_str("another time"),
            Self::OtherDose => f.write_str("another dose"),
            Self::OtherSide => f.write_str("another side"),
            Self::OtherDigits => f.write_str("other digits"),
            Self::OtherCase => f.write_str("the case differs"),
            Self::OtherWording => f.write_str("the wording differs"),
            Self::OtherWords => f.write_str("other words"),
            Self::OtherTruth => f.write_str("the opposite"),
            Self::OtherItems { differing } => write!(f, "{differing} items have no counterpart"),
            Self::OtherKind => f.write_str("another kind of value"),
        }
    }
}

/// Whether two values are the same, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueMatch {
    /// Whether they are the same.
    pub equal: bool,
    /// Why.
    pub reason: Reason,
    /// How close they are, from 0 to 1, with 1 for the same to the letter and 0 for different: what to prefer where
    /// several values are the same.
    pub closeness: f64,
}

impl ValueMatch {
    pub(super) fn same(reason: Reason) -> Self {
        Self::close(reason, 1.0)
    }

    pub(super) fn close(reason: Reason, closeness: f64) -> Self {
        Self { equal: true, reason, closeness }
    }

    pub(super) fn different(reason: Reason) -> Self {
        Self { equal: false, reason, closeness: 0.0 }
    }
}
