//! A parsed value that remembers where it stood.

use super::{Problems, Span, closest};
use serde_json::{Map, Number, Value};
use strum::IntoEnumIterator;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: NodeValue,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// Nothing: `null`, `~` or an empty value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order written.
    Map(Vec<(Key, Node)>),
}

/// The key of a mapping entry and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Where it stands.
    pub span: Span,
    /// The key.
    pub name: String,
}

impl Node {
    /// A value that was not read from a text. All of it stands where it is used: in a request, or where it is named.
    pub fn of(value: &Value, span: Span) -> Self {
        let kind = match value {
            Value::Null => NodeValue::Null,
            Value::Bool(value) => NodeValue::Bool(*value),
            Value::Number(value) => NodeValue::Number(value.clone()),
            Value::String(value) => NodeValue::Text(value.clone()),
            Value::Array(items) => NodeValue::List(items.iter().map(|item| Self::of(item, span)).collect()),
            Value::Object(entries) => NodeValue::Map(Self::entries_of(entries, span)),
        };
        Self { span, kind }
    }

    /// The entries of an object that was not read from a text; see [`Node::of`].
    pub fn entries_of(entries: &Map<String, Value>, span: Span) -> Vec<(Key, Self)> {
        entries.iter().map(|(name, value)| (Key { span, name: name.clone() }, Self::of(value, span))).collect()
    }

    /// What it is, for a message: "the text `yes`", "a list".
    pub fn describe(&self) -> String {
        match &self.kind {
            NodeValue::Null => "nothing".into(),
            NodeValue::Bool(value) => format!("`{value}`"),
            NodeValue::Number(value) => format!("the number {value}"),
            NodeValue::Text(value) if value.chars().count() <= 40 => format!("the text {value:?}"),
            NodeValue::Text(_) => "a text".into(),
            NodeValue::List(_) => "a list".into(),
            NodeValue::Map(_) => "a mapping".into(),
        }
    }

    /// Reports that something else was expected here.
    pub fn expected(&self, what: &str, expected: &str, problems: &mut Problems) {
        problems.report(self.span, format!("`{what}` must be {expected}, found {}", self.describe()));
    }

    /// The text, or a problem.
    pub fn text(&self, what: &str, problems: &mut Problems) -> Option<&str> {
        if let NodeValue::Text(text) = &self.kind {
            return Some(text);
        }
        self.expected(what, "a text", problems);
        None
    }

    /// A text that is not empty, or a problem.
    pub fn filled_text(&self, what: &str, problems: &mut Problems) -> Option<&str> {
        let text = self.text(what, problems)?;
        if text.trim().is_empty() {
            problems.report(self.span, format!("`{what}` is empty"));
            return None;
        }
        Some(text)
    }

    /// `true` or `false`, or a problem.
    pub fn bool(&self, what: &str, problems: &mut Problems) -> Option<bool> {
        if let NodeValue::Bool(value) = self.kind {
            return Some(value);
        }
        self.expected(what, "`true` or `false`", problems);
        None
    }

    /// A finite number within a range, or a problem.
    pub fn number(&self, what: &str, range: std::ops::RangeInclusive<f64>, problems: &mut Problems) -> Option<f64> {
        let value = match &self.kind {
            NodeValue::Number(number) => number.as_f64().filter(|value| value.is_finite()),
            _ => None,
        };
        let Some(value) = value else {
            self.expected(what, "a number", problems);
            return None;
        };
        if range.contains(&value) {
            return Some(value);
        }
        // The largest number there is is no limit that anybody set.
        let expected = match (*range.start() > f64::MIN, *range.end() < f64::MAX) {
            (true, true) => format!("a number from {} to {}", range.start(), range.end()),
            (true, false) => format!("a number of at least {}", range.start()),
            _ => format!("a number of at most {}", range.end()),
        };
        self.expected(what, &expected, problems);
        None
    }

    /// A whole number within a range, or a problem.
    pub fn integer(&self, what: &str, range: std::ops::RangeInclusive<u64>, problems: &mut Problems) -> Option<u64> {
        if let NodeValue::Number(number) = &self.kind
            && let Some(value) = number.as_u64()
            && range.contains(&value)
        {
            return Some(value);
        }
        self.expected(what, &format!("a whole number from {} to {}", range.start(), range.end()), problems);
        None
    }

    /// The list, or a problem.
    pub fn list(&self, what: &str, problems: &mut Problems) -> Option<&[Node]> {
        if let NodeValue::List(items) = &self.kind {
            return Some(items);
        }
        self.expected(what, "a list", problems);
        None
    }

    /// One of a few words, or a problem that names them.
    pub fn one_of<T: Copy>(&self, what: &str, choices: &[(&str, T)], problems: &mut Problems) -> Option<T> {
        if let NodeValue::Text(text) = &self.kind
            && let Some((_, value)) = choices.iter().find(|(name, _)| name == text)
        {
            return Some(*value);
        }
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("`{what}` must be one of {}, found {}", names.join(", "), self.describe());
        let meant = match &self.kind {
            NodeValue::Text(text) => closest(text, choices.iter().map(|(name, _)| *name)),
            _ => None,
        };
        match meant {
            Some(name) => problems.report_with_help(self.span, message, format!("did you mean `{name}`?")),
            None => problems.report(self.span, message),
        }
        None
    }

    /// One of the variants of an enum by its name, or a problem that names them.
    pub fn variant<T>(&self, what: &str, problems: &mut Problems) -> Option<T>
    where
        T: IntoEnumIterator + Into<&'static str> + Copy,
    {
        let choices: Vec<(&'static str, T)> = T::iter().map(|variant| (variant.into(), variant)).collect();
        self.one_of(what, &choices, problems)
    }

    /// The value of a key, where this is a mapping that has it.
    pub fn get(&self, name: &str) -> Option<&Node> {
        match &self.kind {
            NodeValue::Map(entries) => entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The node at a path of keys and indices, as far as it goes.
    pub fn deepest(&self, path: &[&str]) -> &Node {
        let Some((first, rest)) = path.split_first() else { return self };
        let next = match &self.kind {
            NodeValue::Map(_) => self.get(first),
            NodeValue::List(items) => first.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => None,
        };
        next.map_or(self, |node| node.deepest(rest))
    }

    /// The value without the places.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            NodeValue::Null => Value::Null,
            NodeValue::Bool(value) => Value::Bool(*value),
            NodeValue::Number(value) => Value::Number(value.clone()),
            NodeValue::Text(value) => Value::String(value.clone()),
            NodeValue::List(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            NodeValue::Map(entries) => Value::Object(
                entries.iter().map(|(key, node)| (key.name.clone(), node.to_value())).collect::<Map<_, _>>(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use serde_json::json;

    #[test]
    fn a_value_becomes_the_node_that_its_text_would_become() {
        let value = json!({"b": [1, -2, 2.5, 18446744073709551615_u64, true, null], "a": {"": "x: y", "ü": "#\n"}, "e": {}, "l": []});
        let span = Span { line: 3, column: 4, length: 5 };
        let node = Node::of(&value, span);
        assert_eq!(node.to_value(), value);
        assert_eq!((node.span, node.deepest(&["b", "2"]).span), (span, span));
        let NodeValue::Map(entries) = &node.kind else { panic!("a mapping") };
        assert!(entries.iter().all(|(key, _)| key.span == span));
        let parsed = parse(&value.to_string(), &mut Problems::default()).expect("JSON is YAML");
        assert_eq!(parsed.to_value(), node.to_value());
    }
}
