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
use assize_judges::systems::behaviour::{Export, TreeSystem, export_pydantic_evals, labelled_examples, migrate};
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

/// The prompt and the benchmark that the docs show are complete: they are read, and lint finds nothing.
#[test]
fn the_docs_show_a_prompt_and_a_benchmark_that_work() {
    let page = include_str!("../../../docs/behaviours.md");
    let fenced = |open: &str, close: &str| {
        let (_, rest) = page.split_once(open).expect("a fence");
        rest.split_once(close).expect("its end").0.to_owned()
    };
    let rubric = "code: CN\nbenchmarks: [CN-AMT]\n";
    let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
    let benchmark = fenced("A complete one:\n\n```yaml\n", "\n```").replace("weight: 0.5", "weight: 1");
    let files = [
        file("t/prompts/paid_amount_prompt.md", &fenced("````markdown\n", "\n````")),
        file("t/benchmarks/CN-AMT.yaml", &benchmark),
        file("t/rubrics/CN.yaml", rubric),
    ];
    let findings = lint(&files);
    assert!(findings.is_empty(), "{findings:#?}");
    let mut problems = Problems::default();
    let tree = JudgeSource::Folder { path: "t".into(), files: files.to_vec() };
    assert!(TreeSystem.build(&tree, None, &mut problems).is_some(), "{:?}", problems.iter().next());
    let labelled = labelled_examples(&tree, &mut problems).expect("examples");
    assert_eq!(labelled.examples.iter().map(|example| example.pass).collect::<Vec<_>>(), [true, false]);
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
    assert_eq!(migration.unplaced, []);
    if std::env::var_os("ASSIZE_WRITE_EXAMPLES").is_some() {
        std::fs::create_dir_all(examples().join("migrate/after")).expect("a folder");
        std::fs::write(examples().join("migrate/after/total_loss_prompt.md"), &migration.text).expect("written");
    }
    assert_eq!(migration.text, read("after/total_loss_prompt.md"));
    assert_eq!(migration.result_key.as_deref(), Some("total_loss_correct"));
}

fn suite() -> Suite {
    let text = std::fs::read_to_string(examples().join("suite.yaml")).expect("the suite");
    let mut problems = Problems::of("suite.yaml");
    parse(&text, &mut problems).and_then(|document| Suite::read(&document, &mut problems)).expect("a good suite")
}

fn exported(cases: &[Case]) -> Export {
    let (suite, mut problems) = (suite(), Problems::default());
    let judge = (Some("openai:gpt-4o-mini"), &suite.parameters);
    export_pydantic_evals("claim notes: export", &tree(), suite.settings.as_ref(), judge, cases, &mut problems)
        .unwrap_or_else(|| panic!("{:?}", problems.iter().next()))
}

/// The example has fourteen benchmarks: each is in the dataset, or is named as left out, or both.
#[test]
fn every_benchmark_is_exported_or_named() {
    let judge = judge();
    let export = exported(&cases(judge.as_ref()));
    let JudgeSource::Folder { files, .. } = tree() else { unreachable!("a folder") };
    for file in files.iter().filter(|file| file.path.contains("/benchmarks/")) {
        let value = parse(&file.text, &mut Problems::default()).expect("YAML").to_value();
        let code = value["code"].as_str().expect("a code");
        let prompt =
            value["llm_prompt_file"].as_str().and_then(|name| files.iter().find(|file| file.path.ends_with(name)));
        let id = prompt.and_then(|file| file.text.lines().find_map(|line| line.strip_prefix("BEHAVIOR: ")));
        let name = value["result_key"].as_str().or(id);
        let written = name.is_some_and(|name| export.text.contains(&format!("evaluation_name: \"{name}\"")))
            || export.text.contains(&format!("\"evaluation_name\":\"{code} "));
        let named = export.left_out.iter().any(|what| what.starts_with(&format!("{code}:")));
        assert!(written || named, "{code} is lost\n{:#?}", export.left_out);
        assert!(written || value["evaluator_type"] != "llm_judge", "{code}");
    }
}

/// Needs Python with `pydantic-evals`: `pip install pydantic-evals`, and `ASSIZE_PYTHON` to name the interpreter.
#[test]
fn the_export_loads_in_pydantic_evals() {
    let Some(python) = python_with("pydantic_evals") else { return };
    let judge = judge();
    let mut cases = cases(judge.as_ref());
    // Everything that YAML finds hard.
    let odd =
        "tabs\there, \"quotes\", 'single', \u{7f} \u{85} \u{2028} \u{feff} 😀 \u{1} # no comment: - x\r\n  end \\n";
    cases[0].inputs.insert("candidate_output".into(), odd.into());
    let export = exported(&cases);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (dataset, expected) = (folder.join("dataset.yaml"), folder.join("expected.json"));
    std::fs::write(&dataset, &export.text).expect("written");
    // A behaviour with a tag filter is written with each case that it admits.
    let paid = cases.iter().filter(|case| case.tags.contains(&"paid".to_owned())).count();
    let facts = serde_json::json!({"cases": cases.len(), "odd": odd, "paid": paid, "evaluators": export.evaluators});
    std::fs::write(&expected, facts.to_string()).expect("written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pydantic_evals_load.py");
    let output =
        std::process::Command::new(&python).arg(script).arg(&dataset).arg(&expected).output().expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    println!("{}", String::from_utf8_lossy(&output.stdout).trim());
}
