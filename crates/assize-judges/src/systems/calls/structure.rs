//! The structure of an output against that of its case's expected outcome: the same keys at every depth, the same types.
//!
//! The expected outcome is turned into a shape; the elements of a list share one shape, in which a key that only some
//! of them have is optional. `null` is no value: it is a difference where the expected outcome has a value at every such
//! place. A list is as long as it is, but where objects are expected it must hold some.

use assize_core::document::closest;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt;

/// As many differences are listed; the rest is counted.
const LISTED: usize = 100;

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Difference {
    /// A key is not there.
    Missing { path: String },
    /// A key is there that must not be.
    Extra { path: String },
    /// A key is not there, and another is that it was probably renamed to.
    Renamed { path: String, found: String },
    /// A value is of another type.
    Type { path: String, expected: String, found: &'static str },
    /// A list is empty where objects are expected.
    Empty { path: String, expected: String },
}

impl Difference {
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Missing { path } => json!({"difference": "missing", "path": path}),
            Self::Extra { path } => json!({"difference": "extra", "path": path}),
            Self::Renamed { path, found } => json!({"difference": "renamed", "path": path, "found": found}),
            Self::Type { path, expected, found } => {
                json!({"difference": "type", "path": path, "expected": expected, "found": found})
            }
            Self::Empty { path, expected } => json!({"difference": "empty", "path": path, "expected": expected}),
        }
    }

    /// The same in a few words.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Missing { path } => format!("`{path}` is missing"),
            Self::Extra { path } => format!("`{path}` is extra"),
            Self::Renamed { path, found } => format!("`{path}` is probably renamed to `{found}`"),
            Self::Type { path, expected, found } => format!("`{path}` is {found}, not {expected}"),
            Self::Empty { path, expected } => format!("`{path}` is empty: expected {expected}"),
        }
    }
}

/// Where an output differs from the expected outcome.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) listed: Vec<Difference>,
    pub(super) not_listed: usize,
}

impl Differences {
    /// Compares an output with an expected outcome.
    pub(super) fn between(expected: &Value, found: &Value) -> Self {
        let mut differences = Self::default();
        Shape::of(expected).compare(found, &Path::Root, &mut differences);
        differences
    }

    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    fn add(&mut self, difference: Difference) {
        if self.listed.len() < LISTED {
            self.listed.push(difference);
        } else {
            self.not_listed += 1;
        }
    }
}

/// A place in the output. It is written out only where there is a difference.
enum Path<'p> {
    Root,
    Key(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("(the output)"),
            Self::Key(Path::Root, key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Item(Path::Root, index) => write!(f, "[{index}]"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// What values at one place may look like.
#[derive(Debug, Default)]
struct Shape<'v> {
    types: BTreeSet<&'static str>,
    objects: usize,
    keys: IndexMap<&'v str, (Shape<'v>, usize)>,
    items: Option<Box<Shape<'v>>>,
}

impl<'v> Shape<'v> {
    fn of(value: &'v Value) -> Self {
        let mut shape = Self::default();
        shape.take_in(value);
        shape
    }

    fn take_in(&mut self, value: &'v Value) {
        self.types.insert(type_of(value));
        match value {
            Value::Object(fields) => {
                self.objects += 1;
                for (key, value) in fields {
                    let (shape, times) = self.keys.entry(key).or_default();
                    shape.take_in(value);
                    *times += 1;
                }
            }
            Value::Array(items) => {
                let shape = self.items.get_or_insert_default();
                items.iter().for_each(|item| shape.take_in(item));
            }
            _ => {}
        }
    }

    fn required(&self) -> impl Iterator<Item = &'v str> {
        self.keys.iter().filter(|(_, (_, times))| *times == self.objects).map(|(key, _)| *key)
    }

    fn compare(&self, found: &Value, path: &Path<'_>, differences: &mut Differences) {
        let any_value = self.types.iter().all(|kind| *kind == "null");
        if any_value || (found.is_null() && self.types.contains("null")) {
            return;
        }
        if !self.types.contains(type_of(found)) {
            let expected = self.types.iter().copied().collect::<Vec<_>>().join(" or ");
            differences.add(Difference::Type { path: path.to_string(), expected, found: type_of(found) });
            return;
        }
        match found {
            Value::Object(fields) => {
                self.compare_keys(fields, path, differences);
                for (key, value) in fields {
                    if let Some((shape, _)) = self.keys.get(key.as_str()) {
                        shape.compare(value, &Path::Key(path, key), differences);
                    }
                }
            }
            Value::Array(items) => {
                let Some(shape) = &self.items else { return };
                if items.is_empty() && shape.objects > 0 && shape.types.len() == 1 {
                    let keys: Vec<&str> = shape.required().collect();
                    let expected = format!("objects with {}", keys.join(", "));
                    differences.add(Difference::Empty { path: path.to_string(), expected });
                }
                for (index, item) in items.iter().enumerate() {
                    shape.compare(item, &Path::Item(path, index), differences);
                }
            }
            _ => {}
        }
    }

    fn compare_keys(&self, found: &Map<String, Value>, path: &Path<'_>, differences: &mut Differences) {
        let join = |key: &str| Path::Key(path, key).to_string();
        let missing: Vec<&str> = self.required().filter(|key| !found.contains_key(*key)).collect();
        let mut extra: Vec<&str> =
            found.keys().map(String::as_str).filter(|key| !self.keys.contains_key(key)).collect();
        for key in &missing {
            let likely = closest(key, extra.iter().copied())
                .or_else(|| extra.iter().copied().find(|other| other.contains(key) || key.contains(other)))
                // Where one key is gone and one has come, the one is the other's new name.
                .or_else(|| (missing.len() == 1 && extra.len() == 1).then(|| extra[0]))
                .map(str::to_owned);
            match likely {
                Some(renamed) => {
                    extra.retain(|other| *other != renamed);
                    differences.add(Difference::Renamed { path: join(key), found: join(&renamed) });
                }
                None => differences.add(Difference::Missing { path: join(key) }),
            }
        }
        for key in extra {
            differences.add(Difference::Extra { path: join(key) });
        }
    }
}

/// Whole numbers and fractions are one type.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> Value {
        json!({"questions": [
            {"question_id": "Q1", "score": 5, "max_score": 5, "type": "PASS_FAIL", "reason": "r"},
            {"question_id": "Q2", "score": 2.5, "max_score": 5, "type": "SCORE", "reason": "r", "note": "x"},
        ], "tags": ["a"]})
    }

    fn differences(change: impl Fn(&mut Value)) -> Vec<String> {
        let mut output = expected();
        change(&mut output);
        Differences::between(&expected(), &output).listed.iter().map(Difference::describe).collect()
    }

    #[test]
    fn the_same_shape_has_no_differences_whatever_the_values() {
        assert!(differences(|_| {}).is_empty());
        assert!(differences(|output| output["questions"][0]["score"] = json!(4.5)).is_empty());
        assert!(differences(|output| output["tags"] = json!([])).is_empty());
        assert!(
            differences(|output| {
                output["questions"].as_array_mut().expect("a list").pop();
            })
            .is_empty()
        );
    }

    #[test]
    fn every_difference_has_its_path() {
        fn question(output: &mut Value) -> &mut serde_json::Map<String, Value> {
            output["questions"][0].as_object_mut().expect("an object")
        }
        let renamed = differences(|output| {
            let reason = question(output).shift_remove("reason").expect("a reason");
            question(output).insert("reasoning".into(), reason);
        });
        assert_eq!(renamed, ["`questions[0].reason` is probably renamed to `questions[0].reasoning`"]);
        let missing = differences(|output| {
            question(output).shift_remove("max_score");
        });
        assert_eq!(missing, ["`questions[0].max_score` is missing"]);
        let extra = differences(|output| {
            question(output).insert("confidence".into(), json!(0.9));
        });
        assert_eq!(extra, ["`questions[0].confidence` is extra"]);
        let text = differences(|output| output["questions"][0]["score"] = json!("5"));
        assert_eq!(text, ["`questions[0].score` is text, not number"]);
        let empty = differences(|output| output["questions"] = json!([]));
        assert_eq!(empty, ["`questions` is empty: expected objects with question_id, score, max_score, type, reason"]);
        let list = differences(|output| *output = json!([]));
        assert_eq!(list, ["`(the output)` is list, not object"]);
    }

    #[test]
    fn null_is_no_value_unless_the_expected_outcome_has_it() {
        let null = differences(|output| output["questions"] = json!(null));
        assert_eq!(null, ["`questions` is null, not list"]);
        assert_eq!(differences(|output| output["questions"] = json!([null])), ["`questions[0]` is null, not object"]);
        let reason = differences(|output| output["questions"][0]["reason"] = json!(null));
        assert_eq!(reason, ["`questions[0].reason` is null, not text"]);
        let between = |expected: Value, found: Value| {
            Differences::between(&expected, &found).listed.iter().map(Difference::describe).collect::<Vec<_>>()
        };
        assert_eq!(between(json!({"summary": {"a": 1}}), json!({"summary": null})), ["`summary` is null, not object"]);
        // Some expected reasons are null: one may be, but a number is neither.
        let some = || json!([{"reason": null}, {"reason": "said so"}]);
        assert!(between(some(), json!([{"reason": null}, {"reason": null}])).is_empty());
        assert_eq!(between(some(), json!([{"reason": 4}])), ["`[0].reason` is number, not null or text"]);
        // Of a place that is always null nothing is known but that it is there.
        assert!(between(json!({"note": null}), json!({"note": "x"})).is_empty());
        assert!(between(json!({"source_id": 1}), json!({"source_id": 1.0})).is_empty());
    }

    #[test]
    fn unlike_names_are_renamed_only_where_nothing_else_could_be_meant() {
        let one = Differences::between(&json!({"a": 1, "label": "x"}), &json!({"a": 1, "sentiment": "x"}));
        assert_eq!(one.listed, [Difference::Renamed { path: "label".into(), found: "sentiment".into() }]);
        let two = Differences::between(&json!({"colour": 1, "label": "x"}), &json!({"first": 1, "sentiment": "x"}));
        assert_eq!(two.listed.len(), 4);
    }

    #[test]
    fn the_list_of_differences_is_bounded() {
        let many = json!({"items": vec![json!({"b": 1}); 300]});
        let differences = Differences::between(&json!({"items": [{"a": 1}]}), &many);
        assert_eq!((differences.listed.len(), differences.not_listed), (100, 200));
    }
}
