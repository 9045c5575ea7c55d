//! What happens during a run, for whoever listens: the terminal, the page, a log.

use crate::records::ResultLine;
use assize_core::Outcome;
use std::sync::Arc;

/// Something that happened. Whoever needs it for longer than the call takes a copy.
#[derive(Clone, Debug)]
pub enum Event<'e> {
    /// The run is on record and its first case is about to be judged.
    Started {
        /// The run's id.
        run: &'e str,
        /// How many cases there are.
        total: u32,
    },
    /// A question was answered, by the cache or by a model.
    Answered {
        /// Whether it came from the store.
        cached: bool,
        /// What it cost now; `None` where the price is not known.
        cost_usd: Option<f64>,
        /// Requests that had to be repeated.
        retries: u32,
    },
    /// It is known what became of a case that was reached. Who is faster comes first.
    Decided(&'e Outcome),
    /// A case has its place in the run. They come in the order of the cases, so a slow one holds up those behind it.
    Finished(FinishedCase<'e>),
    /// Something holds the run up, or no longer does, in words.
    Notice(&'e str),
    /// No further case will be begun.
    Stopping(StopReason),
}

/// A case that has its place in the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedCase<'e> {
    /// Where it stands in the run.
    pub position: u32,
    /// Its line in the results.
    pub line: &'e ResultLine,
    /// The figure to show where there is room for one; `None` where it is undefined.
    pub headline: Option<f64>,
}

/// Why a run ends before its last case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Somebody asked for it.
    Interrupted,
    /// The next question would go over the budget.
    OverBudget,
    /// Every further question would fail like the last one did.
    Hopeless(String),
}

/// Hears of events. It is called from many tasks at once and must return quickly.
pub type Listener = Arc<dyn Fn(&Event<'_>) + Send + Sync>;
