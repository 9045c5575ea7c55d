//! Chat completions: OpenAI, and the many servers that speak its format.
//!
//! `Structured::Schema` sends `response_format` of type `json_schema`, strict where the schema allows it;
//! `Structured::Json` sends `json_object` and puts the schema into the prompt; `Structured::Prompt` does only the latter.

use super::schema::{Dialect, for_strict, is_strict};
use super::{Finish, Reply, Request, WireError, count, parse, role_name, schema_name, split_system};
use assize_core::suite::Structured;
use assize_core::{Question, Usage};
use serde_json::{Map, Value, json};

/// The body of `POST /chat/completions`.
pub fn encode(question: &Question, request: &Request<'_>) -> Value {
    let capabilities = request.capabilities;
    let (system, rest) = split_system(question, capabilities.structured != Structured::Schema);
    let mut messages = Vec::with_capacity(question.messages.len() + 1);
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    messages.extend(rest.map(|message| json!({"role": role_name(message.role), "content": message.content})));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("messages".to_owned(), Value::Array(messages));
    if let Some(temperature) = request.parameters.temperature.filter(|_| capabilities.temperature) {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(seed) = request.parameters.seed.filter(|_| capabilities.seed) {
        // Another sample of the same question must be able to come out differently.
        body.insert("seed".to_owned(), json!(seed.wrapping_add(u64::from(question.sample))));
    }
    if let Some(name) = capabilities.output_limit.name() {
        body.insert(name.to_owned(), json!(request.output_limit));
    }
    let format = match capabilities.structured {
        Structured::Schema => {
            let schema = for_strict(&question.schema.schema, Dialect::OpenAi);
            let strict = is_strict(&schema);
            let name = schema_name(&question.schema.name);
            Some(json!({"type": "json_schema", "json_schema": {"name": name, "strict": strict, "schema": schema}}))
        }
        Structured::Json => Some(json!({"type": "json_object"})),
        Structured::Prompt => None,
    };
    if let Some(format) = format {
        body.insert("response_format".to_owned(), format);
    }
    Value::Object(body)
}

/// What the response says.
pub fn decode(status: u16, body: &[u8]) -> Result<Reply, WireError> {
    let envelope = parse(status, body)?;
    let broken = |what: &str| WireError::Broken(format!("the response has no {what}"));
    let choice = envelope.pointer("/choices/0").ok_or_else(|| broken("choice"))?;
    let message = choice.get("message").ok_or_else(|| broken("message"))?;
    let text = content(message.get("content"));
    let declined = message.get("refusal").and_then(Value::as_str).filter(|words| !words.is_empty());
    let finish = match (declined, choice.get("finish_reason").and_then(Value::as_str)) {
        (_, Some("content_filter")) => Finish::ContentFilter,
        (Some(words), _) => Finish::Refusal(words.to_owned()),
        (None, Some("length")) => Finish::Length,
        _ => Finish::Complete,
    };
    let usage = envelope.get("usage").filter(|usage| usage.is_object()).map(|usage| Usage {
        input_tokens: count(usage, "/prompt_tokens"),
        output_tokens: count(usage, "/completion_tokens"),
        cached_input_tokens: count(usage, "/prompt_tokens_details/cached_tokens"),
    });
    let model = envelope.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok(Reply { text, finish, usage, model })
}

/// A text, or a list of parts of which the texts count.
fn content(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect::<Vec<_>>().concat()
        }
        _ => String::new(),
    }
}
