//! Profiles over the API: named, versioned settings of any judge.

use super::judges::find_judge;
use super::operation::{ApiFailure, Body, Operation, Path, Query, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::profiles::{ProfileVersion, not_saved, read_settings, versions_of};
use assize_engine::profiles::{Profiles, Saving, named};
use assize_judges::{SYSTEMS, registry};
use axum::extract::State;
use axum::http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The parameter that names a profile.
const PROFILE: &[(&str, &str)] = &[("name", "The profile's name.")];

pub(super) fn operations() -> Vec<Operation> {
    let list = "The profiles: those that come with a judge, and the newest version of every saved one.";
    let save = "Save settings as the next version of a profile; the first makes the profile.";
    let delete = "Hide a profile. Its versions stay, and runs that used it stay readable.";
    let restore = "Save an old version as the newest; without a version, bring back a deleted profile as it was.";
    vec![
        Operation::new(Method::GET, "/profiles", "listProfiles", list, self::list),
        Operation::new(
            Method::GET,
            "/profiles/{name}",
            "getProfile",
            "All versions of a profile, the newest first.",
            one,
        )
        .with_parameters(PROFILE),
        Operation::new(Method::POST, "/profiles/{name}", "saveProfile", save, self::save).with_parameters(PROFILE),
        Operation::new(Method::DELETE, "/profiles/{name}", "deleteProfile", delete, self::delete)
            .with_parameters(PROFILE),
        Operation::new(Method::POST, "/profiles/{name}/restore", "restoreProfile", restore, self::restore)
            .with_parameters(PROFILE),
    ]
}

/// Whose profiles are wanted.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct OfJudge {
    /// A judge; those of all where it is empty.
    judge: String,
}

/// Profiles.
#[derive(Debug, Serialize, JsonSchema)]
struct ProfileList {
    /// Those that come with a judge first.
    profiles: Vec<ProfileHead>,
}

/// A profile in a list.
#[derive(Debug, Serialize, JsonSchema)]
struct ProfileHead {
    /// Its name.
    name: String,
    /// The judge it is for.
    judge: String,
    /// Its newest version; none for one that comes with the judge.
    version: Option<u32>,
    /// When that was saved, in UTC.
    saved: Option<String>,
    /// Its settings.
    settings: Value,
}

/// A saved profile.
#[derive(Debug, Serialize, JsonSchema)]
struct Profile {
    /// Its name.
    name: String,
    /// The judge it is for.
    judge: String,
    /// Whether it was deleted.
    deleted: bool,
    /// Its versions, the newest first.
    versions: Vec<ProfileVersion>,
}

/// Settings to save.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewVersion {
    /// The judge they are for; the one that comes with profiles where it is left out.
    #[serde(default)]
    judge: Option<String>,
    /// The settings, as the judge's schema describes them; keys that are not there are as the judge has them by itself.
    settings: Value,
}

/// The version to go back to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OldVersion {
    /// Which version; none to bring back a deleted profile as it was.
    #[serde(default)]
    version: Option<u32>,
}

/// What saving came to.
#[derive(Debug, Serialize, JsonSchema)]
struct Saved {
    /// The profile's name.
    name: String,
    /// The version that holds the settings.
    version: u32,
    /// Whether it is new; not so where the newest version held just that already.
    new: bool,
}

async fn list(State(app): State<App>, Query(of): Query<OfJudge>) -> Reply<ProfileList> {
    let saved = app.blocking(|app| Ok(Profiles::from(app.store().profiles()?))).await?;
    let wanted = |judge: &str| of.judge.is_empty() || judge == of.judge;
    let built_in = SYSTEMS.iter().filter(|system| wanted(system.name())).flat_map(|system| {
        let head = |(name, settings): (&str, Value)| ProfileHead {
            name: name.to_owned(),
            judge: system.name().to_owned(),
            version: None,
            saved: None,
            settings,
        };
        system.profiles().into_iter().map(head)
    });
    let saved = saved.newest().filter(|profile| wanted(&profile.judge)).map(|profile| ProfileHead {
        name: profile.name.clone(),
        judge: profile.judge.clone(),
        version: Some(profile.version),
        saved: Some(profile.saved.clone()),
        settings: profile.settings.clone(),
    });
    reply(ProfileList { profiles: built_in.chain(saved).collect() })
}

async fn one(State(app): State<App>, Path(name): Path<String>) -> Reply<Profile> {
    reply(find(&app, &name).await?)
}

async fn find(app: &App, name: &str) -> Result<Profile, ApiFailure> {
    let saved = app.blocking(|app| Ok(Profiles::from(app.store().profiles()?))).await?;
    let Some(newest) = saved.versions(name).last() else { return Err(not_saved(name).into()) };
    Ok(Profile {
        name: name.to_owned(),
        judge: newest.judge.clone(),
        deleted: newest.hidden,
        versions: versions_of(&saved, name),
    })
}

async fn save(State(app): State<App>, Path(name): Path<String>, Body(new): Body<NewVersion>) -> Reply<Saved> {
    let judge = match &new.judge {
        Some(judge) => find_judge(judge).map_err(|missing| Failure::bad(missing.message))?,
        None => registry::only_with_profiles().ok_or_else(|| Failure::bad("Name the `judge` they are for."))?,
    };
    let settings = named(judge, read_settings(judge, &new.settings)?, &name);
    reply(keep(&app, judge.name(), &name, settings).await?)
}

async fn keep(app: &App, judge: &'static str, name: &str, settings: Value) -> Result<Saved, ApiFailure> {
    let saved = app.blocking(|app| Ok(Profiles::from(app.store().profiles()?))).await?;
    match saved.saving(judge, name, &settings).map_err(|refusal| Failure::bad(format!("{refusal}.")))? {
        Saving::Nothing(version) => Ok(Saved { name: name.to_owned(), version, new: false }),
        Saving::Version(version) => {
            app.store().save_profile(judge, name, &settings).await.map_err(Failure::from)?;
            Ok(Saved { name: name.to_owned(), version, new: true })
        }
    }
}

async fn delete(State(app): State<App>, Path(name): Path<String>) -> Reply<Profile> {
    let found = find(&app, &name).await?;
    if found.deleted {
        return Err(not_saved(&name).into());
    }
    app.store().hide_profile(&name, true).await.map_err(Failure::from)?;
    reply(Profile { deleted: true, ..found })
}

async fn restore(State(app): State<App>, Path(name): Path<String>, Body(old): Body<OldVersion>) -> Reply<Saved> {
    let found = find(&app, &name).await?;
    let newest = found.versions.first().map_or(0, |version| version.version);
    match old.version {
        None => {
            app.store().hide_profile(&name, false).await.map_err(Failure::from)?;
            reply(Saved { name, version: newest, new: false })
        }
        Some(wanted) => {
            let Some(version) = found.versions.into_iter().find(|version| version.version == wanted) else {
                return Err(Failure::missing(format!("The profile “{name}” has no version {wanted}.")).into());
            };
            let judge = find_judge(&found.judge)?;
            reply(keep(&app, judge.name(), &name, version.settings).await?)
        }
    }
}
