//! Every judge system through the same checks, on the cases of its example.

use assize_core::document::{Problems, parse};
use assize_core::{Case, Judge, JudgeSource, SourceFile, settings};
use assize_judges::systems::criteria;
use assize_judges::{SYSTEMS, system_for};
use assize_testkit::conformance::check_system;
use serde_json::{Value, json};

/// For each system, what `judge.use` names and cases to try it on.
fn specimens() -> Vec<(&'static str, JudgeSource, &'static str)> {
    let built_in = |name: &str| JudgeSource::BuiltIn(name.to_owned());
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let prompt = file(
        "tree/prompts/parties_prompt.md",
        include_str!("../../../examples/behaviours/tree/prompts/parties_prompt.md"),
    );
    let benchmark = file(
        "tree/benchmarks/P-1.yaml",
        "code: P-1\nparent_rubric: P\nlabel: parties\nweight: 1\nthreshold: 0.9\nevaluator_type: llm_judge\nllm_prompt_file: prompts/parties_prompt.md\n",
    );
    let rubric = file("tree/rubrics/P.yaml", "code: P\nlabel: parties\nweight: 1\nbenchmarks: [P-1]\n");
    let claims = include_str!("../../../examples/behaviours/cases.jsonl");
    vec![
        (
            "transcript-quality",
            built_in("transcript-quality"),
            include_str!("../../../examples/transcript-quality/cases.jsonl"),
        ),
        ("reasoning-trace", built_in("reasoning-trace"), include_str!("../../../examples/reasoning-trace/cases.jsonl")),
        ("fact-extraction", built_in("fact-extraction"), include_str!("../../../examples/fact-extraction/cases.jsonl")),
        (
            "call-intelligence",
            built_in("call-intelligence"),
            include_str!("../../../examples/call-intelligence/cases.jsonl"),
        ),
        ("behaviour-prompt", JudgeSource::File(prompt.clone()), claims),
        (
            "benchmark",
            JudgeSource::Folder { path: benchmark.path.clone(), files: vec![benchmark.clone(), prompt.clone()] },
            claims,
        ),
        ("rubric-tree", JudgeSource::Folder { path: "tree".into(), files: vec![benchmark, prompt, rubric] }, claims),
        (
            "criteria",
            JudgeSource::File(SourceFile { path: "support-reply.yaml".into(), text: criteria::EXAMPLE.into() }),
            "{\"id\": \"1\", \"message\": \"where is it?\", \"reply\": \"on its way\"}\n",
        ),
    ]
}

fn cases(judge: &dyn Judge, lines: &str) -> Vec<Case> {
    let read =
        |line: &str| Case::read(serde_json::from_str(line).expect("JSON"), judge.inputs()).expect("a valid case");
    // A dozen shows as much as all of them, in a fraction of the time.
    lines.lines().take(12).map(read).collect()
}

#[test]
fn every_system_conforms() {
    let specimens = specimens();
    for system in SYSTEMS {
        let (_, source, lines) = specimens
            .iter()
            .find(|(name, _, _)| *name == system.name())
            .unwrap_or_else(|| panic!("no specimen of {}", system.name()));
        assert_eq!(system_for(source).map(|found| found.name()), Some(system.name()));
        let mut problems = Problems::of("suite.yaml");
        let judge = system.build(source, None, &mut problems);
        let judge = judge.unwrap_or_else(|| panic!("{:?}", problems.iter().collect::<Vec<_>>()));
        check_system(&*judge, &cases(&*judge, lines));
    }
}

#[test]
fn every_system_says_what_it_is() {
    for system in SYSTEMS {
        assert!(!system.summary().is_empty() && system.guide().starts_with("# "), "{}", system.name());
    }
}

#[test]
fn every_system_takes_the_settings_it_declares_and_no_other() {
    let specimens = specimens();
    for system in SYSTEMS {
        let (name, source, _) =
            specimens.iter().find(|(name, _, _)| *name == system.name()).expect("a specimen of every system");
        let schema = system.settings_schema();
        let validator = jsonschema::validator_for(&schema).expect("a valid schema");
        let built = |settings: Option<&Value>| {
            let mut problems = Problems::of("settings");
            let node = settings.and_then(|settings| parse(&settings.to_string(), &mut problems));
            let judge = system.build(source, node.as_ref(), &mut problems);
            let kept = node.map(|node| system.read_profile(&node, &mut Problems::default()).is_some());
            (judge.filter(|_| problems.is_empty()), kept)
        };
        let defaults = settings::defaults(&schema);
        assert!(validator.is_valid(&defaults), "{name}: {defaults}");
        let (plain, _) = built(None);
        let (declared, kept) = built(Some(&defaults));
        let (plain, declared) = (plain.expect(name), declared.unwrap_or_else(|| panic!("{name}: {defaults}")));
        assert_eq!(plain.fingerprint(), declared.fingerprint(), "{name}: the defaults are other than those declared");
        // A profile of the fact judge is a judge_config, which names no profile to start from.
        assert_eq!(kept, Some(*name != "fact-extraction"), "{name}");
        for (key, schema) in schema["properties"].as_object().expect("properties") {
            assert!(schema["description"].as_str().is_some_and(|about| !about.is_empty()), "{name}: {key}");
            // What no setting is.
            let wrong = json!({key: [[null]]});
            assert!(!validator.is_valid(&wrong), "{name}: {key}");
            let (built, kept) = built(Some(&wrong));
            assert!(built.is_none() && kept == Some(false), "{name}: {key} can be anything");
        }
        let unknown = json!({"no_such_setting": 1});
        assert!(!validator.is_valid(&unknown), "{name}");
        let (built, kept) = built(Some(&unknown));
        assert!(built.is_none() && kept == Some(false), "{name} takes what it does not know");
        for (profile, settings) in system.profiles() {
            let mut problems = Problems::of(profile);
            let node = parse(&settings.to_string(), &mut problems).expect("JSON");
            assert_eq!(system.read_profile(&node, &mut problems).as_ref(), Some(&settings), "{name}: {profile}");
        }
    }
}
