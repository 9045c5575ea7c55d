//! What happens during a run, for whoever listens: the terminal, the page, a log.

use assize_core::FailureKind;
use std::sync::Arc;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The cases have been read and the first is about to be judged.
    Started {
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
    /// A case is done.
    Finished {
        /// Why it could not be judged, if it could not.
        failure: Option<FailureKind>,
    },
    /// No further case will be begun.
    Stopping(StopReason),
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
