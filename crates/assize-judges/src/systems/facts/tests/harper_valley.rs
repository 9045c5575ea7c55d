//! Gold slots against what agents typed, on 30 real calls to a bank (Gridspace-Stanford Harper Valley, CC BY 4.0).
//!
//! Each slot of a call's task is a gold fact, each slot the agent filled in is a predicted fact. Punctuation and case are
//! forgiven first, numbers are read next; every pair that becomes right on the way is listed, and none of them has a digit
//! that differs.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the test reads real data and shows what it found"
)]

use super::*;
use crate::systems::facts::reading::ValueReading;
use crate::systems::facts::whatif::{Flip, ModelFigures, WhatIfCase, change, recompute};
use assize_testkit::outside::shared_data;
use std::path::{Path, PathBuf};

fn slots(side: &str, call: &str, tasks: &[Value]) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for (task, slots) in tasks.iter().enumerate() {
        for (slot, value) in slots.as_object().into_iter().flatten() {
            let fields = json!({ "value": value });
            facts.push(Fact {
                id: format!("{call}-{side}{task}-{}", slot.replace(' ', "_")),
                fact_type: slot.clone(),
                fields: fields.as_object().unwrap().clone(),
            });
        }
    }
    facts
}

fn calls(folder: &Path, reading: ValueReading) -> Vec<WhatIfCase> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| {
            let call: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
            let id = file.file_stem().unwrap().to_string_lossy()[..6].to_owned();
            let typed: Vec<Value> = call["agent"]["responses"]
                .as_array()
                .unwrap()
                .iter()
                .map(|response| response["data"].clone())
                .collect();
            let predicted = slots("p", &id, &typed);
            let gold = slots("g", &id, call["tasks"].as_array().unwrap());
            WhatIfCase::of_facts(id, "agents".into(), predicted, gold, reading)
        })
        .collect()
}

fn digits(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // ".00" says nothing; any other digit counts.
    text.strip_suffix(".00").unwrap_or(&text).chars().filter(char::is_ascii_digit).collect()
}

#[test]
fn figures_rise_step_by_step_and_no_digit_is_forgiven() {
    let Some(folder) = shared_data("harper_valley/metadata") else { return };
    let plain = ValueReading { numbers: false, dates: false, ..ValueReading::default() };
    let (plain, calls) = (calls(&folder, plain), calls(&folder, ValueReading::default()));
    assert_eq!(calls.len(), 30);
    let forgiving =
        JudgeConfig { ignore_minor_wording_diffs: true, case_insensitive_strings: true, ..JudgeConfig::strict() };
    let strict = JudgeConfig::strict();
    let steps = [(&*plain, &strict), (&*plain, &forgiving), (&*calls, &forgiving)];
    let figures: Vec<ModelFigures> =
        steps.iter().map(|(calls, config)| recompute(calls, config)["agents"].clone()).collect();
    let mut changed = Vec::new();
    for pair in steps.windows(2) {
        let flips: Vec<Flip> = change(pair[0], pair[1]).flips;
        for flip in &flips {
            assert!(flip.linked, "nothing that was right becomes wrong: {flip:?}");
            for field in &flip.fields {
                assert_eq!(digits(&field.predicted), digits(&field.gold), "{flip:?}");
            }
        }
        changed.push(
            flips
                .iter()
                .map(|flip| format!("{} {} = {}", flip.case, flip.fields[0].predicted, flip.fields[0].gold))
                .collect::<Vec<_>>(),
        );
    }
    for (step, figures) in figures.iter().enumerate() {
        println!("step {step}: {}", json!(figures.overall));
    }
    println!("{changed:#?}");
    let f1: Vec<f64> = figures.iter().map(|figures| figures.overall.f1.unwrap()).collect();
    assert!(f1[0] < f1[1] && f1[1] < f1[2], "{f1:?}");
    let counts: Vec<[u64; 4]> = figures
        .iter()
        .map(|figures| {
            let counts = figures.overall.counts;
            [counts.tp_predicted, counts.fp, counts.tp_gold, counts.fn_]
        })
        .collect();
    assert_eq!(counts, RECORDED_COUNTS);
    assert_eq!(changed, RECORDED_CHANGES);
    // What stays wrong although it looks alike: transposed and repeated digits.
    let last = recompute(&calls, &forgiving);
    assert_eq!(last["agents"].by_type["home_address"].counts.fp, 1);
    let wrong: Vec<&WhatIfCase> =
        calls.iter().filter(|call| ["434143", "55c41b"].contains(&call.id.as_str())).collect();
    for call in wrong {
        let one = [call.clone()];
        let kinds = recompute(&one, &JudgeConfig::lenient());
        let address = if call.id == "434143" { "company_address" } else { "home_address" };
        assert_eq!(kinds["agents"].by_type[address].counts.fp, 1, "{}", call.id);
    }
}

/// Predictions right and wrong, gold facts found and missed, at each step: F1 0.689, 0.730, 0.784.
const RECORDED_COUNTS: [[u64; 4]; 3] = [[51, 16, 51, 30], [54, 13, 54, 27], [58, 9, 58, 23]];

/// Every pair that changed from wrong to right: with punctuation and case forgiven, then with numbers read.
const RECORDED_CHANGES: [&[&str]; 2] = [
    &[
        r#"29e01c "smart electric" = "Smart Electic""#,
        r#"29e01c "795 first street, forest ranch, ca, 14052" = "795 First Street, Forest Ranch, California, 14052""#,
        r#"dca9de "331 First Street Harper Valley Oregon 10167" = "331 First Street, Harper Valley, Oregon, 10167""#,
    ],
    &[
        r#"5e6f88 "0821665364" = "082-166-5364""#,
        r#"77c453 "1217704234" = "121-770-4234""#,
        r#"e5d7be "3508871777" = "350-887-1777""#,
        r#"f58e46 "126.00" = 126"#,
    ],
];
