//! A value that satisfies a schema, made from a text: the same text gives the same value.

use serde_json::{Map, Value, json};

/// How deep a schema is followed; one that refers to itself would never end.
const DEEPEST: usize = 16;

/// Fills a schema. Numbers lie within their limits and differ with the text, of an enumeration the first is taken, and
/// texts are plain words.
pub fn fill(schema: &Value, text: &str) -> Value {
    fill_at(schema, schema, text, "", 0)
}

fn fill_at(root: &Value, schema: &Value, text: &str, path: &str, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(first) = schema.pointer("/enum/0") {
        return first.clone();
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|place| place.strip_prefix('#')) {
        return root.pointer(target).map_or(Value::Null, |target| fill_at(root, target, text, path, depth + 1));
    }
    for alternatives in ["anyOf", "oneOf", "allOf"] {
        if let Some(first) = schema.get(alternatives).and_then(|all| all.get(0)) {
            return fill_at(root, first, text, path, depth + 1);
        }
    }
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ => "null",
    };
    match kind {
        "object" => {
            let mut object = Map::new();
            for (name, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                object.insert(name.clone(), fill_at(root, inner, text, &format!("{path}/{name}"), depth + 1));
            }
            Value::Object(object)
        }
        "array" => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1);
            let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(least);
            let items = schema.get("items").cloned().unwrap_or(Value::Null);
            (0..least.min(most)).map(|at| fill_at(root, &items, text, &format!("{path}/{at}"), depth + 1)).collect()
        }
        "integer" => {
            let (low, high) = limits(schema, 0.0, 10.0);
            let steps = (high.floor() - low.ceil()).max(0.0) as u64 + 1;
            json!(low.ceil() as i64 + (chance(text, path) % steps) as i64)
        }
        "number" => {
            let (low, high) = limits(schema, 0.0, 1.0);
            json!(low + (high - low) * ((chance(text, path) % 101) as f64 / 100.0))
        }
        "boolean" => json!(chance(text, path).is_multiple_of(2)),
        "string" => json!(words(schema, path)),
        _ => Value::Null,
    }
}

/// The limits of a number; where one is missing, the other and the usual width say enough.
fn limits(schema: &Value, low: f64, high: f64) -> (f64, f64) {
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    let least = number("minimum").or_else(|| number("exclusiveMinimum").map(|limit| limit + 1.0));
    let most = number("maximum").or_else(|| number("exclusiveMaximum").map(|limit| limit - 1.0));
    let width = high - low;
    match (least, most) {
        (Some(least), Some(most)) => (least, most.max(least)),
        (Some(least), None) => (least, least + width),
        (None, Some(most)) => (most - width, most),
        (None, None) => (low, high),
    }
}

fn chance(text: &str, path: &str) -> u64 {
    let hash = blake3::hash(format!("{path}\n{text}").as_bytes());
    hash.as_bytes()[..6].iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

fn words(schema: &Value, path: &str) -> String {
    let mut text = format!("About {}.", path.trim_start_matches('/'));
    let limit = |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
    while text.chars().count() < limit("minLength").unwrap_or(0) {
        text.push('.');
    }
    limit("maxLength").map_or(text.clone(), |most| text.chars().take(most).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_to_the_limits_and_differs_with_the_text() {
        let schema = json!({
            "type": "object",
            "properties": {
                "reason": {"type": "string", "minLength": 30},
                "score": {"type": "integer", "minimum": 1, "maximum": 5},
                "share": {"type": "number", "minimum": 0.5, "maximum": 0.75},
                "verdict": {"enum": ["pass", "fail"]},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}, "minItems": 2}
            },
            "$defs": {"part": {"type": ["string", "null"], "maxLength": 3}}
        });
        let scores: Vec<i64> = (0..60)
            .map(|n| {
                let value = fill(&schema, &n.to_string());
                assert_eq!(value, fill(&schema, &n.to_string()));
                assert!((0.5..=0.75).contains(&value["share"].as_f64().unwrap()));
                assert!(value["reason"].as_str().unwrap().len() >= 30);
                assert_eq!(value["parts"], json!(["Abo", "Abo"]));
                assert_eq!(value["verdict"], "pass");
                value["score"].as_i64().unwrap()
            })
            .collect();
        assert_eq!((scores.iter().min(), scores.iter().max()), (Some(&1), Some(&5)));
    }
}
