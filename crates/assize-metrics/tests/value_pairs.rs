//! Values that are the same in other words, and values that are close and are not: how often the rules tell.
//!
//! `cargo test -p assize-metrics --test value_pairs -- --nocapture` prints precision and recall, on the pairs that the rules
//! were tuned on and on those that were held out, and every pair that is judged wrongly.
#![expect(clippy::print_stdout, reason = "its figures are what it is run for")]

use assize_metrics::values::{FieldKind, Granularity, Prepared, Reading, Rules, Value, compare};

const PAIRS: &str = include_str!("data/value_pairs.tsv");

/// As the profile `lenient` compares, with dates to the day.
const RULES: Rules =
    Rules { tolerance_percent: 5.0, granularity: Granularity::Day, ignore_case: true, ignore_wording: true };

#[derive(Debug)]
struct Pair {
    same: bool,
    held_out: bool,
    kind: &'static str,
    field: &'static str,
    one: &'static str,
    other: &'static str,
}

fn pairs() -> Vec<Pair> {
    let lines = PAIRS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| match line.split('\t').collect::<Vec<_>>().as_slice() {
            [expected @ ("same" | "different"), set @ ("tuned" | "held_out"), kind, field, one, other] => {
                Pair { same: *expected == "same", held_out: *set == "held_out", kind, field, one, other }
            }
            _ => panic!("six columns: {line}"),
        })
        .collect()
}

fn judged_same(pair: &Pair) -> bool {
    let reading = Reading { kind: FieldKind::of_name(pair.field), ..Reading::default() };
    let read = |text: &str| Prepared::of(&Value::Text(text.to_owned()), reading);
    let (one, other) = (read(pair.one), read(pair.other));
    let equal = compare(&one, &other, &RULES).equal;
    assert_eq!(equal, compare(&other, &one, &RULES).equal, "either way round: {pair:?}");
    equal
}

#[test]
fn precision_and_recall() {
    let pairs = pairs();
    let count = |same: bool| pairs.iter().filter(|pair| pair.same == same).count();
    assert!(count(true) >= 90 && count(false) >= 90);
    for held_out in [false, true] {
        let (mut hits, mut found, mut expected) = (0, 0, 0);
        for pair in pairs.iter().filter(|pair| pair.held_out == held_out) {
            let same = judged_same(pair);
            hits += u32::from(same && pair.same);
            found += u32::from(same);
            expected += u32::from(pair.same);
            if same != pair.same {
                let said = if same { "called the same" } else { "missed" };
                println!("  {said}: {} [{}: {}] {}", pair.one, pair.kind, pair.field, pair.other);
            }
        }
        let (precision, recall) = (f64::from(hits) / f64::from(found), f64::from(hits) / f64::from(expected));
        let set = if held_out { "held out" } else { "tuned on" };
        assert!(precision >= 0.98 && recall >= 0.93, "{set}: precision {precision}, recall {recall}");
        println!("{set}: precision {precision:.3} ({hits}/{found}), recall {recall:.3} ({hits}/{expected})");
    }
}
