//! What follows from the list of systems: the bundled examples, and the table in the README.
#![expect(clippy::disallowed_methods, reason = "a test of the README reads it")]

use assize_core::{JudgeSource, JudgeSystem};
use assize_judges::examples::{self, Example, ExampleFiles};
use assize_judges::{SYSTEMS, registry};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_system_has_an_example_and_they_come_in_its_order() {
    let mut shown: Vec<&str> = SYSTEMS.iter().map(|system| system.card().example).collect();
    let mut seen = Vec::new();
    shown.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    assert_eq!(examples::names(), shown, "an example that no system names, or a system without its example");
    for system in SYSTEMS {
        assert_eq!(examples::of(*system).map(|example| example.system), Some(system.card().example));
    }
}

#[test]
fn every_example_has_a_suite_and_at_least_a_dozen_cases() {
    for example in examples::all() {
        assert!(example.files.iter().any(|(name, _)| *name == Example::SUITE), "{}", example.system);
        let files = examples::case_files(example.files);
        let cases = example.files.iter().filter(|(name, _)| files.contains(name));
        let count: usize = cases.map(|(_, text)| text.lines().count()).sum();
        assert!(count >= 12, "{}: {count} cases", example.system);
    }
}

/// A suite with two kinds of lines: cases, and answers that are replayed.
const RECORDED: ExampleFiles = &[
    ("suite.yaml", "name: x\njudge: {use: reasoning-trace, model: 'replay:recorded.jsonl'}\ncases: [cases/*.jsonl]\n"),
    ("cases/a.jsonl", "1\n2\n3\n4\n5\n"),
    ("recorded.jsonl", "1\n2\n3\n4\n5\n6\n"),
    ("notes.yaml", "cases: [recorded.jsonl]\n"),
];

#[test]
fn only_cases_are_cut() {
    assert_eq!(examples::case_files(RECORDED), ["cases/a.jsonl"]);
    let small = examples::small(RECORDED);
    let lines: Vec<usize> = small.iter().map(|(_, text)| text.lines().count()).collect();
    assert_eq!(lines, [3, 4, 6, 1]);
}

#[test]
fn what_an_example_says_of_itself_holds_for_a_copy_too() {
    for example in examples::all() {
        for (name, text) in example.files.iter().filter(|(name, _)| !name.contains('/')) {
            let place = format!("{}/{name}", example.system);
            assert!(!text.contains("examples/"), "{place}: a copy stands elsewhere");
            if *name == "README.md" {
                assert!(text.contains("`assize init` writes the first"), "{place}: a copy has fewer cases");
            }
            let counts = ["Twenty cases", "Thirty cases", "Forty cases"];
            assert!(!counts.iter().any(|count| text.contains(count)), "{place}: a copy has four");
        }
    }
}

#[test]
fn settings_that_name_no_judge_are_those_of_the_one_with_profiles() {
    let with_profiles = SYSTEMS.iter().filter(|system| !system.profiles().is_empty()).count();
    assert_eq!(registry::only_with_profiles().is_some(), with_profiles == 1);
    for system in SYSTEMS {
        for (name, settings) in system.profiles() {
            let mut problems = assize_core::document::Problems::of(name);
            let node = assize_core::document::parse(&settings.to_string(), &mut problems).expect("JSON");
            assert_eq!(system.read_profile(&node, &mut problems), Some(settings), "{name}: {problems:?}");
        }
    }
}

#[test]
fn schemas_have_names_of_their_own() {
    let mut names: Vec<&str> = SYSTEMS.iter().map(|system| system.name()).collect();
    names.extend(SYSTEMS.iter().flat_map(|system| system.schemas()).map(|schema| schema.name));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{names:?}");
}

/// A row of the README's table.
fn row(system: &dyn JudgeSystem) -> String {
    let card = system.card();
    let by_name = system.takes(&JudgeSource::BuiltIn(card.name.to_owned()));
    let used = if by_name { format!("`{}`", card.name) } else { format!("a path: *{}*", card.name) };
    let guides = [format!("docs/judges/{}.md", card.name), format!("docs/{}.md", card.example)];
    let guide = guides.iter().find(|guide| root().join(guide).is_file());
    let guide = guide.unwrap_or_else(|| panic!("{}: none of {guides:?} is there", card.name));
    format!("| {used} | {} | [guide]({guide}) |\n", card.summary)
}

#[test]
fn the_readme_lists_the_systems() {
    let (begin, end) = ("<!-- judges -->\n", "<!-- /judges -->");
    let path = root().join("README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md");
    let (before, rest) = readme.split_once(begin).expect("the table's beginning");
    let (_, after) = rest.split_once(end).expect("the table's end");
    let rows: String = SYSTEMS.iter().map(|system| row(*system)).collect();
    let made = format!("{before}{begin}| `judge.use` | what | |\n| --- | --- | --- |\n{rows}{end}{after}");
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let hint = "make it anew with: UPDATE_README=1 cargo test -p assize-judges --test examples";
    assert!(readme == made || std::env::var_os("UPDATE_README").is_some(), "the table of judges is old; {hint}");
}
