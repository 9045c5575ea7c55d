//! Rubric files over the API of the page: looked over, tried out with a model, written.

use crate::bench::{Bench, KEY};
use crate::rubrics::{copy, example};
use crate::served::Served;
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};
use std::path::Path;

const PROMPT: &str = "tree/prompts/paid_amount_prompt.md";

fn serve(folder: &Path) -> Served {
    Served::start(folder, |_| {})
}

fn read(folder: &Path, path: &str) -> String {
    std::fs::read_to_string(folder.join(path)).expect("there")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_not_saved_is_judged_by_a_model_and_nothing_is_paid_twice() {
    let script = Script::new(|received| {
        let strict = received.messages().iter().any(|(_, content)| content.contains("to the cent"));
        let reason = if strict { "The text is strict about cents." } else { "The text takes the amount as it is." };
        Reply::Json(json!({"reason": reason.repeat(2), "pass": !strict}))
    });
    let bench = Bench::new(0, script).await;
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/behaviours"), bench.folder.path());
    let provider =
        format!("providers:\n  local: {{base_url: '{}', api_key_env: TRIAL_KEY}}\n", bench.server.openai_url());
    bench.write("suite.yaml", &(bench.read("suite.yaml") + &provider));
    let served = Served::start(bench.folder.path(), |command| _ = command.env("TRIAL_KEY", KEY));
    let text = bench.read(PROMPT).replace("equals the ground truth.", "equals the ground truth to the cent.");
    let mut wanted = json!({
        "path": PROMPT, "text": text, "use": PROMPT, "source": "file:cases.jsonl", "cases": [0, 1], "model": "local:judge",
        "only_estimate": true,
    });
    let ask = |wanted: Value| tokio::task::block_in_place(|| served.ask("POST", "/rubrics/try", Some(&wanted)));

    let (status, estimate) = ask(wanted.clone());
    assert_eq!((status, &estimate["cost"]["questions"]), (200, &json!(4)), "two cases by two texts: {estimate}");
    assert_eq!(bench.server.stats().requests, 0, "an estimate asks nothing");

    wanted["only_estimate"] = json!(false);
    for round in ["asked", "found"] {
        let (status, outcome) = ask(wanted.clone());
        assert_eq!((status, &outcome["flipped"]), (200, &json!(2)), "{outcome}");
        let case = &outcome["cases"][0];
        assert_eq!((&case["before"]["verdict"], &case["now"]["verdict"]), (&json!("pass"), &json!("fail")));
        assert!(case["before"]["reason"].as_str().expect("words").contains("as it is"), "{case}");
        assert!(case["now"]["reason"].as_str().expect("words").contains("strict"), "{case}");
        let cached = if round == "asked" { 0 } else { 4 };
        assert_eq!((&outcome["cost"]["cached"], bench.server.stats().requests), (&json!(cached), 4));
    }
    let (_, runs) = tokio::task::block_in_place(|| served.ask("GET", "/runs", None));
    assert_eq!(runs["runs"], json!([]), "a trial is no run");
    assert!(!bench.read(PROMPT).contains("to the cent"), "nor is anything written");

    wanted["model"] = json!("elsewhere:judge");
    let (status, refused) = ask(wanted.clone());
    assert_eq!(status, 422);
    assert!(refused["error"]["message"].as_str().expect("words").contains("unknown provider `elsewhere`"), "{refused}");
    wanted["model"] = json!("replay:/etc/passwd");
    assert_eq!(ask(wanted).0, 422);
}

#[test]
fn a_tree_is_tried_with_its_rubrics_before_and_after() {
    let folder = example();
    let served = serve(folder.path());
    let path = "tree/rubrics/CN.yaml";
    let text = read(folder.path(), path).replace("passing_threshold: 0.85", "passing_threshold: 1.0");
    let wanted = json!({"path": path, "text": text, "source": "file:cases.jsonl", "cases": [0, 1]});
    let (status, outcome) = served.ask("POST", "/rubrics/try", Some(&wanted));
    assert_eq!(status, 200, "{outcome}");
    let top = |model: &str| {
        let rubrics = outcome["rubrics"].as_array().expect("rubrics");
        rubrics.iter().find(|rubric| rubric["code"] == "CN" && rubric["model"] == model).expect("there").clone()
    };
    // A behaviour fails for the second model, so it cannot reach 1; what only a reader can tell leaves the rest open.
    assert_eq!((&top("notes-b")["passed_before"], &top("notes-b")["passes_now"]), (&json!(null), &json!(false)));
    assert_eq!((&top("notes-a")["passed_before"], &top("notes-a")["passes_now"]), (&json!(null), &json!(null)));
    let broken = json!({"path": path, "text": "code: [", "source": "file:cases.jsonl", "cases": [0]});
    let (status, refused) = served.ask("POST", "/rubrics/try", Some(&broken));
    assert_eq!(status, 422);
    assert!(refused["error"]["message"].as_str().expect("words").contains("tree/rubrics/CN.yaml"), "{refused}");
    for cases in [json!([]), json!((0..21).collect::<Vec<_>>())] {
        let wanted = json!({"path": path, "text": text, "source": "file:cases.jsonl", "cases": cases});
        assert_eq!(served.ask("POST", "/rubrics/try", Some(&wanted)).0, 422);
    }
}

#[test]
fn a_text_is_looked_over_as_if_it_stood_in_its_tree() {
    let folder = example();
    let served = serve(folder.path());
    let lint = |body: Value| served.ask("POST", "/lint", Some(&body));
    let path = "tree/benchmarks/money/MON-PAID.yaml";
    let text = read(folder.path(), path);
    let (status, clean) = lint(json!({"path": path, "text": text}));
    assert_eq!((status, &clean["findings"], &clean["changes"]), (200, &json!([]), &json!("")));
    assert_eq!(clean["kind"], "benchmark");

    let (_, heavier) = lint(json!({"path": path, "text": text.replace("weight: 0.5", "weight: 0.9")}));
    let elsewhere = heavier["elsewhere"].as_array().expect("a list");
    assert!(
        elsewhere
            .iter()
            .any(|found| found["path"] == "tree/rubrics/CN-MON.yaml" && found["finding"]["code"] == "AZ113"),
        "the weights of its rubric no longer sum to 1: {heavier}"
    );
    assert!(heavier["changes"].as_str().expect("a diff").contains("-weight: 0.5\n+weight: 0.9\n"));

    let (_, unknown) = lint(json!({"path": path, "text": text.replace("threshold:", "treshold:")}));
    let found = &unknown["findings"][0];
    assert_eq!((&found["code"], &found["line"], &found["severity"]), (&json!("AZ118"), &json!(6), &json!("error")));

    let (_, criteria) = lint(json!({"kind": "criteria", "text": "name: a\ntask: b\ninputs: {}\ncriteria: []\n"}));
    assert_eq!((&criteria["findings"][0]["line"], &criteria["findings"][0]["code"]), (&json!(4), &Value::Null));
    std::fs::write(folder.path().join("tree/.assize-lint.yaml"), "rules: {AZ113: off}\n").expect("written");
    let (_, quiet) = lint(json!({"path": path, "text": text.replace("weight: 0.5", "weight: 0.9")}));
    assert_eq!(quiet["elsewhere"], json!([]), "the folder's own switches hold");

    assert_eq!(lint(json!({"text": "x"})).0, 422);
    assert_eq!(lint(json!({"path": "README.md", "text": "x"})).0, 422);
    assert_eq!(lint(json!({"path": "../x_prompt.md", "text": "x"})).0, 403);
}

#[test]
fn a_file_is_written_whole_over_the_version_it_was_made_from_and_no_other() {
    let folder = example();
    let served = serve(folder.path());
    let (_, file) = served.ask("GET", &format!("/rubrics/file?path={PROMPT}"), None);
    assert_eq!((file["text"].as_str(), &file["kind"]), (Some(read(folder.path(), PROMPT).as_str()), &json!("prompt")));
    #[cfg(unix)]
    std::fs::set_permissions(folder.path().join(PROMPT), std::os::unix::fs::PermissionsExt::from_mode(0o640))
        .expect("set");
    let put = |text: &str, base: &Value| {
        served.ask("PUT", "/rubrics/file", Some(&json!({"path": PROMPT, "text": text, "base": base})))
    };
    let (status, written) = put("BEHAVIOR: new\n", &file["fingerprint"]);
    assert_eq!((status, &written["previous"]), (200, &file["text"]));
    assert_eq!(read(folder.path(), PROMPT), "BEHAVIOR: new\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = folder.path().join(PROMPT).metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "who may read it stays as it was");
    }
    let (status, refused) = put("BEHAVIOR: other\n", &file["fingerprint"]);
    assert_eq!(status, 409);
    assert!(refused["error"]["message"].as_str().expect("words").contains("was changed on the disk"), "{refused}");
    assert_eq!(read(folder.path(), PROMPT), "BEHAVIOR: new\n");
    let (status, _) = put(written["previous"].as_str().expect("a text"), &written["fingerprint"]);
    assert_eq!((status, read(folder.path(), PROMPT).as_str()), (200, file["text"].as_str().expect("a text")));
    let left: Vec<String> = std::fs::read_dir(folder.path().join("tree/prompts"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with("_prompt.md"))
        .collect();
    assert_eq!(left, Vec::<String>::new(), "nothing is left behind");
}

#[test]
fn new_files_begin_from_templates_and_take_no_others_place() {
    let folder = example();
    std::fs::remove_file(folder.path().join(PROMPT)).expect("removed");
    let served = serve(folder.path());
    let new = |body: Value| served.ask("POST", "/rubrics/new", Some(&body));
    let (status, made) = new(json!({"template": "from_benchmark", "benchmark": "tree/benchmarks/money/MON-PAID.yaml"}));
    assert_eq!((status, &made["path"]), (201, &json!(PROMPT)));
    assert!(read(folder.path(), PROMPT).contains("DESCRIPTION:\nWhether the note gives the amount that was paid.\n"));
    let (status, _) = new(json!({"template": "from_benchmark", "benchmark": "tree/benchmarks/money/MON-PAID.yaml"}));
    assert_eq!(status, 409);
    let (status, made) = new(json!({"template": "criteria", "path": "deep/er/reply.yaml"}));
    assert_eq!((status, &made["path"]), (201, &json!("deep/er/reply.yaml")));
    let about = json!({"template": "behaviour", "path": "tone_prompt.md", "about": "Whether it is \"kind\": always"});
    assert_eq!(new(about).0, 201);
    assert!(read(folder.path(), "tone_prompt.md").contains("Whether it is \"kind\": always."));
    assert_eq!(new(json!({"template": "behaviour", "path": "tone.md", "about": "Whether it is kind"})).0, 422);
    assert_eq!(new(json!({"template": "behaviour", "path": "b_prompt.md", "about": " "})).0, 422);
    assert_eq!(new(json!({"template": "example", "path": "../out"})).0, 403);
    assert_eq!(new(json!({"template": "example", "path": ".hidden"})).0, 403);
    assert_eq!(new(json!({"template": "example", "path": "copy"})).0, 201);
    assert_eq!(new(json!({"template": "example", "path": "copy"})).0, 409);
    let (_, list) = served.ask("GET", "/rubrics", None);
    let files = list["files"].as_array().expect("files");
    let find = |path: &str| files.iter().find(|file| file["path"] == path).unwrap_or_else(|| panic!("{path}")).clone();
    assert_eq!(find("deep/er/reply.yaml")["kind"], "criteria");
    assert_eq!((&find("copy/tree/rubrics/CN.yaml")["tree"], &find(PROMPT)["errors"]), (&json!("copy/tree"), &json!(0)));
    assert!(find("migrate/before/total_loss_prompt.md")["errors"].as_u64() > Some(5));
    assert_eq!(find("example:tree/rubrics/CN.yaml")["title"], "CN Claim notes");
}
