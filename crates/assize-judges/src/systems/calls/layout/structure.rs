//! The structure of the output against that of the expected outcome: what differs, by its path.

use super::text;
use assize_core::ShownCase;
use assize_core::layout::{Line, Notice, Piece};
use serde_json::Value;

pub(super) fn notice(shown: &ShownCase<'_>) -> Option<Notice> {
    let label = shown.labels.get("structure")?;
    let differences = label.get("differences").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let words = match text(label, "unreadable") {
        Some("output_empty") => "The output is empty, so there is nothing to score.",
        Some(_) => "The output is neither JSON nor TOON, so there is nothing to score.",
        None if differences.is_empty() => return None,
        None => "The output does not have the structure that was asked for, so nothing else is scored:",
    };
    Some(Notice {
        is_error: true,
        lines: vec![Line::plain(words)],
        items: differences.iter().map(told).collect(),
        not_listed: label.get("not_listed").and_then(Value::as_u64).unwrap_or_default(),
    })
}

fn told(difference: &Value) -> Line {
    let part = |key: &str| text(difference, key).unwrap_or_default();
    let mut pieces = vec![Piece::code(part("path"))];
    match part("difference") {
        "missing" => pieces.push(Piece::plain(" is missing")),
        "extra" => pieces.push(Piece::plain(" is extra")),
        "renamed" => pieces.extend([Piece::plain(" is probably renamed to "), Piece::code(part("found"))]),
        "type" => pieces.push(Piece::plain(format!(" is {}, not {}", part("found"), part("expected")))),
        "empty" => pieces.push(Piece::plain(format!(" is empty: expected {}", part("expected")))),
        other => pieces.push(Piece::plain(format!(" {other}"))),
    }
    Line::of(pieces)
}
