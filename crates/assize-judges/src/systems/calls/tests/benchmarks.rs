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
    // Five of the six closed fields: one mark differs.
    assert_value(&judgment, "benchmark.exact_match", 5.0 / 6.0);
    // 3 right, 1 missing, 1 wrong: F1 0.75; the two texts are the same.
    assert_eq!(judgment.labels["answer_correctness"], json!({"f1": 0.75, "semantic_similarity": 1.0}));
    assert_value(&judgment, "benchmark.answer_correctness", 0.875);
    assert_eq!(
        (judgment.value("benchmark.answer_correctness_pass"), judgment.value("benchmark.faithfulness_pass")),
        (Some(1.0), Some(0.0))
    );
    // Ten apply (there is one run): correctness and instructions pass.
    let score = &judgment.metrics["benchmark.score"];
    assert_eq!((score.value, score.n), (Some(0.2), 10));
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
    assert_eq!(judge.violations(&case, question, &json!({"pieces_used": [9], "pieces_needed": []})).len(), 1);
}

#[test]
fn without_the_setting_nothing_is_asked_and_nothing_listed() {
    let judge = build("{}");
    let case = case(&*judge, record());
    assert_eq!(questions(&*judge, &case).len(), 1);
    assert!(judge.metrics().iter().all(|metric| !metric.name.starts_with("benchmark.")));
}

#[test]
fn consistency_is_over_runs_on_the_same_input() {
    let judge = build("benchmarks: true");
    let runs = |marks: [u32; 3]| {
        marks.into_iter().enumerate().map(|(run, mark)| {
            let mut record = record();
            record["id"] = json!(format!("c{run}"));
            record["run"] = json!(run + 1);
            record["model_output"]["questions"][1]["score"] = json!(mark);
            record
        })
    };
    let same = summarise(&*judge, runs([3, 3, 3]));
    let metric = &same.models["default"].metrics["benchmark.consistency"];
    assert_eq!((metric.value, metric.n), (Some(1.0), 1));
    assert_eq!(same.models["default"].metrics["benchmark.consistency_pass"].value, Some(1.0));
    let differing = summarise(&*judge, runs([3, 3, 0]));
    let value = differing.models["default"].metrics["benchmark.consistency"].value;
    // The scores are s, s and s − 0.35 − 0.2·0.3; the spread is that of just these three.
    assert!(value.is_some_and(|value| value < 0.9 && value > 0.5), "{value:?}");
    let single = summarise(&*judge, [record()]);
    assert_eq!(single.models["default"].metrics["benchmark.consistency"].value, None);
    assert_eq!(
        single.models["default"].metrics["benchmark.score"].counts["applicable"],
        single.models["default"].metrics["benchmark.score"].n
    );
}
