//! Old prompts of many styles.

use super::*;
use crate::systems::behaviour::lint::lint;
use assize_core::SourceFile;
use assize_core::document::Severity;

const OLD: &str = "\
You are an expert reviewer of claim notes.
Be careful.

Determine whether the note states the deductible that was applied (Note: rounding to full dollars is fine).

Focus on:
- The deductible amount
- Who pays it

Fail if:
* The note gives another deductible than the ground truth
* The note says no deductible applies when one does

Pass if:
- The deductible equals the ground truth (note: \"excess\" is the same
  thing)

Ground truth: {{ground_truth}}
Note: {{note}}

Return JSON: {\"deductible_correct\": true or false, \"explanation\": \"...\"}
";

#[test]
fn an_old_prompt_becomes_canonical_and_its_key_is_kept() {
    let migration = migrate("p/deductible_prompt.md", OLD).expect("migrated");
    assert_eq!(migration.result_key.as_deref(), Some("deductible_correct"));
    let mut problems = Problems::of("p/deductible_prompt.md");
    let prompt = BehaviourPrompt::read(&migration.text, &mut problems).expect("readable");
    let items = |kind| prompt.items(kind).map(|item| item.text.joined()).collect::<Vec<_>>();
    assert_eq!(prompt.behaviour_id(), Some("deductible_correct"));
    assert_eq!(prompt.system().unwrap(), "You are an expert reviewer of claim notes.\nBe careful.");
    assert_eq!(prompt.description().unwrap(), "Determine whether the note states the deductible that was applied.");
    assert_eq!(items(SectionKind::Include), ["The deductible amount", "Who pays it"]);
    assert_eq!(items(SectionKind::AutomaticFail).len(), 2);
    assert_eq!(items(SectionKind::PassConditions), ["The deductible equals the ground truth"]);
    assert_eq!(
        items(SectionKind::AcceptableVariations),
        ["Rounding to full dollars is fine", "\"excess\" is the same thing"]
    );
    assert!(prompt.uncertainty_policy().unwrap().contains("pass = false"));
    assert!(migration.diff.contains("+BEHAVIOR: deductible_correct") && migration.diff.contains("-Focus on:"));
    assert!(
        migration.notes.iter().any(|note| note.contains("result_key: deductible_correct")),
        "{:?}",
        migration.notes
    );
    let mut findings = lint(&[SourceFile { path: "p/deductible_prompt.md".into(), text: migration.text.clone() }]);
    // Lines that are not sent are named, which is nothing wrong.
    findings.retain(|finding| finding.severity != Severity::Note);
    assert!(findings.is_empty(), "{findings:#?}\n{}", migration.text);
    let again = migrate("p/deductible_prompt.md", &migration.text).expect("migrated");
    assert_eq!((again.text, again.diff.as_str()), (migration.text, ""), "a second time changes nothing");
}

#[test]
fn a_canonical_prompt_with_parts_missing_gets_them() {
    let text = "SYSTEM: Judge.\n\n---\n\nBEHAVIOR: a_b\n\nDESCRIPTION:\nWhether a is b.\n\nRUBRIC\n\nPass conditions:\n- A is b.\n- B is a.\n";
    let migration = migrate("a_b_prompt.md", text).expect("migrated");
    assert!(migration.text.contains("1. A is b.\n2. B is a.\n"), "{}", migration.text);
    assert_eq!(migration.result_key, None);
    let findings = lint(&[SourceFile { path: "a_b_prompt.md".into(), text: migration.text }]);
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn a_title_becomes_a_comment_and_what_nobody_can_place_is_named() {
    let text = "# Judge\n\nYou are a judge.\n\nCheck the amount.\n\nFail if:\n1. Amounts differ\n2. Dates differ\n";
    let migration = migrate("amount_prompt.md", text).expect("migrated");
    assert!(migration.text.starts_with("<!-- # Judge -->\nSYSTEM: You are a judge.\n"), "{}", migration.text);
    assert!(migration.text.contains("are true:\n- Amounts differ\n- Dates differ\n"), "{}", migration.text);
    assert_eq!(migration.unplaced, []);
    let more = format!("{text}\nRules:\n- Be kind.\n\nSCORING TABLE:\nfive points\n");
    let migration = migrate("amount_prompt.md", &more).expect("migrated");
    let left: Vec<(u32, &str)> =
        migration.unplaced.iter().map(|piece| (piece.span.unwrap().line, piece.message.as_str())).collect();
    assert_eq!(left, [(12, "Be kind."), (14, "SCORING TABLE"), (15, "five points")]);
}

#[test]
fn text_between_the_parts_of_a_prompt_is_named_with_its_line() {
    let text = "SYSTEM: Judge.\n\n---\n\nloose words\n\nBEHAVIOR: a\n\nPass conditions:\n1. It is so.\n";
    let migration = migrate("a_prompt.md", text).expect("migrated");
    assert_eq!(migration.unplaced.iter().map(|piece| piece.span.unwrap().line).collect::<Vec<_>>(), [5]);
}
