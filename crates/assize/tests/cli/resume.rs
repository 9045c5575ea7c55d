//! Runs that end before their last case, and the same command again.

use crate::bench::{Bench, Ended};
use assize_testkit::Script;
use serde_json::json;

const CASES: usize = 30;

#[tokio::test(flavor = "multi_thread")]
async fn after_kill_minus_nine_no_case_is_lost_and_no_answered_question_is_asked_again() {
    let bench = Bench::new(CASES, Script::default()).await;
    bench.server.hold();
    let mut child =
        bench.command(&["run", "suite.yaml", "--concurrency", "4", "--results", "r.jsonl"]).spawn().expect("started");
    bench.server.wait_for_requests(4).await;
    bench.server.release(5);
    // A request keeps its place among the four until its answer is on disk. So the ninth can only come once five are.
    bench.server.wait_for_requests(9).await;
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert!(!bench.path("r.jsonl").exists(), "half a file is not taken for a whole one");
    bench.server.release_all();
    let ended =
        bench.assize(&["run", "suite.yaml", "--concurrency", "4", "--results", "r.jsonl", "--format", "json"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let usage = &ended.json()["usage"];
    assert_eq!((&usage["cached"], &usage["calls"]), (&json!(5), &json!(CASES - 5)));
    assert_eq!(bench.server.stats().requests, 9 + CASES - 5);
    assert_eq!(bench.read("r.jsonl").lines().count(), CASES);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_finishes_what_is_under_way_and_says_how_to_go_on() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        interrupted_by(signal).await;
    }
}

#[cfg(unix)]
async fn interrupted_by(signal: &str) {
    let bench = Bench::new(CASES, Script::default()).await;
    bench.server.hold();
    let child =
        bench.command(&["run", "suite.yaml", "--concurrency", "3", "--format", "json"]).spawn().expect("started");
    bench.server.wait_for_requests(3).await;
    let interrupted =
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(interrupted.success());
    // The three under way are only released once the interrupt has been taken note of, which the process says.
    let (said, child) = wait_until_said(child, "finishing what is under way").await;
    bench.server.release_all();
    let ended =
        tokio::task::spawn_blocking(move || Ended::of(child.wait_with_output().expect("ended"))).await.expect("ended");
    assert_eq!(ended.code, Some(130), "{said} {ended:?}");
    let document = ended.json();
    assert_eq!((&document["status"], &document["cases"]["judged"]), (&json!("interrupted"), &json!(3)));
    assert!(ended.said.contains("The same command goes on where it stopped"), "{ended:?}");
    let again = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
    assert_eq!((again.code, &again.json()["usage"]["cached"]), (Some(0), &json!(3)));
    assert_eq!(bench.server.stats().requests, CASES);
}

/// Reads standard error until it says something.
#[cfg(unix)]
async fn wait_until_said(mut child: std::process::Child, words: &'static str) -> (String, std::process::Child) {
    use std::io::Read;
    tokio::task::spawn_blocking(move || {
        let stream = child.stderr.as_mut().expect("piped");
        let (mut said, mut byte) = (Vec::new(), [0]);
        while !String::from_utf8_lossy(&said).contains(words) {
            assert_eq!(stream.read(&mut byte).expect("read"), 1, "{}", String::from_utf8_lossy(&said));
            said.push(byte[0]);
        }
        (String::from_utf8_lossy(&said).into_owned(), child)
    })
    .await
    .expect("said")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_budget_stops_a_run_and_a_larger_one_goes_on() {
    let bench = Bench::new(CASES, Script::default()).await;
    bench.write("prices.toml", "[\"local:judge\"]\ninput = 1000.0\noutput = 1000.0\n");
    bench.write("suite.yaml", &bench.suite("cases.jsonl", "prices: prices.toml\n"));
    let ended =
        bench.assize(&["run", "suite.yaml", "--max-cost", "10", "--concurrency", "1", "--format", "json"]).await;
    assert_eq!(ended.code, Some(4), "{ended:?}");
    let document = ended.json();
    let (asked, cost) = (bench.server.stats().requests, document["usage"]["cost_usd"].as_f64().expect("a price"));
    assert!(asked > 0 && asked < CASES && cost <= 10.0, "{asked} questions for ${cost}");
    assert_eq!(document["status"], "over_budget");
    let rest = bench.assize(&["run", "suite.yaml", "--max-cost", "1000", "--format", "json"]).await;
    assert_eq!((rest.code, bench.server.stats().requests), (Some(0), CASES), "{rest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_for_a_model_with_no_price_is_refused() {
    let bench = Bench::new(1, Script::default()).await;
    let ended = bench.assize(&["run", "suite.yaml", "--max-cost", "1"]).await;
    assert_eq!((ended.code, bench.server.stats().requests), (Some(2), 0));
    assert!(ended.said.contains("the price of `local:judge` is not known"), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_share_a_store() {
    let bench = Bench::new(60, Script::default()).await;
    let (one, two) = tokio::join!(
        bench.assize(&["run", "suite.yaml", "--results", "one.jsonl"]),
        bench.assize(&["run", "suite.yaml", "--results", "two.jsonl"])
    );
    assert_eq!((one.code, two.code), (Some(0), Some(0)), "{one:?} {two:?}");
    assert_eq!(bench.read("one.jsonl"), bench.read("two.jsonl"));
    let runs = bench.assize(&["runs", "--json"]).await;
    assert_eq!(runs.json().as_array().map(Vec::len), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn results_that_cannot_get_their_name_are_kept_and_the_run_is_done() {
    let bench = Bench::new(2, Script::default()).await;
    bench.server.hold();
    let arguments = ["run", "suite.yaml", "--results", "r.jsonl", "--format", "json"];
    let child = bench.command(&arguments).spawn().expect("started");
    bench.server.wait_for_requests(2).await;
    // While the run is being paid for, the name is taken.
    std::fs::create_dir(bench.path("r.jsonl")).expect("made");
    bench.server.release_all();
    let ended =
        tokio::task::spawn_blocking(move || Ended::of(child.wait_with_output().expect("ended"))).await.expect("ended");
    assert_eq!(ended.code, Some(5), "{ended:?}");
    let document = ended.json();
    assert_eq!((&document["status"], &document["cases"]["judged"]), (&json!("complete"), &json!(2)));
    let run = document["run_id"].as_str().expect("an id");
    let kept = format!("the run is done and kept as {run}; its results are in r.jsonl.partial");
    assert!(ended.said.contains("r.jsonl cannot be written") && ended.said.contains(&kept), "{ended:?}");
    assert_eq!(bench.read("r.jsonl.partial").lines().count(), 2);
    let shown = bench.assize(&["show", run, "--results"]).await;
    assert_eq!((shown.code, shown.output), (Some(0), bench.read("r.jsonl.partial")));
    // A name that is taken from the start is bad input: nothing is asked.
    let again = bench.assize(&arguments).await;
    assert_eq!((again.code, bench.server.stats().requests), (Some(2), 2), "{again:?}");
    assert!(again.said.contains("r.jsonl is a folder"), "{again:?}");
}
