//! The rubrics of a run's document, as far as the page draws them.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What a rubric came to for one model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct RubricScore {
    pub(in crate::web) code: String,
    /// The model under test; on the top rubrics only.
    pub(in crate::web) model: String,
    pub(in crate::web) score: Option<f64>,
    /// `None` where a hard gate waits for a person.
    pub(in crate::web) passed: Option<bool>,
    pub(in crate::web) failed_hard_gates: Vec<String>,
    pub(in crate::web) waiting_hard_gates: Vec<String>,
    pub(in crate::web) benchmarks: Vec<BenchmarkScore>,
    pub(in crate::web) sub_rubrics: Vec<RubricScore>,
}

/// What a benchmark came to for one model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct BenchmarkScore {
    pub(in crate::web) code: String,
    pub(in crate::web) score: Option<f64>,
    /// Judged cases.
    pub(in crate::web) n: u64,
    pub(in crate::web) passed: Option<bool>,
    pub(in crate::web) criticality: String,
    /// The cases that fail it.
    pub(in crate::web) cases: Vec<String>,
    pub(in crate::web) undecided: Vec<String>,
}

/// The scores of a tree for one model, by code.
#[derive(Clone, Debug, Default)]
pub(in crate::web) struct TreeScores {
    pub(in crate::web) rubrics: BTreeMap<String, RubricScore>,
    pub(in crate::web) benchmarks: BTreeMap<String, BenchmarkScore>,
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
