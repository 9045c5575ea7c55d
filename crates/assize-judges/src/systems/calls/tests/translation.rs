use super::*;

fn sentences(translated: &[&str]) -> Vec<Value> {
    let entries = translated.iter().enumerate();
    entries.map(|(index, text)| json!({"source_id": index + 1, "source_text": format!("Source sentence {}", index + 1), "translated_text": text})).collect()
}

fn record(given: &[&str], expected: &[&str]) -> Value {
    let output = |texts: &[&str]| {
        json!({
            "full_translation": texts.join(" "), "sentence_translations": sentences(texts),
            "domain_terms_handled": [{"term": "KYC", "handled_as": "KYC"}],
            "named_entities_handled": [{"entity": "Priya Sharma", "handled_as": "प्रिया शर्मा"}],
        })
    };
    json!({"task": "translation", "model_output": output(given), "expected_outcome": output(expected)})
}

fn reply(facts: &[(&str, &str)]) -> Value {
    let facts: Vec<Value> =
        facts.iter().map(|(fact, status)| json!({"fact": fact, "observed": "", "status": status})).collect();
    json!({"fluency_note": "", "fluency": "minor_issues", "facts": facts, "added": [], "claimed": []})
}

fn judged(record: Value, reply: Value) -> Judgment {
    let judge = build("{}");
    let case = case(&*judge, record);
    judge_with(&*judge, &case, &[("translation", reply)])
}

const FACTS: [(&str, &str); 4] = [
    ("refund of ₹49", "kept"),
    ("3–5 business days", "changed"),
    ("Agent escalated to supervisor", "dropped"),
    ("Account number 9987", "kept"),
];

#[test]
fn fifty_five_of_sixty_sentences() {
    let expected: Vec<String> = (0..60).map(|index| format!("KYC प्रिया शर्मा वाक्य {index}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    let mut given = record(&expected, &expected);
    let list = given["model_output"]["sentence_translations"].as_array_mut().expect("a list");
    list.truncate(57);
    list[3]["translated_text"] = json!(" ");
    list[4]["translated_text"] = json!("source sentence 5");
    let judgment = judged(given, reply(&[("a", "kept")]));
    let metric = &judgment.metrics["translation.completeness_rate"];
    assert!(close(metric.value, 0.9167), "{metric:?}");
    assert_eq!((metric.n, metric.rating), (60, Some(Rating::Fail)));
    assert_eq!(judgment.labels["sentences_missing"], json!(["58", "59", "60"]));
    assert_eq!(judgment.labels["sentences_untranslated"], json!(["4", "5"]));
    // Sentences that are missing count 0 in the meaning.
    assert_value(&judgment, "translation.meaning_accuracy", 55.0 / 60.0);
}

#[test]
fn two_of_four_facts_drifted_is_a_blocker() {
    let text = ["KYC प्रिया शर्मा"];
    let judgment = judged(record(&text, &text), reply(&FACTS));
    let metric = &judgment.metrics["translation.critical_fact_preservation"];
    assert_eq!((metric.value, metric.rating, metric.method), (Some(0.5), Some(Rating::Blocker), Method::Llm));
    assert_eq!(judgment.labels["blockers"][0]["metric"], "translation.critical_fact_preservation");
    assert_eq!(judgment.value("translation.score"), None);
    assert_eq!(judgment.value("translation.fluency"), Some(0.75));
}

#[test]
fn added_facts_drift_too_and_no_facts_are_undefined() {
    let text = ["KYC प्रिया शर्मा"];
    let mut added = reply(&[("a", "kept"), ("b", "kept"), ("c", "kept"), ("d", "kept")]);
    added["added"] = json!(["a discount of 10%"]);
    assert_eq!(judged(record(&text, &text), added).value("translation.critical_fact_preservation"), Some(0.75));
    assert_eq!(judged(record(&text, &text), reply(&[])).value("translation.critical_fact_preservation"), None);
}

#[test]
fn terms_must_be_handled_as_expected_and_really_occur() {
    let mut given = record(&["ग्राहक सत्यापन प्रिया"], &["KYC प्रिया शर्मा"]);
    let judgment = judged(given.clone(), reply(&[("a", "kept")]));
    // Both are listed as expected, and neither is in the text.
    assert_eq!(
        (
            judgment.value("translation.domain_term_preservation"),
            judgment.value("translation.proper_noun_preservation")
        ),
        (Some(0.0), Some(0.0))
    );
    assert_eq!(judgment.labels["domain_terms"][0]["in_translation"], json!(false));
    given["model_output"]["sentence_translations"] = json!(sentences(&["KYC प्रिया है"]));
    given["model_output"]["named_entities_handled"] = json!([{"entity": "Priya Sharma", "handled_as": "प्रिया"}]);
    let judgment = judged(given, reply(&[("a", "kept")]));
    assert_eq!(
        (
            judgment.value("translation.domain_term_preservation"),
            judgment.value("translation.proper_noun_preservation")
        ),
        (Some(1.0), Some(0.0))
    );
}

#[test]
fn numbers_are_compared_in_code_beside_the_judge() {
    let (expected, given) = (["KYC प्रिया शर्मा ₹49, ३ दिन"], ["KYC प्रिया शर्मा ₹94, 3 दिन"]);
    let kept = judged(record(&given, &expected), reply(&[("₹49", "kept")]));
    assert_eq!(
        kept.labels["numbers_differ"],
        json!([{"source_id": "1", "given": ["3", "94"], "expected": ["3", "49"]}])
    );
    assert!(kept.flags.contains(&"facts_mismatch".to_owned()));
    let changed = judged(record(&given, &expected), reply(&[("₹49", "changed")]));
    assert!(!changed.flags.contains(&"facts_mismatch".to_owned()));
    // Offline the numbers are the facts: one of two is kept.
    let judge = build("{}");
    let case = case(&*judge, record(&given, &expected));
    let ruled = offline(&*judge, &case);
    let metric = &ruled.metrics["translation.critical_fact_preservation"];
    assert_eq!((metric.value, metric.method), (Some(0.5), Method::Rules));
}

#[test]
fn likeness_between_different_scripts_is_undefined_and_named() {
    let judgment =
        judged(record(&["KYC Priya Sharma ji namaste"], &["KYC प्रिया शर्मा जी नमस्ते"]), reply(&[("a", "kept")]));
    assert_eq!((judgment.value("translation.meaning_accuracy"), judgment.value("translation.score")), (None, None));
    let reason = "their scripts differ, and letters compare within one script only";
    assert_eq!(judgment.labels["meaning_undecided"], json!([{"source_id": "1", "reason": reason}]));
    assert_eq!(judgment.labels["likeness"]["unmeasured"], json!({reason: 1}));
}

#[test]
fn cosines_of_an_embedder_replace_the_letters() {
    let judge = build("{}");
    let text = ["S1 KYC", "S2 प्रिया शर्मा", "S3 गलत", "S4 ठीक"];
    let case = case(&*judge, record(&text, &text));
    let pairs = drive::with_open(&*judge, &case, |open| open.pairs_to_embed()).unwrap_or_default();
    assert_eq!(pairs.len(), 4);
    let mut answers = Answers::none();
    for question in questions(&*judge, &case) {
        let answer = Answer::from_rules(&question.name, reply(&[("a", "kept")]));
        answers.insert(question.name.clone(), answer.clone());
        answers.insert(EMBEDDINGS.into(), Answer { value: json!({"cosines": [0.95, 0.88, 0.42, 0.96]}), ..answer });
    }
    let judgment = conclude(&*judge, &case, &answers);
    let metric = &judgment.metrics["translation.meaning_accuracy"];
    assert!(close(metric.value, 0.8025), "{metric:?}");
    assert_eq!(metric.method, Method::Embedding);
    assert_eq!(judgment.labels["least_alike"][0]["source_id"], "3");
}

#[test]
fn the_scorecard_names_who_measured_and_what_could_not_be() {
    let judge = build("{}");
    let reason = "the model does not know Hindi";
    let measured =
        json!({"embedder": "muse", "caveat": null, "cosines": [0.9, null, null], "reasons": [null, reason, reason]});
    let text = ["S1 KYC", "S2 प्रिया शर्मा", "S3 ठीक"];
    let notes = |embeddings: Option<&Value>| {
        let case = case(&*judge, record(&text, &text));
        let mut answers = Answers::none();
        for question in questions(&*judge, &case) {
            let answer = Answer::from_rules(&question.name, reply(&[("a", "kept")]));
            answers.insert(question.name.clone(), answer.clone());
            if let Some(value) = embeddings {
                answers.insert(EMBEDDINGS.into(), Answer { value: value.clone(), ..answer });
            }
        }
        let judgment = conclude(&*judge, &case, &answers);
        let mut summary = crate::summary::summary_of(&*judge);
        summary.add(&case, &judgment);
        // A jury keeps what its jurors said under their names.
        summary.add(&case, &assize_core::jury::join(vec![("a".into(), judgment.clone()), ("b".into(), judgment)]));
        summary.finish().models["default"].sections["notes"].clone()
    };
    let by_muse = notes(Some(&measured));
    assert_eq!(by_muse[0], "Likeness in meaning was measured by muse.");
    assert_eq!(by_muse[1], format!("4 pairs of texts have no likeness: {reason}."));
    let by_letters = notes(None)[0].as_str().unwrap().to_owned();
    assert!(by_letters.contains("by letters") && by_letters.contains("no multilingual model"), "{by_letters}");
}
