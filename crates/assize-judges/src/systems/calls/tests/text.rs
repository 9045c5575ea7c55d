use super::*;

fn sentiment(labels: &[&str]) -> Value {
    let entries = labels.iter().enumerate().map(|(index, label)| {
        let label = if label.is_empty() { Value::Null } else { json!(label) };
        json!({"sentence_id": index + 1, "text": "…", "label": label})
    });
    Value::Array(entries.collect())
}

fn summary() -> Value {
    json!({
        "call_purpose": "Customer requesting refund for duplicate charge",
        "highlights": ["Agent confirmed duplicate charge", "Refund initiated for $49"],
        "call_extracted_info": {"customer_name": "Priya Sharma", "issue_type": "Billing", "resolution": "Refund approved", "follow_up": "Credit in 3–5 business days"},
    })
}

fn record(given: &[&str], expected: &[&str]) -> Value {
    let emotion = json!({"anger": 60, "neutral": 30, "joy": 10});
    json!({
        "task": "text",
        "transcript": "Priya Sharma: I was charged twice. Agent: I confirm the duplicate charge, the refund of $49 is approved and initiated, credit in 3 to 5 business days.",
        "model_output": {"sentiment": sentiment(given), "summary": summary(), "emotion": emotion},
        "expected_outcome": {"sentiment": sentiment(expected), "summary": summary(), "emotion": emotion},
    })
}

fn reply(intent: &str) -> Value {
    json!({
        "intent_note": "n", "intent": intent,
        "highlights": [{"item": 1, "note": "", "expected_item": 1, "accurate": true}, {"item": 2, "note": "", "expected_item": 2, "accurate": true}],
        "facts": [{"fact": "a refund", "support": "transcript"}, {"fact": "$49", "support": "expected"}], "claimed": [],
    })
}

fn judged(record: Value, reply: Value) -> Judgment {
    let judge = build("{}");
    let case = case(&*judge, record);
    judge_with(&*judge, &case, &[("text", reply)])
}

#[test]
fn all_neutral_is_exposed_by_the_macro_f1() {
    let expected: Vec<&str> = [vec!["positive"; 5], vec!["neutral"; 30], vec!["negative"; 5]].concat();
    let judgment = judged(record(&["neutral"; 40], &expected), reply("equivalent"));
    assert_eq!(judgment.value("text.sentiment_accuracy"), Some(0.75));
    assert_value(&judgment, "text.sentiment_macro_f1", 0.285_714);
    assert_eq!(judgment.metrics["text.sentiment_macro_f1"].rating, Some(Rating::Fail));
}

#[test]
fn a_class_that_occurs_nowhere_is_left_out_of_the_mean() {
    let judgment = judged(record(&["neutral", "neutral"], &["neutral", "positive"]), reply("equivalent"));
    // Neutral 2/3, positive 0; there is no negative sentence and none was predicted.
    assert_value(&judgment, "text.sentiment_macro_f1", 1.0 / 3.0);
}

#[test]
fn missing_labels_warn_and_then_block() {
    let expected = ["neutral"; 6];
    let mut two = record(&["neutral"; 6], &expected);
    for sentence in [1, 3] {
        two["model_output"]["sentiment"][sentence]["label"] = json!(" ");
    }
    let two = judged(two, reply("equivalent"));
    assert_eq!(
        (two.value("text.missing_label_count"), two.metrics["text.missing_label_count"].rating),
        (Some(2.0), Some(Rating::Acceptable))
    );
    assert_eq!(two.labels["warnings"][0]["metric"], "text.missing_label_count");
    assert_eq!(two.labels["labels_left_out"], json!(["2", "4"]));
    assert!(two.value("text.score").is_some());
    // Leaving the entry out is leaving the label out.
    let mut three = record(&["neutral"; 6], &expected);
    three["model_output"]["sentiment"].as_array_mut().expect("a list").truncate(3);
    let three = judged(three, reply("equivalent"));
    assert_eq!((three.value("text.missing_label_count"), three.value("text.score")), (Some(3.0), None));
    assert_eq!(three.labels["sentences_missing"], json!(["4", "5", "6"]));
    assert_eq!(three.value("text.sentiment_accuracy"), Some(0.5));
}

#[test]
fn labels_and_ids_that_do_not_exist_are_named() {
    let mut given = record(&["neutral", "mixed", "NEUTRAL"], &["neutral"; 3]);
    given["model_output"]["sentiment"][2]["sentence_id"] = json!(77);
    given["model_output"]["sentiment"]
        .as_array_mut()
        .expect("a list")
        .push(json!({"sentence_id": 1, "text": "", "label": "negative"}));
    let judgment = judged(given, reply("equivalent"));
    assert_eq!(judgment.labels["unknown_labels"], json!(["2"]));
    assert_eq!(judgment.labels["unknown_sentence_ids"], json!(["77"]));
    assert_eq!(judgment.labels["duplicate_sentence_ids"], json!(["1"]));
    assert_value(&judgment, "text.sentiment_accuracy", 1.0 / 3.0);
}

#[test]
fn the_intent_is_one_label() {
    for (label, value, rating) in
        [("equivalent", 1.0, Rating::Good), ("partial", 0.5, Rating::Acceptable), ("wrong", 0.0, Rating::Blocker)]
    {
        let judgment = judged(record(&["neutral"], &["neutral"]), reply(label));
        let metric = &judgment.metrics["text.call_intent_match"];
        assert_eq!((metric.value, metric.rating, metric.method), (Some(value), Some(rating), Method::Llm));
        assert_eq!(judgment.value("text.score").is_none(), label == "wrong");
    }
}

#[test]
fn highlights_and_facts_are_counted_from_labels() {
    let mut given = record(&["neutral"], &["neutral"]);
    given["expected_outcome"]["summary"]["highlights"] = json!(["a", "b", "c", "d"]);
    given["model_output"]["summary"]["highlights"] = json!(["A", "B, for $99", "b again"]);
    let mut reply = reply("equivalent");
    reply["highlights"] = json!([
        {"item": 1, "note": "", "expected_item": 1, "accurate": true}, {"item": 2, "note": "$49", "expected_item": 2, "accurate": false},
        {"item": 3, "note": "", "expected_item": 2, "accurate": true},
    ]);
    reply["facts"] = json!(
        vec![json!({"fact": "f", "support": "transcript"}); 39]
            .into_iter()
            .chain([json!({"fact": "10% discount", "support": "neither"})])
            .collect::<Vec<_>>()
    );
    let judgment = judged(given, reply);
    // Two of the four expected highlights are linked, two of the three given are accurate.
    assert_value(&judgment, "text.highlight_recall", 0.5);
    assert_value(&judgment, "text.highlight_correctness", 0.6667);
    assert_eq!(judgment.labels["highlights_missed"], json!(["c", "d"]));
    assert_value(&judgment, "text.fabrication_free_rate", 0.975);
    assert_value(&judgment, "text.hallucination_rate", 2.5);
    assert_eq!(judgment.metrics["text.fabrication_free_rate"].rating, Some(Rating::Fail));
}

#[test]
fn more_than_three_percent_fabricated_is_a_blocker_that_is_listed_once() {
    let mut answer = reply("equivalent");
    answer["facts"] = json!([{"fact": "f", "support": "transcript"}, {"fact": "g", "support": "neither"}]);
    let judgment = judged(record(&["neutral"], &["neutral"]), answer);
    assert_eq!(judgment.labels["blockers"].as_array().map(Vec::len), Some(1));
    assert_eq!(judgment.metrics["text.hallucination_rate"].rating, Some(Rating::Blocker));
    assert_eq!(judgment.value("text.score"), None);
}

#[test]
fn a_field_is_present_only_where_it_says_something() {
    let mut given = record(&["neutral"], &["neutral"]);
    given["model_output"]["summary"]["call_extracted_info"]["follow_up"] = json!(" N/A ");
    let judgment = judged(given, reply("equivalent"));
    assert_value(&judgment, "text.required_field_presence", 0.75);
    assert_eq!(judgment.labels["fields_empty"], json!(["follow_up"]));
}

#[test]
fn the_strongest_emotion_decides_and_ties_are_sets() {
    for (expected, given, correct) in [
        (json!({"anger": 60, "joy": 10}), json!({"anger": 34, "joy": 33}), Some(1.0)),
        (json!({"anger": 60, "joy": 10}), json!({"anger": 10, "joy": 60}), Some(0.0)),
        (json!({"anger": 50, "joy": 50}), json!({"anger": 40, "joy": 40}), Some(1.0)),
        (json!({"anger": 50, "joy": 50}), json!({"anger": 50, "joy": 40}), Some(0.0)),
        (
            json!({"agent": {"joy": 5}, "customer": {"joy": 60}}),
            json!({"agent": {"joy": 70}, "customer": {"joy": 1}}),
            Some(0.0),
        ),
        (
            json!({"agent": {"anger": 5, "calm": 1}, "customer": {"anger": 60, "calm": 2}}),
            json!({"agent": {"anger": 60, "calm": 2}, "customer": {"anger": 5, "calm": 1}}),
            Some(0.0),
        ),
        (json!({"anger": 0, "joy": 0}), json!({"anger": 1, "joy": 0}), None),
    ] {
        let mut record = record(&["neutral"], &["neutral"]);
        record["expected_outcome"]["emotion"] = expected.clone();
        record["model_output"]["emotion"] = given;
        assert_eq!(
            judged(record, reply("equivalent")).value("text.dominant_emotion_correctness"),
            correct,
            "{expected}"
        );
    }
}

#[test]
fn offline_the_rules_see_wrong_amounts_and_not_wrong_meanings() {
    let judge = build("{}");
    let mut given = record(&["neutral"], &["neutral"]);
    given["model_output"]["summary"]["highlights"] =
        json!(["Agent confirmed duplicate charge", "Refund initiated for $99"]);
    let case = case(&*judge, given);
    let judgment = offline(&*judge, &case);
    assert_eq!(
        (judgment.value("text.highlight_recall"), judgment.value("text.highlight_correctness")),
        (Some(1.0), Some(0.5))
    );
    assert_eq!(judgment.value("text.call_intent_match"), Some(1.0));
    let fabricated: Vec<&Value> = judgment.labels["facts"]
        .as_array()
        .expect("facts")
        .iter()
        .filter(|fact| fact["support"] == "neither")
        .collect();
    assert_eq!(fabricated.len(), 1, "{fabricated:?}");
    assert_eq!(judgment.metrics["text.fabrication_free_rate"].method, Method::Rules);
}
