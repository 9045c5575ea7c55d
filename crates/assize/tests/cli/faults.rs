//! Models that fail, each failure with its name, and none of them in a mean.

use crate::bench::{Bench, KEY};
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};

fn good() -> Value {
    json!({"rationale": "r", "fidelity": 5, "omissions": 0, "insertions": 0, "overall": 5})
}

/// Replies by the number of the case, which is in its text.
fn by_case(replies: Vec<Reply>) -> Script {
    Script::new(move |received| {
        let text = received.messages().into_iter().map(|(_, content)| content).collect::<String>();
        let case = (0..replies.len()).find(|number| text.contains(&format!("case {number} is here")));
        case.map_or(Reply::Json(good()), |case| replies[case].clone())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn each_failure_has_its_name_and_keeps_its_reply() {
    let script = by_case(vec![
        Reply::Truncated("{\"rationale\": \"and then".into()),
        Reply::Refusal("I would rather not".into()),
        Reply::ContentFilter,
        Reply::Text("five stars".into()),
        Reply::Json(json!({"rationale": "r", "fidelity": 9, "omissions": 0, "insertions": 0, "overall": 5})),
        Reply::status(400, "too long"),
        Reply::Json(good()),
    ]);
    let bench = Bench::new(7, script).await;
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json", "--results", "r.jsonl"]).await;
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let document = ended.json();
    assert_eq!(document["cases"], json!({"total": 7, "judged": 1, "failed": 6, "skipped": 0}));
    assert_eq!(
        document["failures"],
        json!({"truncated": 1, "refused": 1, "content_filtered": 1, "invalid_reply": 2, "bad_request": 1})
    );
    assert_eq!(document["models"]["default"]["metrics"]["composite"]["value"], 1.0, "a failure is no zero");
    assert_eq!(document["models"]["default"]["metrics"]["composite"]["n"], 1);
    let lines: Vec<Value> =
        bench.read("r.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["error"]["raw"], "{\"rationale\": \"and then");
    assert_eq!(
        (&lines[3]["error"]["kind"], &lines[3]["error"]["raw"]),
        (&json!("invalid_reply"), &json!("five stars"))
    );
    assert_eq!(lines[3]["metrics"], json!({}));
    // Asked again, only the failed ones are: an answered question is never paid twice.
    let before = bench.server.stats().requests;
    let again = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
    assert_eq!((again.code, &again.json()["usage"]["cached"]), (Some(3), &json!(1)));
    assert!(bench.server.stats().requests > before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_has_to_be_read_leniently_is_flagged() {
    let script = by_case(vec![
        Reply::Fenced(good()),
        Reply::WithProse(good()),
        Reply::TrailingComma(good()),
        Reply::Json(good()),
    ]);
    let bench = Bench::new(4, script).await;
    let ended = bench.assize(&["run", "suite.yaml", "--results", "r.jsonl", "--format", "json"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let flags: Vec<Value> = bench
        .read("r.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["flags"].clone())
        .collect();
    assert_eq!(flags, [json!(["reply_extracted"]), json!(["reply_extracted"]), json!(["reply_repaired"]), json!([])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_with_a_key_that_is_not_accepted_stops_at_once() {
    let bench = Bench::new(50, Script::always(Reply::status(401, &format!("bad key {KEY}")))).await;
    let ended = bench.assize(&["run", "suite.yaml", "--concurrency", "2", "--format", "json"]).await;
    assert_eq!((ended.code, &ended.json()["status"]), (Some(3), &json!("stopped")), "{ended:?}");
    assert!(bench.server.stats().requests <= 4, "{:?}", bench.server.stats());
}

#[tokio::test(flavor = "multi_thread")]
async fn trouble_that_passes_is_ridden_out() {
    let script = Script::new(|received| match received.repetition {
        0 if received.number % 3 == 0 => {
            Reply::error(429, "slow down", "rate_limit_exceeded", &[("retry-after-ms", "1")])
        }
        0 if received.number % 3 == 1 => Reply::error(503, "busy", "busy", &[("retry-after-ms", "1")]),
        _ => Reply::Filled,
    });
    let bench = Bench::new(30, script).await;
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
    let document = ended.json();
    assert_eq!((ended.code, &document["cases"]["judged"]), (Some(0), &json!(30)));
    assert!(document["usage"]["retries"].as_u64().expect("a count") > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_nowhere_but_in_the_request() {
    let mut telling = good();
    telling["rationale"] = json!(format!("your key is {KEY}"));
    let script = by_case(vec![
        Reply::status(400, &format!("your key {KEY} is odd")),
        Reply::Text(format!("no: {KEY}")),
        Reply::Refusal(format!("not with {KEY}")),
        Reply::Json(telling),
    ]);
    let bench = Bench::new(4, script).await;
    let ended = bench.assize(&["run", "suite.yaml", "--results", "r.jsonl"]).await;
    let shown = bench.assize(&["show", "last", "--case", "c3"]).await;
    assert!(shown.output.contains("your key is [key]"), "{}", shown.output);
    let doctor = bench.assize(&["doctor"]).await;
    // A server that quotes the key, in an error or in the model's own words, must not get it stored.
    bench.assert_no_key(&[&ended.output, &ended.said, &shown.output, &doctor.output, &bench.read("r.jsonl")]);
}
