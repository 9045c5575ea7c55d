//! The rule matcher on large cases: that they come out right. How long they take is measured by `bench/run.py`.

use super::*;
use crate::systems::facts::result::{GoldStatus, PredictedStatus};

fn many(prefix: &str, count: usize, value: impl Fn(usize) -> Value) -> Vec<Fact> {
    let fields = |number: usize| value(number).as_object().unwrap().clone();
    (0..count)
        .map(|number| Fact { id: format!("{prefix}{number}"), fact_type: "assets".into(), fields: fields(number) })
        .collect()
}

/// How many predictions were right and how many gold facts were found.
fn counted(predicted: &[Fact], gold: &[Fact], config: &JudgeConfig) -> (usize, usize) {
    let matching = match_facts(predicted, gold, config);
    let right = matching
        .result
        .predicted_facts
        .iter()
        .filter(|fact| fact.status == Some(PredictedStatus::TruePositive))
        .count();
    let found = matching.result.gold_facts.iter().filter(|fact| fact.status == Some(GoldStatus::TruePositive)).count();
    (right, found)
}

#[test]
fn two_thousand_facts_on_each_side() {
    let size = 2000;
    let lenient = JudgeConfig::lenient();
    let distinct = |number: usize| json!({"what": format!("Fund number {number}"), "value": 1000 + 37 * number, "bank": "Hill & Co."});
    let (right, found) = counted(&many("p", size, distinct), &many("g", size, distinct), &JudgeConfig::strict());
    assert_eq!((right, found), (size, size));
    let (right, found) = counted(
        &many("p", size, |_| json!({"what": "fund", "value": 5})),
        &many("g", size, |_| json!({"what": "fund", "value": 5})),
        &lenient,
    );
    assert_eq!((right, found), (size, size));
    // Every amount fits its neighbours within the tolerance: one group, every likeness another.
    let close = |number: usize| json!({"value": 100_000 + number * 7});
    let wide = JudgeConfig { numeric_tolerance_percent: 5.0, ..JudgeConfig::strict() };
    let (right, found) = counted(&many("p", size, |number| close(number + 3)), &many("g", size, close), &wide);
    assert_eq!((right, found), (size, size));
}

#[test]
fn a_hundred_thousand_pairs() {
    let config = JudgeConfig::lenient();
    let mut right = 0;
    // A thousand cases of ten facts on each side.
    for case in 0..1000 {
        let value = |number: usize| json!({"what": format!("Fund {number}"), "value": format!("£{},000", case + number + 1), "since": "March 2024"});
        let matching = match_facts(&many("p", 10, value), &many("g", 10, value), &config);
        right += matching.links.len();
    }
    assert_eq!(right, 10_000);
}
