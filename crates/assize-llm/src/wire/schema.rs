//! The schema as it is sent. Strict modes take a part of JSON Schema only, so what they would refuse is taken out of
//! the copy that is *sent*; the reply is held against the full schema here in any case.
//!
//! A limit that is taken out is put into the description instead, so that the model still knows of it. Property order
//! is kept: it is the order in which the model writes.

use serde_json::{Map, Value};

/// Whose strict mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `response_format` of chat completions.
    OpenAi,
    /// `output_config.format` of messages.
    Anthropic,
}

/// Limits that neither strict mode takes, or not everywhere.
const LIMITS: &[&str] = &[
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
];

/// Limits that only chat completions takes.
const OPENAI_LIMITS: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"];

/// What says nothing about the answer's shape that a model could use, and is refused by one or the other.
const SILENT: &[&str] = &["$schema", "$id", "$comment", "default", "examples", "patternProperties", "propertyNames"];

/// The schema as a strict mode takes it.
pub fn for_strict(schema: &Value, dialect: Dialect) -> Value {
    let Value::Object(schema) = schema else { return schema.clone() };
    let mut sent = Map::with_capacity(schema.len());
    let mut limits = Vec::new();
    for (keyword, value) in schema {
        let keyword = keyword.as_str();
        if SILENT.contains(&keyword) {
            continue;
        }
        if LIMITS.contains(&keyword) || (dialect == Dialect::Anthropic && OPENAI_LIMITS.contains(&keyword)) {
            limits.push(format!("{keyword}: {value}"));
            continue;
        }
        match keyword {
            "properties" | "$defs" | "definitions" => {
                let inner = value.as_object().map(|named| {
                    named.iter().map(|(name, schema)| (name.clone(), for_strict(schema, dialect))).collect()
                });
                sent.insert(keyword.to_owned(), inner.map_or_else(|| value.clone(), Value::Object));
            }
            // Alternatives that exclude each other are not in either mode's language; plain alternatives are.
            "anyOf" | "oneOf" | "allOf" => {
                let inner = value.as_array().map(|all| all.iter().map(|one| for_strict(one, dialect)).collect());
                let keyword = if keyword == "oneOf" { "anyOf" } else { keyword };
                sent.insert(keyword.to_owned(), inner.map_or_else(|| value.clone(), Value::Array));
            }
            "items" => {
                sent.insert(keyword.to_owned(), for_strict(value, dialect));
            }
            // Values, not schemas (`enum`, `const`, `required`, `type`, …): as they are.
            _ => {
                sent.insert(keyword.to_owned(), value.clone());
            }
        }
    }
    if sent.contains_key("properties") && !sent.contains_key("additionalProperties") {
        sent.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    if !limits.is_empty() {
        let limits = format!("({})", limits.join(", "));
        let description = match sent.get("description").and_then(Value::as_str) {
            Some(description) => format!("{description} {limits}"),
            None => limits,
        };
        sent.insert("description".to_owned(), Value::String(description));
    }
    Value::Object(sent)
}

/// Whether chat completions takes the schema with `strict: true`: every object closed, every property required.
pub fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            let closed = match members.get("properties").and_then(Value::as_object) {
                None => true,
                Some(properties) => {
                    let required = members.get("required").and_then(Value::as_array);
                    members.get("additionalProperties") == Some(&Value::Bool(false))
                        && properties.keys().all(|name| {
                            required.is_some_and(|names| names.iter().any(|one| one.as_str() == Some(name)))
                        })
                }
            };
            closed
                && members.iter().all(|(keyword, value)| match keyword.as_str() {
                    "properties" | "$defs" | "definitions" => {
                        value.as_object().is_none_or(|named| named.values().all(is_strict))
                    }
                    "anyOf" | "oneOf" | "allOf" => value.as_array().is_none_or(|all| all.iter().all(is_strict)),
                    "items" => is_strict(value),
                    _ => true,
                })
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "reason": {"type": "string", "minLength": 1, "description": "Why."},
                "format": {"type": "string", "enum": ["minimum", "pattern"]},
                "score": {"type": "integer", "minimum": 1, "maximum": 5},
                "parts": {"type": "array", "minItems": 2, "items": {"type": "object", "properties": {"a": {"type": "number", "multipleOf": 0.5}}, "required": ["a"]}},
                "choice": {"oneOf": [{"type": "null"}, {"type": "string", "maxLength": 9}]}
            },
            "required": ["reason", "format", "score", "parts", "choice"]
        })
    }

    #[test]
    fn what_openai_gets() {
        insta::assert_json_snapshot!(for_strict(&schema(), Dialect::OpenAi));
    }

    #[test]
    fn what_anthropic_gets() {
        insta::assert_json_snapshot!(for_strict(&schema(), Dialect::Anthropic));
    }

    #[test]
    fn properties_stay_in_their_order() {
        let sent = for_strict(&schema(), Dialect::Anthropic);
        let names: Vec<_> = sent["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["reason", "format", "score", "parts", "choice"]);
    }

    #[test]
    fn strict_needs_every_property_required() {
        assert!(is_strict(&for_strict(&schema(), Dialect::OpenAi)));
        let optional = json!({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"], "additionalProperties": false});
        assert!(!is_strict(&optional));
        assert!(!is_strict(&json!({"type": "array", "items": optional})));
    }
}
