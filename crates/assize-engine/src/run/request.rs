//! What somebody asks for when they start a run: a suite and what is chosen beside it. It is kept with the run, so that
//! the same can be asked for again, and it is what programs send to start one.

use super::{RunOptions, Selection};
use crate::answering::CachePolicy;
use crate::profiles::Profiles;
use assize_core::suite::JudgeModel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A run that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// The suite's file; `bundled:NAME/suite.yaml` for an example that comes with Assize.
    #[schemars(length(min = 1, max = 4096))]
    pub suite: String,
    /// Judge models in place of the suite's: `provider:name`, `offline` or `replay:FILE`; several make a jury.
    #[serde(default)]
    #[schemars(length(max = 16), inner(length(min = 1, max = 512)))]
    pub models: Vec<String>,
    /// A profile whose settings take the place of the suite's: `NAME`, or `NAME@VERSION`.
    #[serde(default)]
    #[schemars(length(min = 1, max = 512))]
    pub profile: Option<String>,
    /// Only the first so many cases.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// Only cases with one of these ids.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    pub only: Vec<String>,
    /// As many requests at a time.
    #[serde(default = "default_concurrency")]
    #[schemars(range(min = 1, max = 4096))]
    pub concurrency: u16,
    /// US dollars that may be spent.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub max_cost: Option<f64>,
    /// What becomes of answers that are there already.
    #[serde(default)]
    pub cache: CachePolicy,
    /// How long to wait for a reply, in seconds.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = 1, max = 3600))]
    pub timeout: u16,
    /// How often a request is repeated that failed on the way.
    #[serde(default = "default_retries")]
    #[schemars(range(min = 0, max = 50))]
    pub retries: u8,
}

fn default_concurrency() -> u16 {
    32
}

fn default_timeout() -> u16 {
    120
}

fn default_retries() -> u8 {
    8
}

impl RunRequest {
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
        }
    }

    /// What options were chosen for a suite.
    pub(crate) fn of(suite: String, options: &RunOptions) -> Self {
        let RunOptions { models, concurrency, max_cost, selection, cache, profile, timeout, retries, .. } = options;
        Self {
            suite,
            models: models.iter().map(ToString::to_string).collect(),
            profile: profile.clone(),
            limit: selection.limit,
            only: selection.only.clone(),
            concurrency: u16::try_from(*concurrency).unwrap_or(u16::MAX),
            max_cost: *max_cost,
            cache: *cache,
            timeout: u16::try_from(timeout.as_secs()).unwrap_or(u16::MAX),
            retries: u8::try_from(*retries).unwrap_or(u8::MAX),
        }
    }

    /// The options that are asked for, with the profiles there are, or everything that is wrong with them as sentences.
    pub fn options(&self, profiles: Profiles) -> Result<RunOptions, Vec<String>> {
        let mut wrong = Vec::new();
        let mut models = Vec::new();
        for written in &self.models {
            match JudgeModel::parse(written) {
                Ok(model) if models.contains(&model) => wrong.push(format!("`{model}` stands twice in the jury")),
                Ok(model) => models.push(model),
                Err(message) => wrong.push(message),
            }
        }
        let mut hold = |holds: bool, sentence: &str| {
            if !holds {
                wrong.push(sentence.to_owned());
            }
        };
        hold((1..=4096).contains(&self.concurrency), "`concurrency` must be from 1 to 4096");
        hold((1..=3600).contains(&self.timeout), "`timeout` must be from 1 to 3600 seconds");
        hold(self.retries <= 50, "`retries` must be from 0 to 50");
        hold(self.limit != Some(0), "`limit` must be at least 1");
        let named = |name: &String| (1..=512).contains(&name.chars().count());
        hold(self.profile.as_ref().is_none_or(named), "`profile` must have from 1 to 512 characters");
        hold(
            self.models.len() <= 16 && self.models.iter().all(named),
            "`models` are up to 16 names of up to 512 characters",
        );
        hold(self.only.len() <= 10_000, "`only` takes up to 10,000 ids");
        hold(
            self.max_cost.is_none_or(|cost| (0.0..=1e9).contains(&cost)),
            "`max_cost` must be an amount of US dollars, such as 2.50",
        );
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(RunOptions {
            models,
            concurrency: self.concurrency.into(),
            max_cost: self.max_cost,
            selection: Selection { only: self.only.clone(), limit: self.limit },
            cache: self.cache,
            profiles,
            profile: self.profile.clone(),
            timeout: Duration::from_secs(self.timeout.into()),
            retries: self.retries.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_becomes_options_and_comes_back() {
        let written = r#"{"suite": "s.yaml", "models": ["offline", "openai:gpt-4o-mini"], "limit": 3, "only": ["a"],
            "max_cost": 2.5, "cache": "refresh", "concurrency": 4, "timeout": 9, "retries": 1}"#;
        let request: RunRequest = serde_json::from_str(written).expect("a request");
        let options = request.options(Profiles::default()).expect("good");
        assert_eq!((options.cache, options.selection.limit, options.concurrency), (CachePolicy::Refresh, Some(3), 4));
        assert_eq!(RunRequest::of("s.yaml".into(), &options), request);
        let bare: RunRequest = serde_json::from_str(r#"{"suite": "s.yaml"}"#).expect("a request");
        assert_eq!(bare, RunRequest::of_suite("s.yaml"));
        assert!(serde_json::from_str::<RunRequest>(r#"{"suite": "s.yaml", "modle": 1}"#).is_err());
    }

    #[test]
    fn everything_that_is_wrong_with_a_request_is_said_at_once() {
        let mut request = RunRequest::of_suite("s.yaml");
        request.models = ["nonsense", "offline", "offline"].map(str::to_owned).to_vec();
        (request.concurrency, request.timeout, request.retries) = (0, 3601, 51);
        (request.limit, request.max_cost) = (Some(0), Some(f64::NAN));
        assert_eq!(request.options(Profiles::default()).expect_err("bad").len(), 7);
        let mut request = RunRequest::of_suite("s.yaml");
        request.profile = Some("x".repeat(513));
        request.models = vec!["x:y".repeat(171)];
        request.only = vec![String::new(); 10_001];
        assert_eq!(request.options(Profiles::default()).expect_err("bad").len(), 3);
    }
}
