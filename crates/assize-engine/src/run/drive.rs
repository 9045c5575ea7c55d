//! One case from its first question to its outcome.

use super::document::CaseOutcome;
use crate::answering::{Answering, EMBEDDINGS, Juror, Meaning, Unanswered};
use crate::store::StoreError;
use assize_core::{Answer, Answers, Case, Failure, FailureKind, Judge, Judgment, Question, Step, jury};
use futures_util::future::join_all;
use std::sync::Arc;

/// More rounds of questions than any judge has; a judge that never comes to an end is a defect, not an endless bill.
const MOST_ROUNDS: usize = 16;

/// What became of a case, and the answers it rests on.
pub(super) struct Driven {
    pub(super) case: Case,
    pub(super) outcome: CaseOutcome,
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
            CaseOutcome::Judged(judgment) => judgments.push((name.clone(), *judgment)),
            // One juror who could not judge is enough: a jury's figure is a figure of all of it.
            outcome => other = other.or(Some(outcome)),
        }
    }
    let outcome = other.unwrap_or_else(|| CaseOutcome::Judged(Box::new(jury::join(judgments))));
    Ok(Driven { case, outcome, answers })
}

async fn hear(
    judge: &dyn Judge,
    juror: &Juror,
    answering: &Answering,
    case: &Case,
    mut answers: Answers,
) -> Result<(CaseOutcome, Vec<String>), StoreError> {
    for _ in 0..MOST_ROUNDS {
        let outcome = match judge.step(case, &answers) {
            Step::Done(judgment) => CaseOutcome::Judged(judgment),
            Step::Skip { reason } => CaseOutcome::Skipped(reason),
            Step::Ask(questions) => match ask_all(judge, juror, answering, case, &questions).await {
                Ok(answered) => {
                    for (question, answer) in questions.into_iter().zip(answered) {
                        answers.insert(question.name, answer);
                    }
                    continue;
                }
                Err(unanswered) => without_answer(unanswered)?,
            },
        };
        return Ok((outcome, ids(juror, &answers)));
    }
    let message = format!("the judge asked more than {MOST_ROUNDS} rounds of questions");
    Ok((CaseOutcome::Failed(Failure::new(FailureKind::InvalidReply, message)), ids(juror, &answers)))
}

/// What becomes of a case that lacks an answer.
fn without_answer(unanswered: Unanswered) -> Result<CaseOutcome, StoreError> {
    match unanswered {
        Unanswered::Failed(failure) => Ok(CaseOutcome::Failed(failure)),
        Unanswered::NotAsked => Ok(CaseOutcome::NotReached),
        Unanswered::Store(error) => Err(error),
    }
}

async fn ask_all(
    judge: &dyn Judge,
    juror: &Juror,
    answering: &Answering,
    case: &Case,
    questions: &[Question],
) -> Result<Vec<Answer>, Unanswered> {
    join_all(questions.iter().map(|question| answering.answer(juror, judge, case, question)))
        .await
        .into_iter()
        .collect()
}

/// The ids of the answers that can be looked up again; those of the rules are not stored, being made anew at will.
fn ids(juror: &Juror, answers: &Answers) -> Vec<String> {
    if matches!(juror, Juror::Rules) {
        return Vec::new();
    }
    answers.iter().filter(|(name, _)| *name != EMBEDDINGS).map(|(_, answer)| answer.id.to_string()).collect()
}
