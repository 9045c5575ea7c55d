//! The rubrics of a run's document, by model and by code.

use assize_core::tree::{BenchmarkScore, RubricScore};
use std::collections::BTreeMap;

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
