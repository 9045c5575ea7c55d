//! What two runs differ in, and what speaks against taking a comparison at its word.

use super::ModelComparison;
use super::figures::is_same;
use crate::records::{Calibration, RunDocument, RunStatus};
use schemars::JsonSchema;
use serde::Serialize;

/// What the two runs differ in, and so what the differences are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The same judge on other texts: the systems under test are compared.
    Systems,
    /// Another judge on the same texts: the judges are compared.
    Judges,
    /// Another judge on other texts: what comes from which cannot be told.
    Both,
    /// The same judge on the same texts: differences are the judge's own unsteadiness.
    Nothing,
}

impl Subject {
    pub(super) fn of(a: &RunDocument, b: &RunDocument, shared: u64, same_texts: u64) -> Self {
        match (a.judge.fingerprint == b.judge.fingerprint, same_texts == shared) {
            (true, false) => Self::Systems,
            (false, true) => Self::Judges,
            (false, false) => Self::Both,
            (true, true) => Self::Nothing,
        }
    }

    /// In a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Systems => "the same judge on other texts: the systems under test are compared",
            Self::Judges => "another judge on the same texts: the judges are compared",
            Self::Both => "another judge on other texts: what comes from which cannot be told",
            Self::Nothing => "the same judge on the same texts: a difference is the judge's own unsteadiness",
        }
    }
}

/// What a reader must know before believing the figures.
pub(super) fn warnings(a: &RunDocument, b: &RunDocument, subject: Subject, models: &[ModelComparison]) -> Vec<String> {
    let mut warnings = Vec::new();
    if models.iter().all(|model| model.shared == 0) {
        warnings.push("no case was judged in both runs: there is nothing to compare".to_owned());
        return warnings;
    }
    if matches!(subject, Subject::Judges | Subject::Both) {
        warnings.push(format!("the judges differ: {}", differences(a, b)));
    }
    if subject == Subject::Both {
        warnings.push(
            "not a fair comparison: judge both sides with the same judge, or the same texts with both".to_owned(),
        );
    }
    for (name, run) in [("A", a), ("B", b)] {
        if run.status != RunStatus::Complete {
            let reached = run.cases.judged + run.cases.failed + run.cases.skipped;
            warnings.push(format!(
                "run {name} is {}: {reached} of its {} cases were reached",
                run.status.name().replace('_', " "),
                run.cases.total
            ));
        }
    }
    warnings.extend(models.iter().flat_map(|model| against_scorecards(a, b, model)));
    if [a, b].iter().any(|run| run.judge.calibration == Calibration::Uncalibrated) {
        warnings.push("uncalibrated: nobody has compared this judge with people's labels yet".to_owned());
    }
    let mut undeclared: Vec<&str> = models.iter().flat_map(|model| &model.undeclared).map(String::as_str).collect();
    undeclared.sort_unstable();
    undeclared.dedup();
    if !undeclared.is_empty() {
        let listed = undeclared.join(", ");
        warnings.push(format!("left out, as no judge says whether more or less is better: {listed}"));
    }
    warnings
}

/// Where the scorecards of the two runs point the other way than the cases they share, and why they can.
fn against_scorecards(a: &RunDocument, b: &RunDocument, model: &ModelComparison) -> Vec<String> {
    let value = |run: &RunDocument, name: &str, metric: &str| run.models.get(name)?.metrics.get(metric)?.value;
    let opposed = model.metrics.iter().filter_map(|metric| {
        let (one, other) = (value(a, &model.a, &metric.metric)?, value(b, &model.b, &metric.metric)?);
        let by_cards = other - one;
        let opposed =
            !is_same(one, other) && !is_same(metric.a, metric.b) && (by_cards > 0.0) != (metric.difference > 0.0);
        let all = |run: &RunDocument| metric.n == run.cases.judged;
        let why = if all(a) && all(b) {
            "the scorecards add up counts over the cases, the comparison is the mean of the cases"
        } else {
            "the scorecards also hold cases that are not compared here"
        };
        opposed.then(|| {
            format!(
                "{}: the scorecards go from {one:.3} to {other:.3}, the compared cases from {:.3} to {:.3}; {why}",
                metric.metric, metric.a, metric.b
            )
        })
    });
    opposed.collect()
}

/// What the judges differ in, as far as it can be named.
fn differences(a: &RunDocument, b: &RunDocument) -> String {
    let (one, other) = (&a.judge, &b.judge);
    let mut named = Vec::new();
    if one.judge_use != other.judge_use {
        named.push(format!("{} against {}", one.judge_use, other.judge_use));
    }
    if one.model != other.model {
        let written = |model: &serde_json::Value| model.as_str().map_or_else(|| model.to_string(), str::to_owned);
        named.push(format!("asked of {} against {}", written(&one.model), written(&other.model)));
    }
    if one.settings != other.settings {
        named.push("other settings".to_owned());
    }
    if named.is_empty() {
        named.push("another prompt, schema, parameter or embedder".to_owned());
    }
    named.join(", ")
}
