//! Hearing across scripts on a list that was written down first. `cargo test -p assize-metrics --test hearing -- --nocapture`
//! prints precision and recall by script, for the lines that the rules were tuned on and for those held out.

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

use assize_metrics::script::sounds_alike;
use std::collections::BTreeMap;

#[derive(Default)]
struct Counts {
    right: u32,
    heard: u32,
    same: u32,
    lines: u32,
}

impl Counts {
    fn precision(&self) -> f64 {
        f64::from(self.right) / f64::from(self.heard.max(1))
    }

    fn recall(&self) -> f64 {
        f64::from(self.right) / f64::from(self.same.max(1))
    }
}

#[test]
fn what_is_heard_is_mostly_there_and_mostly_found() {
    let mut counts: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for line in include_str!("../data/hearing_pairs.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [script, term, words, same] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        let nth = seen.entry(script).or_default();
        *nth += 1;
        let set = if *nth % 2 == 1 { "tuned on" } else { "held out" };
        let (heard, same) = (sounds_alike(term, words), same == "yes");
        if heard != same && set == "tuned on" {
            println!("{script}: {term} {words} {}", if same { "not heard" } else { "heard wrongly" });
        }
        for (key, set) in [(script, set), ("all", set)] {
            let counts = counts.entry((key, set)).or_default();
            counts.lines += 1;
            counts.same += u32::from(same);
            counts.heard += u32::from(heard);
            counts.right += u32::from(heard && same);
        }
    }
    for ((script, set), counts) in &counts {
        println!(
            "{script:10} {set}: precision {:.3}, recall {:.3} on {} pairs",
            counts.precision(),
            counts.recall(),
            counts.lines
        );
    }
    assert!(
        counts.iter().filter(|((script, _), _)| *script == "all").map(|(_, counts)| counts.lines).sum::<u32>() >= 150
    );
    for set in ["tuned on", "held out"] {
        let all = &counts[&("all", set)];
        assert!(all.precision() >= 0.95 && all.recall() >= 0.8, "{set}: {} {}", all.precision(), all.recall());
    }
}
