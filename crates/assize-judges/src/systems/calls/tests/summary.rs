use super::super::table::table;
use super::*;

fn qa(id: &str, model: &str, right: usize, of: usize) -> Value {
    let marks = |given: bool| -> Vec<Value> {
        (0..of)
            .map(|index| question(&format!("Q{index}"), if given && index >= right { 0 } else { 5 }, 5, "PASS_FAIL"))
            .collect()
    };
    json!({"id": id, "model": model, "task": "qa", "model_output": {"questions": marks(true)}, "expected_outcome": {"questions": marks(false)}})
}

fn entity(id: &str, model: &str, detected: &[&str]) -> Value {
    json!({
        "id": id, "model": model, "task": "entity", "config": {"keywords": ["refund", "hello"], "topics": ["billing"]},
        "transcript": "hello, I want a refund for this billing problem",
        "model_output": {"detected_keywords": detected, "detected_topics": ["billing"]},
        "expected_outcome": {"detected_keywords": ["hello", "refund"], "detected_topics": ["billing"]},
    })
}

#[test]
fn the_blocker_names_the_question_and_the_case_and_the_score_is_still_shown() {
    let mut record = qa::twenty_four();
    record["id"] = json!("call-17");
    let summary = summarise(&*build("{}"), [record]);
    let card = &summary.models["default"];
    assert!(card.disqualified);
    assert_eq!(card.blockers.len(), 1);
    let blocker = &card.blockers[0];
    assert_eq!(
        (blocker.metric.as_str(), blocker.limit.as_str(), blocker.cases.as_slice()),
        ("qa.false_pass_rate", "<= 3", &["call-17".to_owned()][..])
    );
    assert!(close(blocker.value, 4.1667));
    assert_eq!(card.sections["blocker_details"][0]["cases"][0]["because"][0]["question_id"], "Q17");
    assert_eq!(card.sections["tasks"]["qa"]["disqualified"], json!(true));
    let value = |name: &str| card.metrics[name].value;
    assert!(close(value("qa.question_score_accuracy"), 0.8333) && close(value("qa.score_gap_accuracy"), 0.8417));
    assert!(close(value("qa.false_pass_rate"), 4.1667) && value("qa.score").is_some());
    assert_eq!(card.metrics["qa.false_pass_rate"].rating, Some(Rating::Blocker));
}

#[test]
fn rates_pool_and_the_score_is_that_of_the_pooled_figures() {
    let judge = build("{}");
    // 9 of 10 and 1 of 2: pooled 10 of 12, not the mean of 0.9 and 0.5.
    let summary = summarise(&*judge, [qa("a", "m", 9, 10), qa("b", "m", 1, 2)]);
    let card = &summary.models["m"];
    let accuracy = &card.metrics["qa.question_score_accuracy"];
    assert!(close(accuracy.value, 10.0 / 12.0));
    assert_eq!((accuracy.n, card.metrics["qa.score"].n), (12, 2));
    let value = |name: &str| card.metrics[name].value.expect("defined");
    let composed = 0.7 * value("qa.question_score_accuracy")
        + 0.2 * value("qa.score_gap_accuracy")
        + 0.1 * value("qa.evidence_backed_reasoning");
    assert!((value("qa.score") - composed).abs() < 1e-9);
    let interval = card.metrics["qa.score"].interval.expect("an interval");
    assert!(
        interval.0 <= value("qa.score") && value("qa.score") <= interval.1 && interval.0 < interval.1,
        "{interval:?}"
    );
    assert_eq!(card.sections["tasks"]["qa"]["distribution"]["tenths"].as_array().map(Vec::len), Some(10));
}

#[test]
fn cases_without_structure_are_left_out_counted_and_block() {
    let mut broken = qa("broken", "m", 5, 5);
    broken["model_output"]["questions"][0]["extra"] = json!(1);
    let good: Vec<Value> = (0..9).map(|index| qa(&format!("g{index}"), "m", 5, 5)).collect();
    let all: Vec<Value> = good.into_iter().chain([broken]).collect();
    let card = summarise(&*build("{}"), all.clone()).models["m"].clone();
    assert_eq!(
        (card.metrics["qa.structure_compliance"].value, card.metrics["qa.structure_compliance"].n),
        (Some(0.9), 10)
    );
    assert_eq!(
        (card.blockers[0].metric.as_str(), card.blockers[0].cases.as_slice()),
        ("qa.structure_compliance", &["broken".to_owned()][..])
    );
    assert_eq!(card.metrics["qa.question_score_accuracy"].n, 45);
    assert!(card.metrics["qa.score"].value.is_some() && card.disqualified);
    assert_eq!(card.sections["tasks"]["qa"]["structure_invalid"], json!(1));
    // A tenth of the cases may break it.
    let tolerant = summarise(&*build("blocker_tolerance: 0.1"), all).models["m"].clone();
    assert!(!tolerant.disqualified && tolerant.blockers.is_empty());
    assert_eq!(tolerant.metrics["qa.structure_compliance"].rating, Some(Rating::Fail));
}

#[test]
fn counts_are_those_of_the_worst_case_and_warn_before_they_block() {
    let judge = build("{}");
    let warned =
        summarise(&*judge, [entity("a", "m", &["hello", "refund"]), entity("b", "m", &["hello", "refund", "visa"])]);
    let card = &warned.models["m"];
    let metric = &card.metrics["entity.fabricated_entity_count"];
    assert_eq!(
        (metric.value, metric.n, metric.rating, metric.counts["fabricated"]),
        (Some(1.0), 2, Some(Rating::Acceptable), 1)
    );
    assert_eq!(card.sections["warnings"], json!([{"metric": "entity.fabricated_entity_count", "cases": ["b"]}]));
    // "visa" is not configured either: four of five and one of six is below 0.95, and the score is still shown.
    assert_eq!(
        card.blockers.iter().map(|blocker| blocker.metric.as_str()).collect::<Vec<_>>(),
        ["entity.config_adherence"]
    );
    assert!(card.metrics["entity.score"].value.is_some());
    let blocked = summarise(&*judge, [entity("a", "m", &["hello", "visa", "loan", "mortgage"])]);
    let card = &blocked.models["m"];
    assert_eq!(card.metrics["entity.score"].value, None);
    assert!(
        card.sections["tasks"]["entity"]["score_is_null"]
            .as_str()
            .is_some_and(|reason| reason.contains("fabricated_entity_count"))
    );
    assert_eq!(card.metrics["final.score"].value, None);
    assert_eq!(card.sections["final"]["invalid"], json!(["entity"]));
}

#[test]
fn the_final_score_renormalises_what_was_not_tested_and_ranks_by_cost() {
    let settings = "cost_per_1000: {cheap: 1.0, dear: 4.0}";
    let records = || {
        ["cheap", "dear", "unknown"]
            .into_iter()
            .flat_map(|model| [qa("q", model, 5, 5), entity("e", model, &["hello", "refund"])])
    };
    let summary = summarise(&*build(settings), records());
    let card = &summary.models["cheap"];
    assert_eq!(card.sections["final"]["not_tested"], json!(["text", "translation"]));
    let value = |card: &assize_core::Scorecard, name: &str| card.metrics[name].value;
    let expected =
        (0.35 * value(card, "qa.score").expect("qa") + 0.30 * value(card, "entity.score").expect("entity")) / 0.65;
    assert!(close(value(card, "final.score"), expected));
    let dear = &summary.models["dear"];
    assert!(close(value(dear, "final.cost_efficiency"), expected / 4.0));
    assert_eq!((value(card, "final.rank"), value(dear, "final.rank")), (Some(1.0), Some(2.0)));
    let unknown = &summary.models["unknown"];
    assert_eq!((value(unknown, "final.cost_per_1000"), value(unknown, "final.rank")), (None, None));
    // Custom weights, and costs from the cases.
    let summary = summarise(
        &*build("weights: {qa: 1, entity: 3}"),
        records().map(|mut record| {
            record["cost_usd"] = json!(0.002);
            record
        }),
    );
    let card = &summary.models["cheap"];
    let expected = (value(card, "qa.score").expect("qa") + 3.0 * value(card, "entity.score").expect("entity")) / 4.0;
    assert!(close(value(card, "final.score"), expected));
    assert!(close(value(card, "final.cost_per_1000"), 2.0));
    assert_eq!(value(card, "final.rank"), Some(1.0));
}

#[test]
fn a_disqualified_model_has_no_rank_and_a_free_one_takes_nobodys() {
    // The cheap model detects what is not configured.
    let records = || {
        [
            entity("e", "cheap", &["hello", "refund", "visa"]),
            entity("e", "dear", &["hello"]),
            entity("e", "free", &["hello"]),
            entity("e", "good", &["hello", "refund"]),
        ]
    };
    let rank = |settings: &str| {
        let summary = summarise(&*build(settings), records());
        let ranks: Vec<Option<f64>> = summary.models.values().map(|card| card.metrics["final.rank"].value).collect();
        (ranks, table(&summary))
    };
    let (ranks, shown) = rank("cost_per_1000: {cheap: 1, dear: 3, free: 0, good: 2}");
    assert_eq!(ranks, [None, Some(3.0), Some(1.0), Some(2.0)]);
    assert_eq!(shown.models, ["free", "good", "dear", "cheap"]);
    let cell = |title: &str| {
        let (_, figure) = shown.figures().find(|(_, figure)| figure.title == title).expect("a row");
        figure.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(cell("Cost-Adjusted Rank"), ["1", "2", "3", "disqualified"]);
    assert_eq!(cell("QA Score"), ["not tested"; 4]);
}

#[test]
fn with_benchmarks_option_a_is_used_and_both_are_shown() {
    let summary = summarise(&*build("benchmarks: true"), [qa("q", "m", 5, 5)]);
    let card = &summary.models["m"];
    let score = |name: &str| card.metrics[name].value.expect("defined");
    let Bounds(worst, best) = card.metrics["benchmark.score"].bounds.expect("reasoning needs a reader");
    let with = |benchmarks: f64| (0.25 * score("qa.score") + 0.30 * benchmarks) / 0.55;
    let bounds = card.metrics["final.score"].bounds.expect("undecided");
    assert!(close(Some(bounds.0), with(worst)) && close(Some(bounds.1), with(best)), "{bounds:?}");
    assert_eq!(card.sections["final"]["option"], "A");
    assert!(close(card.sections["final"]["without_benchmarks"].as_f64(), score("qa.score")));
    // What the judge says it gives is what it gives, in that order.
    let listed: Vec<String> = build("benchmarks: true")
        .spec()
        .metrics
        .iter()
        .map(|metric| metric.name.clone())
        .filter(|name| card.metrics.contains_key(name))
        .collect();
    assert_eq!(card.metrics.keys().cloned().collect::<Vec<_>>(), listed);
}

#[test]
fn the_scorecard_stands_side_by_side_in_its_order() {
    let mut breaking = qa::twenty_four();
    breaking["id"] = json!("q");
    breaking["model"] = json!("=evil|model");
    let summary = summarise(&*build("{}"), [qa("q", "good", 5, 5), breaking]);
    let table = table(&summary);
    assert_eq!(table.models, ["good", "=evil|model"], "disqualified models come last");
    let titles: Vec<&str> = table
        .rows
        .iter()
        .map(|row| match row {
            Row::Section { title } => title.as_str(),
            Row::Figure(figure) => figure.title.as_str(),
        })
        .collect();
    assert_eq!(titles.len(), 55, "{titles:#?}");
    assert_eq!(
        titles[..7],
        [
            "QA TASK METRICS",
            "Question Score Accuracy",
            "Score Gap Accuracy",
            "Evidence-Backed Reasoning",
            "Compliance False Pass Rate",
            "Response Structure Compliance",
            "QA Score"
        ]
    );
    assert_eq!(
        titles[49..],
        [
            "FINAL",
            "Final Score (with benchmarks)",
            "Final Score (without benchmarks)",
            "Cost per 1000 calls",
            "Cost-Adjusted Rank",
            "Any Blocker Triggered?"
        ]
    );
    insta::assert_snapshot!("side_by_side", listed(&table));
    let back: Table = serde_json::from_value(summary.sections["scorecard"].clone()).expect("the table");
    // The units are not written: they are the figures' own, and put back from there.
    assert_eq!(json!(back), json!(table));
}

#[test]
fn many_cases_are_folded_and_still_pooled() {
    let judge = build("{}");
    let mut summary = crate::summary::summary_of(&*judge);
    let good = case(&*judge, qa("g", "m", 2, 2));
    let bad = case(&*judge, qa("b", "m", 1, 2));
    let (good_judgment, bad_judgment) = (offline(&*judge, &good), offline(&*judge, &bad));
    for index in 0..2500 {
        if index % 5 == 0 { summary.add(&bad, &bad_judgment) } else { summary.add(&good, &good_judgment) }
    }
    let card = summary.finish().models["m"].clone();
    let metric = &card.metrics["qa.question_score_accuracy"];
    assert_eq!((metric.value, metric.n), (Some(0.9), 5000));
    let interval = metric.interval.expect("an interval");
    assert!(interval.0 <= 0.9 && interval.1 >= 0.9 && interval.1 - interval.0 < 0.05, "{interval:?}");
}
