//! What other settings would give.

use super::*;
use crate::systems::facts::reading::ValueReading;
use crate::systems::facts::whatif::{WhatIfCase, change, recompute, sweep};
use assize_core::what_if::read_range;

fn within(config: &JudgeConfig, tolerance: f64) -> JudgeConfig {
    JudgeConfig { numeric_tolerance_percent: tolerance, ..config.clone() }
}

fn steps(config: &JudgeConfig, range: &str) -> Vec<(f64, JudgeConfig)> {
    let values = read_range(range).expect("a range");
    values.into_iter().map(|value| (value, within(config, value))).collect()
}

fn cases() -> Vec<WhatIfCase> {
    let amount = |id: &str, value: u32| fact(id, "assets", json!({"value": value}));
    let records = [
        json!({"id": "a", "model": "one", "predicted_facts": [amount("p1", 102), amount("p2", 50)], "gold_facts": [amount("g1", 100), amount("g2", 53)]}),
        json!({"id": "a", "model": "two", "predicted_facts": [amount("p1", 100)], "gold_facts": [amount("g1", 100), amount("g2", 53)]}),
        json!({"id": "b", "model": "two", "predicted_facts": [amount("p1", 100)]}),
    ];
    records.into_iter().filter_map(|record| WhatIfCase::of(&case_of(record), ValueReading::default())).collect()
}

#[test]
fn other_settings_on_the_same_cases() {
    let cases = cases();
    assert_eq!(cases.len(), 2, "without gold facts there is nothing to recompute");
    let strict = recompute(&cases, &JudgeConfig::strict());
    assert_eq!((strict["one"].overall.f1, strict["two"].overall.precision), (Some(0.0), Some(1.0)));
    let wider = within(&JudgeConfig::strict(), 2.0);
    assert_eq!(recompute(&cases, &wider)["one"].overall.precision, Some(0.5));
    assert_eq!(json!(strict["two"])["by_type"]["assets"]["recall"], 0.5);
}

#[test]
fn a_curve_over_a_range() {
    let curve = sweep(&cases(), &steps(&JudgeConfig::strict(), "0..10:2"));
    let precision: Vec<f64> = curve.iter().map(|point| point.models["one"].overall.precision.unwrap()).collect();
    // 102 for 100 is 2 % off, 50 for 53 is 5.7 % off.
    assert_eq!(precision, [0.0, 0.5, 0.5, 1.0, 1.0, 1.0]);
}

#[test]
fn what_flipped_and_why() {
    let (strict, wider) = (JudgeConfig::strict(), within(&JudgeConfig::strict(), 2.0));
    let there = change((&cases(), &strict), (&cases(), &wider)).flips;
    assert_eq!(there.len(), 1);
    let flip = json!(there[0]);
    assert_eq!((&flip["predicted_id"], &flip["gold_id"], &flip["linked"]), (&json!("p1"), &json!("g1"), &json!(true)));
    assert_eq!(flip["fields"][0]["rule"], "number_within_tolerance");
    let back = change((&cases(), &wider), (&cases(), &strict)).flips;
    assert_eq!((back.len(), back[0].linked), (1, false));
}

#[test]
fn a_curve_is_what_each_of_its_points_would_be() {
    let lines = include_str!("../../../../examples/fact-extraction/cases.jsonl").lines();
    let records = lines.map(|line| serde_json::from_str(line).expect("JSON"));
    let cases: Vec<WhatIfCase> =
        records.filter_map(|record| WhatIfCase::of(&case_of(record), ValueReading::default())).collect();
    let whole = JudgeConfig { allow_partial_matches: false, ..JudgeConfig::lenient() };
    for config in [JudgeConfig::strict(), whole] {
        let steps = steps(&config, "0..20:0.5");
        let curve = sweep(&cases, &steps);
        let mut different = 0;
        for (point, (value, alone)) in curve.iter().zip(&steps) {
            assert_eq!((point.value, &point.models), (*value, &recompute(&cases, alone)), "{value}");
            different += usize::from(point.models != curve[0].models);
        }
        assert!(different > 5, "{}: the curve is flat, so nothing was tested", config.profile_name);
    }
}

#[test]
fn figures_of_a_change_are_those_of_its_ends() {
    let (strict, lenient) = (JudgeConfig::strict(), JudgeConfig::lenient());
    let change = change((&cases(), &strict), (&cases(), &lenient));
    assert_eq!(change.before, recompute(&cases(), &strict));
    assert_eq!(change.after, recompute(&cases(), &lenient));
    assert_ne!(change.before, change.after);
}

#[test]
fn a_pair_that_matches_better_changes_the_curve_too() {
    // Both predictions share the name with the gold fact, which makes a partial match; only one of them may have it. Within
    // the tolerance they match in full, and then the second is a duplicate and right as well.
    let pot = |id: &str, value: u32| fact(id, "assets", json!({"name": "pot", "value": value}));
    let record =
        json!({"id": "a", "predicted_facts": [pot("p1", 102), pot("p2", 103)], "gold_facts": [pot("g1", 100)]});
    let cases: Vec<WhatIfCase> = WhatIfCase::of(&case_of(record), ValueReading::default()).into_iter().collect();
    let curve = sweep(&cases, &steps(&JudgeConfig::lenient(), "0..5:1"));
    let right: Vec<u64> = curve.iter().map(|point| point.models["default"].overall.counts.tp_predicted).collect();
    assert_eq!(right, [1, 1, 1, 2, 2, 2]);
}
