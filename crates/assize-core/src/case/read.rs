//! From a record to a case, with everything that is wrong.

use super::{Case, InputKind, InputSpec};
use crate::UnderTest;
use crate::document::closest;
use serde_json::{Map, Value};

/// The keys every case may have, whatever its judge.
pub const COMMON_KEYS: [&str; 4] = ["id", "model", "tags", "metadata"];

/// One thing that is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordProblem {
    /// The key it concerns, where it concerns one that is there.
    pub key: Option<String>,
    /// What was found and what was expected.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl RecordProblem {
    fn at(key: &str, message: String) -> Self {
        Self { key: Some(key.to_owned()), message, help: None }
    }

    fn missing(message: String) -> Self {
        Self { key: None, message, help: None }
    }
}

impl Case {
    /// Makes a case of a record, given what the judge needs.
    pub fn read(mut record: Map<String, Value>, inputs: &[InputSpec]) -> Result<Self, Vec<RecordProblem>> {
        let mut problems = Vec::new();
        let id = read_id(record.shift_remove("id"), &mut problems);
        let model = read_model(record.shift_remove("model"), &mut problems);
        let tags = read_tags(record.shift_remove("tags"), &mut problems);
        let metadata = read_metadata(record.shift_remove("metadata"), &mut problems);
        let mut found = Map::new();
        for input in inputs {
            match record.shift_remove(&input.name) {
                Some(Value::Null) if input.kind == InputKind::Output => {
                    found.insert(input.name.clone(), Value::Null);
                }
                None | Some(Value::Null) if input.required => problems.push(RecordProblem::missing(format!(
                    "the case has no `{}`, which is required: {}",
                    input.name, input.about
                ))),
                None | Some(Value::Null) => {}
                Some(value) => match fit(value, input.kind) {
                    Ok(value) => {
                        found.insert(input.name.clone(), value);
                    }
                    Err(value) => problems.push(RecordProblem::at(
                        &input.name,
                        format!("`{}` must be {}, found {}", input.name, input.kind.describe(), describe(&value)),
                    )),
                },
            }
        }
        for key in record.keys() {
            let known = || inputs.iter().map(|input| input.name.as_str()).chain(COMMON_KEYS);
            let help = match closest(key, known()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!(
                    "known keys: {}; free data goes under `metadata`, or is dropped with `map: {{{key}: ~}}` in the suite",
                    known().collect::<Vec<_>>().join(", ")
                ),
            };
            problems.push(RecordProblem {
                key: Some(key.clone()),
                message: format!("unknown key `{key}` in the case"),
                help: Some(help),
            });
        }
        if problems.is_empty() { Ok(Self { id, model, tags, inputs: found, metadata }) } else { Err(problems) }
    }
}

fn read_id(value: Option<Value>, problems: &mut Vec<RecordProblem>) -> String {
    match value {
        Some(Value::String(id)) if !id.trim().is_empty() => return id,
        Some(Value::Number(id)) => return id.to_string(),
        None | Some(Value::Null) => {
            problems.push(RecordProblem::missing("the case has no `id`, which is required: its name".into()));
        }
        Some(other) => {
            let message = format!("`id` must be a text or a number, found {}", describe(&other));
            problems.push(RecordProblem::at("id", message));
        }
    }
    String::new()
}

fn read_model(value: Option<Value>, problems: &mut Vec<RecordProblem>) -> UnderTest {
    match value {
        None | Some(Value::Null) => return Case::DEFAULT_MODEL.into(),
        Some(Value::String(model)) if !model.trim().is_empty() => return model.into(),
        Some(Value::Array(models)) if several(&models) => {
            return UnderTest::several(models.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        }
        Some(other) => {
            let message = format!("`model` must be the name of the system under test, found {}", describe(&other));
            problems.push(RecordProblem::at("model", message));
        }
    }
    Case::DEFAULT_MODEL.into()
}

/// Whether these are names of systems under test, none of them twice.
fn several(models: &[Value]) -> bool {
    let names: Vec<&str> = models.iter().filter_map(Value::as_str).filter(|name| !name.trim().is_empty()).collect();
    let different: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    !models.is_empty() && different.len() == models.len()
}

/// Tags are a list of texts, or, as in a CSV column, one text with commas.
fn read_tags(value: Option<Value>, problems: &mut Vec<RecordProblem>) -> Vec<String> {
    match value {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::String(text)) => {
            return text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        }
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
            return items.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        Some(other) => {
            let message = format!("`tags` must be a list of texts, found {}", describe(&other));
            problems.push(RecordProblem::at("tags", message));
        }
    }
    Vec::new()
}

fn read_metadata(value: Option<Value>, problems: &mut Vec<RecordProblem>) -> Map<String, Value> {
    match value {
        None | Some(Value::Null) => {}
        Some(Value::Object(map)) => return map,
        Some(other) => {
            let message = format!("`metadata` must be an object, found {}", describe(&other));
            problems.push(RecordProblem::at("metadata", message));
        }
    }
    Map::new()
}

/// The value as the kind wants it. Tables have only texts: one that holds JSON, or a number, is taken for it where a
/// text would be wrong.
fn fit(value: Value, kind: InputKind) -> Result<Value, Value> {
    if matches_kind(&value, kind) {
        return Ok(value);
    }
    match (&value, kind) {
        (Value::Number(number), InputKind::Text) => return Ok(Value::String(number.to_string())),
        (Value::String(text), _) => {
            if let Ok(inner) = serde_json::from_str::<Value>(text)
                && matches_kind(&inner, kind)
            {
                return Ok(inner);
            }
        }
        _ => {}
    }
    Err(value)
}

fn matches_kind(value: &Value, kind: InputKind) -> bool {
    match kind {
        InputKind::Text => value.is_string(),
        InputKind::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        InputKind::Number => value.is_number(),
        InputKind::List => value.is_array(),
        InputKind::Object => value.is_object(),
        InputKind::Any | InputKind::Output => true,
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "nothing".into(),
        Value::Bool(value) => format!("`{value}`"),
        Value::Number(value) => format!("the number {value}"),
        Value::String(text) if text.chars().count() <= 40 => format!("the text {text:?}"),
        Value::String(_) => "a text".into(),
        Value::Array(items) if items.iter().any(|item| !item.is_string()) => {
            "a list with other things than texts".into()
        }
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn inputs() -> Vec<InputSpec> {
        vec![
            InputSpec::required("problem", InputKind::Text, "what was to be solved"),
            InputSpec::optional("expected_components", InputKind::Texts, "what must occur"),
        ]
    }

    fn read(value: Value) -> Result<Case, Vec<RecordProblem>> {
        let Value::Object(record) = value else { unreachable!("an object literal") };
        Case::read(record, &inputs())
    }

    #[test]
    fn a_good_record_becomes_a_case() {
        let case =
            read(json!({"id": 7, "problem": "", "tags": "a, b", "expected_components": "[\"x\"]"})).expect("valid");
        assert_eq!((case.id.as_str(), &*case.model), ("7", "default"));
        assert_eq!(case.tags, ["a", "b"]);
        assert_eq!(case.texts("expected_components"), ["x"]);
    }

    #[test]
    fn a_repetition_is_one_by_its_number() {
        let inputs = [InputSpec::optional("run", InputKind::Any, "which repetition")];
        let read = |run: Value| {
            let record = [("id".to_owned(), json!("c")), ("run".to_owned(), run)].into_iter().collect();
            Case::read(record, &inputs).expect("valid").name().into_owned()
        };
        assert_eq!([read(json!(2)), read(json!(null)), read(json!("a text"))], ["c (run 2)", "c", "c"]);
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let problems = read(json!({"problm": "x", "tags": 3, "expected_components": [1]})).expect_err("invalid");
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "the case has no `id`, which is required: its name",
                "`tags` must be a list of texts, found the number 3",
                "the case has no `problem`, which is required: what was to be solved",
                "`expected_components` must be a list of texts, found a list with other things than texts",
                "unknown key `problm` in the case",
            ]
        );
        assert_eq!(problems[4].help.as_deref(), Some("did you mean `problem`?"));
    }
}
