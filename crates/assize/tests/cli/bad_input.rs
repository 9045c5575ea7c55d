//! Wrong files: every mistake with its place, exit code 2, and nothing asked.

use crate::bench::{Bench, assize_in, command_in};
use assize_testkit::Script;

async fn refused(bench: &Bench) -> String {
    let ended = bench.assize(&["run", "suite.yaml"]).await;
    assert_eq!((ended.code, bench.server.stats().requests), (Some(2), 0), "{ended:?}");
    assert!(ended.output.is_empty() && !bench.path(".assize").exists(), "{ended:?}");
    ended
        .said
        .replace(&format!("{}/", bench.folder.path().display()), "")
        .replace(&bench.server.openai_url(), "http://server/v1")
}

#[tokio::test(flavor = "multi_thread")]
async fn five_mistakes_in_a_suite_are_five_messages() {
    let bench = Bench::new(1, Script::default()).await;
    bench.write(
        "suite.yaml",
        "name: trial\njudge:\n  use: transcript-qualty\n  model: opnai:gpt-4o\n  parameters: {temperature: hot}\ncases: [none/*.jsonl]\ngate:\n  composite: high\nembeder: lexical\n",
    );
    insta::assert_snapshot!(refused(&bench).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_in_cases_settings_and_gate_come_together() {
    let bench = Bench::new(1, Script::default()).await;
    bench.write(
        "suite.yaml",
        &bench
            .suite("cases.jsonl", "gate: {compsite: '>= 0.5'}\n")
            .replace("model: 'local:judge'", "model: 'local:judge', settings: {weights: {fidelty: 2}}"),
    );
    let said = refused(&bench).await;
    assert!(said.contains("unknown key `fidelty`") && said.contains("did you mean `fidelity`?"), "{said}");
    bench.write("suite.yaml", &bench.suite("cases.jsonl", "gate: {compsite: '>= 0.5'}\n"));
    bench.write(
        "cases.jsonl",
        "{\"id\": \"a\", \"reference\": \"x\", \"transcript\": \"x\"}\n{\"id\": \"a\", \"reference\": \"y\", \"transcript\": \"y\"}\n{\"id\": \"b\", \"refrence\": \"x\", \"transcript\": \"x\"}\n{\"id\": \"c\", \"reference\": 3\n",
    );
    insta::assert_snapshot!(refused(&bench).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_no_cases() {
    let bench = Bench::new(1, Script::default()).await;
    let mut said = Vec::new();
    for content in [&b""[..], b"\xff\xfe\n", b"[1, 2]\n"] {
        std::fs::write(bench.path("cases.jsonl"), content).expect("written");
        said.push(refused(&bench).await);
    }
    let huge = format!("{{\"id\": \"a\", \"reference\": \"{}\", \"transcript\": \"\"}}\n", "x ".repeat(25_000_000));
    bench.write("cases.jsonl", &huge);
    said.push(refused(&bench).await);
    insta::assert_snapshot!(said.join("\n----\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_key_is_named_with_the_command_that_sets_it() {
    let bench = Bench::new(1, Script::default()).await;
    let ended = {
        let mut command = command_in(bench.folder.path(), &["run", "suite.yaml"]);
        tokio::task::spawn_blocking(move || crate::bench::Ended::of(command.output().expect("started")))
            .await
            .expect("ended")
    };
    assert_eq!((ended.code, bench.server.stats().requests), (Some(2), 0));
    assert!(ended.said.contains("TRIAL_KEY is not set") && ended.said.contains("export TRIAL_KEY="), "{ended:?}");
}

#[test]
fn wrong_arguments_exit_with_two() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [
        &["run"][..],
        &["run", "x.yaml", "--concurrency", "0"],
        &["run", "x.yaml", "--model", "gpt"],
        &["judge"],
        &["show", "--oops"],
    ] {
        let ended = assize_in(folder.path(), arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?} {ended:?}");
    }
    let ended = assize_in(folder.path(), &["run", "none.yaml"]);
    assert!(ended.code == Some(2) && ended.said.contains("none.yaml"), "{ended:?}");
}

/// A repetition is a case of its own under the same id; the same one twice is a mistake, named with both places.
#[test]
fn an_id_may_return_with_another_run_and_not_with_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let case = |run: &str| {
        format!(
            r#"{{"id": "c", {run} "task": "qa", "transcript": "Agent: hello", "expected_outcome": {{"questions": [{{"question_id": "Q1", "score": 5, "max_score": 5, "type": "SCORE"}}]}}, "model_output": {{"questions": [{{"question_id": "Q1", "score": 5, "max_score": 5, "type": "SCORE"}}]}}}}"#
        )
    };
    std::fs::write(
        folder.path().join("suite.yaml"),
        "name: repeats\njudge: {use: call-intelligence}\ncases: cases.jsonl\n",
    )
    .expect("a suite");
    let write = |runs: &[&str]| {
        let lines: Vec<String> = runs.iter().map(|run| case(run)).collect();
        std::fs::write(folder.path().join("cases.jsonl"), lines.join("\n")).expect("cases");
    };
    write(&[r#""run": 1,"#, r#""run": 2,"#, ""]);
    let ended = assize_in(folder.path(), &["run", "suite.yaml", "--quiet", "--results", "out.jsonl"]);
    assert_ne!(ended.code, Some(2), "{}", ended.said);
    let written = std::fs::read_to_string(folder.path().join("out.jsonl")).expect("results");
    let runs: Vec<serde_json::Value> = written
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["run"].clone())
        .collect();
    assert_eq!(runs, [serde_json::json!(1), serde_json::json!(2), serde_json::Value::Null]);
    write(&[r#""run": 1,"#, r#""run": 2,"#, r#""run": 1,"#]);
    let ended = assize_in(folder.path(), &["run", "suite.yaml", "--quiet"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.said.contains("the id `c` stands twice for the model `default` in its run 1"), "{}", ended.said);
    assert!(ended.said.contains("at line 1 already"), "{}", ended.said);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jury_of_the_same_judge_twice_is_refused() {
    let bench = Bench::new(1, Script::default()).await;
    for model in ["offline", "local:judge"] {
        let ended = bench.assize(&["run", "suite.yaml", "--model", model, "--model", model, "--model", "what"]).await;
        assert_eq!((ended.code, bench.server.stats().requests), (Some(2), 0), "{ended:?}");
        let twice = format!("error: `{model}` is named twice: a jury has no judge twice");
        assert!(ended.said.contains(&twice) && ended.said.contains("error: a judge model is"), "{ended:?}");
        assert!(!bench.path(".assize").exists());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_has_the_bounds_of_a_request() {
    let bench = Bench::new(1, Script::default()).await;
    for (option, value) in
        [("--concurrency", "4097"), ("--timeout", "0"), ("--retries", "51"), ("--limit", "0"), ("--max-cost", "1e10")]
    {
        let ended = bench.assize(&["run", "suite.yaml", option, value]).await;
        assert_eq!((ended.code, bench.server.stats().requests), (Some(2), 0), "{option}: {ended:?}");
        assert!(ended.said.contains(option), "{ended:?}");
    }
}

/// Rules that decide nothing are one mistake, not one for every case.
#[test]
fn a_judge_without_a_rule_and_without_a_model_is_one_error_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(assize_in(folder.path(), &["init", "pairwise"]).code, Some(0));
    let ended = assize_in(folder.path(), &["run", "pairwise/suite.yaml", "--model", "offline"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(ended.said.matches("error:").count(), 1, "{}", ended.said);
    assert!(ended.said.contains("the judge pairwise cannot judge any of these cases by rules"), "{}", ended.said);
    assert!(ended.said.contains("--model"), "{}", ended.said);
    // One case that can be judged is enough to go on; the others fail on their own.
    std::fs::write(folder.path().join("suite.yaml"), "name: f\njudge: {use: fact-extraction}\ncases: cases.jsonl\n")
        .expect("written");
    let lines = "{\"id\": \"a\", \"transcript\": \"t\", \"predicted_facts\": []}\n{\"id\": \"b\", \"transcript\": \"t\", \"predicted_facts\": [], \"gold_facts\": []}\n";
    std::fs::write(folder.path().join("cases.jsonl"), lines).expect("written");
    let ended = assize_in(folder.path(), &["run", "suite.yaml", "--format", "json"]);
    assert_eq!(
        (&ended.json()["cases"]["judged"], &ended.json()["cases"]["failed"]),
        (&serde_json::json!(1), &serde_json::json!(1))
    );
}
