//! From judgments to scorecards: counts are added up over the cases, then divided.
//!
//! Precision pools predictions and recall pools gold facts; F1 is the harmonic mean of the two pooled figures, with the
//! interval of the delta method over the cases. `tp`, `fp` and `fn` are sums.

use super::measure::f1;
use super::score::{self, BY_TYPE};
use super::settings::Settings;
use crate::summary::{Figure, Tally};
use assize_core::judgment::tidy;
use assize_core::{Case, Interval, Judgment, Method, MetricSpec, ScoreMetric, Scorecard, Summarise, Summary};
use assize_metrics::statistics::{ALPHA, normal_interval};
use indexmap::IndexMap;
use std::collections::BTreeMap;

struct FactsSummary {
    metrics: Vec<MetricSpec>,
    tally: Tally,
    models: BTreeMap<String, ModelSums>,
}

#[derive(Default)]
struct ModelSums {
    overall: Moments,
    types: BTreeMap<String, TypeSums>,
}

#[derive(Default)]
struct TypeSums {
    precision: Figure,
    recall: Figure,
    moments: Moments,
}

pub(super) fn new(settings: &Settings) -> Box<dyn Summarise> {
    let metrics = score::metrics(settings);
    let pooled = ["precision", "recall", "hallucination_rate", "coverage", score::AUDIT_RATE];
    let of_tally = metrics.iter().filter(|spec| pooled.contains(&spec.name.as_str())).cloned().collect();
    Box::new(FactsSummary { metrics, tally: Tally::new(of_tally), models: BTreeMap::new() })
}

impl Summarise for FactsSummary {
    fn add(&mut self, case: &Case, judgment: &Judgment) {
        self.tally.add(case, judgment);
        let model = self.models.entry(case.model.clone()).or_default();
        model.overall.add(judgment, "");
        for (name, metric) in &judgment.metrics {
            if let Some(fact_type) = name.strip_prefix("precision.") {
                let sums = model.types.entry(fact_type.to_owned()).or_default();
                sums.precision.add(metric);
                if let Some(recall) = judgment.metrics.get(&format!("recall.{fact_type}")) {
                    sums.recall.add(recall);
                }
                sums.moments.add(judgment, &format!(".{fact_type}"));
            }
        }
    }

    fn finish(self: Box<Self>) -> Summary {
        let Self { metrics, tally, models } = *self;
        let mut summary = tally.finish(|_, _| {});
        for (name, card) in &mut summary.models {
            if let Some(sums) = models.get(name) {
                complete(card, sums, &metrics);
            }
        }
        summary
    }
}

fn complete(card: &mut Scorecard, sums: &ModelSums, metrics: &[MetricSpec]) {
    card.metrics.insert("f1".into(), sums.overall.f1());
    for (name, count, of) in sums.overall.sums() {
        card.metrics.insert(name.into(), sums.overall.count(count, of));
    }
    for (fact_type, sums) in &sums.types {
        for figure in BY_TYPE {
            let metric = match figure {
                "precision" => sums.precision.finish(),
                "recall" => sums.recall.finish(),
                _ => sums.moments.f1(),
            };
            card.metrics.insert(format!("{figure}.{fact_type}"), metric);
        }
    }
    // The figures that every run has come first, in the judge's order; then those by fact type.
    let place = |name: &String| metrics.iter().position(|spec| spec.name == *name).unwrap_or(metrics.len());
    card.metrics.sort_by(|one, _, other, _| place(one).cmp(&place(other)));
}

/// What F1 and its standard error need of all cases: the sums, and the sums of products, of the hits and the size of
/// both sides.
#[derive(Default)]
struct Moments {
    sums: [f64; 4],
    products: [[f64; 4]; 4],
    cases: u64,
    method: Option<Method>,
}

impl Moments {
    fn add(&mut self, judgment: &Judgment, suffix: &str) {
        let metric = |name: &str| judgment.metrics.get(&format!("{name}{suffix}"));
        let parts = |name: &str| metric(name).and_then(|metric| metric.parts);
        let (Some(precision), Some(recall)) = (parts("precision"), parts("recall")) else { return };
        let case = [precision.numerator, precision.denominator, recall.numerator, recall.denominator];
        self.cases += 1;
        self.method = self.method.max(metric("precision").map(|metric| metric.method));
        for (row, one) in case.iter().enumerate() {
            self.sums[row] += one;
            for (column, other) in case.iter().enumerate() {
                self.products[row][column] += one * other;
            }
        }
    }

    fn f1(&self) -> ScoreMetric {
        let [hits, predictions, found, gold] = self.sums;
        let value = f1(hits, predictions, found, gold);
        let counts: IndexMap<String, u64> =
            [("tp_predicted", hits), ("fp", predictions - hits), ("tp_gold", found), ("fn", gold - found)]
                .map(|(name, count)| (name.to_owned(), count.round() as u64))
                .into();
        ScoreMetric {
            value: value.map(tidy),
            n: (predictions + gold).round() as u64,
            rating: None,
            method: self.method.unwrap_or(Method::Code),
            interval: value.and_then(|value| self.interval(value)),
            counts,
        }
    }

    /// The delta method: F1 is a function of four sums over the cases, and does not change when all of them are scaled,
    /// so the gradient times a case's shares is that case's influence, with the mean 0.
    fn interval(&self, value: f64) -> Option<Interval> {
        if self.cases < 2 {
            return None;
        }
        let [hits, predictions, found, gold] = self.sums;
        let (precision, recall) = (hits / predictions, found / gold);
        let both = precision + recall;
        if both <= 0.0 {
            return Some(Interval(0.0, 0.0));
        }
        let (by_precision, by_recall) = (2.0 * (recall / both).powi(2), 2.0 * (precision / both).powi(2));
        let gradient = [
            by_precision / predictions,
            -by_precision * precision / predictions,
            by_recall / gold,
            -by_recall * recall / gold,
        ];
        let mut variance = 0.0;
        for (row, one) in gradient.iter().enumerate() {
            for (column, other) in gradient.iter().enumerate() {
                variance += one * other * self.products[row][column];
            }
        }
        // The usual correction for having estimated the mean from the same cases.
        let cases = self.cases as f64;
        let interval = normal_interval(value, (variance.max(0.0) * cases / (cases - 1.0)).sqrt(), ALPHA);
        Some(Interval(tidy(interval.low.max(0.0)), tidy(interval.high.min(1.0))))
    }

    fn sums(&self) -> [(&'static str, f64, f64); 3] {
        let [hits, predictions, found, gold] = self.sums;
        [("tp", hits, predictions), ("fp", predictions - hits, predictions), ("fn", gold - found, gold)]
    }

    fn count(&self, count: f64, of: f64) -> ScoreMetric {
        ScoreMetric {
            value: Some(tidy(count)),
            n: of.round() as u64,
            rating: None,
            method: self.method.unwrap_or(Method::Code),
            interval: None,
            counts: IndexMap::new(),
        }
    }
}
