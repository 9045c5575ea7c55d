//! The rules on a whole tree.

use super::Out;
use crate::systems::behaviour::spec::{Aggregation, Benchmark, Criticality, Rubric, TreeFiles};
use assize_core::document::Span;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

pub(super) fn unknown_prompt_file(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    for benchmark in &tree.benchmarks {
        let Some(named) = &benchmark.prompt_file else { continue };
        if tree.prompt_of(benchmark).is_none() {
            let message = format!("there is no prompt file `{}`", named.value);
            let known = tree.prompts.keys().map(String::as_str);
            let help = match assize_core::document::closest(&named.value, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the path starts at the tree's root, the folder that holds `benchmarks/`".to_owned(),
            };
            out.push(&benchmark.file, named.span, message, help);
        }
    }
}

pub(super) fn unused_prompt_file(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    let named = tree.named_prompts();
    for (path, file) in &tree.prompts {
        if path.ends_with("_prompt.md") && !named.contains(path) {
            let message = "no benchmark of the tree names this prompt file";
            out.push(
                &file.path,
                Span::at(1, 1),
                message,
                format!("name it in a benchmark: `llm_prompt_file: \"{path}\"`"),
            );
        }
    }
}

pub(super) fn weights_sum(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    let rubrics: HashMap<&str, &Rubric> =
        tree.rubrics.iter().map(|rubric| (rubric.code.value.as_str(), rubric)).collect();
    let mut parts_of: HashMap<&str, Vec<&Benchmark>> = HashMap::new();
    let by_code: HashMap<&str, &Benchmark> =
        tree.benchmarks.iter().map(|benchmark| (benchmark.code.value.as_str(), benchmark)).collect();
    for benchmark in &tree.benchmarks {
        if let Some(parent) = &benchmark.parent_rubric {
            parts_of.entry(&parent.value).or_default().push(benchmark);
        }
    }
    for rubric in tree.rubrics.iter().filter(|rubric| rubric.aggregation == Aggregation::WeightedAverage) {
        if rubric.benchmarks.iter().flatten().any(|code| !by_code.contains_key(code.value.as_str())) {
            continue;
        }
        let benchmarks: Vec<&Benchmark> = match &rubric.benchmarks {
            Some(listed) => listed.iter().filter_map(|code| by_code.get(code.value.as_str()).copied()).collect(),
            None => parts_of.remove(rubric.code.value.as_str()).unwrap_or_default(),
        };
        let below = rubric.sub_rubrics.iter().filter_map(|below| rubrics.get(below.code().value.as_str()));
        let mut parts: Vec<(&str, Option<f64>, bool)> = benchmarks
            .iter()
            .map(|benchmark| {
                let signal = benchmark.criticality == Criticality::ImprovementSignal;
                (benchmark.code.value.as_str(), benchmark.weight.as_ref().map(|weight| weight.value), signal)
            })
            .collect();
        parts.extend(below.map(|rubric| (rubric.code.value.as_str(), rubric.weight.as_ref().map(|w| w.value), false)));
        check_weights(rubric, &parts, out);
    }
}

fn check_weights(rubric: &Rubric, parts: &[(&str, Option<f64>, bool)], out: &mut Out<'_>) {
    let counted = || parts.iter().filter(|(_, _, signal)| !signal);
    if counted().all(|(_, weight, _)| weight.is_none()) {
        return;
    }
    let without: Vec<&str> = counted().filter(|(_, weight, _)| weight.is_none()).map(|(code, _, _)| *code).collect();
    let code = &rubric.code;
    if !without.is_empty() {
        let message =
            format!("in the rubric `{}` some parts have a weight and {} has none", code.value, without.join(", "));
        out.push(&rubric.file, code.span, message, "give every part a weight, or none");
        return;
    }
    let sum: f64 = counted().filter_map(|(_, weight, _)| *weight).sum();
    let with_signals: f64 = parts.iter().filter_map(|(_, weight, _)| *weight).sum();
    if (sum - 1.0).abs() > 0.001 && (with_signals - 1.0).abs() > 0.001 {
        let list: Vec<String> =
            counted().map(|(code, weight, _)| format!("{code} {}", weight.unwrap_or(0.0))).collect();
        let sum = (sum * 1000.0).round() / 1000.0;
        let message = format!("the weights in the rubric `{}` sum to {sum}, not 1: {}", code.value, list.join(", "));
        out.push(&rubric.file, code.span, message, "make them sum to 1, or leave all of them out");
    }
}

pub(super) fn inclusion_criteria(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    static FORM: LazyLock<Regex> = LazyLock::new(|| {
        #[expect(clippy::unwrap_used, reason = "a constant pattern")]
        Regex::new(r"(?is)^\s*apply when\b.+?[.!;]\s+flag if\b.+").unwrap()
    });
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
        #[expect(clippy::unwrap_used, reason = "a constant pattern")]
        Regex::new(r"(?m)(^|[\s:;])(\d{1,2}[.)]|\(\d{1,2}\))\s+\S").unwrap()
    });
    for benchmark in &tree.benchmarks {
        let Some(criteria) = &benchmark.inclusion_criteria else { continue };
        let message = if NUMBERED.is_match(&criteria.value) {
            "`inclusion_criteria` has a numbered list"
        } else if !FORM.is_match(&criteria.value) {
            "`inclusion_criteria` is not of the form \"Apply when …. Flag if ….\""
        } else {
            continue;
        };
        let help = "write `Apply when <the case calls for it>. Flag if <what is wrong>.`; lists belong into the prompt";
        out.push(&benchmark.file, criteria.span, message, help);
    }
}

pub(super) fn duplicate_code(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    for (file, code, first) in tree.duplicates() {
        let message = format!("the code `{}` is taken: it stands in {first} too", code.value);
        out.push(&file, code.span, message, "give it a code of its own");
    }
}
