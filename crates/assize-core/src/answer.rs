//! An answer: a reply that satisfied its schema, and where it came from.
//!
//! Answers are content-addressed. The *key* says what was asked of whom (provider, model, parameters, messages, schema,
//! sample index, nothing else); the *id* names this very reply to it, so that asking anew never rewrites history.

use crate::{Failure, Fingerprint, Method};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How the reply had to be read to become the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// The reply was the JSON object and nothing else.
    #[default]
    Exact,
    /// The object was found in a fence or among other text.
    Extracted,
    /// The object's syntax had to be mended (trailing commas, single quotes, …).
    Repaired,
}

/// What a call used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// Of the tokens sent, those the provider had cached.
    #[serde(default)]
    pub cached_input_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cached_input_tokens += other.cached_input_tokens;
    }
}

/// Where an answer came from and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// Who was asked, as `provider:name`.
    pub asked: String,
    /// The model the provider says it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens over all calls this answer took.
    pub usage: Usage,
    /// US dollars over all calls this answer took; `None` where the price is not known.
    pub cost_usd: Option<f64>,
    /// Milliseconds from the first request to the last reply.
    pub latency_ms: u64,
    /// Calls it took that came back with a reply: 2 after a corrective round.
    pub calls: u32,
    /// Requests repeated because of an error on the way.
    pub retries: u32,
    /// Parameters the model did not accept and that were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped_parameters: Vec<String>,
    /// How the reply had to be read.
    #[serde(default)]
    pub reading: Reading,
    /// Whether the first reply was invalid and had to be sent back.
    #[serde(default)]
    pub corrected: bool,
}

/// Who or what answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A model, now or in an earlier run.
    Model,
    /// A file of recorded answers.
    Replay,
    /// The judge's own rules, in the model's place.
    Rules,
}

/// A validated reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Names this reply to this question; see [`Answer::id_of`].
    pub id: Fingerprint,
    /// Names what was asked of whom.
    pub key: Fingerprint,
    /// Who answered.
    pub source: Source,
    /// The reply, valid under the question's schema.
    pub value: Value,
    /// The reply as it came.
    pub raw: String,
    /// Where it came from.
    pub provenance: Provenance,
}

impl Answer {
    /// The id of the reply `raw` to the question with this key.
    pub fn id_of(key: &Fingerprint, raw: &str) -> Fingerprint {
        Fingerprint::of(&(key, raw))
    }

    /// An answer the judge's own rules gave in the model's place.
    pub fn from_rules(question: &str, value: Value) -> Self {
        let raw = value.to_string();
        let key = Fingerprint::of_bytes(question.as_bytes());
        let provenance = Provenance { asked: "offline".into(), cost_usd: Some(0.0), ..Provenance::default() };
        Self { id: Self::id_of(&key, &raw), key, source: Source::Rules, value, raw, provenance }
    }

    /// The method of a figure that rests on this answer's labels.
    pub fn method(&self) -> Method {
        match self.source {
            Source::Rules => Method::Rules,
            Source::Model | Source::Replay => Method::Llm,
        }
    }

    /// The flags that the way of reading this answer raises.
    pub fn flags(&self) -> Vec<&'static str> {
        let mut flags = Vec::new();
        match self.provenance.reading {
            Reading::Exact => {}
            Reading::Extracted => flags.push("reply_extracted"),
            Reading::Repaired => flags.push("reply_repaired"),
        }
        if self.provenance.corrected {
            flags.push("reply_corrected");
        }
        flags
    }
}

/// What has been answered about a case so far, by the question's name.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    answers: IndexMap<String, Answer>,
    failures: IndexMap<String, Failure>,
}

impl Answers {
    /// Nothing answered yet.
    pub fn none() -> Self {
        Self::default()
    }

    /// The answer to a question.
    pub fn get(&self, question: &str) -> Option<&Answer> {
        self.answers.get(question)
    }

    /// Adds the answer to a question.
    pub fn insert(&mut self, question: String, answer: Answer) {
        self.answers.insert(question, answer);
    }

    /// Why a question has no answer, where the case can do without.
    pub fn failure(&self, question: &str) -> Option<&Failure> {
        self.failures.get(question)
    }

    /// Says that a question has no answer, and why.
    pub fn fail(&mut self, question: String, failure: Failure) {
        self.failures.insert(question, failure);
    }

    /// All answers, in the order they were given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Answer)> {
        self.answers.iter().map(|(name, answer)| (name.as_str(), answer))
    }
}
