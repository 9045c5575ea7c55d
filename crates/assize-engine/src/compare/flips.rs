//! Cases side by side: those that came out otherwise (another verdict, or a figure that said yes and now says no), and those
//! that one figure finds better or worse.

use super::Comparing;
use super::figures::is_same;
use crate::records::ResultLine;
use crate::report::CaseRow;
use assize_core::Unit;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Which cases of two runs are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those with another verdict, or with a figure that said yes and now says no or the other way round.
    Flipped,
    /// Those that are better in the second run by this figure.
    Better(String),
    /// Those that are worse.
    Worse(String),
}

/// A case as it came out in both runs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CasePair {
    /// The case's id.
    pub case: String,
    /// The model of the first run.
    pub model_a: String,
    /// The model of the second run.
    pub model_b: String,
    /// Which repetition on the same input it is, where the case says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<f64>,
    /// Where it stands in each run.
    pub position: Change<u32>,
    /// The verdicts, where they differ.
    pub verdict: Option<Change<Option<String>>>,
    /// Figures that say yes in one run and no in the other; before them the one that was asked for.
    pub figures: Vec<FigureChange>,
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

/// A figure that is not the same in both runs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FigureChange {
    /// The figure.
    pub metric: String,
    /// What it is measured in.
    #[serde(skip)]
    pub unit: Unit,
    /// Its values.
    pub value: Change<f64>,
    /// Whether the second is better; `None` where no judge says.
    pub better: Option<bool>,
    /// Why, where the judge gives a reason for this figure.
    pub reason: Change<Option<String>>,
}

impl Comparing<'_> {
    /// A case side by side, if both runs judged it and it is one of those that are wanted.
    pub(super) fn pair(&self, one: &CaseRow, other: &CaseRow, wanted: &Wanted) -> Option<CasePair> {
        if !one.is_judged() || !other.is_judged() {
            return None;
        }
        let flipped = one
            .line
            .metrics
            .keys()
            .filter(|metric| self.yes_or_no.contains(*metric))
            .filter_map(|metric| self.change(one, other, metric));
        let verdict = (one.line.verdict != other.line.verdict)
            .then(|| Change { a: one.line.verdict.clone(), b: other.line.verdict.clone() });
        let figures: Vec<FigureChange> = match wanted {
            Wanted::Flipped => {
                let figures: Vec<FigureChange> = flipped.collect();
                if verdict.is_none() && figures.is_empty() {
                    return None;
                }
                figures
            }
            Wanted::Better(metric) | Wanted::Worse(metric) => {
                let better = matches!(wanted, Wanted::Better(_));
                let change = self.change(one, other, metric).filter(|change| change.better == Some(better))?;
                std::iter::once(change).chain(flipped.filter(|other| other.metric != *metric)).collect()
            }
        };
        Some(CasePair {
            case: one.line.case.clone(),
            model_a: one.line.model.to_string(),
            model_b: other.line.model.to_string(),
            run: one.repetition,
            position: Change { a: one.position, b: other.position },
            verdict,
            figures,
            reason: Change { a: one.line.reason.clone(), b: other.line.reason.clone() },
        })
    }

    /// What became of one figure, where it is not the same.
    fn change(&self, one: &CaseRow, other: &CaseRow, metric: &str) -> Option<FigureChange> {
        let value = Change { a: one.value(metric)?, b: other.value(metric)? };
        (!is_same(value.a, value.b)).then(|| FigureChange {
            metric: metric.to_owned(),
            unit: self.unit(metric),
            better: self.direction(metric).map(|lower_is_better| (value.b > value.a) != lower_is_better),
            reason: Change { a: reason_for(&one.line, metric), b: reason_for(&other.line, metric) },
            value,
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
