//! Cases of a run: a row each, or one in full.

use super::table;
use crate::screen::{self, Style, styled};
use assize_core::number::figure;
use assize_core::{Case, CaseStatus};
use assize_engine::records::ResultLine;
use assize_engine::store::StoredAnswer;
use comfy_table::{Cell, Color, ColumnConstraint};
use serde_json::Value;

/// The longest text that is shown of an input.
const LONGEST: usize = 1500;

/// A table with a row per case.
pub(crate) fn list(lines: &[ResultLine], headline: &str, width: usize) -> String {
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
            Cell::new(figure(value)),
            verdict,
            Cell::new(words),
        ]);
    }
    // Names stay whole; the words in the last column take what is left.
    table.set_constraints([ColumnConstraint::ContentWidth; 4]);
    table::drawn(&table)
}

/// One case in full.
pub(crate) fn full(line: &ResultLine, case: &Case, answers: &[StoredAnswer]) -> String {
    let mut text = vec![format!(
        "{}  {} · {}",
        styled(Style::Bold, screen::harmless(&line.name())),
        screen::harmless(&line.model),
        line.status
    )];
    for (name, value) in &case.inputs {
        text.push(format!("\n{}", styled(Style::Faint, name)));
        text.push(shorten(&plain(value)));
    }
    text.push(String::new());
    for (name, metric) in &line.metrics {
        let raw = metric.raw.map(|raw| format!("  given as {raw}")).unwrap_or_default();
        let counts: Vec<String> = metric.counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        text.push(
            format!("{name:<22} {:>7}  {}{raw}  {}", figure(metric.value), metric.method.name(), counts.join(", "))
                .trim_end()
                .to_owned(),
        );
    }
    let mut said = |name: &str, words: &str| {
        text.push(format!("{} {}", styled(Style::Faint, format!("{name:<12}")), screen::harmless(words)))
    };
    if let Some(verdict) = &line.verdict {
        said("verdict", verdict);
    }
    if let Some(reason) = &line.reason {
        said("reason", reason);
    }
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
    for (name, label) in &line.labels {
        let drawn = if name == "alignment" { alignment(label) } else { shorten(&plain(label)) };
        text.push(format!("\n{}\n{drawn}", styled(Style::Faint, name)));
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

/// The alignment as one text: what was left out and what was added stand out, in colour and in signs.
fn alignment(label: &Value) -> String {
    let part = |run: &Value, key: &str| screen::harmless(run.get(key).and_then(Value::as_str).unwrap_or_default());
    let runs = label.as_array().map(Vec::as_slice).unwrap_or_default();
    let words: Vec<String> = runs
        .iter()
        .map(|run| match run.get("op").and_then(Value::as_str).unwrap_or_default() {
            "equal" => part(run, "text"),
            "delete" => styled(Style::Bad, format!("[-{}-]", part(run, "reference"))),
            "insert" => styled(Style::Good, format!("{{+{}+}}", part(run, "hypothesis"))),
            _ => format!(
                "{}{}",
                styled(Style::Bad, format!("[-{}-]", part(run, "reference"))),
                styled(Style::Good, format!("{{+{}+}}", part(run, "hypothesis")))
            ),
        })
        .collect();
    words.join(" ")
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
