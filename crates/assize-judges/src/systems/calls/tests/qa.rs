use super::*;

/// Questions with marks given and expected, all reasons alike.
fn qa(kind: &str, marks: &[(f64, f64, f64)]) -> Value {
    let questions = |pick: &dyn Fn(&(f64, f64, f64)) -> f64| -> Vec<Value> {
        marks
            .iter()
            .enumerate()
            .map(|(index, mark)| {
                json!({"question_id": format!("Q{}", index + 1), "score": pick(mark), "max_score": mark.2, "type": kind, "reason": "as agreed"})
            })
            .collect()
    };
    json!({
        "task": "qa", "model_output": {"questions": questions(&|mark| mark.0)},
        "expected_outcome": {"questions": questions(&|mark| mark.1)},
    })
}

fn judged(record: Value) -> Judgment {
    let judge = build("{}");
    let case = case(&*judge, record);
    offline(&*judge, &case)
}

/// The 24 questions of a real scorecard: three missed passes, and 8 of 10 where nothing is due.
pub(super) fn twenty_four() -> Value {
    let maxima = [3, 5, 3, 5, 5, 8, 3, 5, 4, 3, 5, 3, 4, 3, 5, 10, 10, 5, 3, 2, 3, 3, 1, 1];
    let marks: Vec<(f64, f64, f64)> = maxima
        .iter()
        .enumerate()
        .map(|(index, max)| {
            let max = f64::from(*max);
            match index + 1 {
                8 | 14 | 15 => (0.0, max, max),
                17 => (8.0, 0.0, max),
                _ => (max, max, max),
            }
        })
        .collect();
    qa("PASS_FAIL", &marks)
}

#[test]
fn eighteen_of_twenty() {
    let marks: Vec<(f64, f64, f64)> =
        (0..20).map(|index| if index < 2 { (0.0, 5.0, 5.0) } else { (5.0, 5.0, 5.0) }).collect();
    let judgment = judged(qa("PASS_FAIL", &marks));
    let metric = &judgment.metrics["qa.question_score_accuracy"];
    assert_eq!(
        (metric.value, metric.n, metric.rating, metric.method),
        (Some(0.9), 20, Some(Rating::Acceptable), Method::Code)
    );
}

#[test]
fn gaps_are_shares_of_their_own_maximum() {
    let judgment = judged(qa("SCORE", &[(4.0, 5.0, 5.0), (1.0, 2.0, 2.0), (8.0, 9.0, 10.0)]));
    assert_value(&judgment, "qa.score_gap_accuracy", 0.7333);
    // Only the last is within a tenth of its scale.
    assert_value(&judgment, "qa.question_score_accuracy", 1.0 / 3.0);
}

#[test]
fn half_a_point_on_five_is_right_and_more_is_wrong() {
    let judgment = judged(qa("SCORE", &[(4.5, 5.0, 5.0), (4.4, 5.0, 5.0), (2.0, 3.0, 10.0), (1.9, 3.0, 10.0)]));
    assert_eq!(judgment.metrics["qa.question_score_accuracy"].value, Some(0.5));
    assert_eq!(judgment.value("qa.false_pass_rate"), None);
}

#[test]
fn the_real_scorecard_of_twenty_four_questions() {
    let judgment = judged(twenty_four());
    assert_value(&judgment, "qa.question_score_accuracy", 0.8333);
    assert_value(&judgment, "qa.score_gap_accuracy", 0.8417);
    assert_value(&judgment, "qa.false_pass_rate", 4.1667);
    assert_eq!(judgment.metrics["qa.false_pass_rate"].rating, Some(Rating::Blocker));
    assert_eq!(
        judgment.labels["false_passes"],
        json!([{"question_id": "Q17", "score": 8.0, "max_score": 10.0, "expected": 0}])
    );
    assert_eq!(judgment.labels["partial_mark_on_pass_fail"], json!(["Q17"]));
    assert!(judgment.value("qa.score").is_some(), "the formula does not make it invalid");
    assert!(judgment.flags.contains(&"blocker".to_owned()));
}

#[test]
fn reasons_are_counted_from_labels_and_looked_up_in_code() {
    let judge = build("{}");
    let reasons = [
        "The agent said 'Good morning, how can I help?'",
        "Agent was polite",
        "The agent said 'this call is recorded'",
        "",
    ];
    let entries = |reason: &dyn Fn(usize) -> String| -> Vec<Value> {
        (0..4)
            .map(|index| json!({"question_id": index + 1, "score": 5, "max_score": 5, "type": "PASS_FAIL", "reason": reason(index)}))
            .collect()
    };
    let case = case(
        &*judge,
        json!({
            "task": "qa", "model_output": {"questions": entries(&|index| reasons[index].to_owned())},
            "expected_outcome": {"questions": entries(&|_| "greeting".into())},
        }),
    );
    let label = |item: u32, has_evidence: bool, factual: bool| json!({"item": item, "note": "n", "has_evidence": has_evidence, "factual": factual});
    let claim = json!({"metric": "qa.evidence_backed_reasoning", "score": 0.9, "expected_outcome_reference": "r", "model_output_observed": "o", "reason": "x"});
    let reply =
        json!({"reasons": [label(1, true, true), label(2, false, true), label(3, true, true)], "claimed": [claim]});
    let judgment = judge_with(&*judge, &case, &[("qa", reply)]);
    // (2 with evidence + 3 factual) of 2 × 4 reasons, the empty one being neither.
    let metric = &judgment.metrics["qa.evidence_backed_reasoning"];
    assert_eq!((metric.value, metric.n, metric.method), (Some(0.625), 8, Method::Llm));
    // The third quotation is nowhere in the call, and the judge called it factual.
    assert!(judgment.flags.contains(&"evidence_mismatch".to_owned()));
    assert_eq!(judgment.labels["reasons"][2]["mismatch"], json!(true));
    assert_eq!(judgment.labels["reasons"][0].get("mismatch"), None);
    assert_eq!(judgment.claimed["qa.evidence_backed_reasoning"]["score"], json!(0.9));
    assert!(judgment.flags.contains(&"qa.evidence_backed_reasoning_differs".to_owned()));
    // Labels that leave out, repeat or invent an item are sent back.
    let question = &questions(&*judge, &case)[0];
    let said = drive::violations(
        &*judge,
        &case,
        &question.name,
        &json!({"reasons": [label(1, true, true), label(1, true, true), label(9, true, true)], "claimed": []}),
    );
    assert_eq!(said.len(), 3, "{said:?}");
}

#[test]
fn offline_reasons_follow_their_citations() {
    let judge = build("{}");
    let mut record = qa("PASS_FAIL", &[(5.0, 5.0, 5.0), (5.0, 5.0, 5.0), (5.0, 5.0, 5.0)]);
    record["model_output"]["questions"][0]["reason"] = json!("The agent opened with \"good morning, how can I help\".");
    record["model_output"]["questions"][1]["reason"] =
        json!("The agent said \"I have cancelled your contract today\".");
    record["model_output"]["questions"][2]["reason"] = json!("The customer wants a refund.");
    let case = case(&*judge, record);
    let judgment = offline(&*judge, &case);
    let labels: Vec<(bool, bool)> = judgment.labels["reasons"]
        .as_array()
        .expect("reasons")
        .iter()
        .map(|reason| (reason["has_evidence"] == json!(true), reason["factual"] == json!(true)))
        .collect();
    assert_eq!(labels, [(true, true), (true, false), (false, true)]);
    assert_eq!(judgment.metrics["qa.evidence_backed_reasoning"].method, Method::Rules);
    assert!(!judgment.flags.contains(&"evidence_mismatch".to_owned()));
}

#[test]
fn every_break_of_structure_is_named_and_nothing_is_scored_or_asked() {
    type Change = fn(&mut Value);
    let changes: [(Change, &str, &str); 5] = [
        (
            |output| {
                let first = output["questions"][0].as_object_mut().expect("an object");
                let reason = first.shift_remove("reason").expect("a reason");
                first.insert("reasoning".into(), reason);
            },
            "renamed",
            "questions[0].reason",
        ),
        (
            |output| {
                output["questions"][0].as_object_mut().expect("an object").shift_remove("max_score");
            },
            "missing",
            "questions[0].max_score",
        ),
        (|output| output["questions"][1]["confidence"] = json!(0.9), "extra", "questions[1].confidence"),
        (|output| output["questions"][1]["score"] = json!("5"), "type", "questions[1].score"),
        (|output| output["questions"] = json!([]), "empty", "questions"),
    ];
    for (change, difference, path) in changes {
        let mut record = qa("PASS_FAIL", &[(5.0, 5.0, 5.0), (5.0, 5.0, 5.0)]);
        change(&mut record["model_output"]);
        let judge = build("benchmarks: true");
        let case = case(&*judge, record);
        assert!(questions(&*judge, &case).is_empty());
        let judgment = conclude(&*judge, &case, &Answers::none());
        let listed = &judgment.labels["structure"]["differences"];
        assert_eq!((&listed[0]["difference"], &listed[0]["path"]), (&json!(difference), &json!(path)), "{listed}");
        assert_eq!(judgment.value("qa.structure_compliance"), Some(0.0));
        assert_eq!(judgment.metrics["qa.structure_compliance"].rating, Some(Rating::Blocker));
        let scored = judgment
            .metrics
            .iter()
            .filter(|(name, metric)| *name != "qa.structure_compliance" && metric.value.is_some());
        assert_eq!(scored.count(), 0);
        assert!(
            judgment.labels["score_is_null"].as_str().is_some_and(|reason| reason.contains("qa.structure_compliance"))
        );
    }
}

#[test]
fn an_output_in_any_form_is_the_same_output() {
    let record = twenty_four();
    let json_text = record["model_output"].to_string();
    let mut toon = String::from("questions[24]{question_id,score,max_score,type,reason}:\n");
    for question in record["model_output"]["questions"].as_array().expect("questions") {
        let text = |key: &str| question[key].as_str().map_or_else(|| question[key].to_string(), str::to_owned);
        toon.push_str(&format!(
            "  {},{},{},{},\"{}\"\n",
            text("question_id"),
            text("score"),
            text("max_score"),
            text("type"),
            text("reason")
        ));
    }
    let forms = [
        json!(json_text),
        json!(format!("Here it is:\n```json\n{json_text}\n```\nDone.")),
        json!(toon),
        json!(format!("```toon\n{toon}```")),
    ];
    let expected = judged(record.clone());
    for (form, read_as) in forms.into_iter().zip(["json", "fenced", "toon", "toon"]) {
        let mut record = record.clone();
        record["model_output"] = form;
        let judgment = judged(record);
        assert_eq!(judgment.labels["structure"]["read_as"], read_as);
        assert_eq!(judgment.value("qa.score"), expected.value("qa.score"));
        assert_eq!(judgment.value("qa.false_pass_rate"), expected.value("qa.false_pass_rate"));
    }
}

#[test]
fn outputs_that_are_none_are_named() {
    for (output, flag) in [
        (json!(""), "output_empty"),
        (json!("   "), "output_empty"),
        (json!("The agent did well and I would give full marks: 5/5."), "output_unreadable"),
        (json!(42), "output_unreadable"),
        (json!([]), "structure_differs"),
        (json!({}), "structure_differs"),
    ] {
        let mut record = qa("PASS_FAIL", &[(5.0, 5.0, 5.0)]);
        record["model_output"] = output.clone();
        let judgment = judged(record);
        assert!(judgment.flags.contains(&flag.to_owned()), "{output}: {:?}", judgment.flags);
        assert_eq!((judgment.value("qa.structure_compliance"), judgment.value("qa.score")), (Some(0.0), None));
    }
}

#[test]
fn missing_unknown_and_duplicated_questions_are_named() {
    let mut record = qa("PASS_FAIL", &[(5.0, 5.0, 5.0), (5.0, 5.0, 5.0), (5.0, 5.0, 5.0), (5.0, 5.0, 5.0)]);
    let questions = record["model_output"]["questions"].as_array_mut().expect("questions");
    questions[1]["question_id"] = json!("Q99");
    questions[2]["question_id"] = json!("Q1");
    questions[3]["score"] = json!(null);
    record["expected_outcome"]["questions"]
        .as_array_mut()
        .expect("questions")
        .push(json!({"question_id": "Q5", "score": null, "max_score": 5, "type": "PASS_FAIL", "reason": "left open"}));
    let judgment = judged(record);
    assert_eq!(judgment.labels["questions_missing"], json!(["Q2", "Q3", "Q5"]));
    assert_eq!(judgment.labels["unknown_question_ids"], json!(["Q99"]));
    assert_eq!(judgment.labels["duplicate_question_ids"], json!(["Q1"]));
    assert_eq!(judgment.labels["scores_missing"], json!(["Q4"]));
    for flag in ["questions_missing", "unknown_question_ids", "duplicate_question_ids", "scores_missing"] {
        assert!(judgment.flags.contains(&flag.to_owned()), "{flag}");
    }
    // A missing question is wrong and has the gap 1.
    assert_eq!(
        (judgment.value("qa.question_score_accuracy"), judgment.value("qa.score_gap_accuracy")),
        (Some(0.25), Some(0.25))
    );
}

#[test]
fn marks_outside_the_scale_are_flagged_and_what_has_no_expected_mark_is_not_counted() {
    let judgment = judged(qa("SCORE", &[(50.0, 5.0, 5.0), (-1.0, 0.0, 5.0), (5.0, 5.0, 5.0)]));
    assert_eq!(judgment.labels["score_out_of_range"], json!(["Q1", "Q2"]));
    // A gap is at most the whole scale: 1, 0.2 and 0.
    assert_value(&judgment, "qa.score_gap_accuracy", 0.6);
    let mut record = qa("PASS_FAIL", &[(5.0, 5.0, 5.0), (5.0, 5.0, 5.0)]);
    record["expected_outcome"]["questions"][1]["score"] = json!(null);
    let judgment = judged(record);
    let metric = &judgment.metrics["qa.question_score_accuracy"];
    assert_eq!((metric.value, metric.n, judgment.metrics["qa.false_pass_rate"].n), (Some(1.0), 1, 1));
    assert_eq!(judgment.labels["expected_scores_missing"], json!(["Q2"]));
}
