//! The inputs of a case as texts that can be shown and searched.

use assize_core::Case;
use serde_json::Value;

/// The inputs of a case.
pub(super) struct Inputs(Vec<ShownInput>);

/// One input as a text.
pub(super) struct ShownInput {
    pub(super) name: String,
    pub(super) text: String,
    /// Whether it is JSON written out.
    pub(super) is_json: bool,
}

impl Inputs {
    /// All inputs, in the order of the case.
    pub(super) fn of(case: &Case) -> Self {
        let shown = case.inputs.iter().map(|(name, value)| {
            let (text, is_json) = written(value);
            ShownInput { name: name.clone(), text, is_json }
        });
        Self(shown.collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ShownInput> {
        self.0.iter()
    }

    /// An input as it is shown; empty where the case has none of that name.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|input| input.name == name).map_or("", |input| &input.text)
    }

    /// Shows an input in other words than its JSON.
    pub(super) fn replace(&mut self, name: &str, text: &str) {
        if let Some(input) = self.0.iter_mut().find(|input| input.name == name) {
            *input = ShownInput { name: name.to_owned(), text: text.to_owned(), is_json: false };
        }
    }
}

/// A value as a text, and whether it is JSON.
pub(super) fn written(value: &Value) -> (String, bool) {
    match value {
        Value::String(text) => (text.clone(), false),
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => {
            let lines: Vec<String> = items.iter().filter_map(Value::as_str).map(|item| format!("• {item}")).collect();
            (lines.join("\n"), false)
        }
        Value::Object(_) | Value::Array(_) => (format!("{value:#}"), true),
        Value::Null | Value::Bool(_) | Value::Number(_) => (value.to_string(), false),
    }
}
