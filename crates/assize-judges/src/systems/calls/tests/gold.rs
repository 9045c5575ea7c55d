//! What is expected, scored against itself, and written as other people write it.

use super::*;

/// The judgment of a record whose output is what is expected.
fn against_itself(settings: &str, mut record: Value) -> Judgment {
    record["model_output"] = record["expected_outcome"].clone();
    let judge = build(settings);
    offline(&*judge, &case(&*judge, record))
}

#[test]
fn reasons_that_nobody_expects_are_not_missed() {
    let gold = json!({"questions": [
        {"question_id": "Q1", "score": 5, "max_score": 5, "type": "PASS_FAIL", "reason": null},
        {"question_id": "Q2", "score": 3, "max_score": 5, "type": "SCORE", "reason": "said \"how can I help\""},
    ]});
    let judgment = against_itself("{}", json!({"task": "qa", "expected_outcome": gold}));
    assert_eq!(judgment.metrics["qa.evidence_backed_reasoning"].n, 2);
    assert_value(&judgment, "qa.score", 1.0);
}

#[test]
fn letters_grade_neither_relevancy_nor_fluency() {
    let gold =
        json!({"sentence_translations": [{"source_id": 1, "source_text": "It is 5.", "translated_text": "Es ist 5."}]});
    let record = json!({"task": "translation", "question": "Translate the call.", "expected_outcome": gold});
    let judgment = against_itself("benchmarks: true", record);
    for open in ["translation.fluency", "benchmark.answer_relevancy"] {
        assert_eq!(judgment.metrics[open].bounds, Some(Bounds(0.0, 1.0)), "{open}");
    }
    // All but the fluency, which weighs 0.10 of what applies: 0.10 + 0.35 + 0.10 + 0.15.
    let bounds = judgment.metrics["translation.score"].bounds.expect("undecided");
    assert!(close(Some(bounds.0), 0.6 / 0.7) && bounds.1 == 1.0, "{bounds:?}");
}

#[test]
fn other_spellings_are_read_and_the_structure_is_that_of_the_names_written() {
    let judge = build("{fields: {punkte: score}}");
    let written = |mark: u32| json!({"qa_results": [{"questionId": "Q1", "punkte": mark, "maxScore": 5, "type": "PASS_FAIL", "reason": "x"}]});
    let judged = |output: Value| {
        let record = json!({"task": "qa", "model_output": output, "expected_outcome": written(5)});
        offline(&*judge, &case(&*judge, record))
    };
    assert_value(&judged(written(5)), "qa.question_score_accuracy", 1.0);
    assert_value(&judged(written(0)), "qa.question_score_accuracy", 0.0);
    let mut renamed = written(5);
    let item = renamed["qa_results"][0].as_object_mut().expect("an object");
    item.shift_remove("maxScore");
    item.insert("max_score".into(), json!(5));
    assert_value(&judged(renamed), "qa.structure_compliance", 0.0);
}

#[test]
fn expected_outcomes_in_toon_and_outputs_with_thoughts_are_read() {
    let judge = build("{}");
    let record = json!({
        "task": "qa", "expected_outcome": "data[question_id|score|max_score|type|reason]:\n  Q1|5|5|PASS_FAIL|greeted",
        "model_output": "<think>{\"data\": []}</think>{\"data\": [{\"question_id\": \"Q1\", \"score\": 5, \"max_score\": 5, \"type\": \"PASS_FAIL\", \"reason\": \"greeted\"}]} Done.",
    });
    let judgment = offline(&*judge, &case(&*judge, record));
    assert_value(&judgment, "qa.structure_compliance", 1.0);
    assert_value(&judgment, "qa.question_score_accuracy", 1.0);
    let mut topics = json!({"task": "entity", "config": {"topics": [{"id": 7, "name": "billing"}]}});
    topics["expected_outcome"] = json!({"detected_topics": [{"topic_id": 7}]});
    topics["model_output"] = json!({"detected_topics": [{"topic_id": 7.0}]});
    assert_value(&offline(&*judge, &case(&*judge, topics)), "entity.topic_f1", 1.0);
}

#[test]
fn null_is_an_empty_output() {
    let judge = build("{}");
    let record = json!({"task": "qa", "model_output": null, "expected_outcome": {"questions": [question("Q1", 5, 5, "PASS_FAIL")]}});
    let judgment = offline(&*judge, &case(&*judge, record));
    assert_eq!((judgment.value("qa.structure_compliance"), judgment.flags[0].as_str()), (Some(0.0), "output_empty"));
}

#[test]
fn ids_are_numbers_whatever_their_point() {
    let judge = build("{}");
    let sentence = |id: Value| json!({"sentence_translations": [{"source_id": id, "source_text": "yes", "translated_text": "ja"}]});
    let record =
        json!({"task": "translation", "model_output": sentence(json!(1.0)), "expected_outcome": sentence(json!(1))});
    assert_value(&offline(&*judge, &case(&*judge, record)), "translation.completeness_rate", 1.0);
}
