//! What a suite can set, and what a case is.

use assize_core::document::Node;
use assize_core::settings::{schema, setting, switch};
use assize_core::{InputKind, InputSpec};
use serde::Serialize;
use serde_json::{Value, json};

/// The settings of the pairwise judge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Settings {
    /// The system that all others are compared with; every system with every other where there is none.
    pub(super) baseline: Option<String>,
    /// Whether the judge may call it a tie.
    pub(super) ties: bool,
    /// What makes an answer better here, in the user's words.
    pub(super) criterion: Option<String>,
}

pub(super) fn settings_schema() -> Value {
    let text = || json!({"type": "string", "minLength": 1});
    let described = |mut schema: Value, about: &str| {
        schema["description"] = json!(about);
        schema
    };
    let baseline =
        "The system that all others are compared with. Without one, every system is compared with every other.";
    let criterion = "What makes an answer better here, added to the instructions.";
    schema(
        "pairwise",
        "The settings of the pairwise judge.",
        &[
            ("baseline", described(text(), baseline)),
            ("ties", setting(switch("", true), "Whether the judge may call it a tie.", json!(true))),
            ("criterion", described(text(), criterion)),
        ],
    )
}

impl Settings {
    /// Settings that have been checked against the schema.
    pub(super) fn of(node: Option<&Node>) -> Self {
        let settings = node.map(Node::to_value).unwrap_or_default();
        let text = |key: &str| settings[key].as_str().map(|text| text.trim().to_owned());
        let ties = settings["ties"].as_bool().unwrap_or(true);
        Self { baseline: text("baseline"), ties, criterion: text("criterion") }
    }
}

pub(super) const PROMPT: &str = "prompt";
pub(super) const REFERENCE: &str = "reference";
pub(super) const RESPONSE: &str = "response";
pub(super) const RESPONSE_A: &str = "response_a";
pub(super) const RESPONSE_B: &str = "response_b";
pub(super) const MODEL_A: &str = "model_a";
pub(super) const MODEL_B: &str = "model_b";

pub(super) fn inputs() -> Vec<InputSpec> {
    let optional = |name: &str, about: &str| InputSpec::optional(name, InputKind::Text, about);
    vec![
        InputSpec::required(PROMPT, InputKind::Text, "what both systems were asked"),
        optional(REFERENCE, "an answer that is known to be right"),
        optional(RESPONSE, "what one system wrote; rows with the same id are paired"),
        optional(RESPONSE_A, "what the first system of a pair wrote"),
        optional(RESPONSE_B, "what the second system of a pair wrote"),
        optional(MODEL_A, "the name of the first system; `a` where it is left out"),
        optional(MODEL_B, "the name of the second system; `b` where it is left out"),
    ]
}
