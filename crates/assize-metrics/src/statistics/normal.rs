//! The standard normal distribution, to nearly all digits of a double.
//!
//! statrs is off by some 1e-12 in the middle of the distribution, which is more than the difference
//! that the intervals are checked to; these few lines are not.

use std::f64::consts::PI;

/// From here on the series would lose digits, and the continued fraction has them.
const TAIL: f64 = 3.0;

/// Φ: the probability that a standard normal variable is at most `z`.
pub(super) fn cdf(z: f64) -> f64 {
    if z.is_nan() {
        return z;
    }
    if z > TAIL {
        return 1.0 - lower_tail(-z);
    }
    if z < -TAIL {
        return lower_tail(z);
    }
    // Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …)
    let mut term = z;
    let mut sum = z;
    let mut odd = 1.0;
    while term.abs() > 1e-18 * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    0.5 + density(z) * sum
}

/// Φ far to the left: φ(z)/(t + 1/(t + 2/(t + 3/(t + …)))), t = −z.
fn lower_tail(z: f64) -> f64 {
    let t = -z;
    if !t.is_finite() {
        return 0.0;
    }
    let mut fraction = t;
    for level in (1..=200).rev() {
        fraction = t + f64::from(level) / fraction;
    }
    density(z) / fraction
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// Φ⁻¹; minus and plus infinity at 0 and 1.
pub(super) fn quantile(probability: f64) -> f64 {
    if probability <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if probability >= 1.0 {
        return f64::INFINITY;
    }
    if probability > 0.5 {
        return -quantile(1.0 - probability);
    }
    // Abramowitz and Stegun 26.2.23, good to three digits; then Halley's steps, each of which
    // triples the digits.
    let t = (-2.0 * probability.ln()).sqrt();
    let above = 2.515517 + t * (0.802853 + t * 0.010328);
    let below = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut z = above / below - t;
    for _ in 0..3 {
        let step = (cdf(z) - probability) / density(z);
        z -= step / (1.0 + 0.5 * z * step);
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, theirs: f64) -> bool {
        (ours - theirs).abs() <= 4e-14 * theirs.abs() + 1e-300
    }

    #[test]
    fn as_scipy_has_it() {
        // scipy 1.17.1: scipy.stats.norm.cdf(z)
        for (z, probability) in [
            (0.0, 0.5),
            (0.5, 0.6914624612740131),
            (-1.0, 0.15865525393145707),
            (1.959963984540054, 0.975),
            (-2.9, 0.0018658133003840375),
            (-3.1, 0.0009676032132183563),
            (4.0, 0.9999683287581669),
            (-5.5, 1.898956246588768e-08),
            (-8.0, 6.22096057427174e-16),
            (-20.0, 2.7536241186061556e-89),
        ] {
            assert!(close(cdf(z), probability), "{z}: {}", cdf(z));
        }
        // scipy 1.17.1: scipy.stats.norm.ppf(p)
        for (probability, z) in [
            (1e-300, -37.0470962993612),
            (1e-09, -5.9978070150076865),
            (0.001, -3.090232306167813),
            (0.3, -0.5244005127080409),
            (0.5, 0.0),
            (0.84, 0.994457883209753),
            (0.975, 1.959963984540054),
            (0.9999, 3.719016485455709),
        ] {
            let ours = quantile(probability);
            assert!((ours - z).abs() < 1e-14 * z.abs().max(1.0), "{probability}: {ours}");
        }
    }

    #[test]
    fn the_ends() {
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
        assert_eq!(cdf(f64::NEG_INFINITY), 0.0);
        assert_eq!(cdf(f64::INFINITY), 1.0);
        assert!(cdf(f64::NAN).is_nan());
    }
}
