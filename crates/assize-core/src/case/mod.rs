//! A case: one thing to judge.
//!
//! A record (a JSON object, whatever file it came from) becomes a [`Case`] only if it has what the judge needs, in the
//! right kind, and nothing unknown. What is wrong is reported by path, so that the reader of the file can add the line.

mod read;

pub use read::{COMMON_KEYS, RecordProblem};

use crate::{Fingerprint, UnderTest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// One thing to judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// Its id, unique for each model and repetition within a run.
    pub id: String,
    /// The system under test that produced it, or several whose outputs are judged side by side.
    pub model: UnderTest,
    /// Free words to filter by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// What the judge needs, by name.
    pub inputs: Map<String, Value>,
    /// What belongs to the case and is not judged.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

impl Case {
    /// The model of a case that names none.
    pub const DEFAULT_MODEL: &'static str = "default";

    /// The case as JSON, and the fingerprint of exactly that text.
    pub fn content(&self) -> (String, Fingerprint) {
        let json = serde_json::to_string(self).expect("maps with text keys have a JSON form");
        let fingerprint = Fingerprint::of_bytes(json.as_bytes());
        (json, fingerprint)
    }

    /// Which repetition on the same input it is, where the case says so: the input `run`.
    pub fn repetition(&self) -> Option<&Number> {
        self.inputs.get(InputSpec::RUN).and_then(Value::as_number)
    }

    /// What it is called among the cases of its model: its id, and which repetition it is.
    pub fn name(&self) -> Cow<'_, str> {
        Self::name_of(&self.id, self.repetition())
    }

    /// What a case with this id is called if it is this repetition.
    pub fn name_of<'i>(id: &'i str, repetition: Option<&Number>) -> Cow<'i, str> {
        match repetition {
            Some(run) => Cow::Owned(format!("{id} (run {run})")),
            None => Cow::Borrowed(id),
        }
    }

    /// An input that is a text; empty where it is absent. Reading has made sure that required ones are there.
    pub fn text(&self, input: &str) -> &str {
        self.inputs.get(input).and_then(Value::as_str).unwrap_or_default()
    }

    /// An input that may be absent.
    pub fn optional_text(&self, input: &str) -> Option<&str> {
        self.inputs.get(input).and_then(Value::as_str)
    }

    /// An input that is a list of texts; empty where it is absent.
    pub fn texts(&self, input: &str) -> Vec<&str> {
        self.inputs
            .get(input)
            .and_then(Value::as_array)
            .map(|items| items.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default()
    }
}

/// What kind of value an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A number.
    Number,
    /// A list of anything.
    List,
    /// An object.
    Object,
    /// Anything at all: text or JSON.
    Any,
    /// What the model under test wrote: text or JSON, and null where it wrote nothing.
    Output,
}

impl InputKind {
    /// What to call it in a message.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Texts => "a list of texts",
            Self::Number => "a number",
            Self::List => "a list",
            Self::Object => "an object",
            Self::Any | Self::Output => "a text or JSON",
        }
    }
}

/// An input a judge needs or takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputSpec {
    /// Its key in the case.
    pub name: String,
    /// What kind of value it is.
    pub kind: InputKind,
    /// Whether a case must have it. An empty text is a value; `null` is none.
    pub required: bool,
    /// One line on what it holds.
    pub about: String,
}

impl InputSpec {
    /// The key of the input that says which repetition a case is.
    pub const RUN: &str = "run";

    /// Which repetition on the same input a case is, for judges whose cases can be repeated.
    pub fn run() -> Self {
        Self::optional(Self::RUN, InputKind::Number, "which repetition on the same input this is")
    }

    /// An input every case must have.
    pub fn required(name: impl Into<String>, kind: InputKind, about: impl Into<String>) -> Self {
        Self { name: name.into(), kind, required: true, about: about.into() }
    }

    /// An input a case may have.
    pub fn optional(name: impl Into<String>, kind: InputKind, about: impl Into<String>) -> Self {
        Self { required: false, ..Self::required(name, kind, about) }
    }
}
