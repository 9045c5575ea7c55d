//! Every judge system through the same checks, on the cases of its example.

use assize_core::document::Problems;
use assize_core::{Case, Judge, JudgeSource, SourceFile};
use assize_judges::systems::criteria;
use assize_judges::{SYSTEMS, system_for};
use assize_testkit::conformance::check_system;

/// For each system, what `judge.use` names and cases to try it on.
fn specimens() -> Vec<(&'static str, JudgeSource, &'static str)> {
    let built_in = |name: &str| JudgeSource::BuiltIn(name.to_owned());
    vec![
        (
            "transcript-quality",
            built_in("transcript-quality"),
            include_str!("../../../examples/transcript-quality/cases.jsonl"),
        ),
        ("reasoning-trace", built_in("reasoning-trace"), include_str!("../../../examples/reasoning-trace/cases.jsonl")),
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
    lines.lines().map(read).collect()
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
