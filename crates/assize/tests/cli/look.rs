//! What people see: help, demo, runs, cases.

use crate::bench::{Bench, assize_in, steady};
use assize_judges::examples;
use assize_testkit::Script;

/// One snapshot for each example, so that another example changes none of them.
#[test]
fn each_example_of_the_demo_fits_eighty_columns_and_needs_no_file() {
    for name in examples::names() {
        let folder = tempfile::tempdir().expect("a folder");
        let ended = assize_in(folder.path(), &["demo", name, "--no-serve"]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let widest = ended.output.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{name}: {widest:?}");
        insta::assert_snapshot!(format!("demo_{name}"), steady(&ended.output));
    }
}

#[test]
fn the_demo_shows_every_example_and_what_to_do_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = assize_in(folder.path(), &["demo", "--no-serve"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let (shown, next) = ended.output.split_once("\nWhat next\n").expect("what next");
    let starts = |line: &&str| line.split("  ").next().is_some_and(|suite| suite.ends_with("-example"));
    let suites: Vec<&str> = shown.lines().filter(starts).filter_map(|line| line.split("-example").next()).collect();
    assert_eq!(suites, examples::names());
    insta::assert_snapshot!("what_next", next);
}

#[test]
fn runs_and_the_last_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["transcript-quality", "call-intelligence", "fact-extraction"] {
        assize_in(folder.path(), &["demo", name, "--no-serve"]);
    }
    insta::assert_snapshot!("runs", steady(&assize_in(folder.path(), &["runs"]).output));
    insta::assert_snapshot!("show", steady(&assize_in(folder.path(), &["show"]).output));
}

#[test]
fn three_models_stand_side_by_side_in_eighty_columns() {
    let folder = tempfile::tempdir().expect("a folder");
    assize_in(folder.path(), &["demo", "call-intelligence", "--no-serve"]);
    let shown = assize_in(folder.path(), &["show", "last", "--format", "table"]).output;
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}");
    insta::assert_snapshot!(steady(&shown));
    let markdown = assize_in(folder.path(), &["show", "last", "--format", "markdown"]).output;
    insta::assert_snapshot!("markdown", steady(&markdown));
}

#[test]
fn help_teaches_by_example() {
    let folder = tempfile::tempdir().expect("a folder");
    let help = assize_in(folder.path(), &["--help"]).output;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // The second line of a command's description is indented further.
    let commands: Vec<&str> = listed
        .filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?.split(' ').next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"run") && commands.contains(&"serve"), "{commands:?}");
    for command in commands {
        let ended = assize_in(folder.path(), &[command, "--help"]);
        assert_eq!(ended.code, Some(0));
        assert!(command == "new" || ended.output.contains("Examples:"), "{command}: {}", ended.output);
    }
    insta::assert_snapshot!(help);
    insta::assert_snapshot!("help_run", assize_in(folder.path(), &["run", "--help"]).output);
}

#[test]
fn completions_and_version() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = assize_in(folder.path(), &["completions", shell]);
        assert!(ended.code == Some(0) && ended.output.contains("assize"), "{shell}");
    }
    assert_eq!(assize_in(folder.path(), &["--version"]).output, format!("assize {}\n", env!("CARGO_PKG_VERSION")));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_case_in_full_shows_the_question_and_the_reply_as_text() {
    let bench = Bench::new(0, Script::default()).await;
    bench.write("cases.jsonl", "{\"id\": \"sly\", \"reference\": \"hello there\", \"transcript\": \"hello \\u001b[2J\\u001b]0;owned\\u0007 <script>alert(1)</script>\"}\n");
    let ended = bench.assize(&["run", "suite.yaml"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let shown = bench.assize(&["show", "last", "--case", "sly"]).await;
    assert!(shown.output.contains("<<<DATA") && shown.output.contains("--- reply"), "{}", shown.output);
    assert!(!shown.output.contains('\u{1b}') && !shown.output.contains('\u{7}'), "escape codes are shown, not obeyed");
    let missing = bench.assize(&["show", "last", "--case", "nobody"]).await;
    assert!(missing.code == Some(2) && missing.said.contains("has no case `nobody`"), "{missing:?}");
}

#[test]
fn looking_back_with_nothing_there_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["runs"][..], &["show", "last"]] {
        let ended = assize_in(folder.path(), arguments);
        assert!(ended.code == Some(2) && ended.said.contains("assize demo"), "{ended:?}");
    }
    assert!(!folder.path().join(".assize").exists());
}

#[test]
fn the_docs_name_every_environment_variable() {
    let page = include_str!("../../../../docs/environment.md");
    for variable in assize_llm::environment::VARIABLES {
        let rows =
            page.lines().filter(|line| line.starts_with("| `") && line.contains(&format!("`{}`", variable.name)));
        assert_eq!(rows.count(), 1, "{}", variable.name);
    }
    // The binary's own, as its help names them.
    let folder = tempfile::tempdir().expect("a folder");
    for command in ["run", "serve"] {
        let help = assize_in(folder.path(), &[command, "--help"]).output;
        for name in help.split("[env: ").skip(1).filter_map(|rest| rest.split(['=', ']']).next()) {
            assert!(page.contains(&format!("`{name}`")), "{command}: {name}");
        }
    }
}
