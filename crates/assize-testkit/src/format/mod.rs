//! The wire formats the server speaks. A further API (batches) is a further format with a path of its own.

mod anthropic;
mod embeddings;
mod openai;

pub use embeddings::bag_of_words;

use crate::script::{Received, Reply, good_answer};
use serde_json::{Value, json};

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Chat completions.
    OpenAi,
    /// Messages.
    Anthropic,
    /// Embeddings.
    Embeddings,
}

/// How a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Complete,
    Length,
    Filtered,
    Declined,
}

/// A good response, still in no format.
pub(crate) struct Spoken {
    pub(crate) text: String,
    /// Whether the text is exactly a JSON object, so that it can also be given as a tool's input.
    pub(crate) is_object: bool,
    pub(crate) ending: Ending,
    pub(crate) model: String,
    pub(crate) usage: Option<(u64, u64, u64)>,
}

impl Format {
    /// The format of a path.
    pub fn of_path(path: &str) -> Option<Self> {
        match path {
            "/v1/chat/completions" => Some(Self::OpenAi),
            "/v1/messages" => Some(Self::Anthropic),
            "/v1/embeddings" => Some(Self::Embeddings),
            _ => None,
        }
    }

    pub(crate) fn messages(self, body: &Value) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut messages = Vec::new();
        if let Some(system) = body.get("system") {
            messages.push(("system".to_owned(), text(system)));
        }
        for message in body.get("messages").and_then(Value::as_array).into_iter().flatten() {
            let role = message.get("role").map(text).unwrap_or_default();
            messages.push((role, message.get("content").map(text).unwrap_or_default()));
        }
        messages
    }

    /// The texts to embed.
    pub(crate) fn texts(self, body: &Value) -> Vec<String> {
        if self == Self::Embeddings { embeddings::texts(body) } else { Vec::new() }
    }

    pub(crate) fn schema(self, body: &Value) -> Option<Value> {
        let sent = match self {
            Self::OpenAi => body.pointer("/response_format/json_schema/schema"),
            Self::Anthropic => {
                body.pointer("/output_config/format/schema").or_else(|| body.pointer("/tools/0/input_schema"))
            }
            Self::Embeddings => None,
        };
        sent.cloned().or_else(|| {
            let said = self.messages(body).into_iter().map(|(_, content)| content);
            said.filter_map(|content| {
                let (_, after) = content.rsplit_once("JSON Schema:\n")?;
                serde_json::from_str(after.trim()).ok()
            })
            .next_back()
        })
    }

    /// Whether a request has a parameter. `json_schema`, `json_object` and `tool_choice` are parameters in this sense.
    pub(crate) fn has_parameter(self, body: &Value, name: &str) -> bool {
        match name {
            "json_schema" | "json_object" => body.pointer("/response_format/type") == Some(&json!(name)),
            _ => body.get(name).is_some(),
        }
    }

    /// The response to a request, for the replies that are responses in this format.
    pub(crate) fn respond(self, received: &Received, reply: &Reply, cached_tokens: u64) -> (u16, Value) {
        if let Reply::UnsupportedParameter(name) = reply
            && self.has_parameter(&received.body, name)
        {
            return (400, self.refuse(name));
        }
        let spoken = || speak(received, reply, cached_tokens);
        let response = match self {
            Self::OpenAi => openai::render(received, &spoken()),
            Self::Anthropic => anthropic::render(received, &spoken()),
            Self::Embeddings => embeddings::render(received, reply),
        };
        (200, response)
    }

    fn refuse(self, name: &str) -> Value {
        match self {
            Self::OpenAi | Self::Embeddings => openai::refuse(name),
            Self::Anthropic => anthropic::refuse(name),
        }
    }
}

fn speak(received: &Received, reply: &Reply, cached_tokens: u64) -> Spoken {
    let mut is_object = false;
    let mut ending = Ending::Complete;
    let text = match reply {
        Reply::Json(value) => {
            is_object = value.is_object();
            value.to_string()
        }
        Reply::Text(text) => text.clone(),
        Reply::Fenced(value) => format!("```json\n{value:#}\n```"),
        Reply::WithProse(value) => format!("Here is my judgment.\n\n{value}\n\nTell me if you need more."),
        Reply::TrailingComma(value) => value.to_string().replacen('}', ",}", 1),
        Reply::Truncated(text) => {
            ending = Ending::Length;
            text.clone()
        }
        Reply::Refusal(words) => {
            ending = Ending::Declined;
            words.clone()
        }
        Reply::ContentFilter => {
            ending = Ending::Filtered;
            String::new()
        }
        _ => {
            is_object = true;
            good_answer(received).to_string()
        }
    };
    let model = match reply {
        Reply::WrongModelName(name) => name.clone(),
        _ => received.model().to_owned(),
    };
    let sent: usize = received.messages().iter().map(|(_, content)| content.len()).sum();
    let usage = (*reply != Reply::WithoutUsage)
        .then(|| ((sent as u64).div_ceil(4).max(cached_tokens), (text.len() as u64).div_ceil(4), cached_tokens));
    Spoken { text, is_object, ending, model, usage }
}
