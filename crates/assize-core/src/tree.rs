//! Scores that add up as a tree, as a value: rubrics over benchmarks, for each model.
//!
//! A judge whose figures add up this way puts the list of its top rubrics into its summary, under the key [`SECTION`]. The
//! terminal and the page draw it.

use crate::{Bounds, Summary};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a judge puts its trees among the sections of its summary.
pub const SECTION: &str = "rubrics";

/// What a rubric came to for one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RubricScore {
    /// Its code.
    pub code: String,
    /// The model under test; on the top rubrics only.
    pub model: String,
    /// The score; `None` where there is none, or parts of it are undecided.
    pub score: Option<f64>,
    /// The worst and the best score, where parts are undecided.
    pub bounds: Option<Bounds>,
    /// The score it needs.
    pub threshold: Option<f64>,
    /// Whether it passes; `None` where parts that are undecided could change it.
    pub passed: Option<bool>,
    /// The hard gates that fail it.
    pub failed_hard_gates: Vec<String>,
    /// The hard gates among the parts that are undecided.
    pub waiting_hard_gates: Vec<String>,
    /// The parts that are undecided, by the codes of their benchmarks.
    pub waiting: Vec<String>,
    /// What is measured under it.
    pub benchmarks: Vec<BenchmarkScore>,
    /// The rubrics under it.
    pub sub_rubrics: Vec<RubricScore>,
}

/// What a benchmark came to for one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BenchmarkScore {
    /// Its code.
    pub code: String,
    /// The score; `None` where there is none, or cases are undecided.
    pub score: Option<f64>,
    /// The worst and the best score, where cases are undecided.
    pub bounds: Option<Bounds>,
    /// Judged cases.
    pub n: u64,
    /// Whether it passes.
    pub passed: Option<bool>,
    /// What it counts for.
    pub criticality: String,
    /// The cases that fail it.
    pub cases: Vec<String>,
    /// The cases on which nothing was decided.
    pub undecided: Vec<String>,
}

/// The top rubrics of a run; none where its judge has no trees, or those of another version.
pub fn of_sections(sections: &Map<String, Value>) -> Vec<RubricScore> {
    sections.get(SECTION).and_then(|rubrics| Vec::deserialize(rubrics).ok()).unwrap_or_default()
}

/// The top rubrics of a summary.
pub fn of_summary(summary: &Summary) -> Vec<RubricScore> {
    of_sections(&summary.sections)
}
