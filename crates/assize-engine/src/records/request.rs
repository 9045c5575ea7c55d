//! What somebody asks for when they start a run: a suite and what is chosen beside it. It is kept with the run, so that
//! the same can be asked for again, and it is what programs send to start one.
//!
//! Every parameter of a run stands here, with its default and its bounds. The command line, the API's schema, the page's
//! form and the check of a request take both from here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A run that is asked for. What may not be so about it is found by [`crate::run::RunOptions`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// The suite's file; `bundled:NAME/suite.yaml` for an example that comes with Assize.
    #[schemars(length(min = 1, max = 4096))]
    pub suite: String,
    /// Judge models in place of the suite's: `provider:name`, `offline` or `replay:FILE`; several make a jury.
    #[serde(default)]
    #[schemars(length(max = RunRequest::MOST_MODELS), inner(length(min = 1, max = RunRequest::LONGEST_NAME)))]
    pub models: Vec<String>,
    /// A profile whose settings take the place of the suite's: `NAME`, or `NAME@VERSION`.
    #[serde(default)]
    #[schemars(length(min = 1, max = RunRequest::LONGEST_NAME))]
    pub profile: Option<String>,
    /// Only the first so many cases.
    #[serde(default)]
    #[schemars(range(min = RunRequest::LEAST_LIMIT))]
    pub limit: Option<u32>,
    /// Only cases with one of these ids.
    #[serde(default)]
    #[schemars(length(max = RunRequest::MOST_IDS))]
    pub only: Vec<String>,
    /// Concurrent requests.
    #[serde(default = "default_concurrency")]
    #[schemars(range(min = RunRequest::CONCURRENCY.least, max = RunRequest::CONCURRENCY.most))]
    pub concurrency: u16,
    /// US dollars that may be spent.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = RunRequest::HIGHEST_COST))]
    pub max_cost: Option<f64>,
    /// What becomes of cached answers.
    #[serde(default)]
    pub cache: CachePolicy,
    /// How long to wait for a reply, in seconds.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = RunRequest::TIMEOUT.least, max = RunRequest::TIMEOUT.most))]
    pub timeout: u16,
    /// How often a request is repeated that failed on the way.
    #[serde(default = "default_retries")]
    #[schemars(range(min = RunRequest::RETRIES.least, max = RunRequest::RETRIES.most))]
    pub retries: u8,
    /// Whether what is only warned about keeps the run from starting: an expected outcome that does not score perfectly
    /// against itself.
    #[serde(default)]
    pub strict: bool,
}

/// A number somebody can set: what it is if they do not, and what it may be if they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter<T> {
    /// What it is if nobody sets it.
    pub default: T,
    /// The least it may be.
    pub least: T,
    /// The most it may be.
    pub most: T,
}

impl<T: PartialOrd> Parameter<T> {
    /// Whether it may be this.
    pub fn allows(&self, value: &T) -> bool {
        (&self.least..=&self.most).contains(&value)
    }
}

/// What becomes of cached answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CachePolicy {
    /// They are used.
    #[default]
    Use,
    /// Everything is asked anew, and the new answers take the place of the old.
    Refresh,
    /// Everything is asked anew, and the old answers stay in their place.
    Ignore,
}

fn default_concurrency() -> u16 {
    RunRequest::CONCURRENCY.default
}

fn default_timeout() -> u16 {
    RunRequest::TIMEOUT.default
}

fn default_retries() -> u8 {
    RunRequest::RETRIES.default
}

impl RunRequest {
    /// Requests at a time.
    pub const CONCURRENCY: Parameter<u16> = Parameter { default: 32, least: 1, most: 4096 };
    /// Seconds to wait for a reply.
    pub const TIMEOUT: Parameter<u16> = Parameter { default: 120, least: 1, most: 3600 };
    /// Repetitions of a request that failed on the way.
    pub const RETRIES: Parameter<u8> = Parameter { default: 8, least: 0, most: 50 };
    /// The least number of first cases there is a point in.
    pub const LEAST_LIMIT: u32 = 1;
    /// The highest budget, in US dollars.
    pub const HIGHEST_COST: f64 = 1e9;
    /// The largest jury.
    pub const MOST_MODELS: usize = 16;
    /// The longest name of a model or a profile, in characters.
    pub const LONGEST_NAME: usize = 512;
    /// As many cases as can be named.
    pub const MOST_IDS: usize = 10_000;

    /// A suite as it is, with nothing chosen beside it.
    pub fn of_suite(suite: impl Into<String>) -> Self {
        Self {
            suite: suite.into(),
            models: Vec::new(),
            profile: None,
            limit: None,
            only: Vec::new(),
            concurrency: default_concurrency(),
            max_cost: None,
            cache: CachePolicy::Use,
            timeout: default_timeout(),
            retries: default_retries(),
            strict: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_bare_request_has_the_defaults_and_an_unknown_key_is_refused() {
        let bare: RunRequest = serde_json::from_str(r#"{"suite": "s.yaml"}"#).expect("a request");
        assert_eq!(bare, RunRequest::of_suite("s.yaml"));
        assert_eq!((bare.concurrency, bare.timeout, bare.retries), (32, 120, 8));
        assert!(serde_json::from_str::<RunRequest>(r#"{"suite": "s.yaml", "modle": 1}"#).is_err());
    }

    #[test]
    fn the_schema_has_the_same_bounds() {
        let schema = schemars::schema_for!(RunRequest);
        let of = |key: &str, bounds: [&str; 2]| {
            bounds.map(|bound| schema.pointer(&format!("/properties/{key}/{bound}")).cloned())
        };
        let range = ["minimum", "maximum"];
        let numbers = |least: Value, most: Value| [Some(least), Some(most)];
        assert_eq!(of("concurrency", range), numbers(json!(1), json!(4096)));
        assert_eq!(of("timeout", range), numbers(json!(1), json!(3600)));
        assert_eq!(of("retries", range), numbers(json!(0), json!(50)));
        assert_eq!(of("max_cost", range), numbers(json!(0.0), json!(1e9)));
        assert_eq!(of("models", ["maxItems", "type"]), numbers(json!(16), json!("array")));
        assert_eq!(of("only", ["maxItems", "type"]), numbers(json!(10_000), json!("array")));
        assert_eq!(of("concurrency", ["default", "type"]), numbers(json!(32), json!("integer")));
    }
}
