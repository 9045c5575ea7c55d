//! The judgments of one model, and the scorecard that follows.

use super::super::likeness::LikenessTally;
use super::super::metrics::{self, Composed, METRICS, Pooling, Row, Section, Task, binary_name, compose};
use super::super::settings::Settings;
use super::sums;
use crate::summary::KEPT;
use assize_core::judgment::tidy;
use assize_core::{Blocker, Case, Fingerprint, Interval, Judgment, Method, Rating, ScoreMetric, Scorecard};
use assize_metrics::statistics::{Bootstrap, Resampled};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Replicates of the bootstrap.
const REPLICATES: usize = 2000;

/// As many cases are named with their particulars for each blocker; the ids of all are kept.
const DETAILED: usize = 20;

/// Steps of the distribution of case scores.
const STEPS: usize = 10;

/// What the cases of a task came to.
#[derive(Default)]
struct TaskTally {
    cases: u64,
    invalid: u64,
    /// How many cases have a score in each tenth, how many have none, the lowest and the highest.
    steps: [u64; STEPS],
    without: u64,
    range: Option<(f64, f64)>,
}

/// What cases did to one blocker.
#[derive(Default)]
struct Breaches {
    /// Cases that breach it by themselves.
    cases: Vec<String>,
    /// Cases whose figure is less than perfect, which is what a pooled breach is made of.
    imperfect: Vec<String>,
    /// Cases with a count that only warns.
    warned: Vec<String>,
    /// The particulars of the first of them.
    details: Vec<Value>,
}

/// The runs on one input.
struct Repeats {
    /// What they were given, to find repeats that are none.
    input: Fingerprint,
    same_input: bool,
    scores: Vec<f64>,
    /// Their place among the rows.
    place: usize,
}

#[derive(Default)]
pub(super) struct ModelSummary {
    tasks: BTreeMap<Task, TaskTally>,
    /// Rows to resample: cases, with the repeats of one in one row, folded together beyond [`KEPT`].
    rows: Vec<Vec<f64>>,
    clusters: usize,
    methods: HashMap<&'static str, Method>,
    counts: HashMap<&'static str, IndexMap<String, u64>>,
    worst: HashMap<&'static str, (f64, u64)>,
    breaches: HashMap<&'static str, Breaches>,
    /// What was repeated, by the id of the case.
    repeats: BTreeMap<String, Repeats>,
    benchmarks: bool,
    likeness: LikenessTally,
    cost: (f64, u64),
}

impl ModelSummary {
    pub(super) fn add(&mut self, case: &Case, judgment: &Judgment) {
        let Some(task) = Task::named(case.text("task")) else { return };
        let score = judgment.value(task.score());
        let tally = self.tasks.entry(task).or_default();
        tally.cases += 1;
        let sound = judgment.value(task.structure()) == Some(1.0);
        tally.invalid += u64::from(!sound);
        tally.take_in(score);
        self.add_row(case, judgment, score);
        self.likeness.add(judgment);
        for (name, metric) in &judgment.metrics {
            let Some(row) = metrics::row(name) else { continue };
            self.benchmarks |= row.section == Section::Benchmark;
            if metric.value.is_some() {
                let method = self.methods.entry(row.name).or_insert(metric.method);
                *method = (*method).max(metric.method);
            }
            let counts = self.counts.entry(row.name).or_default();
            for (count, value) in &metric.counts {
                *counts.entry(count.clone()).or_default() += value;
            }
            if let Some(value) = metric.value {
                self.note_breach(row, value, case, judgment);
            }
        }
        if let Some(cost) = case.inputs.get("cost_usd").and_then(Value::as_f64).filter(|cost| cost.is_finite()) {
            self.cost = (self.cost.0 + cost, self.cost.1 + 1);
        }
    }

    fn add_row(&mut self, case: &Case, judgment: &Judgment, score: Option<f64>) {
        // The repeats of a case are one cluster.
        let place = if case.repetition().is_some() { self.add_repeat(case, score) } else { self.next_place() };
        let row = sums::of(judgment);
        match self.rows.get_mut(place % KEPT) {
            Some(sum) => sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value),
            None => self.rows.push(row),
        }
    }

    fn add_repeat(&mut self, case: &Case, score: Option<f64>) -> usize {
        let given: Vec<(&String, &Value)> = case
            .inputs
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "run" | "model_output" | "cost_usd"))
            .collect();
        let input = Fingerprint::of(&given);
        if let Some(repeats) = self.repeats.get_mut(&case.id) {
            repeats.same_input &= repeats.input == input;
            repeats.scores.extend(score);
            return repeats.place;
        }
        let place = self.next_place();
        let repeats = Repeats { input, same_input: true, scores: score.into_iter().collect(), place };
        self.repeats.insert(case.id.clone(), repeats);
        place
    }

    fn next_place(&mut self) -> usize {
        self.clusters += 1;
        self.clusters - 1
    }

    fn note_breach(&mut self, row: &'static Row, value: f64, case: &Case, judgment: &Judgment) {
        let Some(rule) = row.blocker.filter(|_| row.is_blocker()) else { return };
        let (worst, count) = self.worst.entry(row.name).or_insert((value, 0));
        *worst = if row.lower_is_better() { worst.max(value) } else { worst.min(value) };
        *count += 1;
        let perfect = if row.lower_is_better() { value <= 0.0 } else { value >= 1.0 };
        if perfect {
            return;
        }
        let breaches = self.breaches.entry(row.name).or_default();
        let breached = rule.breach.holds(value);
        if breached {
            breaches.cases.push(case.name().into_owned());
        } else if row.pooling == Pooling::Worst {
            breaches.warned.push(case.name().into_owned());
        }
        breaches.imperfect.push(case.name().into_owned());
        if (breached || !rule.per_case) && breaches.details.len() < DETAILED {
            breaches
                .details
                .push(json!({"case": case.name(), "value": tidy(value), "because": particulars(row.name, judgment)}));
        }
    }

    /// US dollars per 1000 calls, and over how many calls it was seen; a setting goes before what the cases say.
    pub(super) fn cost(&self, model: &str, settings: &Settings) -> Option<(f64, u64)> {
        let set =
            settings.cost_per_1000.get(model).map(|cost| (*cost, self.tasks.values().map(|task| task.cases).sum()));
        set.or_else(|| (self.cost.1 > 0).then(|| (1000.0 * self.cost.0 / self.cost.1 as f64, self.cost.1)))
    }

    pub(super) fn scorecard(&self, settings: &Settings) -> Scorecard {
        let mut total = vec![0.0; sums::WIDTH];
        self.rows.iter().for_each(|row| total.iter_mut().zip(row).for_each(|(sum, value)| *sum += value));
        let resampled = Resampled::draw(&self.rows, &Bootstrap { replicates: REPLICATES, ..Bootstrap::default() });
        let mut card = Scorecard::default();
        let blocked = self.blockers(&total, settings, &mut card);
        let (mut tasks, mut warnings) = (Map::new(), Vec::new());
        for (task, tally) in &self.tasks {
            let mut reason = None;
            for row in metrics::of(task.section()) {
                let mut metric = self.figure(row, &total, &resampled);
                if row.pooling == Pooling::Composed {
                    let composed = self.composed(row, &total, &blocked);
                    metric.value = composed.value().map(tidy);
                    metric.interval = metric.interval.filter(|_| metric.value.is_some());
                    metric.n = tally.cases - tally.invalid;
                    if row.name == task.score() {
                        reason = composed.reason();
                    }
                }
                metric.rating = metric.value.and_then(|value| row.rating(value));
                if blocked.contains(row.name) {
                    metric.rating = Some(Rating::Blocker);
                } else if metric.rating == Some(Rating::Blocker) && row.is_blocker() {
                    // Within the tolerance: bad, and not disqualifying.
                    metric.rating = Some(Rating::Fail);
                }
                if let Some(warned) =
                    self.breaches.get(row.name).map(|breaches| &breaches.warned).filter(|cases| !cases.is_empty())
                {
                    warnings.push(json!({"metric": row.name, "cases": warned}));
                }
                card.metrics.insert(row.name.to_owned(), metric);
            }
            let blockers: Vec<&str> =
                metrics::of(task.section()).map(|row| row.name).filter(|name| blocked.contains(name)).collect();
            tasks.insert(
                task.key().to_owned(),
                json!({"cases": tally.cases, "structure_invalid": tally.invalid, "scored": tally.cases - tally.invalid,
                       "disqualified": !blockers.is_empty(), "blockers": blockers, "score_is_null": reason,
                       "distribution": tally.to_value()}),
            );
        }
        card.disqualified = !card.blockers.is_empty();
        if self.benchmarks {
            self.add_benchmarks(&total, &resampled, &mut card);
        }
        card.sections.insert("tasks".into(), Value::Object(tasks));
        card.sections.insert("warnings".into(), Value::Array(warnings));
        let notes = self.notes(&card);
        card.sections.insert("notes".into(), json!(notes));
        card
    }

    /// What a reader of the scorecard must know about its figures.
    fn notes(&self, card: &Scorecard) -> Vec<String> {
        let mut notes = self.likeness.notes();
        if card.metrics.values().any(|metric| metric.value.is_some() && metric.method == Method::Rules) {
            notes.push("Figures marked `rules` come from rules that stand in for a judge model.".to_owned());
        }
        let others = self.repeats.iter().filter(|(_, repeats)| !repeats.same_input).map(|(id, _)| id.as_str());
        let others: Vec<&str> = others.collect();
        if !others.is_empty() {
            let (count, named) = (others.len(), others.iter().take(DETAILED).copied().collect::<Vec<_>>().join(", "));
            notes.push(format!(
                "Runs that are not on the same input are left out of the consistency: {count} ({named})."
            ));
        }
        notes
    }

    /// A figure over all cases, without its rating.
    fn figure(&self, row: &'static Row, total: &[f64], resampled: &Resampled) -> ScoreMetric {
        let worst = self.worst.get(row.name).filter(|_| row.pooling == Pooling::Worst);
        let value = worst.map(|(worst, _)| *worst).or_else(|| sums::value(total, row));
        let method = if row.pooling == Pooling::Composed {
            self.method_of_parts(row)
        } else {
            self.methods.get(row.name).copied()
        };
        let interval = value.and_then(|_| resampled.interval(|sums| sums::value(sums, row)));
        ScoreMetric {
            value: value.map(tidy),
            n: worst.map_or_else(|| sums::out_of(total, row), |(_, cases)| *cases),
            bounds: None,
            rating: None,
            method: method.unwrap_or(Method::Code),
            interval: interval.map(|interval| Interval(tidy(interval.low), tidy(interval.high))),
            counts: self.counts.get(row.name).cloned().unwrap_or_default(),
        }
    }

    fn method_of_parts(&self, row: &Row) -> Option<Method> {
        METRICS
            .iter()
            .filter(|part| part.part_of.is_some_and(|(of, _)| of == row.name))
            .filter_map(|part| match part.pooling {
                Pooling::Composed => self.method_of_parts(part),
                _ => self.methods.get(part.name).copied(),
            })
            .max()
    }

    /// A score from the pooled figures. Cases without the right structure are left out of it, so their blocker does not
    /// make it invalid; the others that its formula names do.
    fn composed(&self, row: &'static Row, total: &[f64], blocked: &BTreeSet<&'static str>) -> Composed {
        compose(row.name, &|name| sums::named(total, name), &|other| {
            blocked.contains(other.name) && Task::ALL.iter().all(|task| task.structure() != other.name)
        })
    }

    /// The breached blockers, which are also put on the card.
    fn blockers(&self, total: &[f64], settings: &Settings, card: &mut Scorecard) -> BTreeSet<&'static str> {
        let (mut blocked, mut details) = (BTreeSet::new(), Vec::new());
        for row in METRICS.iter().filter(|row| row.is_blocker()) {
            let (Some(rule), Some(breaches)) = (row.blocker, self.breaches.get(row.name)) else { continue };
            let pooled = sums::value(total, row);
            let cases =
                self.tasks.iter().find(|(task, _)| task.section() == row.section).map_or(0, |(_, tally)| tally.cases)
                    as f64;
            let breached = if rule.per_case {
                breaches.cases.len() as f64 > settings.blocker_tolerance * cases
            } else {
                pooled.is_some_and(|value| rule.breach.holds(value))
            };
            if !breached {
                continue;
            }
            blocked.insert(row.name);
            let worst = self.worst.get(row.name).map(|(worst, _)| *worst);
            let value = pooled.filter(|value| rule.breach.holds(*value)).or(worst).map(tidy);
            let named = if rule.per_case { &breaches.cases } else { &breaches.imperfect };
            card.blockers.push(Blocker {
                metric: row.name.to_owned(),
                value,
                limit: rule.limit.to_owned(),
                cases: named.clone(),
            });
            details.push(json!({"metric": row.name, "value": value, "limit": rule.limit, "cases": breaches.details,
                                "more": named.len().saturating_sub(breaches.details.len())}));
        }
        if !details.is_empty() {
            card.sections.insert("blocker_details".into(), Value::Array(details));
        }
        blocked
    }

    fn add_benchmarks(&self, total: &[f64], resampled: &Resampled, card: &mut Scorecard) {
        let (mut passed, mut applicable, mut method) = (0u64, 0u64, Method::Code);
        for row in metrics::benchmarks() {
            let mut metric = self.figure(row, total, resampled);
            if row.pooling == Pooling::Repeats {
                let repeated = self.repeats.values().filter(|repeats| repeats.same_input);
                let figures: Vec<f64> = repeated.filter_map(|repeats| consistency(&repeats.scores)).collect();
                metric.n = figures.len() as u64;
                metric.value = (!figures.is_empty()).then(|| tidy(figures.iter().sum::<f64>() / figures.len() as f64));
                metric.method = self
                    .methods
                    .iter()
                    .filter(|(name, _)| name.ends_with(".score"))
                    .map(|(_, method)| *method)
                    .max()
                    .unwrap_or(Method::Code);
            }
            metric.rating = metric.value.and_then(|value| row.rating(value));
            let pass = metric.value.map(|_| metric.rating == Some(Rating::Good));
            if let Some(pass) = pass {
                applicable += 1;
                passed += u64::from(pass);
                method = method.max(metric.method);
            }
            let binary = ScoreMetric {
                value: pass.map(|pass| f64::from(u8::from(pass))),
                rating: None,
                interval: None,
                counts: IndexMap::new(),
                ..metric.clone()
            };
            card.metrics.insert(row.name.to_owned(), metric);
            card.metrics.insert(binary_name(row.name), binary);
        }
        let value = (applicable > 0).then(|| tidy(passed as f64 / applicable as f64));
        let counts = [("passed".to_owned(), passed), ("applicable".to_owned(), applicable)].into_iter().collect();
        let score = ScoreMetric { value, n: applicable, rating: None, method, interval: None, bounds: None, counts };
        card.metrics.insert(Section::Benchmark.score().to_owned(), score);
    }
}

impl TaskTally {
    fn take_in(&mut self, score: Option<f64>) {
        let Some(score) = score else {
            self.without += 1;
            return;
        };
        self.steps[((score * STEPS as f64) as usize).min(STEPS - 1)] += 1;
        let (low, high) = self.range.unwrap_or((score, score));
        self.range = Some((low.min(score), high.max(score)));
    }

    fn to_value(&self) -> Value {
        let (low, high) = self.range.unzip();
        json!({"tenths": self.steps, "without_score": self.without, "lowest": low.map(tidy), "highest": high.map(tidy)})
    }
}

/// 1 − sd/mean over the runs on one input, with the standard deviation of just these runs (divided by N). `None` for fewer
/// than two runs or a mean of zero.
pub(super) fn consistency(scores: &[f64]) -> Option<f64> {
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    if scores.len() < 2 || mean <= 0.0 {
        return None;
    }
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / n;
    Some(1.0 - variance.sqrt() / mean)
}

/// What in a case made a blocker: the question, the entity, the sentence, the path.
fn particulars(metric: &str, judgment: &Judgment) -> Value {
    let label = match metric {
        "qa.false_pass_rate" => "false_passes",
        "entity.config_adherence" => "not_configured",
        "entity.fabricated_entity_count" => "fabricated",
        "text.missing_label_count" => "labels_left_out",
        "text.call_intent_match" => "call_intent",
        "text.fabrication_free_rate" => "facts",
        "translation.domain_term_preservation" => "domain_terms",
        "translation.critical_fact_preservation" => "critical_facts",
        _ => "structure",
    };
    let found = judgment.labels.get(label).cloned().unwrap_or(Value::Null);
    let only = |items: &Value, wanted: &dyn Fn(&Value) -> bool| -> Value {
        items.as_array().map(|items| items.iter().filter(|item| wanted(item)).cloned().collect()).unwrap_or_default()
    };
    match label {
        "facts" => only(&found, &|fact| fact.get("support") == Some(&json!("neither"))),
        "domain_terms" => only(&found, &|term| term.get("preserved") == Some(&json!(false))),
        "critical_facts" => json!({
            "facts": only(found.get("facts").unwrap_or(&Value::Null), &|fact| fact.get("status") != Some(&json!("kept"))),
            "added": found.get("added"),
        }),
        _ => found,
    }
}
