//! Repetitions of a case: one id, several `run` numbers. They are cases of their own wherever a case is named, and one case
//! wherever consistency is measured.

use crate::bench::Bench;
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};

/// Two questions with a mark for the second; reasons differ, so that every repetition is a question of its own.
fn case(id: &str, run: Option<u32>, mark: u32, reason: &str) -> Value {
    let questions = |mark: u32, reason: &str| {
        let question = |id: u32, score: u32, kind: &str| json!({"question_id": id, "score": score, "max_score": 5, "type": kind, "reason": reason});
        json!({"questions": [question(1, 5, "PASS_FAIL"), question(2, mark, "SCORE")]})
    };
    let mut case = json!({"id": id, "task": "qa", "transcript": "Agent: hello", "model_output": questions(mark, reason),
                          "expected_outcome": questions(3, "greeted")});
    if let Some(run) = run {
        case["run"] = json!(run);
    }
    case
}

/// A suite over the cases, with a model that finds every reason good.
async fn bench(cases: &[Value]) -> Bench {
    let label = |item: u32| json!({"item": item, "note": "", "has_evidence": true, "factual": true});
    let reasons = json!({"reasons": [label(1), label(2)], "claimed": []});
    let benchmarks = json!({"claims": [], "expected_facts": [], "pieces_used": [], "pieces_needed": [], "steps": [], "instructions": [], "claimed": []});
    let script = Script::new(move |received| {
        let asks_for_reasons = received.schema().is_some_and(|schema| schema["properties"].get("reasons").is_some());
        Reply::Json(if asks_for_reasons { reasons.clone() } else { benchmarks.clone() })
    });
    let bench = Bench::new(1, script).await;
    let judge = "use: call-intelligence, settings: {benchmarks: true},";
    bench.write("suite.yaml", &bench.suite("cases.jsonl", "").replace("use: transcript-quality,", judge));
    bench.write("cases.jsonl", &cases.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"));
    bench
}

fn lines(bench: &Bench, file: &str) -> Vec<Value> {
    bench.read(file).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_repetition_has_its_name_and_an_id_means_all_of_them() {
    let mut cases =
        vec![case("c", Some(1), 3, "a"), case("c", Some(2), 3, "b"), case("c", None, 3, "c"), case("d", None, 3, "d")];
    let good = bench(&cases).await;
    let ended = good.assize(&["run", "suite.yaml", "--results", "r.jsonl"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines = lines(&good, "r.jsonl");
    assert_eq!(
        lines.iter().map(|line| line.get("run").cloned()).collect::<Vec<_>>(),
        [Some(json!(1)), Some(json!(2)), None, None]
    );
    let shown = good.assize(&["show", "last"]).await.output;
    assert!(shown.contains("c (run 1)") && shown.contains("c (run 2)"), "{shown}");
    let full = good.assize(&["show", "last", "--case", "c"]).await.output;
    assert!(full.contains("c (run 1)  default · judged") && full.contains("c (run 2)  default · judged"), "{full}");
    let only = good.assize(&["run", "suite.yaml", "--only", "c", "--format", "json"]).await;
    assert_eq!(only.json()["cases"]["total"], 3);
    // What was recorded of each is replayed for each.
    let recorded = good.assize(&["show", "last", "--answers"]).await.output;
    good.write("recorded.jsonl", &recorded);
    let replayed = ["run", "suite.yaml", "--model", "replay:recorded.jsonl", "--only", "c", "--format", "json"];
    assert_eq!(good.assize(&replayed).await.json()["cases"]["judged"], 3);

    cases[3] = case("c", None, 0, "e");
    cases[3]["run"] = json!(2.0);
    let bad = bench(&cases).await;
    let refused = bad.assize(&["run", "suite.yaml"]).await;
    assert_eq!((refused.code, bad.server.stats().requests), (Some(2), 0));
    assert!(refused.said.contains("cases.jsonl:4:1") && refused.said.contains("at line 2 already"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn repetitions_go_on_after_a_kill_where_they_stopped() {
    let repeated = |id: usize| (1..=3).map(move |run| case(&format!("c{id}"), Some(run), 3, &format!("{id} {run}")));
    let cases: Vec<Value> = (0..10).flat_map(repeated).collect();
    let bench = bench(&cases).await;
    bench.server.hold();
    let run = ["run", "suite.yaml", "--concurrency", "2", "--format", "json", "--results", "r.jsonl"];
    let mut child = bench.command(&run).spawn().expect("started");
    bench.server.wait_for_requests(2).await;
    bench.server.release(7);
    // A request keeps its place among the two until its answer is on disk. So the ninth can only come once seven are.
    bench.server.wait_for_requests(9).await;
    child.kill().expect("killed");
    child.wait().expect("gone");
    bench.server.release_all();
    let ended = bench.assize(&run).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let usage = &ended.json()["usage"];
    // Two questions a case.
    assert_eq!((&usage["cached"], &usage["calls"]), (&json!(7), &json!(60 - 7)));
    let lines = lines(&bench, "r.jsonl");
    let named: Vec<(&Value, &Value)> = lines.iter().map(|line| (&line["case"], &line["run"])).collect();
    let expected: Vec<(&Value, &Value)> = cases.iter().map(|case| (&case["id"], &case["run"])).collect();
    assert_eq!(named, expected, "every repetition once, in order");
    let again = bench.assize(&["run", "suite.yaml", "--results", "again.jsonl"]).await;
    assert_eq!((again.code, bench.read("again.jsonl") == bench.read("r.jsonl")), (Some(0), true));
}

#[tokio::test(flavor = "multi_thread")]
async fn consistency_is_that_of_one_id() {
    // Marks 3, 3 and 0 where 3 of 5 is right: accuracy 1, 1, ½; gap accuracy 1, 1, 0.7; all reasons good.
    // Scores 1, 1, 0.35 + 0.14 + 0.1 = 0.59; mean 0.863333, deviation √0.0373556 = 0.193276: 1 − 0.223872 = 0.776128.
    let cases = [
        case("c", Some(1), 3, "a"),
        case("c", Some(2), 3, "b"),
        case("c", Some(3), 0, "c"),
        case("steady", Some(1), 3, "d"),
        case("steady", Some(2), 3, "e"),
        case("alone", Some(1), 0, "f"),
        case("unnumbered", None, 0, "g"),
    ];
    let bench = bench(&cases).await;
    let document = bench.assize(&["run", "suite.yaml", "--format", "json"]).await.json();
    let metric = &document["models"]["default"]["metrics"]["benchmark.consistency"];
    assert_eq!(metric["n"], 2, "two ids have several runs");
    let value = metric["value"].as_f64().expect("defined");
    assert!((value - (0.776_128 + 1.0) / 2.0).abs() < 1e-6, "{value}");
}
