//! A run as Markdown, for a page or a comment.

use super::number::{dollars, figure};
use assize_engine::run::RunDocument;
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
    for (name, card) in &document.models {
        let _ = writeln!(
            text,
            "### {}\n\n| metric | value | 95 % interval | n | rating | by |\n| --- | ---: | --- | ---: | --- | --- |",
            escape(name)
        );
        for (metric, score) in &card.metrics {
            let interval = score
                .interval
                .map_or_else(|| "–".to_owned(), |interval| format!("{:.3} – {:.3}", interval.0, interval.1));
            let rating = score.rating.map_or("", |rating| rating.name());
            let _ = writeln!(
                text,
                "| {} | {} | {interval} | {} | {rating} | {} |",
                escape(metric),
                figure(score.value),
                score.n,
                score.method.name()
            );
        }
        for blocker in &card.blockers {
            let cases: Vec<String> = blocker.cases.iter().map(|case| escape(case)).collect();
            let _ = writeln!(
                text,
                "\n**Blocker:** {} is {}, must be {} (cases: {})",
                escape(&blocker.metric),
                figure(blocker.value),
                escape(&blocker.limit),
                cases.join(", ")
            );
        }
        text.push('\n');
    }
    if !document.gate.checks.is_empty() {
        let _ = writeln!(text, "**Gate {}**\n", if document.gate.passed { "holds" } else { "fails" });
        for outcome in &document.gate.checks {
            let mark = if outcome.passed { "x" } else { " " };
            let _ = writeln!(
                text,
                "- [{mark}] `{}`: {} for {}",
                outcome.check,
                figure(outcome.value),
                escape(&outcome.model)
            );
        }
        text.push('\n');
    }
    let usage = &document.usage;
    let _ = writeln!(
        text,
        "{} questions, {} calls, {} cached, {}. Run `{}`.",
        usage.questions,
        usage.calls,
        usage.cached,
        dollars(usage.cost_usd),
        document.run_id
    );
    text
}

/// Text from outside, so that it stays text in a table.
fn escape(text: &str) -> String {
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
