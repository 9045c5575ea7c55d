//! One case judged over the API, with no run on record.

use super::operation::{Body, Operation, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::problems;
use crate::suites::root_files;
use assize_core::document::{Problem, Problems};
use assize_engine::answering::{CachePolicy, UsageTotals};
use assize_engine::event::StopReason;
use assize_engine::files::Files;
use assize_engine::profiles::Profiles;
use assize_engine::run::{Prepared, ResultLine, RunOptions, prepare};
use axum::extract::State;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What the parts of a request are called; no file in a folder is.
const JUDGE: &str = "the request's judge";
const CASE: &str = "the request's case.jsonl";

/// Whoever waits for one case does not want to wait for many retries.
const RETRIES: u32 = 3;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new::<_, _, Judged>(
            Method::POST,
            "/judge",
            "judgeCase",
            "Judges one case. Answers are kept and found again as in a run; no run is recorded.",
            judge,
        )
        .with_body::<CaseRequest>()
        .with_example(example)
        .with_refusals(&[StatusCode::BAD_GATEWAY, StatusCode::SERVICE_UNAVAILABLE]),
    ]
}

fn example() -> Value {
    json!({
        "judge": {"use": "transcript-quality", "model": "offline"},
        "case": {"id": "call-7", "reference": "the meeting is at ten", "transcript": "the meeting is at two"},
    })
}

/// A case and its judge.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CaseRequest {
    /// The judge, written as under `judge` in a suite.
    judge: JudgeRequest,
    /// The case, written as a line of a case file: `id` and the inputs that the judge needs.
    case: Map<String, Value>,
    /// What becomes of answers that are there already.
    #[serde(default)]
    cache: CachePolicy,
}

/// A judge.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JudgeRequest {
    /// A judge system, or the path of a criteria file, a prompt or a rubric tree in the served folder.
    #[serde(rename = "use")]
    #[schemars(length(min = 1, max = 4096))]
    judge_use: String,
    /// The judge model: `provider:name`, `offline` (rules only) or `replay:FILE`; a list of them is a jury.
    #[serde(default = "offline")]
    model: OneOrMany,
    /// The judge's settings; `profile` names a saved one.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    settings: Map<String, Value>,
}

/// A judge model, or a jury of them.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum OneOrMany {
    /// One.
    One(#[schemars(length(min = 1))] String),
    /// Several.
    Many(#[schemars(length(min = 1, max = 16), inner(length(min = 1)))] Vec<String>),
}

fn offline() -> OneOrMany {
    OneOrMany::One("offline".to_owned())
}

/// What became of a case.
#[derive(Debug, Serialize, JsonSchema)]
struct Judged {
    /// The line that a run would have written for it.
    result: ResultLine,
    /// What was used.
    usage: UsageTotals,
}

async fn judge(State(app): State<App>, Body(request): Body<CaseRequest>) -> Reply<Judged> {
    let CaseRequest { judge, case, cache } = request;
    let prepared = app.check(move |app| {
        let profiles = Profiles::from(app.store().profiles()?);
        let options = RunOptions { cache, profiles, retries: RETRIES, ..RunOptions::default() };
        let files = request_files(&judge, &case, root_files(app)?);
        let environment = |name: &str| std::env::var(name).ok();
        prepare(&files, JUDGE, options, &environment)
            .and_then(Prepared::ready)
            .map_err(|found| problems::failure(&of_request(&found), app.folder()))
    });
    let (prepared, store) = (prepared.await?, app.store().clone());
    // An answer that was paid for is kept, whether somebody still waits for it or not.
    let trial = app.jobs().complete(async move { prepared.try_out(&store).await }).await?;
    let trial = trial.map_err(|error| Failure::broken(error.to_string()))?;
    match (trial.lines.into_iter().next(), trial.stopped) {
        (Some(result), _) => reply(Judged { result, usage: trial.usage }),
        // One juror was not asked because another met something that ends a run.
        (None, Some(StopReason::Hopeless(why))) => Err(Failure::bad_gateway(why).into()),
        (None, _) => Err(Failure::broken("The case was not judged.").into()),
    }
}

/// A request as a suite and its one case, before the files of the served folder that the judge may be made of.
fn request_files(judge: &JudgeRequest, case: &Map<String, Value>, folder: Files) -> Files {
    let suite = json!({"name": "one case", "judge": judge, "cases": CASE});
    let held = [(JUDGE.to_owned(), suite.to_string()), (CASE.to_owned(), json!(case).to_string())];
    Files::Over(held.into(), Box::new(folder))
}

/// Problems of a request: it has no lines that anybody would look up.
fn of_request(found: &Problems) -> Problems {
    let mut placeless = Problems::of(problems::REQUEST);
    for problem in found.iter() {
        placeless.add(match problem.file.as_str() {
            JUDGE | CASE => Problem { file: problems::REQUEST.to_owned(), span: None, ..problem.clone() },
            _ => problem.clone(),
        });
    }
    placeless
}
