//! The fact judge from the command line: other settings on the cases of a run, and its published schemas.

use crate::bench::assize_in;
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
        (&["whatif", "nowhere"], "there is no run"),
    ] {
        let ended = assize_in(folder.path(), arguments);
        assert!(ended.code == Some(2) && ended.said.contains(words), "{arguments:?} {}", ended.said);
    }
    assize_in(folder.path(), &["demo", "transcript-quality"]);
    let ended = assize_in(folder.path(), &["whatif", "last"]);
    assert!(ended.code == Some(2) && ended.said.contains("was not judged by fact-extraction"), "{}", ended.said);
}

#[test]
fn the_schemas_are_schemas() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = assize_in(folder.path(), &["schema", "judge-config"]).json();
    assert_eq!((&schema["additionalProperties"], &schema["type"]), (&json!(false), &json!("object")));
    assert!(assize_in(folder.path(), &["schema", "judge-result"]).json()["properties"]["gold_facts"].is_object());
}
