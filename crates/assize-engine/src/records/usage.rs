//! What a run used: questions, calls, tokens, money.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Texts whose vector a model gave now, in as many `calls` as that took; a model on this machine takes none.
    #[serde(default)]
    pub texts_embedded: u64,
    /// Texts whose vector was there already.
    #[serde(default)]
    pub texts_cached: u64,
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
            texts_embedded: 0,
            texts_cached: 0,
            retries: 0,
            input_tokens: 0,
            cached_input_tokens: 0,
            output_tokens: 0,
            cost_usd: Some(0.0),
        }
    }
}
