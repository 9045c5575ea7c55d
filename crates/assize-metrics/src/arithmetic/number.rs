//! Numbers as people write them: `1,234.5`, `.5`, `3e4`, `0.333...`.

use super::rational::Rational;

/// Numbers with more digits than this are not read; exact arithmetic could not hold them.
const DIGIT_LIMIT: usize = 30;

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Literal {
    pub(super) value: Rational,
    /// Digits after the point.
    pub(super) decimals: u32,
    /// It ends in an ellipsis: more digits follow.
    pub(super) continues: bool,
}

impl Literal {
    pub(super) fn whole(value: u8) -> Self {
        Self {
            value: Rational::new(i128::from(value), 1).expect("a small whole number is a rational"),
            decimals: 0,
            continues: false,
        }
    }
}

/// Reads a number at the start of the text: what it is, and its length. `None` where there is no
/// number; no literal where there is one that could be read in more than one way (`3,5`,
/// `1.234.567`) or is too long.
pub(super) fn read_literal(text: &str) -> Option<(Option<Literal>, usize)> {
    let bytes = text.as_bytes();
    let digit_at = |position: usize| bytes.get(position).is_some_and(u8::is_ascii_digit);
    let begins = digit_at(0) || (bytes.first() == Some(&b'.') && digit_at(1));
    if !begins {
        return None;
    }
    // The longest stretch of digits with points and commas between digits.
    let mut end = 0;
    while digit_at(end) || (matches!(bytes.get(end), Some(b'.' | b',')) && digit_at(end + 1)) {
        end += 1;
    }
    let mut literal = plain(&text[..end]);
    if let Some(exponent) = exponent_length(&bytes[end..]) {
        literal = literal.and_then(|literal| raised(literal, &text[end + 1..end + exponent]));
        end += exponent;
    }
    for ellipsis in ["...", "…"] {
        if text[end..].starts_with(ellipsis) && text[..end].contains('.') {
            literal = literal.map(|literal| Literal { continues: true, ..literal });
            end += ellipsis.len();
        }
    }
    Some((literal, end))
}

fn plain(written: &str) -> Option<Literal> {
    let (whole, fraction) = written.split_once('.').unwrap_or((written, ""));
    if fraction.contains(['.', ',']) {
        return None;
    }
    // "5, 000" is a number torn in two.
    if whole.starts_with("00") {
        return None;
    }
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or("");
    let mut digits = String::from(first);
    for group in groups {
        if group.len() != 3 || first.len() > 3 || first.starts_with('0') {
            return None;
        }
        digits.push_str(group);
    }
    digits.push_str(fraction);
    if digits.len() > DIGIT_LIMIT {
        return None;
    }
    let decimals = u32::try_from(fraction.len()).ok()?;
    Some(Literal { value: Rational::decimal(digits.parse().ok()?, decimals)?, decimals, continues: false })
}

/// The length of `e5`, `E-3`; a letter after it makes it something else.
fn exponent_length(bytes: &[u8]) -> Option<usize> {
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return None;
    }
    let sign = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    let digits = bytes[1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = 1 + sign + digits;
    (digits > 0 && !bytes.get(end).is_some_and(u8::is_ascii_alphabetic)).then_some(end)
}

fn raised(literal: Literal, exponent: &str) -> Option<Literal> {
    let exponent: i32 = exponent.parse().ok()?;
    let ten = Rational::new(10, 1)?;
    let scale = ten.power(Rational::new(i128::from(exponent), 1)?)?;
    let decimals = i64::from(literal.decimals) - i64::from(exponent);
    Some(Literal {
        value: literal.value.times(scale)?,
        decimals: u32::try_from(decimals.max(0)).ok()?,
        continues: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_numbers() {
        let read = |text: &str| {
            let (literal, length) = read_literal(text).unwrap();
            (literal.map(|literal| literal.value.to_string()), length)
        };
        assert_eq!(read("14. Then"), (Some("14".into()), 2));
        assert_eq!(read("1,234.50 x"), (Some("1234.5".into()), 8));
        assert_eq!(read(".5"), (Some("0.5".into()), 2));
        assert_eq!(read("7, 8"), (Some("7".into()), 1));
        assert_eq!(read("3e2"), (Some("300".into()), 3));
        assert_eq!(read("3eggs"), (Some("3".into()), 1));
        assert_eq!(read("0.333..."), (Some("0.333".into()), 8));
        assert_eq!(read("3,5").0, None);
        assert_eq!(read("1.2.3").0, None);
        assert_eq!(read("1,23,456").0, None);
        assert_eq!(read(&"9".repeat(40)).0, None);
        assert_eq!(read("1e99").0, None);
        assert_eq!(read_literal("x1"), None);
    }
}
