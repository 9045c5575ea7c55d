//! The arithmetic in a text: every `a = b` between numbers, evaluated.
//!
//! A wrong accusation costs more than a missed mistake, so a statement is checked only where every
//! token of both sides is understood: no variables, no conversions between units, nothing that has
//! two readings unless both are wrong. One that does not hold is listed only where the words around it leave no other
//! reading ("if 2 = 3", "17 with a remainder of 9"). `token` cuts the text, `side` finds what
//! belongs to an equals sign, `expression` evaluates it, `agreement` decides, and `context` looks around.

mod agreement;
mod context;
mod expression;
mod number;
mod rational;
mod side;
mod token;

use std::ops::Range;

pub use rational::Rational;
use serde::Serialize;

use agreement::{Relation, Verdict};
use context::{Surroundings, TextContext};
use side::{Half, goes_on, left_of, right_of};
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
    let text = &text[..end];
    let mut checking = Checking { text, context: TextContext::of(text), equations: Vec::new() };
    let (mut offset, mut code) = (0, false);
    for line in text.split_inclusive('\n') {
        // In a program "=" is an assignment.
        code ^= line.trim_start().starts_with("```");
        if !code && line.contains(['=', '≈', '≃', '≅', '\\']) {
            checking.line(&token::cut(line, offset));
        }
        offset += line.len();
    }
    checking.equations
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

/// A text being checked.
struct Checking<'t> {
    text: &'t str,
    context: TextContext,
    equations: Vec<Equation>,
}

impl Checking<'_> {
    fn line(&mut self, tokens: &[Token]) {
        let is_sign = |token: &Token| matches!(token.piece, Piece::Equal | Piece::About);
        let signs: Vec<usize> = (0..tokens.len()).filter(|position| is_sign(&tokens[*position])).collect();
        for (order, &sign) in signs.iter().enumerate() {
            let start = order.checked_sub(1).map_or(0, |previous| signs[previous] + 1);
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
            let carried = right.whole && order + 1 < signs.len();
            let equation = self.judge(&left, &right, relation, &tokens[sign + 1 + right.edge..]);
            let kept = equation.filter(|equation| equation.holds || !(carried && carries_on(equation.left, &right)));
            self.equations.extend(kept);
        }
    }

    /// Decides a statement. One that does not hold under any reading must survive what stands around it.
    fn judge(&self, left: &Half, right: &Half, relation: Relation, rest: &[Token]) -> Option<Equation> {
        let right_tokens = right.readings.first()?;
        let mut failed = None;
        for tokens in &left.readings {
            let span = tokens.first()?.span.start..right_tokens.last()?.span.end;
            let mut decided = agreement::decide(tokens, right_tokens, relation)?;
            if decided.0 == Verdict::Fails {
                let around = Surroundings::of(self.text, &span);
                if around.is_rounded() && !relation.about {
                    decided = agreement::decide(tokens, right_tokens, Relation { about: true, ..relation })?;
                }
                let doubtful = decided.0 == Verdict::Fails
                    && (self.context.other_arithmetic
                        || self.context.decimal_commas && has_three_decimals(tokens.iter().chain(right_tokens))
                        || goes_on(rest)
                        || !around.is_claim()
                        || (agreement::may_be_whole_division(tokens, decided.1)
                            && (around.is_whole_division()
                                || agreement::is_whole_quotient(tokens) && !around.is_bare())));
                if doubtful {
                    return None;
                }
            }
            let (verdict, (left, right)) = decided;
            let text = self.text[span.clone()].to_owned();
            let equation = Equation { text, span, left, right, holds: verdict == Verdict::Holds };
            if equation.holds {
                return Some(equation);
            }
            failed = Some(equation);
        }
        failed
    }
}

/// Where some number has a decimal comma, a point before three digits may part thousands.
fn has_three_decimals<'t>(mut tokens: impl Iterator<Item = &'t Token>) -> bool {
    tokens.any(|token| matches!(token.piece, Piece::Number(literal) if literal.decimals == 3))
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

#[cfg(test)]
mod tests;
