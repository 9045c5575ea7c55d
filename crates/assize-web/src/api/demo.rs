//! The bundled examples, judged offline: the way to see something at a first start.

use super::operation::{Operation, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::problems;
use assize_engine::control::Control;
use assize_engine::files::Files;
use assize_engine::profiles::Profiles;
use assize_engine::run::{Execution, Prepared, RunOptions, SuiteSource, prepare};
use assize_judges::examples::{self, Example};
use axum::extract::State;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Method::POST,
            "/demo",
            "judgeExamples",
            "Judges the bundled examples by rules alone, as `assize demo` does. It takes a few seconds.",
            demo,
        )
        .with_refusals(&[StatusCode::SERVICE_UNAVAILABLE]),
    ]
}

/// The runs that were made.
#[derive(Debug, Serialize, JsonSchema)]
struct DemoReply {
    /// Their ids, in the order of the examples.
    runs: Vec<String>,
}

async fn demo(State(app): State<App>) -> Reply<DemoReply> {
    let working = app.clone();
    reply(app.jobs().complete(judge_examples(working)).await??)
}

async fn judge_examples(app: App) -> Result<DemoReply, Failure> {
    let mut runs = Vec::new();
    for example in examples::all() {
        let prepared = app.check(move |app| {
            let files = Files::from(example);
            SuiteSource::read(&files, Example::SUITE)
                .and_then(|suite| {
                    let options = RunOptions::of_suite(files.shown(Example::SUITE));
                    prepare(suite, options, &Profiles::default(), &|_| None)
                })
                .and_then(Prepared::ready)
                .map_err(|found| problems::failure(&found, app.folder()))
        });
        let execution = Execution {
            store: app.store().clone(),
            control: Control::default(),
            listener: Arc::new(|_| {}),
            results: None,
        };
        let document = prepared.await?.execute(execution).await;
        runs.push(document.map_err(|error| Failure::broken(error.to_string()))?.run_id);
    }
    Ok(DemoReply { runs })
}
