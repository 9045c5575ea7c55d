//! What a suite can set: the keys of `judge_config`, the profile they start from, and how the rules read values.

use super::config::JudgeConfig;
use assize_core::document::{Fields, Node, Problems, Span, closest};
use assize_core::settings::{object, schema, setting, switch};
use assize_metrics::values::{DateOrder, Reading};
use serde::Serialize;
use serde_json::{Value, json};

/// The settings of the fact judge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// What is sent to the model, and what the rules go by.
    pub config: JudgeConfig,
    /// How the rules read values; the model never sees it.
    pub reading: ValueReading,
}

/// How the rules read values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ValueReading {
    /// Whether texts are read as numbers and identifiers.
    pub numbers: bool,
    /// Whether texts are read as dates.
    pub dates: bool,
    /// Which comes first in `03/04/2024`.
    pub date_order: DateOrder,
}

impl Default for ValueReading {
    fn default() -> Self {
        Self { numbers: true, dates: true, date_order: DateOrder::Either }
    }
}

impl ValueReading {
    pub(super) fn of_field(self, identifier: bool) -> Reading {
        Reading { numbers: self.numbers, dates: self.dates, date_order: self.date_order, identifier }
    }
}

/// What a suite can set.
pub(super) fn settings_schema() -> Value {
    let profile = json!({"type": "string", "minLength": 1});
    let order = json!({"type": "string", "enum": ["either", "day_first", "month_first"]});
    let rules = [
        ("numbers", switch("Read texts as numbers and identifiers.", true)),
        ("dates", switch("Read texts as dates.", true)),
        (
            "date_order",
            setting(order, "Which comes first in 03/04/2024; with either, both readings are kept.", json!("either")),
        ),
    ];
    let profile = setting(profile, "The profile to start from: strict, lenient, or a saved one.", json!("strict"));
    let mut settings = vec![("profile", profile)];
    settings.extend(JudgeConfig::settings());
    settings.push(("rules", object("How the rules read values; a model never sees it.", &rules)));
    schema(
        "fact-extraction",
        "The settings of the fact-extraction judge: judge_config, and how the rules read values.",
        &settings,
    )
}

/// Reads the settings of a suite. `profile` names a built-in profile; the keys beside it override it.
pub fn read(node: Option<&Node>, problems: &mut Problems) -> Option<Settings> {
    let mut settings = Settings { config: JudgeConfig::strict(), reading: ValueReading::default() };
    let Some(node) = node else { return Some(settings) };
    let before = problems.count();
    let mut fields = Fields::open(node, "settings", problems)?;
    if let Some(profile) = fields.take("profile")
        && let Some(found) = read_profile(profile, problems)
    {
        settings.config = found;
    }
    settings.config = JudgeConfig::read_fields(&mut fields, settings.config, problems);
    if let Some(node) = fields.take("rules") {
        read_rules(node, &mut settings.reading, problems);
    }
    fields.finish(problems);
    (problems.count() == before).then_some(settings)
}

/// The settings that a run was made with, as its record holds them: nothing, or a mapping.
pub(super) fn read_recorded(settings: &Value, problems: &mut Problems) -> Option<Settings> {
    let node = (!settings.is_null()).then(|| Node::of(settings, Span::at(1, 1)));
    read(node.as_ref(), problems)
}

fn read_profile(node: &Node, problems: &mut Problems) -> Option<JudgeConfig> {
    let name = node.filled_text("profile", problems)?;
    let mut known = JudgeConfig::built_in();
    if let Some(profile) = known.iter_mut().find(|profile| profile.profile_name == name) {
        return Some(profile.clone());
    }
    let names: Vec<&str> = known.iter().map(|profile| profile.profile_name.as_str()).collect();
    let help = match closest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("known profiles: {}; or write the settings themselves here", names.join(", ")),
    };
    problems.report_with_help(node.span, format!("there is no profile `{name}`"), help);
    None
}

fn read_rules(node: &Node, reading: &mut ValueReading, problems: &mut Problems) {
    let Some(mut fields) = Fields::open(node, "rules", problems) else { return };
    for (name, switch) in [("numbers", &mut reading.numbers), ("dates", &mut reading.dates)] {
        if let Some(value) = fields.take(name).and_then(|node| node.bool(name, problems)) {
            *switch = value;
        }
    }
    let orders =
        [("either", DateOrder::Either), ("day_first", DateOrder::DayFirst), ("month_first", DateOrder::MonthFirst)];
    if let Some(order) = fields.take("date_order").and_then(|node| node.one_of("date_order", &orders, problems)) {
        reading.date_order = order;
    }
    fields.finish(problems);
}
