//! Reading what a model wrote: JSON, a text that holds JSON, a fenced block, or TOON.

use assize_core::reply::{objects, without_thinking};
use assize_metrics::toon;
use serde_json::Value;
use std::borrow::Cow;
use strum::IntoStaticStr;

/// Of the objects in an output, how many are looked at, counted from the end.
const MOST_OBJECTS: usize = 32;

/// How an output had to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Reading {
    /// It was JSON, or a text that is JSON and nothing else.
    Json,
    /// It stood in a fenced block.
    Fenced,
    /// It was TOON.
    Toon,
    /// It stood among other text.
    AmongText,
}

impl Reading {
    pub(super) fn name(self) -> &'static str {
        self.into()
    }
}

/// Why an output cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// There is nothing.
    Empty,
    /// There is no JSON object and no TOON in it.
    Prose,
}

impl Unreadable {
    pub(super) fn flag(self) -> &'static str {
        match self {
            Self::Empty => "output_empty",
            Self::Prose => "output_unreadable",
        }
    }
}

/// The structured value of an output. `keys` are the top-level keys to expect: any prose with a colon in it is TOON, so TOON
/// is believed only where it has one of them.
pub(super) fn read<'v>(output: &'v Value, keys: &[&str]) -> Result<(Cow<'v, Value>, Reading), Unreadable> {
    match output {
        Value::Object(_) | Value::Array(_) => Ok((Cow::Borrowed(output), Reading::Json)),
        Value::String(text) => read_text(text, keys).map(|(value, reading)| (Cow::Owned(value), reading)),
        Value::Null => Err(Unreadable::Empty),
        _ => Err(Unreadable::Prose),
    }
}

fn read_text(text: &str, keys: &[&str]) -> Result<(Value, Reading), Unreadable> {
    let text = text.trim().trim_start_matches('\u{feff}');
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => return Ok((value, Reading::Json)),
        // A text in a text: written out twice.
        Ok(Value::String(inner)) => {
            if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(&inner) {
                return Ok((value, Reading::Json));
            }
        }
        _ => {}
    }
    let spoken = without_thinking(text);
    let text = spoken.trim();
    if let Some(value) = structured(text) {
        return Ok((value, Reading::AmongText));
    }
    for block in fenced_blocks(text) {
        if let Some(value) = structured(block) {
            return Ok((value, Reading::Fenced));
        }
        if let Some(value) = believable_toon(block, keys) {
            return Ok((value, Reading::Toon));
        }
    }
    if let Some(value) = believable_toon(text, keys) {
        return Ok((value, Reading::Toon));
    }
    // As in the replies of judges: of several objects that differ nobody knows which is meant.
    let found = objects(text, MOST_OBJECTS);
    let mut meant =
        found.objects.iter().filter(|object| keys.is_empty() || keys.iter().any(|key| object.get(key).is_some()));
    match meant.next() {
        Some(first) if !found.cut_off && meant.all(|other| other == first) => Ok((first.clone(), Reading::AmongText)),
        _ => Err(Unreadable::Prose),
    }
}

fn structured(text: &str) -> Option<Value> {
    serde_json::from_str::<Value>(text.trim()).ok().filter(|value| value.is_object() || value.is_array())
}

fn believable_toon(text: &str, keys: &[&str]) -> Option<Value> {
    let value = toon::read(text).ok()?;
    let object = value.as_object()?;
    keys.iter().any(|key| object.contains_key(*key)).then_some(value)
}

/// What stands between ``` fences, without the language behind the first one. A fence that is not closed ends with the text.
fn fenced_blocks(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("```") {
        let inside = &rest[start + 3..];
        let body = inside.find('\n').map_or("", |line| &inside[line + 1..]);
        match body.find("```") {
            Some(end) => {
                blocks.push(&body[..end]);
                rest = &body[end + 3..];
            }
            None => {
                blocks.push(body);
                break;
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reading(output: Value) -> Result<Reading, Unreadable> {
        read(&output, &["score"]).map(|(value, reading)| {
            assert_eq!(value["score"], 5, "{output}");
            reading
        })
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(reading(json!({"score": 5})), Ok(Reading::Json));
        assert_eq!(reading(json!(" {\"score\": 5}\n")), Ok(Reading::Json));
        assert_eq!(reading(json!("\"{\\\"score\\\": 5}\"")), Ok(Reading::Json));
        assert_eq!(reading(json!("```json\n{\"score\": 5}\n```")), Ok(Reading::Fenced));
        assert_eq!(reading(json!("Here you are:\n```\n{\"score\": 5}")), Ok(Reading::Fenced));
        assert_eq!(reading(json!("```toon\nscore: 5\n```")), Ok(Reading::Toon));
        assert_eq!(reading(json!("score: 5\nnote: fine")), Ok(Reading::Toon));
        assert_eq!(reading(json!("Sure: {\"score\": 5}.")), Ok(Reading::AmongText));
        assert_eq!(reading(json!("<think>maybe {\"score\": 1}</think>\n{\"score\": 5}")), Ok(Reading::AmongText));
        assert_eq!(reading(json!("{\"score\": 5}\nI used {braces} for {\"tags\": 1}.")), Ok(Reading::AmongText));
    }

    #[test]
    fn two_objects_that_differ_are_none() {
        assert_eq!(reading(json!("{\"score\": 4} or {\"score\": 5}")), Err(Unreadable::Prose));
        assert_eq!(reading(json!("{\"score\": 5} or {\"score\": 5}")), Ok(Reading::AmongText));
    }

    #[test]
    fn prose_and_nothing_are_told_apart() {
        for empty in [json!(null), json!(""), json!(" \n ")] {
            assert_eq!(reading(empty), Err(Unreadable::Empty));
        }
        for prose in
            [json!("The agent was polite."), json!("Note: fine"), json!(7), json!(true), json!("{broken"), json!("```")]
        {
            assert_eq!(reading(prose.clone()), Err(Unreadable::Prose), "{prose}");
        }
    }
}
