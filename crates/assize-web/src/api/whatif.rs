//! What other settings of the fact judge would give, over the API. No model is asked.

use super::operation::{Body, Operation, Reply, reply};
use crate::app::App;
use crate::whatif::{self, CaseSet};
use assize_core::settings::Difference;
use assize_judges::systems::facts::settings::ValueReading;
use assize_judges::systems::facts::whatif::{Change, Flip, ModelFigures, change};
use axum::extract::State;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new::<_, _, WhatIf>(
            Method::POST,
            "/whatif",
            "whatIf",
            "The rules' precision, recall and F1 under other settings of the fact judge, on the same cases.",
            what_if,
        )
        .with_body::<Trial>()
        .with_refusals(&[StatusCode::NOT_FOUND]),
    ]
}

/// As many pairs as a reply lists.
const MOST_FLIPS: u16 = 1000;

/// What to try, and on what.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Trial {
    /// The run whose cases are taken: its id, the beginning of it, or `example` for the bundled one. Without it and without
    /// `cases`, the newest run of the fact judge.
    #[serde(default)]
    run: Option<String>,
    /// Cases to take instead: each with `id`, `predicted_facts` and `gold_facts`.
    #[serde(default)]
    cases: Option<Vec<Value>>,
    /// The `judge_config` to compare with; without it, the one the run was made with.
    #[serde(default)]
    before: Option<Value>,
    /// The `judge_config` to try. Keys that are not there are as in `strict`.
    after: Value,
    /// As many flipped pairs as this are listed at most.
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
    /// The settings in which the two configs differ.
    differences: Vec<Difference>,
    /// The figures before, by model under test.
    before: BTreeMap<String, ModelFigures>,
    /// The figures after.
    after: BTreeMap<String, ModelFigures>,
    /// The pairs that are linked under one of the two configs only, in the order of the cases.
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

async fn what_if(State(app): State<App>, Body(trial): Body<Trial>) -> Reply<WhatIf> {
    let found = app.blocking(move |app| {
        let after = whatif::read_config(&trial.after)?;
        let before = trial.before.as_ref().map(whatif::read_config).transpose()?;
        let set: Arc<CaseSet> = match trial.cases {
            Some(cases) => Arc::new(whatif::of_records(cases, ValueReading::default())?),
            None => whatif::find(app, trial.run.as_deref().unwrap_or_default())?,
        };
        let before = before.unwrap_or_else(|| set.settings.config.clone());
        let Change { before: old, after: new, mut flips } = change((&set.cases, &before), (&set.cases, &after));
        let flips_total = flips.len() as u64;
        flips.truncate(usize::from(trial.flips.min(MOST_FLIPS)));
        Ok(WhatIf {
            over: Over {
                run: set.run.as_ref().map(|run| run.id.clone()),
                cases: set.total,
                used: set.cases.len() as u64,
                words: set.extent(),
            },
            differences: whatif::differences(&before, &after),
            before: old,
            after: new,
            flips,
            flips_total,
        })
    });
    reply(found.await?)
}
