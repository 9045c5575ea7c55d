//! Do two sides agree? Rounding, percent signs and units, with the benefit of the doubt.

use std::cmp::Ordering;

use super::expression::{PercentReading, Side, read};
use super::number::Literal;
use super::rational::Rational;
use super::token::{Piece, Token};

/// How far apart the sides of `≈` may be, as a share of the greater.
const ABOUT: f64 = 0.1;

/// What an equals sign says, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation {
    /// It is `≈`.
    pub(super) about: bool,
    /// The left side is the right side of the sign before.
    pub(super) chained: bool,
}

/// Whether a statement is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    Fails,
}

/// Decides a statement, or `None` where it cannot be decided without guessing.
pub(super) fn decide(left: &[Token], right: &[Token], relation: Relation) -> Option<(Verdict, (Rational, Rational))> {
    use PercentReading::{Hundredth, Unit};

    let usual = (read(left, Hundredth)?, read(right, Hundredth)?);
    if !is_statement(&usual.0, &usual.1, relation) || !units_allow(&usual.0, &usual.1) {
        return None;
    }
    let values = (usual.0.value, usual.1.value);
    let percents = usual.0.percents + usual.1.percents;
    if agree(&usual.0, &usual.1, relation.about) {
        return Some((Verdict::Holds, values));
    }
    if percents > 0 {
        let unit = (read(left, Unit)?, read(right, Unit)?);
        let shared = usual.0.has_share || usual.1.has_share;
        let readings = [(&unit.0, &unit.1), (&unit.0, &usual.1), (&usual.0, &unit.1)];
        for (left, right) in readings {
            // "20% of 50" has one reading.
            if !shared && agree(left, right, relation.about) {
                return Some((Verdict::Holds, (left.value, right.value)));
            }
        }
        let mixed = |side: &Side| side.has_sum && side.percents > 0 && side.plain_numbers > 0;
        if mixed(&usual.0) || mixed(&usual.1) {
            return None; // "50 + 20% = 60"
        }
    }
    let converted = usual.1.units.is_empty() && usual.0.units.iter().any(|unit| CONVERTED.contains(&unit.as_str()));
    let doubtful = converted || is_range(left, values.1) || is_another_scale(&usual);
    (!doubtful).then_some((Verdict::Fails, values))
}

/// "1-3 = 5 points": from one to three.
fn is_range(left: &[Token], right: Rational) -> bool {
    match left {
        [first, dash, last] => match (&first.piece, &dash.piece, &last.piece) {
            (Piece::Number(first), Piece::Operator('-'), Piece::Number(last_number)) => {
                let rising = first.value.compare(last_number.value) == Some(Ordering::Less);
                dash.glued && last.glued && rising && right.numerator() >= 0
            }
            _ => false,
        },
        _ => false,
    }
}

/// "0.75 = 75", "1.5 = 1500": two plain numbers that differ by a power of ten say the same in another unit.
fn is_another_scale((left, right): &(Side, Side)) -> bool {
    let bare = left.literal.is_some() && right.literal.is_some() && left.percents + right.percents == 0;
    let ratio = || left.value.divided_by(right.value)?.magnitude();
    let is_power = |ratio: Rational| {
        let (top, bottom) = (ratio.numerator(), ratio.denominator());
        [top, bottom].iter().all(|part| part.to_string().trim_end_matches('0') == "1")
    };
    bare && left.value != right.value && ratio().is_some_and(is_power)
}

/// Whether a side is one whole number divided by another, and nothing else.
pub(super) fn is_whole_quotient(side: &[Token]) -> bool {
    let numbers = side.iter().filter_map(|token| match &token.piece {
        Piece::Number(literal) => Some(literal.decimals),
        _ => None,
    });
    let operators = side.iter().filter(|token| matches!(token.piece, Piece::Operator(_) | Piece::Fraction));
    numbers.clone().count() == 2 && numbers.sum::<u32>() == 0 && operators.count() == 1
}

/// Whether a quotient was left at the whole number below or above it.
pub(super) fn may_be_whole_division(left: &[Token], (exact, given): (Rational, Rational)) -> bool {
    let divides = left.iter().any(|token| matches!(token.piece, Piece::Operator('/') | Piece::Fraction));
    let within_one = || Some(exact.minus(given)?.magnitude()?.compare(Rational::new(1, 1)?)? == Ordering::Less);
    divides && given.denominator() == 1 && within_one().unwrap_or(false)
}

/// Units that are turned into smaller ones without a word: "2 hours + 30 = 150".
const CONVERTED: &[&str] = &[
    "cent",
    "cm",
    "day",
    "dozen",
    "feet",
    "foot",
    "g",
    "gallon",
    "gram",
    "h",
    "hour",
    "hr",
    "inch",
    "kg",
    "kilogram",
    "kilometer",
    "km",
    "l",
    "liter",
    "m",
    "meter",
    "mile",
    "min",
    "minute",
    "ml",
    "mm",
    "month",
    "ounce",
    "pair",
    "pound",
    "s",
    "sec",
    "second",
    "week",
    "yard",
    "year",
];

/// Two bare numbers are often a label ("1 = yes, 2 = 5 points") rather than a claim, and so is a number of things that the
/// other side does not count ("40 numbers = 3800 - 3200").
fn is_statement(left: &Side, right: &Side, relation: Relation) -> bool {
    let bare = left.literal.is_some() && right.literal.is_some();
    let counted = left.literal.is_some() && left.units.iter().any(|unit| !right.units.contains(unit));
    !counted && (!bare || relation.chained || left.percents + right.percents == 1)
}

/// Whether the units leave the numbers comparable.
fn units_allow(left: &Side, right: &Side) -> bool {
    let mut all: Vec<&String> = left.units.iter().chain(&right.units).collect();
    all.sort();
    all.dedup();
    let is_letter = |unit: &&String| unit.chars().count() == 1 && unit.chars().all(char::is_alphabetic);
    match all.as_slice() {
        [] => true,
        // A letter may be a variable, and a quantity may be converted ("2 hours = 120").
        [unit] if is_letter(unit) => left.units == right.units,
        [_] => {
            let same = left.units == right.units;
            let bare_quantity = left.literal.is_some() && right.literal.is_some();
            same || !bare_quantity
        }
        // "5 apples * $2 = $10", but neither "2 hours * 60 = 120 minutes" nor "1 hour + 5 minutes".
        _ => {
            !left.has_sum
                && !right.has_sum
                && !right.units.is_empty()
                && right.units.iter().all(|unit| left.units.contains(unit))
                && !all.iter().any(is_letter)
        }
    }
}

fn agree(left: &Side, right: &Side, about: bool) -> bool {
    if left.value == right.value {
        return true;
    }
    if left.has_continued && left.literal.is_none() || right.has_continued && right.literal.is_none() {
        return true; // what follows the ellipsis is unknown
    }
    let rounded = |literal: Option<Literal>, exact: Rational| {
        literal.is_some_and(|literal| is_rounding_of(literal, exact, about))
    };
    if rounded(right.literal, left.value) || rounded(left.literal, right.value) {
        return true;
    }
    let (a, b) = (left.value.to_f64(), right.value.to_f64());
    if about && (a - b).abs() <= ABOUT * a.abs().max(b.abs()) {
        return true;
    }
    // Decimals that are rounded themselves, carried through a product.
    let range = |side: &Side| match side.has_product {
        true => side.range,
        false => (side.value.to_f64(), side.value.to_f64()),
    };
    let (left, right) = (range(left), range(right));
    let margin = 1e-12 * a.abs().max(b.abs());
    left.0 <= right.1 + margin && right.0 <= left.1 + margin
}

/// Whether a number, as written, is the exact value rounded or cut at its last decimal. Whole
/// numbers are taken as exact unless the sign is `≈`.
fn is_rounding_of(literal: Literal, exact: Rational, about: bool) -> bool {
    if literal.decimals == 0 && !about {
        return false;
    }
    let check = || {
        let step = Rational::new(1, 10i128.checked_pow(literal.decimals)?)?;
        let distance = exact.minus(literal.value)?.magnitude()?;
        let half = step.divided_by(Rational::new(2, 1)?)?;
        let rounded = distance.compare(half)? != Ordering::Greater;
        let towards_zero = exact.magnitude()?.compare(literal.value.magnitude()?)? == Ordering::Greater
            && (exact.numerator() < 0) == (literal.value.numerator() < 0)
            || literal.value == Rational::ZERO;
        let cut = towards_zero && distance.compare(step)? == Ordering::Less;
        let loose = (about || literal.continues) && distance.compare(step)? != Ordering::Greater;
        Some(rounded || cut || loose)
    };
    check().unwrap_or(false)
}
