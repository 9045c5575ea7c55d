//! Starting runs over the API: which suites there are, what one would ask and cost, and the start itself.

use super::operation::{Accepted, ApiFailure, Body, Operation, Path, Query, Reply, reply};
use super::runs::RUN;
use crate::app::App;
use crate::failure::{Failure, PlacedProblem};
use crate::problems::{self, placed};
use crate::suites::{self, KeyHead, SuiteHead, Unprepared, prepare_request, within_folder};
use assize_core::document::Problems;
use assize_engine::profiles::Profiles;
use assize_engine::records::{RunRequest, RunStatus};
use assize_engine::run::{Estimate, Prepared};
use axum::extract::State;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Method::GET, "/suites", "listSuites", "What can be run.", suites),
        Operation::new(
            Method::POST,
            "/estimate",
            "estimateRun",
            "What a run would ask and cost, and everything that stands in its way. Nothing is asked.",
            estimate,
        )
        .with_example(example)
        .with_refusals(&[StatusCode::NOT_FOUND]),
        Operation::new(
            Method::POST,
            "/runs",
            "startRun",
            "Starts a run. It goes on by itself; its events tell how.",
            start,
        )
        .with_example(example)
        .with_refusals(&[StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::SERVICE_UNAVAILABLE]),
        Operation::new(
            Method::POST,
            "/runs/{run}/again",
            "startAgain",
            "Starts a run of the same suite with the same options. What was answered before is not paid for again.",
            again,
        )
        .with_parameters(RUN)
        .with_refusals(&[
            StatusCode::CONFLICT,
            StatusCode::UNPROCESSABLE_ENTITY,
            StatusCode::SERVICE_UNAVAILABLE,
        ]),
    ]
}

fn example() -> Value {
    json!({"suite": "bundled:transcript-quality/suite.yaml", "models": ["offline"], "limit": 3})
}

/// What can be run.
#[derive(Debug, Serialize, JsonSchema)]
struct SuiteList {
    /// The suites of the served folder, then the examples that come with Assize.
    suites: Vec<SuiteHead>,
    /// Judge models to choose from; others can be named as well.
    models: Vec<String>,
    /// The providers that every suite can name.
    providers: Vec<KeyHead>,
}

async fn suites(State(app): State<App>) -> Reply<SuiteList> {
    let list = app.blocking(|app| {
        let profiles = Profiles::from(app.store().profiles()?);
        let suites = suites::list(app, &profiles);
        Ok(SuiteList { models: suites::suggested_models(&suites), suites, providers: suites::built_in_providers() })
    });
    reply(list.await?)
}

/// What a run would ask and cost.
#[derive(Debug, Serialize, JsonSchema)]
struct EstimateReply {
    /// Whether it can be started as it is.
    ready: bool,
    /// What is wrong, all of it.
    problems: Vec<PlacedProblem>,
    /// How many problems there are beyond those listed.
    more_problems: usize,
    /// What would be judged, and by whom; `null` where that cannot be said for all that is wrong.
    run: Option<PlannedRun>,
    /// What would be asked; `null` likewise.
    estimate: Option<Estimate>,
}

/// What would be judged, and by whom.
#[derive(Debug, Serialize, JsonSchema)]
struct PlannedRun {
    /// The suite's name.
    suite: String,
    /// What `judge.use` says.
    judge: String,
    /// The judge models; more than one is a jury.
    models: Vec<String>,
    /// The profile that the judge's settings rest on.
    profile: Option<String>,
}

async fn estimate(State(app): State<App>, Body(request): Body<RunRequest>) -> Reply<EstimateReply> {
    let estimated = app.check(move |app| match prepare_request(app, &request) {
        Ok(prepared) => {
            let estimate = prepared.estimate(Some(app.store()))?;
            Ok(estimate_reply(app, prepared.missing(), Some((&prepared, estimate))))
        }
        Err(Unprepared::Wrong(found)) => Ok(estimate_reply(app, &found, None)),
        Err(Unprepared::Refused(failure)) => Err(failure),
    });
    reply(estimated.await?)
}

fn estimate_reply(app: &App, found: &Problems, prepared: Option<(&Prepared, Estimate)>) -> EstimateReply {
    let (run, estimate) = prepared
        .map(|(prepared, estimate)| {
            let suite = prepared.suite();
            let run = PlannedRun {
                suite: suite.name.clone(),
                judge: suite.judge_use.value.clone(),
                models: prepared.models().map(str::to_owned).collect(),
                profile: prepared.profile().map(str::to_owned),
            };
            (run, estimate)
        })
        .unzip();
    EstimateReply {
        ready: found.is_empty(),
        problems: placed(found, app.folder()),
        more_problems: found.not_listed(),
        run,
        estimate,
    }
}

/// A run that has begun.
#[derive(Debug, Serialize, JsonSchema)]
struct Started {
    /// Its id.
    run_id: String,
}

/// What somebody agreed to.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct Agreed {
    /// The addresses that the suite names and that may be sent the cases, with commas between them: those under
    /// `estimate.asks` that are from the suite and get no key. (A key goes only where `assize keys allow` says.)
    confirm: String,
}

async fn start(
    State(app): State<App>,
    Query(agreed): Query<Agreed>,
    Body(request): Body<RunRequest>,
) -> Result<Accepted<Started>, ApiFailure> {
    Ok(started(&app, request, agreed).await?)
}

async fn started(app: &App, request: RunRequest, agreed: Agreed) -> Result<Accepted<Started>, Failure> {
    let prepared = app.check(move |app| {
        let prepared = prepare_request(app, &request).map_err(|why| why.into_failure(app))?;
        // Anybody who can write into the folder can write a suite; where it sends the cases is for the user to say.
        let asked = prepared.destinations().into_iter().filter(|server| server.from_suite && server.key.is_none());
        let strange =
            asked.map(|server| server.address).find(|one| !agreed.confirm.split(',').any(|other| other == one));
        if let Some(address) = strange {
            let message = format!("The suite sends its cases to {address}, and nobody agreed to that here.");
            return Err(Failure::conflict(message).with_way_on("Start it from New run, and tick the address there."));
        }
        prepared.ready().map_err(|found| problems::failure(&found, app.folder()))
    });
    let run_id = app.jobs().start(app.store().clone(), prepared.await?).await?;
    Ok(Accepted(Started { run_id }))
}

async fn again(
    State(app): State<App>,
    Path(run): Path<String>,
    Query(agreed): Query<Agreed>,
) -> Result<Accepted<Started>, ApiFailure> {
    let request = app.blocking(move |app| request_of(app, &run)).await?;
    Ok(started(&app, request, agreed).await?)
}

/// What a run was asked for with, if the same can be asked for from here.
fn request_of(app: &App, run: &str) -> Result<RunRequest, Failure> {
    let head = app.find_run(run)?;
    if app.jobs().get(&head.id).is_some_and(|job| job.progress().status == RunStatus::Running) {
        return Err(Failure::conflict(format!("{} is still under way.", head.id)));
    }
    let request = app.store().run_request(&head.id)?.and_then(|request| within_folder(app, request));
    request.ok_or_else(|| {
        let message = format!("{} cannot be started again from here: its suite is not in the served folder.", head.id);
        Failure::conflict(message)
            .with_way_on("Start it again where it was started; what was answered is not paid for again.")
    })
}
