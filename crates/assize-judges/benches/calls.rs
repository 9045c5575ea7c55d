//! How long it takes to score 10,000 calls of 60 sentences, offline, on two threads, and to make the scorecard.
//!
//! `cargo bench -p assize-judges --bench calls`
//!
//! Every third reason, label and translation differs from the expected one, so that nothing is saved by texts being equal.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark has a clock, and prints what it measured"
)]

use assize_core::document::Problems;
use assize_core::judge::by_rules;
use assize_core::{Answers, Case, Judge, JudgeSource, JudgeSystem, Judgment, Outcome, Parsed};
use assize_judges::systems::calls::CallIntelligence;
use serde_json::{Value, json};
use std::time::Instant;

const CASES: usize = 10_000;
const SENTENCES: usize = 60;

fn main() {
    let mut problems = Problems::of("suite.yaml");
    let judge = CallIntelligence
        .build(&JudgeSource::BuiltIn("call-intelligence".into()), None, &mut problems)
        .expect("the judge needs no settings");
    let cases: Vec<Case> = (0..CASES).map(|number| case(&*judge, number)).collect();
    let started = Instant::now();
    let half = CASES / 2;
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| cases[half..].iter().map(|case| offline(&*judge, case)).collect::<Vec<_>>());
        let first: Vec<Judgment> = cases[..half].iter().map(|case| offline(&*judge, case)).collect();
        (first, second.join().expect("no panic"))
    });
    let scored = started.elapsed();
    let mut summary = assize_judges::summary::summary_of(&*judge);
    for (case, judgment) in cases.iter().zip(first.iter().chain(&second)) {
        summary.add(case, judgment);
    }
    let summary = summary.finish();
    let total = started.elapsed();
    println!("{CASES} cases of {SENTENCES} sentences: {scored:.2?} to score, {:.2?} to summarise", total - scored);
    println!("models: {}", summary.models.len());
    for task in 0..4 {
        let started = Instant::now();
        let judged =
            cases.iter().skip(task).step_by(4).take(250).map(|case| offline(&*judge, case)).collect::<Vec<_>>().len();
        println!("{}: {:.2?} a case", cases[task].text("task"), started.elapsed() / judged as u32);
    }
}

fn case(judge: &dyn Judge, number: usize) -> Case {
    let task = ["qa", "entity", "text", "translation"][number % 4];
    let text = |index: usize| {
        format!(
            "The customer number {index} was charged {} dollars and wants a refund on account {number}",
            index * 7 % 50
        )
    };
    let label = |id: usize| ["positive", "neutral", "negative"][id % 3];
    let off = |id: usize| id.is_multiple_of(3);
    let ids = 1..=SENTENCES;
    let transcript: Vec<Value> =
        ids.clone().map(|id| json!({"id": id, "speaker": "agent", "text": text(id), "start": id * 5})).collect();
    let written = |by_model: bool| match task {
        "qa" => {
            let reason = |id: usize| match by_model && off(id) {
                true => {
                    format!("The agent said \"the customer {id} was charged {} dollars\" at 00:{id:02}", id * 7 % 50)
                }
                false => format!("\"{}\" at 00:{id:02}", text(id)),
            };
            let score = |id: usize| if by_model && id == 24 { 0 } else { 5 };
            json!({"questions": (1..=24).map(|id| json!({"question_id": id, "score": score(id), "max_score": 5, "type": "PASS_FAIL", "reason": reason(id)})).collect::<Vec<_>>()})
        }
        "entity" => json!({
            "detected_keywords": ["refund", "account", if by_model { "payment" } else { "insurance" }], "detected_topics": ["billing"],
        }),
        "text" => {
            let said = |id: usize| if by_model && off(id) { label(id + 1) } else { label(id) };
            let highlights =
                if by_model { [text(3), text(2).replace("wants a refund", "is unhappy")] } else { [text(2), text(3)] };
            json!({
                "sentiment": ids.clone().map(|id| json!({"sentence_id": id, "text": text(id), "label": said(id)})).collect::<Vec<_>>(),
                "summary": {"call_purpose": text(1), "highlights": highlights, "call_extracted_info": {"amount": "7 dollars"}}, "emotion": {"anger": 3, "joy": 1},
            })
        }
        _ => {
            let translated = |id: usize| match by_model && off(id) {
                true => format!("{} ist übersetzt", text(id).replace("wants", "möchte")),
                false => format!("{} übersetzt", text(id)),
            };
            json!({
                "sentence_translations": ids.clone().map(|id| json!({"source_id": id, "source_text": text(id), "translated_text": translated(id)})).collect::<Vec<_>>(),
                "domain_terms_handled": [{"term": "refund", "handled_as": "refund"}],
            })
        }
    };
    let config = json!({"keywords": ["refund", "account", "payment", "insurance"], "topics": ["billing"]});
    let record = json!({
        "id": number.to_string(), "model": format!("m{}", number % 3), "task": task, "transcript": transcript,
        "model_output": written(true), "expected_outcome": written(false), "config": config,
    });
    let Value::Object(record) = record else { unreachable!("an object literal") };
    Case::read(record, &judge.spec().inputs).expect("a valid case")
}

fn offline(judge: &dyn Judge, case: &Case) -> Judgment {
    let parsed = Parsed::default();
    let open = judge.open(case, &parsed).unwrap_or_else(|outcome| panic!("{outcome:?}"));
    match by_rules(&*open, Answers::none()) {
        Outcome::Judged(judgment) => *judgment,
        other => panic!("{other:?}"),
    }
}
