//! What a suite can set on the call-intelligence judge.

use super::metrics::{Section, Task};
use assize_core::document::{Fields, Key, Node, NodeValue, Problems, closest};
use assize_core::settings::{object, schema, setting, switch};
use assize_core::suite::Placed;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Values of a field that mean it was left empty, beside null, empty texts, lists and objects.
const EMPTY_VALUES: [&str; 3] = ["n/a", "unknown", "-"];

/// The settings.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Settings {
    /// Whether the eleven benchmarks are run.
    pub(super) benchmarks: bool,
    /// The share of cases that may breach a per-case blocker before the model does.
    pub(super) blocker_tolerance: f64,
    /// Weights of the final score that replace those of the option in use.
    pub(super) weights: IndexMap<String, f64>,
    /// US dollars per 1000 calls, by model under test.
    pub(super) cost_per_1000: IndexMap<String, f64>,
    /// Values, lower-cased, that count as an empty field.
    pub(super) empty_values: Vec<String>,
    /// Names in outputs and expected outcomes, each with the name that is meant.
    pub(super) fields: IndexMap<String, String>,
    /// The models that have a cost, with their places in the suite.
    #[serde(skip)]
    pub(super) models_named: Vec<Placed<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            benchmarks: false,
            blocker_tolerance: 0.0,
            weights: IndexMap::new(),
            cost_per_1000: IndexMap::new(),
            empty_values: EMPTY_VALUES.map(str::to_owned).to_vec(),
            fields: IndexMap::new(),
            models_named: Vec::new(),
        }
    }
}

impl Settings {
    /// What of the settings of a run, as recorded, says how its cases are read.
    pub(super) fn of_run(recorded: &Value) -> Self {
        let fields = recorded.get("fields").and_then(|fields| IndexMap::deserialize(fields).ok());
        Self { fields: fields.unwrap_or_default(), ..Self::default() }
    }
}

/// What a suite can set.
pub(super) fn settings_schema() -> Value {
    let unset = Settings::default();
    let amount = || json!({"type": "number", "minimum": 0});
    let share = json!({"type": "number", "minimum": 0, "maximum": 1});
    let weights: Vec<(&str, Value)> = weighted()
        .map(|section| {
            let mut weight = amount();
            weight["title"] = json!(section.score());
            (section.key(), weight)
        })
        .collect();
    let costs = json!({"type": "object", "additionalProperties": amount()});
    schema(
        "call-intelligence",
        "The settings of the call-intelligence judge.",
        &[
            (
                "benchmarks",
                switch("Run the eleven benchmarks as well; each case is asked once more.", unset.benchmarks),
            ),
            (
                "blocker_tolerance",
                setting(
                    share,
                    "The share of a task's cases that may breach a per-case blocker before the model does.",
                    json!(unset.blocker_tolerance),
                ),
            ),
            (
                "weights",
                object("Weights of the final score. Where none is set, those of the option in use hold.", &weights),
            ),
            (
                "cost_per_1000",
                setting(
                    costs,
                    "US dollars per 1000 calls, by model under test; goes before the cost in the cases.",
                    json!({}),
                ),
            ),
            (
                "empty_values",
                setting(
                    json!({"type": "array", "items": {"type": "string"}}),
                    "Values that count as an empty field, beside null and empty texts, lists and objects.",
                    json!(unset.empty_values),
                ),
            ),
            (
                "fields",
                setting(
                    json!({"type": "object", "additionalProperties": {"type": "string"}}),
                    "Names of your outputs and expected outcomes, each with the name it has here: `punkte: score`.",
                    json!({}),
                ),
            ),
        ],
    )
}

/// The parts of the final score.
fn weighted() -> impl Iterator<Item = Section> {
    Task::ALL.into_iter().map(Task::section).chain([Section::Benchmark])
}

pub(super) fn read(node: Option<&Node>, problems: &mut Problems) -> Option<Settings> {
    let mut settings = Settings::default();
    let before = problems.count();
    if let Some(node) = node {
        let mut fields = Fields::open(node, "settings", problems)?;
        if let Some(value) = fields.take("benchmarks").and_then(|node| node.bool("benchmarks", problems)) {
            settings.benchmarks = value;
        }
        if let Some(node) = fields.take("blocker_tolerance")
            && let Some(value) = node.number("blocker_tolerance", 0.0..=1.0, problems)
        {
            settings.blocker_tolerance = value;
        }
        if let Some(node) = fields.take("weights") {
            read_weights(node, &mut settings.weights, problems);
        }
        if let Some(node) = fields.take("cost_per_1000") {
            settings.cost_per_1000 = read_numbers(node, "cost_per_1000", "a model to US dollars", problems);
            if let NodeValue::Map(entries) = &node.kind {
                let named = |key: &Key| Placed { value: key.name.clone(), span: key.span };
                settings.models_named = entries.iter().map(|(key, _)| named(key)).collect();
            }
        }
        if let Some(node) = fields.take("empty_values")
            && let Some(items) = node.list("empty_values", problems)
        {
            settings.empty_values = items
                .iter()
                .filter_map(|item| item.text("empty_values", problems))
                .map(|text| text.trim().to_lowercase())
                .collect();
        }
        if let Some(node) = fields.take("fields") {
            settings.fields = read_fields(node, problems);
        }
        fields.finish(problems);
    }
    (problems.count() == before).then_some(settings)
}

fn read_fields(node: &Node, problems: &mut Problems) -> IndexMap<String, String> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("fields", "a mapping from your names to those of the guide", problems);
        return IndexMap::new();
    };
    let read = |key: &str, node: &Node, problems: &mut Problems| {
        Some((key.to_owned(), node.text("fields", problems)?.to_owned()))
    };
    entries.iter().filter_map(|(key, node)| read(&key.name, node, problems)).collect()
}

fn read_weights(node: &Node, weights: &mut IndexMap<String, f64>, problems: &mut Problems) {
    let names = || weighted().map(Section::key);
    *weights = read_numbers(node, "weights", "a task (or `benchmark`) to its weight", problems);
    if let NodeValue::Map(entries) = &node.kind {
        for (key, _) in entries.iter().filter(|(key, _)| !names().any(|name| name == key.name)) {
            let help = match closest(&key.name, names()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known: {}", names().collect::<Vec<_>>().join(", ")),
            };
            problems.report_with_help(key.span, format!("`{}` is no part of the final score", key.name), help);
        }
        if !weights.is_empty() && names().all(|name| weights.get(name) == Some(&0.0)) {
            problems.report(node.span, "the weights add up to zero: at least one task must count");
        }
    }
}

fn read_numbers(node: &Node, what: &str, of: &str, problems: &mut Problems) -> IndexMap<String, f64> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected(what, &format!("a mapping from {of}"), problems);
        return IndexMap::new();
    };
    entries
        .iter()
        .filter_map(|(key, node)| {
            Some((key.name.clone(), node.number(&format!("{what}.{}", key.name), 0.0..=f64::MAX, problems)?))
        })
        .collect()
}
