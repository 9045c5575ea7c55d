//! The structure of the output against that of the expected outcome: what differs, by its path.

use super::super::{Seen, text};
use crate::visible::visible;
use maud::{Markup, html};
use serde_json::Value;

/// As many differences as are shown at once.
const FIRST: usize = 8;

pub(super) fn draw(seen: &Seen<'_>) -> Markup {
    let Some(label) = seen.labels.get("structure") else { return html! {} };
    let differences = label.get("differences").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let not_listed = label.get("not_listed").and_then(Value::as_u64).unwrap_or_default();
    html! {
        @match text(label, "unreadable") {
            Some("output_empty") => p.notice data-kind="error" { "The output is empty, so there is nothing to score." },
            Some(_) => p.notice data-kind="error" { "The output is neither JSON nor TOON, so there is nothing to score." },
            None => {},
        }
        @if !differences.is_empty() {
            div.notice data-kind="error" {
                p { "The output does not have the structure that was asked for, so nothing else is scored:" }
                ul { @for difference in differences.iter().take(FIRST) { li { (told(difference)) } } }
                @if differences.len() > FIRST {
                    details { summary { (differences.len() - FIRST) " more" } ul { @for difference in &differences[FIRST..] { li { (told(difference)) } } } }
                }
                @if not_listed > 0 { p { "and " (not_listed) " that are not listed" } }
            }
        }
    }
}

fn told(difference: &Value) -> Markup {
    let part = |key: &str| visible(text(difference, key).unwrap_or_default());
    let path = part("path");
    html! {
        code { (path) }
        @match text(difference, "difference").unwrap_or_default() {
            "missing" => { " is missing" },
            "extra" => { " is extra" },
            "renamed" => { " is probably renamed to " code { (part("found")) } },
            "type" => { " is " (part("found")) ", not " (part("expected")) },
            "empty" => { " is empty: expected " (part("expected")) },
            other => { " " (visible(other)) },
        }
    }
}
