//! From nothing to a run of one's own: `init`, `new`, `doctor`.

use crate::bench::assize_in;

#[test]
fn init_writes_a_suite_that_runs_and_touches_nothing_that_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    for system in assize_judges::examples::names() {
        let ended = assize_in(folder.path(), &["init", system]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let suite = format!("{system}/suite.yaml");
        let run = assize_in(folder.path(), &["run", &suite, "--format", "json"]);
        assert!(matches!(run.code, Some(0 | 1)), "{run:?}");
        let cases = &run.json()["cases"];
        assert!(cases["judged"].as_u64() >= Some(4) && cases["judged"] == cases["total"], "{system}: {cases}");
        let again = assize_in(folder.path(), &["init", system]);
        assert!(again.code == Some(2) && again.said.contains("already exists"), "{again:?}");
    }
}

#[test]
fn new_criteria_is_a_judge_that_can_be_estimated() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = assize_in(folder.path(), &["new", "criteria", "judges/mine.yaml"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    std::fs::write(folder.path().join("suite.yaml"), "name: mine\njudge: {use: judges/mine.yaml}\ncases: c.csv\n")
        .expect("written");
    std::fs::write(folder.path().join("c.csv"), "id,message,reply\n1,hello,hi\n").expect("written");
    let dry = assize_in(folder.path(), &["run", "suite.yaml", "--model", "anthropic:claude-sonnet-4-5", "--dry-run"]);
    assert!(dry.code == Some(0) && dry.output.contains("helpfulness"), "{dry:?}");
    let offline = assize_in(folder.path(), &["run", "suite.yaml"]);
    assert!(
        offline.code == Some(2) && offline.said.contains("cannot judge any of these cases by rules"),
        "{offline:?}"
    );
}

#[test]
fn doctor_names_what_is_missing_and_checks_a_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = assize_in(folder.path(), &["doctor"]);
    assert!(ended.code == Some(0) && ended.output.contains("export OPENAI_API_KEY="), "{ended:?}");
    assize_in(folder.path(), &["init"]);
    let ended = assize_in(folder.path(), &["doctor", "transcript-quality/suite.yaml"]);
    assert!(ended.code == Some(0) && ended.output.contains("4 cases"), "{ended:?}");
    std::fs::create_dir_all(folder.path().join(".assize")).expect("made");
    std::fs::write(folder.path().join(".assize/assize.db"), "no database at all, really".repeat(100)).expect("written");
    let ended = assize_in(folder.path(), &["doctor"]);
    assert!(ended.code == Some(2) && ended.output.contains("broken"), "{ended:?}");
}
