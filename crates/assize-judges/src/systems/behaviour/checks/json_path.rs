//! The part of JSONPath that people use: `$.a.b`, `$['a b']`, `$.list[0]`, `$.list[*].amount`.

use assize_core::document::{Node, Problems};
use serde_json::Value;

/// A path into a document.
#[derive(Clone, Debug)]
pub(super) struct JsonPath {
    pub(super) written: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
    Every,
}

impl JsonPath {
    pub(super) fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let written = node.filled_text("path", problems)?.trim();
        match steps(written) {
            Some(steps) => Some(Self { written: written.to_owned(), steps }),
            None => {
                node.expected(
                    "path",
                    "a JSON path such as `$.claim.amount`, `$.items[0]` or `$.items[*].code`",
                    problems,
                );
                None
            }
        }
    }

    pub(super) fn find<'v>(&self, value: &'v Value) -> Vec<&'v Value> {
        let mut found = vec![value];
        for step in &self.steps {
            let mut next = Vec::new();
            for value in found {
                match (step, value) {
                    (Step::Key(key), Value::Object(map)) => next.extend(map.get(key)),
                    (Step::Index(index), Value::Array(items)) => next.extend(items.get(*index)),
                    (Step::Every, Value::Array(items)) => next.extend(items),
                    (Step::Every, Value::Object(map)) => next.extend(map.values()),
                    _ => {}
                }
            }
            found = next;
        }
        found
    }
}

fn steps(written: &str) -> Option<Vec<Step>> {
    let mut rest = written.strip_prefix('$').unwrap_or(written);
    let mut steps = Vec::new();
    if !written.starts_with('$') && !rest.starts_with(['.', '[']) {
        let (key, after) = key(rest)?;
        steps.push(key);
        rest = after;
    }
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("['").or_else(|| rest.strip_prefix("[\"")) {
            let end = after.find(['\'', '"'])?;
            steps.push(Step::Key(after[..end].to_owned()));
            rest = after[end + 1..].strip_prefix(']')?;
        } else if let Some(after) = rest.strip_prefix('[') {
            let end = after.find(']')?;
            steps.push(match &after[..end] {
                "*" => Step::Every,
                index => Step::Index(index.parse().ok()?),
            });
            rest = &after[end + 1..];
        } else {
            let (step, after) = key(rest.strip_prefix('.')?)?;
            steps.push(step);
            rest = after;
        }
    }
    Some(steps)
}

fn key(text: &str) -> Option<(Step, &str)> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let name = &text[..end];
    if name.is_empty() || name.chars().any(|c| c.is_whitespace() || "?()@*'\"".contains(c)) && name != "*" {
        return None;
    }
    let step = if name == "*" { Step::Every } else { Step::Key(name.to_owned()) };
    Some((step, &text[end..]))
}
