//! The inputs of a case as texts that can be shown and searched.

use super::Pane;
use crate::Case;
use indexmap::IndexMap;
use serde_json::Value;

/// The inputs of a case.
#[derive(Clone, Debug)]
pub struct Inputs(Vec<ShownInput>);

/// One input as a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownInput {
    /// Its name.
    pub name: String,
    /// The text.
    pub text: String,
    /// Whether that is JSON written out.
    pub is_json: bool,
}

impl Inputs {
    /// All inputs, in the order of the case.
    pub fn of(case: &Case) -> Self {
        let shown = case.inputs.iter().map(|(name, value)| {
            let (text, is_json) = Self::written(value);
            ShownInput { name: name.clone(), text, is_json }
        });
        Self(shown.collect())
    }

    /// In their order.
    pub fn iter(&self) -> impl Iterator<Item = &ShownInput> {
        self.0.iter()
    }

    /// An input as it is shown; empty where the case has none of that name.
    pub fn text(&self, name: &str) -> &str {
        self.0.iter().find(|input| input.name == name).map_or("", |input| &input.text)
    }

    /// Shows inputs in other words than those of the case.
    pub fn rewrite(&mut self, rewritten: &IndexMap<String, String>) {
        for input in &mut self.0 {
            if let Some(text) = rewritten.get(&input.name) {
                (input.text, input.is_json) = (text.clone(), false);
            }
        }
    }

    /// A value as a text, and whether it is JSON.
    pub fn written(value: &Value) -> (String, bool) {
        match value {
            Value::String(text) => (text.clone(), false),
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => {
                let lines: Vec<String> =
                    items.iter().filter_map(Value::as_str).map(|item| format!("• {item}")).collect();
                (lines.join("\n"), false)
            }
            Value::Object(_) | Value::Array(_) => (format!("{value:#}"), true),
            Value::Null | Value::Bool(_) | Value::Number(_) => (value.to_string(), false),
        }
    }
}

impl ShownInput {
    /// Its pane.
    pub fn pane(&self) -> Pane {
        Pane { code: self.is_json, ..Pane::of_input(&self.name, self.text.as_str()) }
    }
}
