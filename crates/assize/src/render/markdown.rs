//! A run as Markdown, for a page or a comment.

use assize_core::number::dollars;
use assize_core::table::{Cell, Figure, Row};
use assize_core::{Blocker, Method, Rating, Table};
use assize_engine::records::RunDocument;
use assize_engine::report::scorecard;
use std::fmt::Write as _;

/// The run's scorecards and gate.
pub(super) fn draw(document: &RunDocument) -> String {
    let mut text = String::new();
    let cases = &document.cases;
    // Writing to a String cannot fail.
    let _ = writeln!(text, "## {}\n", escape(&document.suite));
    let model = document.judge.model.as_str().map_or_else(|| document.judge.model.to_string(), str::to_owned);
    let _ = writeln!(
        text,
        "Judge `{}` with `{}` ({}). {} cases: {} judged, {} failed, {} skipped.\n",
        document.judge.judge_use,
        model,
        document.judge.calibration,
        cases.total,
        cases.judged,
        cases.failed,
        cases.skipped
    );
    let table = scorecard(document);
    if !table.models.is_empty() {
        text.push_str(&figures(&table));
        text.push('\n');
    }
    let blockers: Vec<String> = document
        .models
        .iter()
        .flat_map(|(model, card)| card.blockers.iter().map(|found| blocker(document, model, found)))
        .collect();
    if !blockers.is_empty() {
        let _ = writeln!(text, "**Blockers**\n\n{}", blockers.concat());
    }
    table.notes.iter().for_each(|note| text.push_str(&format!("Note: {}\n\n", escape(note))));
    if !document.gate.checks.is_empty() {
        let _ = writeln!(text, "**Gate {}**\n", if document.gate.passed { "holds" } else { "fails" });
        for outcome in &document.gate.checks {
            let mark = if outcome.passed { "x" } else { " " };
            let _ = writeln!(
                text,
                "- [{mark}] `{}`: {} for {}",
                outcome.check,
                outcome.shown(&document.judge),
                escape(&outcome.model)
            );
        }
        text.push('\n');
    }
    let usage = &document.usage;
    let texts = match (usage.texts_embedded, usage.texts_cached) {
        (0, 0) => String::new(),
        (embedded, cached) => format!(" {embedded} texts embedded, {cached} cached,"),
    };
    let _ = writeln!(
        text,
        "{} questions, {} calls, {} cached,{texts} {}. Run `{}`.",
        usage.questions,
        usage.calls,
        usage.cached,
        dollars(usage.cost_usd),
        document.run_id
    );
    text
}

/// The models side by side. Scores are bold, `[!]` marks rows that can disqualify.
fn figures(table: &Table) -> String {
    let thresholds = table.figures().any(|(_, figure)| !figure.threshold.is_empty());
    let line = |first: String, cells: Vec<String>, threshold: &str| {
        let last = if thresholds { format!(" {threshold} |") } else { String::new() };
        format!("| {first} | {} |{last}\n", cells.join(" | "))
    };
    let names = table.models.iter().map(|model| escape(model)).collect();
    let mut text = line("Metric".to_owned(), names, "Threshold");
    text.push_str(&line("---".to_owned(), vec!["---".to_owned(); table.models.len()], "---"));
    for row in &table.rows {
        let row = match row {
            Row::Section { title } => {
                line(format!("**{}**", escape(title)), vec![String::new(); table.models.len()], "")
            }
            Row::Figure(figure) => {
                // The mark is ours; what stands behind it may not be.
                let title = escape(&figure.title);
                let mark = if figure.blocker { "[!] " } else { "" };
                let title = if figure.score { format!("**{title}**") } else { format!("{mark}{title}") };
                line(
                    title,
                    figure.cells.iter().map(|cell| in_words(figure, cell)).collect(),
                    &escape(&figure.threshold),
                )
            }
        };
        text.push_str(&row);
    }
    text
}

/// A figure with its interval, its `n`, its rating, and its method where it is not exact.
fn in_words(figure: &Figure, cell: &Cell) -> String {
    let mut words = escape(&cell.text);
    // Writing to a String cannot fail.
    if let Some(interval) = cell.interval {
        let _ = write!(words, " ({} – {})", figure.unit.show(interval.0), figure.unit.show(interval.1));
    }
    if let Some(n) = cell.n {
        let _ = write!(words, ", n={n}");
    }
    match cell.rating.filter(|_| cell.word().is_none()) {
        Some(Rating::Blocker) => words.push_str(", **BLOCKER**"),
        Some(rating) => {
            let _ = write!(words, ", {}", rating.name());
        }
        None => {}
    }
    if let Some(method) = cell.method.filter(|method| *method != Method::Code) {
        let _ = write!(words, ", {}", method.name());
    }
    words
}

fn blocker(document: &RunDocument, model: &str, blocker: &Blocker) -> String {
    let cases: Vec<String> = blocker.cases.iter().map(|case| escape(case)).collect();
    format!(
        "- {}: {} is {}, must be {} (cases: {})\n",
        escape(model),
        escape(&blocker.metric),
        document.judge.shown(&blocker.metric, blocker.value),
        escape(&blocker.limit),
        cases.join(", ")
    )
}

/// Text from outside, so that it stays text in a table.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' | '\\' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
