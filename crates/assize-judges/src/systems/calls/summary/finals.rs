//! The final score by option A or B, cost, efficiency and rank.

use super::super::metrics::Section;
use super::super::settings::Settings;
use assize_core::judgment::tidy;
use assize_core::{Method, ScoreMetric, Scorecard};
use indexmap::IndexMap;
use serde_json::{Value, json};
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

struct Final {
    value: Option<f64>,
    weights: Vec<(Section, f64)>,
    not_run: Vec<&'static str>,
    undefined: Vec<&'static str>,
}

/// Σ weight × score over what was run, with the weights brought to a sum of 1. A score that is null makes it null.
fn weigh(card: &Scorecard, option: &[(Section, f64)], settings: &Settings) -> Final {
    let weight = |section: Section, own: f64| settings.weights.get(section.key()).copied().unwrap_or(own);
    let (run, not_run): (Vec<_>, Vec<_>) =
        option.iter().copied().partition(|(section, _)| card.metrics.contains_key(section.score()));
    let total: f64 = run.iter().map(|(section, own)| weight(*section, *own)).sum();
    let weights: Vec<(Section, f64)> = run
        .iter()
        .map(|(section, own)| (*section, if total > 0.0 { weight(*section, *own) / total } else { 0.0 }))
        .collect();
    let score = |section: Section| card.metrics.get(section.score()).and_then(|metric| metric.value);
    let undefined: Vec<&'static str> = weights
        .iter()
        .filter(|(section, weight)| *weight > 0.0 && score(*section).is_none())
        .map(|(section, _)| section.key())
        .collect();
    let defined = !weights.is_empty() && total > 0.0 && undefined.is_empty();
    let value = defined
        .then(|| tidy(weights.iter().map(|(section, weight)| weight * score(*section).unwrap_or_default()).sum()));
    Final { value, weights, not_run: not_run.iter().map(|(section, _)| section.key()).collect(), undefined }
}

/// Adds the final figures to the cards of all models.
pub(super) fn add(
    cards: &mut IndexMap<String, Scorecard>,
    costs: &BTreeMap<String, Option<(f64, u64)>>,
    settings: &Settings,
) {
    let cheapest = costs.values().flatten().map(|(cost, _)| *cost).min_by(f64::total_cmp);
    let mut efficiencies: BTreeMap<String, f64> = BTreeMap::new();
    for (name, card) in cards.iter_mut() {
        let with_benchmarks = card.metrics.contains_key(Section::Benchmark.score());
        let (a, b) = (weigh(card, &OPTION_A, settings), weigh(card, &OPTION_B, settings));
        let used = if with_benchmarks { &a } else { &b };
        let cost = costs.get(name).copied().flatten();
        // Nothing can be measured against a model that is free.
        let relative =
            cost.zip(cheapest.filter(|cheapest| *cheapest > 0.0)).map(|((cost, _), cheapest)| cost / cheapest);
        let efficiency = used.value.zip(relative).map(|(score, relative)| tidy(score / relative));
        if let Some(efficiency) = efficiency {
            efficiencies.insert(name.clone(), efficiency);
        }
        let method = used
            .weights
            .iter()
            .filter_map(|(section, _)| card.metrics.get(section.score()))
            .map(|metric| metric.method)
            .max();
        let method = method.unwrap_or(Method::Code);
        let scored = used.weights.len() as u64;
        let section = json!({
            "option": if with_benchmarks { "A" } else { "B" },
            "with_benchmarks": a.value.filter(|_| with_benchmarks), "without_benchmarks": b.value,
            "weights": used.weights.iter().map(|(section, weight)| (section.key().to_owned(), json!(tidy(*weight)))).collect::<serde_json::Map<String, Value>>(),
            "not_run": used.not_run, "undefined": used.undefined,
        });
        card.sections.insert("final".into(), section);
        for (metric, value, n, method) in [
            ("final.score", used.value, scored, method),
            ("final.cost_per_1000", cost.map(|(cost, _)| tidy(cost)), cost.map_or(0, |(_, calls)| calls), Method::Code),
            ("final.cost_efficiency", efficiency, u64::from(efficiency.is_some()), method),
        ] {
            card.metrics.insert(metric.to_owned(), figure(value, n, method));
        }
    }
    for (name, card) in cards.iter_mut() {
        let own = efficiencies.get(name);
        let rank = own.map(|own| 1.0 + efficiencies.values().filter(|other| *other > own).count() as f64);
        card.metrics.insert("final.rank".into(), figure(rank, efficiencies.len() as u64, Method::Code));
    }
}

fn figure(value: Option<f64>, n: u64, method: Method) -> ScoreMetric {
    ScoreMetric { value, n, rating: None, method, interval: None, bounds: None, counts: IndexMap::new() }
}
