//! Messages: Anthropic, and servers that speak its format.
//!
//! `Structured::Schema` sends `output_config.format`, which is generally available and which the newest models insist
//! on: they answer a forced tool with an error. `Structured::Json` is that forced tool, with the schema as its input:
//! older models and compatible servers know it, and a model that refuses the first is asked this way next.
//! `Structured::Prompt` puts the schema into the prompt. There is no seed, and the longest reply must be given.

use super::schema::{Dialect, for_strict};
use super::{Finish, Reply, Request, WireError, count, parse, role_name, schema_name, split_system};
use assize_core::suite::Structured;
use assize_core::{Question, Usage};
use serde_json::{Map, Value, json};

/// The version of the format, sent as `anthropic-version`.
pub const VERSION: &str = "2023-06-01";

/// The body of `POST /v1/messages`.
pub fn encode(question: &Question, request: &Request<'_>) -> Value {
    let capabilities = request.capabilities;
    let (system, rest) = split_system(question, capabilities.structured == Structured::Prompt);
    let messages: Vec<Value> =
        rest.map(|message| json!({"role": role_name(message.role), "content": message.content})).collect();
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("max_tokens".to_owned(), json!(request.output_limit));
    if !system.is_empty() {
        body.insert("system".to_owned(), json!(system));
    }
    body.insert("messages".to_owned(), Value::Array(messages));
    if let Some(temperature) = request.parameters.temperature.filter(|_| capabilities.temperature) {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    match capabilities.structured {
        Structured::Schema => {
            let schema = for_strict(&question.schema.schema, Dialect::Anthropic);
            body.insert("output_config".to_owned(), json!({"format": {"type": "json_schema", "schema": schema}}));
        }
        Structured::Json => {
            let name = schema_name(&question.schema.name);
            let tool = json!({
                "name": name,
                "description": "Gives the answer. It must be called exactly once.",
                "input_schema": question.schema.schema,
            });
            body.insert("tools".to_owned(), json!([tool]));
            body.insert("tool_choice".to_owned(), json!({"type": "tool", "name": name}));
        }
        Structured::Prompt => {}
    }
    Value::Object(body)
}

/// What the response says.
pub fn decode(status: u16, body: &[u8]) -> Result<Reply, WireError> {
    let envelope = parse(status, body)?;
    let blocks = envelope
        .get("content")
        .and_then(Value::as_array)
        .ok_or_else(|| WireError::Broken("the response has no content".to_owned()))?;
    let of_type =
        |kind: &'static str| blocks.iter().filter(move |block| block.get("type").and_then(Value::as_str) == Some(kind));
    let text = match of_type("tool_use").find_map(|block| block.get("input")) {
        Some(input) => input.to_string(),
        // Thinking comes in blocks of its own type and is no part of the answer.
        None => of_type("text").filter_map(|block| block.get("text").and_then(Value::as_str)).collect(),
    };
    let finish = match envelope.get("stop_reason").and_then(Value::as_str) {
        Some("max_tokens" | "model_context_window_exceeded") => Finish::Length,
        Some("refusal") => Finish::Refusal(text.clone()),
        _ => Finish::Complete,
    };
    let usage = envelope.get("usage").filter(|usage| usage.is_object()).map(|usage| {
        let cached = count(usage, "/cache_read_input_tokens");
        Usage {
            // Here what was read from the cache or written to it is counted apart from the rest.
            input_tokens: count(usage, "/input_tokens") + cached + count(usage, "/cache_creation_input_tokens"),
            output_tokens: count(usage, "/output_tokens"),
            cached_input_tokens: cached,
        }
    });
    let model = envelope.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok(Reply { text, finish, usage, model })
}
