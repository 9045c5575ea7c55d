//! `assize report`: a run as files.

use crate::bench::assize_in;
use std::path::Path;

fn demo(folder: &Path, system: &str) {
    assert_eq!(assize_in(folder, &["demo", system, "--no-serve"]).code, Some(0));
}

#[test]
fn the_file_says_the_format_and_the_run_says_the_same_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    demo(folder.path(), "call-intelligence");
    for (name, format) in [("r.md", "markdown"), ("r.json", "json"), ("r.xml", "junit")] {
        let written = assize_in(folder.path(), &["report", "last", "-o", name]);
        assert!(written.code == Some(0) && written.said.contains(name) && written.output.is_empty(), "{written:?}");
        let file = std::fs::read_to_string(folder.path().join(name)).expect("written");
        assert_eq!(file, assize_in(folder.path(), &["show", "last", "--format", format]).output, "{format}");
        assert_eq!(file, assize_in(folder.path(), &["report", "--format", format]).output, "{format}");
    }
    assize_in(folder.path(), &["report", "-o", "r.html"]);
    let page = std::fs::read_to_string(folder.path().join("r.html")).expect("written");
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("Question Score Accuracy") && !page.contains("<script")
    );
    let scorecard = assize_in(folder.path(), &["report", "--format", "csv"]).output;
    insta::assert_snapshot!(scorecard.lines().take(9).collect::<Vec<_>>().join("\n"));
    let cases = assize_in(folder.path(), &["report", "--format", "csv", "--table", "cases"]).output;
    assert_eq!(cases.lines().count(), 28);
    assert!(cases.starts_with("case,model,run,status,verdict,qa.question_score_accuracy,"), "{cases}");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("one").path()).collect();
    assert!(left.iter().all(|path| path.extension().is_none_or(|ending| ending != "partial")), "{left:?}");
}

#[test]
fn what_cannot_be_reported_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let nothing = assize_in(folder.path(), &["report"]);
    assert!(nothing.code == Some(2) && nothing.said.contains("assize demo"), "{nothing:?}");
    demo(folder.path(), "transcript-quality");
    std::fs::write(folder.path().join("file"), "").expect("written");
    for (arguments, words) in [
        (&["report", "nowhere"][..], "there is no run `nowhere`"),
        (&["report", "--table", "cases"], "--table chooses what is written as CSV"),
        (&["report", "-o", "file/r.md"], "file/r.md cannot be written"),
        (&["report", "--format", "pdf"], "possible values"),
    ] {
        let ended = assize_in(folder.path(), arguments);
        assert!(ended.code == Some(2) && ended.said.contains(words), "{arguments:?} {}", ended.said);
    }
    for (name, feature, built) in
        [("r.xlsx", "xlsx", cfg!(feature = "xlsx")), ("r.parquet", "parquet", cfg!(feature = "parquet"))]
    {
        let ended = assize_in(folder.path(), &["report", "-o", name]);
        let said = ended.said.contains(&format!("--features {feature}"));
        assert_eq!((ended.code, said), (Some(if built { 0 } else { 2 }), !built), "{}", ended.said);
        assert_eq!(folder.path().join(name).exists(), built);
    }
}

#[test]
fn parquet_cases_are_judged_or_the_way_to_do_it_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let nested = include_bytes!("../../../assize-engine/tests/data/nested.parquet");
    std::fs::write(folder.path().join("cases.parquet"), nested).expect("written");
    let suite = "name: tables\njudge: {use: transcript-quality}\ncases: [cases.parquet]\n";
    std::fs::write(folder.path().join("wrong.yaml"), suite).expect("written");
    let map = "map: {n: ~, score: ~, config: ~, turns: ~, when: ~, flag: ~}\n";
    std::fs::write(folder.path().join("suite.yaml"), format!("{suite}{map}")).expect("written");
    let ended = assize_in(folder.path(), &["run", "suite.yaml"]);
    if cfg!(feature = "parquet") {
        assert!(ended.code == Some(0) && ended.output.contains("3 cases: 3 judged"), "{ended:?}");
        let wrong = assize_in(folder.path(), &["run", "wrong.yaml"]);
        assert!(wrong.code == Some(2) && wrong.said.contains("cases.parquet:1:1"), "{}", wrong.said);
        assert!(!wrong.said.contains("PAR1"), "bytes are not shown as a line: {}", wrong.said);
    } else {
        assert!(ended.code == Some(2) && ended.said.contains("--features parquet"), "{}", ended.said);
    }
}
