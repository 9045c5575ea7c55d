//! The rubric tree of a run: scores, gates, and the cases that failed them.

use crate::screen::{self, Style, styled};
use assize_core::number::figure;
use assize_engine::records::RunDocument;
use serde_json::Value;

/// As many failing cases as are named for a benchmark.
const CASES: usize = 5;

/// The trees, one for each model; nothing where the judge has no rubrics.
pub(super) fn drawn(document: &RunDocument) -> Option<String> {
    let rubrics = document.sections.get("rubrics")?.as_array()?;
    let mut lines = Vec::new();
    for rubric in rubrics {
        if let Some(model) = rubric.get("model").and_then(Value::as_str) {
            lines.push(styled(Style::Bold, screen::harmless(model)));
        }
        draw_rubric(rubric, "", "", &mut lines);
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn draw_rubric(rubric: &Value, lead: &str, below: &str, lines: &mut Vec<String>) {
    let passed = verdict(rubric.get("passed"), "passed", "not passed");
    let threshold =
        rubric.get("threshold").and_then(Value::as_f64).map(|limit| format!(", needs {limit:.2}")).unwrap_or_default();
    let gates: Vec<String> = texts(rubric, "failed_hard_gates");
    let failed = if gates.is_empty() {
        String::new()
    } else {
        styled(Style::Bad, format!("  hard gates failed: {}", gates.join(", ")))
    };
    lines.push(format!(
        "{lead}{} {} {passed}{threshold}{failed}",
        code(rubric),
        figure(rubric.get("score").and_then(Value::as_f64))
    ));
    let children: Vec<(&Value, bool)> = list(rubric, "sub_rubrics")
        .iter()
        .map(|child| (child, true))
        .chain(list(rubric, "benchmarks").iter().map(|child| (child, false)))
        .collect();
    for (position, (child, is_rubric)) in children.iter().enumerate() {
        let last = position + 1 == children.len();
        let (branch, under) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        if *is_rubric {
            draw_rubric(child, &format!("{below}{branch}"), &format!("{below}{under}"), lines);
        } else {
            lines.push(format!("{below}{branch}{}", benchmark(child)));
        }
    }
}

fn benchmark(benchmark: &Value) -> String {
    let passed = verdict(benchmark.get("passed"), "passed", "failed");
    let criticality = benchmark.get("criticality").and_then(Value::as_str).unwrap_or_default().replace('_', " ");
    let mut cases = texts(benchmark, "cases");
    let more = cases.len().saturating_sub(CASES);
    cases.truncate(CASES);
    let mut named = if cases.is_empty() { String::new() } else { format!("  cases: {}", cases.join(", ")) };
    if more > 0 {
        named.push_str(&format!(" and {more} more"));
    }
    let n = benchmark.get("n").and_then(Value::as_u64).unwrap_or_default();
    format!(
        "{} {} n={n} {passed}, {criticality}{named}",
        code(benchmark),
        figure(benchmark.get("score").and_then(Value::as_f64))
    )
}

fn verdict(passed: Option<&Value>, yes: &str, no: &str) -> String {
    match passed.and_then(Value::as_bool) {
        Some(true) => styled(Style::Good, yes),
        Some(false) => styled(Style::Bad, no),
        None => styled(Style::Middling, "undecided"),
    }
}

fn code(part: &Value) -> String {
    screen::harmless(part.get("code").and_then(Value::as_str).unwrap_or("?"))
}

fn list<'v>(part: &'v Value, key: &str) -> &'v [Value] {
    part.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn texts(part: &Value, key: &str) -> Vec<String> {
    list(part, key).iter().filter_map(Value::as_str).map(screen::harmless).collect()
}
