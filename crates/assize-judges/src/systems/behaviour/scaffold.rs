//! A prompt file from a benchmark, by the mapping of its fields: the concept is the description, "Flag if …" the automatic
//! fail, the exclusion criteria the acceptable variations, the examples one clear pass and one clear fail.

use super::migrate::{INPUTS, SYSTEM, UNCERTAINTY};
use super::spec::{Benchmark, Example};
use assize_core::document::{Problems, parse};
use serde_json::{Map, Value, json};

/// Makes a prompt file from a benchmark's YAML. Gives the file's name from the tree's root and its text.
pub fn new_behaviour(path: &str, yaml: &str, problems: &mut Problems) -> Option<(String, String)> {
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
    let name = file_name(&benchmark);
    Some((name.clone(), text(&benchmark, &concept.value, &name)))
}

fn file_name(benchmark: &Benchmark) -> String {
    match &benchmark.prompt_file {
        Some(named) => named.value.clone(),
        None => format!("prompts/{}_prompt.md", snake(benchmark.label.as_deref().unwrap_or(&benchmark.code.value))),
    }
}

fn snake(text: &str) -> String {
    let words: String = text.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    words.split_whitespace().collect::<Vec<_>>().join("_")
}

fn text(benchmark: &Benchmark, concept: &str, file_name: &str) -> String {
    let stem = file_name.rsplit('/').next().unwrap_or(file_name).trim_end_matches(".md").trim_end_matches("_prompt");
    let id = benchmark.result_key.clone().unwrap_or_else(|| snake(stem));
    let (apply, flag) = criteria(benchmark.inclusion_criteria.as_ref().map_or("", |criteria| criteria.value.as_str()));
    let mut out = format!("SYSTEM: {SYSTEM}\n\n---\n\nBEHAVIOR: {id}\n\nDESCRIPTION:\n{}\n", sentence(concept));
    out.push_str("\nEVALUATION SCOPE:\nInclude:\n");
    if let Some(apply) = &apply {
        out.push_str(&format!("- Cases in which {}\n", sentence_part(apply)));
    }
    out.push_str(&format!("- What the ground truth and the candidate output say about: {}\n", plain(concept)));
    out.push_str(
        "Ignore:\n- Formatting-only differences.\n\nRUBRIC\n\nAutomatic fail if any of the following are true:\n",
    );
    if flag.is_empty() {
        out.push_str("- The candidate output contradicts the ground truth on what is evaluated.\n");
    }
    for fail in &flag {
        out.push_str(&format!("- {}\n", sentence(fail)));
    }
    out.push_str("\nPass conditions (all must be satisfied):\n");
    out.push_str(&format!("1. {}\n2. Nothing listed under automatic fail applies.\n", sentence(&condition(concept))));
    out.push_str("\nAcceptable variations (still treated as pass):\n");
    let excluded = benchmark.exclusion_criteria.as_ref().map_or("", |criteria| criteria.value.as_str());
    let mut any = false;
    for line in excluded.split(['\n', ';']).map(|line| line.trim().trim_start_matches(['-', '*', '•']).trim()) {
        if !line.is_empty() {
            out.push_str(&format!("- {}\n", sentence(line)));
            any = true;
        }
    }
    if !any {
        out.push_str("- Differences in wording, order or formatting that keep the meaning.\n");
    }
    out.push_str(&format!("\nUncertainty policy:\n{UNCERTAINTY}\n"));
    out.push_str(&examples(&benchmark.examples));
    out.push('\n');
    out.push_str(INPUTS);
    out
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

/// A concept as something that holds: "Whether the note names it" is the condition "The note names it".
fn condition(concept: &str) -> String {
    let concept = concept.trim();
    let lower = concept.to_ascii_lowercase();
    for opening in ["whether ", "check whether ", "checks whether ", "evaluates whether ", "evaluate whether "] {
        if lower.starts_with(opening) {
            return concept[opening.len()..].to_owned();
        }
    }
    format!("The candidate output satisfies this: {concept}")
}

fn plain(text: &str) -> String {
    format!("{}.", text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.'))
}

fn sentence_part(text: &str) -> String {
    plain(text)
}

fn sentence(text: &str) -> String {
    let text = plain(text);
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// The first clear pass and the first clear fail, each on lines of its own.
fn examples(examples: &[Example]) -> String {
    let judged = |wanted: bool| {
        examples.iter().find_map(|example| match example {
            Example::Judged { inputs, pass, reason } if *pass == wanted => Some((inputs, *pass, reason)),
            _ => None,
        })
    };
    let chosen: Vec<_> = [judged(true), judged(false)].into_iter().flatten().collect();
    if chosen.is_empty() {
        return String::new();
    }
    let mut out = "\nEXAMPLES:\n".to_owned();
    for (inputs, pass, reason) in chosen {
        let mut answer = Map::new();
        answer.insert("reason".into(), reason.clone().into());
        answer.insert("pass".into(), pass.into());
        let inputs: Map<String, Value> = inputs.clone();
        out.push_str(&format!("- A clear {}: {}\n", if pass { "pass" } else { "fail" }, json!(inputs)));
        out.push_str(&format!("  - The answer: {}\n", Value::Object(answer)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::behaviour::lint::lint;
    use assize_core::SourceFile;

    #[test]
    fn a_benchmark_becomes_a_prompt_that_lints_clean() {
        let yaml = "\
code: CN-AMT
concept: Whether the note gives the amount that was paid
evaluator_type: llm_judge
llm_prompt_file: prompts/paid_amount_prompt.md
inclusion_criteria: Apply when a payment was made. Flag if the note gives another amount, or if the currency is wrong.
exclusion_criteria: [Thousands separators, rounding to full units]
examples:
  - {candidate_output: Paid 5., ground_truth: 5, pass: true, reason: Both say 5.}
  - {candidate_output: Paid 5, ground_truth: 5, pass: true, reason: Both say 5 too.}
  - {candidate_output: Paid 6., ground_truth: 5, pass: false, reason: Six is not five.}
";
        let mut problems = Problems::of("suite");
        let (name, text) = new_behaviour("benchmarks/a.yaml", yaml, &mut problems).expect("a prompt");
        assert_eq!(name, "prompts/paid_amount_prompt.md");
        for part in [
            "BEHAVIOR: paid_amount\n",
            "DESCRIPTION:\nWhether the note gives the amount that was paid.\n",
            "- Cases in which a payment was made.\n",
            "- The note gives another amount.\n- The currency is wrong.\n",
            "1. The note gives the amount that was paid.\n",
            "- Thousands separators.\n- Rounding to full units.\n",
            "- A clear pass: {\"ground_truth\":5,\"candidate_output\":\"Paid 5.\"}\n",
            "- The answer: {\"reason\":\"Six is not five.\",\"pass\":false}\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(text.matches("A clear pass").count(), 1);
        let findings = lint(&[SourceFile { path: name, text }]);
        assert!(findings.is_empty(), "{findings:#?}");
        assert!(new_behaviour("b.yaml", "code: X\nevaluator_type: manual_sme\n", &mut problems).is_none());
        assert!(problems.iter().next().unwrap().to_string().contains("no `concept`"));
    }
}
