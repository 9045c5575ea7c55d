//! The part of JSON Schema that answers are described in, checked without a schema library.
//!
//! Judges make their answer schemas themselves, out of the keywords that are the fields of [`Shape`]. A schema with any
//! other keyword is refused, so that nothing is asked of a model and then not checked. What is valid, and what is said
//! about what is not, is the same as with the `jsonschema` crate, which the tests compare this with; compiling that crate
//! and what it depends on took a fifth of the first build.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

/// Of a longer list of choices, how many are named in a message.
const MOST_CHOICES_NAMED: usize = 3;

/// A schema. A keyword that is absent restricts nothing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Shape {
    #[serde(rename = "type")]
    types: Option<Types>,
    #[serde(rename = "enum")]
    choices: Option<Vec<Value>>,
    minimum: Option<Number>,
    maximum: Option<Number>,
    min_length: Option<usize>,
    #[serde(default)]
    properties: IndexMap<String, Shape>,
    #[serde(default)]
    required: Vec<String>,
    additional_properties: Option<bool>,
    items: Option<Box<Shape>>,
    #[serde(rename = "title")]
    _title: Option<IgnoredAny>,
    #[serde(rename = "description")]
    _description: Option<IgnoredAny>,
}

/// One type or a choice of them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Types {
    One(Type),
    Any(Vec<Type>),
}

/// In the order in which a message names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Type {
    fn holds(self, value: &Value) -> bool {
        match self {
            Self::Array => value.is_array(),
            Self::Boolean => value.is_boolean(),
            // 4.0 is an integer too.
            Self::Integer => value.as_number().is_some_and(|number| float(number).fract() == 0.0),
            Self::Null => value.is_null(),
            Self::Number => value.is_number(),
            Self::Object => value.is_object(),
            Self::String => value.is_string(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Null => "null",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
        };
        write!(f, "\"{name}\"")
    }
}

impl Types {
    fn violation(&self, value: &Value) -> Option<String> {
        match self {
            Self::One(one) if !one.holds(value) => Some(format!("{value} is not of type {one}")),
            Self::Any(all) if !all.iter().any(|one| one.holds(value)) => {
                let names: Vec<String> = all.iter().collect::<BTreeSet<_>>().into_iter().map(Type::to_string).collect();
                let noun = if names.len() == 1 { "type" } else { "types" };
                Some(format!("{value} is not of {noun} {}", names.join(", ")))
            }
            Self::One(_) | Self::Any(_) => None,
        }
    }
}

impl Shape {
    /// Collects what is wrong with a value, each with its place as a JSON pointer, up to `most`.
    pub(super) fn violations(&self, value: &Value, most: usize) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.check(value, &mut String::new(), &mut |place, violation| {
            found.push((place.to_owned(), violation));
            found.len() < most
        });
        found
    }

    /// Whether a value has this shape.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        self.check(value, &mut String::new(), &mut |_, _| false)
    }

    /// Takes out the nulls that stand for something left out: where a property need not be there and cannot be null.
    pub(super) fn leave_out_nulls(&self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|name, member| {
                    let stands_for_nothing = member.is_null() && !self.required.contains(name);
                    !stands_for_nothing || self.properties.get(name).is_none_or(|shape| shape.accepts(&Value::Null))
                });
                for (name, member) in members.iter_mut() {
                    if let Some(shape) = self.properties.get(name) {
                        shape.leave_out_nulls(member);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(shape) = &self.items {
                    items.iter_mut().for_each(|item| shape.leave_out_nulls(item));
                }
            }
            _ => {}
        }
    }

    /// Reports what is wrong, place by place, until `report` wants no more. Returns whether it always wanted more.
    fn check(&self, value: &Value, place: &mut String, report: &mut dyn FnMut(&str, String) -> bool) -> bool {
        if !self.own_violations(value).into_iter().all(|violation| report(place, violation)) {
            return false;
        }
        let here = place.len();
        let mut inside = |shape: &Self, step: &dyn fmt::Display, value: &Value| {
            let _ = write!(place, "/{step}");
            let more = shape.check(value, place, report);
            place.truncate(here);
            more
        };
        match (value, &self.items) {
            (Value::Object(members), _) => members.iter().all(|(name, member)| {
                self.properties.get(name).is_none_or(|shape| inside(shape, &escaped(name), member))
            }),
            (Value::Array(items), Some(shape)) => items.iter().enumerate().all(|(at, item)| inside(shape, &at, item)),
            _ => true,
        }
    }

    /// What is wrong with a value, leaving aside what it contains.
    fn own_violations(&self, value: &Value) -> Vec<String> {
        let mut found: Vec<String> = self.types.iter().filter_map(|types| types.violation(value)).collect();
        if let Some(choices) = self.choices.as_ref().filter(|choices| !choices.iter().any(|one| equal(one, value))) {
            found.push(format!("{value} is not one of {}", listed(choices)));
        }
        match value {
            Value::Number(number) => {
                if let Some(limit) = self.minimum.as_ref().filter(|limit| compare(number, limit).is_lt()) {
                    found.push(format!("{number} is less than the minimum of {limit}"));
                }
                if let Some(limit) = self.maximum.as_ref().filter(|limit| compare(number, limit).is_gt()) {
                    found.push(format!("{number} is greater than the maximum of {limit}"));
                }
            }
            Value::String(text) => {
                if let Some(limit) = self.min_length.filter(|limit| text.chars().count() < *limit) {
                    let plural = if limit == 1 { "" } else { "s" };
                    found.push(format!("{value} is shorter than {limit} character{plural}"));
                }
            }
            Value::Object(members) => {
                let missing = self.required.iter().filter(|name| !members.contains_key(*name));
                found.extend(missing.map(|name| format!("{} is a required property", Value::from(name.as_str()))));
                if self.additional_properties == Some(false) {
                    let unknown = members.keys().filter(|name| !self.properties.contains_key(*name));
                    found.extend(unexpected(&unknown.map(|name| format!("'{name}'")).collect::<Vec<_>>()));
                }
            }
            Value::Null | Value::Bool(_) | Value::Array(_) => {}
        }
        found
    }
}

fn unexpected(names: &[String]) -> Option<String> {
    let verb = match names {
        [] => return None,
        [_] => "was",
        _ => "were",
    };
    Some(format!("Additional properties are not allowed ({} {verb} unexpected)", names.join(", ")))
}

/// The choices for a message: all of a few, the first of many.
fn listed(choices: &[Value]) -> String {
    let names: Vec<String> = choices.iter().map(Value::to_string).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) if names.len() <= MOST_CHOICES_NAMED => format!("{} or {last}", others.join(", ")),
        Some(_) => {
            let shown = &names[..MOST_CHOICES_NAMED - 1];
            format!("{} or {} other candidates", shown.join(", "), names.len() - shown.len())
        }
    }
}

/// A member's name as a part of a JSON pointer.
fn escaped(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) { name.replace('~', "~0").replace('/', "~1").into() } else { name.into() }
}

/// Whether two values are the same, where 1 and 1.0 are.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compare(one, other).is_eq(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

/// Compares by value and exactly: no whole number is rounded on the way.
fn compare(one: &Number, other: &Number) -> Ordering {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        // A fraction is smaller than 2^53, so that rounding a whole number cannot carry it past one.
        _ => float(one).total_cmp(&float(other)),
    }
}

/// The number, if it is whole and an `i128`, as every whole number that serde_json reads as one is.
fn whole(number: &Number) -> Option<i128> {
    number.as_i128().or_else(|| {
        let float = float(number);
        (float.fract() == 0.0 && float.abs() < i128::MAX as f64).then_some(float as i128)
    })
}

fn float(number: &Number) -> f64 {
    number.as_f64().expect("without arbitrary precision every number is a float or fits one")
}

#[cfg(test)]
mod tests;
