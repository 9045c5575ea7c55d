//! One case judged over the API, with no run on record.

use super::operation::{Body, Operation, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::problems;
use crate::suites::root_files;
use assize_core::Suite;
use assize_core::document::{Node, NodeValue, Problem, Problems, Span};
use assize_core::suite::Placed;
use assize_engine::event::StopReason;
use assize_engine::profiles::Profiles;
use assize_engine::records::{CachePolicy, ResultLine, RunRequest, UsageTotals};
use assize_engine::run::{Prepared, Ready, RunOptions, SuiteSource, prepare};
use axum::extract::State;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Whoever waits for one case does not want to wait for many retries.
const RETRIES: u8 = 3;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Method::POST,
            "/judge",
            "judgeCase",
            "Judges one case. Answers are kept and found again as in a run; no run is recorded.",
            judge,
        )
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
    /// What becomes of cached answers.
    #[serde(default)]
    cache: CachePolicy,
}

/// A judge.
#[derive(Debug, Deserialize, JsonSchema)]
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
    #[serde(default)]
    settings: Map<String, Value>,
}

/// A judge model, or a jury of them.
#[derive(Debug, Deserialize, JsonSchema)]
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
    let prepared = app.check(move |app| prepared(app, request));
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

/// The case and its judge as a run that can be executed.
fn prepared(app: &App, request: CaseRequest) -> Result<Ready, Failure> {
    let CaseRequest { judge: JudgeRequest { judge_use, model, settings }, case, cache } = request;
    let refused = |found: Problems| problems::failure(&of_request(found), app.folder());
    let models = match model {
        OneOrMany::One(model) => vec![model],
        OneOrMany::Many(models) => models,
    };
    if judge_use.trim().is_empty() {
        return Err(refused(problems::in_request(vec!["`use` is empty".to_owned()])));
    }
    let mut wrong = Vec::new();
    if models.is_empty() {
        wrong.push("`model` must be a judge model or a list of them, found an empty list".to_owned());
    }
    let request = RunRequest { models, cache, retries: RETRIES, ..RunRequest::of_suite(problems::REQUEST) };
    // Whatever is wrong with the models, the rest is looked at as well: all mistakes are told at once.
    let options = RunOptions::try_from(request).unwrap_or_else(|more| {
        wrong.extend(more);
        RunOptions::of_suite(problems::REQUEST)
    });
    let options = options.with_permits(app.permits()?);
    let span = Span::at(1, 1);
    let mut suite = Suite::of_judge("one case", Placed { value: judge_use, span });
    suite.settings =
        (!settings.is_empty()).then(|| Node { span, kind: NodeValue::Map(Node::entries_of(&settings, span)) });
    let (files, profiles) = (root_files(app)?, Profiles::from(app.store().profiles()?));
    let source = SuiteSource::given(suite, vec![case], &files, problems::REQUEST);
    let environment = |name: &str| std::env::var(name).ok();
    let ready = prepare(source, options, &profiles, &environment).and_then(Prepared::ready);
    if wrong.is_empty() {
        return ready.map_err(refused);
    }
    let mut found = problems::in_request(wrong);
    if let Err(more) = ready {
        found.append(more);
    }
    Err(refused(found))
}

/// Problems of a request: it has no lines that anybody would look up.
fn of_request(found: Problems) -> Problems {
    let mut placeless = Problems::of(problems::REQUEST);
    for problem in found.iter() {
        let span = problem.span.filter(|_| problem.file != problems::REQUEST);
        placeless.add(Problem { span, ..problem.clone() });
    }
    placeless
}
