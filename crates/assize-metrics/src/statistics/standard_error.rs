//! The standard error of a mean whose observations come in clusters, and the normal interval.

use std::collections::BTreeMap;

use super::{Interval, critical_value};

/// √(Σ_c(Σ_{i∈c}(sᵢ−s̄))²)/n; `None` without observations, or where the two lists differ in length.
///
/// With a cluster per observation it is the plain standard error with n in the denominator.
pub fn clustered_standard_error(scores: &[f64], clusters: &[u64]) -> Option<f64> {
    if scores.is_empty() || scores.len() != clusters.len() {
        return None;
    }
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let mut deviations: BTreeMap<u64, f64> = BTreeMap::new();
    for (score, cluster) in scores.iter().zip(clusters) {
        *deviations.entry(*cluster).or_default() += score - mean;
    }
    let squares: f64 = deviations.values().map(|deviation| deviation * deviation).sum();
    Some(squares.sqrt() / n)
}

/// estimate ± z·error: for large samples.
pub fn normal_interval(estimate: f64, standard_error: f64, alpha: f64) -> Interval {
    let half = critical_value(alpha) * standard_error;
    Interval { low: estimate - half, high: estimate + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f64; 10] = [0.9, 0.8, 0.85, 0.2, 0.3, 0.25, 0.6, 0.5, 1.0, 0.0];
    const CLUSTERS: [u64; 10] = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5];

    #[test]
    fn as_statsmodels_has_it() {
        // statsmodels 0.15.0: OLS(s, ones).fit(cov_type="cluster",
        //   cov_kwds={"groups": c, "use_correction": False}).bse[0]
        let error = clustered_standard_error(&SCORES, &CLUSTERS).unwrap();
        assert!((error - 0.1457875166123629).abs() < 1e-14, "{error}");
        // The same with cov_type="HC0".
        let single: Vec<u64> = (0..10).collect();
        let error = clustered_standard_error(&SCORES, &single).unwrap();
        assert!((error - 0.10290772565750347).abs() < 1e-14, "{error}");
    }

    #[test]
    fn undefined() {
        assert_eq!(clustered_standard_error(&[], &[]), None);
        assert_eq!(clustered_standard_error(&[1.0], &[]), None);
        assert_eq!(clustered_standard_error(&[1.0, 1.0], &[1, 2]), Some(0.0));
    }

    #[test]
    fn interval() {
        let interval = normal_interval(0.5, 0.1, 0.05);
        assert!((interval.low - 0.3040036015459946).abs() < 1e-14);
        assert!(interval.contains(0.5) && !interval.contains(0.3));
    }
}
