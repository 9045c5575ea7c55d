//! What a run has used so far.

use assize_llm::Spent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// What a run used. Tokens and cost are those of calls made now; answers found in the store were paid for before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageTotals {
    /// Questions put to a model, a record or the store.
    pub questions: u64,
    /// Replies that came from a model now.
    pub calls: u64,
    /// Questions whose answer was there already.
    pub cached: u64,
    /// Questions that code decided, so that no model had to be asked.
    #[serde(default)]
    pub saved_calls: u64,
    /// Requests that had to be repeated.
    pub retries: u64,
    /// Tokens sent.
    pub input_tokens: u64,
    /// Of these, tokens the provider had cached.
    pub cached_input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// US dollars; `None` where a price is not known.
    pub cost_usd: Option<f64>,
}

impl Default for UsageTotals {
    fn default() -> Self {
        Self {
            questions: 0,
            calls: 0,
            cached: 0,
            saved_calls: 0,
            retries: 0,
            input_tokens: 0,
            cached_input_tokens: 0,
            output_tokens: 0,
            cost_usd: Some(0.0),
        }
    }
}

#[derive(Default)]
pub(super) struct UsageCounter(Mutex<UsageTotals>);

impl UsageCounter {
    /// An answer was there already.
    pub(super) fn found(&self) {
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        totals.questions += 1;
        totals.cached += 1;
    }

    /// A model was asked.
    pub(super) fn asked(&self, spent: &Spent) {
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        totals.questions += 1;
        totals.calls += u64::from(spent.calls);
        totals.retries += u64::from(spent.retries);
        totals.input_tokens += spent.usage.input_tokens;
        totals.cached_input_tokens += spent.usage.cached_input_tokens;
        totals.output_tokens += spent.usage.output_tokens;
        totals.cost_usd = totals.cost_usd.zip(spent.cost_usd).map(|(so_far, now)| so_far + now);
    }

    pub(super) fn totals(&self) -> UsageTotals {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
