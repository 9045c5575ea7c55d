//! The run's document: the shape other programs rely on.

use super::{GateReport, UsageTotals};
use assize_core::{MetricSpec, Scorecard};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

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
    pub calibration: Calibration,
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

/// What is known of how a judge compares with people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Calibration {
    /// Nothing had to be compared: rules alone judged.
    Rules,
    /// Nothing: the judge's labels were never compared with people's.
    Uncalibrated,
}

impl Calibration {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Uncalibrated => "uncalibrated",
        }
    }
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Running, Self::Complete, Self::Interrupted, Self::OverBudget, Self::Stopped];

    /// The status of a name; `None` for a name that no status has.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

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

impl CaseCounts {
    /// How many cases were reached: all but those that the run ended before.
    pub fn reached(&self) -> u64 {
        self.judged + self.failed + self.skipped
    }
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
