//! The run's document and its result lines: the shapes other programs rely on.

use crate::answering::UsageTotals;
use assize_core::suite::GateCheck;
use assize_core::{Case, CaseStatus, Failure, Judgment, Metric, MetricSpec, Outcome, Scorecard, UnderTest};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// What a run came to, as `--format json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunDocument {
    /// The name and version of this shape.
    pub schema: String,
    /// The run's id.
    pub run_id: String,
    /// The suite's name.
    pub suite: String,
    /// Who judged.
    pub judge: JudgeHead,
    /// How it ended.
    pub status: RunStatus,
    /// How many cases.
    pub cases: CaseCounts,
    /// Why cases could not be judged, and how many for each reason.
    pub failures: IndexMap<String, u64>,
    /// How often each flag was raised.
    pub flags: IndexMap<String, u64>,
    /// The scorecards, by model under test.
    pub models: IndexMap<String, Scorecard>,
    /// What was used.
    pub usage: UsageTotals,
    /// Whether the gate holds.
    pub gate: GateReport,
    /// What went in: a fingerprint of all cases.
    pub inputs: String,
    /// When, and how long.
    pub timings: Timings,
    /// What else the judge has to say of the run.
    #[serde(flatten)]
    pub sections: Map<String, Value>,
}

/// The name and version of the shape.
pub const RUN_SCHEMA: &str = "assize.run/1";

/// Who judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeHead {
    /// `judge.use` as written.
    #[serde(rename = "use")]
    pub judge_use: String,
    /// The system it is of, by the name on its card; empty in documents from before that was recorded.
    #[serde(default)]
    pub system: String,
    /// The judge model; a list for a jury.
    pub model: Value,
    /// Where likeness in meaning comes from, as the suite writes it; `None` for `lexical`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// Prompt, schema, settings, model, parameters and embedder in one hash.
    pub fingerprint: String,
    /// The profile its settings rest on, with the version: `NAME@VERSION`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The judge's settings, with those of the profile.
    #[serde(default)]
    pub settings: Value,
    /// What is known of how the judge compares with people.
    pub calibration: String,
    /// The figure to show where there is room for one.
    pub headline: String,
    /// The figures the judge says it gives, so that a run can be understood when its judge has changed or is gone.
    #[serde(default)]
    pub metrics: Vec<MetricSpec>,
}

impl JudgeHead {
    /// What the judge says of a figure. One of a part, such as `precision.assets`, is what the whole is.
    pub fn metric(&self, name: &str) -> Option<&MetricSpec> {
        let named = |name: &str| self.metrics.iter().find(|spec| spec.name == name);
        named(name).or_else(|| name.rsplit_once('.').and_then(|(whole, _)| named(whole)))
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It has begun and not ended, or was killed.
    Running,
    /// Every case was tried.
    Complete,
    /// Somebody stopped it.
    Interrupted,
    /// The budget was used up.
    OverBudget,
    /// It was pointless to go on: the key or the model was not accepted.
    Stopped,
}

impl RunStatus {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::OverBudget => "over_budget",
            Self::Stopped => "stopped",
        }
    }
}

/// How many cases became what. Those that were not reached are in `total` alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaseCounts {
    /// All.
    pub total: u64,
    /// Those with a judgment.
    pub judged: u64,
    /// Those that could not be judged.
    pub failed: u64,
    /// Those the judge does not apply to.
    pub skipped: u64,
}

/// Whether the gate holds, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateReport {
    /// Whether every check holds. A suite with no gate has nothing that fails.
    pub passed: bool,
    /// The checks, for every model.
    pub checks: Vec<GateOutcome>,
}

impl GateReport {
    /// The limits it sets, by metric; each once, however many models it was checked for.
    pub fn limits(&self) -> Vec<(String, f64)> {
        let mut limits: Vec<(String, f64)> = Vec::new();
        for check in &self.checks {
            // As `GateCheck` writes it: the metric, the comparison, the number.
            let mut words = check.check.split_whitespace();
            let (metric, limit) = (words.next(), words.next_back().and_then(|number| number.parse().ok()));
            if let (Some(metric), Some(limit)) = (metric, limit)
                && metric != GateCheck::BLOCKERS
                && limits.iter().all(|(known, _)| known != metric)
            {
                limits.push((metric.to_owned(), limit));
            }
        }
        limits
    }
}

/// One check of the gate for one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateOutcome {
    /// The check as written.
    pub check: String,
    /// The model under test.
    pub model: String,
    /// The figure; `None` where it is undefined.
    pub value: Option<f64>,
    /// Whether it holds.
    pub passed: bool,
}

/// When a run took place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    /// The beginning, in UTC.
    pub started: String,
    /// The end, in UTC; empty while it runs.
    pub finished: String,
    /// Milliseconds between the two.
    pub wall_ms: u64,
}

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
        let (judgment, reason, error) = match outcome {
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
            reason: judgment.reason.or(reason),
            flags: judgment.flags,
            claimed: judgment.claimed,
            error,
            answers,
        })
    }
}
