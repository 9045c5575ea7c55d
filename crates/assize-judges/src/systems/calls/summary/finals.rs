//! The final score by option A or B, cost, efficiency and rank.
//!
//! A section that was not tested, or where nothing applies, leaves its weight to the others; one that is undecided leaves the
//! final score between bounds; an invalid one leaves none. A disqualified model has no rank. Costs are measured by the
//! cheapest model that is not free; a free model that scores at all is more efficient than any other.

use super::super::metrics::{Composed, Section};
use super::super::settings::Settings;
use assize_core::judgment::tidy;
use assize_core::{Bounds, Method, ScoreMetric, Scorecard};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Weights with the benchmarks.
const OPTION_A: [(Section, f64); 5] = [
    (Section::Qa, 0.25),
    (Section::Entity, 0.20),
    (Section::Text, 0.15),
    (Section::Translation, 0.10),
    (Section::Benchmark, 0.30),
];

/// Weights without the benchmarks, as printed; they are not exactly those of option A in proportion.
const OPTION_B: [(Section, f64); 4] =
    [(Section::Qa, 0.35), (Section::Entity, 0.30), (Section::Text, 0.20), (Section::Translation, 0.15)];

/// What the score of each section came to, and the cost of a model with the calls it was seen over.
pub(super) type ModelScores = (BTreeMap<Section, Composed>, Option<(f64, u64)>);

#[derive(Default)]
struct Final {
    range: Option<Bounds>,
    weights: Vec<(Section, f64)>,
    not_tested: Vec<&'static str>,
    not_applicable: Vec<&'static str>,
    undecided: Vec<&'static str>,
    invalid: Vec<&'static str>,
}

/// Σ weight × score over what was tested and applies, with the weights brought to a sum of 1.
fn weigh(scores: &BTreeMap<Section, Composed>, option: &[(Section, f64)], settings: &Settings) -> Final {
    let mut done = Final::default();
    let (mut worst, mut best) = (0.0, 0.0);
    for (section, own) in option {
        let weight = settings.weights.get(section.key()).copied().unwrap_or(*own);
        let state = match scores.get(section) {
            None => &mut done.not_tested,
            Some(Composed::NotApplicable) => &mut done.not_applicable,
            Some(score) => {
                done.weights.push((*section, weight));
                let Bounds(low, high) = score.range().unwrap_or(Bounds(0.0, 0.0));
                worst += weight * low;
                best += weight * high;
                match score {
                    _ if weight == 0.0 => continue,
                    Composed::Invalid(_) => &mut done.invalid,
                    Composed::Undecided(..) => &mut done.undecided,
                    _ => continue,
                }
            }
        };
        state.push(section.key());
    }
    let total: f64 = done.weights.iter().map(|(_, weight)| weight).sum();
    if total > 0.0 {
        done.weights.iter_mut().for_each(|(_, weight)| *weight /= total);
        done.range = done.invalid.is_empty().then(|| Bounds(tidy(worst / total), tidy(best / total)));
    }
    done
}

/// A model that may have a rank.
struct Runner {
    efficiency: Bounds,
    /// Whether it is certain that nothing disqualifies it.
    qualified: bool,
}

/// Adds the final figures to the cards of all models.
pub(super) fn add(
    cards: &mut IndexMap<String, Scorecard>,
    models: &BTreeMap<String, ModelScores>,
    settings: &Settings,
) {
    let costs = models.values().filter_map(|(_, cost)| cost.map(|(cost, _)| cost));
    let cheapest = costs.filter(|cost| *cost > 0.0).min_by(f64::total_cmp);
    let mut runners: BTreeMap<String, Runner> = BTreeMap::new();
    for (name, card) in cards.iter_mut() {
        let Some((scores, cost)) = models.get(name) else { continue };
        let with_benchmarks = scores.contains_key(&Section::Benchmark);
        let (a, b) = (weigh(scores, &OPTION_A, settings), weigh(scores, &OPTION_B, settings));
        let used = if with_benchmarks { &a } else { &b };
        let relative = cost.map(|(cost, _)| if cost > 0.0 { cost / cheapest.unwrap_or(cost) } else { 0.0 });
        // A score over no cost at all is more than any other, unless there is no score.
        let over = |score: f64, relative: f64| if score > 0.0 { tidy(score / relative) } else { 0.0 };
        let efficiency = used.range.zip(relative).map(|(range, cost)| Bounds(over(range.0, cost), over(range.1, cost)));
        if let Some(efficiency) = efficiency.filter(|_| !card.disqualified) {
            let undecided = card.sections.get("undecided_blockers").and_then(Value::as_array);
            runners.insert(name.clone(), Runner { efficiency, qualified: undecided.is_none_or(Vec::is_empty) });
        }
        let sections = used.weights.iter().filter_map(|(section, _)| card.metrics.get(section.score()));
        let method = sections.map(|metric| metric.method).max().unwrap_or(Method::Code);
        let scored = used.weights.len() as u64;
        card.sections.insert("final".into(), described(&a, &b, with_benchmarks));
        note(card, used);
        let known = |value: f64| Bounds(value, value);
        let finite = efficiency.filter(|Bounds(worst, best)| worst.is_finite() && best.is_finite());
        let cost_range = cost.map(|(cost, _)| known(cost));
        for (metric, range, n, method) in [
            ("final.score", used.range, scored, method),
            ("final.cost_per_1000", cost_range, cost.map_or(0, |(_, calls)| calls), Method::Code),
            ("final.cost_efficiency", finite, u64::from(finite.is_some()), method),
        ] {
            card.metrics.insert(metric.to_owned(), figure(range, n, method));
        }
    }
    for (name, card) in cards.iter_mut() {
        let rank = runners.get(name).filter(|own| own.qualified).map(|own| rank(own, name, &runners));
        card.metrics.insert("final.rank".into(), figure(rank, runners.len() as u64, Method::Code));
    }
}

/// The worst and the best place that a model can have among those that may be ranked.
fn rank(own: &Runner, name: &str, runners: &BTreeMap<String, Runner>) -> Bounds {
    let ahead = |is_ahead: &dyn Fn(&Runner) -> bool| {
        1.0 + runners.iter().filter(|(other, runner)| *other != name && is_ahead(runner)).count() as f64
    };
    let worst = ahead(&|other| other.efficiency.1 > own.efficiency.0);
    let best = ahead(&|other| other.qualified && other.efficiency.0 > own.efficiency.1);
    Bounds(worst, best)
}

fn described(a: &Final, b: &Final, with_benchmarks: bool) -> Value {
    let used = if with_benchmarks { a } else { b };
    let mut described = json!({
        "option": if with_benchmarks { "A" } else { "B" },
        "with_benchmarks": a.range.filter(|_| with_benchmarks).and_then(Bounds::settled),
        "without_benchmarks": b.range.and_then(Bounds::settled),
        "weights": used.weights.iter().map(|(section, weight)| (section.key().to_owned(), json!(tidy(*weight)))).collect::<Map<String, Value>>(),
        "not_tested": used.not_tested, "not_applicable": used.not_applicable,
        "undecided": used.undecided, "invalid": used.invalid,
    });
    let open = |range: Option<Bounds>| range.filter(|range| range.settled().is_none());
    let bounds =
        [("with_benchmarks", open(a.range).filter(|_| with_benchmarks)), ("without_benchmarks", open(b.range))];
    let bounds: Map<String, Value> =
        bounds.into_iter().filter_map(|(key, bounds)| Some((key.to_owned(), json!(bounds?)))).collect();
    if !bounds.is_empty() {
        described["bounds"] = Value::Object(bounds);
    }
    described
}

/// Says on the card what the final score is without.
fn note(card: &mut Scorecard, used: &Final) {
    let Some(Value::Array(notes)) = card.sections.get_mut("notes") else { return };
    for (what, sections, follows) in [
        ("Not tested", &used.not_tested, "their weight goes to the other tasks"),
        ("Not applicable", &used.not_applicable, "their weight goes to the other tasks"),
        ("Invalid", &used.invalid, "so there is no final score"),
    ] {
        if !sections.is_empty() {
            notes.push(json!(format!("{what}: {}; {follows}.", sections.join(", "))));
        }
    }
}

fn figure(range: Option<Bounds>, n: u64, method: Method) -> ScoreMetric {
    let mut figure =
        ScoreMetric { value: None, bounds: None, n, rating: None, method, interval: None, counts: IndexMap::new() };
    figure.settle(range);
    figure
}
