//! A profile that was chosen for a run: one that was saved, or one that comes with the fact judge.

use assize_engine::profiles::Profiles;
use assize_engine::run::ChosenSettings;
use assize_judges::systems::facts::JudgeConfig;
use serde_json::json;

/// The settings that `NAME` or `NAME@VERSION` means, with the version in their name; nothing if there is none like that.
pub(crate) fn chosen_profile(written: &str, profiles: &Profiles) -> Option<ChosenSettings> {
    if let Some(saved) = profiles.find(written) {
        let name = format!("{}@{}", saved.name, saved.version);
        return Some(ChosenSettings { name, values: saved.settings.clone() });
    }
    let built_in = JudgeConfig::built_in().into_iter().find(|profile| profile.profile_name == written);
    built_in.map(|config| ChosenSettings { name: written.to_owned(), values: json!(config) })
}
