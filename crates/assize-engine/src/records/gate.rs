//! What the gate came to, with its limits as values.

use super::JudgeHead;
use assize_core::suite::{GateCheck, Operator};
use assize_core::table::UNDEFINED;
use assize_core::{Bounds, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether the gate holds, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateReport {
    /// Whether every check holds. A suite with no gate has nothing that fails.
    pub passed: bool,
    /// The checks, for every model.
    pub checks: Vec<GateOutcome>,
}

impl GateReport {
    /// The limits it sets, by metric; each once, however many models it was checked for. Blockers are counted, not
    /// measured, so theirs is not among them.
    pub fn limits(&self) -> Vec<(String, f64)> {
        let mut limits: Vec<(String, f64)> = Vec::new();
        for limit in self.checks.iter().filter_map(|check| check.limit.as_ref()) {
            if limit.metric != GateCheck::BLOCKERS && limits.iter().all(|(known, _)| *known != limit.metric) {
                limits.push((limit.metric.clone(), limit.value));
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
    /// The same as values; `None` only in documents from before it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<GateLimit>,
    /// The model under test.
    pub model: String,
    /// The figure; `None` where it is undefined or undecided.
    pub value: Option<f64>,
    /// The bounds of a figure that is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// Whether it holds.
    pub passed: bool,
}

impl GateOutcome {
    /// The figure in its unit: its bounds where it is undecided, a dash where it is undefined.
    pub fn shown(&self, judge: &JudgeHead) -> String {
        let unit = match &self.limit {
            Some(limit) if limit.metric == GateCheck::BLOCKERS => Unit::Count,
            Some(limit) => judge.unit(&limit.metric),
            None => Unit::Score,
        };
        match (self.value, self.bounds) {
            (Some(value), _) => unit.show(value),
            (None, Some(bounds)) => unit.show_bounds(bounds),
            (None, None) => UNDEFINED.to_owned(),
        }
    }
}

/// What a check compares, and with what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateLimit {
    /// The figure, or `blockers`.
    pub metric: String,
    /// How it is compared.
    pub comparison: Operator,
    /// With what.
    pub value: f64,
}

impl From<&GateCheck> for GateLimit {
    fn from(check: &GateCheck) -> Self {
        Self { metric: check.metric.clone(), comparison: check.comparison, value: check.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn limits_are_values_each_once_and_without_blockers() {
        let check = |metric: &str, model: &str, limit: f64| {
            json!({"check": "whatever it says", "limit": {"metric": metric, "comparison": ">=", "value": limit},
                   "model": model, "value": 0.5, "passed": false})
        };
        let checks =
            json!([check("a", "x", 0.5), check("blockers", "x", 0.0), check("a", "y", 0.5), check("b", "x", 2.0)]);
        let report: GateReport = serde_json::from_value(json!({"passed": false, "checks": checks})).expect("a report");
        assert_eq!(report.limits(), [("a".to_owned(), 0.5), ("b".to_owned(), 2.0)]);
        assert_eq!(report.checks[0].limit.as_ref().map(|limit| limit.comparison), Some(Operator::AtLeast));
    }

    #[test]
    fn figures_are_shown_in_their_unit() {
        let judge: JudgeHead = serde_json::from_value(json!({
            "use": "j", "model": "m", "fingerprint": "", "calibration": "rules", "headline": "f1",
            "metrics": [{"name": "errors", "about": "", "kind": "count", "unit": "count", "run_only": false, "lower_is_better": true}],
        }))
        .expect("a judge");
        let shown = |metric: &str, value: Option<f64>| {
            let limit = json!({"metric": metric, "comparison": "<=", "value": 0});
            let check = json!({"check": "c", "limit": limit, "model": "m", "value": value, "passed": false});
            serde_json::from_value::<GateOutcome>(check).expect("a check").shown(&judge)
        };
        assert_eq!([shown("errors", Some(46.0)), shown("blockers", Some(1.0))], ["46", "1"]);
        assert_eq!([shown("f1", Some(0.5)), shown("errors", None)], ["0.500", "–"]);
    }

    #[test]
    fn a_check_from_before_limits_were_recorded_is_still_read() {
        let old = r#"{"check": "wer <= 0.1", "model": "m", "value": 0.05, "passed": true}"#;
        let outcome: GateOutcome = serde_json::from_str(old).expect("a check");
        assert_eq!(outcome.limit, None);
        let written = serde_json::to_value(&outcome).expect("JSON");
        assert_eq!(written, serde_json::from_str::<serde_json::Value>(old).expect("JSON"));
    }
}
