//! A judge and a case without an engine: what is asked, what follows from answers, what the rules say.

use assize_core::answer::Source;
use assize_core::{Answer, Answers, Case, Failure, Judge, Judgment, OpenCase, Outcome, Parsed, Question, Step, judge};
use serde_json::Value;

/// Does something with an open case; a case that cannot be opened has its outcome already.
pub fn with_open<T>(judge: &dyn Judge, case: &Case, work: impl FnOnce(&dyn OpenCase) -> T) -> Result<T, Outcome> {
    let parsed = Parsed::default();
    judge.open(case, &parsed).map(|open| work(&*open))
}

/// What a judge wants next, given some answers.
pub fn step(judge: &dyn Judge, case: &Case, answers: &Answers) -> Step {
    with_open(judge, case, |open| open.step(answers)).unwrap_or_else(Step::Done)
}

/// The questions a judge asks next, written out; none where it is done.
pub fn questions(judge: &dyn Judge, case: &Case, answers: &Answers) -> Vec<Question> {
    let asked = with_open(judge, case, |open| match open.step(answers) {
        Step::Ask(names) => names.iter().map(|name| open.question(name)).collect(),
        Step::Done(_) => Vec::new(),
    });
    asked.unwrap_or_default()
}

/// What became of a case once everything is answered.
///
/// # Panics
/// If the judge has further questions.
pub fn outcome(judge: &dyn Judge, case: &Case, answers: &Answers) -> Outcome {
    match step(judge, case, answers) {
        Step::Done(outcome) => judge::concluded(outcome, answers),
        Step::Ask(questions) => panic!("{}: still asks {questions:?}", case.id),
    }
}

/// The judgment of a case once everything is answered.
///
/// # Panics
/// If there is none.
pub fn judgment(judge: &dyn Judge, case: &Case, answers: &Answers) -> Judgment {
    judged(outcome(judge, case, answers))
}

/// What becomes of a case with the rules in the model's place.
pub fn by_rules(judge: &dyn Judge, case: &Case) -> Outcome {
    with_open(judge, case, |open| judge::by_rules(open, Answers::none())).unwrap_or_else(|outcome| outcome)
}

/// The judgment of an outcome.
///
/// # Panics
/// If there is none.
pub fn judged(outcome: Outcome) -> Judgment {
    match outcome {
        Outcome::Judged(judgment) => *judgment,
        other => panic!("{other:?}"),
    }
}

/// What is wrong with an answer beyond its schema.
///
/// # Panics
/// If the case cannot be opened.
pub fn violations(judge: &dyn Judge, case: &Case, question: &str, answer: &Value) -> Vec<String> {
    with_open(judge, case, |open| open.violations(question, answer)).expect("a case that can be opened")
}

/// What the rules answer to a question.
///
/// # Panics
/// If the case cannot be opened.
pub fn stand_in(judge: &dyn Judge, case: &Case, question: &str) -> Result<Value, Failure> {
    with_open(judge, case, |open| open.stand_in(question)).expect("a case that can be opened")
}

/// A reply as if a model had given it.
pub fn reply(question: &str, value: Value) -> Answer {
    Answer { source: Source::Model, ..Answer::from_rules(question, value) }
}

/// Replies as if a model had given them, by question.
pub fn replies<'q>(replies: impl IntoIterator<Item = (&'q str, Value)>) -> Answers {
    let mut answers = Answers::none();
    for (question, value) in replies {
        answers.insert(question.to_owned(), reply(question, value));
    }
    answers
}
