//! What the server replies: a function from each request to a [`Reply`].

use crate::fill::fill;
use crate::format::Format;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A request the server received.
#[derive(Clone, Debug)]
pub struct Received {
    /// How many came before it.
    pub number: usize,
    /// How many with exactly this body came before it.
    pub repetition: usize,
    /// The path.
    pub path: String,
    /// The wire format of that path.
    pub format: Format,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

impl Received {
    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The messages as role and text, the system text first in either format.
    pub fn messages(&self) -> Vec<(String, String)> {
        self.format.messages(&self.body)
    }

    /// The schema the answer must satisfy, wherever the format puts it; also the one in the prompt.
    pub fn schema(&self) -> Option<Value> {
        self.format.schema(&self.body)
    }

    /// The texts to embed, in the format that has some.
    pub fn texts(&self) -> Vec<String> {
        self.format.texts(&self.body)
    }

    /// The model that was asked for.
    pub fn model(&self) -> &str {
        self.body.get("model").and_then(Value::as_str).unwrap_or_default()
    }
}

/// What the server does with a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// An answer that satisfies the schema, made from a hash of the messages: the same for the same question. To texts,
    /// their vectors by [`bag_of_words`](crate::bag_of_words).
    Filled,
    /// This value as JSON, and nothing else.
    Json(Value),
    /// This text.
    Text(String),
    /// This value in a code fence.
    Fenced(Value),
    /// This value with sentences before and after it.
    WithProse(Value),
    /// This value with a comma too many.
    TrailingComma(Value),
    /// The beginning of a text, ended by the length limit.
    Truncated(String),
    /// The model declines in these words.
    Refusal(String),
    /// The provider's filter withholds the reply.
    ContentFilter,
    /// An HTTP status with a body and headers.
    Status {
        /// The status.
        code: u16,
        /// The body.
        body: String,
        /// Headers such as `Retry-After`.
        headers: Vec<(String, String)>,
    },
    /// The connection is closed in the middle of a good response.
    CutBody,
    /// Nothing until the server is shut down.
    Hang,
    /// Something else, later.
    Delay(Duration, Box<Reply>),
    /// A 400 that says the parameter is not supported, if the request has it; otherwise [`Reply::Filled`].
    UnsupportedParameter(String),
    /// A good reply that claims to come from this model.
    WrongModelName(String),
    /// A good reply that does not say what it used.
    WithoutUsage,
    /// Vectors, with something about them; where no vectors are asked for, [`Reply::Filled`].
    Vectors(Slip),
}

/// What a server does to the vectors it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// They come in another order, each with its own index: right, and easily read wrongly.
    Shuffled,
    /// The last one is not there.
    OneMissing,
    /// All of them say they are the first.
    SameIndex,
    /// The last one has a number less than the others.
    OneShorter,
    /// All of them have half the numbers, as if another model had given them.
    Halved,
    /// The last one holds a null.
    NotANumber,
}

impl Reply {
    /// A status with the body an error has in most formats.
    pub fn status(code: u16, message: &str) -> Self {
        Self::error(code, message, "error", &[])
    }

    /// A status with an error code and headers.
    pub fn error(code: u16, message: &str, error_code: &str, headers: &[(&str, &str)]) -> Self {
        let body = serde_json::json!({"error": {"message": message, "type": error_code, "code": error_code}});
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self::Status { code, body: body.to_string(), headers }
    }
}

type Choose = dyn Fn(&Received) -> Reply + Send + Sync;

/// Maps each request to a reply.
#[derive(Clone)]
pub struct Script(Arc<Choose>);

impl Script {
    /// A script of one's own.
    pub fn new(choose: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        Self(Arc::new(choose))
    }

    /// The same reply to everything.
    pub fn always(reply: Reply) -> Self {
        Self::new(move |_| reply.clone())
    }

    /// These replies in the order of the requests, then good answers.
    pub fn sequence(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Vec<Reply> = replies.into_iter().collect();
        Self::new(move |received| replies.get(received.number).cloned().unwrap_or(Reply::Filled))
    }

    /// Refuses these parameters and answers everything else.
    pub fn refusing(parameters: &[&str]) -> Self {
        let parameters: Vec<String> = parameters.iter().map(|name| (*name).to_owned()).collect();
        Self::new(move |received| {
            let sent = parameters.iter().find(|name| received.format.has_parameter(&received.body, name));
            sent.map_or(Reply::Filled, |name| Reply::UnsupportedParameter(name.clone()))
        })
    }

    pub(crate) fn reply(&self, received: &Received) -> Reply {
        (self.0)(received)
    }
}

impl Default for Script {
    fn default() -> Self {
        Self::always(Reply::Filled)
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

/// Failures strewn over otherwise good replies. Which request fails follows from the seed, its body and how often it
/// came, not from the order of arrival: the same run meets the same failures at any concurrency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faults {
    /// Chooses which requests fail.
    pub seed: u64,
    /// The share of requests that fail, from 0 to 1.
    pub rate: f64,
}

impl Faults {
    pub(crate) fn strike(self, received: &Received) -> Option<Reply> {
        let text = format!("{}\n{}\n{}", self.seed, received.repetition, received.body);
        let hash = blake3::hash(text.as_bytes());
        let number = |range: std::ops::Range<usize>| {
            hash.as_bytes()[range].iter().fold(0_u64, |number, byte| (number << 8) | u64::from(*byte))
        };
        let chance = number(0..6) as f64 / (1_u64 << 48) as f64;
        (chance < self.rate).then(|| match number(6..8) % 3 {
            0 => Reply::error(429, "slow down", "rate_limit_exceeded", &[("retry-after-ms", "5")]),
            1 => Reply::status(500, "something broke"),
            _ => Reply::CutBody,
        })
    }
}

/// The answer a good server gives.
pub(crate) fn good_answer(received: &Received) -> Value {
    let schema = received.schema().unwrap_or_else(|| serde_json::json!({"type": "object"}));
    fill(&schema, &format!("{:?}", received.messages()))
}
