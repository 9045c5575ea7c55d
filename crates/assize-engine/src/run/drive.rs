//! One case from its first question to its outcome.

use crate::answering::{Answering, EMBEDDINGS, Juror, Meaning, Reader, Unanswered};
use crate::store::StoreError;
use assize_core::judge::MOST_ROUNDS;
use assize_core::{Answer, Answers, Case, Failure, Judge, Judgment, Outcome, Question, Ruling, Step, jury};
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
    meaning: Option<Meaning>,
    case: Case,
) -> Result<Driven, StoreError> {
    let mut answers = Vec::new();
    let mut known = Answers::none();
    if let Some(meaning) = &meaning {
        match meaning.answer(&answering, &*judge, &case).await {
            Ok(measured) => measured.into_iter().for_each(|answer| known.insert(EMBEDDINGS.to_owned(), answer)),
            Err(unanswered) => return Ok(Driven { case, outcome: without_answer(unanswered)?, answers }),
        }
    }
    let heard = join_all(jurors.iter().map(|(_, juror)| hear(&*judge, juror, &answering, &case, known.clone()))).await;
    let mut judgments: Vec<(String, Judgment)> = Vec::new();
    let mut other = None;
    for ((name, _), heard) in jurors.iter().zip(heard) {
        let (outcome, ids) = heard?;
        answers.extend(ids);
        match outcome {
            Outcome::Judged(judgment) => judgments.push((name.clone(), *judgment)),
            // One juror who could not judge is enough: a jury's figure is a figure of all of it.
            outcome => other = other.or(Some(outcome)),
        }
    }
    let outcome = other.unwrap_or_else(|| Outcome::Judged(Box::new(jury::join(judgments))));
    Ok(Driven { case, outcome, answers })
}

async fn hear(
    judge: &dyn Judge,
    juror: &Juror,
    answering: &Answering,
    case: &Case,
    answers: Answers,
) -> Result<(Outcome, Vec<String>), StoreError> {
    match juror {
        // Their answers are not stored, being made anew at will, and so have no ids to look them up by.
        Juror::Rules => {
            answering.go_ahead().await;
            Ok((rule(judge, case, answers), Vec::new()))
        }
        Juror::Reader(reader) => hear_reader(judge, reader, answering, case, answers).await,
    }
}

fn rule(judge: &dyn Judge, case: &Case, answers: Answers) -> Outcome {
    match judge.rule(case, answers) {
        Ruling::Judged(judgment) => Outcome::Judged(judgment),
        Ruling::Skipped { reason } => Outcome::Skipped { reason },
        Ruling::Failed(failure) => Outcome::Failed(failure),
    }
}

async fn hear_reader(
    judge: &dyn Judge,
    reader: &Reader,
    answering: &Answering,
    case: &Case,
    mut answers: Answers,
) -> Result<(Outcome, Vec<String>), StoreError> {
    for _ in 0..MOST_ROUNDS {
        let outcome = match judge.step(case, &answers) {
            Step::Done(judgment) => Outcome::Judged(judgment),
            Step::Skip { reason } => Outcome::Skipped { reason },
            Step::Ask(questions) => match ask_all(judge, reader, answering, case, &questions).await {
                Ok(answered) => {
                    for (question, answer) in questions.into_iter().zip(answered) {
                        answers.insert(question.name, answer);
                    }
                    continue;
                }
                Err(unanswered) => without_answer(unanswered)?,
            },
        };
        return Ok((outcome, ids(&answers)));
    }
    Ok((Outcome::Failed(Failure::too_many_rounds()), ids(&answers)))
}

/// What becomes of a case that lacks an answer.
fn without_answer(unanswered: Unanswered) -> Result<Outcome, StoreError> {
    match unanswered {
        Unanswered::Failed(failure) => Ok(Outcome::Failed(failure)),
        Unanswered::NotAsked => Ok(Outcome::NotReached),
        Unanswered::Store(error) => Err(error),
    }
}

async fn ask_all(
    judge: &dyn Judge,
    reader: &Reader,
    answering: &Answering,
    case: &Case,
    questions: &[Question],
) -> Result<Vec<Answer>, Unanswered> {
    join_all(questions.iter().map(|question| answering.answer(reader, judge, case, question)))
        .await
        .into_iter()
        .collect()
}

/// The ids of the answers that can be looked up again.
fn ids(answers: &Answers) -> Vec<String> {
    answers.iter().filter(|(name, _)| *name != EMBEDDINGS).map(|(_, answer)| answer.id.to_string()).collect()
}
