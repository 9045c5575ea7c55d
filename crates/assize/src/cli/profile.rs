//! `assize profile`: named, versioned settings of a judge. Versions are kept for ever; deleting hides.

use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::{problems, table};
use crate::screen::{self, Style, styled};
use assize_core::{JudgeSystem, hints, settings};
use assize_engine::profiles::{Profiles, Saving, named, own_settings, read_settings};
use assize_judges::{SYSTEMS, registry};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde_json::Value;
use std::path::PathBuf;

/// Named, versioned settings of a judge.
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
  assize profile save ops --judge call-intelligence --set benchmarks=true
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
        /// The profile to start from; its own newest version if there is one, else the judge's own settings
        #[arg(long)]
        base: Option<String>,
        /// The judge it is for, where it does not start from a profile; the one that comes with profiles if left out
        #[arg(long, value_parser = judge_names())]
        judge: Option<String>,
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
    /// Save what a file holds
    Import {
        /// The file
        file: PathBuf,
        /// The name to save it under; else the one it gives itself
        #[arg(long)]
        name: Option<String>,
        /// The judge it is for; the one that comes with profiles if left out
        #[arg(long, value_parser = judge_names())]
        judge: Option<String>,
    },
    /// Hide a profile; its versions stay
    Delete {
        /// The profile's name
        name: String,
    },
}

fn judge_names() -> PossibleValuesParser {
    PossibleValuesParser::new(SYSTEMS.iter().map(|system| system.name()))
}

impl Profile {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let profiles = place.profiles()?;
        match &self.action {
            Action::List => list(&profiles),
            Action::Show { name } | Action::Export { name } => {
                screen::raw(&format!("{:#}\n", find(&profiles, name)?.1));
            }
            Action::Diff { one, other } => diff(find(&profiles, one)?, find(&profiles, other)?)?,
            Action::Save { name, base, judge, set } => {
                let own = profiles.find(name).map(|_| name.as_str());
                let (judge, mut settings) = match base.as_deref().or(own) {
                    Some(base) => find(&profiles, base)?,
                    None => chosen(judge.as_deref()).map(|judge| (judge, own_settings(judge)))?,
                };
                for change in set {
                    let (key, value) = change
                        .split_once('=')
                        .ok_or_else(|| fail(format!("`{change}` is no setting"), "write KEY=VALUE"))?;
                    let text = || Value::String(value.trim().to_owned());
                    settings[key.trim()] = serde_json::from_str(value.trim()).unwrap_or_else(|_| text());
                }
                save(place, &profiles, judge, name, &settings.to_string(), &format!("the settings of {name}"))?;
            }
            Action::Import { file, name, judge } => {
                let shown = file.display().to_string();
                let text = std::fs::read_to_string(file)
                    .map_err(|error| fail(format!("{shown} cannot be read: {error}"), ""))?;
                let judge = chosen(judge.as_deref())?;
                let settings = read_settings(judge, &text, &shown).map_err(|found| problems::draw(&found))?;
                let schema = judge.profile_schema();
                let own = hints::profile_name(&schema).and_then(|key| settings.get(key)).and_then(Value::as_str);
                let name =
                    name.as_deref().or(own).ok_or_else(|| fail(format!("{shown} gives no name"), "add --name NAME"))?;
                save(place, &profiles, judge, name, &text, &shown)?;
            }
            Action::Delete { name } => {
                if profiles.find(name).is_none() {
                    return Err(fail(
                        format!("there is no saved profile `{name}`"),
                        "`assize profile list` lists them",
                    ));
                }
                wait(place.open()?.hide_profile(name, true))?;
                screen::line(format!("{name} is hidden; saving it again brings it back"));
            }
        }
        Ok(Exit::Done)
    }
}

/// A judge and settings of it.
type Found = (&'static dyn JudgeSystem, Value);

/// What a name means: a saved profile, or a built-in one.
fn find(profiles: &Profiles, name: &str) -> Result<Found, Exit> {
    if let Some(saved) = profiles.find(name) {
        return Ok((system(&saved.judge)?, saved.settings.clone()));
    }
    let built_in = SYSTEMS.iter().find_map(|system| {
        let profiles = system.profiles();
        profiles.into_iter().find(|(built_in, _)| *built_in == name).map(|(_, settings)| (*system, settings))
    });
    built_in.ok_or_else(|| missing(name))
}

/// The judge that was named, or the one that is meant where none is.
fn chosen(judge: Option<&str>) -> Result<&'static dyn JudgeSystem, Exit> {
    match judge {
        Some(judge) => system(judge),
        None => registry::only_with_profiles().ok_or_else(|| {
            let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name()).collect();
            fail("which judge is this profile for?", &format!("add --judge with one of {}", names.join(", ")))
        }),
    }
}

fn system(name: &str) -> Result<&'static dyn JudgeSystem, Exit> {
    let found = SYSTEMS.iter().copied().find(|system| system.name() == name);
    found.ok_or_else(|| fail(format!("there is no judge `{name}`"), "a newer Assize may have saved this profile"))
}

fn missing(name: &str) -> Exit {
    fail(format!("there is no profile `{name}`"), "`assize profile list` lists them")
}

fn list(profiles: &Profiles) {
    let mut rows = table::new(["profile", "judge", "versions", "saved"], screen::width());
    for system in SYSTEMS {
        for (name, _) in system.profiles() {
            rows.add_row([name, system.name(), "built in", ""]);
        }
    }
    for profile in profiles.newest() {
        let version = profile.version.to_string();
        rows.add_row([&screen::harmless(&profile.name), &profile.judge, &version, &profile.saved]);
    }
    screen::line(table::drawn(&rows));
}

fn diff((one_judge, one): Found, (other_judge, other): Found) -> Result<(), Exit> {
    if one_judge.name() != other_judge.name() {
        let problem = format!("one is for the judge {}, the other for {}", one_judge.name(), other_judge.name());
        return Err(fail(problem, "`assize profile list` lists them with their judges"));
    }
    let differences = settings::differences(&one, &other);
    if differences.is_empty() {
        screen::line("no difference");
    }
    for change in differences {
        screen::line(format!("{}: {} → {}", change.key, change.from, styled(Style::Bold, change.to)));
    }
    Ok(())
}

fn save(
    place: &Place,
    profiles: &Profiles,
    judge: &dyn JudgeSystem,
    name: &str,
    text: &str,
    shown: &str,
) -> Result<(), Exit> {
    let settings = read_settings(judge, text, shown).map_err(|found| problems::draw(&found))?;
    let settings = named(judge, settings, name);
    match profiles.saving(judge.name(), name, &settings).map_err(|refusal| fail(refusal, ""))? {
        Saving::Nothing(version) => screen::line(format!("{name}@{version} holds just that already")),
        Saving::Version(version) => {
            wait(place.open()?.save_profile(judge.name(), name, &settings))?;
            screen::line(format!("saved {name}@{version}"));
        }
    }
    Ok(())
}

/// Waits for a write to be on disk.
fn wait(write: impl Future<Output = Result<(), assize_engine::store::StoreError>>) -> Result<(), Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| fail(error, ""))?;
    runtime.block_on(write).map_err(|error| fail(&error, error.hint()))
}
