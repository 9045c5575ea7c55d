//! Exact fractions that refuse rather than overflow.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

/// The largest exponent that [`Rational::power`] raises to.
const EXPONENT_LIMIT: i128 = 512;

/// A fraction in lowest terms. Every operation that would not fit gives `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// `numerator / denominator`; `None` for a denominator of zero.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator, denominator)?;
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        if denominator < 0 {
            Some(Self { numerator: numerator.checked_neg()?, denominator: denominator.checked_neg()? })
        } else {
            Some(Self { numerator, denominator })
        }
    }

    /// A decimal: the digits as a whole number, and how many of them are after the point.
    pub fn decimal(digits: i128, decimals: u32) -> Option<Self> {
        Self::new(digits, 10i128.checked_pow(decimals)?)
    }

    /// The numerator; it carries the sign.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator, above zero.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The nearest floating-point number, for display and tolerances.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated()?)
    }

    /// The product.
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.numerator.checked_mul(other.numerator)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The quotient; `None` for a division by zero.
    pub fn divided_by(self, other: Self) -> Option<Self> {
        Self::new(self.numerator.checked_mul(other.denominator)?, self.denominator.checked_mul(other.numerator)?)
    }

    /// The power, for whole exponents.
    pub fn power(self, exponent: Self) -> Option<Self> {
        if exponent.denominator != 1 || exponent.numerator.abs() > EXPONENT_LIMIT {
            return None;
        }
        let times = u32::try_from(exponent.numerator.unsigned_abs()).ok()?;
        let (top, bottom) = (self.numerator.checked_pow(times)?, self.denominator.checked_pow(times)?);
        if exponent.numerator < 0 { Self::new(bottom, top) } else { Self::new(top, bottom) }
    }

    /// The number with the other sign.
    pub fn negated(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    /// The distance from zero.
    pub fn magnitude(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_abs()?, ..self })
    }

    /// Which is greater; `None` where the comparison would not fit.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        Some(self.minus(other)?.numerator.cmp(&0))
    }
}

impl fmt::Display for Rational {
    /// As a decimal where it has a short one, else as a fraction.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut decimals = 0;
        let mut scale: i128 = 1;
        while decimals < 12 && scale % self.denominator != 0 {
            decimals += 1;
            scale *= 10;
        }
        match self.numerator.checked_mul(scale / self.denominator) {
            Some(digits) if scale % self.denominator == 0 && decimals > 0 => {
                let sign = if digits < 0 { "-" } else { "" };
                let (whole, rest) =
                    (digits.unsigned_abs() / scale.unsigned_abs(), digits.unsigned_abs() % scale.unsigned_abs());
                write!(formatter, "{sign}{whole}.{rest:0decimals$}")
            }
            _ if self.denominator == 1 => write!(formatter, "{}", self.numerator),
            _ => write!(formatter, "{}/{}", self.numerator, self.denominator),
        }
    }
}

impl Serialize for Rational {
    /// As it is shown: a string, for no JSON number holds it exactly.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// `None` where the second is zero, or where a sign cannot be taken away.
fn greatest_common_divisor(first: i128, second: i128) -> Option<i128> {
    if second == 0 {
        return None;
    }
    let (mut first, mut second) = (first.checked_abs()?, second.checked_abs()?);
    while second != 0 {
        (first, second) = (second, first % second);
    }
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(number: i128) -> Rational {
        Rational::new(number, 1).unwrap()
    }

    #[test]
    fn tenths_add_up() {
        let tenth = Rational::decimal(1, 1).unwrap();
        let fifth = Rational::decimal(2, 1).unwrap();
        assert_eq!(tenth.plus(fifth), Rational::decimal(3, 1));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let nine = whole(9);
        assert_eq!(nine.power(nine), Rational::new(387_420_489, 1));
        assert_eq!(nine.power(nine).unwrap().power(nine), None);
        assert_eq!(nine.power(whole(1_000_000_000)), None);
        assert_eq!(nine.divided_by(Rational::ZERO), None);
        assert_eq!(Rational::ZERO.power(whole(-1)), None);
        assert_eq!(whole(i128::MAX).plus(whole(1)), None);
        assert_eq!(Rational::new(i128::MIN, -1), None);
    }

    #[test]
    fn shown() {
        let shown = |top, bottom| Rational::new(top, bottom).unwrap().to_string();
        assert_eq!(shown(6, 3), "2");
        assert_eq!(shown(-1, 8), "-0.125");
        assert_eq!(shown(1, 3), "1/3");
        assert_eq!(shown(150, 100), "1.5");
        assert_eq!(shown(2, -4), "-0.5");
    }
}
