//! Three kinds of nothing: not tested, not applicable, undecided. And what a check does that cannot be made.

use super::*;
use assize_core::{CaseStatus, Parsed};

fn qa(right: bool) -> Value {
    let mark = |score: u32| json!({"questions": [question("Q1", score, 5, "PASS_FAIL"), question("Q2", score, 5, "PASS_FAIL")]});
    json!({"id": "q", "task": "qa", "model_output": mark(if right { 5 } else { 0 }), "expected_outcome": mark(5)})
}

fn entity(topics: &[&str]) -> Value {
    let found = json!({"detected_keywords": ["refund"], "detected_topics": topics});
    json!({
        "id": "e", "task": "entity", "transcript": "a refund please", "config": {"keywords": ["refund"], "topics": ["billing"]},
        "model_output": found, "expected_outcome": found,
    })
}

/// The summary of cases that were judged offline, and of cases whose judge did not answer.
fn summary(judge: &dyn Judge, judged: Vec<Value>, failed: Vec<Value>) -> Summary {
    let mut summary = crate::summary::summary_of(judge);
    for record in judged {
        let case = case(judge, record);
        summary.add(&case, &offline(judge, &case));
    }
    for record in failed {
        summary.add_unjudged(&case(judge, record), CaseStatus::Failed);
    }
    summary.finish()
}

#[test]
fn a_task_that_could_not_be_judged_does_not_raise_the_final_score() {
    let judge = build("{}");
    let card = summary(&*judge, vec![entity(&[])], vec![qa(false)]).models["default"].clone();
    // Every mark is wrong, whatever the reasons are worth: QA is between 0 and 0.1.
    let qa_score = &card.metrics["qa.score"];
    assert_eq!((qa_score.value, qa_score.bounds), (None, Some(Bounds(0.0, 0.1))));
    assert_eq!(card.metrics["qa.question_score_accuracy"].value, Some(0.0));
    // (0.35 × 0 + 0.30 × 1) / 0.65 and (0.35 × 0.1 + 0.30 × 1) / 0.65.
    let bounds = card.metrics["final.score"].bounds.expect("undecided");
    assert!(close(Some(bounds.0), 0.461_538) && close(Some(bounds.1), 0.515_385), "{bounds:?}");
    assert_eq!(card.sections["final"]["undecided"], json!(["qa"]));
    assert_eq!(card.sections["final"]["not_tested"], json!(["text", "translation"]));
    assert_eq!(card.sections["tasks"]["qa"]["failed"], json!(1));
    assert!(card.sections["notes"].to_string().contains("0.71 … 0.83 is undecided"));
}

#[test]
fn what_no_call_holds_is_not_applicable_and_leaves_its_weight() {
    let summary = summary(&*build("{}"), vec![entity(&[])], Vec::new());
    let card = &summary.models["default"];
    assert_eq!((card.metrics["entity.topic_f1"].value, card.metrics["entity.topic_f1"].bounds), (None, None));
    assert_eq!(card.metrics["entity.score"].value, Some(1.0));
    assert_eq!(card.metrics["final.score"].value, Some(1.0));
    let shown = table::table(&summary);
    let text = |metric: &str| {
        let (_, figure) = shown.figures().find(|(_, figure)| figure.metric == metric).expect("a row");
        figure.cells[0].text.clone()
    };
    assert_eq!(text("entity.topic_f1"), "not applicable");
    assert_eq!((text("qa.score").as_str(), text("final.with_benchmarks").as_str()), ("not tested", "not tested"));
}

#[test]
fn a_task_whose_outputs_are_all_invalid_is_not_left_out() {
    let mut broken = qa(true);
    broken["model_output"] = json!(null);
    let card = summary(&*build("{}"), vec![broken, entity(&[])], Vec::new()).models["default"].clone();
    assert_eq!((card.metrics["qa.score"].value, card.metrics["final.score"].value), (None, None));
    assert_eq!(card.sections["final"]["invalid"], json!(["qa"]));
    assert!(card.disqualified && card.metrics["final.rank"].value.is_none());
}

#[test]
fn a_label_that_is_missing_leaves_bounds() {
    let judge = build("{}");
    let case = case(&*judge, qa(true));
    let mut answers = Answers::none();
    let reply = json!({"reasons": [{"item": 1, "note": "", "has_evidence": true, "factual": false}], "claimed": []});
    answers.insert("qa".into(), Answer::from_rules("qa", reply));
    let judgment = conclude(&*judge, &case, &answers);
    // One of two halves holds; the two of the second reason are open.
    assert_eq!(judgment.metrics["qa.evidence_backed_reasoning"].bounds, Some(Bounds(0.25, 0.75)));
    assert_eq!(judgment.metrics["qa.score"].bounds, Some(Bounds(0.925, 0.975)));
    assert_eq!(judgment.metrics["qa.evidence_backed_reasoning"].rating, Some(Rating::Fail));
}

/// What is wrong with a case, as the run reports it.
fn problems(record: Value) -> Vec<String> {
    let judge = build("{}");
    judge.case_problems(&case(&*judge, record))
}

#[test]
fn a_check_that_cannot_be_made_is_an_error_in_the_case() {
    let typed = |kind: Value| {
        let mut record = qa(true);
        for side in ["model_output", "expected_outcome"] {
            record[side]["questions"][1]["type"] = kind.clone();
        }
        problems(record)
    };
    assert!(typed(json!("pass/fail")).is_empty() && typed(json!("SCORE")).is_empty());
    assert_eq!(
        typed(json!("YES_NO")),
        [
            "the question `Q2` of `expected_outcome` has the type `YES_NO`: write `PASS_FAIL` or `SCORE`, there or in `config.questions`"
        ]
    );
    assert!(typed(json!(""))[0].contains("has no `type`"));
    let mut configured = qa(true);
    configured["expected_outcome"]["questions"][1].as_object_mut().expect("an object").shift_remove("type");
    configured["config"] = json!({"questions": [{"id": "Q2", "type": "PASS_FAIL"}]});
    assert!(problems(configured).is_empty());
    for task in ["qa", "entity", "text", "translation"] {
        let empty = json!({"task": task, "model_output": {}, "expected_outcome": {"note": "nothing of the kind"}});
        let said = problems(empty);
        assert!(said.len() == 1 && said[0].contains(&format!("has nothing for the task `{task}`")), "{said:?}");
    }
    let mut paid = qa(true);
    paid["cost_usd"] = json!(-0.1);
    assert_eq!(problems(paid), ["`cost_usd` is negative: a call costs 0 or more"]);
}

#[test]
fn nothing_that_the_judge_says_of_itself_is_lost_on_a_failed_case() {
    // A case that is none of this judge adds nothing.
    let judge = build("{}");
    let skipped = case(&*judge, json!({"task": "none", "model_output": {}, "expected_outcome": {}}));
    assert!(judge.open(&skipped, &Parsed::default()).is_err());
    let mut summary = crate::summary::summary_of(&*judge);
    summary.add_unjudged(&skipped, CaseStatus::Failed);
    assert!(summary.finish().models.is_empty());
}
