//! A request that may be run: every parameter within its bounds, in the types a run works with.

use super::Selection;
use crate::records::{CachePolicy, RunRequest};
use assize_core::suite::JudgeModel;
use assize_llm::KeyPermits;
use std::time::Duration;

/// A checked request. It is made from a [`RunRequest`] and in no other way.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// What was asked for, to be asked for again.
    pub(super) request: RunRequest,
    /// Judge models in place of the suite's; no two are the same.
    pub(super) models: Vec<JudgeModel>,
    /// Which of the cases.
    pub(super) selection: Selection,
    /// Which keys may go where. It is the user's word, so it is no part of a request.
    pub(super) permits: KeyPermits,
}

impl RunOptions {
    /// A suite as it is, with nothing chosen beside it.
    pub fn of_suite(suite: impl Into<String>) -> Self {
        Self::try_from(RunRequest::of_suite(suite)).expect("the defaults are within their bounds")
    }

    /// The same with keys that may go where the user says.
    pub fn with_permits(mut self, permits: KeyPermits) -> Self {
        self.permits = permits;
        self
    }

    /// Requests at a time; at least one.
    pub(super) fn concurrency(&self) -> usize {
        self.request.concurrency.into()
    }

    /// US dollars that may be spent.
    pub(super) fn max_cost(&self) -> Option<f64> {
        self.request.max_cost
    }

    /// What becomes of cached answers.
    pub(super) fn cache(&self) -> CachePolicy {
        self.request.cache
    }

    /// A profile whose settings take the place of the suite's.
    pub(super) fn profile(&self) -> Option<&str> {
        self.request.profile.as_deref()
    }

    /// Whether a warning keeps the run from starting.
    pub(super) fn strict(&self) -> bool {
        self.request.strict
    }

    /// How long to wait for a reply.
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.request.timeout.into())
    }

    /// How often a request is repeated that failed on the way.
    pub(super) fn retries(&self) -> u32 {
        self.request.retries.into()
    }
}

impl TryFrom<RunRequest> for RunOptions {
    /// Everything that is wrong with the request, as sentences.
    type Error = Vec<String>;

    fn try_from(request: RunRequest) -> Result<Self, Vec<String>> {
        let mut wrong = Vec::new();
        let mut models = Vec::new();
        for written in &request.models {
            match JudgeModel::parse(written) {
                Ok(model) if models.contains(&model) => {
                    wrong.push(format!("`{model}` is named twice: a jury has no judge twice"));
                }
                Ok(model) => models.push(model),
                Err(message) => wrong.push(message),
            }
        }
        let named = |name: &String| (1..=RunRequest::LONGEST_NAME).contains(&name.chars().count());
        let within =
            |name: &str, least: u64, most: u64, unit: &str| format!("`{name}` must be from {least} to {most}{unit}");
        let (concurrency, timeout, retries) = (RunRequest::CONCURRENCY, RunRequest::TIMEOUT, RunRequest::RETRIES);
        let held = [
            (
                concurrency.allows(&request.concurrency),
                within("concurrency", concurrency.least.into(), concurrency.most.into(), ""),
            ),
            (
                timeout.allows(&request.timeout),
                within("timeout", timeout.least.into(), timeout.most.into(), " seconds"),
            ),
            (retries.allows(&request.retries), within("retries", retries.least.into(), retries.most.into(), "")),
            (
                request.limit.is_none_or(|limit| limit >= RunRequest::LEAST_LIMIT),
                format!("`limit` must be at least {}", RunRequest::LEAST_LIMIT),
            ),
            (
                request.profile.as_ref().is_none_or(named),
                format!("`profile` must have from 1 to {} characters", RunRequest::LONGEST_NAME),
            ),
            (
                request.models.len() <= RunRequest::MOST_MODELS && request.models.iter().all(named),
                format!(
                    "`models` are up to {} names of up to {} characters",
                    RunRequest::MOST_MODELS,
                    RunRequest::LONGEST_NAME
                ),
            ),
            (request.only.len() <= RunRequest::MOST_IDS, format!("`only` takes up to {} ids", RunRequest::MOST_IDS)),
            (
                request.max_cost.is_none_or(|cost| (0.0..=RunRequest::HIGHEST_COST).contains(&cost)),
                "`max_cost` must be an amount of US dollars, such as 2.50".to_owned(),
            ),
        ];
        wrong.extend(held.into_iter().filter(|(holds, _)| !holds).map(|(_, sentence)| sentence));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let selection = Selection { only: request.only.iter().cloned().collect(), limit: request.limit };
        Ok(Self { request, models, selection, permits: KeyPermits::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_kept_as_it_was_asked() {
        let written = r#"{"suite": "s.yaml", "models": ["offline", "openai:gpt-4o-mini"], "limit": 3, "only": ["b", "a"],
            "max_cost": 2.5, "cache": "refresh", "concurrency": 4, "timeout": 9, "retries": 1}"#;
        let request: RunRequest = serde_json::from_str(written).expect("a request");
        let options = RunOptions::try_from(request.clone()).expect("good");
        assert_eq!(options.request, request);
        assert_eq!(
            (options.cache(), options.selection.limit, options.concurrency()),
            (CachePolicy::Refresh, Some(3), 4)
        );
        assert_eq!((options.timeout(), options.retries()), (Duration::from_secs(9), 1));
        assert_eq!(options.models.len(), 2);
    }

    #[test]
    fn everything_that_is_wrong_with_a_request_is_said_at_once() {
        let mut request = RunRequest::of_suite("s.yaml");
        request.models = ["nonsense", "offline", "offline"].map(str::to_owned).to_vec();
        (request.concurrency, request.timeout, request.retries) = (0, 3601, 51);
        (request.limit, request.max_cost) = (Some(0), Some(f64::NAN));
        let wrong = RunOptions::try_from(request).expect_err("bad");
        assert_eq!(wrong.len(), 7);
        assert_eq!(wrong[1], "`offline` is named twice: a jury has no judge twice");
        assert_eq!(wrong[2], "`concurrency` must be from 1 to 4096");
        let mut request = RunRequest::of_suite("s.yaml");
        request.profile = Some("x".repeat(513));
        request.models = vec!["x:y".repeat(171)];
        request.only = vec![String::new(); 10_001];
        assert_eq!(RunOptions::try_from(request).expect_err("bad").len(), 3);
    }

    #[test]
    fn the_ends_of_the_bounds_are_within_them() {
        for (concurrency, timeout, retries) in [(1, 1, 0), (4096, 3600, 50)] {
            let request = RunRequest { concurrency, timeout, retries, ..RunRequest::of_suite("s.yaml") };
            RunOptions::try_from(request).expect("within bounds");
        }
        RunOptions::of_suite("s.yaml");
    }
}
