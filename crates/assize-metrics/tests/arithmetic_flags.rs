//! The accusations of the arithmetic check on traces that were set aside while its rules were written, each read by a person.
//!
//! `arithmetic_flags.jsonl` has every statement that was called wrong there, how often, and whether it is. The figures are
//! those of `docs/arithmetic-check.md`: `cargo test -p assize-metrics --test arithmetic_flags -- --nocapture` prints them.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests show what they found")]

use assize_metrics::arithmetic::check;
use serde_json::Value;
use std::collections::BTreeMap;

/// Accused, and rightly: statements and how often they stand.
#[derive(Default)]
struct Tally {
    statements: (u64, u64),
    flags: (u64, u64),
}

#[test]
fn accusations_on_traces_that_were_set_aside() {
    let mut sets: BTreeMap<String, Tally> = BTreeMap::new();
    for line in include_str!("arithmetic_flags.jsonl").lines() {
        let flag: Value = serde_json::from_str(line).unwrap();
        let text = flag["in"].as_str().or(flag["statement"].as_str()).unwrap();
        let accused = check(text).iter().any(|equation| !equation.holds);
        let (wrong, times) = (flag["wrong"] == true, flag["times"].as_u64().unwrap());
        assert!(accused || !wrong, "no longer found: {text}");
        if accused {
            let tally = sets.entry(flag["set"].as_str().unwrap().to_owned()).or_default();
            for (count, by) in [(&mut tally.statements, 1), (&mut tally.flags, times)] {
                count.0 += by;
                count.1 += if wrong { by } else { 0 };
            }
        }
    }
    for (set, Tally { statements, flags }) in &sets {
        let precision = statements.1 as f64 / statements.0 as f64;
        eprintln!(
            "{set}: {} of {} statements rightly accused ({precision:.3}), {} of {} flags",
            statements.1, statements.0, flags.1, flags.0
        );
        assert!(precision >= 0.95, "{set}");
    }
}
