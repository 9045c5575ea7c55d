//! `assize profile`: named, versioned settings of the fact judge. Versions are kept for ever; deleting hides.

use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::{problems, table};
use crate::screen::{self, Style, styled};
use assize_core::document::{Problems, parse};
use assize_engine::profiles::Profiles;
use assize_judges::systems::facts::JudgeConfig;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;

/// Named, versioned settings of the fact judge.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize profile list
  assize profile save acme --base lenient --set numeric_tolerance_percent=2
  assize profile show acme            the newest version; acme@1 is the first
  assize profile diff strict acme
  assize profile export acme > acme.json
  assize profile import acme.json
  assize profile delete acme          hides it; runs that used it stay readable
Then, in a suite: settings: {profile: acme}")]
pub(super) struct Profile {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// The profiles, with their versions
    List,
    /// The settings of a profile, as JSON
    Show {
        /// NAME or NAME@VERSION
        name: String,
    },
    /// Save a new version
    Save {
        /// The profile's name
        name: String,
        /// The profile to start from; its own newest version if there is one, else strict
        #[arg(long)]
        base: Option<String>,
        /// A setting: KEY=VALUE; can be given several times
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
    },
    /// What differs between two profiles
    Diff {
        /// NAME or NAME@VERSION
        one: String,
        /// NAME or NAME@VERSION
        other: String,
    },
    /// A profile as a file that `import` takes
    Export {
        /// NAME or NAME@VERSION
        name: String,
    },
    /// Save what a file holds under the name it gives in `profile_name`
    Import {
        /// The file
        file: PathBuf,
    },
    /// Hide a profile; its versions stay
    Delete {
        /// The profile's name
        name: String,
    },
}

impl Profile {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let profiles = place.profiles()?;
        match &self.action {
            Action::List => list(&profiles),
            Action::Show { name } | Action::Export { name } => {
                screen::raw(&format!("{:#}\n", json!(config_of(&profiles, name)?)));
            }
            Action::Diff { one, other } => diff(&config_of(&profiles, one)?, &config_of(&profiles, other)?),
            Action::Save { name, base, set } => {
                let own = profiles.find(name).map(|_| name.as_str());
                let mut config = config_of(&profiles, base.as_deref().or(own).unwrap_or("strict"))?;
                for change in set {
                    let (key, value) = change
                        .split_once('=')
                        .ok_or_else(|| fail(format!("`{change}` is no setting"), "write KEY=VALUE"))?;
                    config = config.with(key.trim(), value.trim()).map_err(|error| fail(error, ""))?;
                }
                save(place, &profiles, name, config)?;
            }
            Action::Import { file } => {
                let shown = file.display().to_string();
                let text = std::fs::read_to_string(file)
                    .map_err(|error| fail(format!("{shown} cannot be read: {error}"), ""))?;
                let mut found = Problems::of(shown);
                let config = parse(&text, &mut found)
                    .and_then(|node| JudgeConfig::read(&node, JudgeConfig::strict(), &mut found));
                let config = config.filter(|_| found.is_empty()).ok_or_else(|| problems::draw(&found))?;
                let name = config.profile_name.clone();
                save(place, &profiles, &name, config)?;
            }
            Action::Delete { name } => {
                if profiles.find(name).is_none() {
                    return Err(fail(
                        format!("there is no saved profile `{name}`"),
                        "`assize profile list` lists them",
                    ));
                }
                wait(place.open()?.hide_profile(name))?;
                screen::line(format!("{name} is hidden; saving it again brings it back"));
            }
        }
        Ok(Exit::Done)
    }
}

/// The settings that a name means: a saved profile, or a built-in one.
fn config_of(profiles: &Profiles, name: &str) -> Result<JudgeConfig, Exit> {
    if let Some(saved) = profiles.find(name) {
        let mut found = Problems::of(format!("profile {name}"));
        let config = parse(&saved.settings.to_string(), &mut found)
            .and_then(|node| JudgeConfig::read(&node, JudgeConfig::strict(), &mut found));
        return config.filter(|_| found.is_empty()).ok_or_else(|| problems::draw(&found));
    }
    let built_in = JudgeConfig::built_in().into_iter().find(|profile| profile.profile_name == name);
    built_in.ok_or_else(|| fail(format!("there is no profile `{name}`"), "`assize profile list` lists them"))
}

fn list(profiles: &Profiles) {
    let mut rows = table::new(["profile", "versions", "saved"], screen::width());
    for profile in JudgeConfig::built_in() {
        rows.add_row([profile.profile_name, "built in".to_owned(), String::new()]);
    }
    for profile in profiles.newest() {
        rows.add_row([screen::harmless(&profile.name), profile.version.to_string(), profile.saved.clone()]);
    }
    screen::line(table::drawn(&rows));
}

fn diff(one: &JudgeConfig, other: &JudgeConfig) {
    let differences = one.differences(other);
    if differences.is_empty() {
        screen::line("no difference");
    }
    for (key, from, to) in differences {
        screen::line(format!("{key}: {from} → {}", styled(Style::Bold, to)));
    }
}

fn save(place: &Place, profiles: &Profiles, name: &str, mut config: JudgeConfig) -> Result<(), Exit> {
    let simple = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_. ".contains(c));
    let taken = JudgeConfig::built_in().iter().any(|profile| profile.profile_name == name);
    if !simple || taken {
        return Err(fail(
            format!("`{name}` cannot be a profile's name"),
            "letters, digits, `-`, `_` and `.`; `strict` and `lenient` are built in",
        ));
    }
    config.profile_name = name.to_owned();
    if let Some(newest) = profiles.find(name)
        && newest.settings == json!(config)
    {
        screen::line(format!("{name}@{} holds just that already", newest.version));
        return Ok(());
    }
    wait(place.open()?.save_profile(name, &json!(config)))?;
    let version = profiles.versions(name).last().map_or(1, |last| last.version + 1);
    screen::line(format!("saved {name}@{version}"));
    Ok(())
}

/// Waits for a write to be on disk.
fn wait(write: impl Future<Output = Result<(), assize_engine::store::StoreError>>) -> Result<(), Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| fail(error, ""))?;
    runtime.block_on(write).map_err(|error| fail(&error, error.hint()))
}
