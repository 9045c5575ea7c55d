//! The figures: one pure function of `JudgeResult`, and nothing else. No setting reaches it.
//!
//! Precision takes its hits from the predictions, recall takes its hits from the gold facts. The two differ where
//! several predictions state one gold fact, or the reverse.

use super::config::type_key;
use super::result::{GoldStatus, JudgeResult, PredictedStatus};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Predictions that state a gold fact.
    pub tp_predicted: u64,
    /// Predictions that state none.
    pub fp: u64,
    /// Gold facts that a prediction states.
    pub tp_gold: u64,
    /// Gold facts that no prediction states.
    #[serde(rename = "fn")]
    pub fn_: u64,
}

impl Counts {
    /// Of the predictions, the share that is right; `None` where there is no prediction.
    pub fn precision(&self) -> Option<f64> {
        share(self.tp_predicted, self.fp)
    }

    /// Of the gold facts, the share that was found; `None` where there is no gold fact.
    pub fn recall(&self) -> Option<f64> {
        share(self.tp_gold, self.fn_)
    }

    /// The harmonic mean of precision and recall: 0 where nothing is right, also with no prediction or no gold fact;
    /// `None` only where there is neither.
    pub fn f1(&self) -> Option<f64> {
        let of = |part: u64, rest: u64| (part as f64, (part + rest) as f64);
        let ((hits, predictions), (found, gold)) = (of(self.tp_predicted, self.fp), of(self.tp_gold, self.fn_));
        f1(hits, predictions, found, gold)
    }

    /// 1 − precision.
    pub fn hallucination_rate(&self) -> Option<f64> {
        share(self.fp, self.tp_predicted)
    }

    /// Recall by its other name.
    pub fn coverage(&self) -> Option<f64> {
        self.recall()
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.tp_predicted += other.tp_predicted;
        self.fp += other.fp;
        self.tp_gold += other.tp_gold;
        self.fn_ += other.fn_;
    }
}

fn share(part: u64, rest: u64) -> Option<f64> {
    (part + rest > 0).then(|| part as f64 / (part + rest) as f64)
}

/// F1 from the sums it rests on: 2PR / (P + R), written so that it is rounded once. With one hit for each hit it is
/// 2TP / (2TP + FP + FN), which is 0 where one side is empty.
pub(super) fn f1(hits: f64, predictions: f64, found: f64, gold: f64) -> Option<f64> {
    if predictions + gold <= 0.0 {
        return None;
    }
    let both = hits * gold + found * predictions;
    Some(if both > 0.0 { 2.0 * hits * found / both } else { 0.0 })
}

/// The counts with what follows from them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Figures {
    /// Of the predictions, the share that is right.
    pub precision: Option<f64>,
    /// Of the gold facts, the share that was found.
    pub recall: Option<f64>,
    /// Their harmonic mean.
    pub f1: Option<f64>,
    /// 1 − precision.
    pub hallucination_rate: Option<f64>,
    /// Recall by its other name.
    pub coverage: Option<f64>,
    /// What they are made of.
    #[serde(flatten)]
    pub counts: Counts,
}

impl From<Counts> for Figures {
    fn from(counts: Counts) -> Self {
        Self {
            precision: counts.precision(),
            recall: counts.recall(),
            f1: counts.f1(),
            hallucination_rate: counts.hallucination_rate(),
            coverage: counts.coverage(),
            counts,
        }
    }
}

/// The counts of one result: all in scope, and by fact type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// All facts in scope.
    pub overall: Counts,
    /// By the fact type's name, as in metric names.
    pub by_type: BTreeMap<String, Counts>,
}

/// Counts a result. This is the only place where labels become numbers.
pub fn measure(result: &JudgeResult) -> Measured {
    let mut measured = Measured::default();
    for label in result.predicted_facts.iter().filter(|label| label.in_scope) {
        let counts = match label.status {
            Some(PredictedStatus::TruePositive) => Counts { tp_predicted: 1, ..Counts::default() },
            Some(PredictedStatus::FalsePositive) => Counts { fp: 1, ..Counts::default() },
            None => continue,
        };
        measured.add(&label.fact_type, counts);
    }
    for label in result.gold_facts.iter().filter(|label| label.in_scope) {
        let counts = match label.status {
            Some(GoldStatus::TruePositive) => Counts { tp_gold: 1, ..Counts::default() },
            Some(GoldStatus::FalseNegative) => Counts { fn_: 1, ..Counts::default() },
            None => continue,
        };
        measured.add(&label.fact_type, counts);
    }
    measured
}

impl Measured {
    fn add(&mut self, fact_type: &str, counts: Counts) {
        self.overall += counts;
        *self.by_type.entry(metric_type(fact_type)).or_default() += counts;
    }

    /// Adds the counts of another result.
    pub fn absorb(&mut self, other: &Self) {
        self.overall += other.overall;
        for (fact_type, counts) in &other.by_type {
            match self.by_type.get_mut(fact_type) {
                Some(sum) => *sum += *counts,
                None => _ = self.by_type.insert(fact_type.clone(), *counts),
            }
        }
    }
}

/// A fact type as it stands in a metric's name: `Money amount` is `money_amount`.
pub fn metric_type(fact_type: &str) -> String {
    type_key(fact_type).replace(' ', "_")
}

/// The figures of several results: pooled, by fact type, and by case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// All cases together: counts are added up before dividing.
    pub overall: Figures,
    /// By fact type, all cases together.
    pub by_type: BTreeMap<String, Figures>,
    /// By case, in the order given.
    pub by_case: Vec<(String, Figures)>,
}

/// The figures of several results, each with the id of its case.
pub fn report<'r>(results: impl IntoIterator<Item = (&'r str, &'r JudgeResult)>) -> Report {
    let mut pooled = Measured::default();
    let mut by_case = Vec::new();
    for (case, result) in results {
        let measured = measure(result);
        by_case.push((case.to_owned(), measured.overall.into()));
        pooled.absorb(&measured);
    }
    Report {
        overall: pooled.overall.into(),
        by_type: pooled.by_type.into_iter().map(|(name, counts)| (name, counts.into())).collect(),
        by_case,
    }
}
