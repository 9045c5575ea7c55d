use super::*;
use assize_core::{
    AnswerSchema, Failure, FailureKind, InputKind, InputSpec, JudgeSpec, Message, Metric, MetricSpec, OpenCase, Parsed,
};
use std::sync::atomic::{AtomicU32, Ordering};

/// A judge with one flaw, or none.
struct Flawed {
    flaw: Flaw,
    spec: JudgeSpec,
    asked: AtomicU32,
}

#[derive(PartialEq)]
enum Flaw {
    None,
    AsksAnew,
    Obeys,
    TrustsAnswers,
    Divides,
    InventsScores,
    InventsFigures,
    RaisesUnknownFlags,
}

fn judge(flaw: Flaw) -> Flawed {
    let inputs = vec![InputSpec::required("text", InputKind::Text, "The text.")];
    let spec = JudgeSpec::new("flawed", (inputs, vec![MetricSpec::mean("score", "x")], "score"), &"Judge.", &());
    Flawed { flaw, spec, asked: AtomicU32::new(0) }
}

struct Open<'c>(&'c Flawed, &'c Case);

impl Judge for Flawed {
    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn open<'c>(&'c self, case: &'c Case, _: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome> {
        Ok(Box::new(Open(self, case)))
    }
}

impl OpenCase for Open<'_> {
    fn step(&self, answers: &Answers) -> Step {
        let Some(answer) = answers.get("q") else { return Step::Ask(vec!["q".to_owned()]) };
        let score = answer.value.get("score").and_then(Value::as_f64).filter(|score| (0.0..=5.0).contains(score));
        let score = match (&self.0.flaw, score) {
            (Flaw::TrustsAnswers, score) => Some(score.expect("a score")),
            (Flaw::Divides, score) => Some(score.map_or(f64::NAN, |score| score / 0.0)),
            (Flaw::InventsScores, score) => Some(score.unwrap_or(0.0)),
            (_, None) => {
                return Step::Done(Failure::new(FailureKind::InvalidReply, "the reply has no score").into());
            }
            (_, score) => score,
        };
        let mut judgment = Judgment::default();
        let name = if self.0.flaw == Flaw::InventsFigures { "grade" } else { "score" };
        judgment.metrics.insert(name.to_owned(), Metric::score(score, Method::Llm));
        if self.0.flaw == Flaw::RaisesUnknownFlags {
            judgment.flag("unheard_of");
        }
        Step::Done(judgment.into())
    }

    fn question(&self, name: &str) -> Question {
        let Self(judge, case) = self;
        let count = judge.asked.fetch_add(1, Ordering::SeqCst);
        let mut text = json!(case.text("text")).to_string();
        match judge.flaw {
            Flaw::AsksAnew => text.push_str(&count.to_string()),
            Flaw::Obeys => case.text("text").clone_into(&mut text),
            _ => {}
        }
        let schema = json!({"type": "object", "properties": {"score": {"type": "integer", "minimum": 0, "maximum": 5}}, "required": ["score"]});
        Question {
            name: name.to_owned(),
            messages: vec![Message::system("Judge."), Message::user(text)],
            schema: AnswerSchema { name: "answer".to_owned(), schema },
            sample: 0,
        }
    }
}

fn check(flaw: Flaw) {
    let judge = judge(flaw);
    let Value::Object(record) = json!({"id": "c", "text": "a text"}) else { unreachable!("an object literal") };
    let case = Case::read(record, &judge.spec.inputs).expect("a case");
    check_system(&judge, &|flag| flag == "known", &[case]);
}

#[test]
fn a_good_judge_conforms() {
    check(Flaw::None);
}

#[test]
#[should_panic(expected = "another question on the second run")]
fn a_question_that_changes_is_found() {
    check(Flaw::AsksAnew);
}

#[test]
#[should_panic(expected = "starts a line of its own")]
fn a_judge_that_lets_the_case_speak_is_found() {
    check(Flaw::Obeys);
}

#[test]
#[should_panic(expected = "a score")]
fn a_judge_that_trusts_answers_is_found() {
    check(Flaw::TrustsAnswers);
}

#[test]
#[should_panic(expected = "after the reply null")]
fn a_judge_that_divides_by_nothing_is_found() {
    check(Flaw::Divides);
}

#[test]
#[should_panic(expected = "score is Some(0.0) after the reply null")]
fn a_default_score_for_an_unreadable_reply_is_found() {
    check(Flaw::InventsScores);
}

#[test]
#[should_panic(expected = "the figure grade is not declared")]
fn a_figure_that_is_not_declared_is_found() {
    check(Flaw::InventsFigures);
}

#[test]
#[should_panic(expected = "the flag unheard_of is not declared")]
fn a_flag_that_is_not_declared_is_found() {
    check(Flaw::RaisesUnknownFlags);
}
