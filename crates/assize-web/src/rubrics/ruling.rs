//! What a text makes of cases, beside what the file on the disk makes of them.

use super::scores::TreeScores;
use assize_core::{Case, CaseStatus, Failure, FailureKind, tree};
use assize_engine::records::ResultLine;
use assize_engine::run::Trial;
use assize_judges::systems::behaviour::{self, RulingLabel};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What of a case's inputs is shown with its verdicts.
const LONGEST_INPUT: usize = 4000;

/// What a text made of the cases.
pub(crate) struct Tried {
    pub(crate) trial: Trial,
    pub(super) headline: String,
}

/// What a text makes of one case.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Ruling {
    /// What became of it.
    pub(crate) status: CaseStatus,
    /// The verdict.
    pub(crate) verdict: Option<String>,
    /// The score from 0 to 1.
    pub(crate) score: Option<f64>,
    /// Why; for a case that could not be judged, why not.
    pub(crate) reason: String,
    /// What a reader should know.
    pub(crate) flags: Vec<String>,
    /// What it rests on: every behaviour or criterion, and what else the judge wrote.
    pub(crate) evidence: Vec<Evidence>,
}

/// One thing that a verdict rests on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Evidence {
    /// A behaviour's code, a criterion's name, or the name of a text.
    pub(crate) name: String,
    /// `pass`, `fail`, `undecided` or `skipped`, or the score; empty for a text.
    pub(crate) outcome: String,
    /// The words.
    pub(crate) text: String,
}

/// A case before and after.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct TriedCase {
    /// Its id.
    pub(crate) id: String,
    /// The model under test.
    pub(crate) model: String,
    /// What is judged: the case's inputs, shortened.
    pub(crate) inputs: Vec<Evidence>,
    /// What the text makes of it.
    pub(crate) now: Option<Ruling>,
    /// What the file on the disk makes of it; `null` where that cannot be judged.
    pub(crate) before: Option<Ruling>,
    /// Whether the two verdicts differ.
    pub(crate) flipped: bool,
}

impl TriedCase {
    /// A case with what both versions make of it.
    pub(crate) fn of(case: &Case, now: &Tried, before: Option<&Tried>) -> Self {
        let (now, before) = (now.ruling(case), before.and_then(|before| before.ruling(case)));
        let flipped = match (&now, &before) {
            (Some(now), Some(before)) => (now.status, &now.verdict) != (before.status, &before.verdict),
            _ => false,
        };
        let inputs = case.inputs.iter().map(|(name, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                other => format!("{other:#}"),
            };
            let cut = text.char_indices().nth(LONGEST_INPUT).map(|(at, _)| format!("{} …", &text[..at]));
            Evidence { name: name.clone(), outcome: String::new(), text: cut.unwrap_or(text) }
        });
        Self { id: case.id.clone(), model: case.model.to_string(), inputs: inputs.collect(), now, before, flipped }
    }
}

impl Tried {
    fn ruling(&self, case: &Case) -> Option<Ruling> {
        let line = self.trial.lines.iter().find(|line| line.case == case.id && line.model == case.model)?;
        let value = |name: &str| line.metrics.get(name).and_then(|metric| metric.value);
        let reason = line.error.as_ref().map(why_not).or_else(|| line.reason.clone());
        Some(Ruling {
            status: line.status,
            verdict: line.verdict.clone(),
            // The headline of a tree is no figure of a single case.
            score: value(&self.headline).or_else(|| value(behaviour::PASS_RATE)),
            reason: reason.unwrap_or_default(),
            flags: line.flags.clone(),
            evidence: self.evidence(line),
        })
    }

    fn evidence(&self, line: &ResultLine) -> Vec<Evidence> {
        let mut evidence = Vec::new();
        match behaviour::rulings(&line.labels) {
            Some(rulings) => evidence.extend(rulings.into_iter().map(of_behaviour)),
            None => {
                for (name, metric) in line.metrics.iter().filter(|(name, _)| **name != self.headline) {
                    let given = metric.raw.map(|raw| format!("given as {raw}")).unwrap_or_default();
                    let outcome = metric.value.map(|value| format!("{value:.2}")).unwrap_or_else(|| "undecided".into());
                    evidence.push(Evidence { name: name.clone(), outcome, text: given });
                }
                evidence.extend(line.labels.iter().filter_map(|(name, label)| of_text(name, label)));
            }
        }
        evidence
    }
}

/// Why a case could not be judged.
fn why_not(failure: &Failure) -> String {
    match failure.kind {
        FailureKind::NoRule => {
            "No rule can stand in for a model here. Choose a model, such as openai:gpt-4o-mini.".to_owned()
        }
        _ => failure.to_string(),
    }
}

fn of_behaviour(ruling: RulingLabel<'_>) -> Evidence {
    let outcome = match (ruling.pass, ruling.decided_by) {
        (Some(true), _) => "pass",
        (Some(false), _) => "fail",
        (None, "skipped") => "skipped",
        (None, _) => "undecided",
    };
    let by = match ruling.decided_by {
        "checks" => " (decided by its checks)",
        "rules" => " (decided by rules, no model read it)",
        "model" => " (decided by the model)",
        _ => "",
    };
    Evidence { name: ruling.code.to_owned(), outcome: outcome.to_owned(), text: format!("{}{by}", ruling.reason) }
}

/// A text, or a list of them, that the judge wrote.
fn of_text(name: &str, label: &Value) -> Option<Evidence> {
    let text = match label {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        _ => return None,
    };
    (!text.is_empty()).then(|| Evidence { name: name.to_owned(), outcome: String::new(), text })
}

/// A rubric's score before and after.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RubricChange {
    /// The rubric's code.
    pub(crate) code: String,
    /// The model under test.
    pub(crate) model: String,
    /// The score by the text; `null` where nothing was decided.
    pub(crate) now: Option<f64>,
    /// Whether it passes by the text; `null` where that is undecided.
    pub(crate) passes_now: Option<bool>,
    /// The score by the file on the disk.
    pub(crate) before: Option<f64>,
    /// Whether it passes by the file on the disk.
    pub(crate) passed_before: Option<bool>,
}

/// The rubrics of a trial of a whole tree, before and after; none where there is no tree.
pub(crate) fn rubric_changes(now: &Tried, before: Option<&Tried>) -> Vec<RubricChange> {
    let before = before.map(Tried::rubrics).unwrap_or_default();
    let mut changes = Vec::new();
    for (model, scores) in now.rubrics() {
        for (code, rubric) in scores.rubrics {
            let earlier = before.get(&model).and_then(|scores| scores.rubrics.get(&code));
            changes.push(RubricChange {
                code,
                model: model.clone(),
                now: rubric.score,
                passes_now: rubric.passed,
                before: earlier.and_then(|rubric| rubric.score),
                passed_before: earlier.and_then(|rubric| rubric.passed),
            });
        }
    }
    changes
}

impl Tried {
    fn rubrics(&self) -> BTreeMap<String, TreeScores> {
        TreeScores::by_model(tree::of_summary(&self.trial.summary))
    }
}
