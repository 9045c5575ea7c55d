//! Runs under way over the API: how they are getting on, pausing, going on, cancelling.

use super::operation::{Gives, Operation, Path, Reply, Takes, reply};
use super::runs::RUN;
use crate::app::App;
use crate::failure::Failure;
use crate::jobs::{Jobs, Progress};
use axum::extract::State;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Method::GET,
            "/runs/{run}/progress",
            "getProgress",
            "How a run is getting on, or how it ended.",
            progress,
        )
        .with_parameters(RUN),
        control(
            "/runs/{run}/pause",
            "pauseRun",
            "Asks nothing more until the run is resumed; what is under way finishes.",
            |app: State<App>, run: Path<String>| change(app, run, Jobs::pause),
        ),
        control("/runs/{run}/resume", "resumeRun", "Lets a paused run go on.", |app: State<App>, run: Path<String>| {
            change(app, run, Jobs::resume)
        }),
        control(
            "/runs/{run}/cancel",
            "cancelRun",
            "Ends a run after what is under way. Everything that was answered is kept.",
            |app: State<App>, run: Path<String>| change(app, run, Jobs::cancel),
        ),
    ]
}

fn control<H, T>(path: &'static str, name: &'static str, about: &'static str, handler: H) -> Operation
where
    H: Handler<T, App> + Gives<T>,
    T: Takes + 'static,
{
    Operation::new(Method::POST, path, name, about, handler).with_parameters(RUN).with_refusals(&[StatusCode::CONFLICT])
}

async fn progress(State(app): State<App>, Path(run): Path<String>) -> Reply<Progress> {
    reply(app.blocking(move |app| app.progress(&run)).await?)
}

async fn change(
    State(app): State<App>,
    Path(run): Path<String>,
    change: fn(&Jobs, &str) -> Result<Progress, Failure>,
) -> Reply<Progress> {
    let changed = app.blocking(move |app| {
        let head = app.find_run(&run)?;
        change(app.jobs(), &head.id)
    });
    reply(changed.await?)
}
