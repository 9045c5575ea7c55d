//! Rubric files from the command line: lint, migrate, new, export, and a tree that gates.

use crate::bench::{Bench, assize_in};
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A copy of the example, to work on.
pub(crate) fn example() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/behaviours"), folder.path());
    folder
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target: PathBuf = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("copied");
        }
    }
}

#[test]
fn the_example_tree_is_clean_and_a_split_condition_is_not() {
    let folder = example();
    let clean = assize_in(folder.path(), &["lint", "tree"]);
    assert_eq!(clean.code, Some(0), "{}", clean.output);
    let path = folder.path().join("tree/prompts/cause_of_loss_prompt.md");
    let text = std::fs::read_to_string(&path).expect("read");
    let (before, after) = text.split_once("are true:\n").expect("an automatic fail");
    let rest = after.find("\nPass conditions").expect("pass conditions");
    let split = "- Field is blank/null in the output.\n- Narrative does not contain this information.\n- Output provides no acknowledgment of the gap.\n";
    std::fs::write(&path, format!("{before}are true:\n{split}{}", &after[rest..])).expect("written");
    let found = assize_in(folder.path(), &["lint", "tree", "--format", "json"]);
    assert_eq!(found.code, Some(1), "{}", found.output);
    let findings = found.json()["findings"].clone();
    let compound = findings
        .as_array()
        .expect("a list")
        .iter()
        .find(|finding| finding["rule"] == "compound-logic")
        .expect("found")
        .clone();
    let keys: Vec<&String> = compound.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["code", "rule", "severity", "file", "line", "column", "message", "help"]);
    assert_eq!(compound["file"], "tree/prompts/cause_of_loss_prompt.md");
    let drawn = assize_in(folder.path(), &["lint", "tree"]);
    assert!(
        drawn.output.contains("cause_of_loss_prompt.md:") && drawn.output.contains("compound-logic"),
        "{}",
        drawn.output
    );
    let sarif = assize_in(folder.path(), &["lint", "tree", "--format", "sarif"]);
    assert_eq!(sarif.json()["version"], "2.1.0");
    std::fs::write(
        folder.path().join("tree/.assize-lint.yaml"),
        format!("rules: {{{}: off}}\n", compound["code"].as_str().expect("a code")),
    )
    .expect("written");
    let silenced = assize_in(folder.path(), &["lint", "tree", "--format", "json"]);
    assert!(
        silenced.json()["findings"]
            .as_array()
            .expect("a list")
            .iter()
            .all(|finding| finding["rule"] != "compound-logic")
    );
}

#[test]
fn rules_explain_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let explained = assize_in(folder.path(), &["lint", "--explain", "compound-logic"]);
    assert!(explained.code == Some(0) && explained.output.contains("AZ1"), "{explained:?}");
    assert!(assize_in(folder.path(), &["lint", "--rules"]).output.lines().count() > 15);
    assert_eq!(assize_in(folder.path(), &["lint", "--explain", "AZ999"]).code, Some(2));
    assert_eq!(assize_in(folder.path(), &["lint", "nowhere"]).code, Some(2));
}

#[test]
fn migrate_shows_first_and_writes_when_told() {
    let folder = example();
    let prompt = folder.path().join("migrate/before/total_loss_prompt.md");
    let old = std::fs::read_to_string(&prompt).expect("read");
    let shown = assize_in(folder.path(), &["migrate", "migrate/before"]);
    assert!(shown.code == Some(0) && shown.output.contains("+EVALUATION SCOPE"), "{shown:?}");
    assert_eq!(std::fs::read_to_string(&prompt).expect("read"), old, "nothing changes without --write");
    let written = assize_in(folder.path(), &["migrate", "migrate/before", "--write"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    assert_eq!(
        std::fs::read_to_string(folder.path().join("migrate/before/total_loss_prompt.md.bak")).expect("kept"),
        old
    );
    let again = assize_in(folder.path(), &["migrate", "migrate/before/total_loss_prompt.md"]);
    assert!(again.output.contains("nothing to change"), "{again:?}");
}

#[test]
fn new_behavior_writes_the_prompt_that_a_benchmark_names() {
    let folder = example();
    let prompt = folder.path().join("tree/prompts/cause_of_loss_prompt.md");
    std::fs::remove_file(&prompt).expect("removed");
    let benchmarks = folder.path().join("tree/benchmarks/facts");
    let benchmark = std::fs::read_dir(&benchmarks).expect("a folder").map(|entry| entry.expect("an entry").path());
    let benchmark = benchmark
        .into_iter()
        .find(|path| std::fs::read_to_string(path).expect("read").contains("cause_of_loss_prompt.md"))
        .expect("named");
    let ended = assize_in(folder.path(), &["new", "behavior", &benchmark.display().to_string()]);
    assert!(ended.code == Some(0) && prompt.exists(), "{ended:?}");
    let lint = assize_in(folder.path(), &["lint", "tree/prompts/cause_of_loss_prompt.md"]);
    assert_eq!(lint.code, Some(0), "{}", lint.output);
}

#[test]
fn export_writes_a_dataset() {
    let folder = example();
    let ended =
        assize_in(folder.path(), &["export", "suite.yaml", "--to", "pydantic-evals", "--output", "dataset.yaml"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(std::fs::read_to_string(folder.path().join("dataset.yaml")).expect("written").contains("LLMJudge"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tree_through_a_model_asks_each_behaviour_and_reports_the_gates() {
    let script = Script::new(|received| {
        let text: String = received.messages().into_iter().map(|(_, content)| content).collect();
        // One hard gate fails on one case; everything else passes.
        let bad = text.contains("BEHAVIOR: paid_amount") && text.contains("\"claim_number\": \"KF-20417\"");
        let reason = "The note and the ground truth were compared field by field for this behaviour.";
        let mut answer = json!({"reason": reason, "pass": !bad});
        let schema = received.schema().unwrap_or_default();
        for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let end = if bad { "minimum" } else { "maximum" };
            match required {
                "applicable" => answer["applicable"] = json!(true),
                "score" => answer["score"] = schema["properties"]["score"][end].clone(),
                _ => {}
            }
        }
        Reply::Json(answer)
    });
    let bench = Bench::new(0, script).await;
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/behaviours"), bench.folder.path());
    let suite = bench.read("suite.yaml").replace("model: offline", "model: 'local:judge'")
        + &format!("providers:\n  local: {{base_url: '{}', api_key_env: TRIAL_KEY}}\n", bench.server.openai_url());
    bench.write("suite.yaml", &suite);
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
    assert!(matches!(ended.code, Some(0 | 1)), "{:?} {}", ended.code, ended.said);
    let document = ended.json();
    let rubrics = document["rubrics"].as_array().expect("rubrics");
    assert!(!rubrics.is_empty());
    for key in ["code", "score", "passed", "threshold", "failed_hard_gates"] {
        assert!(rubrics[0].get(key).is_some(), "{key}");
    }
    assert!(document["usage"]["saved_calls"].as_u64() > Some(0), "{}", document["usage"]);
    assert_eq!(document["usage"]["calls"], bench.server.stats().requests);
    let disqualified: Vec<&Value> =
        document["models"].as_object().expect("models").values().filter(|card| card["disqualified"] == true).collect();
    assert!(!disqualified.is_empty());
    let one = bench.assize(&["run", "suite.yaml", "--limit", "1"]).await;
    assert!(one.output.contains("hard gates failed") && one.output.contains("kitchen-fire"), "{}", one.output);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_benchmark_of_a_tree_runs_by_its_own_file() {
    let bench = Bench::new(0, Script::always(Reply::Json(json!({"reason": "x".repeat(60), "pass": true})))).await;
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/behaviours"), bench.folder.path());
    let file = std::fs::read_dir(bench.path("tree/benchmarks/facts"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .find(|path| std::fs::read_to_string(path).expect("read").contains("cause_of_loss_prompt.md"))
        .expect("there");
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    bench.write("suite.yaml", &format!("name: one\njudge: {{use: tree/benchmarks/facts/{name}, model: 'local:judge'}}\ncases: cases.jsonl\nproviders:\n  local: {{base_url: '{}'}}\n", bench.server.openai_url()));
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json", "--limit", "2"]).await;
    assert_eq!((ended.code, bench.server.stats().requests), (Some(0), 2), "{ended:?}");
}
