//! What happens during a run, for whoever listens: the terminal, the page, a log.

use assize_core::FailureKind;
use std::sync::Arc;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The run is on record and its first case is about to be judged.
    Started {
        /// The run's id.
        run: Arc<str>,
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
    /// It is known what became of a case. Who is faster comes first.
    Decided(Ending),
    /// A case has its place in the run. They come in the order of the cases, so a slow one holds up those behind it.
    Finished(FinishedCase),
    /// No further case will be begun.
    Stopping(StopReason),
}

/// A case that has its place in the run.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedCase {
    /// Where it stands in the run.
    pub position: u32,
    /// Its id.
    pub case: String,
    /// The model under test.
    pub model: String,
    /// What became of it.
    pub ending: Ending,
}

/// What became of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It was judged.
    Judged {
        /// The figure to show where there is room for one; `None` where it is undefined.
        headline: Option<f64>,
        /// The verdict, where the judge has verdicts.
        verdict: Option<String>,
    },
    /// It could not be judged.
    Failed {
        /// The kind of failure.
        kind: FailureKind,
        /// What happened, in a sentence.
        message: String,
    },
    /// It is none for this judge.
    Skipped,
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
pub type Listener = Arc<dyn Fn(&Event) + Send + Sync>;
