//! What a suite can set: the keys of `judge_config`, and the profile they start from.

use super::config::JudgeConfig;
use assize_core::document::{Fields, Node, Problems, Span, closest};
use assize_core::settings::{schema, setting};
use serde_json::{Value, json};

/// What a suite can set.
pub(super) fn settings_schema() -> Value {
    let profile = json!({"type": "string", "minLength": 1});
    let profile = setting(profile, "The profile to start from: strict, lenient, or a saved one.", json!("strict"));
    let mut settings = vec![("profile", profile)];
    settings.extend(JudgeConfig::settings());
    schema("fact-extraction", "The settings of the fact-extraction judge: judge_config, or a profile of it.", &settings)
}

/// Reads the settings of a suite. `profile` names a built-in profile; the keys beside it override it.
pub fn read(node: Option<&Node>, problems: &mut Problems) -> Option<JudgeConfig> {
    let mut config = JudgeConfig::strict();
    let Some(node) = node else { return Some(config) };
    let before = problems.count();
    let mut fields = Fields::open(node, "settings", problems)?;
    if let Some(profile) = fields.take("profile")
        && let Some(found) = read_profile(profile, problems)
    {
        config = found;
    }
    config = JudgeConfig::read_fields(&mut fields, config, problems);
    fields.finish(problems);
    (problems.count() == before).then_some(config)
}

/// The settings that a run was made with, as its record holds them: nothing, or a mapping.
pub(super) fn read_recorded(settings: &Value, problems: &mut Problems) -> Option<JudgeConfig> {
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
