use super::*;
use assize_core::{AnswerSchema, Fingerprint, InputKind, InputSpec, Judgment, Message, Method, Metric, MetricSpec};
use assize_core::{Ruling, Summarise, Summary};
use std::sync::atomic::{AtomicU32, Ordering};

/// A judge with one flaw, or none.
struct Flawed {
    flaw: Flaw,
    inputs: Vec<InputSpec>,
    asked: AtomicU32,
}

#[derive(PartialEq)]
enum Flaw {
    None,
    AsksAnew,
    Obeys,
    TrustsAnswers,
    Divides,
    RulesOtherwise,
}

fn judge(flaw: Flaw) -> Flawed {
    Flawed { flaw, inputs: vec![InputSpec::required("text", InputKind::Text, "The text.")], asked: AtomicU32::new(0) }
}

impl Judge for Flawed {
    fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    fn metrics(&self) -> &[MetricSpec] {
        &[]
    }

    fn headline(&self) -> &str {
        "score"
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&"flawed")
    }

    fn step(&self, case: &Case, answers: &Answers) -> Step {
        let Some(answer) = answers.get("q") else {
            let count = self.asked.fetch_add(1, Ordering::SeqCst);
            let mut text = json!(case.text("text")).to_string();
            match self.flaw {
                Flaw::AsksAnew => text.push_str(&count.to_string()),
                Flaw::Obeys => case.text("text").clone_into(&mut text),
                _ => {}
            }
            let schema = json!({"type": "object", "properties": {"score": {"type": "integer", "minimum": 0, "maximum": 5}}, "required": ["score"]});
            return Step::Ask(vec![Question {
                name: "q".to_owned(),
                messages: vec![Message::system("Judge."), Message::user(text)],
                schema: AnswerSchema { name: "answer".to_owned(), schema },
                sample: 0,
            }]);
        };
        let score = answer.value.get("score").and_then(Value::as_f64);
        let score = match self.flaw {
            Flaw::TrustsAnswers => Some(score.expect("a score")),
            Flaw::Divides => Some(score.unwrap_or(0.0) / 0.0),
            _ => score,
        };
        let mut judgment = Judgment::default();
        judgment.metrics.insert("score".to_owned(), Metric::score(score, Method::Llm));
        Step::Done(Box::new(judgment))
    }

    fn stand_in(&self, _case: &Case, _question: &Question) -> Option<Value> {
        None
    }

    fn rule(&self, case: &Case, answers: Answers) -> Ruling {
        match self.flaw {
            Flaw::RulesOtherwise => Ruling::Judged(Box::default()),
            _ => rule_in_turn(self, case, answers),
        }
    }

    fn summarise(&self) -> Box<dyn Summarise> {
        struct Nothing;
        impl Summarise for Nothing {
            fn add(&mut self, _case: &Case, _judgment: &Judgment) {}
            fn finish(self: Box<Self>) -> Summary {
                Summary::default()
            }
        }
        Box::new(Nothing)
    }
}

fn check(flaw: Flaw) {
    let inputs = [("text".to_owned(), json!("hello"))].into_iter().collect();
    let case = Case {
        id: "c1".to_owned(),
        model: Case::DEFAULT_MODEL.to_owned(),
        tags: Vec::new(),
        inputs,
        metadata: serde_json::Map::default(),
    };
    check_system(&judge(flaw), &[case]);
}

#[test]
fn a_sound_judge_passes() {
    check(Flaw::None);
}

#[test]
#[should_panic(expected = "another question on the second run")]
fn a_judge_that_asks_anew_is_found() {
    check(Flaw::AsksAnew);
}

#[test]
#[should_panic(expected = "starts a line of its own")]
fn a_judge_that_puts_text_in_raw_is_found() {
    check(Flaw::Obeys);
}

#[test]
#[should_panic(expected = "a score")]
fn a_judge_that_trusts_answers_is_found() {
    check(Flaw::TrustsAnswers);
}

#[test]
#[should_panic(expected = "is not a number")]
fn a_judge_that_divides_by_nothing_is_found() {
    check(Flaw::Divides);
}

#[test]
#[should_panic(expected = "its rules come to something else")]
fn a_judge_with_two_sorts_of_rules_is_found() {
    check(Flaw::RulesOtherwise);
}
