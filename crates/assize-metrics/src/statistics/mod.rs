//! Estimates with their uncertainty: one estimator per file, each a pure function on plain slices.

mod bca;
mod bootstrap;
mod standard_error;
mod wilson;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

pub use bca::bca_interval;
pub use bootstrap::{Bootstrap, BootstrapEstimate, ClusterSums, bootstrap_mean, bootstrap_ratio};
pub use standard_error::{clustered_standard_error, normal_interval};
pub use wilson::wilson_interval;

/// The error level that belongs to 95 % intervals.
pub const ALPHA: f64 = 0.05;

/// A range that a figure lies in, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a value is in the interval.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Φ: the probability that a standard normal variable is at most `z`.
fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// Φ⁻¹; minus and plus infinity at 0 and 1.
fn normal_quantile(probability: f64) -> f64 {
    if probability <= 0.0 {
        f64::NEG_INFINITY
    } else if probability >= 1.0 {
        f64::INFINITY
    } else {
        Normal::standard().inverse_cdf(probability)
    }
}

/// z = Φ⁻¹(1 − α/2).
fn critical_value(alpha: f64) -> f64 {
    normal_quantile(1.0 - alpha / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_accurate() {
        // scipy 1.17.1: scipy.stats.norm.ppf and .cdf
        assert!((critical_value(0.05) - 1.959963984540054).abs() < 1e-14);
        for (probability, quantile) in [
            (0.5, 0.0),
            (0.001, -3.090232306167813),
            (1e-9, -5.997807015007686),
            (0.84, 0.994457883209753),
            (0.9999, 3.719016485455709),
        ] {
            let ours = normal_quantile(probability);
            assert!((ours - quantile).abs() < 1e-10, "{probability}: {ours}");
            assert!((normal_cdf(quantile) / probability - 1.0).abs() < 1e-9);
        }
    }
}
