//! From labels to figures: normalise, weigh, decide, compare with what the model claims.

use super::condition::{self, Bounds, Figures};
use super::judge::CriteriaJudge;
use super::measure::Findings;
use super::settings::Settings;
use super::spec::{CriteriaSpec, VerdictRule};
use super::spec_answer::TextKind;
use crate::reason::says_nothing;
use assize_core::judgment::tidy;
use assize_core::{Answer, Judgment, Method, Metric};
use serde_json::{Value, json};

/// How far a claimed composite may be from the computed one before it is called different: half of the second decimal.
const ROUNDING: f64 = 0.005;

/// The judgment of a case, given the answer to its one question.
pub(super) fn judgment(judge: &CriteriaJudge, findings: &Findings<'_>, answer: &Answer) -> Judgment {
    let (spec, method) = (&judge.spec, answer.method());
    let mut judgment = Judgment::default();
    let scores = spec.answer.scores_in.as_ref().map_or(Some(&answer.value), |key| answer.value.get(key));
    let mut values = Vec::with_capacity(spec.criteria.len());
    for criterion in &spec.criteria {
        let given = scores.and_then(|scores| scores.get(&criterion.name)).and_then(Value::as_f64);
        // Validation lets nothing else through; what is off the scale would be no figure.
        let raw = given.filter(|raw| (criterion.low..=criterion.high).contains(raw));
        let value = raw.map(|raw| criterion.normalise(raw));
        let mut metric = Metric::score(value, method);
        metric.raw = raw;
        judgment.metrics.insert(criterion.name.clone(), metric);
        values.push(value);
    }
    let critical = !findings.critical_differences().is_empty();
    let composite = weigh(&values, &judge.settings.weights).less_critical(&judge.settings, critical);
    judgment.metrics.insert(spec.composite.name.clone(), Metric::score(composite.exact(), method));
    if values.iter().any(Option::is_none) {
        judgment.flag("criteria_undecided");
    }
    read_texts(judge, answer, &mut judgment);
    findings.add_to(&spec.measures, &mut judgment);
    if method != Method::Rules {
        audit(judge, findings, &values, &mut judgment);
        look_at_reason(judge, &mut judgment);
    }
    decide(
        judge,
        &Figures { composite, criteria: values.iter().map(|value| Bounds::of(*value)).collect() },
        &mut judgment,
    );
    compare_claims(judge, answer, &mut judgment);
    judgment
}

/// The weighted mean of what is known, and how far the unknown could move it.
pub(super) fn weigh(values: &[Option<f64>], weights: &[f64]) -> Bounds {
    let total: f64 = weights.iter().sum();
    let mean = |unknown: f64| {
        let sum: f64 = values.iter().zip(weights).map(|(value, weight)| weight * value.unwrap_or(unknown)).sum();
        tidy(sum / total)
    };
    Bounds { low: mean(0.0), high: mean(1.0) }
}

impl Bounds {
    /// The figure itself, where it is known.
    pub(super) fn exact(self) -> Option<f64> {
        (self.low == self.high).then_some(self.low)
    }

    /// What is left of it where the texts differ critically. How many differences there are is counted apart: a long call has
    /// more of them than a short one.
    pub(super) fn less_critical(self, settings: &Settings, critical: bool) -> Self {
        let left = if critical { 1.0 - settings.critical_weight } else { 1.0 };
        Self { low: tidy(self.low * left), high: tidy(self.high * left) }
    }
}

fn read_texts(judge: &CriteriaJudge, answer: &Answer, judgment: &mut Judgment) {
    for text in &judge.spec.answer.texts {
        let Some(value) = answer.value.get(&text.name) else { continue };
        if judge.spec.answer.reason.as_ref() == Some(&text.name) {
            judgment.reason = value.as_str().map(str::to_owned);
        } else {
            judgment.labels.insert(text.name.clone(), value.clone());
        }
    }
}

/// Counts and flags the scores that code refutes.
fn audit(judge: &CriteriaJudge, findings: &Findings<'_>, values: &[Option<f64>], judgment: &mut Judgment) {
    if judge.spec.measures.is_empty() {
        return;
    }
    let mut refuted = Vec::new();
    for (position, (criterion, value)) in judge.spec.criteria.iter().zip(values).enumerate() {
        let Some(value) = value else { continue };
        let by_answer = findings.answer_leaves(position).map(|left| (left, "answer_contradicted"));
        let by_rule = || criterion.offline.and_then(|rule| rule.leaves(findings));
        let Some((left, flag)) = by_answer.or_else(by_rule).filter(|(left, _)| !left.contains(value)) else { continue };
        judgment.flag(flag);
        let (low, high) = (criterion.on_scale(*left.start()), criterion.on_scale(*left.end()));
        refuted.push(json!({
            "criterion": criterion.name, "given": criterion.on_scale(*value), "between": [low.min(high), low.max(high)],
        }));
    }
    judgment.metrics.insert(CONTRADICTIONS.into(), Metric::score(Some(refuted.len() as f64), Method::Code));
    if !refuted.is_empty() {
        judgment.labels.insert(CONTRADICTIONS.into(), Value::Array(refuted));
    }
}

/// The name of the figure and the label of the scores that code refutes.
pub(super) const CONTRADICTIONS: &str = "contradictions";

/// Flags a reason that says nothing, or more than was asked for.
fn look_at_reason(judge: &CriteriaJudge, judgment: &mut Judgment) {
    let reason = judgment.reason.clone().unwrap_or_default();
    if says_nothing(&reason) {
        judgment.flag("empty_reason");
    }
    let text = judge.spec.answer.texts.iter().find(|text| judge.spec.answer.reason.as_ref() == Some(&text.name));
    if let Some(most) = text.and_then(|text| text.most_lines)
        && reason.trim().lines().count() > most as usize
    {
        judgment.flag("long_reason");
    }
}

/// What is not known could change the verdict.
pub(super) struct Undecided;

/// The first verdict whose conditions hold. An undecided rule before it leaves the verdict open.
pub(super) fn first_holding<'s>(
    spec: &'s CriteriaSpec,
    figures: &Figures,
) -> Result<Option<&'s VerdictRule>, Undecided> {
    for rule in &spec.verdicts {
        match condition::all(rule.when.iter().map(|condition| condition.holds(figures))) {
            Some(false) => {}
            None => return Err(Undecided),
            Some(true) => return Ok(Some(rule)),
        }
    }
    Ok(None)
}

fn decide(judge: &CriteriaJudge, figures: &Figures, judgment: &mut Judgment) {
    let rule = match first_holding(&judge.spec, figures) {
        Err(Undecided) => return judgment.flag("verdict_undecided"),
        Ok(None) => return,
        Ok(Some(rule)) => rule,
    };
    for (text, flag) in &rule.expects {
        let label = judgment.labels.get(text);
        let empty = match judge.spec.answer.texts.iter().find(|spec| spec.name == *text).map(|spec| spec.kind) {
            Some(TextKind::Texts) => label.and_then(Value::as_array).is_none_or(Vec::is_empty),
            _ => label.and_then(Value::as_str).is_none_or(|text| text.trim().is_empty()),
        };
        if empty {
            judgment.flag(flag.as_str());
        }
    }
    judgment.verdict = Some(rule.verdict.clone());
}

/// Keeps what the model itself says of composite and verdict, and flags where it differs. It is used nowhere.
fn compare_claims(judge: &CriteriaJudge, answer: &Answer, judgment: &mut Judgment) {
    if !judge.spec.answer.claims {
        return;
    }
    let composite = &judge.spec.composite.name;
    if let Some(claim) = answer.value.get(composite).filter(|claim| !claim.is_null()) {
        let (claimed, computed) = (claim.as_f64(), judgment.value(composite));
        if claimed.zip(computed).is_some_and(|(claimed, computed)| (claimed - computed).abs() > ROUNDING) {
            judgment.flag(format!("{composite}_differs"));
        }
        judgment.claimed.insert(composite.clone(), claim.clone());
    }
    if let Some(claim) = answer.value.get("verdict").filter(|claim| !claim.is_null()) {
        if claim.as_str() != judgment.verdict.as_deref() {
            judgment.flag("verdict_differs");
        }
        judgment.claimed.insert("verdict".into(), claim.clone());
    }
}
