//! Estimates with their uncertainty: one estimator per file, each a pure function on plain slices.

mod bca;
mod bootstrap;
mod bradley_terry;
mod holm;
mod mcnemar;
mod normal;
mod resample;
mod standard_error;
mod wilson;

use serde::{Deserialize, Serialize};

pub use bca::bca_interval;
pub use bootstrap::{Bootstrap, BootstrapEstimate, ClusterSums, bootstrap_mean, bootstrap_ratio};
pub use bradley_terry::bradley_terry;
pub use holm::holm;
pub use mcnemar::mcnemar_exact;
pub use resample::Resampled;
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

/// z = Φ⁻¹(1 − α/2).
fn critical_value(alpha: f64) -> f64 {
    normal::quantile(1.0 - alpha / 2.0)
}
