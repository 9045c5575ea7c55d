//! What is asked: the same question twice, with the answers in either order.

use super::spec::{PROMPT, REFERENCE, RESPONSE_A, RESPONSE_B, Settings};
use assize_core::prompt::{DATA_NOTICE, fence};
use assize_core::{AnswerSchema, Case, Message, Question};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// In which order the two answers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The first system's answer is answer 1.
    AsWritten,
    /// The second system's answer is answer 1.
    Swapped,
}

impl Order {
    pub(super) const BOTH: [Self; 2] = [Self::AsWritten, Self::Swapped];

    /// The name of the question.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AsWritten => "as_written",
            Self::Swapped => "swapped",
        }
    }

    /// The order of a question that was asked for.
    pub(super) fn named(name: &str) -> Self {
        Self::BOTH.into_iter().find(|order| order.name() == name).expect("only these two are asked for")
    }
}

/// What both questions have in common.
#[derive(Serialize)]
pub(super) struct Asked {
    instructions: String,
    schema: AnswerSchema,
}

impl Asked {
    pub(super) fn new(settings: &Settings) -> Self {
        let mut instructions = include_str!("prompt.md").trim_end().to_owned();
        if let Some(criterion) = &settings.criterion {
            instructions.push_str("\n\nWhat makes an answer better here:\n\n");
            instructions.push_str(criterion);
        }
        instructions.push_str("\n\nIn `reason`, call them \"answer 1\" and \"answer 2\", and say in one to three sentences what decides. ");
        instructions.push_str(if settings.ties {
            "Then give `better`: `answer_1`, `answer_2`, or `tie` where neither is better.\n\n"
        } else {
            "Then give `better`: `answer_1` or `answer_2`. There are no ties; decide.\n\n"
        });
        instructions.push_str(DATA_NOTICE);
        let choices: &[&str] = if settings.ties { &["answer_1", "answer_2", "tie"] } else { &["answer_1", "answer_2"] };
        let schema = json!({
            "type": "object",
            "required": ["reason", "better"],
            "additionalProperties": false,
            "properties": {
                "reason": {"type": "string", "description": "What decides, in one to three sentences."},
                "better": {"type": "string", "enum": choices},
            },
        });
        Self { instructions, schema: AnswerSchema { name: "comparison".into(), schema } }
    }

    /// The question about a pair.
    pub(super) fn question(&self, order: Order, case: &Case) -> Question {
        let (first, second) = match order {
            Order::AsWritten => (RESPONSE_A, RESPONSE_B),
            Order::Swapped => (RESPONSE_B, RESPONSE_A),
        };
        let mut data = Map::new();
        for (key, input) in [(PROMPT, PROMPT), (REFERENCE, REFERENCE), ("answer_1", first), ("answer_2", second)] {
            if let Some(value) = case.inputs.get(input).filter(|value| !value.is_null()) {
                data.insert(key.to_owned(), Value::clone(value));
            }
        }
        let fenced = fence(&self.instructions, &data);
        Question {
            name: order.name().to_owned(),
            messages: vec![Message::system(&self.instructions), Message::user(fenced)],
            schema: self.schema.clone(),
            sample: 0,
        }
    }
}
