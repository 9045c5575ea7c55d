//! Cases of a run: a row each, or one in full.

use super::{layout, table};
use crate::screen::{self, Style, styled};
use assize_core::layout::Inputs;
use assize_core::{Case, CaseStatus};
use assize_engine::records::{ResultLine, RunDocument};
use assize_engine::report;
use assize_engine::store::StoredAnswer;
use assize_judges::evidence::Evidence;
use comfy_table::{Cell, Color, ColumnConstraint};
use serde_json::Value;

/// The longest text that is shown of a label.
const LONGEST: usize = 1500;

/// A table with a row per case.
pub(crate) fn list(document: &RunDocument, lines: &[ResultLine], width: usize) -> String {
    let headline = &document.judge.headline;
    let mut table = table::new(["case", "model", "score", "verdict", "flags, or why not"], width);
    for line in lines {
        let value = line.metrics.get(headline).and_then(|metric| metric.value);
        let (verdict, words) = match (&line.error, line.status) {
            (Some(error), _) => (Cell::new("failed").fg(Color::Red), error.to_string()),
            (None, CaseStatus::Skipped) => (Cell::new("skipped"), line.reason.clone().unwrap_or_default()),
            _ => (Cell::new(line.verdict.as_deref().unwrap_or("")), line.flags.join(", ")),
        };
        let words: String = screen::harmless(&words).chars().take(300).collect();
        table.add_row([
            Cell::new(screen::harmless(&line.name())),
            Cell::new(screen::harmless(&line.model)),
            Cell::new(document.judge.shown(headline, value)),
            verdict,
            Cell::new(words),
        ]);
    }
    // Names stay whole; the words in the last column take what is left.
    table.set_constraints([ColumnConstraint::ContentWidth; 4]);
    table::drawn(&table)
}

/// One case in full, as its judge lays it out.
pub(crate) fn full(
    document: &RunDocument,
    line: &ResultLine,
    case: &Case,
    answers: &[StoredAnswer],
    width: usize,
) -> String {
    let mut layout = report::layout(document, case, line, "").unwrap_or_default();
    let mut inputs = Inputs::of(case);
    inputs.rewrite(&layout.rewritten);
    let mut evidence = Evidence::over(&inputs, layout.evidence.as_deref());
    let reason = line.reason.as_deref().map(|reason| layout::marked(reason, &evidence.cite(reason)));
    evidence.settle(&mut layout);
    let mut text = vec![format!(
        "{}  {} · {}",
        styled(Style::Bold, screen::harmless(&line.name())),
        screen::harmless(&line.model),
        line.status.name()
    )];
    let shown: Vec<&str> = layout.shown_inputs().collect();
    let others = inputs.iter().filter(|input| !shown.contains(&input.name.as_str())).map(|input| input.pane());
    let panes = layout.sections.iter().flat_map(|section| &section.texts).cloned().chain(others);
    text.extend(panes.map(|pane| format!("\n{}", layout::pane(&pane, width))));
    text.push(String::new());
    for (name, metric) in &line.metrics {
        let raw = metric.raw.map(|raw| format!("  given as {raw}")).unwrap_or_default();
        let counts: Vec<String> = metric.counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let value = document.judge.shown(name, metric.value);
        text.push(
            format!("{} {value:>7}  {}{raw}  {}", screen::padded(name, 22), metric.method.name(), counts.join(", "))
                .trim_end()
                .to_owned(),
        );
    }
    let mut add = |name: &str, words: &str| {
        text.push(screen::wrap(&format!("{} {words}", styled(Style::Faint, format!("{name:<12}"))), width));
    };
    if let Some(verdict) = &line.verdict {
        add("verdict", &screen::harmless(verdict));
    }
    if let Some(reason) = &reason {
        add("reason", reason);
    }
    let mut said = |name: &str, words: &str| add(name, &screen::harmless(words));
    if !line.flags.is_empty() {
        said("flags", &line.flags.join(", "));
    }
    for (name, claim) in &line.claimed {
        said("claimed", &format!("{name} {}", plain(claim)));
    }
    if let Some(error) = &line.error {
        said("error", &error.to_string());
        if let Some(raw) = &error.raw {
            said("reply", &shorten(raw));
        }
    }
    let findings = layout.sections.iter().flat_map(|section| &section.findings);
    text.extend(findings.map(|block| format!("\n{}", layout::block(block, width))));
    for (name, label) in line.labels.iter().filter(|(name, _)| !layout.labels.contains(name)) {
        text.push(format!("\n{}\n{}", styled(Style::Faint, name), shorten(&plain(label))));
    }
    for StoredAnswer { answer, question, .. } in answers {
        let provenance = &answer.provenance;
        text.push(format!(
            "\n{}  {} · {} tokens in, {} out · {} ms · answer {}",
            styled(Style::Bold, format!("question {}", question.name)),
            screen::harmless(&provenance.asked),
            provenance.usage.input_tokens,
            provenance.usage.output_tokens,
            provenance.latency_ms,
            answer.id.short()
        ));
        for message in &question.messages {
            text.push(styled(Style::Faint, format!("--- {:?}", message.role).to_lowercase()));
            text.push(screen::harmless(&message.content));
        }
        text.push(styled(Style::Faint, "--- reply"));
        text.push(screen::harmless(&answer.raw));
    }
    text.join("\n")
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

fn shorten(text: &str) -> String {
    let text = screen::harmless(text);
    let total = text.chars().count();
    if total <= LONGEST {
        return if text.is_empty() { styled(Style::Faint, "(empty)") } else { text };
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{cut}{}", styled(Style::Faint, format!(" … {} more characters", total - LONGEST)))
}
