//! Profiles as the page and the API both show them: versions with what each changed, and settings read from JSON.

use super::failure::{Failure, PlacedProblem};
use super::served::Served;
use super::whatif::sentence;
use assize_core::JudgeSystem;
use assize_core::document::Problems;
use assize_core::settings::{Difference, differences};
use assize_engine::profiles::{self, Profiles};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// A version of a profile, and what it changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct ProfileVersion {
    /// Which version, from 1.
    pub(super) version: u32,
    /// When it was saved, in UTC.
    pub(super) saved: String,
    /// The settings.
    pub(super) settings: Value,
    /// What differs from the version before; empty for the first.
    pub(super) changes: Vec<Difference>,
}

/// The versions of a profile, the newest first.
pub(super) fn versions_of(saved: &Profiles, name: &str) -> Vec<ProfileVersion> {
    let mut before: Option<&Value> = None;
    let mut versions: Vec<ProfileVersion> = saved
        .versions(name)
        .map(|profile| {
            let changes = before.map(|before| differences(before, &profile.settings)).unwrap_or_default();
            before = Some(&profile.settings);
            ProfileVersion {
                version: profile.version,
                saved: profile.saved.clone(),
                settings: profile.settings.clone(),
                changes,
            }
        })
        .collect();
    versions.reverse();
    versions
}

/// Settings of a judge out of JSON, or everything that is wrong with them.
pub(super) fn read_settings(judge: &dyn JudgeSystem, settings: &Value) -> Result<Value, Failure> {
    profiles::read_settings(judge, &settings.to_string(), "settings").map_err(|problems| wrong(&problems))
}

/// The same for settings that may name a saved profile, in them or beside them.
pub(super) fn read_request(
    served: &Served,
    judge: &dyn JudgeSystem,
    profile: Option<&str>,
    settings: Option<&Value>,
) -> Result<Value, Failure> {
    let saved = Profiles::from(served.store().profiles()?);
    let mut settings = settings.cloned().unwrap_or_else(|| json!({}));
    if let (Some(profile), Some(settings)) = (profile, settings.as_object_mut()) {
        settings.entry("profile").or_insert_with(|| json!(profile));
    }
    saved.read(judge, &settings.to_string(), "settings").map_err(|problems| wrong(&problems))
}

/// Settings that will not do: in a sentence, and one by one.
fn wrong(problems: &Problems) -> Failure {
    let said: Vec<String> =
        problems.iter().map(|problem| sentence(&problem.message, problem.help.as_deref())).collect();
    let placed = problems.iter().map(|problem| PlacedProblem {
        file: "the request".to_owned(),
        line: None,
        column: None,
        severity: "error",
        message: problem.message.clone(),
        help: problem.help.clone().unwrap_or_default(),
        source: None,
    });
    Failure::bad(said.join(" ")).with_problems(placed.collect())
}

/// There is no such profile.
pub(super) fn not_saved(name: &str) -> Failure {
    Failure::missing(format!("There is no saved profile “{name}”.")).with_way_on("The settings page lists them.")
}
