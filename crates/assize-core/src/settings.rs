//! The settings of judges as data: their JSON Schema, the defaults it names, and checking against it with places.
//!
//! A judge declares what a suite can set as a JSON Schema. Forms, `assize schema` and the documentation are made from
//! it. Only the shapes that settings have are understood here: objects, lists of texts, numbers within limits,
//! texts, choices and switches.

use crate::document::{Node, NodeValue, Problems, closest};
use serde_json::{Map, Value, json};

/// The schema of a judge's settings: an object in which every key is optional and none unknown.
pub fn schema(title: &str, about: &str, properties: &[(&str, Value)]) -> Value {
    let mut schema = object(about, properties);
    let whole = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title});
    if let (Value::Object(schema), Value::Object(mut whole)) = (&mut schema, whole) {
        whole.append(schema);
        *schema = whole;
    }
    schema
}

/// Settings that belong together.
pub fn object(about: &str, properties: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": "object", "description": about, "additionalProperties": false, "properties": properties})
}

/// A schema with what the setting is for, and what holds where nobody sets it.
pub fn setting(mut schema: Value, about: &str, default: Value) -> Value {
    schema["description"] = json!(about);
    schema["default"] = default;
    schema
}

/// A setting that is on or off.
pub fn switch(about: &str, default: bool) -> Value {
    setting(json!({"type": "boolean"}), about, json!(default))
}

/// A list of names, none of them empty and none twice.
pub fn names() -> Value {
    json!({"type": "array", "items": {"type": "string", "minLength": 1}, "uniqueItems": true})
}

/// What holds where nobody sets anything: every default that a schema names.
pub fn defaults(schema: &Value) -> Value {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let named = fields.filter_map(|(name, field)| {
        let nested = || Some(defaults(field)).filter(|_| field["properties"].is_object());
        Some((name.clone(), field.get("default").cloned().or_else(nested)?))
    });
    Value::Object(named.collect())
}

/// Settings over those that hold where nobody sets anything.
pub fn with_defaults(schema: &Value, settings: &Value) -> Value {
    let mut whole = defaults(schema);
    lay_over(&mut whole, settings);
    whole
}

fn lay_over(whole: &mut Value, settings: &Value) {
    match (whole, settings) {
        (Value::Object(whole), Value::Object(settings)) => {
            for (name, value) in settings {
                lay_over(whole.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (whole, settings) => *whole = settings.clone(),
    }
}

/// Settings with one changed, as `--set KEY=VALUE` gives it: the value is JSON, or else a text; a key within others has
/// points between the names. Whether the value will do is for the judge to say.
pub fn with(schema: &Value, settings: &Value, key: &str, written: &str) -> Result<Value, String> {
    let mut changed = settings.clone();
    let (mut fields, mut place) = (schema, &mut changed);
    for name in key.split('.') {
        let known = fields["properties"].as_object();
        fields = match (known.and_then(|known| known.get(name)), &fields["additionalProperties"]) {
            (Some(field), _) => field,
            (None, Value::Object(_)) => &fields["additionalProperties"],
            (None, _) => {
                let of = schema["title"].as_str().unwrap_or("this judge");
                let names: Vec<&str> = known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                return Err(format!("`{key}` is no setting of {of}; settings: {}", names.join(", ")));
            }
        };
        if !place.is_object() {
            *place = json!({});
        }
        place = &mut place[name];
    }
    *place = serde_json::from_str(written).unwrap_or_else(|_| json!(written));
    Ok(changed)
}

/// Whether two names in settings are the same: case, spaces, hyphens and underscores do not count.
pub fn same_name(one: &str, other: &str) -> bool {
    name_key(one) == name_key(other)
}

/// The spelling under which names in settings are compared: case, spaces, hyphens and underscores do not count.
pub fn name_key(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| c.is_whitespace() || matches!(c, '_' | '-'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// One setting in which two differ.
#[derive(Clone, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct Difference {
    /// The setting.
    pub key: String,
    /// Its value in the first; `null` where it is not set.
    pub from: Value,
    /// Its value in the second.
    pub to: Value,
}

/// The keys in which two settings differ, in the order of the first. Numbers are compared by value: 5 is 5.0.
pub fn differences(one: &Value, other: &Value) -> Vec<Difference> {
    let empty = Map::new();
    let (one, other) = (one.as_object().unwrap_or(&empty), other.as_object().unwrap_or(&empty));
    let keys = one.keys().chain(other.keys().filter(|key| !one.contains_key(*key)));
    let value = |settings: &Map<String, Value>, key: &str| settings.get(key).cloned().unwrap_or(Value::Null);
    keys.map(|key| Difference { key: key.clone(), from: value(one, key), to: value(other, key) })
        .filter(|difference| !same(&difference.from, &difference.to))
        .collect()
}

/// Whether two values are the same, numbers by their value.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|there| same(value, there)))
        }
        _ => one == other,
    }
}

/// Holds settings against a schema and reports everything that is wrong with them, each at its place.
pub fn check(schema: &Value, node: &Node, problems: &mut Problems) {
    check_at(schema, node, "settings", problems);
}

fn check_at(schema: &Value, node: &Node, what: &str, problems: &mut Problems) {
    if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<(&str, ())> = choices.iter().filter_map(Value::as_str).map(|name| (name, ())).collect();
        node.one_of(what, &choices, problems);
        return;
    }
    match schema["type"].as_str() {
        Some("object") => check_object(schema, node, what, problems),
        Some("array") => {
            for item in node.list(what, problems).unwrap_or_default() {
                check_at(&schema["items"], item, what, problems);
            }
        }
        Some("boolean") => _ = node.bool(what, problems),
        Some("number") => {
            let limit = |key: &str, none: f64| schema[key].as_f64().unwrap_or(none);
            node.number(what, limit("minimum", f64::NEG_INFINITY)..=limit("maximum", f64::INFINITY), problems);
        }
        Some("string") if schema["minLength"].as_u64().is_some_and(|least| least > 0) => {
            _ = node.filled_text(what, problems);
        }
        Some("string") => _ = node.text(what, problems),
        _ => {}
    }
}

fn check_object(schema: &Value, node: &Node, what: &str, problems: &mut Problems) {
    let NodeValue::Map(entries) = &node.kind else {
        return node.expected(what, "a mapping", problems);
    };
    let known = schema["properties"].as_object();
    for (key, value) in entries {
        let place = if what == "settings" { key.name.clone() } else { format!("{what}.{}", key.name) };
        match (known.and_then(|known| known.get(&key.name)), &schema["additionalProperties"]) {
            // A key with nothing behind it is not set.
            (Some(_), _) if value.kind == NodeValue::Null => {}
            (Some(field), _) => check_at(field, value, &place, problems),
            (None, Value::Object(_)) => check_at(&schema["additionalProperties"], value, &place, problems),
            (None, _) => {
                let names = || known.into_iter().flatten().map(|(name, _)| name.as_str());
                let help = match closest(&key.name, names()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("known keys: {}", names().collect::<Vec<_>>().join(", ")),
                };
                problems.report_with_help(key.span, format!("unknown key `{}` in {what}", key.name), help);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    fn example() -> Value {
        let number = setting(json!({"type": "number", "minimum": 0, "maximum": 1}), "a share", json!(0.5));
        let tags = json!({"type": "object", "additionalProperties": names()});
        let nested = object("texts", &[("case", switch("ignored", true)), ("note", json!({"type": "string"}))]);
        schema("example", "an example", &[("share", number), ("tags", tags), ("texts", nested)])
    }

    fn wrong(text: &str) -> Vec<String> {
        let mut problems = Problems::of("settings");
        let node = parse(text, &mut problems).expect("YAML");
        check(&example(), &node, &mut problems);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn everything_wrong_is_reported_at_its_place() {
        assert_eq!(wrong("{share: 0.2, tags: {a: [x]}, texts: {case: false}}"), Vec::<String>::new());
        assert_eq!(
            wrong("share: 2\ntags: {a: [1]}\ntexts: {cas: true}\nother: 1"),
            [
                "settings:1:8: `share` must be a number from 0 to 1, found the number 2",
                "settings:2:12: `tags.a` must be a text, found the number 1",
                "settings:3:9: unknown key `cas` in texts (did you mean `case`?)",
                "settings:4:1: unknown key `other` in settings (known keys: share, tags, texts)",
            ]
        );
    }

    #[test]
    fn defaults_are_gathered_and_laid_under() {
        assert_eq!(defaults(&example()), json!({"share": 0.5, "texts": {"case": true}}));
        let whole = with_defaults(&example(), &json!({"texts": {"note": "x"}, "tags": {}}));
        assert_eq!(whole, json!({"share": 0.5, "texts": {"case": true, "note": "x"}, "tags": {}}));
    }

    #[test]
    fn one_setting_is_changed_by_its_key() {
        let set = |key: &str, written: &str| with(&example(), &json!({"share": 0.5}), key, written);
        assert_eq!(set("share", "0.7"), Ok(json!({"share": 0.7})));
        assert_eq!(set("texts.note", "by hand"), Ok(json!({"share": 0.5, "texts": {"note": "by hand"}})));
        assert_eq!(set("tags.a", "[\"x\"]"), Ok(json!({"share": 0.5, "tags": {"a": ["x"]}})));
        let wrong = "`texts.cas` is no setting of example; settings: case, note";
        assert_eq!(set("texts.cas", "true"), Err(wrong.to_owned()));
        assert!(set("shares", "1").is_err() && set("share.x", "1").is_err());
    }

    #[test]
    fn names_are_the_same_in_any_spelling() {
        assert!(same_name("Money amount", "money_amount") && same_name("a-b", "A  B") && !same_name("ab", "a b"));
    }

    #[test]
    fn five_is_five() {
        let differences = differences(&json!({"a": 5, "b": [1], "c": 1}), &json!({"a": 5.0, "b": [1.0], "d": 2}));
        let keys: Vec<(&str, &Value, &Value)> =
            differences.iter().map(|one| (one.key.as_str(), &one.from, &one.to)).collect();
        assert_eq!(keys, [("c", &json!(1), &Value::Null), ("d", &Value::Null, &json!(2))]);
    }
}
