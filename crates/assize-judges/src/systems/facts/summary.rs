//! From judgments to scorecards: counts are added up over the cases, then divided.
//!
//! Precision pools predictions and recall pools gold facts; F1 is the harmonic mean of the two pooled figures, with the
//! interval of the delta method over the cases.

use super::measure::f1;
use super::score::BY_TYPE;
use crate::summary::Figure;
use assize_core::judgment::tidy;
use assize_core::{Case, ExtraSummary, Interval, Judgment, Method, ScoreMetric, Summary};
use assize_metrics::statistics::{ALPHA, normal_interval};
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// What only this judge can add to its scorecards: F1, and the figures by fact type.
#[derive(Default)]
pub(super) struct FactsSummary {
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

impl ExtraSummary for FactsSummary {
    fn add(&mut self, case: &Case, judgment: &Judgment) {
        let model = self.models.entry(case.model.to_string()).or_default();
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

    fn complete(self: Box<Self>, summary: &mut Summary) {
        for (name, sums) in &self.models {
            let card = summary.models.entry(name.clone()).or_default();
            card.metrics.insert("f1".into(), sums.overall.f1());
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
        }
    }
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
            bounds: None,
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
}
