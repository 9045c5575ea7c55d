//! The wire formats, as pure functions: a question becomes a request body, a response body becomes a [`Reply`]; texts to
//! embed have a format of their own.
//!
//! Nothing here touches the network. What a model turned out not to accept comes in as [`Capabilities`]; what a server
//! answered comes out as a reply, as an error of the provider's, or as an envelope that is broken.

pub mod anthropic;
pub mod embeddings;
mod error_body;
pub mod openai;
pub mod schema;

pub use error_body::ProviderError;

use crate::capabilities::Capabilities;
use assize_core::suite::{Api, Parameters};
use assize_core::{Message, Question, Role, Usage};
use serde_json::Value;

/// How a reply ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By itself.
    Complete,
    /// At the length limit.
    Length,
    /// The provider withheld it, or part of it.
    ContentFilter,
    /// The model declined, in these words.
    Refusal(String),
}

/// A reply, in no wire format any more.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What the model wrote.
    pub text: String,
    /// How it ended.
    pub finish: Finish,
    /// What it used; `None` where the server does not say.
    pub usage: Option<Usage>,
    /// The model the server says it used.
    pub model: Option<String>,
}

/// Why a response is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireError {
    /// The body is not what the format promises: cut off, or not of this format at all.
    Broken(String),
    /// The provider answered with an error.
    Provider(ProviderError),
}

/// Who is asked, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The provider's name for the model.
    pub model: &'a str,
    /// What the suite wants sent along.
    pub parameters: &'a Parameters,
    /// The longest reply, in tokens.
    pub output_limit: u64,
    /// What the model is known to take.
    pub capabilities: Capabilities,
}

/// The body of a request.
pub fn encode(api: Api, question: &Question, request: &Request<'_>) -> Value {
    match api {
        Api::OpenAi => openai::encode(question, request),
        Api::Anthropic => anthropic::encode(question, request),
    }
}

/// What a response says.
pub fn decode(api: Api, status: u16, body: &[u8]) -> Result<Reply, WireError> {
    match api {
        Api::OpenAi => openai::decode(status, body),
        Api::Anthropic => anthropic::decode(status, body),
    }
}

/// The words that carry a schema to a model whose server enforces none.
pub fn schema_in_words(schema: &Value) -> String {
    format!(
        "Reply with one JSON object and nothing else: no explanation, no code fence. It must satisfy this JSON \
         Schema:\n{schema}"
    )
}

/// The system text and the rest of the messages. System messages come first in every format, whatever their place.
fn split_system(question: &Question, with_schema: bool) -> (String, impl Iterator<Item = &Message>) {
    let mut system: Vec<String> = question
        .messages
        .iter()
        .filter(|message| message.role == Role::System)
        .map(|message| message.content.clone())
        .collect();
    if with_schema {
        system.push(schema_in_words(&question.schema.schema));
    }
    (system.join("\n\n"), question.messages.iter().filter(|message| message.role != Role::System))
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// The name of the schema as providers take it: letters, digits, `_` and `-`, at most 64.
fn schema_name(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' }).take(64).collect();
    if name.is_empty() { "answer".to_owned() } else { name }
}

/// Parses a response: the envelope of a success, or the error it carries under whatever status.
fn parse(status: u16, body: &[u8]) -> Result<Value, WireError> {
    let envelope: Result<Value, _> = serde_json::from_slice(body);
    if !(200..300).contains(&status) {
        return Err(WireError::Provider(ProviderError::read(status, body)));
    }
    match envelope {
        // Some gateways report the failure of the server behind them with status 200.
        Ok(envelope) if envelope.get("error").is_some_and(|error| !error.is_null()) => {
            Err(WireError::Provider(ProviderError::read(status, body)))
        }
        Ok(envelope) if envelope.is_object() => Ok(envelope),
        Ok(_) => Err(WireError::Broken("the response is not a JSON object".to_owned())),
        Err(error) => Err(WireError::Broken(format!("the response is not whole JSON: {error}"))),
    }
}

fn count(usage: &Value, pointer: &str) -> u64 {
    usage.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

#[cfg(test)]
mod tests;
