use super::*;

fn record() -> Value {
    json!({
        "task": "qa", "transcript": "Agent: hello\nCustomer: my bill is wrong\nAgent: I will refund $49\nCustomer: thanks",
        "question": "Did the agent offer a refund?", "instructions": "Give a mark and a reason.",
        "model_output": {"questions": [question("Q1", 5, 5, "PASS_FAIL"), question("Q2", 2, 5, "SCORE")]},
        "expected_outcome": {"questions": [question("Q1", 5, 5, "PASS_FAIL"), question("Q2", 3, 5, "SCORE")]},
    })
}

fn reply() -> Value {
    let claim = |support: &str, is_fact: bool, agreement: &str| json!({"claim": "c", "support": support, "is_fact": is_fact, "agreement": agreement});
    json!({
        "claims": [claim("transcript", true, "agrees"), claim("expected", true, "agrees"), claim("transcript", false, "not_covered"), claim("neither", true, "contradicts")],
        "expected_facts": [{"fact": "f", "stated": "correct"}, {"fact": "f", "stated": "correct"}, {"fact": "f", "stated": "correct"}, {"fact": "f", "stated": "missing"}],
        "pieces_used": [2, 3], "pieces_needed": [3, 4, 3],
        "steps": [{"step": "s", "soundness": "sound"}, {"step": "s", "soundness": "partial"}],
        "instructions": [{"instruction": "mark", "followed": true}, {"instruction": "reason", "followed": true}], "claimed": [],
    })
}

#[test]
fn every_benchmark_is_counted_from_its_labels() {
    let judge = build("benchmarks: true");
    let case = case(&*judge, record());
    assert_eq!(questions(&*judge, &case).len(), 2, "one call for the task and one for all benchmarks");
    let judgment = judge_with(&*judge, &case, &[("benchmarks", reply())]);
    assert_value(&judgment, "benchmark.faithfulness", 0.75);
    assert_value(&judgment, "benchmark.hallucination_rate", 100.0 / 3.0);
    assert_value(&judgment, "benchmark.contextual_precision", 0.5);
    assert_value(&judgment, "benchmark.contextual_recall", 0.5);
    assert_value(&judgment, "benchmark.contextual_relevancy", 0.5);
    assert_value(&judgment, "benchmark.argument_correctness", 0.75);
    assert_value(&judgment, "benchmark.instruction_following", 1.0);
    // One of two marks; what is copied from the scorecard of questions does not count.
    assert_value(&judgment, "benchmark.exact_match", 0.5);
    // 3 right, 1 missing, 1 wrong: F1 0.75; the two texts are the same.
    assert_eq!(judgment.labels["answer_correctness"], json!({"f1": 0.75, "semantic_similarity": 1.0}));
    assert_value(&judgment, "benchmark.answer_correctness", 0.875);
    assert_eq!(
        (judgment.value("benchmark.answer_correctness_pass"), judgment.value("benchmark.faithfulness_pass")),
        (Some(1.0), Some(0.0))
    );
    // Ten apply (there is one run): correctness and instructions pass, and letters cannot say how relevant an answer is.
    let score = &judgment.metrics["benchmark.score"];
    assert_eq!((score.value, score.bounds, score.n), (None, Some(Bounds(0.2, 0.3)), 10));
    assert!(!judgment.metrics.contains_key("benchmark.consistency"));
}

#[test]
fn what_does_not_apply_is_undefined_and_not_counted() {
    let judge = build("benchmarks: true");
    let mut given = record();
    given.as_object_mut().expect("an object").retain(|key, _| key != "question" && key != "instructions");
    let case = case(&*judge, given);
    let mut reply = reply();
    for list in ["claims", "expected_facts", "pieces_used", "pieces_needed", "steps"] {
        reply[list] = json!([]);
    }
    let judgment = judge_with(&*judge, &case, &[("benchmarks", reply)]);
    let defined: Vec<&str> = judgment
        .metrics
        .iter()
        .filter(|(name, metric)| name.starts_with("benchmark.") && metric.value.is_some())
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(defined, ["benchmark.exact_match", "benchmark.exact_match_pass", "benchmark.score"]);
    assert_eq!(judgment.metrics["benchmark.score"].n, 1);
    let question = &questions(&*judge, &case)[1];
    assert_eq!(
        drive::violations(&*judge, &case, &question.name, &json!({"pieces_used": [9], "pieces_needed": []})).len(),
        1
    );
}

#[test]
fn without_the_setting_nothing_is_asked_and_nothing_listed() {
    let judge = build("{}");
    let case = case(&*judge, record());
    assert_eq!(questions(&*judge, &case).len(), 1);
    assert!(judge.spec().metrics.iter().all(|metric| !metric.name.starts_with("benchmark.")));
}

fn runs(id: &str, marks: &[u32]) -> Vec<Value> {
    let runs = marks.iter().enumerate().map(|(run, mark)| {
        let mut record = record();
        record["id"] = json!(id);
        record["run"] = json!(run + 1);
        record["model_output"]["questions"][1]["score"] = json!(mark);
        record
    });
    runs.collect()
}

#[test]
fn consistency_is_over_the_runs_of_one_case() {
    let judge = build("benchmarks: true");
    let consistency = |records: Vec<Value>| {
        let card = summarise(&*judge, records).models["default"].clone();
        let metric = &card.metrics["benchmark.consistency"];
        (metric.value, metric.n, card.metrics["benchmark.consistency_pass"].value)
    };
    assert_eq!(consistency(runs("c", &[3, 3, 3])), (Some(1.0), 1, Some(1.0)));
    // The scores are 1, 1 and 1 − 0.35 − 0.2·0.3 = 0.59: their mean is 0.863333, their deviation √0.037356 = 0.193276.
    let (value, n, pass) = consistency(runs("c", &[3, 3, 0]));
    assert!(close(value, 0.776_128), "{value:?}");
    assert_eq!((n, pass), (1, Some(0.0)));
    // Another case is another input, and its runs are not these.
    let two = runs("c", &[3, 3, 0]).into_iter().chain(runs("d", &[0, 0])).collect();
    assert!(close(consistency(two).0, (0.776_128 + 1.0) / 2.0));
    assert_eq!(consistency(vec![record()]).0, None);
    assert_eq!(consistency(runs("c", &[3])).0, None);
}

#[test]
fn an_invalid_run_counts_against_the_consistency() {
    let judge = build("benchmarks: true");
    let mut records = runs("c", &[3, 3]);
    records[1]["model_output"]["questions"][0]["extra"] = json!(1);
    let card = summarise(&*judge, records).models["default"].clone();
    // The scores are 1 and 0: their mean is 0.5 and so is their deviation.
    assert_eq!(card.metrics["benchmark.consistency"].value, Some(0.0));
    assert_eq!(card.metrics["benchmark.consistency_pass"].value, Some(0.0));
}

#[test]
fn repetitions_of_a_call_weigh_as_one_call() {
    let judge = build("{}");
    // Q1 of two is always right, Q2 in the first of three runs of one call and in the other call: 2 of 4 + 1/3.
    let mut records = runs("c", &[3, 0, 0]);
    let mut other = record();
    other["id"] = json!("d");
    other["model_output"]["questions"][1]["score"] = json!(0);
    records.push(other);
    let card = summarise(&*judge, records).models["default"].clone();
    let accuracy = &card.metrics["qa.question_score_accuracy"];
    assert!(close(accuracy.value, (1.0 + 1.0 / 3.0 + 1.0) / 4.0), "{accuracy:?}");
    assert_eq!(accuracy.n, 4);
}

#[test]
fn runs_of_other_models_or_on_other_inputs_are_no_repeats() {
    let judge = build("benchmarks: true");
    let mut records = runs("c", &[3, 0]);
    records[1]["model"] = json!("other");
    let summary = summarise(&*judge, records.clone());
    assert!(summary.models.values().all(|card| card.metrics["benchmark.consistency"].value.is_none()));
    records[1]["model"] = json!("default");
    records[1]["transcript"] = json!("Agent: another call");
    let card = summarise(&*judge, records).models["default"].clone();
    let consistency = &card.metrics["benchmark.consistency"];
    assert_eq!((consistency.value, consistency.n), (None, 0));
    let notes = card.sections["notes"].to_string();
    assert!(notes.contains("not on the same input") && notes.contains("1 (c)"), "{notes}");
}

#[test]
fn a_blocker_names_the_repeat() {
    let mut records = runs("c", &[3, 3]);
    for side in ["model_output", "expected_outcome"] {
        records[1][side]["questions"][0]["score"] = json!(if side == "model_output" { 5 } else { 0 });
    }
    let card = summarise(&*build("{}"), records).models["default"].clone();
    assert_eq!(card.blockers[0].cases, ["c (run 2)"]);
    let detail = &card.sections["blocker_details"][0]["cases"][0];
    assert_eq!(detail["case"], "c (run 2)");
}
