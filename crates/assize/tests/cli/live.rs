//! Runs that a server runs: started, followed, paused, cancelled, gone on with.

use crate::bench::{Bench, assize_in};
use crate::served::Served;
use assize_testkit::Script;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;

const CASES: usize = 12;

/// A served suite of so many cases, whose model holds its replies back.
async fn held() -> (Bench, Served) {
    let bench = Bench::new(CASES, Script::default()).await;
    bench.server.hold();
    let served = Served::start(bench.folder.path(), |command| _ = command.env("TRIAL_KEY", crate::bench::KEY));
    (bench, served)
}

fn start(served: &Served, request: Value) -> String {
    let (status, started) = served.ask("POST", "/runs", Some(&request));
    assert_eq!(status, 202, "{started}");
    started["run_id"].as_str().expect("an id").to_owned()
}

fn two_at_a_time() -> Value {
    json!({"suite": "suite.yaml", "concurrency": 2})
}

/// An event of a run.
#[derive(Debug)]
struct Told {
    number: u64,
    kind: String,
    progress: Value,
}

/// The events of a run, read as they come.
struct Events(BufReader<TcpStream>);

impl Events {
    fn follow(served: &Served, run: &str, seen: Option<u64>) -> Self {
        let seen = seen.map(|seen| seen.to_string());
        let headers: Vec<(&str, &str)> = seen.iter().map(|seen| ("Last-Event-ID", seen.as_str())).collect();
        Self(BufReader::new(served.connect("GET", &format!("/api/v1/runs/{run}/events"), &headers, "")))
    }

    /// The next event; nothing after the last.
    fn next(&mut self) -> Option<Told> {
        let (mut number, mut kind, mut line) = (None, None, String::new());
        loop {
            line.clear();
            if self.0.read_line(&mut line).expect("read") == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("id", id)) => number = id.parse().ok(),
                Some(("event", name)) => kind = Some(name.to_owned()),
                Some(("data", data)) => {
                    let progress = serde_json::from_str(data).expect("JSON");
                    let (number, kind) = (number.expect("a number"), kind.expect("a kind"));
                    return Some(Told { number, kind, progress });
                }
                _ => {}
            }
        }
    }

    /// The first event that is like this.
    fn until(&mut self, wanted: impl Fn(&Told) -> bool) -> Told {
        loop {
            let told = self.next().expect("another event");
            if wanted(&told) {
                return told;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_followed_paused_and_gone_on_with() {
    let (bench, served) = held().await;
    let run = tokio::task::block_in_place(|| start(&served, two_at_a_time()));
    bench.server.wait_for_requests(2).await;
    tokio::task::block_in_place(|| {
        let mut events = Events::follow(&served, &run, None);
        let first = events.next().expect("an event");
        assert_eq!((first.kind.as_str(), &first.progress["state"]), ("snapshot", &json!("running")));
        assert_eq!(first.progress["cases"]["total"], CASES);
        let control = |action: &str| served.ask("POST", &format!("/runs/{run}/{action}"), None);
        assert_eq!(control("resume").0, 409, "there is no pause to end");
        let (status, paused) = control("pause");
        assert_eq!((status, &paused["state"]), (200, &json!("paused")));
        assert_eq!(control("pause").0, 409);
        assert_eq!(control("again").0, 409, "it is still under way");
        // Those under way finish, and nothing more is asked: the server would answer at once.
        bench.server.release_all();
        let two = events.until(|told| told.progress["questions"]["answered"] == 2);
        assert_eq!(two.progress["state"], "paused");
        assert_eq!(bench.server.stats().requests, 2);
        assert_eq!(control("resume").1["state"], "running");
        let ended = events.until(|told| told.kind == "ended");
        assert_eq!(
            (&ended.progress["status"], &ended.progress["cases"]["judged"]),
            (&json!("complete"), &json!(CASES))
        );
        assert!(events.next().is_none(), "nothing follows the end");
        assert_eq!(control("pause").0, 409, "it has ended");
        let again = served.send(
            "GET",
            &format!("/api/v1/runs/{run}/events"),
            &[("Last-Event-ID", &ended.number.to_string())],
            "",
        );
        assert_eq!(again.status, 204, "whoever has seen the end need not come back");
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_back_misses_no_case() {
    // More cases than the end tells of, so that most of them must come with the events on the way.
    const MANY: usize = 60;
    const AT_A_TIME: usize = 10;
    let bench = Bench::new(MANY, Script::default()).await;
    bench.server.hold();
    let served = Served::start(bench.folder.path(), |command| _ = command.env("TRIAL_KEY", crate::bench::KEY));
    let run = tokio::task::block_in_place(|| start(&served, json!({"suite": "suite.yaml", "concurrency": 1})));
    let (mut positions, mut seen) = (std::collections::BTreeSet::new(), None);
    // A connection of its own for every event: what happened while nobody listened comes with the next.
    let mut hear = || {
        let told = Events::follow(&served, &run, seen).next().expect("an event");
        assert!(seen.is_none_or(|seen| told.number == seen + 1), "none is left out: {seen:?} {told:?}");
        seen = Some(told.number);
        positions
            .extend(told.progress["recent"].as_array().expect("cases").iter().map(|case| case["position"].as_u64()));
        told
    };
    let mut ended = false;
    for round in 1..=MANY / AT_A_TIME {
        bench.server.release(AT_A_TIME);
        let enough = (round * AT_A_TIME) as u64;
        tokio::task::block_in_place(|| {
            // The last round is over when the run is: its end may come with its last case.
            let mut done = false;
            while !done {
                let told = hear();
                ended = told.kind == "ended";
                done = ended || (round < MANY / AT_A_TIME && told.progress["cases"]["done"].as_u64() >= Some(enough));
            }
        });
    }
    assert!(ended);
    assert_eq!(positions.len(), MANY, "{positions:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_run_keeps_what_it_has_and_another_goes_on() {
    let (bench, served) = held().await;
    let run = tokio::task::block_in_place(|| start(&served, two_at_a_time()));
    bench.server.wait_for_requests(2).await;
    tokio::task::block_in_place(|| {
        let (status, cancelled) = served.ask("POST", &format!("/runs/{run}/cancel"), None);
        assert_eq!((status, &cancelled["state"]), (200, &json!("stopping")));
        bench.server.release_all();
        let ended = Events::follow(&served, &run, None).until(|told| told.kind == "ended");
        assert_eq!((&ended.progress["status"], &ended.progress["cases"]["done"]), (&json!("interrupted"), &json!(2)));
        let (_, record) = served.ask("GET", &format!("/runs/{run}"), None);
        assert_eq!((&record["status"], &record["cases"]["judged"]), (&json!("interrupted"), &json!(2)));
        let (status, again) = served.ask("POST", &format!("/runs/{run}/again"), None);
        assert_eq!(status, 202, "{again}");
        let again = again["run_id"].as_str().expect("an id");
        let ended = Events::follow(&served, again, None).until(|told| told.kind == "ended");
        assert_eq!(
            (&ended.progress["status"], &ended.progress["questions"]["cached"]),
            (&json!("complete"), &json!(2))
        );
        assert_eq!(bench.server.stats().requests, CASES, "nothing is paid twice");
    });
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn when_the_server_ends_its_runs_are_interrupted_and_what_is_under_way_is_kept() {
    let (bench, mut served) = held().await;
    let run = tokio::task::block_in_place(|| start(&served, two_at_a_time()));
    bench.server.wait_for_requests(2).await;
    tokio::task::block_in_place(|| {
        let mut events = Events::follow(&served, &run, None);
        events.next().expect("connected");
        served.interrupt();
        events.until(|told| told.progress["state"] == "stopping");
        bench.server.release_all();
        events.until(|told| told.kind == "ended");
        assert_eq!(served.wait(), Some(0));
    });
    let runs = bench.assize(&["runs", "--json"]).await.json();
    assert_eq!((&runs[0]["status"], &runs[0]["cases"]["judged"]), (&json!("interrupted"), &json!(2)));
    let rest = bench.assize(&["run", "suite.yaml", "--format", "json"]).await.json();
    assert_eq!((&rest["usage"]["cached"], bench.server.stats().requests), (&json!(2), CASES));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_killed_is_told_from_one_that_runs_and_can_be_gone_on_with() {
    let bench = Bench::new(CASES, Script::default()).await;
    bench.server.hold();
    let mut child = bench.command(&["run", "suite.yaml", "--concurrency", "2"]).spawn().expect("started");
    bench.server.wait_for_requests(2).await;
    child.kill().expect("killed");
    child.wait().expect("gone");
    bench.server.release_all();
    let served = Served::start(bench.folder.path(), |command| _ = command.env("TRIAL_KEY", crate::bench::KEY));
    tokio::task::block_in_place(|| {
        let (_, progress) = served.ask("GET", "/runs/last/progress", None);
        assert_eq!((&progress["state"], &progress["status"]), (&json!("unattended"), &json!("running")));
        assert!(progress["sentence"].as_str().is_some_and(|told| told.contains("Interrupted")), "{progress}");
        assert_eq!(served.ask("POST", "/runs/last/pause", None).0, 409);
        let page = served.send("GET", "/runs/last/live", &[], "").body;
        assert!(page.contains("Continue in a new run"), "{page}");
        let (status, again) = served.ask("POST", "/runs/last/again", None);
        assert_eq!(status, 202, "{again}");
        let again = again["run_id"].as_str().expect("an id");
        let ended = Events::follow(&served, again, None).until(|told| told.kind == "ended");
        assert_eq!(ended.progress["cases"]["judged"], CASES);
    });
}

#[test]
fn the_examples_are_judged_as_the_demo_does() {
    let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let served = Served::start(one.path(), |_| {});
    let (status, made) = served.ask("POST", "/demo", None);
    let examples = assize_judges::examples::names().len();
    assert_eq!((status, made["runs"].as_array().map(Vec::len)), (200, Some(examples)), "{made}");
    let (_, listed) = served.ask("GET", "/runs", None);
    assert_eq!(assize_in(other.path(), &["demo", "--no-serve"]).code, Some(0));
    let demo = assize_in(other.path(), &["runs", "--json"]).json();
    let (listed, demo) = (listed["runs"].as_array().expect("runs"), demo.as_array().expect("runs"));
    assert_eq!((listed.len(), demo.len()), (examples, examples));
    for (ours, theirs) in listed.iter().zip(demo) {
        assert_eq!((&ours["suite"], &ours["models"]), (&theirs["suite"], &theirs["models"]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_case_is_judged_with_no_run_and_paid_once() {
    let bench = Bench::new(0, Script::default()).await;
    bench.write("own.yaml", "name: own\ntask: Compare.\ninputs: {one: {required: true, about: a text}}\ncriteria:\n  same: {about: whether it is, scale: [0, 1], step: 1, anchors: {1: it is, 0: it is not}}\n");
    let served = Served::start(bench.folder.path(), |command| {
        command.env("OPENAI_API_KEY", "key").env("OPENAI_BASE_URL", bench.server.openai_url());
    });
    tokio::task::block_in_place(|| {
        let request =
            json!({"judge": {"use": "own.yaml", "model": "openai:judge"}, "case": {"id": "c", "one": "text"}});
        for round in [(1, 0), (0, 1)] {
            let (status, judged) = served.ask("POST", "/judge", Some(&request));
            assert_eq!((status, &judged["result"]["status"]), (200, &json!("judged")), "{judged}");
            let usage = (&judged["usage"]["calls"], &judged["usage"]["cached"]);
            assert_eq!(usage, (&json!(round.0), &json!(round.1)));
        }
        let wrong = json!({"judge": {"use": "own.yaml", "model": ["nonsense", "anthropic:x"]}, "case": {"two": 1}});
        let (status, told) = served.ask("POST", "/judge", Some(&wrong));
        let messages: Vec<&str> = told["error"]["problems"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["message"].as_str())
            .collect();
        assert_eq!(status, 422);
        for word in ["nonsense", "needs `one`, and no case has any of them"] {
            assert!(messages.iter().any(|message| message.contains(word)), "{word}: {messages:#?}");
        }
        assert_eq!(served.ask("GET", "/runs", None).1["runs"], json!([]));
    });
}
