//! The fact judge from the command line: other settings on the cases of a run, and its published schemas.

use crate::bench::{Bench, assize_in};
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};

const CASE: &str = r#"{"id": "c1", "transcript": "", "gold_facts": [{"id": "g1", "fact_type": "assets", "fields": {"value": 1000}}], "predicted_facts": [{"id": "p1", "fact_type": "assets", "fields": {"value": "1,030"}}]}"#;

fn run_once(folder: &std::path::Path) {
    std::fs::write(
        folder.join("suite.yaml"),
        "name: facts\njudge: {use: fact-extraction, settings: {profile: strict}}\ncases: cases.jsonl\n",
    )
    .expect("written");
    std::fs::write(folder.join("cases.jsonl"), CASE).expect("written");
    let ended = assize_in(folder, &["run", "suite.yaml", "--format", "json"]);
    assert_eq!(
        (ended.code, &ended.json()["models"]["default"]["metrics"]["f1"]["value"]),
        (Some(0), &json!(0.0)),
        "{}",
        ended.said
    );
}

#[test]
fn a_wider_tolerance_flips_the_pair_it_covers() {
    let folder = tempfile::tempdir().expect("a folder");
    run_once(folder.path());
    let changed =
        assize_in(folder.path(), &["whatif", "last", "--set", "numeric_tolerance_percent=5", "--json"]).json();
    assert_eq!(changed["changed"], json!([{"key": "numeric_tolerance_percent", "from": 0.0, "to": 5.0}]));
    assert_eq!((&changed["before"]["default"]["f1"], &changed["after"]["default"]["f1"]), (&json!(0.0), &json!(1.0)));
    assert_eq!((&changed["flips"][0]["predicted_id"], &changed["flips"][0]["linked"]), (&json!("p1"), &json!(true)));
    // 1,030 against 1,000 is off by three percent.
    let curve =
        assize_in(folder.path(), &["whatif", "last", "--sweep", "numeric_tolerance_percent=0..4:1", "--json"]).json();
    let f1: Vec<&Value> =
        curve["points"].as_array().expect("points").iter().map(|point| &point["models"]["default"]["f1"]).collect();
    assert_eq!(f1, [&json!(0.0), &json!(0.0), &json!(0.0), &json!(1.0), &json!(1.0)]);
}

#[test]
fn what_cannot_be_recomputed_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    run_once(folder.path());
    for (arguments, words) in [
        (&["whatif", "last", "--set", "tolerance=5"][..], "no setting"),
        (&["whatif", "last", "--set", "numeric_tolerance_percent"], "KEY=VALUE"),
        (&["whatif", "last", "--sweep", "numeric_tolerance_percent=5"], "no range"),
        (&["whatif", "last", "--sweep", "numeric_tolerance_percent=0..200"], "from 0 to 100"),
        (&["whatif", "last", "--sweep", "date_granularity=0..1"], "must be one of"),
        (&["whatif", "nowhere"], "there is no run"),
    ] {
        let ended = assize_in(folder.path(), arguments);
        assert!(ended.code == Some(2) && ended.said.contains(words), "{arguments:?} {}", ended.said);
    }
    assize_in(folder.path(), &["demo", "call-intelligence", "--no-serve"]);
    let ended = assize_in(folder.path(), &["whatif", "last"]);
    let words = "call-intelligence cannot tell what other settings would give";
    assert!(ended.code == Some(2) && ended.said.contains(words), "{}", ended.said);
}

/// What the answers of a model are worth, in the cases whose composite is known.
fn answers_with_a_composite(folder: &std::path::Path, model: &str) -> Vec<f64> {
    let table = assize_in(folder, &["report", "last", "--format", "csv", "--table", "cases"]).output;
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let column = |name: &str| head.iter().position(|column| *column == name).expect("a column");
    let (of, composite, answer) = (column("model"), column("overall_score"), column("answer_correctness"));
    let known = lines.filter(|line| line.get(of) == Some(&model) && !line[composite].is_empty());
    known.map(|line| line[answer].parse().expect("a number")).collect()
}

#[test]
fn other_weights_move_composites_and_verdicts() {
    let folder = tempfile::tempdir().expect("a folder");
    assize_in(folder.path(), &["demo", "reasoning-trace", "--no-serve"]);
    let run = assize_in(folder.path(), &["show", "last", "--format", "json"]).json();
    let figure = |model: &str, name: &str| run["models"][model]["metrics"][name]["value"].clone();
    let heavy = "weights.answer_correctness=100";
    let changed = assize_in(folder.path(), &["whatif", "last", "--set", heavy, "--json"]).json();
    for model in ["solver-large", "solver-small"] {
        let before = &changed["before"][model];
        let recorded = ["overall_score", "approve_rate"].map(|name| figure(model, name));
        assert_eq!([&before["overall_score"], &before["approve_rate"]], [&recorded[0], &recorded[1]], "{model}");
        // With all the weight on the answer, the composite is what the answer is worth, in those cases that have one.
        let after = changed["after"][model]["overall_score"].as_f64().expect("a figure");
        let answers: Vec<f64> = answers_with_a_composite(folder.path(), model);
        let answer = answers.iter().sum::<f64>() / answers.len() as f64;
        assert!((after - answer).abs() < 0.05, "{model}: {after} {answer}");
    }
    // Two wrong equations: with the weight on accuracy, a right answer does not save the trace.
    let changed = assize_in(folder.path(), &["whatif", "last", "--set", "weights.accuracy=100", "--json"]).json();
    let flips = changed["flips"].as_array().expect("flips");
    assert_eq!(flips.len(), 1, "{flips:?}");
    assert_eq!([&flips[0]["case"], &flips[0]["from"], &flips[0]["to"]], ["bakery-rolls", "needs_revision", "reject"]);
    let curve = assize_in(folder.path(), &["whatif", "last", "--sweep", "weights.clarity=0..1:0.5", "--json"]).json();
    assert_eq!(curve["points"].as_array().map(Vec::len), Some(3), "{curve}");
    let none = assize_in(folder.path(), &["whatif", "last", "--set", "weights={\"clarity\": -1}"]);
    assert!(none.code == Some(2) && none.said.contains("at least 0"), "{}", none.said);
}

#[test]
fn the_schemas_are_schemas() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = assize_in(folder.path(), &["schema", "judge-config"]).json();
    assert_eq!((&schema["additionalProperties"], &schema["type"]), (&json!(false), &json!("object")));
    assert!(assize_in(folder.path(), &["schema", "judge-result"]).json()["properties"]["gold_facts"].is_object());
    let schema = assize_in(folder.path(), &["schema", "transcript-quality"]).json();
    assert_eq!(schema["properties"]["weights"]["properties"]["fidelity"]["default"], 0.4);
}

#[test]
fn profiles_have_versions_and_runs_name_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = |arguments: &[&str]| assize_in(folder.path(), &[&["profile"], arguments].concat());
    assert!(profile(&["save", "acme", "--set", "numeric_tolerance_percent=2"]).output.contains("saved acme@1"));
    assert!(
        profile(&["save", "acme", "--set", "numeric_tolerance_percent=2"])
            .output
            .contains("acme@1 holds just that already")
    );
    assert!(profile(&["save", "acme", "--set", "numeric_tolerance_percent=5"]).output.contains("saved acme@2"));
    assert_eq!(profile(&["show", "acme"]).json()["numeric_tolerance_percent"], 5.0);
    assert_eq!(profile(&["show", "acme@1"]).json()["numeric_tolerance_percent"], 2.0);
    assert!(profile(&["diff", "acme@1", "acme"]).output.contains("numeric_tolerance_percent: 2.0 → 5.0"));
    for (arguments, words) in [
        (&["save", "strict"][..], "is built in"),
        (&["save", "a/b"], "cannot be a profile's name"),
        (&["save", "acme", "--set", "tolerance=2"], "unknown key `tolerance`"),
        (&["show", "nobody"], "there is no profile"),
        (&["delete", "nobody"], "no saved profile"),
    ] {
        let ended = profile(arguments);
        assert!(ended.code == Some(2) && ended.said.contains(words), "{arguments:?} {}", ended.said);
    }
    // 1,030 against 1,000 is off by three percent: wrong under version 1, right under version 2.
    std::fs::write(folder.path().join("cases.jsonl"), CASE).expect("written");
    let f1 = |written: &str| {
        let suite = format!(
            "name: facts\njudge: {{use: fact-extraction, settings: {{profile: {written}}}}}\ncases: cases.jsonl\n"
        );
        std::fs::write(folder.path().join("suite.yaml"), suite).expect("written");
        let ended = assize_in(folder.path(), &["run", "suite.yaml", "--format", "json"]);
        assert_eq!(ended.code, Some(0), "{}", ended.said);
        let document = ended.json();
        (document["judge"]["profile"].clone(), document["models"]["default"]["metrics"]["f1"]["value"].clone())
    };
    assert_eq!(f1("acme@1"), (json!("acme@1"), json!(0.0)));
    assert_eq!(f1("acme"), (json!("acme@2"), json!(1.0)));
    let exported = profile(&["export", "acme"]).output;
    assert_eq!(profile(&["delete", "acme"]).code, Some(0));
    assert!(!profile(&["list"]).output.contains("acme"));
    let refused = assize_in(folder.path(), &["run", "suite.yaml"]);
    assert!(refused.code == Some(2) && refused.said.contains("there is no profile `acme`"), "{}", refused.said);
    assert_eq!(f1("acme@2").1, json!(1.0), "an old version can still be run");
    std::fs::write(folder.path().join("acme.json"), exported).expect("written");
    assert!(profile(&["import", "acme.json"]).output.contains("saved acme@3"));
    std::fs::write(folder.path().join("bad.json"), "{\"profile_name\": \"x\", \"tolerance\": 1}").expect("written");
    let bad = profile(&["import", "bad.json"]);
    assert!(bad.code == Some(2) && bad.said.contains("unknown key `tolerance`"), "{}", bad.said);
}

#[test]
fn other_judges_have_profiles_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = |arguments: &[&str]| assize_in(folder.path(), &[&["profile"], arguments].concat());
    let saved =
        profile(&["save", "loose", "--judge", "transcript-quality", "--set", "normalisation={\"case\": false}"]);
    assert!(saved.output.contains("saved loose@1"), "{}", saved.said);
    assert!(profile(&["list"]).output.contains("transcript-quality"));
    assert!(profile(&["diff", "strict", "loose"]).said.contains("one is for the judge fact-extraction"));
    let bad = profile(&["save", "loose", "--set", "weights={\"fidelty\": 1}"]);
    assert!(bad.code == Some(2) && bad.said.contains("did you mean `fidelity`?"), "{}", bad.said);
    // Upper case is an error under this profile alone: one word of three.
    std::fs::write(
        folder.path().join("cases.jsonl"),
        r#"{"id": "c1", "reference": "one two three", "transcript": "one TWO three"}"#,
    )
    .expect("written");
    let run = |judge: &str, settings: &str| {
        let suite = format!("name: t\njudge: {{use: {judge}, settings: {settings}}}\ncases: cases.jsonl\n");
        std::fs::write(folder.path().join("suite.yaml"), suite).expect("written");
        assize_in(folder.path(), &["run", "suite.yaml", "--format", "json"])
    };
    let wer = |settings: &str| {
        let document = run("transcript-quality", settings).json();
        (document["judge"]["profile"].clone(), document["models"]["default"]["metrics"]["wer"]["value"].clone())
    };
    assert_eq!(wer("{}"), (Value::Null, json!(0.0)));
    assert_eq!(wer("{profile: loose}"), (json!("loose@1"), json!(0.333333333333)));
    let refused = run("reasoning-trace", "{profile: loose}");
    assert!(
        refused.code == Some(2) && refused.said.contains("is for the judge transcript-quality"),
        "{}",
        refused.said
    );
}

/// What a model answers that calls the two facts the same; `gold` is the id it links to.
fn labelled(gold: &str) -> Value {
    json!({"predicted_facts": [{"id": "p1", "matched_gold_ids": [gold]}], "notes": ""})
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invented_id_is_sent_back_and_a_generous_link_is_audited() {
    let script = Script::new(|received| Reply::Json(labelled(if received.number == 0 { "g9" } else { "g1" })));
    let bench = Bench::new(0, script).await;
    bench.write(
        "suite.yaml",
        &bench.suite("cases.jsonl", "").replace("use: transcript-quality", "use: fact-extraction"),
    );
    bench.write("cases.jsonl", CASE);
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json", "--results", "r.jsonl"]).await;
    assert_eq!((ended.code, bench.server.stats().requests), (Some(0), 2), "{}", ended.said);
    let correction =
        bench.server.requests()[1].messages().last().map(|(_, content)| content.clone()).unwrap_or_default();
    assert!(correction.contains("g9"), "the violation is named: {correction}");
    let metrics = &ended.json()["models"]["default"]["metrics"];
    assert_eq!((&metrics["f1"]["value"], &metrics["f1"]["method"]), (&json!(1.0), &json!("llm")));
    // The model may call 1,030 and 1,000 the same; the settings allow no tolerance, and that is said.
    assert_eq!(metrics["audit_contradiction_rate"]["value"].as_f64().map(|rate| rate > 0.0), Some(true), "{metrics}");
    let line: Value = serde_json::from_str(&bench.read("r.jsonl")).expect("JSON");
    let flags = line["flags"].as_array().expect("flags");
    assert!(flags.contains(&json!("reply_corrected")) && flags.contains(&json!("audit_contradiction")), "{flags:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_no_fact_has_are_warned_about_and_the_inferred_reading_is_shown() {
    let bench = Bench::new(0, Script::new(|_| Reply::Json(labelled("g1")))).await;
    let judge = "use: fact-extraction, settings: {fact_types_in_scope: [assets, nonexistent]}";
    bench.write("suite.yaml", &bench.suite("cases.jsonl", "").replace("use: transcript-quality", judge));
    bench.write("cases.jsonl", &CASE.replace("1000", "\"1,000.50\""));
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
    assert!(ended.said.contains("warning: `fact_types_in_scope` names `nonexistent`"), "{}", ended.said);
    assert_eq!(ended.json()["judge"]["settings"]["reading"]["decimal_mark"], "point");
}
