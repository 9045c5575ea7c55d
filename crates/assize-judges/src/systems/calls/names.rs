//! How other people spell the keys of outputs and expected outcomes.
//!
//! Names are settled for counting only: the structure of an output is compared as both were written. `fields` in the suite's
//! settings names spellings of its own; those listed here, and known keys in camel case (`maxScore`), need no setting.

use super::metrics::Task;
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The keys by which an expected outcome is known to be one.
pub(super) const TOP: &[&str] = &[
    "questions",
    "qa_results",
    "data",
    "detected_keywords",
    "detected_topics",
    "sentiment",
    "summary",
    "emotion",
    "sentence_translations",
    "full_translation",
];

/// The keys that this judge reads.
const KNOWN: &[&str] = &[
    "questions",
    "question_id",
    "score",
    "max_score",
    "type",
    "reason",
    "detected_keywords",
    "detected_topics",
    "valid_entity_set",
    "keyword_id",
    "topic_id",
    "sentiment",
    "sentence_id",
    "label",
    "summary",
    "call_purpose",
    "highlights",
    "call_extracted_info",
    "emotion",
    "full_translation",
    "sentence_translations",
    "source_id",
    "source_text",
    "translated_text",
    "domain_terms_handled",
    "named_entities_handled",
    "handled_as",
];

/// Other names for them.
const OTHERS: &[(&str, &str)] = &[("qa_results", "questions"), ("call_highlights", "highlights")];

/// The names that outputs and expected outcomes of a task use.
pub(super) struct Names<'s> {
    task: Task,
    own: &'s IndexMap<String, String>,
}

impl<'s> Names<'s> {
    pub(super) fn of(task: Task, own: &'s IndexMap<String, String>) -> Self {
        Self { task, own }
    }

    /// The value with every name as this judge spells it. One that would then stand twice stays as it is.
    pub(super) fn settled<'v>(&self, value: &'v Value) -> Cow<'v, Value> {
        if self.has_others(value) { Cow::Owned(self.renamed(value, true)) } else { Cow::Borrowed(value) }
    }

    fn has_others(&self, value: &Value) -> bool {
        match value {
            Value::Object(fields) => {
                fields.iter().any(|(key, value)| self.meant(key, true).is_some() || self.has_others(value))
            }
            Value::Array(items) => items.iter().any(|item| self.has_others(item)),
            _ => false,
        }
    }

    fn renamed(&self, value: &Value, top: bool) -> Value {
        match value {
            Value::Object(fields) => {
                let renamed = fields.iter().map(|(key, value)| {
                    let name = self.meant(key, top).filter(|name| !fields.contains_key(name.as_ref()));
                    (name.unwrap_or(Cow::Borrowed(key)).into_owned(), self.renamed(value, false))
                });
                Value::Object(renamed.collect::<Map<String, Value>>())
            }
            Value::Array(items) => Value::Array(items.iter().map(|item| self.renamed(item, false)).collect()),
            other => other.clone(),
        }
    }

    /// The name that is meant by another.
    fn meant<'n>(&'n self, key: &'n str, top: bool) -> Option<Cow<'n, str>> {
        if let Some(own) = self.own.get(key) {
            return Some(Cow::Borrowed(own));
        }
        if let Some((_, name)) = OTHERS.iter().find(|(other, _)| *other == key) {
            return Some(Cow::Borrowed(name));
        }
        if key == "data" && top {
            return match self.task {
                Task::Qa => Some("questions".into()),
                Task::Text => Some("sentiment".into()),
                Task::Translation => Some("sentence_translations".into()),
                // Its items say themselves whether they are keywords or topics.
                Task::Entity => None,
            };
        }
        let snake = snake_case(key)?;
        KNOWN.contains(&snake.as_str()).then_some(Cow::Owned(snake))
    }
}

/// `maxScore` as `max_score`; `None` where the key is not in camel case.
fn snake_case(key: &str) -> Option<String> {
    if !key.bytes().any(|byte| byte.is_ascii_uppercase()) || key.contains('_') {
        return None;
    }
    let mut snake = String::new();
    for character in key.chars() {
        if character.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    Some(snake)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn settled(task: Task, own: &[(&str, &str)], value: &Value) -> Value {
        let own = own.iter().map(|(theirs, ours)| ((*theirs).to_owned(), (*ours).to_owned())).collect();
        Names::of(task, &own).settled(value).into_owned()
    }

    #[test]
    fn spellings_of_others_are_known() {
        let theirs = json!({"qa_results": [{"questionId": "Q1", "maxScore": 5, "score": 4}]});
        let ours = json!({"questions": [{"question_id": "Q1", "max_score": 5, "score": 4}]});
        assert_eq!(settled(Task::Qa, &[], &theirs), ours);
        assert_eq!(
            settled(Task::Qa, &[], &json!({"data": [{"score": 1, "data": 2}]})),
            json!({"questions": [{"score": 1, "data": 2}]})
        );
        let own = [("frage", "question_id"), ("punkte", "score")];
        assert_eq!(
            settled(Task::Qa, &own, &json!({"questions": [{"frage": "F1", "punkte": 2}]})),
            json!({"questions": [{"question_id": "F1", "score": 2}]})
        );
    }

    #[test]
    fn what_is_spelt_as_here_stays_and_nothing_is_lost() {
        let both = json!({"questions": [{"maxScore": 5, "max_score": 4, "customerName": "x"}]});
        assert_eq!(settled(Task::Qa, &[], &both), both);
    }
}
