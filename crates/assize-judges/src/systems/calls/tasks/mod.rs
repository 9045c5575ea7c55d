//! The four tasks. Each reads what code can find, says what must be read, stands in for the reader by rules, and counts.
//!
//! They have the same six functions: `find`, `needs_reading`, `items` (what the judge is asked to label, numbered from 1),
//! `rules`, `violations` and `score`.

pub(super) mod entity;
pub(super) mod evidence;
pub(super) mod qa;
pub(super) mod text;
pub(super) mod translation;

use super::call::{Call, Matched};
use super::likeness::Likeness;
use super::metrics::Task;
use super::settings::Settings;
use assize_core::{Answer, Judgment, Method, Metric};
use serde_json::{Value, json};
use std::collections::HashMap;

/// What code finds in a case, by task.
pub(super) enum Findings<'c> {
    Qa(qa::Qa<'c>),
    Entity(entity::Entities),
    Text(text::Text<'c>),
    Translation(translation::Translation<'c>),
}

impl<'c> Findings<'c> {
    pub(super) fn of(call: &Call<'c>, settings: &Settings) -> Self {
        match call.task {
            Task::Qa => Self::Qa(qa::find(call)),
            Task::Entity => Self::Entity(entity::find(call)),
            Task::Text => Self::Text(text::find(call, settings)),
            Task::Translation => Self::Translation(translation::find(call)),
        }
    }

    /// Whether there is something that only a reader can say.
    pub(super) fn needs_reading(&self) -> bool {
        match self {
            Self::Qa(found) => qa::needs_reading(found),
            Self::Entity(found) => entity::needs_reading(found),
            Self::Text(found) => text::needs_reading(found),
            Self::Translation(found) => translation::needs_reading(found),
        }
    }

    /// What is put before the judge beside the case.
    pub(super) fn items(&self) -> Value {
        match self {
            Self::Qa(found) => qa::items(found),
            Self::Entity(found) => entity::items(found),
            Self::Text(found) => text::items(found),
            Self::Translation(found) => translation::items(found),
        }
    }

    pub(super) fn rules(&self, call: &Call<'_>) -> Value {
        match self {
            Self::Qa(found) => qa::rules(found, call),
            Self::Entity(found) => entity::rules(found),
            Self::Text(found) => text::rules(found, call),
            Self::Translation(found) => translation::rules(found),
        }
    }

    pub(super) fn violations(&self, answer: &Value) -> Vec<String> {
        match self {
            Self::Qa(found) => qa::violations(found, answer),
            Self::Entity(found) => entity::violations(found, answer),
            Self::Text(found) => text::violations(found, answer),
            Self::Translation(found) => translation::violations(found, answer),
        }
    }

    pub(super) fn score(&self, call: &Call<'_>, read: Read<'_>, likeness: &Likeness, judgment: &mut Judgment) {
        match self {
            Self::Qa(found) => qa::score(found, call, read, judgment),
            Self::Entity(found) => entity::score(found, read, judgment),
            Self::Text(found) => text::score(found, read, judgment),
            Self::Translation(found) => translation::score(found, call, read, likeness, judgment),
        }
    }
}

/// What was read of a case: what the judge answered or the rules found, where something had to be read.
#[derive(Clone, Copy)]
pub(super) struct Read<'a> {
    pub(super) labels: Option<&'a Value>,
    method: Method,
}

impl Read<'_> {
    /// Nobody read it.
    pub(super) const NONE: Self = Self { labels: None, method: Method::Code };
}

impl<'a> Read<'a> {
    /// What was answered, by whomever.
    pub(super) fn of(answer: Option<&'a Answer>) -> Self {
        match answer {
            Some(answer) => Self { labels: Some(&answer.value), method: answer.method() },
            None => Self::NONE,
        }
    }

    /// The method of figures that rest on what was read.
    pub(super) fn method(self) -> Method {
        self.method
    }

    pub(super) fn get(self, key: &str) -> Option<&'a Value> {
        self.labels.and_then(|labels| labels.get(key)).filter(|value| !value.is_null())
    }

    /// Whether something was said under the key: a list, be it empty.
    pub(super) fn has_list(self, key: &str) -> bool {
        self.get(key).is_some_and(Value::is_array)
    }

    pub(super) fn list(self, key: &str) -> &'a [Value] {
        self.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The labels of numbered items: the first for each number.
    pub(super) fn by_item(self, key: &str) -> HashMap<usize, &'a Value> {
        let mut labels = HashMap::new();
        for label in self.list(key) {
            if let Some(item) = item_number(label) {
                labels.entry(item).or_insert(label);
            }
        }
        labels
    }
}

fn item_number(label: &Value) -> Option<usize> {
    label.get("item").and_then(Value::as_u64).and_then(|item| usize::try_from(item).ok())
}

/// What is wrong with labels that must cover the items 1 to `count` once each.
pub(super) fn coverage(answer: &Value, key: &str, count: usize) -> Vec<String> {
    let labels = answer.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut times = vec![0usize; count + 1];
    let mut violations = Vec::new();
    for label in labels {
        match item_number(label) {
            Some(item) if (1..=count).contains(&item) => times[item] += 1,
            Some(item) => violations.push(format!("`{key}` labels item {item}, and there are only {count}.")),
            None => violations.push(format!("`{key}` has an entry without its `item` number.")),
        }
    }
    let wrong = |wanted: fn(usize) -> bool| -> Vec<String> {
        (1..=count).filter(|item| wanted(times[*item])).map(|item| item.to_string()).collect()
    };
    let (missing, twice) = (wrong(|times| times == 0), wrong(|times| times > 1));
    if !missing.is_empty() {
        violations.push(format!("`{key}` has no label for item {}.", missing.join(", ")));
    }
    if !twice.is_empty() {
        violations.push(format!("`{key}` labels item {} more than once.", twice.join(", ")));
    }
    violations
}

/// An object of values that are made already, where `json!` would copy each of them.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

pub(super) fn put(judgment: &mut Judgment, name: &str, metric: Metric) {
    judgment.metrics.insert(name.to_owned(), metric);
}

/// A rate of counts.
pub(super) fn rate(count: usize, of: usize, method: Method) -> Metric {
    Metric::rate(count as f64, of as f64, method)
}

/// A rate of counts, of which so many are undecided.
pub(super) fn rate_with(count: usize, of: usize, undecided: usize, method: Method) -> Metric {
    Metric::rate_between(count as f64, (count + undecided) as f64, (of + undecided) as f64, method)
}

/// A percentage of counts, of which so many are undecided. Each that counts is for the worse.
pub(super) fn percent_with(count: usize, of: usize, undecided: usize, method: Method) -> Metric {
    let worst = 100.0 * (count + undecided) as f64;
    Metric::rate_between(worst, 100.0 * count as f64, (of + undecided) as f64, method)
}

/// A percentage of counts, which pools like a rate.
pub(super) fn percent(count: usize, of: usize, method: Method) -> Metric {
    Metric::rate(100.0 * count as f64, of as f64, method)
}

/// Names what did not match between output and expected outcome, by flag and by id.
pub(super) fn note_matching(judgment: &mut Judgment, what: &str, matched: &Matched<'_>) {
    let noted = [
        (format!("{what}s_missing"), &matched.missing),
        (format!("unknown_{what}_ids"), &matched.unknown),
        (format!("duplicate_{what}_ids"), &matched.duplicated),
    ];
    for (flag, ids) in noted {
        if !ids.is_empty() {
            judgment.labels.insert(flag.clone(), json!(ids));
            judgment.flag(flag);
        }
    }
    if matched.without_id > 0 {
        let flag = format!("{what}s_without_id");
        judgment.labels.insert(flag.clone(), json!(matched.without_id));
        judgment.flag(flag);
    }
}
