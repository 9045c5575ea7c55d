//! The bootstrap of any figure that is a function of sums over clusters: a weighted sum of pooled rates, a macro F1.
//!
//! One cluster is a row of numbers. A replicate is as many rows, drawn with replacement, added up column by column; the
//! caller computes its figure from each sum, and [`Resampled::interval`] makes the BCa interval of it.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

use super::bootstrap::{below, percentile_interval};
use super::{Bootstrap, Interval, bca_interval};

/// The sums of the data, of the replicates, and of the data without each cluster.
#[derive(Debug, Clone, Default)]
pub struct Resampled {
    total: Vec<f64>,
    replicates: Vec<Vec<f64>>,
    leave_one_out: Vec<Vec<f64>>,
    alpha: f64,
}

impl Resampled {
    /// Resamples rows of equal length. With fewer than two rows there is nothing to resample and no interval.
    pub fn draw(rows: &[Vec<f64>], bootstrap: &Bootstrap) -> Self {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut total = vec![0.0; width];
        rows.iter().for_each(|row| add(&mut total, row));
        if rows.len() < 2 {
            return Self { total, alpha: bootstrap.alpha, ..Self::default() };
        }
        let mut random = ChaCha12Rng::seed_from_u64(bootstrap.seed);
        let replicates = (0..bootstrap.replicates)
            .map(|_| {
                let mut sums = vec![0.0; width];
                for _ in 0..rows.len() {
                    add(&mut sums, &rows[below(&mut random, rows.len())]);
                }
                sums
            })
            .collect();
        let leave_one_out = rows
            .iter()
            .map(|row| total.iter().enumerate().map(|(at, sum)| sum - row.get(at).copied().unwrap_or(0.0)).collect())
            .collect();
        Self { total, replicates, leave_one_out, alpha: bootstrap.alpha }
    }

    /// The BCa interval of a figure, or the percentile interval where BCa is undefined. `None` where the figure is
    /// undefined in the data or there are fewer than two clusters.
    pub fn interval(&self, figure: impl Fn(&[f64]) -> Option<f64>) -> Option<Interval> {
        let estimate = figure(&self.total)?;
        let mut drawn: Vec<f64> = self.replicates.iter().filter_map(|sums| figure(sums)).collect();
        if drawn.is_empty() {
            return None;
        }
        drawn.sort_by(f64::total_cmp);
        if drawn.first() == drawn.last() {
            return Some(Interval { low: drawn[0], high: drawn[0] });
        }
        let without: Vec<f64> = self.leave_one_out.iter().filter_map(|sums| figure(sums)).collect();
        let bca = bca_interval(&drawn, estimate, &without, self.alpha);
        Some(bca.unwrap_or_else(|| percentile_interval(&drawn, self.alpha)))
    }

    /// The two-sided p-value of a figure being 0: twice the share of replicates on the rarer side of it, ties on both, and
    /// the data counted as one of them, so that it is never 0. `None` where there is no interval.
    pub fn p_value(&self, figure: impl Fn(&[f64]) -> Option<f64>) -> Option<f64> {
        figure(&self.total)?;
        let drawn: Vec<f64> = self.replicates.iter().filter_map(|sums| figure(sums)).collect();
        if drawn.is_empty() {
            return None;
        }
        let at_most = drawn.iter().filter(|value| **value <= 0.0).count();
        let at_least = drawn.iter().filter(|value| **value >= 0.0).count();
        Some((2.0 * (at_most.min(at_least) + 1) as f64 / (drawn.len() + 1) as f64).min(1.0))
    }
}

fn add(sums: &mut [f64], row: &[f64]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{ClusterSums, bootstrap_ratio};

    #[test]
    fn a_ratio_has_the_interval_of_the_ratio_bootstrap() {
        let rows: Vec<Vec<f64>> =
            (0..40).map(|case| vec![f64::from(case * 7 % 11), f64::from(10 + case % 3)]).collect();
        let clusters: Vec<ClusterSums> =
            rows.iter().map(|row| ClusterSums { numerator: row[0], denominator: row[1] }).collect();
        let bootstrap = Bootstrap { replicates: 2000, ..Bootstrap::default() };
        let ratio = |sums: &[f64]| (sums[1] > 0.0).then(|| sums[0] / sums[1]);
        let interval = Resampled::draw(&rows, &bootstrap).interval(ratio).expect("an interval");
        let known = bootstrap_ratio(&clusters, &bootstrap).expect("an interval").interval;
        assert!(
            (interval.low - known.low).abs() < 1e-9 && (interval.high - known.high).abs() < 1e-9,
            "{interval:?} {known:?}"
        );
    }

    #[test]
    fn the_p_value_is_the_share_on_the_other_side() {
        // The mean of three differences is at most 0 where −1 was drawn at least twice: 1/27 + 6/27 of all draws, as
        // −1 −1 2 is 0 and −1 2 2 is not.
        let rows = [vec![2.0, 1.0], vec![2.0, 1.0], vec![-1.0, 1.0]];
        let mean = |sums: &[f64]| Some(sums[0] / sums[1]);
        let drawn = Resampled::draw(&rows, &Bootstrap { replicates: 100_000, ..Bootstrap::default() });
        let p = drawn.p_value(mean).expect("a p-value");
        assert!((p - 2.0 * 7.0 / 27.0).abs() < 0.01, "{p}");
        let always =
            Resampled::draw(&[vec![1.0, 1.0], vec![2.0, 1.0]], &Bootstrap { replicates: 99, ..Bootstrap::default() });
        assert_eq!(always.p_value(mean), Some(0.02));
        let never =
            Resampled::draw(&[vec![0.0, 1.0], vec![0.0, 1.0]], &Bootstrap { replicates: 99, ..Bootstrap::default() });
        assert_eq!(never.p_value(mean), Some(1.0));
        assert_eq!(Resampled::draw(&rows[..1], &Bootstrap::default()).p_value(mean), None);
    }

    #[test]
    fn one_cluster_or_an_undefined_figure_has_none() {
        let bootstrap = Bootstrap { replicates: 100, ..Bootstrap::default() };
        assert_eq!(Resampled::draw(&[vec![1.0]], &bootstrap).interval(|sums| Some(sums[0])), None);
        assert_eq!(Resampled::draw(&[vec![1.0], vec![2.0]], &bootstrap).interval(|_| None), None);
        let constant = Resampled::draw(&[vec![1.0, 1.0], vec![2.0, 2.0]], &bootstrap);
        assert_eq!(constant.interval(|sums| Some(sums[0] / sums[1])), Some(Interval { low: 1.0, high: 1.0 }));
    }
}
