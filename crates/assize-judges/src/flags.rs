//! Flags in words: what a reader should know about a judgment.

/// What the flags mean.
const MEANINGS: &[(&str, &str)] = &[
    ("answer_contradicted", "The model and the comparison in code disagree about the final answer."),
    ("answer_differs", "The final answer is not the expected one."),
    ("audit_contradiction", "A label of the model contradicts the settings, by the rules."),
    ("blocker", "A figure of this case breaches a limit that disqualifies."),
    ("criteria_undecided", "Some criteria have no score, so the composite is not known exactly."),
    ("duplicate_entities", "The output has an entity more than once."),
    ("duplicate_question_ids", "The output has a question more than once; the first counts."),
    ("duplicate_sentence_ids", "The output has a sentence more than once; the first counts."),
    ("entities_in_other_script", "The output has entities in another script than the configured terms."),
    ("evidence_mismatch", "The model's label for a reason contradicts what was found in the transcript."),
    ("expected_scores_missing", "The expected outcome has questions without a mark."),
    ("facts_mismatch", "The model says that every fact is kept, and the numbers differ."),
    ("gold_derived", "There were no gold facts; the model derived them from the transcript."),
    ("jury_disagrees", "The jurors do not agree; the majority decided."),
    ("jury_split", "The jurors do not agree, and there is no majority."),
    ("labels_left_out", "The output leaves sentences without a label."),
    ("labels_missing", "Something could not be decided, and counts neither for nor against."),
    ("low_confidence", "The judge says that it is not confident, so the behaviour fails."),
    ("maximum_unknown", "The highest mark of a question is not known."),
    ("meaning_undecided", "The likeness in meaning of some sentences could not be measured."),
    ("needs_review", "A person should look at this case."),
    ("no_configured_entities", "No list of entities to look for is configured."),
    ("no_rule", "No rule can decide this without a model."),
    ("no_suggestion", "The answer can be mended, and the judge does not say how."),
    ("no_verdict", "The reply of the judge has no verdict."),
    ("numbers_differ", "Numbers of the translation differ from those expected."),
    ("output_empty", "The output is empty."),
    ("output_unreadable", "The output is no JSON and no TOON, so it could not be read."),
    ("partial_mark_on_pass_fail", "A question that knows only pass and fail was given a mark between."),
    ("questions_missing", "The output leaves questions out."),
    ("questions_without_id", "The output has questions without an id."),
    ("reason_length", "The reason is shorter or longer than was asked for."),
    ("reply_corrected", "The first reply of the model was not valid and was sent back once."),
    ("reply_extracted", "The reply of the model had other text around the answer."),
    ("reply_repaired", "The syntax of the model's reply had to be mended."),
    ("score_differs", "The score that the model states does not go with its verdict."),
    ("score_out_of_range", "A mark lies outside of its scale."),
    ("scores_missing", "The output has questions without a mark."),
    ("sentences_missing", "The output leaves sentences out."),
    ("sentences_untranslated", "Some sentences are not translated."),
    ("sentences_without_id", "The output has sentences without an id."),
    ("structure_differs", "The output does not have the structure that was asked for."),
    ("too_long_to_align", "The texts are too long to be compared word by word."),
    ("uncertain", "The judge says that it is uncertain, so the behaviour fails."),
    ("unknown_labels", "The output has labels that are none of the known ones."),
    ("unknown_question_ids", "The output has questions that were not asked."),
    ("unknown_sentence_ids", "The output has sentences that are not in the call."),
    ("verdict_differs", "The model's own verdict differs from the one that follows from the scores."),
    ("verdict_undecided", "What is not known could change the verdict, so there is none."),
    ("warning", "A figure of this case is close to disqualifying."),
    ("wrong_arithmetic", "An equation in the text does not hold."),
];

/// What a flag means, as a sentence. One that a judge file defines has the words of its name.
pub fn in_words(flag: &str) -> String {
    if let Some((_, meaning)) = MEANINGS.iter().find(|(name, _)| *name == flag) {
        return (*meaning).to_owned();
    }
    match flag.strip_suffix("_differs") {
        Some(figure) => format!("The model's own {figure} differs from the computed one."),
        None => format!("The judge notes: {}.", flag.replace('_', " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_read_as_sentences() {
        assert_eq!(in_words("wrong_arithmetic"), "An equation in the text does not hold.");
        assert_eq!(in_words("overall_score_differs"), "The model's own overall_score differs from the computed one.");
        assert_eq!(in_words("no_change_named"), "The judge notes: no change named.");
        assert!(MEANINGS.is_sorted_by_key(|(name, _)| name), "in order, so that each is there once");
    }

    /// Every flag that is written out in a judge, wherever it stands.
    #[test]
    fn every_flag_of_the_judges_has_a_meaning() {
        fn raised(folder: &std::path::Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    raised(&path, found);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let text = std::fs::read_to_string(&path).expect("text");
                    for call in [".flag(\"", "flags.push(\""] {
                        let names = text.split(call).skip(1).filter_map(|rest| rest.split_once('"'));
                        found.extend(names.map(|(name, _)| name.to_owned()));
                    }
                }
            }
        }
        let mut found = Vec::new();
        raised(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assize-judges/src/systems"), &mut found);
        assert!(found.len() > 20, "{found:?}");
        let unknown: Vec<&String> =
            found.iter().filter(|flag| !MEANINGS.iter().any(|(name, _)| name == flag)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
