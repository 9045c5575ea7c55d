//! Pausing, going on and stopping.

use crate::bench::Bench;
use assize_engine::event::StopReason;
use assize_engine::records::{RunRequest, RunStatus};

const CASES: usize = 12;

fn two_at_a_time() -> RunRequest {
    RunRequest { concurrency: 2, ..RunRequest::of_suite("suite.yaml") }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_run_is_paused_what_is_under_way_finishes_and_nothing_more_is_asked() {
    let bench = Bench::new(CASES).await;
    let (execution, control, mut answered) = bench.execution();
    bench.server.hold();
    let run = tokio::spawn(bench.ready(two_at_a_time()).expect("in order").execute(execution));
    bench.server.wait_for_requests(2).await;
    assert!(control.pause());
    // From here on the server would answer everything at once, so a run that is not paused would come to its end.
    bench.server.release_all();
    answered.wait_for(|count| *count == 2).await.expect("running");
    for _ in 0..200 {
        round_trip(&bench.server.url()).await;
    }
    assert_eq!((bench.server.stats().requests, *answered.borrow()), (2, 2));
    assert!(!run.is_finished());
    assert!(control.resume());
    let document = run.await.expect("no panic").expect("executed");
    assert_eq!((document.status, document.cases.judged), (RunStatus::Complete, CASES as u64));
    assert_eq!(bench.server.stats().requests, CASES, "nothing was asked twice");
}

/// Asks the server something that is no question, over a connection of its own: long enough for a question to arrive.
async fn round_trip(url: &str) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = url.trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connected");
    let request = format!("GET /stats HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.expect("answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_run_can_be_stopped_and_another_of_the_same_request_goes_on() {
    let bench = Bench::new(CASES).await;
    let (execution, control, mut answered) = bench.execution();
    bench.server.hold();
    let run = tokio::spawn(bench.ready(two_at_a_time()).expect("in order").execute(execution));
    bench.server.wait_for_requests(2).await;
    control.pause();
    bench.server.release_all();
    answered.wait_for(|count| *count == 2).await.expect("running");
    control.stop(StopReason::Interrupted);
    let document = run.await.expect("no panic").expect("executed");
    assert_eq!((document.status, document.cases.judged), (RunStatus::Interrupted, 2));

    let request = bench.store.run_request(&document.run_id).expect("read").expect("recorded");
    let suite = bench.folder.path().join("served/suite.yaml").canonicalize().expect("there").display().to_string();
    assert_eq!(request, RunRequest { concurrency: 2, ..RunRequest::of_suite(suite) });
    let again = bench.ready(request).expect("in order");
    let document = again.execute(bench.execution().0).await.expect("executed");
    assert_eq!((document.usage.cached, document.usage.calls), (2, CASES as u64 - 2), "nothing is paid twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_cases_change_under_it_is_closed() {
    let bench = Bench::new(3).await;
    let prepared = bench.ready(RunRequest::of_suite("suite.yaml")).expect("in order");
    bench.write("cases.jsonl", "{\"id\": \"x\", \"reference\": \"a\", \"transcript\": \"b\"}\n");
    let error = prepared.execute(bench.execution().0).await.expect_err("changed");
    assert!(error.to_string().contains("the cases changed"), "{error}");
    let runs = bench.store.runs(10).expect("read");
    assert_eq!(
        (runs.len(), runs[0].document().map(|run| run.status), bench.store.results_so_far(&runs[0].id).ok()),
        (1, Ok(RunStatus::Interrupted), Some(1))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_run_does_not_go_on_trying() {
    let bench = Bench::new(CASES).await;
    let (execution, control, _) = bench.execution();
    // It hangs up on everybody, so every request fails on the way and would be repeated for minutes.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let suite = format!(
        "name: trial\njudge: {{use: transcript-quality, model: 'local:judge'}}\ncases: [cases.jsonl]\nproviders:\n  local: {{base_url: 'http://{address}'}}\n"
    );
    bench.write("suite.yaml", &suite);
    let run = tokio::spawn(bench.ready(two_at_a_time()).expect("in order").execute(execution));
    for _ in 0..2 {
        drop(listener.accept().await.expect("a request"));
    }
    control.stop(StopReason::Interrupted);
    let document = run.await.expect("no panic").expect("executed");
    assert_eq!(
        (document.status, document.cases.failed),
        (RunStatus::Interrupted, 0),
        "not tried to the end is not failed"
    );
}
