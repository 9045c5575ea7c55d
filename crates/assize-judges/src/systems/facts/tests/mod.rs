//! The fact judge through the path that every judge goes through.

mod answers;
mod configuring;
mod example;
mod harper_valley;
mod what_if;

use super::*;
use assize_core::document::parse;
use assize_core::{Answer, Answers, Case, Judgment, Outcome, Question, Step};
use assize_testkit::drive;
use serde_json::{Value, json};

pub(super) fn build(settings: &str) -> Box<dyn Judge> {
    build_or_problems(settings).unwrap_or_else(|problems| panic!("{problems:?}"))
}

pub(super) fn build_or_problems(settings: &str) -> Result<Box<dyn Judge>, Vec<String>> {
    let mut problems = Problems::of("suite.yaml");
    let settings = parse(settings, &mut problems);
    let judge = FactExtraction.build(&JudgeSource::BuiltIn("fact-extraction".into()), settings.as_ref(), &mut problems);
    problems.into_result(judge).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

pub(super) fn case_of(record: Value) -> Case {
    let Value::Object(mut record) = record else { unreachable!("an object literal") };
    record.entry("id").or_insert(json!("c1"));
    record.entry("transcript").or_insert(json!("Adviser: What do you own? Client: A house."));
    Case::read(record, &build("{}").spec().inputs).expect("a valid case")
}

pub(super) fn fact(id: &str, fact_type: &str, fields: Value) -> Value {
    json!({"id": id, "fact_type": fact_type, "fields": fields})
}

pub(super) fn ask(judge: &dyn Judge, case: &Case) -> Question {
    drive::questions(judge, case, &Answers::none()).remove(0)
}

/// The judgment that follows from a model's reply, which must be valid.
pub(super) fn judge_reply(judge: &dyn Judge, case: &Case, reply: Value) -> Judgment {
    let question = ask(judge, case);
    let validator = jsonschema::validator_for(&question.schema.schema).expect("a valid schema");
    assert!(
        validator.is_valid(&reply),
        "{:?}",
        validator.iter_errors(&reply).map(|error| error.to_string()).collect::<Vec<_>>()
    );
    assert_eq!(drive::violations(judge, case, &question.name, &reply), Vec::<String>::new());
    let mut answer = Answer::from_rules(&question.name, reply);
    answer.source = assize_core::answer::Source::Model;
    conclude(judge, case, question, answer)
}

pub(super) fn judge_offline(judge: &dyn Judge, case: &Case) -> Judgment {
    let question = ask(judge, case);
    let value = drive::stand_in(judge, case, &question.name).expect("rules");
    assert_eq!(
        drive::violations(judge, case, &question.name, &value),
        Vec::<String>::new(),
        "the rules' own answer is valid"
    );
    let validator = jsonschema::validator_for(&question.schema.schema).expect("a valid schema");
    assert!(validator.is_valid(&value));
    let answer = Answer::from_rules(&question.name, value);
    conclude(judge, case, question, answer)
}

fn conclude(judge: &dyn Judge, case: &Case, question: Question, answer: Answer) -> Judgment {
    let mut answers = Answers::none();
    answers.insert(question.name, answer);
    drive::judgment(judge, case, &answers)
}

/// What a model answers: the predictions with the gold facts they state.
pub(super) fn reply(links: &[(&str, &[&str])]) -> Value {
    let fact = |(id, gold): &(&str, &[&str])| json!({"id": id, "matched_gold_ids": gold});
    json!({"predicted_facts": links.iter().map(fact).collect::<Vec<_>>(), "notes": null})
}
