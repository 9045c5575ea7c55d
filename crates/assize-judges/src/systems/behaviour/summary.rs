//! From cases to scorecards: benchmark scores, rubric scores, and gates that reach upward.
//!
//! A benchmark's score is the mean over its cases, a rubric's the aggregation of its parts; improvement signals are reported
//! and enter nothing. A case that waits for a person, failed or had no rule leaves every score above it undecided: `score` is
//! `null`, and [`Range`] says how far it can go. Whether something passes is decided only where both ends agree. A failed
//! hard gate fails its rubric and everything above it.

use super::judge::{Behaviour, REVIEW_RATE, RUBRICS_PASSED, Shared, metric_of, rubric_metric_of};
use super::spec::{Aggregation, Criticality, Rubric, RubricRef, Tree};
use assize_core::judgment::tidy;
use assize_core::table::NOTES;
use assize_core::{
    Blocker, Bounds, Case, CaseStatus, ExtraSummary, Interval, Judgment, Method, Rating, ScoreMetric, Scorecard,
    Summary,
};
use assize_metrics::statistics::{ALPHA, wilson_interval};
use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Scorecards in the making.
pub(super) struct BehaviourSummary {
    shared: Arc<Shared>,
    models: BTreeMap<String, ModelCounts>,
    review: Vec<Value>,
    saved_calls: u64,
}

#[derive(Default)]
struct ModelCounts {
    cases: u64,
    in_review: u64,
    benchmarks: Vec<BenchmarkCounts>,
}

/// What was counted for one benchmark.
#[derive(Clone, Default)]
struct BenchmarkCounts {
    n: u64,
    sum: f64,
    passed: u64,
    failing: Vec<String>,
    undecided: Vec<String>,
    skipped: u64,
    method: Option<Method>,
}

impl BenchmarkCounts {
    /// The mean over all cases that are not skipped, where an undecided one may still come to 0 or to 1.
    fn range(&self) -> Option<Range> {
        let undecided = self.undecided.len() as f64;
        let cases = self.n as f64 + undecided;
        (cases > 0.0).then(|| Range { worst: tidy(self.sum / cases), best: tidy((self.sum + undecided) / cases) })
    }
}

/// How far a score can go: both ends are the same where everything is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    worst: f64,
    best: f64,
}

impl Range {
    fn score(self) -> Option<f64> {
        (self.worst == self.best).then_some(self.best)
    }

    fn bounds(self) -> Option<Bounds> {
        (self.worst != self.best).then_some(Bounds(self.worst, self.best))
    }

    /// Whether it reaches a threshold; `None` where the ends do not agree.
    fn reaches(self, threshold: f64) -> Option<bool> {
        let reaches = |score: f64| score + 1e-9 >= threshold;
        (reaches(self.worst) == reaches(self.best)).then(|| reaches(self.best))
    }

    /// The aggregation of parts with their weights, which rises with each of them.
    fn of_parts(parts: &[(Self, f64)], aggregation: Aggregation) -> Option<Self> {
        let end = |end: fn(&Self) -> f64| {
            let parts: Vec<(f64, f64)> = parts.iter().map(|(range, weight)| (end(range), *weight)).collect();
            aggregation.score(&parts).map(tidy)
        };
        Some(Self { worst: end(|range| range.worst)?, best: end(|range| range.best)? })
    }
}

/// Whether a score that may be missing reaches a threshold.
fn reaches(range: Option<Range>, threshold: f64) -> Option<bool> {
    range.and_then(|range| range.reaches(threshold))
}

impl BehaviourSummary {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, models: BTreeMap::new(), review: Vec::new(), saved_calls: 0 }
    }
}

/// The labels of the judgment, or those of each juror where a jury judged.
fn label_sets(judgment: &Judgment) -> Vec<&Map<String, Value>> {
    match judgment.labels.get("jury").and_then(Value::as_object) {
        Some(jurors) => jurors.values().filter_map(|juror| juror.get("labels")).filter_map(Value::as_object).collect(),
        None => vec![&judgment.labels],
    }
}

/// Whether more than half of the label sets say that a behaviour passes; `None` where one of them does not say.
fn majority(labels: &[&Map<String, Value>], code: &str) -> Option<bool> {
    let said = |labels: &&Map<String, Value>| labels.get("behaviours")?.get(code)?.get("pass")?.as_bool();
    let votes: Vec<bool> = labels.iter().map(said).collect::<Option<_>>()?;
    (!votes.is_empty()).then(|| votes.iter().filter(|pass| **pass).count() * 2 > votes.len())
}

/// The behaviours that wait for a person, and why.
fn waiting(labels: &Map<String, Value>) -> impl Iterator<Item = (&str, &str)> {
    let entries = labels.get("review").and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(|entry| Some((entry.get("behaviour")?.as_str()?, entry.get("why")?.as_str()?)))
}

impl ExtraSummary for BehaviourSummary {
    fn add(&mut self, case: &Case, judgment: &Judgment) {
        let model = self.models.entry(case.model.to_string()).or_default();
        model.cases += 1;
        let labels = label_sets(judgment);
        model.benchmarks.resize(self.shared.behaviours.len(), BenchmarkCounts::default());
        for (behaviour, tally) in self.shared.behaviours.iter().zip(&mut model.benchmarks) {
            let Some(metric) = judgment.metrics.get(&metric_of(&behaviour.code)) else {
                tally.skipped += 1;
                continue;
            };
            let pass = majority(&labels, &behaviour.code);
            let (Some(score), Some(pass)) = (metric.value, pass) else {
                tally.undecided.push(case.id.clone());
                continue;
            };
            tally.n += 1;
            tally.sum += score;
            tally.passed += u64::from(pass);
            tally.method = tally.method.max(Some(metric.method));
            if !pass {
                tally.failing.push(case.id.clone());
            }
        }
        let waiting: IndexSet<(&str, &str)> = labels.iter().flat_map(|labels| waiting(labels)).collect();
        model.in_review += u64::from(!waiting.is_empty());
        for (behaviour, why) in waiting {
            self.review.push(json!({"case": case.id, "model": case.model, "behaviour": behaviour, "why": why}));
        }
        let saved = labels.iter().filter_map(|labels| labels.get("saved_calls")).filter_map(Value::as_u64);
        self.saved_calls += saved.sum::<u64>();
    }

    fn add_unjudged(&mut self, case: &Case, status: CaseStatus) {
        let model = self.models.entry(case.model.to_string()).or_default();
        model.benchmarks.resize(self.shared.behaviours.len(), BenchmarkCounts::default());
        for (behaviour, tally) in self.shared.behaviours.iter().zip(&mut model.benchmarks) {
            if status == CaseStatus::Failed && behaviour.tags.admits(case) {
                tally.undecided.push(case.id.clone());
            } else {
                tally.skipped += 1;
            }
        }
    }

    fn complete(self: Box<Self>, summary: &mut Summary) {
        let mut all_rubrics = Vec::new();
        let mut notes = self.shared.unused_note.iter().cloned().collect::<Vec<_>>();
        for (name, tally) in &self.models {
            let (rubrics, undecided) = complete(&self.shared, tally, summary.models.entry(name.clone()).or_default());
            notes.extend(undecided.into_iter().map(|note| format!("{name}: {note}")));
            for mut rubric in rubrics {
                if let Value::Object(entry) = &mut rubric {
                    entry.insert("model".into(), name.clone().into());
                }
                all_rubrics.push(rubric);
            }
        }
        if !notes.is_empty() {
            summary.sections.insert(NOTES.into(), json!(notes));
        }
        if self.shared.tree.is_some() {
            summary.sections.insert("rubrics".into(), Value::Array(all_rubrics));
        }
        summary.sections.insert("review".into(), Value::Array(self.review));
        summary.sections.insert("saved_calls".into(), self.saved_calls.into());
        summary.saved_calls = self.saved_calls;
    }
}

/// Completes the scorecard of a model, and gives its rubrics with what to say of those that are undecided.
fn complete(shared: &Shared, tally: &ModelCounts, card: &mut Scorecard) -> (Vec<Value>, Vec<String>) {
    let (mut rubrics, mut notes) = (Vec::new(), Vec::new());
    if let Some(tree) = &shared.tree {
        let board = Board { tree, shared, tally };
        let top: Vec<RubricResult> = tree.roots.iter().filter_map(|code| board.rubric(code)).collect();
        let mut by_code = IndexMap::new();
        top.iter().for_each(|result| result.collect(&mut by_code));
        for code in tree.rubrics.keys() {
            if let Some(result) = by_code.get(code.as_str()) {
                card.metrics.insert(rubric_metric_of(code), result.metric());
            }
        }
        for result in by_code.values().filter(|result| result.hard_gate && result.is_below()) {
            card.blockers.push(result.blocker());
        }
        if !top.is_empty() {
            card.metrics.insert(RUBRICS_PASSED.into(), share_passed(&top));
            rubrics = top.iter().map(RubricResult::to_value).collect();
            card.sections.insert("rubrics".into(), Value::Array(rubrics.clone()));
        }
        notes = by_code.values().filter_map(|result| result.note()).collect();
    }
    let mut blockers = Vec::new();
    for (behaviour, tally) in shared.behaviours.iter().zip(&tally.benchmarks) {
        card.metrics.insert(metric_of(&behaviour.code), metric(behaviour, tally));
        let range = tally.range();
        if behaviour.criticality == Criticality::HardGate && reaches(range, behaviour.threshold) == Some(false) {
            blockers.push(Blocker {
                metric: metric_of(&behaviour.code),
                value: range.map(|range| range.best),
                limit: format!(">= {}", behaviour.threshold),
                cases: tally.failing.clone(),
            });
        }
    }
    blockers.append(&mut card.blockers);
    card.blockers = blockers;
    card.metrics.insert(REVIEW_RATE.into(), rate(tally.in_review, tally.cases, Method::Code));
    card.disqualified = !card.blockers.is_empty();
    (rubrics, notes)
}

fn rate(part: u64, of: u64, method: Method) -> ScoreMetric {
    ScoreMetric {
        value: (of > 0).then(|| tidy(part as f64 / of as f64)),
        bounds: None,
        n: of,
        rating: None,
        method,
        interval: wilson(part, of),
        counts: IndexMap::new(),
    }
}

/// The 95 % interval of a share.
fn wilson(part: u64, of: u64) -> Option<Interval> {
    wilson_interval(part, of, ALPHA).map(|interval| Interval(interval.low, interval.high))
}

fn metric(behaviour: &Behaviour, tally: &BenchmarkCounts) -> ScoreMetric {
    let range = tally.range();
    let rating = reaches(range, behaviour.threshold).map(|passed| match (passed, behaviour.criticality) {
        (true, _) => Rating::Good,
        (false, Criticality::HardGate) => Rating::Blocker,
        (false, Criticality::ThresholdGate) => Rating::Fail,
        (false, Criticality::ImprovementSignal) => Rating::Acceptable,
    });
    let counts = [
        ("passed", tally.passed),
        ("failed", tally.n - tally.passed),
        ("undecided", tally.undecided.len() as u64),
        ("skipped", tally.skipped),
    ];
    ScoreMetric {
        value: range.and_then(Range::score),
        bounds: range.and_then(Range::bounds),
        n: tally.n,
        rating,
        method: tally.method.unwrap_or(Method::Code),
        // A score on a scale is not a share, and an undecided one has no interval but its bounds.
        interval: wilson(tally.passed, tally.n).filter(|_| behaviour.scale.is_none() && tally.undecided.is_empty()),
        counts: counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
    }
}

fn share_passed(top: &[RubricResult]) -> ScoreMetric {
    let share = |counted: fn(Option<bool>) -> bool| {
        tidy(top.iter().filter(|result| counted(result.passed)).count() as f64 / top.len() as f64)
    };
    let range = Range { worst: share(|passed| passed == Some(true)), best: share(|passed| passed != Some(false)) };
    // Rubrics are no sample, so there is no interval.
    ScoreMetric {
        value: range.score(),
        bounds: range.bounds(),
        interval: None,
        ..rate(0, top.len() as u64, Method::Code)
    }
}

/// What is needed to work out the rubrics of one model.
struct Board<'s> {
    tree: &'s Tree,
    shared: &'s Shared,
    tally: &'s ModelCounts,
}

struct RubricResult {
    code: String,
    label: Option<String>,
    /// `None` where no part has a score, nor will have one.
    range: Option<Range>,
    passed: Option<bool>,
    threshold: f64,
    hard_gate: bool,
    aggregation: &'static str,
    failed_hard_gates: Vec<String>,
    /// Hard gates that are undecided.
    waiting_hard_gates: Vec<String>,
    /// Benchmarks with undecided cases, which leave the score undecided.
    waiting: Vec<String>,
    benchmarks: Vec<Value>,
    failing: IndexSet<String>,
    n: u64,
    method: Method,
    below: Vec<RubricResult>,
}

impl Board<'_> {
    fn rubric(&self, code: &str) -> Option<RubricResult> {
        let rubric: &Rubric = self.tree.rubrics.get(code)?;
        let mut parts: Vec<(Range, f64)> = Vec::new();
        let mut failed_hard_gates = Vec::new();
        let (mut waiting_hard_gates, mut waiting) = (Vec::new(), Vec::new());
        let mut benchmarks = Vec::new();
        let mut failing: IndexSet<String> = IndexSet::new();
        let mut n = 0;
        let mut method = Method::Code;
        for member in self.tree.members.get(code).map(Vec::as_slice).unwrap_or_default() {
            let Some((behaviour, tally)) = self
                .shared
                .behaviours
                .iter()
                .zip(&self.tally.benchmarks)
                .find(|(behaviour, _)| behaviour.code == *member)
            else {
                continue;
            };
            let weight = self.tree.benchmarks.get(member).and_then(|benchmark| benchmark.weight.as_ref());
            benchmarks.push(benchmark_value(behaviour, tally, weight.map(|weight| weight.value)));
            n = n.max(tally.n);
            method = method.max(tally.method.unwrap_or(Method::Code));
            if behaviour.criticality == Criticality::ImprovementSignal {
                continue;
            }
            failing.extend(tally.failing.iter().cloned());
            let Some(range) = tally.range() else { continue };
            parts.push((range, weight.map_or(1.0, |weight| weight.value)));
            if !tally.undecided.is_empty() {
                waiting.push(member.clone());
            }
            match range.reaches(behaviour.threshold) {
                Some(false) if behaviour.criticality == Criticality::HardGate => failed_hard_gates.push(member.clone()),
                None if behaviour.criticality == Criticality::HardGate => waiting_hard_gates.push(member.clone()),
                _ => {}
            }
        }
        let below: Vec<RubricResult> =
            rubric.sub_rubrics.iter().map(RubricRef::code).filter_map(|code| self.rubric(&code.value)).collect();
        for result in &below {
            let weight = self.tree.rubrics.get(&result.code).and_then(|rubric| rubric.weight.as_ref());
            parts.extend(result.range.map(|range| (range, weight.map_or(1.0, |weight| weight.value))));
            failed_hard_gates.extend(result.failed_hard_gates.iter().cloned());
            waiting_hard_gates.extend(result.waiting_hard_gates.iter().cloned());
            waiting.extend(result.waiting.iter().cloned());
            failing.extend(result.failing.iter().cloned());
            if result.hard_gate && result.is_below() {
                failed_hard_gates.push(result.code.clone());
            } else if result.hard_gate && result.range.is_some() && reaches(result.range, result.threshold).is_none() {
                waiting_hard_gates.push(result.code.clone());
            }
            n = n.max(result.n);
            method = method.max(result.method);
        }
        let range = Range::of_parts(&parts, rubric.aggregation);
        let reached = reaches(range, rubric.passing_threshold);
        let passed = if !failed_hard_gates.is_empty() || reached == Some(false) {
            Some(false)
        } else if !waiting_hard_gates.is_empty() {
            None
        } else {
            reached
        };
        Some(RubricResult {
            code: code.to_owned(),
            label: rubric.label.clone(),
            range,
            passed,
            threshold: rubric.passing_threshold,
            hard_gate: rubric.hard_gate,
            aggregation: rubric.aggregation.name(),
            failed_hard_gates,
            waiting_hard_gates,
            waiting,
            benchmarks,
            failing,
            n,
            method,
            below,
        })
    }
}

fn benchmark_value(behaviour: &Behaviour, tally: &BenchmarkCounts, weight: Option<f64>) -> Value {
    let range = tally.range();
    json!({
        "code": behaviour.code,
        "label": behaviour.label,
        "score": range.and_then(Range::score),
        "bounds": range.and_then(Range::bounds),
        "n": tally.n,
        "passed": reaches(range, behaviour.threshold),
        "criticality": behaviour.criticality.name(),
        "threshold": behaviour.threshold,
        "weight": weight,
        "cases": tally.failing,
        "undecided": tally.undecided,
        "skipped": tally.skipped,
        "method": tally.method.map(Method::name),
    })
}

impl RubricResult {
    /// Whether its own score misses its threshold. One that fails only for a gate within it is told by that gate.
    fn is_below(&self) -> bool {
        reaches(self.range, self.threshold) == Some(false)
    }

    /// What to say of it where it is undecided.
    fn note(&self) -> Option<String> {
        let bounds = self.range?.bounds().filter(|_| self.passed.is_none())?;
        Some(format!(
            "{} is undecided, between {:.3} and {:.3}: waiting for {}",
            self.code,
            bounds.0,
            bounds.1,
            self.waiting.join(", ")
        ))
    }

    fn to_value(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("code".into(), self.code.clone().into());
        entry.insert("label".into(), json!(self.label));
        entry.insert("score".into(), json!(self.range.and_then(Range::score)));
        entry.insert("bounds".into(), json!(self.range.and_then(Range::bounds)));
        entry.insert("passed".into(), json!(self.passed));
        entry.insert("threshold".into(), json!(self.threshold));
        entry.insert("hard_gate".into(), self.hard_gate.into());
        entry.insert("aggregation_method".into(), self.aggregation.into());
        entry.insert("failed_hard_gates".into(), json!(self.failed_hard_gates));
        entry.insert("waiting_hard_gates".into(), json!(self.waiting_hard_gates));
        entry.insert("waiting".into(), json!(self.waiting));
        entry.insert("benchmarks".into(), Value::Array(self.benchmarks.clone()));
        entry.insert("sub_rubrics".into(), Value::Array(self.below.iter().map(Self::to_value).collect()));
        Value::Object(entry)
    }

    fn collect<'r>(&'r self, by_code: &mut IndexMap<&'r str, &'r Self>) {
        by_code.insert(&self.code, self);
        self.below.iter().for_each(|below| below.collect(by_code));
    }

    fn metric(&self) -> ScoreMetric {
        let rating = self.passed.map(|passed| match passed {
            true => Rating::Good,
            false if self.failed_hard_gates.is_empty() => Rating::Fail,
            false => Rating::Blocker,
        });
        ScoreMetric {
            value: self.range.and_then(Range::score),
            bounds: self.range.and_then(Range::bounds),
            n: self.n,
            rating,
            method: self.method,
            interval: None,
            counts: IndexMap::new(),
        }
    }

    fn blocker(&self) -> Blocker {
        Blocker {
            metric: rubric_metric_of(&self.code),
            value: self.range.map(|range| range.best),
            limit: format!(">= {}", self.threshold),
            cases: self.failing.iter().cloned().collect(),
        }
    }
}
