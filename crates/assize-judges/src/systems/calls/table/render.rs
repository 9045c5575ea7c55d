//! The scorecard as Markdown and as CSV.

use super::{Cell, Row, Table};
use assize_core::{Method, Rating};
use std::fmt::Write as _;

/// The table in Markdown. Scores are bold, `[!]` marks rows that can disqualify, the rating stands behind a figure, and the
/// blockers with their cases are listed below.
pub fn markdown(table: &Table) -> String {
    let mut text = format!(
        "| Metric | {} | Threshold |\n",
        table.models.iter().map(|model| escaped(model)).collect::<Vec<_>>().join(" | ")
    );
    text.push_str(&format!("|---|{}---|\n", "---|".repeat(table.models.len())));
    let mut blockers = Vec::new();
    for row in &table.rows {
        match row {
            Row::Section { title } => {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "| **{}** |{} |", escaped(title), " |".repeat(table.models.len()));
            }
            Row::Figure { title, score, blocker, threshold, cells, .. } => {
                let mark = if *blocker { "[!] " } else { "" };
                let title =
                    if *score { format!("**{}**", escaped(title)) } else { format!("{mark}{}", escaped(title)) };
                let cells: Vec<String> = cells.iter().map(|cell| escaped(&in_words(cell))).collect();
                let _ = writeln!(text, "| {title} | {} | {} |", cells.join(" | "), escaped(threshold));
                blockers.extend(blocked(row, &table.models));
            }
        }
    }
    if !blockers.is_empty() {
        text.push_str("\n**Blockers**\n\n");
        blockers.iter().for_each(|line| text.push_str(line));
    }
    if !table.notes.is_empty() {
        text.push('\n');
        table.notes.iter().for_each(|note| text.push_str(&format!("- {note}\n")));
    }
    text
}

fn in_words(cell: &Cell) -> String {
    let mut words = cell.text.clone();
    match cell.rating {
        Some(Rating::Blocker) if cell.text != "Yes" => words.push_str(" BLOCKER"),
        Some(rating) if rating != Rating::Blocker => {
            let _ = write!(words, " {}", rating.name());
        }
        _ => {}
    }
    if cell.method == Some(Method::Rules) {
        words.push_str(" (rules)");
    }
    words
}

fn blocked(row: &Row, models: &[String]) -> Vec<String> {
    let Row::Figure { title, cells, threshold, .. } = row else { return Vec::new() };
    let breached = models.iter().zip(cells).filter(|(_, cell)| !cell.cases.is_empty());
    breached
        .map(|(model, cell)| {
            let cases: Vec<String> = cell.cases.iter().map(|case| escaped(case)).collect();
            format!(
                "- {}: {title} {} (threshold {}), in {}\n",
                escaped(model),
                cell.text,
                threshold.replace('|', "·"),
                cases.join(", ")
            )
        })
        .collect()
}

/// A cell stays one cell: no bars, no line breaks, no markup from names.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' | '*' | '`' | '<' | '_' | '\\' => escaped.extend(['\\', character]),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The table as CSV: one line for each figure, and for each model its value, rating and method.
pub fn csv(table: &Table) -> String {
    let mut head: Vec<String> = ["section", "metric", "title", "blocker", "threshold"].map(str::to_owned).to_vec();
    for model in &table.models {
        head.extend(["", " rating", " method"].map(|what| format!("{model}{what}")));
    }
    let mut text = line(&head);
    let mut section = String::new();
    for row in &table.rows {
        match row {
            Row::Section { title } => section.clone_from(title),
            Row::Figure { metric, title, blocker, threshold, cells, .. } => {
                let mut fields = vec![
                    section.clone(),
                    metric.clone(),
                    title.clone(),
                    if *blocker { "yes" } else { "no" }.to_owned(),
                    threshold.clone(),
                ];
                for cell in cells {
                    let value = if metric == "blockers" {
                        Some(cell.text.clone())
                    } else {
                        cell.value.map(|value| value.to_string())
                    };
                    fields.push(value.unwrap_or_default());
                    fields.push(cell.rating.map(|rating| rating.name().to_owned()).unwrap_or_default());
                    fields.push(cell.method.map(|method| method.name().to_owned()).unwrap_or_default());
                }
                text.push_str(&line(&fields));
            }
        }
    }
    text
}

fn line(fields: &[String]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    fields.join(",") + "\r\n"
}

/// Quoted where it must be, and never a formula for the program that opens it.
fn quoted(field: &str) -> String {
    let harmless = if field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.parse::<f64>().is_err() {
        format!("'{field}")
    } else {
        field.to_owned()
    };
    if harmless.contains([',', '"', '\n', '\r']) { format!("\"{}\"", harmless.replace('"', "\"\"")) } else { harmless }
}
