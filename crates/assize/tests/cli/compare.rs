//! `assize compare`: two runs, and two models of one.

use crate::bench::{Bench, assize_in, steady};
use assize_testkit::{Reply, Script};
use serde_json::json;
use std::path::Path;

/// Runs transcripts of these qualities: a word of five is wrong in as many cases as are named.
fn run(folder: &Path, name: &str, cases: std::ops::Range<usize>, wrong: &[usize], model: &str) -> String {
    let lines: String = cases
        .map(|case| {
            let reference = format!("please stop card number {case}");
            let transcript = if wrong.contains(&case) { reference.replace("card", "cart") } else { reference.clone() };
            format!(
                "{}\n",
                json!({"id": format!("c{case:02}"), "model": model, "reference": reference, "transcript": transcript})
            )
        })
        .collect();
    std::fs::write(folder.join("cases.jsonl"), lines).expect("written");
    let suite = format!("name: {name}\njudge: {{use: transcript-quality}}\ncases: [cases.jsonl]\n");
    std::fs::write(folder.join("suite.yaml"), suite).expect("written");
    let ended = assize_in(folder, &["run", "suite.yaml", "--format", "json"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.json()["run_id"].as_str().expect("an id").to_owned()
}

#[test]
fn two_runs_say_what_is_worse_in_words_and_in_eighty_columns() {
    let folder = tempfile::tempdir().expect("a folder");
    let a = run(folder.path(), "before", 0..20, &[1], "m");
    let b = run(folder.path(), "after", 1..22, &[2, 3, 4, 5, 6, 7, 8, 9, 10], "m");
    let ended = assize_in(folder.path(), &["compare", &a, &b]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let widest = ended.output.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}");
    insta::assert_snapshot!(steady(&ended.output));
    insta::assert_snapshot!(
        "markdown",
        steady(&assize_in(folder.path(), &["compare", &a, &b, "--format", "markdown"]).output)
    );
    let found = assize_in(folder.path(), &["compare", &a, &b, "--format", "json"]).json();
    assert_eq!((&found["schema"], &found["shared"]), (&json!("assize.compare/1"), &json!(19)));
    assert_eq!((&found["only_a"]["count"], &found["only_b"]["count"]), (&json!(1), &json!(2)));
    let wer =
        found["models"][0]["metrics"].as_array().expect("figures").iter().find(|metric| metric["metric"] == "wer");
    let wer = wer.expect("wer");
    // One of 95 words against nine: less is better, so nine cases are worse and one is better.
    assert_eq!((&wer["a"], &wer["b"]), (&json!(0.010526315789), &json!(0.094736842105)));
    assert_eq!((&wer["better"], &wer["worse"], &wer["same"]), (&json!(1), &json!(9), &json!(9)));
    assert_eq!((&wer["lower_is_better"], &wer["finding"]), (&json!(true), &json!("worse")));
}

#[test]
fn two_models_of_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(assize_in(folder.path(), &["demo", "reasoning-trace", "--no-serve"]).code, Some(0));
    let ended = assize_in(folder.path(), &["compare", "last"]);
    insta::assert_snapshot!(steady(&ended.output));
    let chosen = ["compare", "last", "--models", "solver-small", "solver-large", "--format", "json"];
    let found = assize_in(folder.path(), &chosen).json();
    assert_eq!((&found["models"][0]["a"], &found["models"][0]["b"]), (&json!("solver-small"), &json!("solver-large")));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_judge_on_the_same_texts_is_named() {
    let script = Script::new(|received| {
        let kind = received.model() == "kind";
        let score = if kind { 5 } else { 1 };
        let why = if kind { "all there" } else { "half is missing" };
        Reply::Json(json!({"rationale": why, "fidelity": score, "omissions": score, "insertions": 5, "overall": score}))
    });
    let bench = Bench::new(8, script).await;
    for model in ["local:kind", "local:strict"] {
        assert_eq!(bench.assize(&["run", "suite.yaml", "--model", model]).await.code, Some(0));
    }
    let ids = bench.assize(&["runs", "--json"]).await.json();
    let id = |at: usize| ids[at]["run_id"].as_str().expect("an id").to_owned();
    let ended = bench.assize(&["compare", &id(1), &id(0)]).await;
    assert!(ended.output.contains("another judge on the same texts"), "{}", ended.output);
    assert!(ended.output.contains("asked of local:kind against local:strict"), "{}", ended.output);
    assert!(ended.output.contains("uncalibrated"), "{}", ended.output);
}

#[test]
fn what_cannot_be_compared_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let nothing = assize_in(folder.path(), &["compare", "last", "last"]);
    assert!(nothing.code == Some(2) && nothing.said.contains("assize demo"), "{nothing:?}");
    let a = run(folder.path(), "before", 0..3, &[1], "old");
    let b = run(folder.path(), "after", 0..3, &[2], "new");
    let renamed = assize_in(folder.path(), &["compare", &a, &b]);
    assert!(renamed.code == Some(0) && renamed.output.contains("old (A) against new (B), 3 cases"), "{renamed:?}");
    let apart = run(folder.path(), "apart", 10..12, &[], "old");
    let nothing = assize_in(folder.path(), &["compare", &a, &apart]);
    assert!(nothing.code == Some(0) && nothing.output.contains("nothing to compare"), "{nothing:?}");
    for (arguments, words) in [
        (&["compare", &a][..], "which models of the run"),
        (&["compare", &a, "nowhere"], "there is no run `nowhere`"),
        (&["compare", &a, &b, "--model-a", "none"], "has no model `none`; it has: old"),
        (&["compare", &a, &b, "--models", "old"], "2 values"),
        (&["compare"], "required"),
    ] {
        let ended = assize_in(folder.path(), arguments);
        assert!(ended.code == Some(2) && ended.said.contains(words), "{arguments:?} {}", ended.said);
    }
}

#[test]
fn runs_of_pairs_are_not_compared_and_it_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(assize_in(folder.path(), &["demo", "pairwise", "--no-serve"]).code, Some(0));
    let ended = assize_in(folder.path(), &["compare", "last"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.said.contains("compare systems with each other"), "{ended:?}");
}
