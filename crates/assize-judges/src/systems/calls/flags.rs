//! What judgments of calls may flag.

use assize_core::FlagSpec;
use assize_core::flag::{contradicted, note, uncertain};

pub(super) const FLAGS: &[FlagSpec] = &[
    note("blocker", "A figure of this case breaches a limit that disqualifies."),
    note("duplicate_entities", "The output has an entity more than once."),
    note("duplicate_question_ids", "The output has a question more than once; the first counts."),
    note("duplicate_sentence_ids", "The output has a sentence more than once; the first counts."),
    note("entities_in_other_script", "The output has entities in another script than the configured terms."),
    contradicted("evidence_mismatch", "The model's label for a reason contradicts what was found in the transcript."),
    note("expected_scores_missing", "The expected outcome has questions without a mark."),
    contradicted("facts_mismatch", "The model says that every fact is kept, and the numbers differ."),
    note("labels_left_out", "The output leaves sentences without a label."),
    uncertain("labels_missing", "Something could not be decided, and leaves figures between bounds."),
    note("maximum_unknown", "The highest mark of a question is not known."),
    uncertain("meaning_undecided", "The likeness in meaning of some sentences could not be measured."),
    note("no_configured_entities", "No list of entities to look for is configured."),
    note("no_rule", "No rule can decide this without a model."),
    note("numbers_differ", "Numbers of the translation differ from those expected."),
    note("output_empty", "The output is empty."),
    note("output_unreadable", "The output is no JSON and no TOON, so it could not be read."),
    note("partial_mark_on_pass_fail", "A question that knows only pass and fail was given a mark between."),
    note("questions_missing", "The output leaves questions out."),
    note("questions_without_id", "The output has questions without an id."),
    note("score_out_of_range", "A mark lies outside of its scale."),
    note("scores_missing", "The output has questions without a mark."),
    note("sentences_missing", "The output leaves sentences out."),
    note("sentences_untranslated", "Some sentences are not translated."),
    note("sentences_without_id", "The output has sentences without an id."),
    note("structure_differs", "The output does not have the structure that was asked for."),
    note("unknown_labels", "The output has labels that are none of the known ones."),
    note("unknown_question_ids", "The output has questions that were not asked."),
    note("unknown_sentence_ids", "The output has sentences that are not in the call."),
    note("warning", "A figure of this case is close to disqualifying."),
];
