//! A suite: which judge, which judge model, which cases, which gate.
//!
//! A document becomes a [`Draft`], which holds what could be read of it, and a draft with nothing wrong becomes a
//! [`Suite`]. Everything that is wrong with the file is reported on the way. Paths stay as written; opening them is the
//! engine's job.

mod draft;
mod embedder;
mod gate;
mod judge_model;
mod providers;

pub use draft::Draft;
pub use embedder::EmbedderChoice;
pub use gate::{GateCheck, Operator};
pub use judge_model::JudgeModel;
pub use providers::{Api, ProviderEntry, Structured};

use crate::document::{Node, Problems, Span};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A valid suite.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// What `judge.use` says: a built-in system, a file or a folder.
    pub judge_use: Placed<String>,
    /// Who is asked; more than one is a jury.
    pub models: Vec<Placed<JudgeModel>>,
    /// What is sent along with every question.
    pub parameters: Parameters,
    /// The judge's settings, as written.
    pub settings: Option<Node>,
    /// Where sentence embeddings come from.
    pub embedder: Placed<EmbedderChoice>,
    /// Patterns of case files, relative to the suite.
    pub cases: Vec<Placed<String>>,
    /// Columns to rename, or to drop.
    pub columns: ColumnMap,
    /// What must hold for the exit code to be 0.
    pub gate: Vec<GateCheck>,
    /// Servers beyond the built-in providers.
    pub providers: IndexMap<String, ProviderEntry>,
    /// A price table that goes before the built-in one.
    pub prices: Option<Placed<String>>,
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands in the suite.
    pub span: Span,
}

/// What is sent along with every question. `None` leaves a parameter to the provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Sampling temperature; 0 by default.
    pub temperature: Option<f64>,
    /// Seed; 7 by default, because it must be *some* fixed number.
    pub seed: Option<u64>,
    /// Longest reply, in tokens.
    pub max_output_tokens: Option<u64>,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { temperature: Some(0.0), seed: Some(7), max_output_tokens: None }
    }
}

/// What happens to the columns of case files before they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMap {
    /// From the column's name to the input's; `None` drops the column.
    pub columns: IndexMap<String, Option<String>>,
    /// Whether columns that are neither renamed nor known are dropped (`"*": ~`).
    pub drop_others: bool,
}

impl Suite {
    /// Reads a suite from its document; `None` if anything is wrong with it, which is reported.
    pub fn read(document: &Node, problems: &mut Problems) -> Option<Self> {
        Draft::read(document, problems)?.into_suite()
    }

    /// The suite of a judge, with nothing else written: rules judge, and there are no files of cases.
    pub fn of_judge(name: impl Into<String>, judge_use: Placed<String>) -> Self {
        let span = judge_use.span;
        Self {
            name: name.into(),
            judge_use,
            models: vec![Placed { value: JudgeModel::Offline, span }],
            parameters: Parameters::default(),
            settings: None,
            embedder: Placed { value: EmbedderChoice::Lexical, span },
            cases: Vec::new(),
            columns: ColumnMap::default(),
            gate: Vec::new(),
            providers: IndexMap::new(),
            prices: None,
        }
    }
}

#[cfg(test)]
mod tests;
