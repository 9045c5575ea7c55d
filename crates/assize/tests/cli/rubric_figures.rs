//! Rubrics that are undecided, questions that fail, and lines that are not sent, as people see them.

use crate::bench::{Bench, Ended, assize_in};
use crate::rubrics::{copy, example};
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};
use std::path::Path;

const REASON: &str = "The note and the ground truth were compared field by field for this behaviour.";

/// A passing answer to whatever is asked.
fn passing(schema: &Value) -> Value {
    let mut answer = json!({"reason": REASON, "pass": true});
    if schema["properties"].get("applicable").is_some() {
        answer["applicable"] = json!(true);
    }
    answer
}

/// The example through a model of which one behaviour gets no answer.
async fn with_a_failing_behaviour(behaviour: &'static str, arguments: &[&str]) -> (Bench, Ended) {
    let script = Script::new(move |received| {
        let text: String = received.messages().into_iter().map(|(_, content)| content).collect();
        if text.contains(&format!("BEHAVIOR: {behaviour}")) {
            return Reply::Refusal("I would rather not.".to_owned());
        }
        Reply::Json(passing(&received.schema().unwrap_or_default()))
    });
    let bench = Bench::new(0, script).await;
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/behaviours"), bench.folder.path());
    let suite = bench.read("suite.yaml").replace("model: offline", "model: 'local:judge'")
        + "  rubric.CN-FAC: '>= 0.5'\n  rubric.CN-DEC: '>= 0.5'\n"
        + &format!("providers:\n  local: {{base_url: '{}', api_key_env: TRIAL_KEY}}\n", bench.server.openai_url());
    bench.write("suite.yaml", &suite);
    let ended = bench.assize(arguments).await;
    (bench, ended)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_fails_leaves_only_its_behaviour_undecided() {
    let run = ["run", "suite.yaml", "--format", "json", "--only", "kitchen-fire"];
    let (bench, ended) = with_a_failing_behaviour("coverage_correct", &run).await;
    assert_eq!(ended.code, Some(3), "{}", ended.said);
    assert!(ended.said.contains("lack an answer"), "{}", ended.said);
    let document = ended.json();
    assert_eq!(document["cases"]["judged"], document["cases"]["total"], "no case failed as a whole");
    let metrics = &document["models"]["notes-a"]["metrics"];
    assert_eq!(metrics["behaviour.FAC-PTY"]["value"], 1.0);
    let coverage = &metrics["behaviour.DEC-COV"];
    assert_eq!((&coverage["value"], &coverage["bounds"]), (&Value::Null, &json!([0.0, 1.0])));
    // DEC-NXT counts 0.2 and DEC-COV 0.3, and DEC-LIA is not asked: 0.2 / 0.5 at worst.
    assert_eq!(metrics["rubric.CN-DEC"]["bounds"], json!([0.4, 1.0]));
    let check = |name: &str| {
        let checks = document["gate"]["checks"].as_array().expect("checks");
        checks.iter().find(|check| check["check"].as_str().unwrap().starts_with(name)).expect("a check").clone()
    };
    assert_eq!(check("rubric.CN-FAC")["passed"], true);
    assert_eq!(check("rubric.CN-DEC")["passed"], false, "it might be 0.4");
    let rubric = &document["rubrics"][0]["sub_rubrics"][2];
    assert_eq!((&rubric["code"], &rubric["waiting"]), (&json!("CN-DEC"), &json!(["DEC-COV"])));
    assert!(document["saved_calls"].is_u64());
    // The same in the terminal, as Markdown and as a report.
    let shown = bench.assize(&["show", "last"]).await.output;
    assert!(shown.contains("CN-DEC 0.400 … 1.000 undecided, needs 0.80  waiting for DEC-COV"), "{shown}");
    for arguments in [&["show", "last", "--format", "markdown"][..], &["report", "last", "--format", "markdown"]] {
        let markdown = bench.assize(arguments).await.output;
        assert!(markdown.contains("0.400 … 1.000") && markdown.contains("waiting for"), "{markdown}");
    }
    let case = bench.assize(&["show", "last", "--case", "kitchen-fire"]).await.output;
    assert!(case.contains("DEC-COV") && case.contains("its question got no answer"), "{case}");
}

#[test]
fn what_is_not_sent_is_listed_before_anything_is_asked() {
    let folder = example();
    let prompt = folder.path().join("tree/prompts/coverage_prompt.md");
    let text = std::fs::read_to_string(&prompt).expect("a prompt");
    let text = text.replace("1. The decision", "<!-- ask Ines about appeals -->\n1. The decision").replace(
        "---\n\nINPUTS",
        "Output: the decision is one word.\n\nRespond with JSON {\"coverage_ok\": true}.\n\n---\n\nINPUTS",
    );
    std::fs::write(&prompt, text).expect("written");
    let benchmark = folder.path().join("tree/benchmarks/decision/DEC-COV.yaml");
    let text = std::fs::read_to_string(&benchmark).expect("a benchmark");
    std::fs::write(&benchmark, format!("{text}metric: {{name: accuracy}}\n")).expect("written");
    let dry = assize_in(folder.path(), &["run", "suite.yaml", "--dry-run"]);
    assert_eq!(dry.code, Some(0), "{}", dry.said);
    let listed = dry.output.split("The first question").next().expect("a head");
    insta::assert_snapshot!("not_sent_in_a_dry_run", listed.trim_end());
    let dry = assize_in(folder.path(), &["run", "suite.yaml", "--dry-run", "--format", "json"]).json();
    assert_eq!(dry["estimate"]["not_sent"].as_array().map(Vec::len), Some(3), "{}", dry["estimate"]["not_sent"]);
    let lint = assize_in(folder.path(), &["lint", "tree"]);
    assert!(
        lint.output.contains("3 notes") && lint.output.contains("AZ190") && lint.output.contains("AZ192"),
        "{}",
        lint.output
    );
    // What is kept and not used is named with the run.
    assize_in(folder.path(), &["run", "suite.yaml", "--limit", "1"]);
    let shown = assize_in(folder.path(), &["show", "last"]).output;
    assert!(shown.contains("kept, but not used: metric"), "{shown}");
    let exported = assize_in(folder.path(), &["export", "suite.yaml", "--to", "pydantic-evals"]).output;
    let first = "# kept from tree/benchmarks/decision/DEC-COV.yaml: metric: {\"name\":\"accuracy\"}\n";
    assert!(exported.starts_with(first), "{}", &exported[..200]);
}

#[test]
fn one_file_is_linted_within_its_tree() {
    let folder = example();
    for (place, path) in [
        ("", "tree/benchmarks/money/MON-PAID.yaml"),
        ("", "./tree/rubrics/CN-MON.yaml"),
        ("tree", "benchmarks/money/MON-PAID.yaml"),
        ("tree/benchmarks/money", "MON-PAID.yaml"),
        ("tree/rubrics", "CN.yaml"),
    ] {
        let lint = assize_in(&folder.path().join(place), &["lint", path]);
        assert_eq!(
            (lint.code, lint.output.trim()),
            (Some(0), "0 findings in 1 file: 0 errors, 0 warnings"),
            "{place} {path}"
        );
    }
    // A mistake in the named file is found, and those of other files are not reported.
    let benchmark = folder.path().join("tree/benchmarks/money/MON-PAID.yaml");
    let text = std::fs::read_to_string(&benchmark)
        .expect("a benchmark")
        .replace("parent_rubric: CN-MON", "parent_rubric: CN-XX");
    std::fs::write(&benchmark, text).expect("written");
    let lint = assize_in(folder.path(), &["lint", "tree/benchmarks/money/MON-PAID.yaml"]);
    assert!(lint.code == Some(1) && lint.output.contains("there is no rubric `CN-XX`"), "{}", lint.output);
    let lint = assize_in(folder.path(), &["lint", "tree/benchmarks/money/MON-DED.yaml"]);
    assert_eq!(lint.code, Some(0), "{}", lint.output);
}
