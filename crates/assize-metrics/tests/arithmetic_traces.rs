//! The arithmetic check against people's marks on 80 reasoning traces (BIG-Bench Mistake).
//!
//! The figures are those of `docs/arithmetic-check.md`; a change of them is a change of that page.
//! `cargo test -p assize-metrics --test arithmetic_traces -- --nocapture` shows every trace on
//! which the check and the people differ.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests read data and show what they found"
)]

use std::fs;

use assize_metrics::arithmetic::check;
use assize_testkit::outside::shared_data;
use serde_json::Value;

/// How often the check and the people agree.
#[derive(Debug, Default, PartialEq)]
struct Agreement {
    both: usize,
    only_check: usize,
    only_people: usize,
    neither: usize,
    same_step: usize,
}

#[test]
fn first_wrong_step_of_real_traces() {
    let Some(file) = shared_data("bigbench_mistake/multistep_arithmetic_80.jsonl") else { return };
    let mut agreement = Agreement::default();
    let (mut checked, mut steps_seen) = (0, 0);
    for line in fs::read_to_string(file).unwrap().lines() {
        let trace: Value = serde_json::from_str(line).unwrap();
        let steps: Vec<&str> = trace["steps"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
        steps_seen += steps.len();
        let marked = trace["mistake_index"].as_u64().map(|index| index as usize);
        let mut found = None;
        for (index, step) in steps.iter().enumerate() {
            let equations = check(step);
            checked += equations.len();
            if let Some(wrong) = equations.iter().find(|equation| !equation.holds) {
                found.get_or_insert((index, wrong.text.clone()));
            }
        }
        let found_index = found.as_ref().map(|(index, _)| *index);
        match (found_index, marked) {
            (Some(index), Some(marked)) => {
                agreement.both += 1;
                agreement.same_step += usize::from(index == marked);
            }
            (Some(_), None) => agreement.only_check += 1,
            (None, Some(_)) => agreement.only_people += 1,
            (None, None) => agreement.neither += 1,
        }
        if found_index != marked {
            eprintln!("{}\n  people {marked:?}, check {found:?}\n  {}", trace["input"], steps.join("\n  "));
        }
    }
    eprintln!("{agreement:?}, {checked} equations in {steps_seen} steps");
    assert_eq!((checked, steps_seen), (874, 390));
    assert_eq!(agreement, Agreement { both: 62, only_check: 3, only_people: 2, neither: 13, same_step: 62 });
}
