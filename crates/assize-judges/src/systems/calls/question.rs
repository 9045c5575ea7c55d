//! What is asked: at most one question for the task of a case, and one for all benchmarks.
//!
//! The schemas are the same for every case of a task, so that a provider compiles each once; that every item is labelled
//! exactly once is checked after the answer. What the model under test wrote is only ever in the fenced data.

use super::call::Call;
use super::metrics::Section;
use super::tasks::translation::FLUENCY;
use assize_core::prompt::{DATA_NOTICE, fence_compact};
use assize_core::{AnswerSchema, Message, Question};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The name of the question about the benchmarks.
pub(super) const BENCHMARKS: &str = "benchmarks";

/// The figures of a task that rest on labels, which the judge may claim a score for.
fn judged(section: Section) -> &'static [&'static str] {
    match section {
        Section::Qa => &["qa.evidence_backed_reasoning"],
        Section::Entity => &["entity.fabricated_entity_count", "entity.cross_language_match_rate"],
        Section::Text => &[
            "text.call_intent_match",
            "text.highlight_recall",
            "text.highlight_correctness",
            "text.fabrication_free_rate",
        ],
        Section::Translation => &["translation.fluency", "translation.critical_fact_preservation"],
        _ => &[
            "benchmark.faithfulness",
            "benchmark.hallucination_rate",
            "benchmark.answer_correctness",
            "benchmark.contextual_precision",
            "benchmark.contextual_recall",
            "benchmark.argument_correctness",
            "benchmark.instruction_following",
        ],
    }
}

/// The instructions and the schema of a section's question.
#[derive(Serialize)]
pub(super) struct Asked {
    pub(super) instructions: String,
    pub(super) schema: AnswerSchema,
}

pub(super) fn asked(section: Section) -> Asked {
    let task = match section {
        Section::Qa => include_str!("prompts/qa.md"),
        Section::Entity => include_str!("prompts/entity.md"),
        Section::Text => include_str!("prompts/text.md"),
        Section::Translation => include_str!("prompts/translation.md"),
        _ => include_str!("prompts/benchmarks.md"),
    };
    let instructions =
        format!("{}\n\n{}\n\n{DATA_NOTICE}", task.trim_end(), include_str!("prompts/closing.md").trim_end());
    let mut properties = properties(section);
    let claim = object(&[
        ("metric", json!({"type": "string", "enum": judged(section)})),
        ("score", json!({"type": "number"})),
        ("expected_outcome_reference", text()),
        ("model_output_observed", text()),
        ("reason", text()),
    ]);
    properties.push(("claimed", list(claim)));
    let schema = AnswerSchema { name: format!("call_{}", section.key()), schema: object(&properties) };
    Asked { instructions, schema }
}

fn properties(section: Section) -> Vec<(&'static str, Value)> {
    let item = || ("item", json!({"type": "integer", "minimum": 1}));
    match section {
        Section::Qa => {
            vec![(
                "reasons",
                list(object(&[item(), ("note", text()), ("has_evidence", yes_or_no()), ("factual", yes_or_no())])),
            )]
        }
        Section::Entity => vec![(
            "entities",
            list(object(&[item(), ("surface", text()), ("presence", one_of(&["spoken", "other_language", "absent"]))])),
        )],
        Section::Text => vec![
            ("intent_note", text()),
            ("intent", one_of(&["equivalent", "partial", "wrong"])),
            (
                "highlights",
                list(object(&[
                    item(),
                    ("note", text()),
                    ("expected_item", json!({"type": "integer", "minimum": 0})),
                    ("accurate", yes_or_no()),
                ])),
            ),
            ("facts", list(object(&[("fact", text()), ("support", one_of(&["transcript", "expected", "neither"]))]))),
        ],
        Section::Translation => vec![
            ("fluency_note", text()),
            ("fluency", one_of(&FLUENCY.map(|(name, _)| name))),
            (
                "facts",
                list(object(&[
                    ("fact", text()),
                    ("observed", text()),
                    ("status", one_of(&["kept", "changed", "dropped"])),
                ])),
            ),
            ("added", list(text())),
        ],
        _ => vec![
            (
                "claims",
                list(object(&[
                    ("claim", text()),
                    ("support", one_of(&["transcript", "expected", "neither"])),
                    ("is_fact", yes_or_no()),
                    ("agreement", one_of(&["agrees", "contradicts", "not_covered"])),
                ])),
            ),
            ("expected_facts", list(object(&[("fact", text()), ("stated", one_of(&["correct", "wrong", "missing"]))]))),
            ("pieces_used", list(json!({"type": "integer", "minimum": 1}))),
            ("pieces_needed", list(json!({"type": "integer", "minimum": 1}))),
            ("steps", list(object(&[("step", text()), ("soundness", one_of(&["sound", "partial", "wrong"]))]))),
            ("instructions", list(object(&[("instruction", text()), ("followed", yes_or_no())]))),
        ],
    }
}

fn text() -> Value {
    json!({"type": "string"})
}

fn yes_or_no() -> Value {
    json!({"type": "boolean"})
}

fn one_of(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn object(properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

/// The question about a case.
pub(super) fn question(asked: &Asked, name: &str, call: &Call<'_>, to_label: Value) -> Question {
    let inputs = &call.case.inputs;
    let given = ["transcript", "config", "question", "instructions"];
    let mut data: IndexMap<&str, &Value> = given.iter().filter_map(|key| Some((*key, inputs.get(*key)?))).collect();
    data.insert("model_output", call.output());
    data.insert("expected_outcome", call.expected);
    data.insert("to_label", &to_label);
    Question {
        name: name.to_owned(),
        messages: vec![Message::system(&asked.instructions), Message::user(fence_compact(&asked.instructions, &data))],
        schema: asked.schema.clone(),
        sample: 0,
    }
}
