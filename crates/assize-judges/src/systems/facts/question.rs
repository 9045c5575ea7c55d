//! What is asked: one question, the same instructions for every config, the case as data.

use super::config::JudgeConfig;
use super::fact::CaseFacts;
use super::result::LinkAnswer;
use assize_core::prompt::{DATA_NOTICE, fence};
use assize_core::{AnswerSchema, Case, Message, Question};
use serde_json::{Map, Value};

/// The name of the one question.
pub(super) const LABEL: &str = "label";

/// The instructions. They depend on nothing.
pub fn system_prompt() -> String {
    format!("{}\n{DATA_NOTICE}\n", include_str!("prompt.md"))
}

/// The schema of the answer: the ids in scope are listed in it, so that no other can be written.
pub(super) fn schema(facts: &CaseFacts, config: &JudgeConfig) -> AnswerSchema {
    AnswerSchema { name: "fact_links".into(), schema: LinkAnswer::schema(facts, config) }
}

/// The question about a case. The notes of the user are the user's own text and stand before the fence; all else is data.
pub(super) fn question(instructions: &str, schema: AnswerSchema, config: &JudgeConfig, case: &Case) -> Question {
    let mut data = Map::new();
    let mut settings = serde_json::to_value(config).expect("a config has text keys only, so it has a JSON form");
    if let Value::Object(settings) = &mut settings {
        settings.shift_remove("extra_instructions");
        settings.shift_remove("reading");
    }
    for input in ["transcript", "predicted_facts", "gold_facts"] {
        if let Some(value) = case.inputs.get(input) {
            data.insert(input.to_owned(), value.clone());
        }
        if input == "transcript" {
            data.insert("judge_config".to_owned(), settings.clone());
        }
    }
    let notes = config.extra_instructions.trim();
    let fenced = fence(&format!("{instructions}{notes}"), &data);
    let content = if notes.is_empty() {
        fenced
    } else {
        format!("Notes from the person who runs this evaluation:\n\n{notes}\n\nThe case:\n\n{fenced}")
    };
    Question {
        name: LABEL.into(),
        messages: vec![Message::system(instructions), Message::user(content)],
        schema,
        sample: 0,
    }
}
