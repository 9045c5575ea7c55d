//! Cases that came out otherwise: another verdict, or a figure that said yes and now says no.

use super::Comparing;
use crate::report::CaseRow;
use crate::run::ResultLine;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A case that came out otherwise in the second run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Flip {
    /// The case's id.
    pub case: String,
    /// The model of the first run.
    pub model_a: String,
    /// The model of the second run.
    pub model_b: String,
    /// Which repetition on the same input it is, where the case says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<f64>,
    /// The verdicts, where they differ.
    pub verdict: Option<Change<Option<String>>>,
    /// Figures that say yes in one run and no in the other.
    pub figures: Vec<FigureFlip>,
    /// Why, in the judge's words.
    pub reason: Change<Option<String>>,
}

/// What something was and what it became.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Change<T> {
    /// In the first run.
    pub a: T,
    /// In the second.
    pub b: T,
}

/// A figure that says yes (1) in one run and no (0) in the other.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FigureFlip {
    /// The figure.
    pub metric: String,
    /// Its values.
    pub value: Change<f64>,
    /// Whether the second is better; `None` where no judge says.
    pub better: Option<bool>,
    /// Why, where the judge gives a reason for this figure.
    pub reason: Change<Option<String>>,
}

impl Comparing<'_> {
    /// How a case came out otherwise, if it did and both runs judged it.
    pub(super) fn flip(&self, one: &CaseRow, other: &CaseRow) -> Option<Flip> {
        if !one.is_judged() || !other.is_judged() {
            return None;
        }
        let figures: Vec<FigureFlip> = one
            .line
            .metrics
            .keys()
            .filter(|metric| self.yes_or_no.contains(*metric))
            .filter_map(|metric| {
                let value = Change { a: one.value(metric)?, b: other.value(metric)? };
                (value.a != value.b).then(|| FigureFlip {
                    metric: metric.clone(),
                    better: self.direction(metric).map(|lower_is_better| (value.b > value.a) != lower_is_better),
                    reason: Change { a: reason_for(&one.line, metric), b: reason_for(&other.line, metric) },
                    value,
                })
            })
            .collect();
        let verdict = (one.line.verdict != other.line.verdict)
            .then(|| Change { a: one.line.verdict.clone(), b: other.line.verdict.clone() });
        if verdict.is_none() && figures.is_empty() {
            return None;
        }
        Some(Flip {
            case: one.line.case.clone(),
            model_a: one.line.model.clone(),
            model_b: other.line.model.clone(),
            run: one.repetition,
            verdict,
            figures,
            reason: Change { a: one.line.reason.clone(), b: other.line.reason.clone() },
        })
    }
}

/// The reason a judge gives for one figure: labels hold it under the figure's own name, such as `behaviours.FAC-NUM.reason`
/// for `behaviour.FAC-NUM`.
fn reason_for(line: &ResultLine, metric: &str) -> Option<String> {
    let (_, name) = metric.split_once('.')?;
    let groups = line.labels.values().filter_map(Value::as_object);
    let reason = groups.filter_map(|group| group.get(name)?.get("reason")?.as_str()).next();
    reason.filter(|reason| !reason.is_empty()).map(str::to_owned)
}
