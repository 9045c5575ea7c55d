//! A prompt file from a benchmark, by the mapping of its fields: the concept is the description, "Flag if …" the automatic
//! fails, the exclusion criteria the scope and the acceptable variations, the examples the few-shot examples.
//!
//! A concept may describe what a correct output does or what is wrong with a wrong one. "Flag if …" says which; without it a
//! person must, and until then the prompt has both readings as comments.

use super::draft::{Draft, Entry};
use super::sentence::{Role, as_sentence, role_of, sentences};
use super::spec::{Benchmark, Example};
use assize_core::document::{Problems, parse};
use serde_json::{Map, Value, json};

/// What the concept of a benchmark describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// What a correct output does.
    Correct,
    /// What is wrong with a wrong output.
    Fault,
}

/// A prompt made from a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPrompt {
    /// Its path from the tree's root.
    pub path: String,
    /// Its text.
    pub text: String,
    /// What a person has still to say: whether this is what a correct output does, or a fault. `None` where it is known.
    pub undecided: Option<String>,
}

/// Makes a prompt file from a benchmark's YAML.
pub fn new_behaviour(path: &str, yaml: &str, reading: Option<Reading>, problems: &mut Problems) -> Option<NewPrompt> {
    let outer = problems.enter(path);
    let benchmark = parse(yaml, problems).and_then(|document| Benchmark::read(&document, problems));
    if let Some(benchmark) = &benchmark
        && benchmark.concept.is_none()
    {
        let help = "write in a sentence what the benchmark is about; it becomes the description";
        problems.report_with_help(benchmark.span, "the benchmark has no `concept`", help);
    }
    problems.enter(outer);
    let benchmark = benchmark?;
    let concept = benchmark.concept.as_ref()?;
    let path = file_name(&benchmark);
    let draft = draft(&benchmark, &concept.value, &path, reading);
    let (text, _) = draft.write();
    Some(NewPrompt { path, text, undecided: draft.undecided })
}

fn file_name(benchmark: &Benchmark) -> String {
    match &benchmark.prompt_file {
        Some(named) => named.value.clone(),
        None => format!("prompts/{}_prompt.md", snake(benchmark.label.as_deref().unwrap_or(&benchmark.code.value))),
    }
}

pub(super) fn snake(text: &str) -> String {
    let words: String = text.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    words.split_whitespace().collect::<Vec<_>>().join("_")
}

fn draft(benchmark: &Benchmark, concept: &str, file_name: &str, reading: Option<Reading>) -> Draft {
    let stem = file_name.rsplit('/').next().unwrap_or(file_name).trim_end_matches(".md").trim_end_matches("_prompt");
    let (apply, flag) = criteria(benchmark.inclusion_criteria.as_ref().map_or("", |criteria| criteria.value.as_str()));
    let mut draft = Draft {
        id: benchmark.result_key.clone().unwrap_or_else(|| snake(stem)),
        description: vec![as_sentence(concept)],
        fails: flag.iter().map(|fault| Entry::item(as_sentence(fault))).collect(),
        ..Draft::default()
    };
    draft.include.extend(apply.map(|apply| Entry::item(as_sentence(&format!("cases in which {apply}")))));
    let about = as_sentence(&format!("what the ground truth and the candidate output say about: {concept}"));
    draft.include.push(Entry::item(about));
    exclusions(benchmark, &mut draft);
    let condition = condition(concept);
    match reading {
        Some(Reading::Correct) => draft.passes.push(Entry::item(as_sentence(&condition))),
        Some(Reading::Fault) => draft.fails.push(Entry::item(as_sentence(&condition))),
        None if draft.fails.is_empty() => draft.undecided = Some(condition),
        None => {}
    }
    draft.examples = few(&benchmark.examples);
    draft
}

/// What a benchmark rules out: a case it is not for is out of scope, what is always wrong fails, and everything else is a
/// variation.
fn exclusions(benchmark: &Benchmark, draft: &mut Draft) {
    let excluded = benchmark.exclusion_criteria.as_ref().map_or("", |criteria| criteria.value.as_str());
    let lines = excluded.split(['\n', ';']).map(|line| line.trim().trim_start_matches(['-', '*', '•']).trim());
    for sentence in lines.flat_map(sentences) {
        let list = match role_of(&sentence) {
            Some(Role::Ignore) => &mut draft.ignore,
            Some(Role::Fail) => &mut draft.fails,
            _ => &mut draft.variations,
        };
        list.push(Entry::item(as_sentence(&sentence)));
    }
}

/// "Apply when …. Flag if …." in its two parts; several faults after "or if" or a semicolon are several bullets.
fn criteria(text: &str) -> (Option<String>, Vec<String>) {
    let lower = text.to_ascii_lowercase();
    let flag_at = lower.find("flag if");
    let apply = lower.find("apply when").map(|at| {
        let end = flag_at.filter(|flag| *flag > at).unwrap_or(text.len());
        text[at + "apply when".len()..end].trim().to_owned()
    });
    let flag = flag_at.map(|at| text[at + "flag if".len()..].trim()).unwrap_or_default();
    let parts = flag.split(';').flat_map(|part| part.split(", or if ")).flat_map(|part| part.split(" or if "));
    let parts = parts.map(|part| part.trim().trim_start_matches("or ").trim_end_matches('.').trim());
    (apply.filter(|apply| !apply.is_empty()), parts.filter(|part| !part.is_empty()).map(str::to_owned).collect())
}

/// A concept as something that holds or does not: "Whether the note names it" is "the note names it".
fn condition(concept: &str) -> String {
    let concept = concept.trim();
    let lower = concept.to_ascii_lowercase();
    for opening in ["whether ", "check whether ", "checks whether ", "evaluates whether ", "evaluate whether "] {
        if lower.starts_with(opening) {
            return concept[opening.len()..].to_owned();
        }
    }
    concept.to_owned()
}

/// The examples that are words, and of the judged ones the first clear pass and the first clear fail.
fn few(examples: &[Example]) -> Vec<String> {
    let mut seen = [false; 2];
    let chosen = examples.iter().filter(|example| match example {
        Example::Judged { pass, .. } => !std::mem::replace(&mut seen[usize::from(*pass)], true),
        Example::Text(_) => true,
    });
    example_lines(chosen)
}

/// Examples as the lines of a prompt.
pub(super) fn example_lines<'e>(examples: impl IntoIterator<Item = &'e Example>) -> Vec<String> {
    let mut lines = Vec::new();
    for example in examples {
        match example {
            Example::Text(text) => lines.push(format!("- {}", text.split_whitespace().collect::<Vec<_>>().join(" "))),
            Example::Judged { inputs, pass, reason } => {
                let mut answer = Map::new();
                answer.insert("reason".into(), reason.clone().into());
                answer.insert("pass".into(), (*pass).into());
                lines.push(format!("- A clear {}: {}", if *pass { "pass" } else { "fail" }, json!(inputs)));
                lines.push(format!("  - The answer: {}", Value::Object(answer)));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::behaviour::build::read_prompt;
    use crate::systems::behaviour::lint::lint;
    use assize_core::SourceFile;

    const YAML: &str = "\
code: CN-AMT
concept: Whether the note gives the amount that was paid
evaluator_type: llm_judge
llm_prompt_file: prompts/paid_amount_prompt.md
inclusion_criteria: Apply when a payment was made. Flag if the note gives another amount, or if the currency is wrong.
exclusion_criteria: [Thousands separators, Do not use for claims without a payment, A missing currency is always a failure]
examples:
  - The amount is often rounded in the phone notes.
  - {candidate_output: Paid 5., ground_truth: 5, pass: true, reason: Both say 5.}
  - {candidate_output: Paid 5, ground_truth: 5, pass: true, reason: Both say 5 too.}
  - {candidate_output: Paid 6., ground_truth: 5, pass: false, reason: Six is not five.}
";

    fn made(yaml: &str, reading: Option<Reading>) -> NewPrompt {
        let mut problems = Problems::of("suite");
        new_behaviour("benchmarks/a.yaml", yaml, reading, &mut problems).expect("a prompt")
    }

    #[test]
    fn a_benchmark_becomes_a_prompt_that_lints_clean() {
        let NewPrompt { path, text, undecided } = made(YAML, None);
        assert_eq!((path.as_str(), undecided), ("prompts/paid_amount_prompt.md", None));
        insta::assert_snapshot!(text);
        let findings = lint(&[SourceFile { path, text }]);
        assert!(findings.is_empty(), "{findings:#?}");
        let mut problems = Problems::default();
        assert!(new_behaviour("b.yaml", "code: X\nevaluator_type: manual_sme\n", None, &mut problems).is_none());
        assert!(problems.iter().next().unwrap().to_string().contains("no `concept`"));
    }

    const FAULT: &str = "\
code: A-NEG1
concept: Negated symptoms are encoded incorrectly
evaluator_type: llm_judge
llm_prompt_file: prompts/negation_prompt.md
";

    #[test]
    fn a_fault_never_becomes_a_pass_condition() {
        let flagged = format!("{FAULT}inclusion_criteria: Apply when a symptom is negated. Flag if it is encoded as present.\n");
        let text = made(&flagged, None).text;
        assert!(text.contains("are true:\n- It is encoded as present.\n"), "{text}");
        assert!(text.contains("satisfied):\n1. None of the automatic fails above applies.\n"), "{text}");
        let text = made(FAULT, Some(Reading::Fault)).text;
        assert!(text.contains("are true:\n- Negated symptoms are encoded incorrectly.\n"), "{text}");
        assert!(!text.contains("1. Negated"), "{text}");
        let text = made(FAULT, Some(Reading::Correct)).text;
        assert!(text.contains("satisfied):\n1. Negated symptoms are encoded incorrectly.\n"), "{text}");
    }

    #[test]
    fn what_nobody_has_said_waits_for_a_person() {
        let NewPrompt { path, text, undecided } = made(FAULT, None);
        assert_eq!(undecided.as_deref(), Some("Negated symptoms are encoded incorrectly"));
        let file = SourceFile { path, text };
        let findings = lint(std::slice::from_ref(&file));
        let open: Vec<_> = findings.iter().filter(|finding| finding.rule == "unchosen-reading").collect();
        assert_eq!(open.len(), 1, "{findings:#?}");
        let mut problems = Problems::default();
        assert!(read_prompt(&file, &mut problems).is_none(), "it cannot be run either");
        assert!(problems.iter().any(|problem| problem.message.contains("reading")), "{:?}", problems.iter().next());
        // The second reading, taken out of its comment, and the rest deleted.
        let chosen: Vec<String> = file.text.lines().filter(|line| !line.starts_with("<!-- assize: choose")).map(str::to_owned).collect();
        let chosen = chosen.join("\n").replace("<!-- 1. Negated symptoms are encoded incorrectly. -->\n", "");
        let chosen = chosen.replace("<!-- 1. It", "1. It").replace("incorrectly. -->", "incorrectly.") + "\n";
        let file = SourceFile { path: file.path, text: chosen };
        let findings = lint(std::slice::from_ref(&file));
        assert!(findings.iter().all(|finding| finding.rule != "unchosen-reading"), "{findings:#?}\n{}", file.text);
        let mut problems = Problems::default();
        assert!(read_prompt(&file, &mut problems).is_some(), "{:?}", problems.iter().next().map(ToString::to_string));
    }
}
