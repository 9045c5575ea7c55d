use super::*;

fn record(keywords: (Value, Value), topics: (Value, Value), config: Value) -> Value {
    json!({
        "task": "entity", "config": config,
        "transcript": "Hello, I was billed twice. I want my refund on this account, and please manage the account settings.",
        "model_output": {"detected_keywords": keywords.0, "detected_topics": topics.0},
        "expected_outcome": {"detected_keywords": keywords.1, "detected_topics": topics.1},
    })
}

fn judged(record: Value) -> Judgment {
    let judge = build("{}");
    let case = case(&*judge, record);
    offline(&*judge, &case)
}

#[test]
fn the_worked_examples_of_precision_recall_and_f1() {
    let config = json!({"keywords": ["hello", "refund", "account", "cancel"], "topics": ["billing", "account_management", "refund_policy"]});
    let judgment = judged(record(
        (json!(["hello", "refund", "cancel"]), json!(["hello", "refund", "account"])),
        (json!(["billing", "refund_policy"]), json!(["billing", "account_management"])),
        config,
    ));
    for name in ["entity.keyword_precision", "entity.keyword_recall", "entity.keyword_f1"] {
        assert_value(&judgment, name, 0.6667);
    }
    for name in ["entity.topic_precision", "entity.topic_recall", "entity.topic_f1"] {
        assert_value(&judgment, name, 0.5);
    }
    assert_eq!(judgment.labels["missed"], json!(["account", "account_management"]));
}

#[test]
fn what_is_not_configured_is_a_blocker_and_the_score_stays() {
    let config = json!({"entities": ["refund", "account", "billing"]});
    let judgment = judged(record(
        (json!(["refund", "loan"]), json!(["refund", "account"])),
        (json!(["billing"]), json!(["billing"])),
        config,
    ));
    // Two of three are configured: the denominator is what was detected, not what was expected.
    assert_value(&judgment, "entity.config_adherence", 2.0 / 3.0);
    let two = judged(json!({
        "task": "entity", "config": {"entities": ["refund", "account", "billing"]},
        "model_output": {"detected_keywords": ["refund", "loan"], "detected_topics": []},
        "expected_outcome": {"detected_keywords": ["refund"], "detected_topics": []},
    }));
    let metric = &two.metrics["entity.config_adherence"];
    assert_eq!((metric.value, metric.n, metric.rating), (Some(0.5), 2, Some(Rating::Blocker)));
    assert_eq!(two.labels["blockers"][0]["metric"], "entity.config_adherence");
    assert_eq!(two.labels["not_configured"], json!(["loan"]));
    assert!(judgment.value("entity.score").is_some());
}

#[test]
fn spelling_of_entities_does_not_matter_and_ids_are_entities() {
    let config = json!({"keywords": [{"id": 7, "text": "Refund"}, {"id": 8, "name": "account"}], "topics": ["Account Management"]});
    let judgment = judged(record(
        (json!([7, "ＡＣＣＯＵＮＴ"]), json!(["refund", 8])),
        (json!(["account  management"]), json!(["ACCOUNT_MANAGEMENT"])),
        config,
    ));
    for name in ["entity.keyword_f1", "entity.topic_f1", "entity.config_adherence"] {
        assert_eq!(judgment.value(name), Some(1.0), "{name}");
    }
}

#[test]
fn fabricated_entities_are_in_neither_transcript_nor_expected_outcome() {
    let detected = json!(["refunds", "insurance", "mortgage", "visa"]);
    let judgment =
        judged(record((detected, json!(["refund"])), (json!([]), json!([])), json!({"keywords": ["refund"]})));
    assert_eq!(judgment.labels["fabricated"], json!(["insurance", "mortgage", "visa"]));
    let metric = &judgment.metrics["entity.fabricated_entity_count"];
    assert_eq!((metric.value, metric.rating, metric.method), (Some(3.0), Some(Rating::Blocker), Method::Rules));
    assert_eq!(judgment.value("entity.score"), None);
    assert!(judgment.labels["score_is_null"].as_str().is_some_and(|reason| reason.contains("fabricated_entity_count")));
    let one = judged(record(
        (json!(["refund", "visa"]), json!(["refund"])),
        (json!([]), json!([])),
        json!({"keywords": ["refund", "visa"]}),
    ));
    assert_eq!(
        (one.value("entity.fabricated_entity_count"), one.labels["warnings"][0]["metric"].as_str()),
        (Some(1.0), Some("entity.fabricated_entity_count"))
    );
}

#[test]
fn a_topic_may_be_talked_about_without_its_name() {
    let judge = build("{}");
    let config =
        json!({"topics": [{"name": "billing", "description": "billed twice"}, "churn"], "keywords": ["refund"]});
    let case =
        case(&*judge, record((json!(["refund"]), json!(["refund"])), (json!(["billing", "churn"]), json!([])), config));
    let asked = questions(&*judge, &case);
    assert!(asked[0].messages[1].content.contains("\"entity\":\"churn\""));
    assert!(!asked[0].messages[1].content.contains("\"entity\":\"billing\""), "its description is in the transcript");
    let reply = |presence: &str| json!({"entities": [{"item": 1, "surface": "", "presence": presence}], "claimed": []});
    let absent = judge_with(&*judge, &case, &[("entity", reply("absent"))]);
    assert_eq!(
        (absent.value("entity.fabricated_entity_count"), absent.metrics["entity.fabricated_entity_count"].method),
        (Some(1.0), Method::Llm)
    );
    let spoken = judge_with(&*judge, &case, &[("entity", reply("spoken"))]);
    assert_eq!(spoken.value("entity.fabricated_entity_count"), Some(0.0));
}

#[test]
fn hearing_across_scripts_proposes_and_a_transliteration_decides() {
    let judge = build("{}");
    let case = case(
        &*judge,
        json!({
            "task": "entity", "config": {"keywords": ["payment", "refund", "KYC", "loan"]},
            "transcript": [{"id": 1, "speaker": "customer", "text": "मेरा पेमेंट कट गया, मुझे रिफंड चाहिए।"}, {"id": 2, "speaker": "agent", "text": "आपका केवाईसी पूरा है।"}],
            "model_output": {"detected_keywords": ["payment", "KYC"]}, "expected_outcome": {"detected_keywords": ["payment", "refund", "KYC"]},
        }),
    );
    // केवाईसी is KYC letter by letter; पेमेंट and रिफंड sound like payment and refund.
    let asked = &questions(&*judge, &case)[0].messages[1].content;
    assert!(asked.contains("पेमेंट") && asked.contains("रिफंड") && !asked.contains("\"sounds_like\":\"केवाईसी"), "{asked}");
    let judgment = offline(&*judge, &case);
    let metric = &judgment.metrics["entity.cross_language_match_rate"];
    // KYC is detected; payment and refund may be there in Devanagari or not.
    assert_eq!((metric.value, metric.bounds, metric.n), (None, Some(Bounds(1.0 / 3.0, 1.0)), 3));
    assert_eq!(judgment.labels["cross_language"][0], json!({"entity": "KYC", "heard_as": "केवाईसी", "detected": true}));
    assert_eq!(judgment.value("entity.fabricated_entity_count"), Some(0.0));
    let label = |item: u32, surface: &str| json!({"item": item, "surface": surface, "presence": "other_language"});
    let reply = json!({"entities": [label(1, "पेमेंट"), label(2, "रिफंड")], "claimed": []});
    let read = judge_with(&*judge, &case, &[("entity", reply)]);
    let metric = &read.metrics["entity.cross_language_match_rate"];
    assert!(close(metric.value, 2.0 / 3.0), "{metric:?}");
    assert_eq!((metric.n, metric.method, metric.rating), (3, Method::Llm, Some(Rating::Fail)));
}

#[test]
fn what_may_be_said_in_another_script_is_no_fabrication_offline() {
    let judge = build("{}");
    let given = |transcript: &str| {
        case(
            &*judge,
            json!({
                "task": "entity", "transcript": transcript, "config": {"keywords": ["visa", "GST", "message", "loan"]},
                "model_output": {"detected_keywords": ["visa", "GST", "message", "loan"]},
                "expected_outcome": {"detected_keywords": ["loan"]},
            }),
        )
    };
    let hindi = offline(&*judge, &given("मुझे लोन चाहिए, वैसे जीएसटी का मैसेज भी आया"));
    let count = &hindi.metrics["entity.fabricated_entity_count"];
    // जीएसटी is GST letter by letter; the other two are undecided, and two cannot block.
    assert_eq!((count.value, count.bounds, count.rating), (None, Some(Bounds(2.0, 0.0)), None));
    assert!(hindi.value("entity.score").is_some() && !hindi.flags.contains(&"blocker".to_owned()));
    // In a call without another script they are nowhere.
    let english = offline(&*judge, &given("I want a loan please"));
    assert_eq!(english.value("entity.fabricated_entity_count"), Some(3.0));
}

#[test]
fn nothing_detected_and_nothing_expected_is_undefined() {
    let judgment = judged(record(
        (json!([]), json!([])),
        (json!([]), json!(["billing"])),
        json!({"keywords": ["refund"], "topics": ["billing"]}),
    ));
    for name in [
        "entity.keyword_precision",
        "entity.keyword_recall",
        "entity.keyword_f1",
        "entity.config_adherence",
        "entity.topic_precision",
        "entity.cross_language_match_rate",
    ] {
        assert_eq!(judgment.value(name), None, "{name}");
    }
    assert_eq!((judgment.value("entity.topic_recall"), judgment.value("entity.topic_f1")), (Some(0.0), Some(0.0)));
    // What does not apply leaves its weight to the topics, of which none was found.
    assert_eq!(judgment.value("entity.score"), Some(0.0));
}

#[test]
fn duplicates_and_wrong_scripts_are_named() {
    let mut given = record(
        (json!(["refund", "Refund", "रिफंड"]), json!(["refund"])),
        (json!([]), json!([])),
        json!({"keywords": ["refund"]}),
    );
    given["transcript"] = json!("मुझे रिफंड चाहिए");
    let judgment = judged(given);
    assert_eq!(judgment.labels["duplicate_entities"], json!(["Refund"]));
    assert_eq!(judgment.labels["entities_in_other_script"], json!(["रिफंड"]));
    assert_value(&judgment, "entity.config_adherence", 0.5);
}
