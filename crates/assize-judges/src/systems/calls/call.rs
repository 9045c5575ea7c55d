//! A case of this system, read: its task, transcript, expected outcome, and the output with its structure.

use super::metrics::Task;
use super::names::{self, Names};
use super::output::{self, Reading, Unreadable};
use super::settings::Settings;
use super::structure::Differences;
use super::tasks::{entity, qa};
use super::transcript::Transcript;
use assize_core::{Case, Parsed};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A case, read.
pub(super) struct Call<'c> {
    pub(super) case: &'c Case,
    pub(super) task: Task,
    pub(super) transcript: Transcript,
    pub(super) expected: &'c Value,
    pub(super) output: Result<(&'c Value, Reading), Unreadable>,
    pub(super) differences: Differences,
    config: Option<&'c Map<String, Value>>,
}

impl<'c> Call<'c> {
    /// Reads a case, or says why it is none for this judge.
    pub(super) fn read(case: &'c Case, parsed: &'c Parsed, settings: &Settings) -> Result<Self, String> {
        let (task, expected) = read_expected(case)?;
        let keep = |value: Cow<'c, Value>| match value {
            Cow::Borrowed(value) => value,
            Cow::Owned(value) => parsed.keep(value),
        };
        let expected = keep(expected);
        let names = Names::of(task, &settings.fields);
        let keys: Vec<&str> = expected.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        let output = output::read(case.inputs.get("model_output").unwrap_or(&Value::Null), &keys)
            .map(|(value, reading)| (keep(value), reading));
        // The structure is that of the names as they were written.
        let differences = match &output {
            Ok((value, _)) => Differences::between(expected, value),
            Err(_) => Differences::default(),
        };
        let output = output.map(|(value, reading)| (keep(names.settled(value)), reading));
        let expected = keep(names.settled(expected));
        lists_of_task(task, expected)?;
        let config = case.inputs.get("config").and_then(Value::as_object);
        let transcript = Transcript::read(case.inputs.get("transcript"));
        Ok(Self { case, task, transcript, expected, output, differences, config })
    }

    /// Whether the output has the structure it must have; only then is it scored.
    pub(super) fn is_sound(&self) -> bool {
        self.output.is_ok() && self.differences.is_empty()
    }

    /// The output; null where it could not be read.
    pub(super) fn output(&self) -> &'c Value {
        self.output.as_ref().map_or(&Value::Null, |(value, _)| *value)
    }

    /// What the model was configured with under a key.
    pub(super) fn config(&self, key: &str) -> Option<&'c Value> {
        self.config.and_then(|config| config.get(key))
    }
}

/// The task of a case and what is expected, as it was written.
fn read_expected(case: &Case) -> Result<(Task, Cow<'_, Value>), String> {
    let name = case.text("task");
    let task = Task::named(name).ok_or_else(|| {
        let known: Vec<&str> = Task::ALL.iter().map(|task| task.key()).collect();
        format!("the task `{name}` is none of {}", known.join(", "))
    })?;
    let given = case.inputs.get("expected_outcome").unwrap_or(&Value::Null);
    let read = output::read(given, names::TOP).ok().map(|(value, _)| value).filter(|value| value.is_object());
    let none = || "`expected_outcome` is no JSON object, so there is nothing to compare with".to_owned();
    Ok((task, read.ok_or_else(none)?))
}

/// Whether the expected outcome has what its task is about, or what it lacks.
fn lists_of_task(task: Task, expected: &Value) -> Result<(), String> {
    let has_items = |key: &str| !items(expected, key).is_empty();
    let has_parts = |key: &str| expected.get(key).and_then(Value::as_object).is_some_and(|parts| !parts.is_empty());
    let (there, wanted) = match task {
        Task::Qa => (has_items("questions"), "a list `questions` with the expected marks"),
        Task::Entity => {
            (entity::has_lists(expected), "the lists `detected_keywords` or `detected_topics`, which may be empty")
        }
        Task::Text => (
            has_items("sentiment") || has_parts("summary") || has_parts("emotion"),
            "a list `sentiment`, a `summary` or an `emotion`",
        ),
        Task::Translation => (has_items("sentence_translations"), "a list `sentence_translations`"),
    };
    if there {
        Ok(())
    } else {
        Err(format!("`expected_outcome` has nothing for the task `{}`: it needs {wanted}", task.key()))
    }
}

/// What is wrong with a case, in sentences for whoever wrote it.
pub(super) fn problems(case: &Case, settings: &Settings) -> Vec<String> {
    let parsed = Parsed::default();
    let mut problems = match Call::read(case, &parsed, settings) {
        Err(problem) => vec![problem],
        Ok(call) if call.task == Task::Qa => qa::problems(&call),
        Ok(_) => Vec::new(),
    };
    if case.inputs.get("cost_usd").and_then(Value::as_f64).is_some_and(|cost| cost < 0.0) {
        problems.push("`cost_usd` is negative: a call costs 0 or more".to_owned());
    }
    problems
}

/// The value at a path of keys.
pub(super) fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// The items of a list under a key; none where there is no list.
pub(super) fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// An id as it is compared: a text or a number, trimmed.
pub(super) fn id(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        // 1.0 is 1.
        Value::Number(number) => Some(match number.as_f64() {
            Some(value) if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
            _ => number.to_string(),
        }),
        _ => None,
    }
}

/// A text under a key, trimmed; `None` where it is empty or none.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// Items of the output matched to those of the expected outcome by id.
pub(super) struct Matched<'v> {
    /// For each expected item, in order, its id, the item, and the first item of the output with that id.
    pub(super) pairs: Vec<(String, &'v Value, Option<&'v Value>)>,
    /// Expected ids that the output does not have.
    pub(super) missing: Vec<String>,
    /// Ids of the output that are not expected.
    pub(super) unknown: Vec<String>,
    /// Ids that the output has more than once.
    pub(super) duplicated: Vec<String>,
    /// Items of the output without an id.
    pub(super) without_id: usize,
}

impl<'v> Matched<'v> {
    /// Matches by the first of `keys` that an item has. Of several items with one id the first counts.
    pub(super) fn by_id(expected: &'v [Value], output: &'v [Value], keys: &[&str]) -> Self {
        let id_of = |item: &Value| keys.iter().find_map(|key| id(item.get(key)));
        let mut found: indexmap::IndexMap<String, &Value> = indexmap::IndexMap::new();
        let (mut duplicated, mut without_id) = (Vec::new(), 0);
        for item in output {
            match id_of(item) {
                None => without_id += 1,
                Some(id) if found.contains_key(&id) => {
                    if !duplicated.contains(&id) {
                        duplicated.push(id);
                    }
                }
                Some(id) => {
                    found.insert(id, item);
                }
            }
        }
        let mut pairs: Vec<(String, &Value, Option<&Value>)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (position, item) in expected.iter().enumerate() {
            let id = id_of(item).unwrap_or_else(|| format!("#{}", position + 1));
            if seen.insert(id.clone()) {
                let partner = found.get(&id).copied();
                pairs.push((id, item, partner));
            }
        }
        let missing = pairs.iter().filter(|(_, _, found)| found.is_none()).map(|(id, _, _)| id.clone()).collect();
        let unknown = found.keys().filter(|id| !seen.contains(*id)).cloned().collect();
        Self { pairs, missing, unknown, duplicated, without_id }
    }
}
