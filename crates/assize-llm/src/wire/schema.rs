//! The schema as it is sent. Strict modes take a part of JSON Schema only, so what they would refuse is taken out of
//! the copy that is *sent*; the reply is held against the full schema here in any case.
//!
//! A limit that is taken out is put into the description instead, so that the model still knows of it. A property that
//! may be left out is sent as one that may be null, for strict modes require every property; a null then reads as left
//! out. Property order is kept: it is the order in which the model writes.

use serde_json::{Map, Value, json};

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
                    let sent = |(name, inner): (&String, &Value)| {
                        let strict = for_strict(inner, dialect);
                        let may_lack = keyword == "properties" && !is_required(schema, name);
                        (name.clone(), if may_lack { nullable(strict) } else { strict })
                    };
                    named.iter().map(sent).collect()
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
    if let Some(properties) = sent.get("properties").and_then(Value::as_object) {
        let all = properties.keys().cloned().map(Value::String).collect();
        sent.insert("required".to_owned(), Value::Array(all));
        sent.entry("additionalProperties").or_insert(Value::Bool(false));
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

fn is_required(schema: &Map<String, Value>, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|one| one.as_str() == Some(name)))
}

/// The schema, or null.
fn nullable(schema: Value) -> Value {
    let Value::Object(mut schema) = schema else { return schema };
    // Alternatives, references and values of any type: null is one more alternative.
    let Some(types) = schema.get("type") else {
        return if schema.is_empty() { Value::Object(schema) } else { json!({"anyOf": [schema, {"type": "null"}]}) };
    };
    let mut types = types.as_array().cloned().unwrap_or_else(|| vec![types.clone()]);
    if !types.iter().any(|one| one == "null") {
        types.push("null".into());
    }
    schema.insert("type".to_owned(), Value::Array(types));
    if let Some(Value::Array(choices)) = schema.get_mut("enum")
        && !choices.contains(&Value::Null)
    {
        choices.push(Value::Null);
    }
    Value::Object(schema)
}

/// Whether chat completions takes the schema with `strict: true`: every object closed, every property required.
pub fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            let closed = match members.get("properties").and_then(Value::as_object) {
                None => true,
                Some(properties) => {
                    members.get("additionalProperties") == Some(&Value::Bool(false))
                        && properties.keys().all(|name| is_required(members, name))
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
        let sent = for_strict(&json!({"type": "array", "items": optional}), Dialect::OpenAi);
        assert!(is_strict(&sent), "{sent}");
    }

    #[test]
    fn what_may_be_left_out_is_sent_as_what_may_be_null() {
        let schema = json!({"type": "object", "required": ["a"], "properties": {
            "a": {"type": "string"},
            "b": {"type": "string", "enum": ["x"]},
            "c": {"type": ["integer", "null"]},
            "d": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "e": {"type": "object", "properties": {"f": {"type": "boolean"}}},
        }});
        let closed = |properties: Value, required: Value| json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false});
        let mut inner = closed(json!({"f": {"type": ["boolean", "null"]}}), json!(["f"]));
        inner["type"] = json!(["object", "null"]);
        let properties = json!({
            "a": {"type": "string"},
            "b": {"type": ["string", "null"], "enum": ["x", null]},
            "c": {"type": ["integer", "null"]},
            "d": {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "null"}]},
            "e": inner,
        });
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            assert_eq!(for_strict(&schema, dialect), closed(properties.clone(), json!(["a", "b", "c", "d", "e"])));
        }
    }
}
