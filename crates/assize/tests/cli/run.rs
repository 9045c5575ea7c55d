//! A run from beginning to end, and again.

use crate::bench::{Bench, KEY, assize_in};
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_run_prints_one_document_and_writes_a_line_per_case() {
    let reply = json!({"rationale": "fine", "fidelity": 4, "omissions": 1, "insertions": 0, "overall": 4});
    let bench = Bench::new(3, Script::always(Reply::Json(reply))).await;
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json", "--results", "out/results.jsonl"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let document = ended.json();
    assert_eq!(document["schema"], "assize.run/1");
    assert_eq!(document["status"], "complete");
    assert_eq!(document["cases"], json!({"total": 3, "judged": 3, "failed": 0, "skipped": 0}));
    let composite = &document["models"]["default"]["metrics"]["composite"];
    assert_eq!((&composite["value"], &composite["n"], &composite["method"]), (&json!(0.84), &json!(3), &json!("llm")));
    assert_eq!(document["usage"]["calls"], 3);
    assert_eq!(document["usage"]["cost_usd"], Value::Null, "the price of a server of one's own is not known");
    assert_eq!(document["judge"]["calibration"], "uncalibrated");
    let results = bench.read("out/results.jsonl");
    let lines: Vec<Value> = results.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let keys: Vec<&String> = lines[0].as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        ["case", "model", "status", "metrics", "labels", "verdict", "reason", "flags", "claimed", "error", "answers"]
    );
    assert_eq!(lines.iter().map(|line| line["case"].as_str().expect("an id")).collect::<Vec<_>>(), ["c0", "c1", "c2"]);
    assert_eq!(bench.server.requests()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_run_asks_nothing_and_its_results_are_the_same_to_the_byte() {
    let bench = Bench::new(40, Script::default()).await;
    let first = bench.assize(&["run", "suite.yaml", "--results", "a.jsonl"]).await;
    assert_eq!((first.code, bench.server.stats().requests), (Some(0), 40), "{first:?}");
    let second = bench.assize(&["run", "suite.yaml", "--results", "b.jsonl", "--format", "json"]).await;
    assert_eq!(bench.server.stats().requests, 40);
    assert_eq!(second.json()["usage"]["cached"], 40);
    assert_eq!(bench.read("a.jsonl"), bench.read("b.jsonl"));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrency_changes_nothing_but_the_time() {
    let bench = Bench::new(60, Script::default()).await;
    for (concurrency, store, results) in [("1", "one.db", "one.jsonl"), ("64", "many.db", "many.jsonl")] {
        let ended = bench
            .assize(&["run", "suite.yaml", "--concurrency", concurrency, "--store", store, "--results", results])
            .await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    assert_eq!(bench.read("one.jsonl"), bench.read("many.jsonl"));
    assert_eq!(bench.server.stats().requests, 120);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_question_in_two_cases_is_paid_once() {
    let bench = Bench::new(0, Script::default()).await;
    let twins: String =
        (0..20).map(|n| format!("{{\"id\": \"t{n}\", \"reference\": \"same\", \"transcript\": \"same\"}}\n")).collect();
    bench.write("cases.jsonl", &twins);
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
    assert_eq!((ended.json()["cases"]["judged"].as_u64(), bench.server.stats().requests), (Some(20), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn refresh_asks_anew_and_no_cache_leaves_the_stored_answers() {
    // Every request gets another score, so that it shows which answer was used.
    let script = Script::new(|received| {
        let score = received.number as f64 % 10.0 / 2.0;
        Reply::Json(json!({"rationale": "r", "fidelity": score, "omissions": 0, "insertions": 0, "overall": 5}))
    });
    let bench = Bench::new(1, script).await;
    let mut fidelity = Vec::new();
    for more in [&[][..], &["--no-cache"], &[], &["--refresh"], &[]] {
        let arguments: Vec<&str> = ["run", "suite.yaml", "--format", "json"].iter().chain(more).copied().collect();
        let document = bench.assize(&arguments).await.json();
        fidelity.push(document["models"]["default"]["metrics"]["fidelity"]["value"].as_f64().expect("a figure"));
    }
    assert_eq!(fidelity, [0.0, 0.1, 0.0, 0.2, 0.2]);
    assert_eq!(bench.server.stats().requests, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gate_makes_the_exit_code() {
    let reply = json!({"rationale": "r", "fidelity": 4, "omissions": 1, "insertions": 0, "overall": 4});
    let bench = Bench::new(2, Script::always(Reply::Json(reply))).await;
    for (gate, code) in
        [("composite: '>= 0.84'", 0), ("composite: '> 0.84'", 1), ("{composite: '>= 0.5', blockers: 0}", 0)]
    {
        let gate = if gate.starts_with('{') { format!("gate: {gate}\n") } else { format!("gate: {{{gate}}}\n") };
        bench.write("suite.yaml", &bench.suite("cases.jsonl", &gate));
        let ended = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
        assert_eq!((ended.code, &ended.json()["gate"]["passed"]), (Some(code), &json!(code == 0)), "{gate}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_asks_nothing_and_leaves_no_trace() {
    let bench = Bench::new(3, Script::default()).await;
    let ended = bench.assize(&["run", "suite.yaml", "--dry-run", "--model", "openai:gpt-4o-mini"]).await;
    assert_eq!((ended.code, bench.server.stats().requests), (Some(0), 0), "{ended:?}");
    assert!(ended.output.contains("3 questions") && ended.output.contains("<<<DATA"), "{}", ended.output);
    assert!(ended.output.contains('$'), "the price of gpt-4o-mini is known: {}", ended.output);
    assert!(!bench.path(".assize").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jury_joins_what_its_members_say() {
    let script = Script::new(|received| {
        let score = if received.model() == "kind" { 5 } else { 3 };
        Reply::Json(json!({"rationale": "r", "fidelity": score, "omissions": 0, "insertions": 0, "overall": score}))
    });
    let bench = Bench::new(1, script).await;
    let ended = bench
        .assize(&[
            "run",
            "suite.yaml",
            "--model",
            "local:kind",
            "--model",
            "local:strict",
            "--format",
            "json",
            "--results",
            "r.jsonl",
        ])
        .await;
    let document = ended.json();
    assert_eq!(document["judge"]["model"], json!(["local:kind", "local:strict"]));
    assert_eq!(document["models"]["default"]["metrics"]["fidelity"]["value"], 0.8);
    let line: Value = serde_json::from_str(&bench.read("r.jsonl")).expect("JSON");
    assert_eq!(line["labels"]["jury"]["local:strict"]["metrics"]["fidelity"], 0.6);
    assert_eq!(line["answers"].as_array().map(Vec::len), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_answers_give_the_same_figures_without_a_model() {
    let bench = Bench::new(5, Script::default()).await;
    let live = bench.assize(&["run", "suite.yaml", "--format", "json"]).await.json();
    let recorded = bench.assize(&["show", "last", "--answers"]).await;
    bench.write("recorded.jsonl", &recorded.output);
    let replayed = bench.assize(&["run", "suite.yaml", "--model", "replay:recorded.jsonl", "--format", "json"]).await;
    assert_eq!(replayed.json()["models"], live["models"]);
    assert_eq!(bench.server.stats().requests, 5);
    bench.write("cases.jsonl", &crate::bench::transcripts(6));
    let short = bench.assize(&["run", "suite.yaml", "--model", "replay:recorded.jsonl", "--format", "json"]).await;
    assert_eq!((short.code, &short.json()["failures"]), (Some(3), &json!({"not_recorded": 1})));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_and_limit_choose_cases() {
    let bench = Bench::new(10, Script::default()).await;
    let ended = bench.assize(&["run", "suite.yaml", "--only", "c7", "--only", "c3", "--results", "r.jsonl"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(bench.read("r.jsonl").lines().count(), 2);
    let ended = bench.assize(&["run", "suite.yaml", "--limit", "4", "--format", "json"]).await;
    assert_eq!(ended.json()["cases"]["total"], 4);
    let ended = bench.assize(&["run", "suite.yaml", "--only", "nobody"]).await;
    assert!(ended.code == Some(2) && ended.said.contains("no case has the id `nobody`"), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_formats_say_the_same() {
    let bench = Bench::new(2, Script::default()).await;
    bench.write("suite.yaml", &bench.suite("cases.jsonl", "gate: {composite: '> 1'}\n"));
    let markdown = bench.assize(&["run", "suite.yaml", "--format", "markdown"]).await;
    assert!(markdown.code == Some(1) && markdown.output.contains("- [ ] `composite > 1`"), "{markdown:?}");
    let junit = bench.assize(&["run", "suite.yaml", "--format", "junit"]).await;
    assert!(
        junit.output.contains("tests=\"2\" skipped=\"0\" failures=\"1\" errors=\"0\"")
            && junit.output.contains("name=\"composite &gt; 1\""),
        "{junit:?}"
    );
    let github = bench.assize(&["run", "suite.yaml", "--format", "github"]).await;
    assert!(github.output.starts_with("::error title=trial::composite > 1 is "), "{github:?}");
}

/// Results take the place of results and of nothing else; what is no file is written to and stays what it is.
#[cfg(unix)]
#[test]
fn results_replace_only_results_and_go_through_links_and_into_devices() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(assize_in(folder.path(), &["init"]).code, Some(0));
    let suite = "transcript-quality/suite.yaml";
    let run = |results: &str| assize_in(folder.path(), &["run", suite, "--results", results]);
    for file in [suite, "transcript-quality/cases.jsonl", ".assize/assize.db"] {
        assert_eq!(assize_in(folder.path(), &["run", suite]).code, Some(0));
        let before = std::fs::read(folder.path().join(file)).expect("there");
        let ended = run(file);
        assert!(ended.code == Some(2) && ended.said.contains("holds no results of a run"), "{file}: {ended:?}");
        assert_eq!(std::fs::read(folder.path().join(file)).expect("there"), before, "{file}");
    }
    assert_eq!(run("/dev/null").code, Some(0));
    let device = std::fs::metadata("/dev/null").expect("there");
    assert!(!device.is_file(), "it is still a device");
    std::fs::write(folder.path().join("real.jsonl"), "").expect("written");
    std::os::unix::fs::symlink("real.jsonl", folder.path().join("link.jsonl")).expect("linked");
    for _ in 0..2 {
        assert_eq!(run("link.jsonl").code, Some(0));
        assert!(folder.path().join("link.jsonl").is_symlink(), "the link stays");
        let lines = std::fs::read_to_string(folder.path().join("real.jsonl")).expect("there");
        assert_eq!(lines.lines().count(), 4);
    }
}
