//! The tools that write and test rubrics: migrate, new, test, inventory, export, init.

use crate::bench::{Bench, Ended, assize_in, command_in, steady};
use crate::rubrics::{copy, example};
use assize_testkit::{Reply, Script};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Everything in a folder: path and content.
fn contents(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap_or_default()));
        }
    }
    found.sort();
    found
}

/// Runs a command whose questions are answered by these lines.
fn answered(mut command: Command, lines: &str) -> Ended {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("started");
    child.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("written");
    Ended::of(child.wait_with_output().expect("ended"))
}

const OLD: &str = "You are a judge.\n\nFail if:\n- The dose is wrong.\n\nReturn JSON: {\"dose_ok\": true or false}\n";

#[test]
fn migrate_takes_prompts_alone_and_is_stable_to_the_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assize-judges/tests/data/old_prompts");
    copy(&data, &folder.path().join("p"));
    let agents =
        "# Agents\n\nThis folder holds prompts.\n\n## Rules\n\n- Check that the tests pass.\n\n## Layout\n\nNotes.\n";
    write(folder.path(), "p/AGENTS.md", agents);
    write(folder.path(), "p/notes.md", "The judge should be stricter.\n");
    // Text that has no place stops everything.
    write(folder.path(), "p/odd_prompt.md", &format!("{OLD}\nThe moon was full.\n"));
    let before = contents(folder.path());
    let stopped = assize_in(folder.path(), &["migrate", "p", "--write"]);
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    assert!(stopped.output.contains("not placed: p/odd_prompt.md:8: The moon was full."), "{}", stopped.output);
    assert!(stopped.said.contains("Nothing was written"), "{}", stopped.said);
    assert_eq!(contents(folder.path()), before);
    // So does a prompt that says nothing about what passes.
    write(folder.path(), "p/odd_prompt.md", "You are a judge. Answer yes or no.\n");
    let before = contents(folder.path());
    let stopped = assize_in(folder.path(), &["migrate", "p", "--write", "--partial"]);
    assert!(stopped.code == Some(2) && stopped.said.contains("Nothing was written"), "{stopped:?}");
    assert_eq!(contents(folder.path()), before);
    std::fs::remove_file(folder.path().join("p/odd_prompt.md")).expect("removed");
    let written = assize_in(folder.path(), &["migrate", "p", "--write", "--partial"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    for other in ["AGENTS.md", "notes.md"] {
        assert!(
            written.output.contains(&format!("p/{other}: not a behaviour prompt, left as it is")),
            "{}",
            written.output
        );
    }
    assert_eq!(read(folder.path(), "p/AGENTS.md"), agents);
    let once = contents(folder.path());
    let again = assize_in(folder.path(), &["migrate", "p", "--write"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(contents(folder.path()), once, "a second time changes nothing");
}

#[test]
fn a_backup_is_never_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a_prompt.md", OLD);
    write(folder.path(), "a_prompt.md.bak", "what was there before");
    let written = assize_in(folder.path(), &["migrate", "a_prompt.md", "--write"]);
    assert!(written.code == Some(0) && written.output.contains("a_prompt.md.bak2"), "{written:?}");
    assert_eq!(read(folder.path(), "a_prompt.md.bak"), "what was there before");
    assert_eq!(read(folder.path(), "a_prompt.md.bak2"), OLD);
    let partial = format!("{OLD}\nThe moon was full.\n");
    write(folder.path(), "b_prompt.md", &partial);
    let written = assize_in(folder.path(), &["migrate", "b_prompt.md", "--write", "--partial"]);
    assert!(written.code == Some(0) && written.output.contains("not placed:"), "{written:?}");
    assert_eq!(read(folder.path(), "b_prompt.md.bak"), partial);
}

const FAULT: &str = "code: NEG\nconcept: Negated symptoms are encoded incorrectly\nevaluator_type: llm_judge\nllm_prompt_file: prompts/negation_prompt.md\n";

#[test]
fn new_behavior_asks_which_way_round_or_leaves_it_open() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "t/benchmarks/NEG.yaml", FAULT);
    let open = assize_in(folder.path(), &["new", "behavior", "t/benchmarks/NEG.yaml"]);
    assert!(open.code == Some(0) && open.output.contains("both readings"), "{open:?}");
    let lint = assize_in(folder.path(), &["lint", "t"]);
    assert!(lint.code == Some(1) && lint.output.contains("unchosen-reading"), "{}", lint.output);
    let run = assize_in(folder.path(), &["test", "t"]);
    assert!(run.code == Some(2) && run.said.contains("a reading is still to be chosen"), "{run:?}");
    std::fs::remove_file(folder.path().join("t/prompts/negation_prompt.md")).expect("removed");
    let asked = answered(command_in(folder.path(), &["new", "behaviour", "t/benchmarks/NEG.yaml", "--ask"]), "f\n");
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let prompt = read(folder.path(), "t/prompts/negation_prompt.md");
    assert!(prompt.contains("are true:\n- Negated symptoms are encoded incorrectly.\n"), "{prompt}");
    assert_eq!(assize_in(folder.path(), &["lint", "t"]).code, Some(0));
}

/// What a person says: a name, a sentence, and four lists.
const SAID: &str = "Paid amount\nWhether the note gives the amount that was paid\n\
the amount in the note is the amount in the ground truth\n\nthe note gives another amount than the ground truth\n\n\
thousands separators\n\nwho was paid\n\ny\n";

#[tokio::test(flavor = "multi_thread")]
async fn an_interview_goes_from_nothing_to_a_tested_behaviour() {
    let script = Script::new(|received| {
        let asked = received.messages().pop().expect("a question").1;
        let pass = asked.contains("Paid 5 USD.");
        let reason = format!("The ground truth is 5 USD and the note gives {} USD.", if pass { 5 } else { 6 });
        Reply::Json(json!({"reason": reason, "pass": pass}))
    });
    let bench = Bench::new(0, script).await;
    let mut command = bench.command(&["new", "behavior", "--model", "openai:judge"]);
    command.env("OPENAI_BASE_URL", bench.server.openai_url()).env("OPENAI_API_KEY", "k");
    let lines =
        format!("{SAID}y\n5 USD\n\nPaid 5 USD.\ny\nBoth say 5 USD.\ny\n5 USD\n\nPaid 6 USD.\nn\nSix is not five.\nn\n");
    let ended = tokio::task::spawn_blocking(move || answered(command, &lines)).await.expect("ended");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let inventory = assize_in(bench.folder.path(), &["inventory", "rubrics"]).output;
    assert!(inventory.contains("1 behaviour: 1 tested"), "{inventory}");
    insta::assert_snapshot!("interview", format!("{}\n$ assize inventory rubrics\n{inventory}", steady(&ended.output)));
    assert_eq!(assize_in(bench.folder.path(), &["lint", "rubrics"]).code, Some(0));
    let broken = answered(command_in(bench.folder.path(), &["new", "behavior", "--into", "other"]), "Tone\n");
    assert!(broken.code == Some(2) && broken.said.contains("answers ended"), "{broken:?}");
    let taken = answered(command_in(bench.folder.path(), &["new", "behavior"]), "Paid amount\n");
    assert!(taken.code == Some(2) && taken.said.contains("already exists"), "{taken:?}");
    assert!(!bench.path("other").exists());
}

const BENCHMARK: &str = "code: AMT\nconcept: Whether the note gives the amount\nevaluator_type: llm_judge\nllm_prompt_file: prompts/amount_prompt.md\nexamples:
  - {ground_truth: 5, candidate_output: Paid 5., pass: true, reason: The first label.}
  - {ground_truth: 5, candidate_output: Paid 6., pass: false, reason: The second label.}
  - {ground_truth: 7, candidate_output: Paid 7., pass: true, reason: The third label.}
";
const CODE: &str = "code: NUM\nevaluator_type: code\nevaluator_config: {deterministic: [{Contains: '#'}]}\nexamples:
  - {candidate_output: 'claim #5', pass: true, reason: It has a number.}
  - {candidate_output: claim, pass: true, reason: Somebody thought so.}
";

fn tree(folder: &Path) {
    let prompt = read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/behaviours/tree/prompts"),
        "paid_amount_prompt.md",
    );
    write(folder, "rubrics/prompts/amount_prompt.md", &prompt);
    write(folder, "rubrics/benchmarks/AMT.yaml", BENCHMARK);
    write(folder, "rubrics/benchmarks/NUM.yaml", CODE);
    write(
        folder,
        "rubrics/benchmarks/SME.yaml",
        "code: SME\nevaluator_type: manual_sme\nconcept: Whether it is wise\n",
    );
    write(folder, "rubrics/rubrics/R.yaml", "code: R\nbenchmarks: [AMT, NUM]\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn test_compares_the_judge_with_the_labels() {
    let script = Script::new(|received| {
        let text: Vec<String> = received.messages().into_iter().map(|(_, content)| content).collect();
        let (asked, shown) = text.split_last().expect("a question");
        // The judge is never shown the answer to what it is asked.
        for (output, label) in
            [("Paid 5.", "The first label"), ("Paid 6.", "The second label"), ("Paid 7.", "The third label")]
        {
            let told = shown.iter().any(|text| text.contains(label));
            if asked.contains(output) && told {
                return Reply::Json(json!({"reason": "told", "pass": "told"}));
            }
        }
        Reply::Json(json!({"reason": "The note states an amount and that is all that was looked at.", "pass": true}))
    });
    let bench = Bench::new(0, script).await;
    tree(bench.folder.path());
    bench.write("suite.yaml", &format!("name: s\njudge: {{use: rubrics, model: 'local:judge'}}\ncases: [none.jsonl]\ngate: {{blockers: 0}}\nproviders:\n  local: {{base_url: '{}', api_key_env: TRIAL_KEY}}\n", bench.server.openai_url()));
    let ended = bench.assize(&["test", "suite.yaml"]).await;
    assert_eq!((ended.code, bench.server.stats().requests), (Some(1), 3), "{ended:?}");
    insta::assert_snapshot!("test", ended.output);
    let again = bench.assize(&["test", "suite.yaml", "--format", "json"]).await;
    assert_eq!((again.code, bench.server.stats().requests), (Some(1), 3), "nothing is paid twice");
    let outcomes: Vec<Value> =
        again.json()["examples"].as_array().expect("a list").iter().map(|example| example["outcome"].clone()).collect();
    assert_eq!(outcomes, ["right", "wrong", "right", "right", "wrong"]);
    let junit = bench.assize(&["test", "suite.yaml", "--format", "junit"]).await;
    assert!(junit.output.contains("tests=\"5\" skipped=\"0\" failures=\"2\""), "{}", junit.output);
    assert!(junit.output.contains("judged as pass: The note states an amount"), "{}", junit.output);
    let dry = bench.assize(&["test", "suite.yaml", "--dry-run", "--no-cache"]).await;
    assert!(dry.code == Some(0) && dry.output.contains("5 cases, 3 questions"), "{}", dry.output);
    let inventory = bench.assize(&["inventory", "rubrics"]).await;
    insta::assert_snapshot!("inventory", inventory.output);
    let widest = [&ended.output, &inventory.output]
        .into_iter()
        .flat_map(|text| text.lines())
        .map(|line| line.chars().count())
        .max();
    assert!(widest <= Some(80), "{widest:?}");
    let listed = bench.assize(&["inventory", "rubrics", "--format", "json"]).await.json();
    assert_eq!(listed["behaviours"][2]["status"], "unused", "{listed}");
    let markdown = bench.assize(&["inventory", "rubrics", "--format", "markdown"]).await.output;
    assert!(markdown.starts_with("| behaviour | rubric |") && markdown.contains("| NUM | R | code |"), "{markdown}");
}

#[test]
fn offline_says_what_would_be_asked_and_tests_what_code_decides() {
    let folder = tempfile::tempdir().expect("a folder");
    tree(folder.path());
    let ended = assize_in(folder.path(), &["test", "rubrics"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.output.contains("5 examples: 1 right, 1 wrong, 3 to be asked"), "{}", ended.output);
    assert!(ended.output.contains("3 questions would be asked"), "{}", ended.output);
    let one = assize_in(folder.path(), &["test", "rubrics/benchmarks/AMT.yaml"]);
    assert!(one.code == Some(0) && one.output.contains("3 examples: 3 to be asked"), "{one:?}");
    let prompt = assize_in(folder.path(), &["test", "rubrics/prompts/amount_prompt.md"]);
    assert!(prompt.code == Some(2) && prompt.said.contains("no example says whether it passes"), "{prompt:?}");
    assert_eq!(assize_in(folder.path(), &["test", "nowhere"]).code, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_behaviour_whose_examples_are_all_right_is_tested_until_it_changes() {
    let script = Script::new(|received| {
        let asked = received.messages().pop().expect("a question").1;
        Reply::Json(json!({"reason": "The amounts were compared with each other.", "pass": !asked.contains("Paid 6.")}))
    });
    let bench = Bench::new(0, script).await;
    tree(bench.folder.path());
    let mut command = bench.command(&["test", "rubrics", "--model", "openai:judge"]);
    command.env("OPENAI_BASE_URL", bench.server.openai_url()).env("OPENAI_API_KEY", "k");
    let ended = tokio::task::spawn_blocking(move || command.output().expect("ended")).await.expect("ended");
    assert_eq!(ended.status.code(), Some(1), "the check still gets its own example wrong");
    let status = || {
        assize_in(bench.folder.path(), &["inventory", "rubrics", "--format", "json"]).json()["behaviours"][0]["status"]
            .clone()
    };
    assert_eq!(status(), "tested");
    bench.write("rubrics/benchmarks/AMT.yaml", &BENCHMARK.replace("gives the amount", "gives the sum"));
    assert_eq!(status(), "draft");
}

#[test]
fn the_export_names_what_it_leaves_out() {
    let folder = example();
    let ended = assize_in(folder.path(), &["export", "suite.yaml", "--to", "pydantic-evals"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    insta::assert_snapshot!("export_left_out", ended.said);
    assert!(ended.output.contains("temperature"), "{}", ended.output);
}

#[test]
fn either_spelling_starts_the_example() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["behaviours", "behaviors"] {
        let ended = assize_in(folder.path(), &["init", name, "--into", name]);
        assert!(ended.code == Some(0) && folder.path().join(name).join("suite.yaml").exists(), "{ended:?}");
    }
}

#[test]
fn a_wrong_judge_is_one_mistake() {
    let folder = example();
    let suite = read(folder.path(), "suite.yaml").replace("use: tree", "use: transcript-quality");
    let settings = suite.find("  settings:").expect("settings");
    let cases = suite.find("cases:").expect("cases");
    write(
        folder.path(),
        "suite.yaml",
        &format!("{}{}", &suite[..settings], &suite[cases..suite.find("gate:").expect("a gate")]),
    );
    let ended = assize_in(folder.path(), &["run", "suite.yaml"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    insta::assert_snapshot!("wrong_judge", ended.said);
}
