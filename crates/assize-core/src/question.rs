//! A question: one call to a judge model, made by a pure function of judge and case.
//!
//! It holds the messages, the schema of the answer and the sample index. What it does not hold is *who* is asked: the
//! model and its parameters join it only in the answer's key, so that the same question can be put to several models.

use crate::Fingerprint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The judge's standing instructions.
    System,
    /// The case.
    User,
    /// The model's own earlier reply (in a corrective round, or a few-shot example).
    Assistant,
}

/// One message of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message with standing instructions.
    pub fn system(content: impl Into<String>) -> Self {
        Self { role: Role::System, content: content.into() }
    }

    /// A message with the case.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A message the model is taken to have said.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// The JSON Schema an answer must satisfy. Property order is the order in which the model is asked to write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerSchema {
    /// A short name that providers want beside the schema: letters, digits and `_`.
    pub name: String,
    /// The schema itself.
    pub schema: Value,
}

/// One call to a judge model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Which of the judge's questions about a case this is; unique within the case.
    pub name: String,
    /// What is said to the model.
    pub messages: Vec<Message>,
    /// What the answer must look like.
    pub schema: AnswerSchema,
    /// Which repetition this is, where a judge asks the same thing several times.
    #[serde(default)]
    pub sample: u32,
}

impl Question {
    /// What is asked, whoever is asked: messages, schema and sample index. Recorded answers are found by it.
    pub fn fingerprint(&self) -> Fingerprint {
        // The schema goes in as text: its order is the order in which the model writes, and so part of what is asked.
        Fingerprint::of(&(&self.messages, self.schema.schema.to_string(), self.sample))
    }
}
