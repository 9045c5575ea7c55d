//! One figure over many cases, and how far it can be trusted.

use assize_core::judgment::tidy;
use assize_core::{Interval, Method, Metric, ScoreMetric};
use assize_metrics::statistics::{ALPHA, Bootstrap, ClusterSums, bootstrap_ratio, normal_interval, wilson_interval};
use indexmap::IndexMap;

/// As many cases are kept for a bootstrap; beyond, the normal interval differs from it by less than is shown.
pub const KEPT: usize = 1000;

/// Replicates of the bootstrap: enough for the second decimal that is shown, few enough for a scorecard to cost nothing.
const REPLICATES: usize = 2000;

/// A mean or a pooled rate in the making. A mean is a rate whose denominators are 1.
#[derive(Default)]
pub struct Figure {
    kept: Vec<ClusterSums>,
    sums: Sums,
    pooled: bool,
    method: Option<Method>,
    counts: IndexMap<String, u64>,
}

/// What the ratio and its standard error need of all cases.
#[derive(Default)]
struct Sums {
    cases: u64,
    numerator: f64,
    denominator: f64,
    numerator_squared: f64,
    product: f64,
    denominator_squared: f64,
}

impl Sums {
    fn add(&mut self, numerator: f64, denominator: f64) {
        self.cases += 1;
        self.numerator += numerator;
        self.denominator += denominator;
        self.numerator_squared += numerator * numerator;
        self.product += numerator * denominator;
        self.denominator_squared += denominator * denominator;
    }

    fn ratio(&self) -> Option<f64> {
        (self.denominator > 0.0).then(|| self.numerator / self.denominator)
    }

    /// The standard error of a ratio of sums: √Σ(xᵢ − r·yᵢ)² / Σyᵢ.
    fn standard_error(&self) -> Option<f64> {
        let ratio = self.ratio()?;
        let squares = self.numerator_squared - 2.0 * ratio * self.product + ratio * ratio * self.denominator_squared;
        Some(squares.max(0.0).sqrt() / self.denominator)
    }
}

impl Figure {
    /// Adds the metric of one case. One that is undefined there adds nothing to the figure.
    pub fn add(&mut self, metric: &Metric) {
        self.method = self.method.max(Some(metric.method));
        for (name, count) in &metric.counts {
            *self.counts.entry(name.clone()).or_default() += count;
        }
        let (numerator, denominator) = match (metric.parts, metric.value) {
            (Some(parts), _) => {
                self.pooled = true;
                (parts.numerator, parts.denominator)
            }
            (None, Some(value)) => (value, 1.0),
            (None, None) => return,
        };
        self.sums.add(numerator, denominator);
        if self.kept.len() < KEPT {
            self.kept.push(ClusterSums { numerator, denominator });
        }
    }

    /// The least exact method that it rests on; `None` where nothing was added.
    pub fn method(&self) -> Option<Method> {
        self.method
    }

    /// The figure over all cases.
    pub fn finish(&self) -> ScoreMetric {
        let value = self.sums.ratio().map(tidy);
        let n = if self.pooled { self.sums.denominator as u64 } else { self.sums.cases };
        ScoreMetric {
            value,
            n,
            bounds: None,
            rating: None,
            method: self.method.unwrap_or(Method::Code),
            interval: self.interval(),
            counts: self.counts.clone(),
        }
    }

    fn interval(&self) -> Option<Interval> {
        let interval = if self.sums.cases as usize <= KEPT {
            bootstrap_ratio(&self.kept, &Bootstrap { replicates: REPLICATES, ..Bootstrap::default() })?.interval
        } else {
            normal_interval(self.sums.ratio()?, self.sums.standard_error()?, ALPHA)
        };
        Some(Interval(tidy(interval.low), tidy(interval.high)))
    }
}

/// A share of cases with its Wilson interval.
pub fn share(count: u64, of: u64, method: Method) -> ScoreMetric {
    let interval = wilson_interval(count, of, ALPHA).map(|interval| Interval(tidy(interval.low), tidy(interval.high)));
    ScoreMetric {
        value: (of > 0).then(|| tidy(count as f64 / of as f64)),
        n: of,
        bounds: None,
        rating: None,
        method,
        interval,
        counts: IndexMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_means_and_rates_pool() {
        let (mut mean, mut rate) = (Figure::default(), Figure::default());
        for value in [Some(1.0), None, Some(0.5)] {
            mean.add(&Metric::score(value, Method::Llm));
        }
        // One short text with half of it wrong, one long text with little wrong: 5 of 100, not the mean of the rates.
        rate.add(&Metric::rate(1.0, 2.0, Method::Code));
        rate.add(&Metric::rate(4.0, 98.0, Method::Code));
        rate.add(&Metric::rate(0.0, 0.0, Method::Code));
        let (mean, rate) = (mean.finish(), rate.finish());
        assert_eq!((mean.value, mean.n), (Some(0.75), 2));
        assert_eq!((rate.value, rate.n), (Some(0.05), 100));
    }

    #[test]
    fn nothing_defined_is_undefined() {
        let mut figure = Figure::default();
        figure.add(&Metric::score(None, Method::Rules));
        figure.add(&Metric::rate(0.0, 0.0, Method::Rules));
        let figure = figure.finish();
        assert_eq!((figure.value, figure.interval, figure.n), (None, None, 0));
    }

    #[test]
    fn the_interval_is_continuous_where_the_method_changes() {
        let interval = |cases: usize| {
            let mut figure = Figure::default();
            for case in 0..cases {
                figure.add(&Metric::score(Some(((case * 37) % 101) as f64 / 100.0), Method::Llm));
            }
            figure.finish().interval.expect("an interval")
        };
        let (bootstrap, normal) = (interval(KEPT), interval(KEPT + 1));
        assert!(
            (bootstrap.0 - normal.0).abs() < 0.004 && (bootstrap.1 - normal.1).abs() < 0.004,
            "{bootstrap:?} {normal:?}"
        );
    }
}
