//! Every judge system through the same checks, on the cases of its example.

use assize_core::document::{Problems, parse};
use assize_core::{Case, Fingerprint, Judge, JudgeSource, JudgeSystem, SourceFile, flag, settings};
use assize_judges::examples::{self, Example};
use assize_judges::systems::criteria;
use assize_judges::{SYSTEMS, build, system_for};
use assize_testkit::conformance::check_system;
use serde_json::{Value, json};

/// What `judge.use` names for a system, and cases to try it on.
struct Specimen {
    source: JudgeSource,
    lines: &'static str,
}

fn example(system: &dyn JudgeSystem) -> &'static Example {
    let name = system.card().example;
    let found = examples::all().into_iter().find(|example| example.system == name);
    found.unwrap_or_else(|| panic!("{} names the example {name}, which is not there", system.name()))
}

fn example_file(example: &Example, path: &str) -> &'static str {
    let found = example.files.iter().find(|(name, _)| *name == path);
    found.map(|(_, text)| *text).unwrap_or_else(|| panic!("the example {} has no {path}", example.system))
}

/// A built-in system is tried by its name, on the cases of its example. Only systems that are made of files need more.
fn specimen(system: &dyn JudgeSystem) -> Specimen {
    let example = example(system);
    let lines = example_file(example, "cases.jsonl");
    let built_in = JudgeSource::BuiltIn(system.name().to_owned());
    if system.takes(&built_in) {
        return Specimen { source: built_in, lines };
    }
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let prompt = || file("tree/prompts/parties_prompt.md", example_file(example, "tree/prompts/parties_prompt.md"));
    let benchmark = file(
        "tree/benchmarks/P-1.yaml",
        "code: P-1\nparent_rubric: P\nlabel: parties\nweight: 1\nthreshold: 0.9\nevaluator_type: llm_judge\nllm_prompt_file: prompts/parties_prompt.md\n",
    );
    let rubric = file("tree/rubrics/P.yaml", "code: P\nlabel: parties\nweight: 1\nbenchmarks: [P-1]\n");
    let sources = [
        (JudgeSource::File(file("support-reply.yaml", criteria::EXAMPLE)), SUPPORT_CASES),
        (JudgeSource::File(file("x.txt", "")), lines),
    ];
    let found = sources.into_iter().find(|(source, _)| system.takes(source));
    let (source, lines) = found.unwrap_or_else(|| {
        let folder = |path: &str, files: Vec<SourceFile>| JudgeSource::Folder { path: path.to_owned(), files };
        let of_prompt = [
            JudgeSource::File(prompt()),
            folder(&benchmark.path, vec![benchmark.clone(), prompt()]),
            folder("tree", vec![benchmark.clone(), prompt(), rubric]),
        ];
        let taken = of_prompt.into_iter().find(|source| system.takes(source));
        (taken.unwrap_or_else(|| panic!("no specimen of {}", system.name())), lines)
    });
    Specimen { source, lines }
}

const SUPPORT_CASES: &str = "{\"id\": \"1\", \"message\": \"where is it?\", \"reply\": \"on its way\"}\n";

fn cases(judge: &dyn Judge, lines: &str) -> Vec<Case> {
    let read =
        |line: &str| Case::read(serde_json::from_str(line).expect("JSON"), &judge.spec().inputs).expect("a valid case");
    // A dozen shows as much as all of them, in a fraction of the time.
    let rows: Vec<Case> = lines.lines().take(12).map(read).collect();
    match judge.assembly() {
        Some(assembly) => assembly.assemble(rows).expect("rows that make cases"),
        None => rows,
    }
}

fn built(system: &dyn JudgeSystem, source: &JudgeSource, settings: &Value) -> Result<Box<dyn Judge>, Vec<String>> {
    let mut problems = Problems::of("settings");
    let node = parse(&settings.to_string(), &mut problems);
    let judge = build(system, source, node.as_ref(), &mut problems);
    judge.ok_or_else(|| problems.iter().map(ToString::to_string).collect())
}

fn fingerprint(system: &dyn JudgeSystem, source: &JudgeSource, settings: &Value) -> Fingerprint {
    let judge =
        built(system, source, settings).unwrap_or_else(|wrong| panic!("{}: {settings}: {wrong:?}", system.name()));
    judge.spec().fingerprint.clone()
}

#[test]
fn every_system_conforms() {
    for system in SYSTEMS {
        let Specimen { source, lines } = specimen(*system);
        assert_eq!(system_for(&source).map(|found| found.name()), Some(system.name()));
        let judge = built(*system, &source, &json!({})).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", system.name()));
        let declared = system.card().flags.iter().chain(flag::COMMON).map(|flag| flag.name);
        let declared: Vec<&str> = declared.collect();
        // What a judge says of a figure beside the computed one is flagged as FIGURE_differs, whatever the figure.
        // A criteria file may name flags of its own.
        let in_file = |flag: &str| matches!(&source, JudgeSource::File(file) if file.text.contains(flag));
        let is_declared = |flag: &str| declared.contains(&flag) || flag.ends_with("_differs") || in_file(flag);
        check_system(&*judge, &is_declared, &cases(&*judge, lines));
    }
}

#[test]
fn every_system_says_what_it_is() {
    for system in SYSTEMS {
        let card = system.card();
        assert!(!card.summary.is_empty() && card.guide.starts_with("# "), "{}", card.name);
        assert!(card.summary.starts_with(char::is_lowercase), "{}: {}", card.name, card.summary);
    }
}

/// Another value than the default that a setting can have.
fn other_value(schema: &Value) -> Value {
    let default = &schema["default"];
    if let Some(choices) = schema["enum"].as_array() {
        return choices.iter().find(|choice| *choice != default).expect("a second choice").clone();
    }
    match schema["type"].as_str() {
        Some("boolean") => json!(!default.as_bool().unwrap_or(false)),
        Some("number" | "integer") => {
            let low = schema["minimum"].as_f64().unwrap_or(0.0);
            if default.as_f64() == Some(low) { json!(low + 0.5) } else { json!(low) }
        }
        Some("string") => json!("something else"),
        Some("array") => json!(["something else"]),
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten().next();
            match properties {
                Some((name, inner)) => json!({ name: other_value(inner) }),
                None => json!({"something else": other_value(&schema["additionalProperties"])}),
            }
        }
        _ => json!(["something else"]),
    }
}

/// Settings whose values are names of other things: a made-up name is an error, which is as good as another fingerprint.
fn changes_or_is_refused(system: &dyn JudgeSystem, source: &JudgeSource, key: &str, schema: &Value) {
    let changed = json!({key: other_value(schema)});
    let plain = fingerprint(system, source, &json!({}));
    if let Ok(judge) = built(system, source, &changed) {
        assert_ne!(judge.spec().fingerprint, plain, "{}: {changed} leaves the fingerprint as it is", system.name());
    }
}

#[test]
fn the_fingerprint_follows_the_settings_and_the_files_and_nothing_else() {
    for system in SYSTEMS {
        let Specimen { source, .. } = specimen(*system);
        let plain = fingerprint(*system, &source, &json!({}));
        assert_eq!(plain, fingerprint(*system, &source, &json!({})), "{}: the same judge twice", system.name());
        for (key, schema) in system.settings_schema()["properties"].as_object().expect("properties") {
            changes_or_is_refused(*system, &source, key, schema);
        }
        // Other words in the files the judge is made of.
        let edited = |file: &SourceFile| SourceFile {
            text: file.text.replace(" the ", " every ").replace("0.9", "0.8"),
            ..file.clone()
        };
        let changed = match &source {
            JudgeSource::BuiltIn(_) => continue,
            JudgeSource::File(file) => JudgeSource::File(edited(file)),
            JudgeSource::Folder { path, files } => {
                JudgeSource::Folder { path: path.clone(), files: files.iter().map(edited).collect() }
            }
        };
        assert_ne!(plain, fingerprint(*system, &changed, &json!({})), "{}: another word in its files", system.name());
    }
}

#[test]
fn every_system_takes_the_settings_it_declares_and_no_other() {
    for system in SYSTEMS {
        let name = system.name();
        let Specimen { source, .. } = specimen(*system);
        let schema = system.settings_schema();
        let validator = jsonschema::validator_for(&schema).expect("a valid schema");
        let kept = |settings: &Value| {
            let node = parse(&settings.to_string(), &mut Problems::default()).expect("JSON");
            system.read_profile(&node, &mut Problems::default()).is_some()
        };
        let defaults = settings::defaults(&schema);
        assert!(validator.is_valid(&defaults), "{name}: {defaults}");
        let (plain, declared) = (fingerprint(*system, &source, &json!({})), fingerprint(*system, &source, &defaults));
        assert_eq!(plain, declared, "{name}: the defaults are other than those declared");
        for (key, schema) in schema["properties"].as_object().expect("properties") {
            assert!(schema["description"].as_str().is_some_and(|about| !about.is_empty()), "{name}: {key}");
            // What no setting is.
            let wrong = json!({key: [[null]]});
            assert!(!validator.is_valid(&wrong), "{name}: {key}");
            assert!(built(*system, &source, &wrong).is_err() && !kept(&wrong), "{name}: {key} can be anything");
        }
        let unknown = json!({"no_such_setting": 1});
        assert!(!validator.is_valid(&unknown), "{name}");
        assert!(built(*system, &source, &unknown).is_err() && !kept(&unknown), "{name} takes what it does not know");
        for (profile, settings) in system.profiles() {
            let mut problems = Problems::of(profile);
            let node = parse(&settings.to_string(), &mut problems).expect("JSON");
            assert_eq!(system.read_profile(&node, &mut problems).as_ref(), Some(&settings), "{name}: {profile}");
        }
    }
}

#[test]
fn wrong_settings_are_said_once_and_with_their_place() {
    for system in SYSTEMS {
        let Specimen { source, .. } = specimen(*system);
        let wrong = built(*system, &source, &json!({"no_such_setting": 1})).map(|_| ()).expect_err("unknown");
        assert_eq!(wrong.len(), 1, "{}: {wrong:?}", system.name());
        assert!(wrong[0].contains("no_such_setting") && wrong[0].starts_with("settings:1:"), "{wrong:?}");
    }
}
