//! One case from its first question to its outcome.

use crate::answering::{Answering, EMBEDDINGS, Juror, Reader, RunEmbedder, Unanswered};
use crate::store::StoreError;
use assize_core::judge::{MOST_ROUNDS, by_rules, concluded};
use assize_core::{Answer, Answers, Case, Failure, Judge, Judgment, OpenCase, Outcome, Parsed, Question, Step, jury};
use futures_util::future::join_all;
use std::sync::Arc;

/// What became of a case, and the answers it rests on.
pub(super) struct Driven {
    pub(super) case: Case,
    pub(super) outcome: Outcome,
    pub(super) answers: Vec<String>,
}

/// Drives a case through the judge, once for every juror.
pub(super) async fn drive(
    judge: Arc<dyn Judge>,
    jurors: Arc<[(String, Juror)]>,
    answering: Arc<Answering>,
    embedder: Option<RunEmbedder>,
    case: Case,
) -> Result<Driven, StoreError> {
    let (outcome, answers) = {
        let parsed = Parsed::default();
        match judge.open(&case, &parsed) {
            Ok(open) => judge_open(&*open, &jurors, &answering, embedder.as_ref(), &case).await?,
            Err(outcome) => (outcome, Vec::new()),
        }
    };
    Ok(Driven { case, outcome, answers })
}

async fn judge_open(
    open: &dyn OpenCase,
    jurors: &[(String, Juror)],
    answering: &Answering,
    embedder: Option<&RunEmbedder>,
    case: &Case,
) -> Result<(Outcome, Vec<String>), StoreError> {
    let mut known = Answers::none();
    if let Some(embedder) = embedder {
        match embedder.answer(answering, open).await {
            Ok(measured) => measured.into_iter().for_each(|answer| known.insert(EMBEDDINGS.to_owned(), answer)),
            Err(unanswered) => return Ok((without_answer(unanswered)?, Vec::new())),
        }
    }
    let outcomes =
        join_all(jurors.iter().map(|(_, juror)| ask_juror(open, juror, answering, case, known.clone()))).await;
    let mut answers = Vec::new();
    let mut judgments: Vec<(String, Judgment)> = Vec::new();
    let mut other = None;
    for ((name, _), outcome) in jurors.iter().zip(outcomes) {
        let (outcome, ids) = outcome?;
        answers.extend(ids);
        match outcome {
            Outcome::Judged(judgment) => judgments.push((name.clone(), *judgment)),
            // One juror who could not judge is enough: a jury's figure is a figure of all of it.
            outcome => other = other.or(Some(outcome)),
        }
    }
    Ok((other.unwrap_or_else(|| jury::join(judgments).into()), answers))
}

async fn ask_juror(
    open: &dyn OpenCase,
    juror: &Juror,
    answering: &Answering,
    case: &Case,
    answers: Answers,
) -> Result<(Outcome, Vec<String>), StoreError> {
    match juror {
        // Their answers are not stored, being made anew at will, and so have no ids to look them up by.
        Juror::Rules => {
            answering.go_ahead().await;
            Ok((by_rules(open, answers), Vec::new()))
        }
        Juror::Reader(reader) => ask_reader(open, reader, answering, case, answers).await,
    }
}

async fn ask_reader(
    open: &dyn OpenCase,
    reader: &Reader,
    answering: &Answering,
    case: &Case,
    mut answers: Answers,
) -> Result<(Outcome, Vec<String>), StoreError> {
    for _ in 0..MOST_ROUNDS {
        let outcome = match open.step(&answers) {
            Step::Done(outcome) => concluded(outcome, &answers),
            Step::Ask(names) => {
                let questions: Vec<Question> = names.iter().map(|name| open.question(name)).collect();
                let answered = ask_all(open, reader, answering, case, &questions).await;
                match take(open, names, answered, &mut answers) {
                    None => continue,
                    Some(unanswered) => without_answer(unanswered)?,
                }
            }
        };
        return Ok((outcome, ids(&answers)));
    }
    Ok((Failure::too_many_rounds().into(), ids(&answers)))
}

/// Takes in what was answered, and gives the first thing that ends the case.
fn take(
    open: &dyn OpenCase,
    names: Vec<String>,
    answered: Vec<Result<Answer, Unanswered>>,
    answers: &mut Answers,
) -> Option<Unanswered> {
    for (name, answered) in names.into_iter().zip(answered) {
        match answered {
            Ok(answer) => answers.insert(name, answer),
            Err(Unanswered::Failed(failure)) if open.does_without(&name) => answers.fail(name, failure),
            Err(unanswered) => return Some(unanswered),
        }
    }
    None
}

/// What becomes of a case that lacks an answer.
fn without_answer(unanswered: Unanswered) -> Result<Outcome, StoreError> {
    match unanswered {
        Unanswered::Failed(failure) => Ok(failure.into()),
        Unanswered::NotAsked => Ok(Outcome::NotReached),
        Unanswered::Store(error) => Err(error),
    }
}

async fn ask_all(
    open: &dyn OpenCase,
    reader: &Reader,
    answering: &Answering,
    case: &Case,
    questions: &[Question],
) -> Vec<Result<Answer, Unanswered>> {
    join_all(questions.iter().map(|question| answering.answer(reader, open, case, question))).await
}

/// The ids of the answers that can be looked up again.
fn ids(answers: &Answers) -> Vec<String> {
    answers.iter().filter(|(name, _)| *name != EMBEDDINGS).map(|(_, answer)| answer.id.to_string()).collect()
}
