//! The source of a file with its line numbers, every finding under its line; and the same file by its parts.

use crate::rubrics::{Block, Found, Part};
use maud::{Markup, html};

/// The source, with the findings where they belong.
pub(super) fn with_findings(text: &str, findings: &[Found]) -> Markup {
    let last = u32::try_from(text.lines().count().max(1)).unwrap_or(u32::MAX);
    html! {
        div.lined role="region" aria-label="Source with findings" tabindex="0" {
            @for (number, line) in (1_u32..).zip(lines(text)) {
                @let own: Vec<&Found> = findings.iter().filter(|found| found.line.min(last) == number).collect();
                div.source-line id={ "L" (number) } { a.at href={ "#L" (number) } aria-label={ "Line " (number) } { (number) } code { (marked(line, &own)) } }
                @for found in own { (drawn(found)) }
            }
        }
    }
}

/// The lines of a text; an empty text has one.
fn lines(text: &str) -> Vec<&str> {
    if text.is_empty() { vec![""] } else { text.lines().collect() }
}

/// A line with the places that were found marked; places that overlap are one.
fn marked(line: &str, found: &[&Found]) -> Markup {
    let characters: Vec<char> = line.chars().collect();
    let is_marked = |at: usize| {
        found.iter().any(|found| {
            let from = found.column as usize - 1;
            (from..from.saturating_add(found.length as usize)).contains(&at)
        })
    };
    let mut pieces: Vec<(bool, String)> = Vec::new();
    for (at, character) in characters.into_iter().enumerate() {
        match pieces.last_mut() {
            Some((mark, piece)) if *mark == is_marked(at) => piece.push(character),
            _ => pieces.push((is_marked(at), character.to_string())),
        }
    }
    html! { @for (mark, piece) in &pieces { @if *mark { mark.changed { (piece) } } @else { (piece) } } }
}

/// A finding: how bad, which rule, what, what instead, and why in a fold.
pub(super) fn drawn(found: &Found) -> Markup {
    html! {
        div.finding data-severity=(found.severity.name()) {
            span.rating data-rating=(found.severity.rating()) { (found.severity.name()) } " "
            @if let Some(code) = found.code { b { (code) } " " span.faint { (found.rule.unwrap_or_default()) } " " }
            (found.message)
            @if !found.help.is_empty() { div.small { b { "Instead: " } (found.help) } }
            @if !found.why.is_empty() { details.small { summary { "Why" } p { (found.why) } } }
        }
    }
}

/// A file by its parts.
pub(super) fn by_parts(parts: &[Part]) -> Markup {
    html! {
        @for part in parts {
            section.file-part {
                h3 { (part.title) " " a.faint.small href={ "#L" (part.line) } title={ "Line " (part.line) } { code { (part.key) } } }
                (blocks(&part.blocks))
            }
        }
    }
}

fn blocks(all: &[Block]) -> Markup {
    html! {
        @for block in all.iter().filter(|block| block.label.is_empty()) { p.words { (block.text) } }
        @let items: Vec<&Block> = all.iter().filter(|block| !block.label.is_empty()).collect();
        @if !items.is_empty() {
            ul.file-items { @for item in items { li.key[item.is_field()] { span.label { (item.label) } div { span.words { (item.text) } (blocks(&item.below)) } } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rubrics::Severity;

    fn found(line: u32, column: u32, length: u32) -> Found {
        let (code, rule) = (Some("AZ105"), Some("compound-logic"));
        let (message, help, why) = ("<b>split</b>".to_owned(), "join".to_owned(), String::new());
        Found { line, column, length, code, rule, severity: Severity::Error, message, help, why }
    }

    #[test]
    fn a_finding_stands_under_its_line_and_marks_its_place() {
        let page = with_findings("a\nbéc<d\n", &[found(2, 2, 2)]).into_string();
        let line = page.find("b<mark class=\"changed\">éc</mark>&lt;d").expect("marked by characters, escaped");
        let finding = page.find("&lt;b&gt;split&lt;/b&gt;").expect("shown as text");
        assert!(line < finding && page.contains("id=\"L2\""));
    }

    #[test]
    fn a_finding_past_the_end_stands_under_the_last_line() {
        assert!(with_findings("a\n", &[found(9, 1, 1)]).into_string().contains("compound-logic"));
        assert!(with_findings("", &[found(1, 1, 1)]).into_string().contains("compound-logic"));
    }
}
