//! Files as others publish them: they load, and what has no meaning here is kept.

use super::*;
use crate::systems::behaviour::lint::{Finding, lint};
use crate::systems::behaviour::prompt_file::{BehaviourPrompt, LineUse};
use crate::systems::behaviour::spec::{Benchmark, Rubric};
use assize_core::document::Severity;

/// The fragments of the specification that behaviours follow, verbatim.
const SPECIFICATION: &str = include_str!("../../../../tests/data/published/fragments.md");

/// The fenced blocks of the specification, by their language, outermost and dedented as they stand.
fn fragments(language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = SPECIFICATION.lines();
    while let Some(line) = lines.next() {
        let Some(named) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if named == language {
            found.push(body.join("\n") + "\n");
        }
    }
    found
}

fn read_prompt(text: &str) -> BehaviourPrompt {
    let mut problems = Problems::of("x_prompt.md");
    let prompt = BehaviourPrompt::read(text, &mut problems);
    prompt.unwrap_or_else(|| panic!("{:?}\n{text}", problems.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

fn findings_of(files: &[SourceFile]) -> Vec<Finding> {
    lint(files)
}

#[test]
fn the_specification_s_own_fragments_load_verbatim() {
    let canonical = fragments("markdown").into_iter().find(|text| text.starts_with("SYSTEM:")).expect("the structure");
    let prompt = read_prompt(&canonical);
    assert_eq!(prompt.not_sent().count(), 0);
    assert_eq!(prompt.behaviour_id(), Some("{behavior_id}"));
    // The rubric sections, each in the place of the structure's own.
    let mut tried = 0;
    for fragment in fragments("") {
        let kind = ["Automatic fail", "Pass conditions", "Acceptable variations", "Uncertainty policy"]
            .into_iter()
            .find(|heading| fragment.starts_with(heading));
        let Some(heading) = kind else { continue };
        let start = canonical.find(heading).expect("a section");
        let end = canonical[start..].find("\n\n").expect("an end") + start;
        let text = format!("{}{}{}", &canonical[..start], fragment.trim_end(), &canonical[end..]);
        let prompt = read_prompt(&text);
        for line in fragment.lines() {
            let found = prompt.lines.iter().find(|found| found.written == line.trim()).expect("the line");
            assert_eq!(found.usage, LineUse::Sent, "{line}");
        }
        tried += 1;
    }
    assert_eq!(tried, 4, "the four sections of the reference");
    // The benchmark, which names neither a code nor checks.
    let yaml = fragments("yaml").into_iter().find(|text| text.contains("evaluator_type")).expect("a benchmark");
    let files = vec![
        file("tree/benchmarks/a-component/A-NEG1.yaml", yaml),
        file("tree/evaluators/llm-judge/negation_simple_prompt.md", canonical),
    ];
    let source = JudgeSource::Folder { path: "tree".into(), files: files.clone() };
    let judge = build(&TreeSystem, &source, "{}").expect("a judge");
    assert_eq!(question(judge.as_ref(), &case("c", "x", &[])).name, "A-NEG1");
    let suggested = findings_of(&files).into_iter().find(|finding| finding.rule == "hybrid-without-checks");
    assert_eq!(suggested.map(|finding| finding.severity), Some(Severity::Note));
    // The rubric of the Python example.
    let python = fragments("python").into_iter().find(|text| text.contains("MEDS_EXTRACTED_RUBRIC")).expect("a rubric");
    let rubric = python.split("\"\"\"").nth(1).expect("a text");
    assert_eq!(read_prompt(rubric).behaviour_id(), Some("medications_extracted_correct"));
    // The example of an answer.
    let answer: Value = serde_json::from_str(&fragments("json")[0]).expect("JSON");
    let judgment = judged(prompt_judge().as_ref(), &case("c", "x", &[]), answer);
    assert_eq!(judgment.verdict.as_deref(), Some("pass"));
}

const NEGATION: &str = "\
code: A-NEG1
parent_rubric: A-NEG
label: Simple negation
concept: >
  Denials in the narrative are encoded wrongly.
weight: 0.25
threshold: 0.90
metric:
  name: negation_f1
  implementation: todo
scoring_scale:
  min_value: 0.0
  max_value: 1.0
  normalization_formula: \"x\"
  type: continuous
  descriptions:
    1.0: \"All denials are right\"
    0.90: \"Excellent\"
    0.0: \"Failed\"
examples: \"Narrative: 'denies chest pain' but output marks chest_pain: true.\"
evaluator_type: hybrid
evaluator_config:
  deterministic:
    - type: Contains
      config: { value: \"denies\" }
  llm_judge:
    prompt_file: \"prompts/paid_amount_prompt.md\"
    temperature: 0
";

const RUBRIC: &str = "\
code: A-NEG
label: Negation handling
description: How denials are handled.
aggregation_method: WEIGHTED_AVERAGE
passing_threshold: 0.85
evaluation_guidelines:
  reviewers: 2
  steps: [read the note, compare]
benchmarks: [A-NEG1]
";

fn negation() -> Vec<SourceFile> {
    vec![
        file("tree/rubrics/A-NEG.yaml", RUBRIC),
        file("tree/benchmarks/A-NEG1.yaml", NEGATION),
        file("tree/prompts/paid_amount_prompt.md", PROMPT),
    ]
}

#[test]
fn fields_of_other_tools_are_kept_and_named() {
    let source = JudgeSource::Folder { path: "tree".into(), files: negation() };
    let judge = build(&TreeSystem, &source, "{}").expect("a judge");
    // The check decides where it does not hold; else the model is asked, with the score's levels and the example.
    let asked = question(judge.as_ref(), &case("c", "She denies it.", &[])).messages[0].content.clone();
    assert!(asked.contains("0.90: Excellent") && asked.contains("'denies chest pain'"), "{asked}");
    assert!(drive::questions(judge.as_ref(), &case("c", "x", &[]), &Answers::none()).is_empty());
    let unused: Vec<&str> = judge
        .spec()
        .unsent
        .iter()
        .filter(|entry| entry.reason == "kept, but not used")
        .map(|entry| entry.text.as_str())
        .collect();
    let expected =
        ["description", "metric:", "name: negation_f1", "implementation: todo", "type: continuous", "temperature: 0"];
    assert_eq!(unused, expected);
    let judgment = drive::judged(drive::outcome(judge.as_ref(), &case("c", "x", &[]), &Answers::none()));
    let summary = summarise(judge.as_ref(), &[(case("c", "x", &[]), judgment)]);
    assert!(summary.sections["notes"][0].as_str().unwrap().starts_with("kept, but not used: description"));
    let notes: Vec<String> = findings_of(&negation())
        .into_iter()
        .filter(|finding| finding.rule == "unused-field")
        .map(|finding| format!("{:?} {}", finding.severity, finding.message.split('`').nth(1).unwrap_or_default()))
        .collect();
    let expected =
        ["Note metric", "Note scoring_scale.type", "Note evaluator_config.llm_judge.temperature", "Note description"];
    assert_eq!(notes, expected);
}

#[test]
fn a_field_that_looks_like_a_slip_is_still_an_error() {
    for (field, meant) in
        [("wieght: 1", "weight"), ("Threshold: 1", "threshold"), ("evaluator_typ: x", "evaluator_type")]
    {
        let mut problems = Problems::of("b.yaml");
        let document = parse(&format!("{field}\nevaluator_type: manual_sme\n"), &mut problems).expect("YAML");
        assert!(Benchmark::read(&document, &mut problems).is_none(), "{field}");
        let said = problems.iter().next().expect("a problem");
        assert_eq!(said.help.as_deref(), Some(format!("did you mean `{meant}`?").as_str()));
    }
    let mut problems = Problems::of("r.yaml");
    let document = parse("sub_rubric: [A]\n", &mut problems).expect("YAML");
    assert!(Rubric::read(&document, &mut problems).is_none());
}

#[test]
fn a_check_that_cannot_be_read_is_the_only_complaint() {
    let errors = |checks: &str| {
        let mut problems = Problems::of("b.yaml");
        let text = format!("code: A\nevaluator_type: code\nevaluator_config: {{deterministic: {checks}}}\n");
        let document = parse(&text, &mut problems).expect("YAML");
        Benchmark::read(&document, &mut problems);
        problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(errors("[{Containz: x}]"), ["there is no check `Containz`"]);
    assert_eq!(errors("[{type: Containz, config: {value: x}}]"), ["there is no check `Containz`"]);
    assert_eq!(errors("[]"), ["a benchmark of type `code` must list its checks"]);
    assert!(errors("[{type: Contains, config: {value: x}}, {type: EqualsExpected}]").is_empty());
}

#[test]
fn every_line_of_a_benchmark_has_its_use() {
    let more = "# a comment\nexamples:\n  - {candidate_output: a, pass: true, reason: r1}\n  - candidate_output: b\n    pass: false\n    reason: r2\n  - {candidate_output: c, pass: true, reason: r3}\n  - Words.\nexclusion_criteria: >\n  Do not apply when\n  it is void.\nevaluator_config: {llm_judge: {applicable: true}}\nowner: us\n";
    let source = benchmark("A", more);
    let mut problems = Problems::of("A.yaml");
    let read = Benchmark::read(&parse(&source.text, &mut problems).expect("YAML"), &mut problems).expect("a benchmark");
    let prompt = read_prompt(PROMPT);
    let judge = build(
        &BenchmarkSystem,
        &JudgeSource::Folder {
            path: "tree/benchmarks/A.yaml".into(),
            files: vec![source.clone(), file("tree/prompts/paid_amount_prompt.md", PROMPT)],
        },
        "{}",
    )
    .expect("a judge");
    let asked: String = question(judge.as_ref(), &case("c", "x", &[]))
        .messages
        .iter()
        .map(|message| message.content.as_str())
        .collect();
    let lines = benchmark_lines(&source.text, &read, Some(&prompt));
    assert_eq!(lines.len(), source.text.lines().count());
    let of = |text: &str| lines.iter().find(|line| line.written.contains(text)).expect("a line").usage;
    for (text, sent) in
        [("r1", true), ("r2", true), ("r3", false), ("Words.", true), ("it is void.", true), ("owner", false)]
    {
        assert_eq!(of(text) == LineUse::Sent, sent, "{text}");
        assert_eq!(matches!(of(text), LineUse::NotSent(_)), !sent, "{text}");
        assert_eq!(asked.contains(text), sent, "{text}");
    }
    for text in ["code: A", "evaluator_type", "# a comment", "evaluator_config"] {
        assert_eq!(of(text), LineUse::Metadata, "{text}");
    }
    // The criteria are quoted as they are, whatever they start with.
    assert!(asked.contains("What rules a case out: Do not apply when it is void."), "{asked}");
}
