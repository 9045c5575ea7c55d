//! The run's document: the shape other programs rely on.

use super::{GateReport, UsageTotals};
use assize_core::table::UNDEFINED;
use assize_core::{MetricSpec, ScoreMetric, Scorecard, Unit};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use strum::{EnumIter, EnumString, IntoStaticStr};

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
    /// Whether a case is about several systems under test, judged side by side.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub side_by_side: bool,
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

    /// The unit of a figure.
    pub fn unit(&self, metric: &str) -> Unit {
        self.metric(metric).map_or(Unit::default(), |spec| spec.unit)
    }

    /// A figure of a scorecard as people read it: its bounds where it is undecided, a dash where there is none.
    pub fn shown_metric(&self, name: &str, metric: &ScoreMetric) -> String {
        match metric.bounds {
            Some(bounds) => self.unit(name).show_bounds(bounds),
            None => self.shown(name, metric.value),
        }
    }

    /// A figure in its unit, as people read it; a dash where there is none.
    pub fn shown(&self, metric: &str, value: Option<f64>) -> String {
        value.map_or_else(|| UNDEFINED.to_owned(), |value| self.unit(metric).show(value))
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
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, EnumIter, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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
    /// The status of a name; `None` for a name that no status has.
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// The name used in files.
    pub fn name(self) -> &'static str {
        self.into()
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

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn a_status_is_spelt_in_one_way() {
        let names: Vec<&str> = RunStatus::iter().map(RunStatus::name).collect();
        assert_eq!(names, ["running", "complete", "interrupted", "over_budget", "stopped"]);
        for status in RunStatus::iter() {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
            assert_eq!(RunStatus::named(status.name()), Some(status));
        }
    }
}
