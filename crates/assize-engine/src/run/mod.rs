//! A run: prepare (read everything, report every mistake), then execute (ask, score, summarise, keep).
//!
//! The stages are types. A [`SuiteSource`] holds what was read of a suite; [`prepare`] has no effect on anything and gives
//! [`Prepared`], which can be estimated and can no longer fail for reasons of spelling; [`Prepared::ready`] gives
//! [`Ready`] if nothing is missing, such as a key, and only that can be executed. [`Ready::execute`] owns the run: cases
//! stream in, a bounded window of them is under way, and their outcomes are taken in the order of the cases, so that the
//! result does not depend on who was faster.

mod drive;
mod estimate;
mod execute;
mod gate;
mod models;
mod name;
mod options;
mod prepare;
mod ready;
mod select;
mod source;
mod trial;

pub use estimate::{Destination, Estimate};
pub use execute::{ExecuteError, Execution};
pub use options::RunOptions;
pub use prepare::{Environment, Prepared, prepare};
pub use ready::Ready;
pub use source::{SuiteSource, judge_source};
pub use trial::Trial;

use select::Selection;
