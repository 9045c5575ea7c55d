//! What a model turned out to take.
//!
//! Models refuse parameters that their elders took (`temperature`, `seed`, `max_tokens`, a JSON schema), and say so in
//! the error. The parameter is then left out for that model for the rest of the process, and every answer given without
//! it names it. What was refused is read from the error here; who repeats the request is the client.

use crate::tokens;
use crate::wire::ProviderError;
use assize_core::suite::{Api, Parameters, Structured};
use serde_json::Value;
use std::sync::{Mutex, PoisonError};

/// The name under which a chat-completions server wants the length limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputLimit {
    /// The name of old, which compatible servers know.
    MaxTokens,
    /// OpenAI's name today, which its reasoning models insist on.
    MaxCompletionTokens,
    /// Under neither name.
    Refused,
}

impl OutputLimit {
    /// The name in a request.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::MaxTokens => Some("max_tokens"),
            Self::MaxCompletionTokens => Some("max_completion_tokens"),
            Self::Refused => None,
        }
    }
}

/// The least room for a reply of a model that may think where nobody sees it: that counts towards the limit and cannot
/// always be turned off, so that a limit close to the answer's own length would cut good answers off.
const ROOM_TO_THINK: u64 = 16_384;

/// The least room for a reply of another model. A small one that does not find its end is stopped here.
const ROOM: u64 = 2048;

/// What a model takes, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether it takes a temperature.
    pub temperature: bool,
    /// Whether it takes a seed.
    pub seed: bool,
    /// How it is made to keep to a schema.
    pub structured: Structured,
    /// How it is told the longest reply.
    pub output_limit: OutputLimit,
    /// Whether the other name of the limit was refused before.
    limit_renamed: bool,
}

/// A parameter that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The temperature.
    Temperature,
    /// The seed.
    Seed,
    /// The way of keeping it to a schema.
    Structured,
    /// The longest reply, under the name it was sent.
    OutputLimit,
}

impl Capabilities {
    /// What is assumed before anything is known.
    pub fn assumed(api: Api, provider: &str, structured: Structured) -> Self {
        Self {
            temperature: true,
            // The messages format has no seed at all.
            seed: api == Api::OpenAi,
            structured,
            output_limit: if provider == "openai" { OutputLimit::MaxCompletionTokens } else { OutputLimit::MaxTokens },
            limit_renamed: false,
        }
    }

    /// What is known once `refused` was refused.
    pub fn without(mut self, refused: Refused) -> Self {
        match refused {
            Refused::Temperature => self.temperature = false,
            Refused::Seed => self.seed = false,
            Refused::Structured => {
                self.structured = match self.structured {
                    Structured::Schema => Structured::Json,
                    Structured::Json | Structured::Prompt => Structured::Prompt,
                }
            }
            Refused::OutputLimit => {
                self.output_limit = match (self.output_limit, self.limit_renamed) {
                    (OutputLimit::MaxTokens, false) => OutputLimit::MaxCompletionTokens,
                    (OutputLimit::MaxCompletionTokens, false) => OutputLimit::MaxTokens,
                    _ => OutputLimit::Refused,
                };
                self.limit_renamed = true;
            }
        }
        self
    }

    /// The longest reply to a question, in tokens: what the suite says, or room for several times what its schema asks for.
    pub fn longest_reply(&self, api: Api, wanted: &Parameters, schema: &Value) -> u64 {
        let may_think = api == Api::Anthropic || self.output_limit == OutputLimit::MaxCompletionTokens;
        let least = if may_think { ROOM_TO_THINK } else { ROOM };
        wanted.max_output_tokens.unwrap_or_else(|| least.max(4 * tokens::of_answer(schema)))
    }

    /// The names of what the suite wants and the model does not take, as they stand on an answer.
    pub fn dropped(&self, api: Api, wanted: &Parameters, configured: Structured) -> Vec<String> {
        let mut dropped = Vec::new();
        if wanted.temperature.is_some() && !self.temperature {
            dropped.push("temperature");
        }
        if wanted.seed.is_some() && !self.seed {
            dropped.push("seed");
        }
        if wanted.max_output_tokens.is_some() && self.output_limit == OutputLimit::Refused {
            dropped.push("max_output_tokens");
        }
        if configured == Structured::Schema && self.structured != Structured::Schema {
            dropped.push("json_schema");
        }
        if configured != Structured::Prompt && self.structured == Structured::Prompt {
            dropped.push(if api == Api::OpenAi { "json_object" } else { "tool_choice" });
        }
        dropped.into_iter().map(str::to_owned).collect()
    }

    /// Which of the parameters that were sent the error is about; `None` if it is about something else.
    pub fn refused(&self, api: Api, wanted: &Parameters, error: &ProviderError) -> Option<Refused> {
        if !matches!(error.status, 400 | 404 | 422) {
            return None;
        }
        let message = error.message.to_lowercase();
        let unsupported = ["unsupported_parameter", "unsupported_value", "unknown_parameter", "invalid_json_schema"]
            .iter()
            .any(|code| error.is(code))
            || REFUSALS.iter().any(|words| message.contains(words));
        if !unsupported {
            return None;
        }
        let param = error.param.as_deref().unwrap_or_default();
        let about = |names: &[&str]| {
            let in_param = names.iter().any(|name| param.split(['.', '[']).next() == Some(*name));
            in_param || (param.is_empty() && names.iter().any(|name| names_word(&message, name)))
        };
        // Structured output first: its errors may quote a schema with a property called `seed`.
        if self.structured != Structured::Prompt && about(structured_names(api)) {
            return Some(Refused::Structured);
        }
        let limited = self.output_limit != OutputLimit::Refused;
        if api == Api::OpenAi && limited && about(&["max_tokens", "max_completion_tokens"]) {
            return Some(Refused::OutputLimit);
        }
        if wanted.temperature.is_some() && self.temperature && about(&["temperature"]) {
            return Some(Refused::Temperature);
        }
        if wanted.seed.is_some() && self.seed && about(&["seed"]) {
            return Some(Refused::Seed);
        }
        None
    }
}

/// How servers say that they do not take a parameter at all, as opposed to a value out of range.
const REFUSALS: &[&str] = &[
    "not support",
    "unsupported",
    "n't support",
    "deprecated",
    "unknown parameter",
    "unrecognized",
    "unknown field",
    "unexpected keyword",
    "extra inputs are not permitted",
    "extra fields not permitted",
    "not permitted",
    "not allowed",
    "not available",
    "not enabled",
    "no longer accepted",
    "invalid schema",
    "use 'max_completion_tokens'",
    "use 'max_tokens'",
    "is too large",
];

fn structured_names(api: Api) -> &'static [&'static str] {
    match api {
        Api::OpenAi => &["response_format", "json_schema", "json_object", "structured output", "structured outputs"],
        Api::Anthropic => &[
            "output_config",
            "output_format",
            "json_schema",
            "structured output",
            "structured outputs",
            "tool_choice",
            "tools",
            "forced tool",
        ],
    }
}

/// Whether the text holds the name as a word of its own.
fn names_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        outside(text[..at].chars().next_back()) && outside(text[at + name.len()..].chars().next())
    })
}

/// What is known of one model, shared by all requests to it. The lock is held for a copy, never across a request.
#[derive(Debug)]
pub struct Learned(Mutex<Capabilities>);

impl Learned {
    /// Starts from what is assumed.
    pub fn new(assumed: Capabilities) -> Self {
        Self(Mutex::new(assumed))
    }

    /// What is known now.
    pub fn now(&self) -> Capabilities {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a request sent with `sent` was refused, and says what to send next. Of many requests that are
    /// refused at once the first one moves on; the others find that it did.
    pub fn note(&self, sent: Capabilities, refused: Refused) -> Capabilities {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stale = match refused {
            Refused::Temperature => known.temperature != sent.temperature,
            Refused::Seed => known.seed != sent.seed,
            Refused::Structured => known.structured != sent.structured,
            Refused::OutputLimit => known.output_limit != sent.output_limit,
        };
        if !stale {
            *known = known.without(refused);
        }
        *known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Parameters {
        Parameters { max_output_tokens: Some(100), ..Parameters::default() }
    }

    fn error(status: u16, message: &str, param: Option<&str>, code: Option<&str>) -> ProviderError {
        ProviderError {
            status,
            message: message.to_owned(),
            param: param.map(str::to_owned),
            code: code.map(str::to_owned),
            kind: Some("invalid_request_error".to_owned()),
        }
    }

    fn refused(api: Api, error: &ProviderError) -> Option<Refused> {
        Capabilities::assumed(api, "openai", Structured::Schema).refused(api, &wanted(), error)
    }

    #[test]
    fn refusals_as_providers_word_them() {
        let cases = [
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                Some("max_tokens"),
                Some("unsupported_parameter"),
                Refused::OutputLimit,
            ),
            (
                "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
                Some("temperature"),
                Some("unsupported_value"),
                Refused::Temperature,
            ),
            (
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
                None,
                None,
                Refused::Structured,
            ),
            (
                "Invalid schema for response_format 'answer': 'seed' is not permitted.",
                Some("response_format"),
                Some("invalid_json_schema"),
                Refused::Structured,
            ),
            ("seed: Extra inputs are not permitted", None, None, Refused::Seed),
        ];
        for (message, param, code, expected) in cases {
            assert_eq!(refused(Api::OpenAi, &error(400, message, param, code)), Some(expected), "{message}");
        }
        let cases = [
            ("`temperature` is deprecated for this model.", Refused::Temperature),
            ("output_config: Extra inputs are not permitted", Refused::Structured),
            ("tool_choice: forced tool use is not supported by this model", Refused::Structured),
        ];
        for (message, expected) in cases {
            assert_eq!(refused(Api::Anthropic, &error(400, message, None, None)), Some(expected), "{message}");
        }
    }

    #[test]
    fn an_error_about_something_else_is_no_refusal() {
        for (status, message, param) in [
            (400, "temperature must be between 0 and 1", Some("temperature")),
            (400, "This model's maximum context length is 8192 tokens", Some("messages")),
            (400, "Unsupported content: 'the temperature of the room'", Some("messages")),
            (500, "temperature is not supported", None),
            (400, "your seedling is not supported", None),
        ] {
            assert_eq!(refused(Api::OpenAi, &error(status, message, param, None)), None, "{message}");
        }
    }

    #[test]
    fn what_was_not_sent_cannot_be_refused() {
        let bare = Parameters { temperature: None, seed: None, max_output_tokens: None };
        let known = Capabilities::assumed(Api::OpenAi, "openai", Structured::Prompt);
        for name in ["temperature", "seed", "response_format"] {
            let error = error(400, "not supported", Some(name), Some("unsupported_parameter"));
            assert_eq!(known.refused(Api::OpenAi, &bare, &error), None, "{name}");
        }
    }

    #[test]
    fn the_ways_of_structuring_are_tried_from_strict_to_loose() {
        let mut known = Capabilities::assumed(Api::OpenAi, "local", Structured::Schema);
        assert!(known.dropped(Api::OpenAi, &wanted(), Structured::Schema).is_empty());
        known = known.without(Refused::Structured);
        assert_eq!(known.dropped(Api::OpenAi, &wanted(), Structured::Schema), ["json_schema"]);
        known = known.without(Refused::Structured);
        assert_eq!(known.dropped(Api::OpenAi, &wanted(), Structured::Schema), ["json_schema", "json_object"]);
        assert_eq!(known.without(Refused::Structured), known);
    }

    #[test]
    fn the_length_limit_is_tried_under_both_names() {
        let known = Capabilities::assumed(Api::OpenAi, "local", Structured::Schema);
        assert_eq!(known.output_limit, OutputLimit::MaxTokens);
        let once = known.without(Refused::OutputLimit);
        assert_eq!(once.output_limit, OutputLimit::MaxCompletionTokens);
        assert!(once.dropped(Api::OpenAi, &wanted(), Structured::Schema).is_empty());
        let twice = once.without(Refused::OutputLimit);
        assert_eq!(twice.dropped(Api::OpenAi, &wanted(), Structured::Schema), ["max_output_tokens"]);
    }

    #[test]
    fn requests_refused_at_once_move_on_once() {
        let sent = Capabilities::assumed(Api::OpenAi, "local", Structured::Schema);
        let learned = Learned::new(sent);
        assert_eq!(learned.note(sent, Refused::Structured).structured, Structured::Json);
        assert_eq!(learned.note(sent, Refused::Structured).structured, Structured::Json);
    }
}
