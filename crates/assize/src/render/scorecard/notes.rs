//! What goes below a scorecard: blockers, flags, failures, the gate, the usage, and how far to trust it.

use crate::screen::{self, Style, styled};
use assize_core::number::{count, dollars, plural};
use assize_core::{Blocker, Table};
use assize_engine::records::{Calibration, RunDocument, UsageTotals};
use indexmap::IndexMap;

/// As many cases as are named for a blocker.
const CASES: usize = 5;

/// What goes below the table, a line each.
pub(super) fn drawn(document: &RunDocument, table: &Table) -> Vec<String> {
    let mut notes: Vec<String> = document
        .models
        .iter()
        .flat_map(|(model, card)| card.blockers.iter().map(|found| blocker(document, model, found)))
        .collect();
    notes.extend(table.notes.iter().map(|note| styled(Style::Faint, format!("note: {}", screen::harmless(note)))));
    if !document.failures.is_empty() {
        notes.push(styled(Style::Bad, format!("failed: {}", words(&document.failures))));
    }
    if !document.flags.is_empty() {
        notes.push(format!("flags: {}", words(&document.flags)));
    }
    for outcome in &document.gate.checks {
        let (mark, style) = if outcome.passed { ("holds", Style::Good) } else { ("fails", Style::Bad) };
        notes.push(format!(
            "gate {}: {} ({} {})",
            styled(style, mark),
            outcome.check,
            screen::harmless(&outcome.model),
            outcome.shown(&document.judge)
        ));
    }
    notes.extend(used(&document.usage));
    if document.judge.calibration == Calibration::Uncalibrated {
        notes.push(styled(Style::Faint, "uncalibrated: nobody has compared this judge with people's labels yet"));
    }
    notes.push(styled(Style::Faint, format!("run {}", document.run_id)));
    notes
}

fn blocker(document: &RunDocument, model: &str, blocker: &Blocker) -> String {
    let mut cases: Vec<String> = blocker.cases.iter().take(CASES).map(|case| screen::harmless(case)).collect();
    if blocker.cases.len() > CASES {
        cases.push(format!("and {} more", count((blocker.cases.len() - CASES) as u64)));
    }
    let text = format!(
        "blocker: {} {} is {}, must be {} (cases: {})",
        screen::harmless(model),
        blocker.metric,
        document.judge.shown(&blocker.metric, blocker.value),
        blocker.limit,
        cases.join(", ")
    );
    styled(Style::Bad, text)
}

/// What was used, of whatever was used at all.
fn used(usage: &UsageTotals) -> Option<String> {
    let mut words = Vec::new();
    if usage.questions > 0 {
        words.push(plural(usage.questions, "question"));
    }
    let asked = usage.questions + usage.calls > 0;
    if asked {
        words.push(plural(usage.calls, "call"));
    }
    if usage.questions > 0 {
        words.push(format!("{} cached", count(usage.cached)));
    }
    if usage.texts_embedded + usage.texts_cached > 0 {
        words.push(format!("{} embedded, {} cached", plural(usage.texts_embedded, "text"), count(usage.texts_cached)));
    }
    if usage.saved_calls > 0 && asked {
        words.push(format!("{} saved by code", count(usage.saved_calls)));
    }
    if usage.retries > 0 {
        words.push(plural(usage.retries, "retry").replace("retrys", "retries"));
    }
    if asked {
        words.push(format!("{} tokens in, {} out", count(usage.input_tokens), count(usage.output_tokens)));
        words.push(dollars(usage.cost_usd));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}

/// Counts by name, in words.
fn words(counts: &IndexMap<String, u64>) -> String {
    let words: Vec<String> = counts.iter().map(|(name, number)| format!("{name} {}", count(*number))).collect();
    words.join(", ")
}
