//! The judges over the API: what each of them is, what can be set, and what it would ask.

use super::operation::{ApiFailure, Body, Operation, Path, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::pages::settings;
use crate::profiles::read_request;
use crate::questions::{self, Asked, CaseChoice};
use assize_core::document::Problems;
use assize_core::{InputSpec, JudgeSource, JudgeSystem, MetricSpec};
use assize_judges::SYSTEMS;
use axum::extract::State;
use axum::http::Method;
use axum::response::Html;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The parameter that names a judge.
const JUDGE: &[(&str, &str)] = &[("judge", "The judge's name.")];

pub(super) fn operations() -> Vec<Operation> {
    let question = "What a judge would ask about a case under certain settings. Nothing is asked.";
    let drawn = "Parts of the settings page, drawn for settings that are not saved. Used by the page itself.";
    vec![
        Operation::new(
            Method::GET,
            "/judges",
            "listJudges",
            "The judges: what each is for, what can be set, and the figures it gives.",
            list,
        ),
        Operation::new(Method::POST, "/judges/{judge}/question", "askWhat", question, self::question)
            .with_parameters(JUDGE),
        Operation::new(Method::POST, "/judges/{judge}/drawn", "drawSettings", drawn, self::drawn)
            .with_parameters(JUDGE),
    ]
}

/// Judges.
#[derive(Debug, Serialize, JsonSchema)]
struct JudgeList {
    /// In the order in which they are shown.
    judges: Vec<JudgeAbout>,
}

/// A judge.
#[derive(Debug, Serialize, JsonSchema)]
struct JudgeAbout {
    /// The name that `judge.use` takes, or a name for the kind of file.
    name: String,
    /// One line on what it judges.
    summary: String,
    /// Whether it is made of a file of the user's; then its inputs and figures depend on that file.
    from_file: bool,
    /// What can be set, as a JSON Schema.
    settings: Value,
    /// The profiles that come with it: settings by name.
    profiles: Value,
    /// What it needs of a case.
    inputs: Vec<InputSpec>,
    /// The figures it gives.
    metrics: Vec<MetricSpec>,
}

async fn list() -> Reply<JudgeList> {
    let judges = SYSTEMS.iter().map(|system| {
        let source = JudgeSource::BuiltIn(system.name().to_owned());
        let built = system.takes(&source).then(|| system.build(&source, None, &mut Problems::default())).flatten();
        JudgeAbout {
            name: system.name().to_owned(),
            summary: system.card().summary.to_owned(),
            from_file: built.is_none(),
            settings: system.settings_schema(),
            profiles: Value::Object(system.profiles().into_iter().map(|(name, own)| (name.to_owned(), own)).collect()),
            inputs: built.as_ref().map(|judge| judge.spec().inputs.clone()).unwrap_or_default(),
            metrics: built.as_ref().map(|judge| judge.spec().metrics.clone()).unwrap_or_default(),
        }
    });
    reply(JudgeList { judges: judges.collect() })
}

/// The judge of a name.
pub(super) fn find_judge(name: &str) -> Result<&'static dyn JudgeSystem, Failure> {
    let names = || SYSTEMS.iter().map(|system| system.name()).collect::<Vec<_>>().join(", ");
    SYSTEMS.iter().copied().find(|system| system.name() == name).ok_or_else(|| {
        Failure::missing(format!("There is no judge “{name}”.")).with_way_on(format!("There are {}.", names()))
    })
}

/// About which case, and under which settings.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    /// A profile to start from: a built-in one, or a saved one with or without its version.
    #[serde(default)]
    profile: Option<String>,
    /// The judge's settings, over the profile's; its own where there are neither.
    #[serde(default)]
    settings: Option<Value>,
    /// A case to ask about: an object with `id` and the inputs of the judge.
    #[serde(default)]
    case: Option<Value>,
    /// The run whose case to take instead; without it, the newest of this judge, or the bundled example.
    #[serde(default)]
    run: Option<String>,
    /// Which of its cases, from 0.
    #[serde(default)]
    position: u32,
}

async fn question(State(app): State<App>, Path(judge): Path<String>, Body(wanted): Body<Question>) -> Reply<Asked> {
    let found = app.blocking(move |app| {
        let system = find_judge(&judge)?;
        let settings = read_request(app, system, wanted.profile.as_deref(), wanted.settings.as_ref())?;
        let choice = match wanted.case {
            Some(record) => CaseChoice::Given(record),
            None => CaseChoice::Of { run: wanted.run.unwrap_or_default(), position: wanted.position },
        };
        questions::asked(app, system, &settings, choice)
    });
    reply(found.await?)
}

async fn drawn(
    State(app): State<App>,
    Path(judge): Path<String>,
    Body(draft): Body<settings::Draft>,
) -> Result<Html<String>, ApiFailure> {
    let found = app.blocking(move |app| settings::drawn(app, find_judge(&judge)?, &draft));
    Ok(Html(found.await?.into_string()))
}
