//! The judgments of one model, and the scorecard that follows.

use super::super::likeness::LikenessTally;
use super::super::metrics::{self, Composed, METRICS, Pooling, Row, Section, Task, binary_name, compose};
use super::super::settings::Settings;
use super::sums;
use crate::summary::KEPT;
use assize_core::judgment::tidy;
use assize_core::{
    Blocker, Bounds, Case, Fingerprint, Interval, Judgment, Method, Metric, Rating, ScoreMetric, Scorecard,
};
use assize_metrics::statistics::{Bootstrap, Resampled};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};

/// Replicates of the bootstrap.
const REPLICATES: usize = 2000;

/// As many cases are named with their particulars for each blocker; the ids of all are kept.
const DETAILED: usize = 20;

const UNDECIDED_NOTE: &str = "A figure such as 0.71 … 0.83 is undecided: something it rests on could not be judged. These are the worst and the best it can come to.";

/// Steps of the distribution of case scores.
const STEPS: usize = 10;

/// What the cases of a task came to.
#[derive(Default)]
struct TaskTally {
    cases: u64,
    invalid: u64,
    /// Cases whose judge did not answer.
    failed: u64,
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
    /// How many more may do so.
    undecided: usize,
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
    /// Their scores; one whose output is invalid has 0.
    scores: Vec<Bounds>,
    invalid: bool,
    /// What they add to the sums, all together.
    row: Vec<f64>,
    runs: f64,
}

impl Repeats {
    /// 1 − sd/mean of the scores; anything where one of them is undecided, and 0 where nothing but invalid runs is left.
    fn consistency(&self) -> Option<Bounds> {
        let scores: Option<Vec<f64>> = self.scores.iter().map(|score| score.settled()).collect();
        match scores {
            _ if self.scores.len() < 2 => None,
            None => Some(Bounds(0.0, 1.0)),
            Some(scores) => {
                consistency(&scores).or(self.invalid.then_some(0.0)).map(tidy).map(|value| Bounds(value, value))
            }
        }
    }
}

#[derive(Default)]
pub(super) struct ModelSummary {
    tasks: BTreeMap<Task, TaskTally>,
    /// Rows to resample: cases without repeats, folded together beyond [`KEPT`].
    rows: Vec<Vec<f64>>,
    clusters: usize,
    methods: HashMap<&'static str, Method>,
    counts: HashMap<&'static str, IndexMap<String, u64>>,
    worst: HashMap<&'static str, (Bounds, u64)>,
    breaches: HashMap<&'static str, Breaches>,
    /// What was repeated, by the id of the case.
    repeats: BTreeMap<String, Repeats>,
    benchmarks: bool,
    likeness: LikenessTally,
    cost: (f64, u64),
}

impl ModelSummary {
    /// Adds a case whose judge did not answer: what code knows of it holds, the rest is undecided.
    pub(super) fn add_failed(&mut self, case: &Case, known: &Judgment) {
        self.add(case, known);
        if let Some(task) = Task::named(case.text("task")) {
            self.tasks.entry(task).or_default().failed += 1;
        }
    }

    pub(super) fn add(&mut self, case: &Case, judgment: &Judgment) {
        let Some(task) = Task::named(case.text("task")) else { return };
        let score = judgment.metrics.get(task.score());
        let tally = self.tasks.entry(task).or_default();
        tally.cases += 1;
        let sound = judgment.value(task.structure()) == Some(1.0);
        tally.invalid += u64::from(!sound);
        tally.take_in(score.and_then(|score| score.value));
        if case.repetition().is_some() {
            // An output that has no score because of what it is scores nothing.
            let range = score.and_then(Metric::range).unwrap_or(Bounds(0.0, 0.0));
            self.add_repeat(case, sums::of(judgment), range, !sound);
        } else {
            self.add_row(sums::of(judgment));
        }
        self.likeness.add(judgment);
        for (name, metric) in &judgment.metrics {
            let Some(row) = metrics::row(name) else { continue };
            self.benchmarks |= row.section == Section::Benchmark;
            if metric.range().is_some() {
                let method = self.methods.entry(row.name).or_insert(metric.method);
                *method = (*method).max(metric.method);
            }
            let counts = self.counts.entry(row.name).or_default();
            for (count, value) in &metric.counts {
                *counts.entry(count.clone()).or_default() += value;
            }
            if let Some(range) = metric.range() {
                self.note_breach(row, range, case, judgment);
            }
        }
        if let Some(cost) = case.inputs.get("cost_usd").and_then(Value::as_f64).filter(|cost| cost.is_finite()) {
            self.cost = (self.cost.0 + cost, self.cost.1 + 1);
        }
    }

    fn add_row(&mut self, row: Vec<f64>) {
        match self.rows.get_mut(self.clusters % KEPT) {
            Some(sum) => sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value),
            None => self.rows.push(row),
        }
        self.clusters += 1;
    }

    fn add_repeat(&mut self, case: &Case, row: Vec<f64>, score: Bounds, invalid: bool) {
        let given: Vec<(&String, &Value)> = case
            .inputs
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "run" | "model_output" | "cost_usd"))
            .collect();
        let input = Fingerprint::of(&given);
        let repeats = self.repeats.entry(case.id.clone()).or_insert_with(|| Repeats {
            input: input.clone(),
            same_input: true,
            scores: Vec::new(),
            invalid: false,
            row: vec![0.0; sums::WIDTH],
            runs: 0.0,
        });
        repeats.same_input &= repeats.input == input;
        repeats.scores.push(score);
        repeats.invalid |= invalid;
        repeats.row.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        repeats.runs += 1.0;
    }

    /// The rows to resample: one for a call, however often it was run.
    fn all_rows(&self) -> Vec<Vec<f64>> {
        let mut all = Self { rows: self.rows.clone(), clusters: self.clusters, ..Self::default() };
        for repeats in self.repeats.values() {
            all.add_row(repeats.row.iter().map(|sum| sum / repeats.runs).collect());
        }
        all.rows
    }

    fn note_breach(&mut self, row: &'static Row, range: Bounds, case: &Case, judgment: &Judgment) {
        let Some(rule) = row.blocker.filter(|_| row.is_blocker()) else { return };
        let (worst, count) = self.worst.entry(row.name).or_insert((range, 0));
        let worse = |one: f64, other: f64| if row.lower_is_better() { one.max(other) } else { one.min(other) };
        *worst = Bounds(worse(worst.0, range.0), worse(worst.1, range.1));
        *count += 1;
        let value = range.1;
        let perfect = if row.lower_is_better() { range.0 <= 0.0 } else { range.0 >= 1.0 };
        if perfect {
            return;
        }
        let breaches = self.breaches.entry(row.name).or_default();
        let breached = row.breach_within(Some(range));
        match breached {
            Some(true) => breaches.cases.push(case.name().into_owned()),
            None => breaches.undecided += 1,
            Some(false) if row.pooling == Pooling::Worst && value > 0.0 => {
                breaches.warned.push(case.name().into_owned());
            }
            Some(false) => {}
        }
        breaches.imperfect.push(case.name().into_owned());
        if (breached == Some(true) || !rule.per_case) && breaches.details.len() < DETAILED {
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

    /// The scorecard, and what the score of every section came to; a section that is not there was not tested.
    pub(super) fn scorecard(&self, settings: &Settings) -> (Scorecard, BTreeMap<Section, Composed>) {
        let rows = self.all_rows();
        let mut total = vec![0.0; sums::WIDTH];
        rows.iter().for_each(|row| total.iter_mut().zip(row).for_each(|(sum, value)| *sum += value));
        let resampled = Resampled::draw(&rows, &Bootstrap { replicates: REPLICATES, ..Bootstrap::default() });
        let (mut card, mut scores) = (Scorecard::default(), BTreeMap::new());
        let breached = self.blockers(&total, settings, &mut card);
        let is_breached = |name: &str| breached.get(name).copied().unwrap_or(Some(false));
        let (mut tasks, mut warnings) = (Map::new(), Vec::new());
        for (task, tally) in &self.tasks {
            for row in metrics::of(task.section()) {
                let mut metric = self.figure(row, &total, &resampled);
                if row.pooling == Pooling::Composed {
                    let composed = self.composed(row, *task, &total, &is_breached);
                    metric.settle(composed.range());
                    metric.n = tally.cases - tally.invalid;
                    if row.name == task.score() {
                        scores.insert(task.section(), composed);
                    }
                }
                let range = metric.bounds.or(metric.value.map(|value| Bounds(value, value)));
                metric.rating = range.and_then(|range| row.rating_within(range));
                if is_breached(row.name) == Some(true) {
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
            let blockers: Vec<&str> = metrics::of(task.section())
                .map(|row| row.name)
                .filter(|name| is_breached(name) == Some(true))
                .collect();
            tasks.insert(
                task.key().to_owned(),
                json!({"cases": tally.cases, "structure_invalid": tally.invalid, "scored": tally.cases - tally.invalid,
                       "failed": tally.failed, "disqualified": !blockers.is_empty(), "blockers": blockers,
                       "score_is_null": scores.get(&task.section()).and_then(Composed::reason),
                       "distribution": tally.to_value()}),
            );
        }
        card.disqualified = !card.blockers.is_empty();
        if self.benchmarks {
            scores.insert(Section::Benchmark, self.add_benchmarks(&total, &resampled, &mut card));
        }
        card.sections.insert("tasks".into(), Value::Object(tasks));
        card.sections.insert("warnings".into(), Value::Array(warnings));
        let undecided: Vec<&str> =
            breached.iter().filter(|(_, breached)| breached.is_none()).map(|(name, _)| *name).collect();
        card.sections.insert("undecided_blockers".into(), json!(undecided));
        let notes = self.notes(&card);
        card.sections.insert("notes".into(), json!(notes));
        (card, scores)
    }

    /// What a reader of the scorecard must know about its figures.
    fn notes(&self, card: &Scorecard) -> Vec<String> {
        let mut notes = self.likeness.notes();
        if card.metrics.values().any(|metric| metric.value.is_some() && metric.method == Method::Rules) {
            notes.push("Figures marked `rules` come from rules that stand in for a judge model.".to_owned());
        }
        if card.metrics.values().any(|metric| metric.bounds.is_some()) {
            notes.push(UNDECIDED_NOTE.to_owned());
        }
        let failed: u64 = self.tasks.values().map(|tally| tally.failed).sum();
        if failed > 0 {
            notes.push(format!("{failed} of the calls could not be judged; what code knows of them is counted."));
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
        let range = worst.map(|(worst, _)| *worst).or_else(|| sums::range(total, row));
        let method = if row.pooling == Pooling::Composed {
            self.method_of_parts(row)
        } else {
            self.methods.get(row.name).copied()
        };
        let interval = range.and_then(Bounds::settled).and_then(|_| resampled.interval(|sums| sums::value(sums, row)));
        let mut metric = ScoreMetric {
            value: None,
            n: worst.map_or_else(|| sums::out_of(total, row), |(_, cases)| *cases),
            bounds: None,
            rating: None,
            method: method.unwrap_or(Method::Code),
            interval: interval.map(|interval| Interval(tidy(interval.low), tidy(interval.high))),
            counts: self.counts.get(row.name).cloned().unwrap_or_default(),
        };
        metric.settle(range);
        metric
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
    /// make it invalid while others are left; the others that its formula names do.
    fn composed(
        &self,
        row: &'static Row,
        task: Task,
        total: &[f64],
        breached: &dyn Fn(&str) -> Option<bool>,
    ) -> Composed {
        if self.tasks.get(&task).is_some_and(|tally| tally.invalid == tally.cases) {
            return Composed::Invalid(vec![task.structure()]);
        }
        compose(row.name, &|name| sums::named(total, name), &|other| {
            if other.name == task.structure() { Some(false) } else { breached(other.name) }
        })
    }

    /// Which blockers are breached, `None` where that is undecided. The breaches are also put on the card.
    fn blockers(
        &self,
        total: &[f64],
        settings: &Settings,
        card: &mut Scorecard,
    ) -> BTreeMap<&'static str, Option<bool>> {
        let (mut all, mut details) = (BTreeMap::new(), Vec::new());
        for row in METRICS.iter().filter(|row| row.is_blocker()) {
            let (Some(rule), Some(breaches)) = (row.blocker, self.breaches.get(row.name)) else { continue };
            let pooled = sums::range(total, row);
            let cases =
                self.tasks.iter().find(|(task, _)| task.section() == row.section).map_or(0, |(_, tally)| tally.cases)
                    as f64;
            let breached = if rule.per_case {
                let certain = breaches.cases.len() as f64;
                Bounds(certain + breaches.undecided as f64, certain)
                    .both(|cases_in_breach| cases_in_breach > settings.blocker_tolerance * cases)
            } else {
                row.breach_within(pooled)
            };
            all.insert(row.name, breached);
            if breached != Some(true) {
                continue;
            }
            // The best that it can come to breaches it.
            let worst = self.worst.get(row.name).map(|(worst, _)| worst.1);
            let value = pooled.map(|range| range.1).filter(|value| rule.breach.holds(*value)).or(worst).map(tidy);
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
        all
    }

    fn add_benchmarks(&self, total: &[f64], resampled: &Resampled, card: &mut Scorecard) -> Composed {
        let (mut passed, mut applicable, mut method) = (0u64, 0u64, Method::Code);
        let mut undecided = Vec::new();
        for row in metrics::benchmarks() {
            let mut metric = self.figure(row, total, resampled);
            if row.pooling == Pooling::Repeats {
                let repeated = self.repeats.values().filter(|repeats| repeats.same_input);
                let figures: Vec<Bounds> = repeated.filter_map(Repeats::consistency).collect();
                let mean = |end: fn(&Bounds) -> f64| figures.iter().map(end).sum::<f64>() / figures.len() as f64;
                metric.n = figures.len() as u64;
                metric.settle((!figures.is_empty()).then(|| Bounds(mean(|range| range.0), mean(|range| range.1))));
                metric.method = self
                    .methods
                    .iter()
                    .filter(|(name, _)| name.ends_with(".score"))
                    .map(|(_, method)| *method)
                    .max()
                    .unwrap_or(Method::Code);
            }
            let range = metric.bounds.or(metric.value.map(|value| Bounds(value, value)));
            metric.rating = range.and_then(|range| row.rating_within(range));
            let pass = metric.rating.map(|rating| rating == Rating::Good);
            let mut binary =
                ScoreMetric { value: None, rating: None, interval: None, counts: IndexMap::new(), ..metric.clone() };
            if range.is_some() {
                applicable += 1;
                passed += u64::from(pass == Some(true));
                method = method.max(metric.method);
                if pass.is_none() {
                    undecided.push(row.name);
                }
                let either = Bounds(0.0, 1.0);
                binary.settle(Some(
                    pass.map_or(either, |pass| Bounds(f64::from(u8::from(pass)), f64::from(u8::from(pass)))),
                ));
            }
            card.metrics.insert(row.name.to_owned(), metric);
            card.metrics.insert(binary_name(row.name), binary);
        }
        let share = |passed: u64| tidy(passed as f64 / applicable as f64);
        let bounds = Bounds(share(passed), share(passed + undecided.len() as u64));
        let composed = match bounds.settled() {
            _ if applicable == 0 => Composed::NotApplicable,
            Some(value) => Composed::Score(value),
            None => Composed::Undecided(bounds, undecided),
        };
        let counts = [("passed".to_owned(), passed), ("applicable".to_owned(), applicable)].into_iter().collect();
        let mut score =
            ScoreMetric { value: None, n: applicable, rating: None, method, interval: None, bounds: None, counts };
        score.settle(composed.range());
        score.rating =
            composed.range().and_then(|range| metrics::row(Section::Benchmark.score())?.rating_within(range));
        card.metrics.insert(Section::Benchmark.score().to_owned(), score);
        composed
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

/// 1 − sd/mean over the runs on one input, with the standard deviation of just these runs (divided by N), and no less than
/// 0. `None` for fewer than two runs or a mean of zero.
pub(super) fn consistency(scores: &[f64]) -> Option<f64> {
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    if scores.len() < 2 || mean <= 0.0 {
        return None;
    }
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / n;
    Some((1.0 - variance.sqrt() / mean).max(0.0))
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
