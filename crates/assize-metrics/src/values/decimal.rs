//! Decimal numbers as written: exact, so that `1.1 million` is 1,100,000 and sixteen digits are all compared.

use std::cmp::Ordering;

/// Digits that fit; a longer numeral is not read as a number and stays text.
const MOST_DIGITS: usize = 30;

/// A decimal number: `mantissa × 10^exponent`, with no trailing zeros in the mantissa.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    mantissa: i128,
    exponent: i32,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0, exponent: 0 };

    /// `mantissa × 10^exponent`.
    pub fn new(mantissa: i128, exponent: i32) -> Self {
        if mantissa == 0 {
            return Self::ZERO;
        }
        let (mut mantissa, mut exponent) = (mantissa, exponent);
        while mantissa % 10 == 0 {
            mantissa /= 10;
            exponent += 1;
        }
        Self { mantissa, exponent }
    }

    /// The number with these whole digits and these digits after the point.
    pub(super) fn of_digits(whole: &str, fraction: &str) -> Option<Self> {
        let digits = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        if digits.len() + fraction.len() > MOST_DIGITS {
            return None;
        }
        let joined = format!("0{digits}{fraction}");
        Some(Self::new(joined.parse().ok()?, -i32::try_from(fraction.len()).ok()?))
    }

    /// A number as JSON writes it, such as `-1.5e3`.
    pub(super) fn of_json(text: &str) -> Option<Self> {
        let (text, power) = match text.split_once(['e', 'E']) {
            Some((text, power)) => (text, power.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let plain = !whole.is_empty() && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
        let value = if plain { Self::of_digits(whole, fraction)? } else { return None };
        let value = value.shifted(power);
        Some(if negative { value.negated() } else { value })
    }

    /// The number with the point moved to the right by so many places.
    pub(super) fn shifted(self, places: i32) -> Self {
        if self.mantissa == 0 { self } else { Self { exponent: self.exponent.saturating_add(places), ..self } }
    }

    /// The number with the other sign.
    pub(super) fn negated(self) -> Self {
        Self { mantissa: -self.mantissa, ..self }
    }

    /// The sum, where it fits.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let at = |number: Self| {
            let places = u32::try_from(number.exponent - exponent).ok()?;
            number.mantissa.checked_mul(10_i128.checked_pow(places)?)
        };
        Some(Self::new(at(self)?.checked_add(at(other)?)?, exponent))
    }

    /// The product, where it fits.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        Some(Self::new(self.mantissa.checked_mul(other.mantissa)?, self.exponent.checked_add(other.exponent)?))
    }

    /// `numerator / denominator` to as many digits as anybody writes: thirds are never exact, and always the same.
    pub(super) fn of_fraction(numerator: u32, denominator: u32) -> Option<Self> {
        const PLACES: i32 = 20;
        let scaled = i128::from(numerator) * 10_i128.pow(PLACES.unsigned_abs());
        (denominator > 0).then(|| Self::new(scaled / i128::from(denominator), -PLACES))
    }

    /// The nearest binary fraction.
    pub fn to_f64(self) -> f64 {
        // Both the mantissa and the power of ten are exact up to here, so dividing or multiplying rounds once.
        if self.mantissa.unsigned_abs() < 1 << 53 && self.exponent.unsigned_abs() <= 22 {
            let power = 10_f64.powi(self.exponent.abs());
            let mantissa = self.mantissa as f64;
            return if self.exponent < 0 { mantissa / power } else { mantissa * power };
        }
        // Elsewhere through text, which rounds once too.
        format!("{}e{}", self.mantissa, self.exponent).parse().expect("digits and an exponent are a number")
    }

    /// The whole number, where it is one that fits.
    pub(super) fn to_integer(self) -> Option<i64> {
        let places = u32::try_from(self.exponent).ok()?;
        i64::try_from(self.mantissa.checked_mul(10_i128.checked_pow(places)?)?).ok()
    }

    pub(super) fn is_less(self, other: Self) -> bool {
        self.plus(other.negated())
            .map_or_else(|| self.to_f64() < other.to_f64(), |gap| gap.mantissa.cmp(&0) == Ordering::Less)
    }
}
