//! A run: prepare (read everything, report every mistake), then execute (ask, score, summarise, keep).
//!
//! [`prepare`] has no effect on anything. What it gives can be estimated or executed, and can no longer fail for reasons of
//! spelling. [`Prepared::execute`] owns the run: cases stream in, a bounded window of them is under way, and their outcomes are
//! taken in the order of the cases, so that the result does not depend on who was faster.

mod document;
mod drive;
mod estimate;
mod execute;
mod gate;
mod models;
mod name;
mod prepare;
mod request;
mod select;
mod trial;

pub use document::{
    CaseCounts, GateOutcome, GateReport, JudgeHead, RUN_SCHEMA, ResultLine, RunDocument, RunStatus, Timings,
};
pub use estimate::Estimate;
pub use execute::{ExecuteError, Execution};
pub use prepare::{Environment, Prepared, judge_source, prepare};
pub use request::RunRequest;
pub use select::Selection;
pub use trial::Trial;

use crate::answering::CachePolicy;
use crate::profiles::Profiles;
use assize_core::suite::JudgeModel;
use std::time::Duration;

/// What the command line can say about a run beyond the suite.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Judge models in place of the suite's.
    pub models: Vec<JudgeModel>,
    /// As many requests at a time as this.
    pub concurrency: usize,
    /// US dollars that may be spent.
    pub max_cost: Option<f64>,
    /// Which of the cases.
    pub selection: Selection,
    /// What becomes of answers that are there already.
    pub cache: CachePolicy,
    /// The profiles a suite can name.
    pub profiles: Profiles,
    /// A profile whose settings take the place of the suite's: `NAME`, or `NAME@VERSION`.
    pub profile: Option<String>,
    /// How long to wait for a reply.
    pub timeout: Duration,
    /// How often a request is repeated that failed on the way.
    pub retries: u32,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            models: Vec::new(),
            concurrency: 32,
            max_cost: None,
            selection: Selection::default(),
            cache: CachePolicy::Use,
            profiles: Profiles::default(),
            profile: None,
            timeout: Duration::from_secs(120),
            retries: 8,
        }
    }
}
