//! Runs over the API.

use super::operation::{Operation, Path, Query, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use assize_engine::records::RunDocument;
use assize_engine::store::{self, UnreadableRun};
use axum::extract::State;
use axum::http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameter that names a run.
pub(super) const RUN: &[(&str, &str)] = &[("run", "The run's id, the beginning of it, or `last`.")];

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Method::GET, "/runs", "listRuns", "The runs, newest first.", list),
        Operation::new(Method::GET, "/runs/{run}", "getRun", "What a run came to.", one).with_parameters(RUN),
    ]
}

/// How many are wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Most {
    /// As many as this at most.
    #[schemars(range(min = 1, max = 1000))]
    most: u16,
}

impl Default for Most {
    fn default() -> Self {
        Self { most: 100 }
    }
}

/// Runs.
#[derive(Debug, Serialize, JsonSchema)]
struct RunList {
    /// Newest first.
    runs: Vec<RunDocument>,
    /// Those among them that cannot be read, and why.
    unreadable: Vec<UnreadableRun>,
}

async fn list(State(app): State<App>, Query(wanted): Query<Most>) -> Reply<RunList> {
    if !(1..=1000).contains(&wanted.most) {
        return Err(Failure::bad("`most` must be from 1 to 1000.").into());
    }
    let most = usize::from(wanted.most);
    let heads = app.blocking(move |app| Ok(app.store().runs(most)?)).await?;
    let store::RunList { runs, unreadable } = store::RunList::read(&heads);
    reply(RunList { runs, unreadable })
}

async fn one(State(app): State<App>, Path(run): Path<String>) -> Reply<RunDocument> {
    reply(app.blocking(move |app| app.run_document(&run)).await?)
}
