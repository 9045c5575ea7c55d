//! The example tree: it lints clean, runs offline, and loads in the real Pydantic Evals.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a test of the bundled files opens them and shows what came of it"
)]

use assize_core::document::{Problems, parse};
use assize_core::{Case, Judge, JudgeSource, JudgeSystem, SourceFile, Suite, Summary};
use assize_judges::summary::summary_of;
use assize_judges::systems::behaviour::lint::{RULES, lint};
use assize_judges::systems::behaviour::{TreeSystem, export_pydantic_evals, exported_behaviours, migrate};
use assize_testkit::drive;
use assize_testkit::outside::python_with;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/behaviours")
}

fn collect(folder: &Path, name: &str, files: &mut Vec<SourceFile>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let inner = format!("{name}/{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            collect(&path, &inner, files);
        } else {
            files.push(SourceFile { path: inner, text: std::fs::read_to_string(&path).expect("a text") });
        }
    }
}

fn tree() -> JudgeSource {
    let mut files = Vec::new();
    collect(&examples().join("tree"), "tree", &mut files);
    JudgeSource::Folder { path: "tree".into(), files }
}

fn judge() -> Box<dyn Judge> {
    let text = std::fs::read_to_string(examples().join("suite.yaml")).expect("the suite");
    let mut problems = Problems::of("suite.yaml");
    let suite =
        parse(&text, &mut problems).and_then(|document| Suite::read(&document, &mut problems)).expect("a good suite");
    let judge = TreeSystem.build(&tree(), suite.settings.as_ref(), &mut problems);
    judge.unwrap_or_else(|| panic!("{:#?}", problems.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

fn cases(judge: &dyn Judge) -> Vec<Case> {
    let text = std::fs::read_to_string(examples().join("cases.jsonl")).expect("the cases");
    let record = |line: &str| serde_json::from_str::<Map<String, Value>>(line).expect("a JSON object");
    text.lines().map(|line| Case::read(record(line), &judge.spec().inputs).expect("a good case")).collect()
}

fn run_offline() -> Summary {
    let judge = judge();
    let mut summary = summary_of(judge.as_ref());
    for case in cases(judge.as_ref()) {
        summary.add(&case, &drive::judged(drive::by_rules(judge.as_ref(), &case)));
    }
    summary.finish()
}

#[test]
fn the_tree_lints_clean() {
    let JudgeSource::Folder { files, .. } = tree() else { unreachable!("a folder") };
    let findings = lint(&files);
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn the_docs_list_every_rule() {
    let page = include_str!("../../../docs/lint.md");
    for rule in RULES {
        assert!(page.contains(&format!("| {} | `{}` |", rule.code, rule.name)), "{}", rule.code);
    }
}

#[test]
fn it_runs_offline_and_tells_the_two_systems_apart() {
    let summary = run_offline();
    for (name, card) in &summary.models {
        println!("{name}");
        for (metric, figure) in &card.metrics {
            println!("  {metric:24} {:?} n={} {:?} {:?}", figure.value, figure.n, figure.rating, figure.counts);
        }
        println!("  blockers {:?}", card.blockers);
    }
    println!("saved calls {}", summary.saved_calls);
    let (a, b) = (&summary.models["notes-a"], &summary.models["notes-b"]);
    assert!(a.blockers.is_empty() && !a.disqualified, "{:?}", a.blockers);
    let broken: Vec<&str> = b.blockers.iter().map(|blocker| blocker.metric.as_str()).collect();
    assert_eq!(broken, ["behaviour.FAC-NUM", "behaviour.MON-PAID", "behaviour.DEC-LIA", "behaviour.CON-PRI"]);
    assert_eq!(b.blockers[0].cases, ["storm-fence"]);
    assert_eq!(b.metrics["rubric.CN"].rating.map(assize_core::Rating::name), Some("blocker"));
    for card in [a, b] {
        assert!(card.metrics["behaviours.pass_rate"].value.expect("a figure") >= 0.75, "the suite's gate holds");
        assert_eq!(card.metrics["behaviour.CON-UNS"].value, None, "no rule can decide this");
    }
    let rubrics = summary.sections["rubrics"].as_array().expect("a list");
    assert_eq!(rubrics.len(), 2);
    assert_eq!(rubrics[0]["passed"], serde_json::Value::Null, "nobody has read what only a reader can tell");
    assert_eq!(rubrics[1]["failed_hard_gates"], serde_json::json!(["FAC-NUM", "MON-PAID", "DEC-LIA", "CON-PRI"]));
}

#[test]
fn the_old_prompt_becomes_the_new_one() {
    let read = |path: &str| std::fs::read_to_string(examples().join("migrate").join(path)).expect("a text");
    let migration = migrate("total_loss_prompt.md", &read("before/total_loss_prompt.md")).expect("migrated");
    if std::env::var_os("ASSIZE_WRITE_EXAMPLES").is_some() {
        std::fs::create_dir_all(examples().join("migrate/after")).expect("a folder");
        std::fs::write(examples().join("migrate/after/total_loss_prompt.md"), &migration.text).expect("written");
    }
    assert_eq!(migration.text, read("after/total_loss_prompt.md"));
    assert_eq!(migration.result_key.as_deref(), Some("total_loss_correct"));
}

/// Needs Python with `pydantic-evals`: `pip install pydantic-evals`, and `ASSIZE_PYTHON` to name the interpreter.
#[test]
fn the_export_loads_in_pydantic_evals() {
    let Some(python) = python_with("pydantic_evals") else { return };
    let judge = judge();
    let mut problems = Problems::default();
    let behaviours = exported_behaviours(&tree(), &mut problems).expect("behaviours");
    let mut cases = cases(judge.as_ref());
    // Everything that YAML finds hard.
    let odd =
        "tabs\there, \"quotes\", 'single', \u{7f} \u{85} \u{2028} \u{feff} 😀 \u{1} # no comment: - x\r\n  end \\n";
    cases[0].inputs.insert("candidate_output".into(), odd.into());
    let text = export_pydantic_evals("claim notes: export", &behaviours, &cases);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (dataset, expected) = (folder.join("dataset.yaml"), folder.join("expected.json"));
    std::fs::write(&dataset, text).expect("written");
    let names: Vec<&str> = behaviours.iter().map(|behaviour| behaviour.name.as_str()).collect();
    let rubrics: Vec<&str> = behaviours.iter().map(|behaviour| behaviour.rubric.as_str()).collect();
    let facts = serde_json::json!({"cases": cases.len(), "names": names, "rubrics": rubrics, "odd": odd});
    std::fs::write(&expected, facts.to_string()).expect("written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pydantic_evals_load.py");
    let output =
        std::process::Command::new(&python).arg(script).arg(&dataset).arg(&expected).output().expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    println!("{}", String::from_utf8_lossy(&output.stdout).trim());
}
