//! Deterministic checks: what code can decide about an output without a model.

mod json_path;

use assize_core::Case;
use assize_core::document::{Fields, Key, Node, NodeValue, Problems};
use json_path::JsonPath;
use regex::{Regex, RegexBuilder};
use serde_json::Value;
use std::borrow::Cow;

/// Which outcome of a check settles a hybrid benchmark without asking a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// A check that holds passes the case; otherwise the model is asked.
    Pass,
    /// A check that does not hold fails the case; otherwise the model is asked.
    Fail,
    /// Either way.
    Both,
}

/// A check on one of the inputs.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its name in the file, for labels and reasons.
    pub name: &'static str,
    /// The input it looks at.
    pub on: &'static str,
    /// What settles a hybrid.
    pub decides: Decides,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Equals(Value),
    EqualsExpected,
    Contains { value: String, case_sensitive: bool, wanted: bool },
    Regex { pattern: Regex, wanted: bool },
    JsonPath { path: JsonPath, expect: Expect },
    IsInstance(Type),
}

#[derive(Clone, Debug)]
enum Expect {
    Present,
    Absent,
    Equals(Value),
    EqualsExpected,
}

#[derive(Clone, Copy, Debug)]
enum Type {
    Object,
    List,
    Text,
    Number,
    Integer,
    Boolean,
    Null,
}

const TYPES: [(&str, Type); 18] = [
    ("object", Type::Object),
    ("dict", Type::Object),
    ("mapping", Type::Object),
    ("list", Type::List),
    ("array", Type::List),
    ("str", Type::Text),
    ("string", Type::Text),
    ("text", Type::Text),
    ("number", Type::Number),
    ("float", Type::Number),
    ("int", Type::Integer),
    ("integer", Type::Integer),
    ("bool", Type::Boolean),
    ("boolean", Type::Boolean),
    ("null", Type::Null),
    ("none", Type::Null),
    ("None", Type::Null),
    ("NoneType", Type::Null),
];

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// Whether it holds.
    pub holds: bool,
    /// What was found, in a sentence.
    pub detail: String,
}

const NAMES: [&str; 7] = ["Equals", "EqualsExpected", "Contains", "NotContains", "Regex", "JsonPath", "IsInstance"];

impl Check {
    /// Reads a check: `EqualsExpected`, `Contains: "text"`, `JsonPath: {path: "$.a", equals: 1}`, or the same as
    /// `{type: Contains, config: {value: "text"}}`.
    pub fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let has_type = |entries: &[(Key, Node)]| entries.iter().any(|(key, _)| key.name == "type");
        let (name, arguments) = match &node.kind {
            NodeValue::Text(name) => (name.as_str(), None),
            NodeValue::Map(entries) if has_type(entries) => {
                let mut fields = Fields::open(node, "the check", problems)?;
                let name = fields.require("type", problems)?.filled_text("type", problems)?;
                let arguments = fields.take("config");
                fields.finish(problems);
                (name, arguments)
            }
            NodeValue::Map(entries) if entries.len() == 1 => (entries[0].0.name.as_str(), Some(&entries[0].1)),
            _ => {
                node.expected("deterministic", "a check with its name first, such as `Contains: \"text\"`", problems);
                return None;
            }
        };
        let Some(name) = NAMES.iter().copied().find(|known| *known == name) else {
            let message = format!("there is no check `{name}`");
            problems.report_with_help(node.span, message, format!("the checks are {}", NAMES.join(", ")));
            return None;
        };
        let empty = Node { span: node.span, kind: NodeValue::Map(Vec::new()) };
        match arguments {
            None => Self::read_arguments(name, &empty, problems),
            Some(arguments) if matches!(arguments.kind, NodeValue::Map(_)) => {
                Self::read_arguments(name, arguments, problems)
            }
            Some(scalar) => {
                let key = match name {
                    "Regex" => "pattern",
                    "JsonPath" => "path",
                    "IsInstance" => "type_name",
                    _ => "value",
                };
                let key = Key { span: scalar.span, name: key.to_owned() };
                let map = Node { span: scalar.span, kind: NodeValue::Map(vec![(key, scalar.clone())]) };
                Self::read_arguments(name, &map, problems)
            }
        }
    }

    fn read_arguments(name: &'static str, node: &Node, problems: &mut Problems) -> Option<Self> {
        let before = problems.count();
        let mut fields = Fields::open(node, name, problems)?;
        let inputs = super::INPUTS.map(|input| (input, input));
        let on = fields.take("on").map_or(Some("candidate_output"), |node| node.one_of("on", &inputs, problems));
        let decides = fields.take("decides").and_then(|node| {
            let choices = [("pass", Decides::Pass), ("fail", Decides::Fail), ("both", Decides::Both)];
            node.one_of("decides", &choices, problems)
        });
        let test = Self::read_test(name, &mut fields, problems);
        fields.finish(problems);
        if problems.count() > before {
            return None;
        }
        let by_default = if name.starts_with("Equals") { Decides::Pass } else { Decides::Fail };
        Some(Self { name, on: on?, decides: decides.unwrap_or(by_default), test: test? })
    }

    fn read_test(name: &str, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Test> {
        let case_sensitive = |fields: &mut Fields<'_>, problems: &mut Problems| {
            fields.take("case_sensitive").and_then(|node| node.bool("case_sensitive", problems)).unwrap_or(true)
        };
        match name {
            "Equals" => fields.require("value", problems).map(|node| Test::Equals(node.to_value())),
            "EqualsExpected" => Some(Test::EqualsExpected),
            "Contains" | "NotContains" => {
                let value = fields.require("value", problems)?;
                let value = match &value.kind {
                    NodeValue::Number(number) => number.to_string(),
                    _ => value.filled_text("value", problems)?.to_owned(),
                };
                let case_sensitive = case_sensitive(fields, problems);
                Some(Test::Contains { value, case_sensitive, wanted: name == "Contains" })
            }
            "Regex" => {
                let node = fields.require("pattern", problems)?;
                let pattern = node.filled_text("pattern", problems)?;
                let case_sensitive = case_sensitive(fields, problems);
                let absent = fields.take("absent").and_then(|node| node.bool("absent", problems)).unwrap_or(false);
                match RegexBuilder::new(pattern).case_insensitive(!case_sensitive).size_limit(1 << 20).build() {
                    Ok(pattern) => Some(Test::Regex { pattern, wanted: !absent }),
                    Err(error) => {
                        let text = error.to_string();
                        let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                        problems.report(node.span, format!("`pattern` is no regular expression: {last}"));
                        None
                    }
                }
            }
            "JsonPath" => {
                let node = fields.require("path", problems)?;
                let path = JsonPath::read(node, problems);
                let flag = |fields: &mut Fields<'_>, key: &'static str, problems: &mut Problems| {
                    fields.take(key).and_then(|node| node.bool(key, problems)).unwrap_or(false)
                };
                let absent = flag(fields, "absent", problems);
                let present = flag(fields, "present", problems);
                let expected = flag(fields, "equals_expected", problems);
                let equals = fields.take("equals").map(Node::to_value);
                let given =
                    usize::from(absent) + usize::from(present) + usize::from(expected) + usize::from(equals.is_some());
                if given > 1 {
                    let message = "give only one of `present`, `absent`, `equals` and `equals_expected`";
                    problems.report(node.span, message);
                }
                let expect = match equals {
                    Some(value) => Expect::Equals(value),
                    None if absent => Expect::Absent,
                    None if expected => Expect::EqualsExpected,
                    None => Expect::Present,
                };
                Some(Test::JsonPath { path: path?, expect })
            }
            _ => {
                let node = fields.require("type_name", problems)?;
                node.one_of("type_name", &TYPES, problems).map(Test::IsInstance)
            }
        }
    }

    /// Runs the check on a case.
    pub fn run(&self, case: &Case) -> CheckResult {
        let null = Value::Null;
        let value = case.inputs.get(self.on).unwrap_or(&null);
        let (holds, detail) = match &self.test {
            Test::Equals(expected) => (same(value, expected), format!("{} is {}", self.on, brief(value))),
            Test::EqualsExpected => {
                let expected = case.inputs.get("ground_truth").unwrap_or(&null);
                let holds = same(value, expected);
                (holds, format!("{} {} ground_truth", self.on, if holds { "equals" } else { "differs from" }))
            }
            Test::Contains { value: wanted_text, case_sensitive, wanted } => {
                let text = as_text(value);
                let found = if *case_sensitive {
                    text.contains(wanted_text)
                } else {
                    text.to_lowercase().contains(&wanted_text.to_lowercase())
                };
                let verb = if found { "contains" } else { "does not contain" };
                (found == *wanted, format!("{} {verb} {wanted_text:?}", self.on))
            }
            Test::Regex { pattern, wanted } => {
                let found = pattern.is_match(&as_text(value));
                let verb = if found { "matches" } else { "does not match" };
                (found == *wanted, format!("{} {verb} /{}/", self.on, pattern.as_str()))
            }
            Test::JsonPath { path, expect } => {
                let document = as_json(value);
                let found = path.find(&document);
                match expect {
                    Expect::Present | Expect::Absent => {
                        let there = found.iter().any(|value| !value.is_null());
                        let verb = if there { "has" } else { "has no" };
                        (there == matches!(expect, Expect::Present), format!("{} {verb} {}", self.on, path.written))
                    }
                    Expect::Equals(wanted) => {
                        let holds = !found.is_empty() && found.iter().all(|value| same(value, wanted));
                        (holds, found_at(&path.written, &found, wanted))
                    }
                    Expect::EqualsExpected => {
                        let truth = as_json(case.inputs.get("ground_truth").unwrap_or(&null));
                        let wanted = path.find(&truth);
                        let holds = found.len() == wanted.len() && found.iter().zip(&wanted).all(|(a, b)| same(a, b));
                        let wanted = wanted.first().map_or(Value::Null, |value| (*value).clone());
                        (holds, found_at(&path.written, &found, &wanted))
                    }
                }
            }
            Test::IsInstance(kind) => {
                let holds = is_instance(value, *kind) || is_instance(&as_json(value), *kind);
                (holds, format!("{} is {}", self.on, type_name(&as_json(value))))
            }
        };
        CheckResult { holds, detail }
    }
}

fn found_at(path: &str, found: &[&Value], wanted: &Value) -> String {
    match found.first() {
        None => format!("{path} is not there, expected {}", brief(wanted)),
        Some(value) => format!("{path} is {}, expected {}", brief(value), brief(wanted)),
    }
}

/// A text as it is, anything else as JSON.
pub(super) fn as_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Null => Cow::Borrowed(""),
        other => Cow::Owned(other.to_string()),
    }
}

/// A text that holds a JSON object or list as that, anything else as it is.
pub(super) fn as_json(value: &Value) -> Cow<'_, Value> {
    if let Value::String(text) = value
        && text.trim_start().starts_with(['{', '['])
        && let Ok(inner) = serde_json::from_str::<Value>(text)
    {
        return Cow::Owned(inner);
    }
    Cow::Borrowed(value)
}

/// Equality that does not tell `1` from `1.0`, nor a text from the same text with space around it.
pub(super) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::String(left), Value::String(right)) => left.trim() == right.trim(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

/// A value short enough for a sentence.
pub(super) fn brief(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 { text } else { text.chars().take(57).chain("...".chars()).collect() }
}

fn is_instance(value: &Value, kind: Type) -> bool {
    match kind {
        Type::Object => value.is_object(),
        Type::List => value.is_array(),
        Type::Text => value.is_string(),
        Type::Number => value.is_number(),
        Type::Integer => value.is_i64() || value.is_u64(),
        Type::Boolean => value.is_boolean(),
        Type::Null => value.is_null(),
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests;
