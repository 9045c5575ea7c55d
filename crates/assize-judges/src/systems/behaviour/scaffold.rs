//! A prompt file from a benchmark, by the mapping of its fields: the concept is the description, "Flag if …" the automatic
//! fails, the exclusion criteria the scope and the acceptable variations, the examples the few-shot examples.
//!
//! A concept may describe what a correct output does or what is wrong with a wrong one. "Flag if …" says which; without it a
//! person must, and until then the prompt has both readings as comments.

use super::draft::{Draft, Entry};
use super::sentence::{Role, as_sentence, names_a_failure, role_of, sentences};
use super::spec::{Benchmark, Example};
use assize_core::document::{Problems, parse};
use regex::Regex;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

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
    let mut draft = Draft {
        id: benchmark.result_key.clone().unwrap_or_else(|| snake(stem)),
        description: vec![as_sentence(concept)],
        ..Draft::default()
    };
    inclusions(benchmark, &mut draft);
    let about = as_sentence(&format!("what the ground truth and the candidate output say about: {concept}"));
    draft.include.push(Entry::item(about));
    // What is flagged, or must hold, says which way round the concept counts.
    let known = !draft.fails.is_empty() || !draft.passes.is_empty();
    exclusions(benchmark, &mut draft);
    let condition = condition(concept);
    match reading {
        Some(Reading::Correct) => draft.passes.insert(0, Entry::item(as_sentence(&condition))),
        Some(Reading::Fault) => {
            draft.description = vec![as_sentence(&format!("whether the output is without this fault: {concept}"))];
            draft.fails.insert(0, Entry::item(as_sentence(&condition)));
        }
        None if !known => draft.undecided = Some(condition),
        None => {}
    }
    draft.examples = few(&benchmark.examples);
    draft
}

/// What a benchmark says of the cases it is for: "Apply when …" is the scope and "Flag if …" the faults, of which several stand
/// after "or if" or a semicolon. A sentence of another form goes where its words say.
fn inclusions(benchmark: &Benchmark, draft: &mut Draft) {
    let text = benchmark.inclusion_criteria.as_ref().map_or("", |criteria| criteria.value.as_str());
    // "flag if" begins a sentence also where its author wrote no capital.
    let parts = FLAG.find_iter(text).map(|found| found.start()).chain([text.len()]);
    let mut start = 0;
    for end in parts {
        for sentence in text[start..end].lines().flat_map(sentences) {
            let flagged = FLAG.find(&sentence).filter(|found| found.start() == 0);
            if let Some(found) = flagged {
                let faults = sentence[found.end()..].split(';').flat_map(|part| part.split(", or if "));
                let faults = faults
                    .flat_map(|part| part.split(" or if "))
                    .map(|part| part.trim().trim_start_matches("or if ").trim_start_matches("or "));
                draft.fails.extend(
                    faults
                        .map(|fault| fault.trim_end_matches('.').trim())
                        .filter(|fault| !fault.is_empty())
                        .map(|fault| Entry::item(as_sentence(fault))),
                );
            } else if let Some(apply) =
                sentence.get(..11).filter(|head| head.eq_ignore_ascii_case("apply when ")).map(|_| &sentence[11..])
            {
                draft.include.push(Entry::item(as_sentence(&format!("cases in which {apply}"))));
            } else {
                list_of(draft, role_of(&sentence), Role::Include).push(Entry::item(as_sentence(&sentence)));
            }
        }
        start = end;
    }
}

static FLAG: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::unwrap_used, reason = "a constant pattern")]
    Regex::new(r"(?i)\bflag\s+(if|when|where)\s+").unwrap()
});

/// What a benchmark rules out: a case it is not for is out of scope, what is always wrong fails, and everything else is a
/// variation.
fn exclusions(benchmark: &Benchmark, draft: &mut Draft) {
    let excluded = benchmark.exclusion_criteria.as_ref().map_or("", |criteria| criteria.value.as_str());
    let lines = excluded.split(['\n', ';']).map(|line| line.trim().trim_start_matches(['-', '*', '•']).trim());
    for sentence in lines.flat_map(sentences) {
        // One that speaks of failing without saying plainly what fails must not excuse it.
        let otherwise = if names_a_failure(&sentence) { Role::Include } else { Role::Variation };
        list_of(draft, role_of(&sentence), otherwise).push(Entry::item(as_sentence(&sentence)));
    }
}

/// The list that a role is written into; `otherwise` for a sentence without one.
fn list_of(draft: &mut Draft, role: Option<Role>, otherwise: Role) -> &mut Vec<Entry> {
    match role.unwrap_or(otherwise) {
        Role::Ignore => &mut draft.ignore,
        Role::Fail => &mut draft.fails,
        Role::Pass => &mut draft.passes,
        Role::Include => &mut draft.include,
        Role::Variation => &mut draft.variations,
        _ if otherwise == Role::Variation => &mut draft.variations,
        _ => &mut draft.include,
    }
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
        let flagged =
            format!("{FAULT}inclusion_criteria: Apply when a symptom is negated. Flag if it is encoded as present.\n");
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
    fn no_sentence_of_the_criteria_is_lost_or_turned_round() {
        let yaml = format!(
            "{FAULT}inclusion_criteria: Symptoms of the family count too. Apply when a symptom is negated. flag if it is encoded as present; or if it is left out. The note must name the symptom.\nexclusion_criteria: [Not for pediatric notes, Typos are fine, A guess is never acceptable, Typos are ok but a wrong drug always fails]\n"
        );
        let text = made(&yaml, None).text;
        for part in [
            "Include:\n- Symptoms of the family count too.\n- Cases in which a symptom is negated.\n",
            "Ignore:\n- Not for pediatric notes.\n",
            "are true:\n- It is encoded as present.\n- It is left out.\n- A guess is never acceptable.\n",
            "satisfied):\n1. The note must name the symptom.\n",
            "- Typos are fine.\n",
            "- Typos are ok but a wrong drug always fails.\nIgnore:",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        // A fault among the exclusions does not say which way round the concept counts.
        let fault = format!("{FAULT}exclusion_criteria: A guess is never acceptable.\n");
        assert!(made(&fault, None).undecided.is_some());
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
        let chosen: Vec<String> =
            file.text.lines().filter(|line| !line.starts_with("<!-- assize: choose")).map(str::to_owned).collect();
        let chosen = chosen.join("\n").replace("<!-- 1. Negated symptoms are encoded incorrectly. -->\n", "");
        let chosen = chosen.replace("<!-- 1. It", "1. It").replace("incorrectly. -->", "incorrectly.") + "\n";
        let file = SourceFile { path: file.path, text: chosen };
        let findings = lint(std::slice::from_ref(&file));
        assert!(findings.iter().all(|finding| finding.rule != "unchosen-reading"), "{findings:#?}\n{}", file.text);
        let mut problems = Problems::default();
        assert!(read_prompt(&file, &mut problems).is_some(), "{:?}", problems.iter().next().map(ToString::to_string));
    }
}
