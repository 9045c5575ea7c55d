//! The trees of a run: scores, gates, and the cases that failed them.

use crate::screen::{self, Style, styled};
use assize_core::number::figure;
use assize_core::tree::{self, BenchmarkScore, RubricScore};
use assize_core::{Bounds, Unit};
use assize_engine::records::RunDocument;

/// As many failing cases as are named for a benchmark.
const CASES: usize = 5;

/// The trees, one for each model; nothing where the judge has none.
pub(super) fn drawn(document: &RunDocument) -> Option<String> {
    let mut lines = Vec::new();
    for rubric in tree::of_sections(&document.sections) {
        if !rubric.model.is_empty() {
            lines.push(styled(Style::Bold, screen::harmless(&rubric.model)));
        }
        draw_rubric(&rubric, "", "", &mut lines);
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn draw_rubric(rubric: &RubricScore, lead: &str, below: &str, lines: &mut Vec<String>) {
    let passed = verdict(rubric.passed, "passed", "not passed");
    let threshold = rubric.threshold.map(|limit| format!(", needs {limit:.2}")).unwrap_or_default();
    let failed = if rubric.failed_hard_gates.is_empty() {
        String::new()
    } else {
        let gates = screen::harmless(&rubric.failed_hard_gates.join(", "));
        styled(Style::Bad, format!("  hard gates failed: {gates}"))
    };
    let waiting = if rubric.passed.is_none() && !rubric.waiting.is_empty() {
        let parts = screen::harmless(&rubric.waiting.join(", "));
        styled(Style::Middling, format!("  waiting for {parts}"))
    } else {
        String::new()
    };
    let (code, score) = (screen::harmless(&rubric.code), shown(rubric.score, rubric.bounds));
    lines.push(format!("{lead}{code} {score} {passed}{threshold}{failed}{waiting}"));
    let last = (rubric.sub_rubrics.len() + rubric.benchmarks.len()).saturating_sub(1);
    let branch = |at: usize| if at == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
    for (at, child) in rubric.sub_rubrics.iter().enumerate() {
        let (branch, under) = branch(at);
        draw_rubric(child, &format!("{below}{branch}"), &format!("{below}{under}"), lines);
    }
    for (at, child) in (rubric.sub_rubrics.len()..).zip(&rubric.benchmarks) {
        lines.push(format!("{below}{}{}", branch(at).0, benchmark(child)));
    }
}

fn benchmark(benchmark: &BenchmarkScore) -> String {
    let passed = verdict(benchmark.passed, "passed", "failed");
    let criticality = benchmark.criticality.replace('_', " ");
    let cases: Vec<String> = benchmark.cases.iter().take(CASES).map(|case| screen::harmless(case)).collect();
    let mut named = if cases.is_empty() { String::new() } else { format!("  cases: {}", cases.join(", ")) };
    let more = benchmark.cases.len().saturating_sub(CASES);
    if more > 0 {
        named.push_str(&format!(" and {more} more"));
    }
    let undecided = match benchmark.undecided.len() {
        0 => String::new(),
        1 => ", 1 case waiting".to_owned(),
        count => format!(", {count} cases waiting"),
    };
    let (code, score) = (screen::harmless(&benchmark.code), shown(benchmark.score, benchmark.bounds));
    format!("{code} {score} n={} {passed}{undecided}, {criticality}{named}", benchmark.n)
}

/// A score, or the bounds of one that is undecided.
fn shown(score: Option<f64>, bounds: Option<Bounds>) -> String {
    bounds.map_or_else(|| figure(score), |bounds| Unit::Score.show_bounds(bounds))
}

fn verdict(passed: Option<bool>, yes: &str, no: &str) -> String {
    match passed {
        Some(true) => styled(Style::Good, yes),
        Some(false) => styled(Style::Bad, no),
        None => styled(Style::Middling, "undecided"),
    }
}
