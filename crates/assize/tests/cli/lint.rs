//! The linter from the command line: single files of a tree, fixes, and a review by a model.

use crate::bench::{Bench, assize_in};
use crate::rubrics::{copy, example};
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};
use std::path::Path;

fn codes(findings: &Value) -> Vec<&str> {
    findings["findings"].as_array().expect("a list").iter().filter_map(|finding| finding["code"].as_str()).collect()
}

#[test]
fn one_file_of_a_tree_is_looked_over_beside_the_rest_of_it() {
    let folder = example();
    for file in ["benchmarks/money/MON-PAID.yaml", "rubrics/CN.yaml", "prompts/paid_amount_prompt.md"] {
        for path in [format!("tree/{file}"), format!("./tree/{file}")] {
            let ended = assize_in(folder.path(), &["lint", &path]);
            assert_eq!(ended.code, Some(0), "{path}: {}", ended.output);
            assert!(ended.output.contains("0 findings in 1 file"), "{path}: {}", ended.output);
        }
        let inside = assize_in(&folder.path().join("tree"), &["lint", file]);
        assert!(inside.output.contains("0 findings in 1 file"), "{file}: {}", inside.output);
    }
    // What is wrong elsewhere in the tree is not the file's.
    std::fs::write(folder.path().join("tree/benchmarks/money/broken.yaml"), "code: [").expect("written");
    let other = assize_in(folder.path(), &["lint", "tree/benchmarks/money/MON-PAID.yaml"]);
    assert!(other.output.contains("0 findings in 1 file"), "{}", other.output);
    let whole = assize_in(folder.path(), &["lint", "tree"]);
    assert_eq!(whole.code, Some(1), "{}", whole.output);
}

#[test]
fn fixes_are_shown_then_written_and_a_second_time_changes_nothing() {
    let folder = example();
    let path = folder.path().join("tree/prompts/paid_amount_prompt.md");
    let good = std::fs::read_to_string(&path).expect("read");
    let bad = good.replace("Ignore:\n", "Ignore:\n-\n").replace("2. ", "3. ");
    std::fs::write(&path, &bad).expect("written");
    let file = "tree/prompts/paid_amount_prompt.md";

    let found = assize_in(folder.path(), &["lint", file, "--format", "json"]);
    assert_eq!(codes(&found.json()), ["AZ125", "AZ103"]);
    assert_eq!(found.json()["findings"][0]["fix"], "remove the item");

    let shown = assize_in(folder.path(), &["lint", file, "--fix", "--dry-run"]);
    assert!(shown.output.contains("\n--\n") && shown.output.contains("\n+2. "), "{}", shown.output);
    assert!(shown.said.contains("nothing was written"), "{}", shown.said);
    assert_eq!(std::fs::read_to_string(&path).expect("read"), bad);

    let fixed = assize_in(folder.path(), &["lint", file, "--fix"]);
    assert_eq!(fixed.code, Some(0), "{} {}", fixed.output, fixed.said);
    assert_eq!(std::fs::read_to_string(&path).expect("read"), good);
    let again = assize_in(folder.path(), &["lint", file, "--fix"]);
    assert!(again.said.contains("Nothing to fix"), "{}", again.said);
    assert_eq!(std::fs::read_to_string(&path).expect("read"), good);
    assert_eq!(assize_in(folder.path(), &["lint", file, "--dry-run"]).code, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_reviews_meaning_and_what_it_cannot_quote_is_dropped() {
    let script = Script::new(|received| {
        let text: String = received.messages().into_iter().map(|(_, content)| content).collect();
        let found = json!([
            {"quote": "The amount equals the amount paid", "other_quote": null, "why": "Invented.", "kind": "contradiction"},
            {"quote": "Whether the note gives the amount that was paid", "other_quote": null, "why": "Two things are asked.", "kind": "two_questions"},
        ]);
        Reply::Json(json!({"findings": if text.contains("paid_amount") { found } else { json!([]) }}))
    });
    let bench = Bench::new(0, script).await;
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/behaviours"), bench.folder.path());
    let path = "tree/prompts/paid_amount_prompt.md";
    let text = bench.read(path);
    let start = text.find("DESCRIPTION:\n").expect("a description") + "DESCRIPTION:\n".len();
    let end = start + text[start..].find('\n').expect("its end");
    bench.write(path, &format!("{}Whether the note gives the amount that was paid.{}", &text[..start], &text[end..]));

    let ask = async |more: &[&str]| {
        let mut arguments = vec!["lint", path, "--model", "openai:judge"];
        arguments.extend(more);
        let mut command = bench.command(&arguments);
        command.env("OPENAI_BASE_URL", bench.server.openai_url()).env("OPENAI_API_KEY", crate::bench::KEY);
        let output = tokio::task::spawn_blocking(move || command.output().expect("started")).await.expect("ended");
        crate::bench::Ended::of(output)
    };
    let planned = ask(&["--dry-run"]).await;
    assert!(
        planned.output.contains("1 question") && planned.output.contains("nothing was asked"),
        "{}",
        planned.output
    );
    assert_eq!(bench.server.stats().requests, 0);

    let first = ask(&["--format", "json"]).await;
    assert_eq!(first.code, Some(0), "{}", first.said);
    let findings = first.json();
    assert_eq!(codes(&findings), ["AZ129"]);
    let message = findings["findings"][0]["message"].as_str().expect("words");
    assert!(message.starts_with("openai:judge sees a mistake here, two questions: Two things"), "{message}");
    assert!(first.said.contains("1 finding dropped") && first.said.contains("1 call"), "{}", first.said);
    assert_eq!(bench.server.stats().requests, 1);

    let again = ask(&[]).await;
    assert!(again.output.contains("AZ129 meaning-review") && again.said.contains("1 from the store"), "{}", again.said);
    assert_eq!(bench.server.stats().requests, 1, "the same text is asked about once");
    bench.assert_no_key(&[&first.output, &first.said, &again.output, &again.said]);
}
