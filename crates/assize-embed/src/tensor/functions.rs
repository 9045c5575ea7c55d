//! Functions of single numbers and of rows, written so that the compiler can take many elements at a time.
//!
//! The exponential is ours and not the platform's: a system's mathematical library differs in the last bit from
//! another's, and an embedding should not.

use crate::vector::{LANES, sum_of_squares};
use fearless_simd::{Level, dispatch};

/// The sum of a row.
pub(crate) fn sum(row: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane += x;
    }
    lanes.iter().sum()
}

/// `row += other`, element by element.
pub(crate) fn add(row: &mut [f32], other: &[f32]) {
    for (x, y) in row.iter_mut().zip(other) {
        *x += y;
    }
}

/// Adds `bias` to each row of `rows`.
pub(crate) fn add_bias(rows: &mut [f32], bias: &[f32]) {
    for row in rows.chunks_exact_mut(bias.len().max(1)) {
        add(row, bias);
    }
}

/// Negative elements become zero.
pub(crate) fn relu(values: &mut [f32]) {
    for x in values {
        *x = x.max(0.0);
    }
}

/// Moves each row to mean 0 and variance 1, then stretches and shifts it.
pub(crate) fn layer_norm(rows: &mut [f32], gain: &[f32], shift: &[f32], epsilon: f32) {
    let width = gain.len().max(1);
    for row in rows.chunks_exact_mut(width) {
        let mean = sum(row) / width as f32;
        for x in row.iter_mut() {
            *x -= mean;
        }
        let scale = 1.0 / (sum_of_squares(row) / width as f32 + epsilon).sqrt();
        for ((x, gain), shift) in row.iter_mut().zip(gain).zip(shift) {
            *x = *x * scale * gain + shift;
        }
    }
}

/// Turns a row of scores into shares that add up to 1.
pub(crate) fn softmax(row: &mut [f32]) {
    let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for x in row.iter_mut() {
        *x = exp(*x - largest);
    }
    let total = sum(row);
    for x in row.iter_mut() {
        *x /= total;
    }
}

/// e to the power of `x`, to about 1e-7 of its value. `x` is an ordinary activation: beyond ±87 it is held there.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Adding and subtracting 1.5 · 2^23 rounds to the nearest whole number without a library call.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, the first with few enough digits that its product with a small whole number is exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 87.0);
    let power = (x * std::f32::consts::LOG2_E + ROUND) - ROUND;
    let r = (x - power * LN_2_HIGH) - power * LN_2_LOW;
    // The Taylor series of e^r on |r| ≤ ln 2 / 2; the first term left out is below 2e-9.
    let series = 1.0
        + r * (1.0
            + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0 + r / 5040.0))))));
    series * f32::from_bits((((power as i32) + 127) as u32) << 23)
}

/// The hyperbolic tangent, to about 1e-7.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    // Beyond 10 it is 1 in this precision.
    let doubled = exp(2.0 * x.clamp(-10.0, 10.0));
    (doubled - 1.0) / (doubled + 1.0)
}

/// The error function, to about 3e-7: Abramowitz and Stegun, *Handbook of Mathematical Functions*, 7.1.26.
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let series = t * (0.254_829_6 + t * (-0.284_496_72 + t * (1.421_413_8 + t * (-1.453_152_1 + t * 1.061_405_4))));
    (1.0 - series * exp(-size * size)).copysign(x)
}

/// The smooth step of transformers, by the error function.
pub(crate) fn gelu(values: &mut [f32]) {
    dispatch!(Level::new(), _simd => gelu_each(values));
}

#[inline(always)]
fn gelu_each(values: &mut [f32]) {
    for x in values {
        *x = 0.5 * *x * (1.0 + erf(*x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// The smooth step of transformers, by the hyperbolic tangent.
pub(crate) fn gelu_by_tanh(values: &mut [f32]) {
    const SCALE: f32 = 0.797_884_6; // √(2/π)
    for x in values {
        *x = 0.5 * *x * (1.0 + tanh(SCALE * (*x + 0.044_715 * *x * *x * *x)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error function by its power series, in double precision: slow, and right for |x| ≤ 4.
    fn erf_by_series(x: f64) -> f64 {
        let mut term = x;
        let mut total = x;
        for n in 1..200 {
            term *= -x * x / n as f64;
            total += term / (2 * n + 1) as f64;
        }
        total * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn functions_meet_double_precision() {
        for step in -8000..=8000 {
            let x = step as f32 / 100.0;
            let wide = f64::from(x);
            assert!((f64::from(exp(x)) / wide.exp() - 1.0).abs() < 3e-7, "exp {x}");
            assert!((f64::from(tanh(x)) - wide.tanh()).abs() < 3e-7, "tanh {x}");
            if x.abs() <= 4.0 {
                assert!((f64::from(erf(x)) - erf_by_series(wide)).abs() < 5e-7, "erf {x}");
            } else {
                assert!((f64::from(erf(x)).abs() - 1.0).abs() < 5e-7, "erf {x}");
            }
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        assert!(exp(f32::NAN).is_nan());
        assert!(tanh(f32::NAN).is_nan());
        assert!(exp(f32::INFINITY).is_finite());
    }

    #[test]
    fn a_normed_row_has_mean_nought_and_variance_one() {
        let mut row: Vec<f32> = (0..37).map(|n| (n * n) as f32).collect();
        layer_norm(&mut row, &[1.0; 37], &[0.0; 37], 1e-12);
        assert!((sum(&row) / 37.0).abs() < 1e-6);
        assert!((sum_of_squares(&row) / 37.0 - 1.0).abs() < 1e-5);
    }

    #[test]
    fn shares_add_up() {
        let mut row = vec![1000.0, 1001.0, -1000.0];
        softmax(&mut row);
        assert!((sum(&row) - 1.0).abs() < 1e-6);
        assert!((row[1] / row[0] - std::f32::consts::E).abs() < 1e-5);
    }

    #[test]
    fn the_two_smooth_steps_nearly_agree() {
        let mut a: Vec<f32> = (-50..50).map(|n| n as f32 / 10.0).collect();
        let mut b = a.clone();
        gelu(&mut a);
        gelu_by_tanh(&mut b);
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 2e-3));
        assert!(a.iter().zip(&b).any(|(a, b)| a != b));
    }
}
