//! From labels to the judgment of a case: the figures of its task, its score, its ratings, its blockers.

use super::benchmarks;
use super::call::Call;
use super::likeness::Likeness;
use super::metrics::{self, Composed, METRICS, Pooling, Row, Section, compose};
use super::settings::Settings;
use super::structure::Difference;
use super::tasks::{Findings, Read, put};
use assize_core::{Bounds, Judgment, Method, Metric};
use serde_json::{Value, json};

/// How far a claimed score may be from the counted one before it is called different: half of the second decimal.
const ROUNDING: f64 = 0.005;

/// What was read of a case, by whomever.
pub(super) struct Readings<'a> {
    pub(super) task: Read<'a>,
    pub(super) benchmarks: Read<'a>,
    pub(super) likeness: Likeness,
}

impl Readings<'_> {
    /// Nothing was read: what needs reading is undecided.
    pub(super) const NONE: Self = Self { task: Read::NONE, benchmarks: Read::NONE, likeness: Likeness::Unmeasured };
}

pub(super) fn judgment(
    call: &Call<'_>,
    findings: &Findings<'_>,
    settings: &Settings,
    readings: &Readings<'_>,
) -> Judgment {
    let mut judgment = Judgment::default();
    check_structure(call, &mut judgment);
    if call.is_sound() {
        findings.score(call, readings.task, &readings.likeness, &mut judgment);
        if settings.benchmarks {
            benchmarks::score(call, readings.benchmarks, &readings.likeness, &mut judgment);
        }
    } else {
        for row in metrics::of(call.task.section()).filter(|row| row.name != call.task.structure()) {
            put(&mut judgment, row.name, Metric::score(None, Method::Code));
        }
    }
    compose_scores(call.task.section(), &mut judgment);
    rate_all(&mut judgment);
    compare_claims(readings, &mut judgment);
    let order = |name: &String| {
        let base = name.strip_suffix("_pass").unwrap_or(name);
        (METRICS.iter().position(|row| row.name == base), base.len() != name.len())
    };
    judgment.metrics.sort_by_cached_key(|name, _| order(name));
    judgment
}

fn check_structure(call: &Call<'_>, judgment: &mut Judgment) {
    let sound = call.is_sound();
    put(judgment, call.task.structure(), Metric::rate(f64::from(u8::from(sound)), 1.0, Method::Code));
    let mut label = json!({"matches": sound});
    match &call.output {
        Ok((_, reading)) => label["read_as"] = json!(reading.name()),
        Err(unreadable) => {
            judgment.flag(unreadable.flag());
            label["unreadable"] = json!(unreadable.flag());
        }
    }
    let differences = &call.differences;
    if !differences.is_empty() {
        label["differences"] = Value::Array(differences.listed.iter().map(Difference::to_value).collect());
        if differences.not_listed > 0 {
            label["not_listed"] = json!(differences.not_listed);
        }
        let said: Vec<String> = differences.listed.iter().take(3).map(Difference::describe).collect();
        judgment.reason = Some(format!("the structure differs: {}", said.join("; ")));
        judgment.flag("structure_differs");
    }
    judgment.labels.insert("structure".into(), label);
}

/// How far a figure of the case can go.
fn range(judgment: &Judgment, name: &str) -> Option<Bounds> {
    judgment.metrics.get(name).and_then(Metric::range)
}

/// The least exact method among the figures that a score is made of.
fn method_of_parts(row: &Row, judgment: &Judgment) -> Option<Method> {
    let parts = METRICS.iter().filter(|part| part.part_of.is_some_and(|(of, _)| of == row.name));
    let methods = parts.filter_map(|part| match part.pooling {
        Pooling::Composed => method_of_parts(part, judgment),
        _ => judgment.metrics.get(part.name).map(|metric| metric.method),
    });
    methods.max()
}

fn compose_scores(task: Section, judgment: &mut Judgment) {
    for row in metrics::of(task).filter(|row| row.pooling == Pooling::Composed) {
        let figure = |name: &str| range(judgment, name);
        let composed = compose(row.name, &figure, &|row| row.breach_within(figure(row.name)));
        let method = method_of_parts(row, judgment);
        if row.name == task.score() && !matches!(composed, Composed::Score(_)) {
            judgment.labels.insert("score_is_null".into(), json!(composed.reason()));
            if judgment.reason.is_none() {
                judgment.reason = composed.reason();
            }
        }
        let method = method.unwrap_or(Method::Code);
        let score =
            composed.range().map_or_else(|| Metric::score(None, method), |range| Metric::between(range, method));
        put(judgment, row.name, score);
    }
}

/// Gives every figure its rating, and names the blockers and the warnings.
fn rate_all(judgment: &mut Judgment) {
    let (mut blockers, mut warnings) = (Vec::new(), Vec::new());
    for (name, metric) in &mut judgment.metrics {
        let (Some(row), Some(range)) = (metrics::row(name), metric.range()) else { continue };
        metric.rating = row.rating_within(range);
        let Some(value) = metric.value else { continue };
        if row.is_blocker() && row.blocker.is_some_and(|blocker| blocker.breach.holds(value)) {
            let limit = row.blocker.map(|blocker| blocker.limit);
            blockers.push(json!({"metric": name, "value": assize_core::judgment::tidy(value), "limit": limit}));
        } else if row.pooling == Pooling::Worst && value > 0.0 {
            warnings.push(json!({"metric": name, "value": value}));
        }
    }
    for (flag, entries) in [("blocker", blockers), ("warning", warnings)] {
        if !entries.is_empty() {
            judgment.labels.insert(format!("{flag}s"), Value::Array(entries));
            judgment.flag(flag);
        }
    }
}

/// Keeps what the judge claims of its own, and says where it differs from what was counted.
fn compare_claims(readings: &Readings<'_>, judgment: &mut Judgment) {
    for read in [readings.task, readings.benchmarks] {
        for claim in read.list("claimed") {
            let Some(metric) = claim.get("metric").and_then(Value::as_str) else { continue };
            let claimed = claim.get("score").and_then(Value::as_f64);
            let counted = judgment.value(metric);
            if claimed.zip(counted).is_some_and(|(claimed, counted)| (claimed - counted).abs() > ROUNDING) {
                judgment.flag(format!("{metric}_differs"));
            }
            judgment.claimed.insert(metric.to_owned(), claim.clone());
        }
    }
}
