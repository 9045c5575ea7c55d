//! The bootstrap of means and pooled rates, with whole clusters resampled.
//!
//! Every statistic here is a ratio of sums over clusters: the mean is the sum of scores over the sum
//! of ones, a pooled rate the sum of errors over the sum of chances. So one cluster is two numbers,
//! and a replicate is as many clusters, drawn with replacement, added up.

use std::collections::BTreeMap;

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use super::{ALPHA, Interval, bca_interval};

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// The seed: the same seed and data give the same interval.
    pub seed: u64,
    /// How many replicates.
    pub replicates: usize,
    /// The error level α of the interval.
    pub alpha: f64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { seed: 0, replicates: 10_000, alpha: ALPHA }
    }
}

/// What one cluster adds to the numerator and to the denominator.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClusterSums {
    /// The cluster's share of the numerator.
    pub numerator: f64,
    /// The cluster's share of the denominator.
    pub denominator: f64,
}

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BootstrapEstimate {
    /// The ratio in the data.
    pub estimate: f64,
    /// The BCa interval, or the percentile interval where BCa is undefined.
    pub interval: Interval,
    /// How many clusters were resampled.
    pub clusters: usize,
}

/// The mean with its interval; `clusters` names the cluster of each score, and without it each
/// score is its own. `None` with fewer than two clusters, or where the lists differ in length.
pub fn bootstrap_mean(scores: &[f64], clusters: Option<&[u64]>, bootstrap: &Bootstrap) -> Option<BootstrapEstimate> {
    if clusters.is_some_and(|clusters| clusters.len() != scores.len()) {
        return None;
    }
    let mut sums: BTreeMap<u64, ClusterSums> = BTreeMap::new();
    for (position, score) in scores.iter().enumerate() {
        let cluster = clusters.map_or(position as u64, |clusters| clusters[position]);
        let sum = sums.entry(cluster).or_default();
        sum.numerator += score;
        sum.denominator += 1.0;
    }
    let sums: Vec<ClusterSums> = sums.into_values().collect();
    bootstrap_ratio(&sums, bootstrap)
}

/// The ratio of the sums with its interval. `None` with fewer than two clusters, or where the
/// ratio is undefined in the data. Where all clusters have the same ratio, the interval is the
/// point itself.
pub fn bootstrap_ratio(clusters: &[ClusterSums], bootstrap: &Bootstrap) -> Option<BootstrapEstimate> {
    if clusters.len() < 2 || bootstrap.replicates == 0 {
        return None;
    }
    let total = add_up(clusters.iter());
    let estimate = ratio(total)?;
    let answer = |interval| Some(BootstrapEstimate { estimate, interval, clusters: clusters.len() });
    let first = clusters.iter().find_map(|cluster| ratio(*cluster))?;
    let constant = clusters.iter().all(|cluster| match ratio(*cluster) {
        Some(other) => other == first,
        None => cluster.numerator == 0.0,
    });
    if constant {
        return answer(Interval { low: estimate, high: estimate });
    }

    let mut random = ChaCha12Rng::seed_from_u64(bootstrap.seed);
    let mut theta_star: Vec<f64> = (0..bootstrap.replicates)
        .filter_map(|_| {
            let drawn = (0..clusters.len()).map(|_| &clusters[below(&mut random, clusters.len())]);
            ratio(add_up(drawn))
        })
        .collect();
    theta_star.sort_by(f64::total_cmp);
    if theta_star.is_empty() {
        return None;
    }
    let leave_one_out: Vec<f64> = clusters
        .iter()
        .filter_map(|left_out| {
            ratio(ClusterSums {
                numerator: total.numerator - left_out.numerator,
                denominator: total.denominator - left_out.denominator,
            })
        })
        .collect();
    let interval = bca_interval(&theta_star, estimate, &leave_one_out, bootstrap.alpha)
        .unwrap_or_else(|| percentile_interval(&theta_star, bootstrap.alpha));
    answer(interval)
}

pub(super) fn percentile_interval(sorted: &[f64], alpha: f64) -> Interval {
    let at = |probability: f64| sorted[((sorted.len() - 1) as f64 * probability).round() as usize];
    Interval { low: at(alpha / 2.0), high: at(1.0 - alpha / 2.0) }
}

fn add_up<'a>(clusters: impl Iterator<Item = &'a ClusterSums>) -> ClusterSums {
    clusters.fold(ClusterSums::default(), |sum, cluster| ClusterSums {
        numerator: sum.numerator + cluster.numerator,
        denominator: sum.denominator + cluster.denominator,
    })
}

fn ratio(sums: ClusterSums) -> Option<f64> {
    let ratio = sums.numerator / sums.denominator;
    ratio.is_finite().then_some(ratio)
}

/// A number below `limit`, each equally likely (Lemire 2019).
pub(super) fn below(random: &mut impl Rng, limit: usize) -> usize {
    let limit = limit as u64;
    let threshold = limit.wrapping_neg() % limit;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(limit);
        if product as u64 >= threshold {
            return (product >> 64) as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::clustered_standard_error;

    const SCORES: [f64; 8] = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.75, 0.9];

    #[test]
    fn near_what_scipy_draws() {
        // scipy 1.17.1: bootstrap((x,), np.mean, n_resamples=1_000_000, method="BCa",
        //   rng=np.random.default_rng(1)).confidence_interval; the replicates are 1/160 apart
        let bootstrap = Bootstrap { replicates: 100_000, ..Bootstrap::default() };
        let found = bootstrap_mean(&SCORES, None, &bootstrap).unwrap();
        assert!((found.estimate - 0.40625).abs() < 1e-15);
        assert!((found.interval.low - 0.2625).abs() < 0.007, "{found:?}");
        assert!((found.interval.high - 0.63125).abs() < 0.007, "{found:?}");
    }

    #[test]
    fn the_seed_decides() {
        let with_seed = |seed| {
            let bootstrap = Bootstrap { seed, replicates: 500, ..Bootstrap::default() };
            bootstrap_mean(&SCORES, None, &bootstrap)
        };
        assert_eq!(with_seed(1), with_seed(1));
        assert_ne!(with_seed(1), with_seed(2));
    }

    #[test]
    fn too_little_or_no_variation() {
        let bootstrap = Bootstrap::default();
        assert_eq!(bootstrap_mean(&[], None, &bootstrap), None);
        assert_eq!(bootstrap_mean(&[0.5], None, &bootstrap), None);
        assert_eq!(bootstrap_mean(&[0.5, 0.7], Some(&[1, 1]), &bootstrap), None);
        assert_eq!(bootstrap_mean(&[0.5, 0.7], Some(&[1]), &bootstrap), None);
        let point = bootstrap_mean(&[0.3; 5], None, &bootstrap).unwrap();
        assert_eq!(point.interval.low, point.interval.high);
        assert!((point.interval.low - 0.3).abs() < 1e-15);
    }

    #[test]
    fn clusters_widen_the_interval() {
        // Each score four times: no more is known than from each once.
        let repeated: Vec<f64> = SCORES.iter().flat_map(|score| [*score; 4]).collect();
        let clusters: Vec<u64> = (0..8).flat_map(|cluster| [cluster; 4]).collect();
        let bootstrap = Bootstrap::default();
        let whole = bootstrap_mean(&repeated, Some(&clusters), &bootstrap).unwrap();
        let once = bootstrap_mean(&SCORES, None, &bootstrap).unwrap();
        let naive = bootstrap_mean(&repeated, None, &bootstrap).unwrap();
        let width = |found: BootstrapEstimate| found.interval.high - found.interval.low;
        assert!((width(whole) - width(once)).abs() < 1e-9);
        assert!(width(naive) < 0.6 * width(whole));
        let error = clustered_standard_error(&repeated, &clusters).unwrap();
        assert!((width(whole) / (2.0 * 1.96 * error) - 1.0).abs() < 0.15);
        assert_eq!(whole.clusters, 8);
    }

    #[test]
    fn pooled_rates() {
        let clusters = [(3.0, 10.0), (0.0, 40.0), (5.0, 20.0), (1.0, 30.0)]
            .map(|(numerator, denominator)| ClusterSums { numerator, denominator });
        let found = bootstrap_ratio(&clusters, &Bootstrap::default()).unwrap();
        assert_eq!(found.estimate, 0.09);
        assert!(found.interval.contains(0.09));
        assert!(found.interval.low >= 0.0 && found.interval.high <= 0.3);
        let nothing = [ClusterSums::default(); 3];
        assert_eq!(bootstrap_ratio(&nothing, &Bootstrap::default()), None);
    }

    #[test]
    fn draws_are_even() {
        let mut random = ChaCha12Rng::seed_from_u64(5);
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[below(&mut random, 3)] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)));
    }
}
