//! The rubrics of a run's document, as far as the page draws them.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What a rubric came to for one model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RubricScore {
    pub(crate) code: String,
    /// The model under test; on the top rubrics only.
    pub(crate) model: String,
    pub(crate) score: Option<f64>,
    /// `None` where a hard gate waits for a person.
    pub(crate) passed: Option<bool>,
    pub(crate) failed_hard_gates: Vec<String>,
    pub(crate) waiting_hard_gates: Vec<String>,
    pub(crate) benchmarks: Vec<BenchmarkScore>,
    pub(crate) sub_rubrics: Vec<RubricScore>,
}

/// What a benchmark came to for one model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BenchmarkScore {
    pub(crate) code: String,
    pub(crate) score: Option<f64>,
    /// Judged cases.
    pub(crate) n: u64,
    pub(crate) passed: Option<bool>,
    pub(crate) criticality: String,
    /// The cases that fail it.
    pub(crate) cases: Vec<String>,
    pub(crate) undecided: Vec<String>,
}

/// The scores of a tree for one model, by code.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeScores {
    pub(crate) rubrics: BTreeMap<String, RubricScore>,
    pub(crate) benchmarks: BTreeMap<String, BenchmarkScore>,
}

impl TreeScores {
    /// The scores of each model, from its top rubrics.
    pub(super) fn by_model(top: Vec<RubricScore>) -> BTreeMap<String, Self> {
        let mut models: BTreeMap<String, Self> = BTreeMap::new();
        for rubric in top {
            models.entry(rubric.model.clone()).or_default().add(rubric);
        }
        models
    }

    fn add(&mut self, mut rubric: RubricScore) {
        for below in std::mem::take(&mut rubric.sub_rubrics) {
            self.add(below);
        }
        for benchmark in std::mem::take(&mut rubric.benchmarks) {
            self.benchmarks.insert(benchmark.code.clone(), benchmark);
        }
        self.rubrics.insert(rubric.code.clone(), rubric);
    }
}
