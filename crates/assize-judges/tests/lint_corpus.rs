//! Precision and recall of the linter on a labelled corpus, half of which is held out.
//!
//! `cargo test -p assize-judges --test lint_corpus -- --nocapture` prints the figures; `data/lint/README.md` says what the
//! corpus is and how it is split. Mistakes are printed for the tuning half only.

#![expect(clippy::print_stdout, reason = "the figures are what this test is for")]

use assize_core::SourceFile;
use assize_judges::systems::behaviour::lint::lint;
use std::collections::{BTreeMap, BTreeSet};

const LISTS: &str = include_str!("data/lint/lists.txt");
const SECOND: &str = include_str!("data/lint/lists_second.txt");
const THIRD: &str = include_str!("data/lint/lists_third.txt");
const FOURTH: &str = include_str!("data/lint/lists_fourth.txt");
const SPLIT: &str = include_str!("data/lint/lists_split.txt");
const MUTATIONS: &str = include_str!("data/lint/mutations.txt");
const FILES: [(&str, &str); 10] = [
    ("handover", include_str!("data/lint/files/handover_prompt.md")),
    ("refund", include_str!("data/lint/files/refund_prompt.md")),
    ("bug_report", include_str!("data/lint/files/bug_report_prompt.md")),
    ("notice_period", include_str!("data/lint/files/notice_period_prompt.md")),
    ("itinerary", include_str!("data/lint/files/itinerary_prompt.md")),
    ("revenue", include_str!("data/lint/files/revenue_prompt.md")),
    ("cause_of_loss", include_str!("data/lint/files/cause_of_loss_prompt.md")),
    ("escalation", include_str!("data/lint/files/escalation_prompt.md")),
    ("job_ad", include_str!("data/lint/files/job_ad_prompt.md")),
    ("allergen", include_str!("data/lint/files/allergen_prompt.md")),
];

/// A prompt and what should be found in it: rules with lines.
struct Labelled {
    name: String,
    held_out: bool,
    text: String,
    expected: BTreeSet<(String, u32)>,
}

/// The blocks of a corpus file: number, name and lines.
fn blocks(text: &str) -> impl Iterator<Item = (u32, &str, Vec<&str>)> {
    text.split("\n@ ").map(|block| {
        let mut lines = block.lines().filter(|line| !line.is_empty());
        let head = lines.next().expect("a head").trim_start_matches("@ ");
        let (number, name) = head.split_once(' ').expect("a number and a name");
        (number.parse().expect("a number"), name, lines.collect())
    })
}

fn is_held_out(number: u32) -> bool {
    matches!(number % 4, 3 | 0)
}

fn lists(text: &str) -> Vec<Labelled> {
    blocks(text).map(|(number, domain, lines)| list(number, domain, &lines)).collect()
}

/// A list as a whole prompt, with neutral text where it gives none.
fn list(number: u32, domain: &str, lines: &[&str]) -> Labelled {
    let of = |mark: char| -> Vec<&str> {
        lines.iter().filter_map(|line| line.strip_prefix(mark)).map(|text| text.trim()).collect()
    };
    let heading = |mark: &str, usual: &str| {
        let own = lines.iter().find_map(|line| line.strip_prefix(mark)).map_or(usual, str::trim);
        format!("{own}:")
    };
    let mut text: Vec<String> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let say = |text: &mut Vec<String>, lines: &str| text.extend(lines.lines().map(str::to_owned));
    say(
        &mut text,
        "SYSTEM: You compare an output with the ground truth.\n\n---\n\nBEHAVIOR: as_expected\n\nDESCRIPTION:",
    );
    places.insert("?".into(), text.len() + 1);
    say(&mut text, of('?').first().copied().unwrap_or("Whether the output is as expected."));
    say(&mut text, "\nEVALUATION SCOPE:\nInclude:\n- The whole output.\nIgnore:\n- Fonts.\n\nRUBRIC\n");
    for (mark, head, usual, neutral) in [
        ('-', "F:", "Automatic fail if any of the following are true", "The output cannot be opened."),
        ('+', "P:", "Pass conditions (all must be satisfied)", "The output agrees with the ground truth."),
        ('~', "", "Acceptable variations (still treated as pass)", "British or American spelling."),
    ] {
        places.insert(head.trim_end_matches(':').to_owned(), text.len() + 1);
        text.push(if head.is_empty() { format!("{usual}:") } else { heading(head, usual) });
        let items = of(mark);
        let items = if items.is_empty() { vec![neutral] } else { items };
        for (index, item) in (1..).zip(items) {
            places.insert(format!("{mark}{index}"), text.len() + 1);
            let sign = if mark == '+' { format!("{index}.") } else { "-".to_owned() };
            text.push(format!("{sign} {item}").trim_end().to_owned());
        }
        text.push(String::new());
    }
    say(
        &mut text,
        "Uncertainty policy:\nIf the evidence does not decide, set pass = false and say so in the reason.\n",
    );
    say(&mut text, "---\n\nINPUTS\n\nGROUND_TRUTH:\n{a}\n\nSOURCE_NARRATIVE:\n{b}\n\nCANDIDATE_OUTPUT:\n{c}");
    let expected = lines.iter().filter_map(|line| line.strip_prefix("! ")).map(|label| {
        let (rule, place) = label.split_once(' ').expect("a rule and a place");
        let line = places.get(place).unwrap_or_else(|| panic!("list {number} has no {place}"));
        (rule.to_owned(), u32::try_from(*line).expect("a small number"))
    });
    let expected = expected.collect();
    Labelled {
        name: format!("list {number} ({domain})"),
        held_out: is_held_out(number),
        text: text.join("\n") + "\n",
        expected,
    }
}

fn mutations() -> Vec<Labelled> {
    blocks(MUTATIONS).map(|(number, base, lines)| mutation(number, base, &lines)).collect()
}

fn mutation(number: u32, base: &str, lines: &[&str]) -> Labelled {
    let (_, original) = FILES.iter().find(|(name, _)| *name == base).expect("a file");
    let mut text = (*original).to_owned();
    let mut rest = lines;
    while rest.first().is_some_and(|line| line.starts_with('<')) {
        let of = |mark: char, lines: &[&str]| -> Vec<String> {
            lines.iter().map_while(|line| line.strip_prefix(mark)).map(|line| line.trim().to_owned() + "\n").collect()
        };
        let old = of('<', rest);
        let new = of('>', &rest[old.len()..]);
        rest = &rest[old.len() + new.len()..];
        let (old, new) = (old.concat(), new.concat());
        assert!(text.contains(&old), "mutation {number}: not in the file: {old}");
        text = text.replacen(&old, &new, 1);
    }
    let expected = rest.iter().map(|label| {
        let (rule, place) = label.trim_start_matches("! ").split_once(" | ").expect("a rule and a line");
        let (wanted, nth) = place.strip_suffix("#2").map_or((place, 1), |place| (place, 2));
        let mut matching = text.lines().enumerate().filter(|(_, line)| line.trim() == wanted);
        let (at, _) = matching.nth(nth - 1).unwrap_or_else(|| panic!("mutation {number}: no line `{wanted}`"));
        (rule.to_owned(), u32::try_from(at + 1).expect("a small number"))
    });
    let expected = expected.collect();
    Labelled { name: format!("file {number} ({base})"), held_out: is_held_out(number), text, expected }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    found: u32,
    missed: u32,
    false_alarms: u32,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.found += other.found;
        self.missed += other.missed;
        self.false_alarms += other.false_alarms;
    }

    /// `None` where nothing was reported.
    fn precision(self) -> Option<f64> {
        let reported = self.found + self.false_alarms;
        (reported > 0).then(|| f64::from(self.found) / f64::from(reported))
    }

    /// `None` where nothing was expected.
    fn recall(self) -> Option<f64> {
        let expected = self.found + self.missed;
        (expected > 0).then(|| f64::from(self.found) / f64::from(expected))
    }
}

fn shown(figure: Option<f64>) -> String {
    figure.map_or_else(|| "   –".to_owned(), |figure| format!("{figure:.2}"))
}

/// Which mistakes are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    Mistakes,
    FiguresOnly,
}

fn measure(what: &str, cases: &[Labelled], print: Print) -> Counts {
    let mut by_rule: BTreeMap<String, Counts> = BTreeMap::new();
    let mut sum = Counts::default();
    for case in cases {
        let findings = lint(&[SourceFile { path: "checked_prompt.md".into(), text: case.text.clone() }]);
        let found: BTreeSet<(String, u32)> =
            findings.iter().map(|finding| (finding.rule.to_owned(), finding.span.line)).collect();
        for (rule, line) in found.union(&case.expected) {
            let label = (rule.clone(), *line);
            let counts = match (found.contains(&label), case.expected.contains(&label)) {
                (true, true) => Counts { found: 1, ..Counts::default() },
                (false, _) => Counts { missed: 1, ..Counts::default() },
                (true, false) => Counts { false_alarms: 1, ..Counts::default() },
            };
            by_rule.entry(rule.clone()).or_default().add(counts);
            sum.add(counts);
            if print == Print::Mistakes && counts.found == 0 {
                let kind = if counts.missed == 1 { "missed     " } else { "false alarm" };
                let at = usize::try_from(*line).expect("small").saturating_sub(1);
                println!("{kind} {rule} in {}: {}", case.name, case.text.lines().nth(at).unwrap_or_default());
            }
        }
    }
    for (rule, Counts { found, missed, false_alarms }) in by_rule {
        println!("     {rule:<28} found {found:>2}, missed {missed:>2}, false alarms {false_alarms:>2}");
    }
    let Counts { found, missed, false_alarms } = sum;
    println!(
        "{:>4} {what}: precision {}, recall {} (found {found}, missed {missed}, false alarms {false_alarms})",
        cases.len(),
        shown(sum.precision()),
        shown(sum.recall()),
    );
    sum
}

/// Lists and files of one half, and both together.
fn measure_half(held_out: bool, print: Print) -> Counts {
    let mut sum = Counts::default();
    for (what, cases) in [("lists", lists(LISTS)), ("files", mutations())] {
        let half: Vec<Labelled> = cases.into_iter().filter(|case| case.held_out == held_out).collect();
        sum.add(measure(what, &half, print));
    }
    println!("     together: precision {}, recall {}", shown(sum.precision()), shown(sum.recall()));
    sum
}

#[test]
fn tuning_half() {
    println!("The half that the rules were tuned on:");
    let sum = measure_half(false, Print::Mistakes);
    assert!(sum.precision() >= Some(0.97) && sum.recall() >= Some(0.85));
}

#[test]
fn second_set() {
    println!("The second set of lists, on which the rules were revised:");
    let sum = measure("lists", &lists(SECOND), Print::Mistakes);
    assert!(sum.precision() >= Some(0.97) && sum.recall() >= Some(0.85));
}

#[test]
fn third_set() {
    println!("The third set of lists, on which the rules were revised again:");
    let sum = measure("lists", &lists(THIRD), Print::Mistakes);
    assert!(sum.precision() >= Some(0.97) && sum.recall() >= Some(0.85));
}

#[test]
fn split_conditions() {
    println!("Lists for compound logic alone, on which the rule was revised:");
    let sum = measure("lists", &lists(SPLIT), Print::Mistakes);
    assert!(sum.precision() >= Some(0.9) && sum.recall() >= Some(0.85));
}

/// What was measured when the set was new: precision 1.00, recall 0.97.
#[test]
fn fourth_set() {
    println!("The fourth set of lists, which was used for nothing else:");
    let sum = measure("lists", &lists(FOURTH), Print::FiguresOnly);
    assert!(sum.precision() >= Some(0.97) && sum.recall() >= Some(0.95));
}

/// What was measured: precision 0.93, recall 0.93. The aim for precision is 0.97.
#[test]
fn held_out_half() {
    println!("The half that was held out:");
    let sum = measure_half(true, Print::FiguresOnly);
    assert!(sum.precision() >= Some(0.92) && sum.recall() >= Some(0.92));
}
