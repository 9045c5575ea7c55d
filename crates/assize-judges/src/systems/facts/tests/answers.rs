//! Answers: what makes one unbelievable, what follows from one that is believed, and what the rules say of it.

use super::*;
use crate::systems::facts::measure::{Counts, measure, report};
use assize_core::Method;

fn two_by_two() -> (Case, [Value; 2], [Value; 2]) {
    let predicted = [
        fact("p1", "assets", json!({"what": "house", "value": 500})),
        fact("p2", "debts", json!({"lender": "Hill", "value": 90})),
    ];
    let gold = [
        fact("g1", "assets", json!({"what": "house", "value": 500})),
        fact("g2", "debts", json!({"lender": "Hill", "value": 70})),
    ];
    (case_of(json!({"predicted_facts": predicted, "gold_facts": gold})), predicted, gold)
}

#[test]
fn every_kind_of_wrong_answer_is_caught_and_named() {
    let (case, _, _) = two_by_two();
    let good = reply(&[("p1", &["g1"]), ("p2", &[])]);
    let judge = build("{}");
    let violations =
        |judge: &dyn Judge, answer: &Value| drive::violations(judge, &case, &ask(judge, &case).name, answer);
    assert_eq!(violations(&*judge, &good), Vec::<String>::new());
    let validator = jsonschema::validator_for(&ask(&*judge, &case).schema.schema).expect("a valid schema");
    // What the schema already refuses is caught again, for providers that do not enforce it.
    for (name, part, by_schema, answer) in [
        ("missing_fact", "`p2`", false, reply(&[("p1", &["g1"])])),
        ("repeated_fact", "`p2`", false, reply(&[("p1", &["g1"]), ("p2", &[]), ("p2", &[])])),
        ("invented_fact", "`p9`", true, reply(&[("p1", &["g1"]), ("p2", &[]), ("p9", &[])])),
        ("invented_link", "`g9`", true, reply(&[("p1", &["g1", "g9"]), ("p2", &[])])),
        ("repeated_link", "`g1`", false, reply(&[("p1", &["g1", "g1"]), ("p2", &[])])),
    ] {
        let found = violations(&*judge, &answer);
        let named = found.iter().any(|sentence| sentence.starts_with(name) && sentence.contains(part));
        assert!(named, "{name}: {found:?}");
        assert_eq!(validator.is_valid(&answer), !by_schema, "{name}");
    }
    // Facts out of scope are neither asked for nor taken.
    let assets_only = build("fact_types_in_scope: [assets]");
    let found = violations(&*assets_only, &good);
    assert!(found.len() == 1 && found[0].starts_with("invented_fact") && found[0].contains("`p2`"), "{found:?}");
    let scoped = judge_reply(&*assets_only, &case, reply(&[("p1", &["g1"])]));
    let debts = &scoped.labels["predicted_facts"][1];
    assert_eq!((&debts["in_scope"], &debts["status"]), (&json!(false), &Value::Null));
    assert_eq!(violations(&*judge, &json!({"predicted_facts": 5})).len(), 1);
}

#[test]
fn the_model_writes_ids_only_and_no_others_than_those_given() {
    let (case, [p1, _], [g1, _]) = two_by_two();
    let judge = build("{}");
    let schema = ask(&*judge, &case).schema.schema;
    let fact = &schema["properties"]["predicted_facts"]["items"];
    assert_eq!(fact["properties"]["id"]["enum"], json!(["p1", "p2"]));
    assert_eq!(fact["properties"]["matched_gold_ids"]["items"]["enum"], json!(["g1", "g2"]));
    assert_eq!(
        (&fact["required"], &schema["required"]),
        (&json!(["id", "matched_gold_ids"]), &json!(["predicted_facts", "notes"]))
    );
    // What the facts say, their types and their labels come from the case and follow from the links, on both sides.
    let judgment = judge_reply(&*judge, &case, reply(&[("p1", &["g1"]), ("p2", &[])]));
    let expected = |fact: &Value, links: &str, to: &str| {
        let mut label = fact.clone();
        label["in_scope"] = json!(true);
        label[links] = json!([to]);
        label["status"] = json!("TP");
        label
    };
    assert_eq!(judgment.labels["predicted_facts"][0], expected(&p1, "matched_gold_ids", "g1"));
    assert_eq!(judgment.labels["gold_facts"][0], expected(&g1, "matched_prediction_ids", "p1"));
    // A case with no facts on one side has nothing to list, and is still a valid question.
    let empty = case_of(json!({"predicted_facts": [], "gold_facts": []}));
    assert!(judge_reply(&*judge, &empty, reply(&[])).flags.is_empty());
}

#[test]
fn a_match_that_rests_on_one_of_two_readings_is_flagged_and_counted() {
    let stay = |id: &str, from: &str| fact(id, "stay", json!({"from": from}));
    let judged = |settings: &str, from: &str, gold: &str| {
        let case = case_of(json!({"predicted_facts": [stay("p1", from)], "gold_facts": [stay("g1", gold)]}));
        let judgment = judge_offline(&*build(settings), &case);
        (judgment.value("tp"), judgment.value("ambiguous_matches"), judgment.flags)
    };
    let flagged = vec!["ambiguous_match".to_owned()];
    assert_eq!(judged("{}", "03/04/2024", "3 April 2024"), (Some(1.0), Some(1.0), flagged));
    let fixed = "reading: {date_order: day_first}";
    assert_eq!(judged(fixed, "03/04/2024", "3 April 2024"), (Some(1.0), Some(0.0), Vec::new()));
    assert_eq!(judged(fixed, "03/04/2024", "March 4, 2024"), (Some(0.0), Some(0.0), Vec::new()));
    assert_eq!(judged("{}", "13/04/2024", "13 April 2024"), (Some(1.0), Some(0.0), Vec::new()));
}

#[test]
fn the_audit_lists_what_the_rules_refuse_whatever_the_profile_allows() {
    let contradictions = |one: &str, other: &str| {
        let side = |id: &str, value: &str| json!([fact(id, "findings", json!({"note": value}))]);
        let case = case_of(json!({"predicted_facts": side("p1", one), "gold_facts": side("g1", other)}));
        let judgment = judge_reply(&*build("profile: lenient"), &case, reply(&[("p1", &["g1"])]));
        judgment.labels["audit"].as_array().map_or(0, Vec::len)
    };
    for (one, other) in [
        ("100", "900"),
        ("10 mg", "10 mcg"),
        ("4512", "5412"),
        ("no chest pain", "chest pain"),
        ("left hip", "right hip"),
        ("3 May 2024", "3 June 2024"),
        ("9am", "9pm"),
    ] {
        assert_eq!(contradictions(one, other), 1, "{one} / {other}");
    }
    // What only a reader can tell is left to the reader.
    assert_eq!(contradictions("my place by the river", "the cottage"), 0);
    assert_eq!(contradictions("100", "104"), 0, "within the tolerance");
}

#[test]
fn a_flood_of_violations_is_bounded() {
    let predicted: Vec<Value> = (0..500).map(|number| fact(&format!("p{number}"), "assets", json!({}))).collect();
    let case = case_of(json!({"predicted_facts": predicted, "gold_facts": []}));
    let judge = build("{}");
    let found = drive::violations(&*judge, &case, &ask(&*judge, &case).name, &reply(&[]));
    assert_eq!((found.len(), found[40].as_str()), (41, "and 460 more of these kinds"));
}

#[test]
fn precision_counts_predictions_and_recall_counts_gold_facts() {
    let (p1, p2, g1) = (
        fact("p1", "assets", json!({"v": 5})),
        fact("p2", "assets", json!({"v": "5.0"})),
        fact("g1", "assets", json!({"v": 5})),
    );
    let case = case_of(json!({"predicted_facts": [p1, p2], "gold_facts": [g1]}));
    let judgment = judge_offline(&*build("{}"), &case);
    let (precision, recall) = (&judgment.metrics["precision"], &judgment.metrics["recall"]);
    assert_eq!((precision.value, precision.n, precision.counts["tp"]), (Some(1.0), 2, 2));
    assert_eq!((recall.value, recall.n, recall.counts["tp"]), (Some(1.0), 1, 1));
    assert_eq!((judgment.value("tp"), judgment.value("fp"), judgment.value("fn")), (Some(2.0), Some(0.0), Some(0.0)));
    assert_eq!((judgment.value("hallucination_rate"), judgment.value("coverage")), (Some(0.0), Some(1.0)));
    assert_eq!(precision.method, Method::Rules);
}

#[test]
fn nothing_right_is_an_f1_of_zero_and_nothing_at_all_is_none() {
    let asset = |id: &str| fact(id, "assets", json!({"v": 5}));
    let f1 = |predicted: Value, gold: Value| {
        let judgment =
            judge_offline(&*build("{}"), &case_of(json!({"predicted_facts": predicted, "gold_facts": gold})));
        (judgment.value("f1"), judgment.value("precision"), judgment.value("recall"), judgment.value("f1.assets"))
    };
    assert_eq!(f1(json!([]), json!([asset("g1")])), (Some(0.0), None, Some(0.0), Some(0.0)));
    assert_eq!(f1(json!([asset("p1")]), json!([])), (Some(0.0), Some(0.0), None, Some(0.0)));
    assert_eq!(f1(json!([]), json!([])), (None, None, None, None));
    // The scorecard of a model that never predicts anything: 0 too, as sure as can be.
    let judge = build("{}");
    let mut summary = crate::summary::summary_of(&*judge);
    for id in ["a", "b"] {
        let case = case_of(json!({"id": id, "predicted_facts": [], "gold_facts": [asset("g1")]}));
        summary.add(&case, &judge_offline(&*judge, &case));
    }
    let summary = summary.finish();
    let metrics = &summary.models["default"].metrics;
    assert_eq!((metrics["f1"].value, metrics["f1.assets"].value), (Some(0.0), Some(0.0)));
    let interval = metrics["f1"].interval.expect("an interval");
    assert_eq!((interval.0, interval.1), (0.0, 0.0));
}

#[test]
fn a_duplicate_neither_helps_recall_nor_is_it_lost_to_precision() {
    let value = |id: &str, value: u32| fact(id, "assets", json!({"v": value}));
    let (predicted, gold) = ([value("p1", 5), value("p2", 5), value("p3", 8)], [value("g1", 5), value("g2", 7)]);
    let judgment = judge_offline(&*build("{}"), &case_of(json!({"predicted_facts": predicted, "gold_facts": gold})));
    assert_eq!((judgment.value("precision"), judgment.value("recall")), (Some(2.0 / 3.0), Some(0.5)));
    let result: JudgeResult = serde_json::from_value(json!({
        "gold_facts": judgment.labels["gold_facts"], "predicted_facts": judgment.labels["predicted_facts"],
    }))
    .unwrap();
    let counts = measure(&result).overall;
    assert_eq!(counts, Counts { tp_predicted: 2, fp: 1, tp_gold: 1, fn_: 1 });
    assert_eq!((counts.precision(), counts.recall()), (Some(2.0 / 3.0), Some(0.5)));
    assert_eq!(
        (counts.f1(), counts.hallucination_rate(), counts.coverage()),
        (Some(4.0 / 7.0), Some(1.0 / 3.0), Some(0.5))
    );
}

#[test]
fn a_link_between_types_is_listed() {
    let (case, _, _) = two_by_two();
    let answer = reply(&[("p1", &["g1", "g2"]), ("p2", &[])]);
    let judgment = judge_reply(&*build("{}"), &case, answer);
    assert_eq!(judgment.labels["audit"][0]["contradiction"], "linked_across_types");
    assert_eq!(judgment.labels["audit"][0]["gold_id"], "g2");
}

#[test]
fn nothing_out_of_nothing_is_undefined() {
    let judge = build("{}");
    let judged = |record: Value| judge_offline(&*judge, &case_of(record));
    let empty = judged(json!({"predicted_facts": [], "gold_facts": []}));
    for name in ["precision", "recall", "f1", "hallucination_rate", "coverage", "audit_contradiction_rate"] {
        assert_eq!(empty.metrics[name].value, None, "{name}");
    }
    let silent = judged(json!({"predicted_facts": [], "gold_facts": [fact("g1", "assets", json!({}))]}));
    assert_eq!((silent.value("precision"), silent.value("recall"), silent.value("f1")), (None, Some(0.0), Some(0.0)));
    let wrong = judged(
        json!({"predicted_facts": [fact("p1", "assets", json!({"v": 1}))], "gold_facts": [fact("g1", "assets", json!({"v": 2}))]}),
    );
    assert_eq!((wrong.value("precision"), wrong.value("recall"), wrong.value("f1")), (Some(0.0), Some(0.0), Some(0.0)));
}

#[test]
fn the_same_answer_gives_the_same_figures_whatever_the_profile() {
    let (case, _, _) = two_by_two();
    let answer = reply(&[("p1", &["g1"]), ("p2", &["g2"])]);
    let figures = |profile: &str| {
        let judgment = judge_reply(&*build(&format!("profile: {profile}")), &case, answer.clone());
        let mut metrics = judgment.metrics;
        // The audit compares the answer with the settings, so it is the one thing that may differ.
        metrics.shift_remove("audit_contradiction_rate");
        metrics
    };
    assert_eq!(figures("strict"), figures("lenient"));
    assert_eq!(figures("strict")["f1"].value, Some(1.0));
}

#[test]
fn counts_by_type_and_by_case_add_up() {
    let (case, _, _) = two_by_two();
    let judge = build("{}");
    let result: JudgeResult = serde_json::from_value(json!(judge_offline(&*judge, &case).labels)).unwrap();
    let measured = measure(&result);
    assert_eq!(measured.overall, Counts { tp_predicted: 1, fp: 1, tp_gold: 1, fn_: 1 });
    assert_eq!(measured.by_type["assets"].f1(), Some(1.0));
    assert_eq!(measured.by_type["debts"].f1(), Some(0.0));
    let report = report([("c1", &result), ("c2", &result)]);
    assert_eq!((report.overall.counts.tp_predicted, report.overall.precision), (2, Some(0.5)));
    assert_eq!(report.by_case.len(), 2);
    assert_eq!(json!(report.by_type["debts"])["fn"], 2);
}

#[test]
fn the_audit_lists_what_no_reading_explains() {
    let predicted = [
        fact("p1", "assets", json!({"what": "house", "value": 500_000})),
        fact("p2", "assets", json!({"what": "my place by the river", "value": 120_000})),
        fact("p3", "debts", json!({"lender": "Hill", "since": "2024-03-01"})),
    ];
    let gold = [
        fact("g1", "assets", json!({"what": "house", "value": 550_000})),
        fact("g2", "assets", json!({"what": "cottage", "value": 120_000})),
        fact("g3", "debts", json!({"lender": "Hill", "since": "1 March 2024"})),
    ];
    let case = case_of(json!({"predicted_facts": predicted, "gold_facts": gold}));
    let answer = reply(&[("p1", &["g1"]), ("p2", &["g2"]), ("p3", &[])]);
    let judge = build(
        "{profile: strict, numeric_tolerance_percent: 5, ignore_minor_wording_diffs: true, case_insensitive_strings: true}",
    );
    let judgment = judge_reply(&*judge, &case, answer.clone());
    assert!(judgment.flags.contains(&"audit_contradiction".to_owned()));
    let audit = judgment.labels["audit"].as_array().unwrap();
    let kinds: Vec<&str> = audit.iter().map(|entry| entry["contradiction"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["linked_but_different", "false_positive_with_twin", "false_negative_with_twin"]);
    // The amount is listed with its rule; the cottage by the river is a matter of reading, and is not.
    assert_eq!(audit[0]["fields"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&audit[0]["fields"][0]["field"], &audit[0]["fields"][0]["rule"]),
        (&json!("value"), &json!("other_number"))
    );
    assert_eq!((&audit[1]["predicted_id"], &audit[1]["gold_id"]), (&json!("p3"), &json!("g3")));
    let rate = &judgment.metrics["audit_contradiction_rate"];
    assert_eq!((rate.value, rate.n, rate.method), (Some(4.0 / 6.0), 6, Method::Code));
    // The labels are the model's; the audit changes no figure.
    assert_eq!(judgment.value("precision"), Some(2.0 / 3.0));
    let loose = judge_reply(&*build("profile: lenient"), &case, answer);
    let kinds: Vec<&str> = loose.labels["audit"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["contradiction"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["false_positive_with_twin", "false_negative_with_twin"],
        "a partial match may differ in its amount"
    );
}

#[test]
fn the_rules_are_not_audited_and_say_why() {
    let (case, _, _) = two_by_two();
    let judgment = judge_offline(&*build("{}"), &case);
    assert!(!judgment.labels.contains_key("audit") && judgment.flags.is_empty());
    let reasons = &judgment.labels["reasons"];
    assert_eq!(reasons["links"][0]["grade"], "full");
    assert_eq!(reasons["misses"][0]["fields"][1]["rule"], "other_number");
    assert_eq!(judgment.labels["gold_facts"][0]["status"], "TP");
}

#[test]
fn without_gold_facts_a_model_derives_them_and_the_rules_cannot() {
    let p1 = fact("p1", "assets", json!({"value": 5}));
    let case = case_of(json!({"predicted_facts": [p1]}));
    let judge = build("{}");
    let failure = drive::stand_in(&*judge, &case, &ask(&*judge, &case).name).expect_err("no rule");
    assert!(failure.message.contains("gold_facts"), "{failure}");
    let derived = [fact("g1", "assets", json!({"value": 5})), fact("g2", "assets", json!({"value": 7}))];
    let mut answer = reply(&[("p1", &["g1"])]);
    answer["gold_facts"] = json!(derived);
    let judgment = judge_reply(&*judge, &case, answer);
    assert_eq!(judgment.flags, ["gold_derived"]);
    assert_eq!(judgment.labels["gold_facts"][1]["derived"], true);
    assert_eq!((judgment.value("precision"), judgment.value("recall")), (Some(1.0), Some(0.5)));
    // An empty list is not an absent one: nothing is true, and the prediction is wrong.
    let none = case_of(json!({"predicted_facts": [p1], "gold_facts": []}));
    assert_eq!(judge_offline(&*judge, &none).value("precision"), Some(0.0));
}

#[test]
fn facts_that_cannot_be_told_apart_are_not_asked_about() {
    let twice = json!([fact("p1", "assets", json!({})), fact("p1", "assets", json!({})), {"id": "p2", "fields": 5}, {"fact_type": "x"}]);
    let case = case_of(json!({"predicted_facts": twice, "gold_facts": []}));
    let Step::Done(Outcome::Skipped { reason }) = drive::step(&*build("{}"), &case, &Answers::none()) else {
        panic!("asked")
    };
    for part in [
        "the id `p1` stands twice",
        "`p2` of `predicted_facts` has no `fact_type`",
        "must be an object",
        "fact 4 of `predicted_facts` has no `id`",
    ] {
        assert!(reason.contains(part), "{reason}");
    }
}

#[test]
fn scorecards_pool_counts_and_keep_types_apart() {
    let judge = build("fact_types_in_scope: [assets, debts, pensions]");
    let mut summary = crate::summary::summary_of(&*judge);
    let asset = |id: &str, value: u32| fact(id, "assets", json!({"value": value}));
    let cases = [
        // 1 of 1 right, 1 of 4 found; then 1 of 2 right, 1 of 1 found.
        json!({"id": "a", "predicted_facts": [asset("p1", 1)], "gold_facts": [asset("g1", 1), asset("g2", 2), asset("g3", 3), asset("g4", 4)]}),
        json!({"id": "b", "predicted_facts": [asset("p1", 1), fact("p2", "debts", json!({"v": 1}))], "gold_facts": [asset("g1", 1)]}),
    ];
    for record in cases {
        let case = case_of(record);
        summary.add(&case, &judge_offline(&*judge, &case));
    }
    let summary = summary.finish();
    let card = &summary.models["default"];
    let value = |name: &str| card.metrics[name].value;
    let (precision, recall) = (2.0 / 3.0, 2.0 / 5.0);
    let close =
        |value: Option<f64>, expected: f64| assert!((value.unwrap() - expected).abs() < 1e-9, "{value:?} {expected}");
    close(value("precision"), precision);
    close(value("recall"), recall);
    close(value("f1"), 2.0 * precision * recall / (precision + recall));
    close(value("hallucination_rate"), 1.0 / 3.0);
    assert_eq!((value("tp"), value("fp"), value("fn")), (Some(2.0), Some(1.0), Some(3.0)));
    assert_eq!((card.metrics["precision"].n, card.metrics["recall"].n), (3, 5));
    let interval = card.metrics["f1"].interval.unwrap();
    assert!(interval.0 < 0.5 && interval.1 > 0.5 && interval.0 >= 0.0 && interval.1 <= 1.0, "{interval:?}");
    assert_eq!(
        (value("precision.assets"), value("precision.debts"), value("recall.debts")),
        (Some(1.0), Some(0.0), None)
    );
    close(value("recall.assets"), 0.4);
    assert_eq!(value("audit_contradiction_rate"), None);
    let names: Vec<&str> = card.metrics.keys().map(String::as_str).collect();
    assert_eq!(names[..4], ["f1", "precision", "recall", "hallucination_rate"], "{names:?}");
    assert!(judge.spec().metrics.iter().any(|metric| metric.name == "recall.pensions"), "so that a gate can name it");
}
