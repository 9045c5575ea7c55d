//! One case of a run over the API, and what people say of its judgment.

use super::operation::{ApiFailure, Body, Created, Operation, Path, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::judged::Judged;
use assize_core::{Answer, Case, Question};
use assize_engine::records::{JUDGMENT, Label, LabelValue, NewLabel, ResultLine};
use axum::extract::State;
use axum::http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const CASE: &[(&str, &str)] = &[
    ("run", "The run's id, the beginning of it, or `last`."),
    ("position", "The case's place in the run, counted from 0 in the order of the case files."),
];
const LABEL: &[(&str, &str)] = &[CASE[0], CASE[1], ("id", "The label's id.")];

/// The longest name, corrected value and note, in characters.
const LONGEST: [usize; 3] = [200, 1000, 20_000];

pub(super) fn operations() -> Vec<Operation> {
    let path = "/runs/{run}/cases/{position}";
    let labels = "/runs/{run}/cases/{position}/labels";
    vec![
        Operation::new(
            Method::GET,
            path,
            "getCase",
            "A case, its judgment, the questions and answers it rests on, and what people say of it.",
            one,
        )
        .with_parameters(CASE),
        Operation::new(
            Method::GET,
            labels,
            "listLabels",
            "What people say of a judgment, in the order in which they said it.",
            list_labels,
        )
        .with_parameters(CASE),
        Operation::new(Method::POST, labels, "addLabel", "Says whether a judgment is right.", add_label)
            .with_parameters(CASE),
        Operation::new(
            Method::DELETE,
            "/runs/{run}/cases/{position}/labels/{id}",
            "withdrawLabel",
            "Takes back what was said; it stays in the list, withdrawn.",
            withdraw_label,
        )
        .with_parameters(LABEL),
    ]
}

/// A case of a run with all that is known of it.
#[derive(Debug, Serialize, JsonSchema)]
struct CaseInRun {
    /// The run's id.
    run: String,
    /// The case's place in the run, from 0.
    position: u32,
    /// The case.
    case: Case,
    /// What became of it.
    result: ResultLine,
    /// The questions and answers the judgment rests on.
    answers: Vec<Answered>,
    /// What people say of the judgment.
    labels: Vec<Label>,
}

/// A question with its answer.
#[derive(Debug, Serialize, JsonSchema)]
struct Answered {
    /// What was asked.
    question: Question,
    /// The reply, and where it came from.
    answer: Answer,
    /// When the reply was first kept, in UTC. A reply older than the run was not asked for anew.
    kept: Option<String>,
}

/// Labels.
#[derive(Debug, Serialize, JsonSchema)]
struct LabelList {
    /// In the order in which they were given, with those that were withdrawn.
    labels: Vec<Label>,
}

/// What somebody says of a judgment.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Said {
    /// Whether the judge is right.
    value: LabelValue,
    /// What the verdict should have been, where the judge is wrong about it.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    corrected: Option<String>,
    /// Why.
    #[serde(default)]
    #[schemars(length(max = 20000))]
    note: String,
    /// Who says so.
    #[schemars(length(max = 200), regex(pattern = r"\S"))]
    by_whom: String,
}

impl Said {
    fn checked(self) -> Result<NewLabel, Failure> {
        let Self { value, corrected, note, by_whom } = self;
        if by_whom.trim().is_empty() {
            return Err(Failure::bad("A label needs the name of whoever says so.").with_way_on("Give it in `by_whom`."));
        }
        let texts = [by_whom.as_str(), corrected.as_deref().unwrap_or_default(), note.as_str()];
        for ((name, text), longest) in ["by_whom", "corrected", "note"].into_iter().zip(texts).zip(LONGEST) {
            if text.chars().count() > longest {
                return Err(Failure::bad(format!("`{name}` is longer than {longest} characters.")));
            }
        }
        let corrected = corrected.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let (note, by_whom) = (note.trim().to_owned(), by_whom.trim().to_owned());
        Ok(NewLabel { item: JUDGMENT.to_owned(), value, corrected, note, by_whom })
    }
}

async fn one(State(app): State<App>, Path((run, position)): Path<(String, String)>) -> Reply<CaseInRun> {
    let judged = app.blocking(move |app| app.judged(&run, &position)).await?;
    let Judged { run, position, case, line, answers, labels } = judged;
    let answers = answers
        .into_iter()
        .map(|stored| Answered { question: stored.question, answer: stored.answer, kept: stored.kept })
        .collect();
    reply(CaseInRun { run: run.run_id, position, case, result: line, answers, labels })
}

async fn list_labels(State(app): State<App>, Path((run, position)): Path<(String, String)>) -> Reply<LabelList> {
    let judged = app.blocking(move |app| app.judged(&run, &position)).await?;
    reply(LabelList { labels: judged.labels })
}

async fn add_label(
    State(app): State<App>,
    Path((run, position)): Path<(String, String)>,
    Body(said): Body<Said>,
) -> Result<Created<Label>, ApiFailure> {
    let judged = app.blocking(move |app| app.judged(&run, &position)).await?;
    let new = said.checked()?;
    let run = &judged.run;
    let kept = app.store().add_label(&run.run_id, judged.position, &run.judge.judge_use, new).await?;
    let label = kept.ok_or_else(|| Failure::missing("The case is not there any more."))?;
    Ok(Created(label))
}

async fn withdraw_label(
    State(app): State<App>,
    Path((run, position, id)): Path<(String, String, String)>,
) -> Reply<Label> {
    let judged = app.blocking(move |app| app.judged(&run, &position)).await?;
    let missing = || Failure::missing(format!("Nobody said “{id}” of this judgment."));
    let label = judged.labels.iter().find(|label| label.id == id).ok_or_else(missing)?;
    let withdrawn = app.store().withdraw_label(&label.id).await?;
    reply(withdrawn.ok_or_else(missing)?)
}
