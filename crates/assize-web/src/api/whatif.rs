//! What other settings of a judge would give, over the API. No model is asked.

use super::judges::find_judge;
use super::operation::{Body, Operation, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::profiles::read_request;
use crate::questions::EXAMPLE;
use crate::whatif::{self, CaseSet, Offer};
use assize_core::JudgeSystem;
use assize_core::settings::{Difference, differences};
use assize_core::what_if::{ByModel, Change, Flip};
use assize_engine::profiles::whole;
use assize_judges::{SYSTEMS, registry};
use axum::extract::State;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Method::POST,
            "/whatif",
            "whatIf",
            "A judge's figures under other settings, on the same cases. No model is asked.",
            what_if,
        )
        .with_refusals(&[StatusCode::NOT_FOUND]),
    ]
}

/// As many flips as a reply lists.
const MOST_FLIPS: u16 = 1000;

/// What to try, and on what.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Trial {
    /// The judge whose settings are tried. Without it, the judge of the run; without a run, the one that comes with profiles.
    #[serde(default)]
    judge: Option<String>,
    /// The run whose cases are taken: its id, the beginning of it, or `example` for the bundled one. Without it and without
    /// `cases`, the newest run of the judge.
    #[serde(default)]
    run: Option<String>,
    /// Cases to take instead: each with `id` and what the judge needs.
    #[serde(default)]
    cases: Option<Vec<Value>>,
    /// The settings to compare with; without them, those the run was made with. They may name a `profile`, as a suite's may.
    #[serde(default)]
    before: Option<Value>,
    /// The profile to try: a built-in one, or a saved one with or without its version.
    #[serde(default)]
    profile: Option<String>,
    /// The settings to try, over the profile's. Keys that are not there are as in the judge's first profile, or as it is without
    /// settings.
    #[serde(default)]
    after: Option<Value>,
    /// As many flips as this are listed at most.
    #[serde(default = "default_flips")]
    #[schemars(range(min = 0, max = 1000))]
    flips: u16,
}

fn default_flips() -> u16 {
    100
}

/// What it would give.
#[derive(Debug, Serialize, JsonSchema)]
struct WhatIf {
    /// What it was computed over.
    over: Over,
    /// The settings in which the two differ.
    differences: Vec<Difference>,
    /// The figures before, by model under test.
    #[schemars(with = "BTreeMap<String, Map<String, Value>>")]
    before: ByModel,
    /// The figures after.
    #[schemars(with = "BTreeMap<String, Map<String, Value>>")]
    after: ByModel,
    /// What is decided otherwise under the settings that are tried, in the order of the cases.
    flips: Vec<Flip>,
    /// How many there are, listed or not.
    flips_total: u64,
}

/// What figures were computed over.
#[derive(Debug, Serialize, JsonSchema)]
struct Over {
    /// The run, where it was one.
    run: Option<String>,
    /// How many cases there are.
    cases: u64,
    /// How many of them were used.
    used: u64,
    /// The same in words.
    words: String,
}

/// The judge whose settings are tried.
fn meant(app: &App, trial: &Trial) -> Result<&'static dyn JudgeSystem, Failure> {
    if let Some(judge) = &trial.judge {
        return find_judge(judge).map_err(|missing| Failure::bad(missing.message));
    }
    match trial.run.as_deref().filter(|run| *run != EXAMPLE && trial.cases.is_none()) {
        Some(run) => find_judge(&app.run_document(run)?.judge.judge_use)
            .map_err(|_| Failure::bad("The judge of this run cannot tell what other settings would give.")),
        None => registry::only_with_profiles()
            .or_else(|| SYSTEMS.iter().copied().find(|system| system.what_if().is_some()))
            .ok_or_else(|| Failure::bad("Name the judge whose settings are to be tried.")),
    }
}

async fn what_if(State(app): State<App>, Body(trial): Body<Trial>) -> Reply<WhatIf> {
    let found = app.blocking(move |app| {
        let system = meant(app, &trial)?;
        let offer = Offer::of(system).ok_or_else(|| {
            Failure::bad(format!("The judge {} cannot tell what other settings would give.", system.name()))
        })?;
        let read = |profile: Option<&str>, settings: Option<&Value>| {
            Ok::<_, Failure>(whole(system, &read_request(app, system, profile, settings)?))
        };
        if trial.profile.is_none() && trial.after.is_none() {
            return Err(Failure::bad("Nothing to try: send `after` with settings, or `profile` with a name."));
        }
        let after = read(trial.profile.as_deref(), trial.after.as_ref())?;
        let before = trial.before.as_ref().map(|before| read(None, Some(before))).transpose()?;
        let set: Arc<CaseSet> = match trial.cases {
            Some(cases) => Arc::new(whatif::of_records(offer, cases)?),
            None => app.case_sets().find(offer, trial.run.as_deref().unwrap_or_default())?,
        };
        let before = before.unwrap_or_else(|| set.opened.settings().clone());
        let listed = usize::from(trial.flips.min(MOST_FLIPS));
        let Change { before: old, after: new, flips, flipped } =
            set.opened.change(&before, &after, listed).map_err(Failure::broken)?;
        Ok(WhatIf {
            over: Over {
                run: set.run.as_ref().map(|run| run.id.clone()),
                cases: set.total,
                used: set.used(),
                words: set.extent(),
            },
            differences: differences(&before, &after),
            before: old,
            after: new,
            flips,
            flips_total: flipped.total(),
        })
    });
    reply(found.await?)
}
