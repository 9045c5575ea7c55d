//! What a run would ask, before it does.

use crate::screen::{self, Style, styled};
use assize_core::Unsent;
use assize_core::number::{count, dollars, plural};
use assize_engine::run::{Estimate, Prepared};

/// As many lines of a question as are shown.
const LINES: usize = 60;

/// As many characters of a line that is not sent as are shown.
const WIDEST: usize = 70;

/// An estimate, with the first question to look at.
pub(crate) fn draw(estimate: &Estimate, prepared: &Prepared) -> String {
    let suite = &prepared.suite().name;
    let mut lines = vec![format!("{}  dry run: nothing was asked", styled(Style::Bold, screen::harmless(suite)))];
    lines.push(format!("{}, {}", plural(estimate.cases.into(), "case"), plural(estimate.questions, "question")));
    if estimate.questions > 0 {
        lines.push(format!(
            "{} answered already, {} to ask",
            count(estimate.cached),
            count(estimate.questions - estimate.cached)
        ));
    } else {
        lines.push("the judge is offline: rules answer, and no question is asked or paid".to_owned());
    }
    if estimate.texts > 0 {
        let embedder = screen::harmless(&prepared.suite().embedder.value.to_string());
        lines.push(format!("{} for likeness in meaning, with {embedder}", plural(estimate.texts, "text")));
        let open = estimate.texts - estimate.cached_texts;
        lines.push(format!("{} embedded already, {} to embed", count(estimate.cached_texts), count(open)));
    }
    if estimate.questions + estimate.texts > 0 {
        lines.push(format!(
            "about {} tokens to send, about {}",
            count(estimate.input_tokens),
            dollars(estimate.cost_usd)
        ));
    }
    lines.extend(not_sent(&estimate.not_sent));
    if let Some(question) = &estimate.first {
        lines.push(format!("\n{}", styled(Style::Bold, "The first question")));
        for message in &question.messages {
            lines.push(styled(Style::Faint, format!("--- {:?}", message.role).to_lowercase()));
            let text = screen::harmless(&message.content);
            lines.extend(text.lines().take(LINES).map(str::to_owned));
            let more = text.lines().count().saturating_sub(LINES);
            if more > 0 {
                lines.push(styled(Style::Faint, format!("… {more} more lines")));
            }
        }
    }
    lines.join("\n")
}

/// What no model is told, line by line and with the reason.
fn not_sent(unsent: &[Unsent]) -> Vec<String> {
    let mut lines = Vec::new();
    if !unsent.is_empty() {
        let title = format!("Not sent: {}", plural(unsent.len() as u64, "line"));
        lines.push(format!("\n{}", styled(Style::Bold, title)));
    }
    for run in unsent.chunk_by(|a, b| a.file == b.file && a.reason == b.reason) {
        let [first, ..] = run else { continue };
        lines.push(format!("{}: {}", screen::harmless(&first.file), first.reason));
        lines.extend(run.iter().map(|entry| {
            let text: String = entry.text.chars().take(WIDEST).collect();
            let more = if entry.text.chars().count() > WIDEST { "…" } else { "" };
            styled(Style::Faint, format!("{:>5}  {}{more}", entry.line, screen::harmless(&text)))
        }));
    }
    lines
}
