//! From pairs to systems: win rates with intervals, strengths, and who can be told apart.
//!
//! Prompts are resampled, not pairs: the pairs of one prompt share it, and succeed and fail together.

use super::score::{SAME_TEXT, WIN_RATE};
use crate::summary::{Figure, KEPT};
use assize_core::judgment::tidy;
use assize_core::table::NOTES;
use assize_core::{Case, ExtraSummary, Interval, Judgment, Method, Metric, ScoreMetric, Summary};
use assize_metrics::statistics::{Bootstrap, Resampled, bradley_terry};
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const WINS: &str = "wins";
pub(super) const LOSSES: &str = "losses";
pub(super) const TIES: &str = "ties";
pub(super) const INCONSISTENT: &str = "inconsistent";
pub(super) const RANK: &str = "rank";
pub(super) const STRENGTH: &str = "strength";

/// With fewer prompts than this, nobody is clearly ahead of anybody, and there is no interval.
const FEWEST_PROMPTS: usize = 10;

/// A judge whose verdict depends on the order in more than this share of the pairs is worth a note.
const MOST_INCONSISTENT: f64 = 0.1;

/// Replicates of the bootstrap.
const REPLICATES: usize = 2000;

/// The pairs so far.
#[derive(Default)]
pub(super) struct PairwiseSummary {
    /// Systems by name, each with its place in the order of their first pair.
    systems: IndexMap<String, ()>,
    /// The decided pairs of each prompt: the first system, the second, and what the first got out of 1.
    prompts: IndexMap<String, Vec<(usize, usize, f64)>>,
    /// What became of the pairs of two systems.
    met: BTreeMap<(String, String), Met>,
    method: Option<Method>,
    saved_calls: u64,
}

/// What became of the pairs of two systems.
#[derive(Default)]
struct Met {
    won: u64,
    lost: u64,
    ties: u64,
    inconsistent: u64,
}

impl PairwiseSummary {
    fn system(&mut self, name: &str) -> usize {
        self.systems.insert_full(name.to_owned(), ()).0
    }

    /// Wins of every system over every other, prompt by prompt; beyond [`KEPT`] prompts several share a row.
    fn rows(&self) -> Vec<Vec<f64>> {
        let systems = self.systems.len();
        let mut rows = vec![vec![0.0; systems * systems]; self.prompts.len().min(KEPT)];
        for (at, pairs) in self.prompts.values().enumerate() {
            let row = &mut rows[at % KEPT];
            for (one, other, points) in pairs {
                row[one * systems + other] += points;
                row[other * systems + one] += 1.0 - points;
            }
        }
        rows
    }

    /// The share of its decided pairs that a system won.
    fn win_rate(&self, system: usize) -> ScoreMetric {
        let mut figure = Figure::default();
        for pairs in self.prompts.values() {
            let own = pairs.iter().filter_map(|(one, other, points)| {
                (*one == system).then_some(*points).or((*other == system).then_some(1.0 - points))
            });
            let own: Vec<f64> = own.collect();
            if !own.is_empty() {
                figure.add(&Metric::rate(own.iter().sum(), own.len() as f64, self.method.unwrap_or(Method::Llm)));
            }
        }
        figure.finish()
    }

    fn count(&self, name: &str, count: impl Fn(&Met) -> (u64, u64)) -> ScoreMetric {
        let (mut total, mut of) = (0, 0);
        for ((first, second), met) in &self.met {
            let (as_first, as_second) = count(met);
            total += if first == name { as_first } else { 0 } + if second == name { as_second } else { 0 };
            if first == name || second == name {
                of += met.won + met.lost + met.ties + met.inconsistent;
            }
        }
        self.figure(Some(total as f64), of, None)
    }

    fn figure(&self, value: Option<f64>, n: u64, interval: Option<Interval>) -> ScoreMetric {
        let method = self.method.unwrap_or(Method::Llm);
        ScoreMetric { value: value.map(tidy), n, rating: None, method, interval, bounds: None, counts: IndexMap::new() }
    }
}

impl ExtraSummary for PairwiseSummary {
    fn add(&mut self, case: &Case, judgment: &Judgment) {
        let names: Vec<&str> = case.model.names().collect();
        let [first, second] = names[..] else { return };
        let (one, other) = (self.system(first), self.system(second));
        if let Some(metric) = judgment.metrics.get(WIN_RATE) {
            self.method = self.method.max(Some(metric.method));
        }
        // By the verdict and not by the points: those of a jury are a mean.
        let points = match judgment.verdict.as_deref() {
            Some(winner) if winner == first => Some(1.0),
            Some(winner) if winner == second => Some(0.0),
            Some("tie") => Some(0.5),
            _ => None,
        };
        // Two systems are the same pair whichever is named first.
        let swapped = second < first;
        let key = if swapped { (second, first) } else { (first, second) };
        let met = self.met.entry((key.0.to_owned(), key.1.to_owned())).or_default();
        match points.map(|points| if swapped { 1.0 - points } else { points }) {
            None => met.inconsistent += 1,
            Some(1.0) => met.won += 1,
            Some(0.0) => met.lost += 1,
            Some(_) => met.ties += 1,
        }
        // Nobody was asked in either order.
        self.saved_calls += if judgment.flags.iter().any(|flag| flag == SAME_TEXT) { 2 } else { 0 };
        let decided = self.prompts.entry(case.id.clone()).or_default();
        decided.extend(points.map(|points| (one, other, points)));
    }

    fn complete(self: Box<Self>, summary: &mut Summary) {
        let systems = self.systems.len();
        let rows = self.rows();
        let resampled = Resampled::draw(&rows, &Bootstrap { replicates: REPLICATES, ..Bootstrap::default() });
        let mut total = vec![0.0; systems * systems];
        rows.iter().for_each(|row| total.iter_mut().zip(row).for_each(|(sum, value)| *sum += value));
        let strengths = bradley_terry(&total, systems);
        let decided = self.prompts.values().filter(|pairs| !pairs.is_empty()).count();
        let interval = |figure: &dyn Fn(&[f64]) -> f64| {
            if decided < FEWEST_PROMPTS {
                return None;
            }
            let found = resampled.interval(|sums| bradley_terry(sums, systems).map(|strengths| figure(&strengths)))?;
            Some(Interval(tidy(found.low), tidy(found.high)))
        };
        let ranking = strengths.as_deref().map(|strengths| rank(strengths, &interval));
        for (system, name) in self.systems.keys().enumerate() {
            let card = summary.models.entry(name.clone()).or_default();
            let strength = strengths.as_ref().map(|strengths| strengths[system]);
            let place = ranking.as_ref().and_then(|ranking| ranking.iter().find(|place| place.system == system));
            let pairs = self.prompts.values().flatten().filter(|(one, other, _)| *one == system || *other == system);
            let pairs = pairs.count() as u64;
            card.metrics.insert(WIN_RATE.into(), self.win_rate(system));
            card.metrics.insert(WINS.into(), self.count(name, |met| (met.won, met.lost)));
            card.metrics.insert(LOSSES.into(), self.count(name, |met| (met.lost, met.won)));
            card.metrics.insert(TIES.into(), self.count(name, |met| (met.ties, met.ties)));
            card.metrics.insert(INCONSISTENT.into(), self.count(name, |met| (met.inconsistent, met.inconsistent)));
            let own = strength.and_then(|_| interval(&|strengths| strengths[system]));
            card.metrics.insert(STRENGTH.into(), self.figure(strength, pairs, own));
            let rank = place.map(|place| place.rank as f64);
            card.metrics.insert(RANK.into(), self.figure(rank, systems as u64, None));
        }
        let name = |system: usize| self.systems.get_index(system).map_or("", |(name, ())| name.as_str());
        let ranked: Vec<Value> = ranking
            .iter()
            .flatten()
            .map(|place| {
                json!({
                    "rank": place.rank, "model": name(place.system), "strength": tidy(place.strength),
                    "clearly_ahead_of_next": place.ahead,
                })
            })
            .collect();
        summary.sections.insert("ranking".into(), Value::Array(ranked));
        let pairs = self.met.iter().map(|((first, second), met)| {
            json!({
                "first": first, "second": second, "won": met.won, "lost": met.lost, "ties": met.ties,
                "inconsistent": met.inconsistent,
            })
        });
        summary.sections.insert("pairs".into(), pairs.collect());
        let all: u64 = self.met.values().map(|met| met.won + met.lost + met.ties + met.inconsistent).sum();
        let inconsistent: u64 = self.met.values().map(|met| met.inconsistent).sum();
        let mut notes = Vec::new();
        if inconsistent as f64 > MOST_INCONSISTENT * all as f64 {
            notes.push(format!(
                "In {inconsistent} of {all} pairs the verdict changed with the order; they count for nobody."
            ));
        }
        let shared = |place: &Place| place.ahead == Some(false);
        for (at, place) in ranking.iter().flatten().enumerate().filter(|(_, place)| shared(place)) {
            let next = ranking.as_ref().and_then(|ranking| ranking.get(at + 1)).map_or("", |next| name(next.system));
            notes.push(format!("{} and {next} cannot be told apart on these prompts.", name(place.system)));
        }
        if strengths.is_none() {
            let message = "Some systems have no decided pair with the others, so there is no common ranking.";
            notes.push(message.to_owned());
        }
        summary.saved_calls = self.saved_calls;
        if !notes.is_empty() {
            summary.sections.insert(NOTES.into(), json!(notes));
        }
    }
}

/// The interval of a figure that is made of the strengths.
type IntervalOf<'i> = &'i dyn Fn(&dyn Fn(&[f64]) -> f64) -> Option<Interval>;

/// A place in the ranking.
struct Place {
    system: usize,
    rank: usize,
    strength: f64,
    /// Whether it is clearly stronger than the next; `None` for the last.
    ahead: Option<bool>,
}

/// The systems by strength. One whose difference to its neighbour may be 0 shares the neighbour's rank.
fn rank(strengths: &[f64], interval: IntervalOf<'_>) -> Vec<Place> {
    let mut order: Vec<usize> = (0..strengths.len()).collect();
    order.sort_by(|one, other| strengths[*other].total_cmp(&strengths[*one]));
    let mut places: Vec<Place> = Vec::with_capacity(order.len());
    for (at, system) in order.iter().copied().enumerate() {
        let next = order.get(at + 1).copied();
        let ahead = next.map(|next| {
            interval(&|strengths| strengths[system] - strengths[next]).is_some_and(|Interval(low, _)| low > 0.0)
        });
        let rank = match places.last() {
            Some(before) if before.ahead != Some(true) => before.rank,
            _ => at + 1,
        };
        places.push(Place { system, rank, strength: strengths[system], ahead });
    }
    places
}
