//! Who may ask for what: the page and the API over real HTTP.

use crate::bench::{Bench, KEY, assize_in};
use crate::served::{HttpReply, SECRET, Served};
use assize_testkit::Script;
use serde_json::{Value, json};

const BEARER: (&str, &str) = ("Authorization", "Bearer a-secret-for-the-tests-only");
const JSON: (&str, &str) = ("Content-Type", "application/json");

fn served() -> (tempfile::TempDir, Served) {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), |_| {});
    (folder, served)
}

fn statuses(replies: impl IntoIterator<Item = HttpReply>) -> Vec<u16> {
    replies.into_iter().map(|reply| reply.status).collect()
}

#[test]
fn only_our_own_names_and_pages_are_answered() {
    let (_folder, served) = served();
    let (port, address) = (served.port(), served.address().to_owned());
    let get = |path: &str, headers: &[(&str, &str)]| served.send("GET", path, headers, "");
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("LOCALHOST:{port}")] {
        assert_eq!(get("/", &[("Host", &host)]).status, 200, "{host}");
    }
    for host in [format!("evil.example:{port}"), "localhost".into(), "127.0.0.1:1".into(), String::new()] {
        for path in ["/", "/new", "/api/v1/runs", "/assets/x/style.css"] {
            let reply = get(path, &[("Host", &host), BEARER]);
            assert_eq!(reply.status, 403, "{host} {path}");
        }
    }
    let ours = format!("http://{address}");
    assert_eq!(get("/api/v1/runs", &[("Origin", &ours)]).status, 200);
    for origin in ["http://evil.example", "null", "http://localhost:1"] {
        assert_eq!(get("/api/v1/runs", &[("Origin", origin)]).status, 403, "{origin}");
        assert_eq!(served.send("POST", "/api/v1/demo", &[("Origin", origin), BEARER], "").status, 403, "{origin}");
    }
}

#[test]
fn a_change_needs_somebody_who_signed_in_or_the_secret() {
    let (_folder, served) = served();
    let ours = format!("http://{}", served.address());
    let body = json!({"judge": {"use": "transcript-quality"}, "case": {"id": 1, "reference": "a", "transcript": "a"}})
        .to_string();
    let post = |headers: &[(&str, &str)]| {
        let headers: Vec<_> = headers.iter().copied().chain([JSON]).collect();
        served.send("POST", "/api/v1/judge", &headers, &body)
    };
    let page = served.send("GET", "/new", &[], "");
    assert!(
        page.status == 200 && !page.body.contains("assize-token"),
        "nothing on a page lets a stranger change something"
    );
    let without = post(&[("Origin", &ours)]);
    assert_eq!((without.status, without.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!(post(&[BEARER]).status, 200);
    assert_eq!(post(&[("Authorization", "Bearer another-secret-that-is-long")]).status, 401);
    let told: Value = serde_json::from_str(&without.body).expect("JSON");
    assert_eq!(told["error"]["status"], 401);
    assert!(told["error"]["help"].as_str().is_some_and(|help| help.contains("Bearer")), "{told}");

    let link = served.sign_in_link();
    assert_eq!(served.send("GET", "/?code=0123456789abcdef0123456789abcdef", &[], "").header("set-cookie"), None);
    let signed_in = served.send("GET", &link, &[], "");
    assert_eq!((signed_in.status, signed_in.header("location")), (303, Some("/")), "the address loses the code");
    let cookie = signed_in.header("set-cookie").expect("a session");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("its value");
    assert_eq!(served.send("GET", &link, &[], "").header("set-cookie"), None, "the code was good once");
    assert_eq!(post(&[("Cookie", cookie), ("Origin", &ours)]).status, 200);
    assert_eq!(post(&[("Cookie", cookie)]).status, 403, "a change comes from a page of ours");
    assert_eq!(post(&[("Cookie", cookie), ("Origin", "http://127.0.0.1:1")]).status, 403);
    let forged = format!("{}=0123456789abcdef0123456789abcdef", cookie.split('=').next().expect("its name"));
    assert_eq!(post(&[("Cookie", &forged), ("Origin", &ours)]).status, 401);
}

#[test]
fn beyond_loopback_everything_needs_the_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = assize_in(folder.path(), &["serve", "--addr", "0.0.0.0:0", "--no-open"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.said.contains("needs a token"), "{refused:?}");
    std::fs::write(folder.path().join("token"), "short\n").expect("written");
    let short = assize_in(folder.path(), &["serve", "--addr", "0.0.0.0:0", "--no-open", "--token-file", "token"]);
    assert_eq!(short.code, Some(2), "{short:?}");

    let served = Served::start_at("0.0.0.0:0", folder.path(), |_| {});
    let host = format!("machine.example:{}", served.port());
    let get = |path: &str, headers: &[(&str, &str)]| {
        let headers: Vec<_> = headers.iter().copied().chain([("Host", host.as_str())]).collect();
        served.send("GET", path, &headers, "")
    };
    let wrong = format!("assize-{}=wrong", served.port());
    for path in ["/", "/new", "/api", "/api/v1/runs", "/api/v1/openapi.json"] {
        assert_eq!(get(path, &[]).status, 401, "{path}");
        assert_eq!(get(path, &[("Authorization", "Bearer wrong-wrong-wrong-wrong")]).status, 401, "{path}");
        assert_eq!(get(path, &[("Cookie", wrong.as_str())]).status, 401, "{path}");
        assert_eq!(get(path, &[BEARER]).status, 200, "{path}");
    }
    assert!(get("/", &[]).body.contains("Sign in"), "a person is asked for the token");
    let signed_in = get(&format!("/new?token={SECRET}"), &[]);
    assert_eq!((signed_in.status, signed_in.header("location")), (303, Some("/new")), "the address loses the secret");
    let cookie = signed_in.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains(SECRET), "{cookie}");
    let cookie = cookie.split(';').next().expect("its value");
    assert_eq!(statuses(["/", "/api/v1/runs"].map(|path| get(path, &[("Cookie", cookie)]))), [200, 200]);
    let change = served.send("POST", "/api/v1/demo", &[("Host", &host), ("Cookie", cookie)], "");
    assert_eq!(change.status, 403, "a cookie alone changes nothing");
}

#[test]
fn what_cannot_be_served_is_said_in_the_right_words() {
    let (_folder, served) = served();
    let send = |method: &str, path: &str, headers: &[(&str, &str)], body: &str| {
        served.send(method, &format!("/api/v1{path}"), headers, body)
    };
    let wrong = send("DELETE", "/runs", &[BEARER], "");
    let mut allowed: Vec<&str> = wrong.header("allow").expect("what is allowed").split(',').collect();
    allowed.sort_unstable();
    assert_eq!((wrong.status, allowed), (405, vec!["GET", "HEAD", "POST"]));
    assert_eq!(send("OPTIONS", "/estimate", &[], "").header("allow"), Some("POST"));
    let head = send("HEAD", "/runs", &[], "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(send("GET", "/nothing", &[], "").status, 404);
    assert_eq!(send("GET", "/runs/%FF", &[], "").status, 400);
    assert_eq!(send("GET", "/runs?most=0", &[], "").status, 422);
    let estimate = |headers: &[(&str, &str)], body: &str| send("POST", "/estimate", headers, body).status;
    assert_eq!(estimate(&[BEARER], "{}"), 415, "no content type");
    assert_eq!(estimate(&[BEARER, ("Content-Type", "text/plain")], "{}"), 415);
    assert_eq!(estimate(&[BEARER, JSON], "{\"suite\": "), 400);
    assert_eq!(estimate(&[BEARER, JSON], "{\"suite\": 1}"), 422);
    let large = format!("{{\"suite\": \"{}\"}}", "x".repeat(17 * 1024 * 1024));
    assert_eq!(estimate(&[BEARER, JSON], &large), 413);
    for path in ["/runs/none", "/nothing", "/runs?most=0"] {
        let reply = send("GET", path, &[], "");
        let told: Value = serde_json::from_str(&reply.body).expect("JSON");
        assert_eq!(told["error"]["status"], reply.status, "{path}");
        assert!(told["error"]["message"].as_str().is_some_and(|message| message.len() > 5), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn no_path_leads_out_of_the_served_folder() {
    let outer = tempfile::tempdir().expect("a folder");
    let folder = outer.path().join("served");
    std::fs::create_dir(&folder).expect("made");
    std::fs::write(outer.path().join("secret.yaml"), "name: the-secret\njudge: {use: x}\ncases: a\n").expect("written");
    std::os::unix::fs::symlink(outer.path(), folder.join("link")).expect("linked");
    let absolute = outer.path().join("secret.yaml").display().to_string();
    let suite = format!(
        "name: trial\njudge: {{use: transcript-quality, model: 'replay:{absolute}'}}\ncases: [../secret.yaml]\n"
    );
    std::fs::write(folder.join("suite.yaml"), suite).expect("written");
    let served = Served::start(&folder, |_| {});
    for path in ["../secret.yaml", "link/secret.yaml", &absolute, "./../secret.yaml", "a/../../secret.yaml"] {
        for operation in ["/estimate", "/runs"] {
            let (status, told) = served.ask("POST", operation, Some(&json!({"suite": path})));
            assert!([403, 404].contains(&status), "{operation} {path}: {told}");
            assert!(!told.to_string().contains("the-secret"), "{told}");
        }
        for judge in [json!({"use": path}), json!({"use": "transcript-quality", "model": format!("replay:{path}")})] {
            let case = json!({"id": 1, "reference": "a", "transcript": "a"});
            let (status, told) = served.ask("POST", "/judge", Some(&json!({"judge": judge, "case": case})));
            assert_eq!(status, 422, "{judge}: {told}");
            assert!(told.to_string().contains("leads out of the served folder"), "{told}");
            assert!(!told.to_string().contains("the-secret"), "{told}");
        }
    }
    let (status, told) = served.ask("POST", "/runs", Some(&json!({"suite": "suite.yaml"})));
    assert_eq!((status, told["error"]["problems"].as_array().map(Vec::len)), (422, Some(2)), "{told}");
    let source = &told["error"]["problems"][0]["source"];
    assert_eq!(source["before"], "judge: {use: transcript-quality, model: ", "{told}");
    let (_, suites) = served.ask("GET", "/suites", None);
    let own: Vec<&str> = suites["suites"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|suite| suite["bundled"] == false)
        .filter_map(|suite| suite["suite"].as_str())
        .collect();
    assert_eq!(own, ["suite.yaml"], "what a link leads to is not listed");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_in_no_reply() {
    let bench = Bench::new(3, Script::default()).await;
    let served = Served::start(bench.folder.path(), |command| {
        _ = command.env("TRIAL_KEY", KEY).env("OPENAI_API_KEY", "sk-another-0123456789")
    });
    tokio::task::block_in_place(|| {
        let (status, started) = served.ask("POST", "/runs", Some(&json!({"suite": "suite.yaml"})));
        assert_eq!(status, 202, "{started}");
        let run = started["run_id"].as_str().expect("an id");
        let mut told = served.send("GET", &format!("/api/v1/runs/{run}/events"), &[], "").body;
        for path in [
            "/new",
            "/api",
            "/",
            "/api/v1/suites",
            "/api/v1/openapi.json",
            &format!("/runs/{run}/live"),
            &format!("/api/v1/runs/{run}"),
        ] {
            let reply = served.send("GET", path, &[], "");
            assert_eq!(reply.status, 200, "{path}");
            told += &reply.body;
        }
        told += &served.ask("POST", "/estimate", Some(&json!({"suite": "suite.yaml"}))).1.to_string();
        assert!(told.contains("TRIAL_KEY") && told.contains("OPENAI_API_KEY"), "that they are set is said");
        assert!(!told.contains(KEY) && !told.contains("sk-another-0123456789"));
    });
}

/// A suite comes from strangers: it moves no key by itself, wherever it is started.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_goes_nowhere_that_the_user_did_not_allow() {
    let bench = Bench::new(2, Script::default()).await;
    std::fs::remove_file(bench.path(".user/assize/keys.toml")).expect("removed");
    let host = bench.server.url().replace("http://", "");
    let refused = bench.assize(&["run", "suite.yaml"]).await;
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let way_on = format!("assize keys allow TRIAL_KEY {host}");
    assert!(refused.said.contains(&way_on), "{}", refused.said);
    let dry = bench.assize(&["run", "suite.yaml", "--dry-run"]).await;
    assert!(dry.output.contains(&format!("asks http://{host}/v1 with the key in TRIAL_KEY")), "{dry:?}");
    let served = Served::start(bench.folder.path(), |command| _ = command.env("TRIAL_KEY", KEY));
    let start = json!({"suite": "suite.yaml"});
    assert_eq!(served.ask("POST", "/runs", Some(&start)).0, 422);
    let built_in = bench.suite("cases.jsonl", "").replace("TRIAL_KEY", "OPENAI_API_KEY");
    bench.write("built-in.yaml", &built_in);
    let mut command = bench.command(&["run", "built-in.yaml"]);
    let ended = command.env("OPENAI_API_KEY", KEY).output().expect("started");
    assert_eq!(ended.status.code(), Some(2), "a built-in key goes to its own host only");
    assert_eq!(bench.server.stats().requests, 0, "nobody was asked");

    let once = bench.assize(&["run", "suite.yaml", "--allow-key", &format!("TRIAL_KEY={host}")]).await;
    assert_eq!(once.code, Some(0), "{once:?}");
    assert_eq!(bench.assize(&["keys"]).await.output.lines().count(), 1, "for one run is not for good");
    assert_eq!(bench.assize(&["keys", "allow", "TRIAL_KEY", &host]).await.code, Some(0));
    assert!(bench.assize(&["keys"]).await.output.contains(&host));
    assert_eq!(served.ask("POST", "/runs", Some(&start)).0, 202, "the page takes the user's word as well");
    let pasted = bench.assize(&["keys", "allow", "sk-live-0123456789", &host]).await;
    assert!(pasted.code == Some(2) && !pasted.said.contains("sk-live"), "{pasted:?}");
    assert_eq!(bench.assize(&["keys", "forget", "TRIAL_KEY", &host]).await.code, Some(0));
    assert_eq!(bench.assize(&["run", "suite.yaml", "--refresh"]).await.code, Some(2));
}

/// Where a suite sends cases without a key is agreed to on the page; metadata services are asked by nobody.
#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_a_suite_are_agreed_to() {
    let bench = Bench::new(2, Script::default()).await;
    let keyless = bench.suite("cases.jsonl", "").replace(", api_key_env: TRIAL_KEY", "");
    bench.write("suite.yaml", &keyless);
    let served = Served::start(bench.folder.path(), |_| {});
    let start = json!({"suite": "suite.yaml"});
    let (status, told) = served.ask("POST", "/runs", Some(&start));
    assert_eq!(status, 409, "{told}");
    let (_, estimate) = served.ask("POST", "/estimate", Some(&start));
    let address = bench.server.openai_url();
    assert_eq!(estimate["estimate"]["asks"], json!([{"address": address, "key": null, "from_suite": true}]));
    assert_eq!(served.ask("POST", "/runs?confirm=http://127.0.0.1:1/v1", Some(&start)).0, 409);
    assert_eq!(served.ask("POST", &format!("/runs?confirm={address}"), Some(&start)).0, 202);
    for address in ["http://169.254.169.254/v1", "http://2852039166/v1", "http://metadata.google.internal/v1"] {
        bench.write("suite.yaml", &keyless.replace(&bench.server.openai_url(), address));
        let ended = bench.assize(&["run", "suite.yaml"]).await;
        assert!(ended.code == Some(2) && ended.said.contains("assize keys allow - "), "{ended:?}");
    }
}
