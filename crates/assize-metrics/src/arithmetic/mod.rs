//! The arithmetic in a text: every `a = b` between numbers, evaluated.
//!
//! A wrong accusation costs more than a missed mistake, so what is not fully understood is left
//! out: sides with variables, conversions between units, hypothetical statements ("if 2 = 3"), and
//! whatever has two readings, unless both are wrong. `token` cuts the text, `side` finds what
//! belongs to an equals sign, `expression` evaluates it, and `agreement` decides.

mod agreement;
mod expression;
mod number;
mod rational;
mod side;
mod token;

use std::ops::Range;

pub use rational::Rational;
use serde::Serialize;

use agreement::{Relation, Verdict};
use side::{Half, left_of, right_of};
use token::{Piece, Token};

/// Texts are checked up to this many bytes; what follows is not read.
pub const TEXT_LIMIT: usize = 1_000_000;

/// Longer texts are not one number.
const MEASURE_LIMIT: usize = 1_000;

/// A statement that two numbers are equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Equation {
    /// The statement as written.
    pub text: String,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// The value of the left side.
    pub left: Rational,
    /// The value of the right side.
    pub right: Rational,
    /// Whether it is right, rounding allowed.
    pub holds: bool,
}

/// The equations of a text, in order.
///
/// A chain `a = b = c` is one equation per equals sign. The right side may be rounded or cut at the
/// decimals it shows; whole numbers must be exact, unless the sign is `≈`.
///
/// ```
/// let equations = assize_metrics::arithmetic::check("So 3 + 4 = 7, and 7 * 2 = 15.");
/// assert!(equations[0].holds);
/// assert_eq!(equations[1].text, "7 * 2 = 15");
/// assert!(!equations[1].holds);
/// ```
pub fn check(text: &str) -> Vec<Equation> {
    let mut end = text.len().min(TEXT_LIMIT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut equations = Vec::new();
    let mut offset = 0;
    for line in text[..end].split_inclusive('\n') {
        if line.contains(['=', '≈', '≃', '≅', '\\']) {
            check_line(text, &token::cut(line, offset), &mut equations);
        }
        offset += line.len();
    }
    equations
}

/// A number with what is attached to it, read from a text that is nothing else.
pub(crate) struct Measure {
    /// The value, a percent sign taken as a hundredth.
    pub(crate) value: Rational,
    /// How many decimals it shows, where it is one written number.
    pub(crate) decimals: Option<u32>,
    /// Unit words and currency signs.
    pub(crate) units: Vec<String>,
    pub(crate) percent: bool,
}

/// Reads a text that is one number or one numeric expression, with units.
pub(crate) fn measure(text: &str) -> Option<Measure> {
    if text.len() > MEASURE_LIMIT {
        return None;
    }
    let tokens = token::cut(text, 0);
    let side = expression::read(&tokens, expression::PercentReading::Hundredth)?;
    Some(Measure {
        value: side.value,
        decimals: side.literal.map(|literal| literal.decimals),
        units: side.units,
        percent: side.percents > 0,
    })
}

fn check_line(text: &str, tokens: &[Token], equations: &mut Vec<Equation>) {
    let signs: Vec<usize> = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| matches!(token.piece, Piece::Equal | Piece::About))
        .map(|(position, _)| position)
        .collect();
    for (order, &sign) in signs.iter().enumerate() {
        let start = match order.checked_sub(1) {
            Some(previous) => signs[previous] + 1,
            None => 0,
        };
        let end = signs.get(order + 1).copied().unwrap_or(tokens.len());
        let Some(right) = right_of(&tokens[sign + 1..end]) else {
            continue;
        };
        let Some(left) = left_of(&tokens[start..sign], order == 0) else {
            continue;
        };
        let relation = Relation {
            about: tokens[sign].piece == Piece::About,
            // Between two equals signs there is nothing but this side.
            chained: order > 0 && left.whole,
        };
        let goes_on = right.whole && order + 1 < signs.len();
        let equation = judge(text, &left, &right, relation);
        equations.extend(equation.filter(|equation| equation.holds || !(goes_on && carries_on(equation.left, &right))));
    }
}

/// Whether a side begins with the value before it and goes on calculating: "5 + 3 = 8 * 2 = 16" means
/// that 5 + 3 is 8, and twice that is 16. Careless, but no mistake in the sums.
fn carries_on(value: Rational, right: &Half) -> bool {
    let tokens = right.readings.first().map_or(&[][..], Vec::as_slice);
    tokens.iter().enumerate().any(|(position, token)| {
        let goes_on = matches!(token.piece, Piece::Operator(_)) && position > 0;
        goes_on && measured(&tokens[..position]) == Some(value)
    })
}

fn measured(tokens: &[Token]) -> Option<Rational> {
    match tokens {
        [token] | [Token { piece: Piece::Operator('-') | Piece::Currency(_), .. }, token]
            if matches!(token.piece, Piece::Number(_)) =>
        {
            Some(expression::read(tokens, expression::PercentReading::Hundredth)?.value)
        }
        _ => None,
    }
}

fn judge(text: &str, left: &Half, right: &Half, relation: Relation) -> Option<Equation> {
    let mut failed = None;
    for tokens in &left.readings {
        let (verdict, values) = agreement::decide(tokens, right.readings.first()?, relation)?;
        let span = tokens.first()?.span.start..right.readings.first()?.last()?.span.end;
        let equation = Equation {
            text: text[span.clone()].to_owned(),
            span,
            left: values.0,
            right: values.1,
            holds: verdict == Verdict::Holds,
        };
        if equation.holds {
            return Some(equation);
        }
        failed = Some(equation);
    }
    failed
}

#[cfg(test)]
mod tests;
