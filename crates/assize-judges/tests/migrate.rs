//! Ten old prompts of different styles, and thousands that are put together from their pieces: nothing is lost, nothing
//! is turned round, and a second time changes nothing.
#![expect(clippy::disallowed_methods, reason = "a test of files opens them")]

use assize_core::document::Problems;
use assize_judges::systems::behaviour::prompt_file::{BehaviourPrompt, SectionKind};
use assize_judges::systems::behaviour::{Migration, is_behaviour_prompt, migrate};
use proptest::prelude::*;
use std::path::Path;

/// The old prompts: name and text.
fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/old_prompts");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: std::path::PathBuf| {
        (
            path.file_name().expect("a name").to_string_lossy().into_owned(),
            std::fs::read_to_string(&path).expect("read"),
        )
    };
    paths.into_iter().map(read).collect()
}

fn left_over(migration: &Migration) -> Vec<String> {
    let line = |problem: &assize_core::document::Problem| problem.span.map_or(0, |span| span.line);
    migration.unplaced.iter().map(|problem| format!("{}: {}", line(problem), problem.message)).collect()
}

#[test]
fn ten_old_prompts_become_canonical_and_stay_so() {
    let corpus = corpus();
    assert_eq!(corpus.len(), 10);
    for (name, text) in corpus {
        assert!(is_behaviour_prompt(&name, &text), "{name}");
        let migration = migrate(&name, &text).unwrap_or_else(|found| panic!("{name}: {:?}", found.iter().next()));
        let again = migrate(&name, &migration.text).expect("migrated");
        assert_eq!((again.text.as_str(), again.diff.as_str()), (migration.text.as_str(), ""), "{name}");
        let shown = format!(
            "{}\n=== left over\n{}\n=== look over\n{}",
            migration.text,
            left_over(&migration).join("\n"),
            migration.notes.join("\n")
        );
        insta::assert_snapshot!(name.trim_end_matches(".md"), shown);
    }
}

#[test]
fn only_prompts_are_prompts() {
    let agents = "# Agents\n\nThis folder holds prompts.\n\n## Conventions\n\n- Check that tests pass before you commit.\n- A prompt must have a name.\n\n## Layout\n\nReturn JSON from every tool.\n";
    let notes = "Meeting notes\n\n- The judge should be stricter.\n- Behavior: it crashes when the note is empty.\n";
    let guide = "# How to write prompts\n\n### Automatic Fail\n\nLists what fails. Set `pass = true` only if all hold.\n\n### Pass Conditions\n\nA list.\n\n## Naming\n\nFiles end in _prompt.md.\n\n## Related\n\n- Other docs\n";
    let summary = "You are a helpful assistant. Summarize the call in three sentences.\n\nTranscript: {{transcript}}\n";
    for (path, text) in
        [("AGENTS.md", agents), ("notes.md", notes), ("guide.md", guide), ("summary_prompt.md", summary)]
    {
        assert!(!is_behaviour_prompt(path, text), "{path}");
    }
    for (path, text) in corpus() {
        assert!(is_behaviour_prompt(&path, &text), "{path}");
    }
    let unnamed = "You are a judge.\n\nFail if:\n- The dose is wrong.\n\nReturn JSON: {\"dose_ok\": true or false}\n";
    assert!(is_behaviour_prompt("dose.md", unnamed));
}

#[test]
fn a_rule_of_an_unstructured_prompt_becomes_a_rule() {
    let text = "You are a judge of notes. The note must name the patient. Fail if the dose is missing. Spelling is fine. \
                The ward has twelve beds.\n\nThe moon was full.\n\nAnswer yes or no.\n";
    let migration = migrate("ward_prompt.md", text).expect("migrated");
    let mut problems = Problems::default();
    let prompt = BehaviourPrompt::read(&migration.text, &mut problems).expect("readable");
    let items = |kind| prompt.items(kind).map(|item| item.text.joined()).collect::<Vec<_>>();
    assert_eq!(items(SectionKind::PassConditions), ["The note must name the patient."]);
    assert_eq!(items(SectionKind::AutomaticFail), ["Fail if the dose is missing."]);
    assert_eq!(items(SectionKind::AcceptableVariations), ["Spelling is fine."]);
    assert_eq!(prompt.system().as_deref(), Some("You are a judge of notes.\nThe ward has twelve beds."));
    assert_eq!(left_over(&migration), ["3: The moon was full."]);
}

#[test]
fn a_task_alone_leaves_the_polarity_open_and_nothing_at_all_is_an_error() {
    let migration = migrate("x_prompt.md", "Determine whether the note contains invented facts.\nAnswer yes or no.\n");
    let text = migration.expect("migrated").text;
    assert!(text.contains("assize: choose a reading"), "{text}");
    assert!(!text.contains("\n1. "), "{text}");
    let problems = migrate("x_prompt.md", "You are a judge. Answer yes or no.\n").expect_err("no rubric");
    assert!(problems.iter().next().expect("one").message.contains("what passes or what fails"));
}

/// Pieces of prompts, good and bad, each a block of its own.
fn piece() -> impl Strategy<Value = String> {
    let words = "[a-z]{3,8}( [a-z]{3,8}){1,4}";
    prop_oneof![
        words.prop_map(|words| format!("You are a judge of {words}.")),
        words.prop_map(|words| format!("The {words} must be named.")),
        words.prop_map(|words| format!("A missing {words} is always a failure.")),
        words.prop_map(|words| format!("(Note: a wrong {words} is always a failure)")),
        words.prop_map(|words| format!("Determine whether the {words} is right (Note: {words} is fine).")),
        words.prop_map(|words| format!("{words}.")),
        words.prop_map(|words| format!("Patient: {{{{{}}}}}", words.replace(' ', "_"))),
        words.prop_map(|words| format!("Fail if:\n- {words}\n- {words} twice")),
        words.prop_map(|words| format!("## {words}\n1. {words} should hold\n2. {words}")),
        words.prop_map(|words| format!("Pass conditions:\n1. The {words} agree.\nOutput: {words}")),
        words.prop_map(|words| format!("EXAMPLES:\nGround truth: {words}\nOutput: {words}")),
        words.prop_map(|words| format!("Return JSON: {{\"ok\": true}}. {words}.")),
        words.prop_map(|words| format!("<!-- {words} -->")),
        words.prop_map(|words| format!("```\n{words}\n```")),
        words.prop_map(|words| format!(
            "BEHAVIOR: {}\n\nDESCRIPTION:\nWhether the {words} agree.",
            words.replace(' ', "_")
        )),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn every_word_is_in_the_new_file_or_named(pieces in prop::collection::vec(piece(), 1..9)) {
        let old = pieces.join("\n\n");
        let Ok(migration) = migrate("made_prompt.md", &old) else { return Ok(()) };
        let plain = |text: &str| {
            let text = text.to_lowercase();
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let kept = format!(" {} {} ", plain(&migration.text), plain(&left_over(&migration).join(" ")));
        // The words of a prompt's own headings and labels, and the numbers of its lists, are all that may go.
        let frame = ["note", "fail", "if", "pass", "conditions", "examples", "json", "return", "behavior", "description"];
        for word in plain(&old).split(' ').filter(|word| !frame.contains(word) && word.parse::<u8>().is_err()) {
            prop_assert!(kept.contains(&format!(" {word} ")), "{word} is lost\n{old}\n===\n{}\n===\n{:?}", migration.text, left_over(&migration));
        }
        let mut problems = Problems::default();
        let prompt = BehaviourPrompt::read_leniently(&migration.text, &mut problems);
        for item in prompt.items(SectionKind::AcceptableVariations) {
            prop_assert!(!item.text.joined().contains("always a failure"), "{}", migration.text);
        }
        let again = migrate("made_prompt.md", &migration.text).expect("migrated");
        prop_assert_eq!(again.text, migration.text);
    }
}
