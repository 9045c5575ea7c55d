//! The line of a case in a run's results.

use assize_core::{Case, CaseStatus, Failure, Judgment, Metric, Outcome, UnderTest};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// One line of `--results`: what became of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResultLine {
    /// The case's id.
    pub case: String,
    /// The model under test, or several that were judged side by side.
    pub model: UnderTest,
    /// Which repetition on the same input it is, where the case says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Number>,
    /// What became of it.
    pub status: CaseStatus,
    /// The figures.
    pub metrics: IndexMap<String, Metric>,
    /// What was decided by reading.
    pub labels: Map<String, Value>,
    /// The verdict, where the judge has verdicts.
    pub verdict: Option<String>,
    /// Why; for a skipped case, why it was skipped.
    pub reason: Option<String>,
    /// What a reader should know.
    pub flags: Vec<String>,
    /// What the model itself stated.
    pub claimed: Map<String, Value>,
    /// Why the case could not be judged.
    pub error: Option<Failure>,
    /// The answers it rests on.
    pub answers: Vec<String>,
}

impl ResultLine {
    /// What the case is called among those of its model.
    pub fn name(&self) -> Cow<'_, str> {
        Case::name_of(&self.case, self.run.as_ref())
    }

    /// The judgment of the case, where it was judged.
    pub fn into_judgment(self) -> Option<Judgment> {
        let Self { metrics, labels, verdict, reason, flags, claimed, .. } = self;
        (self.status == CaseStatus::Judged).then_some(Judgment { metrics, labels, verdict, reason, flags, claimed })
    }

    /// The line of a case; nothing for one that was not reached.
    pub(crate) fn of(case: &Case, outcome: Outcome, answers: Vec<String>) -> Option<Self> {
        let status = outcome.status()?;
        let (judgment, skipped, error) = match outcome {
            Outcome::Judged(judgment) => (*judgment, None, None),
            Outcome::Failed(failure) => (Judgment::default(), None, Some(failure)),
            Outcome::Skipped { reason } => (Judgment::default(), Some(reason), None),
            Outcome::NotReached => return None,
        };
        Some(Self {
            case: case.id.clone(),
            model: case.model.clone(),
            run: case.repetition().cloned(),
            status,
            metrics: judgment.metrics,
            labels: judgment.labels,
            verdict: judgment.verdict,
            reason: judgment.reason.or(skipped),
            flags: judgment.flags,
            claimed: judgment.claimed,
            error,
            answers,
        })
    }
}
