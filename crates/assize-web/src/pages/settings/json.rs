//! The settings as JSON: always in sight, and to be edited like any control.

use super::state::{State, pretty};
use crate::whatif::sentence;
use assize_core::document::Problem;
use maud::{Markup, html};

pub(super) fn panel(state: &State) -> Markup {
    let text = pretty(&state.settings);
    // A profile that is a document of its own has a name of its own.
    let own = state.schema["title"].as_str().filter(|title| *title != state.system.name());
    let title = own.unwrap_or("Settings as JSON");
    html! {
        section.card.json-card aria-labelledby="json-title" {
            h2 #json-title { (title) }
            p.small.faint { "What the controls make. It can be edited too: the controls follow." }
            textarea.code #settings-json spellcheck="false" autocapitalize="off" autocomplete="off" rows=(text.lines().count()) aria-labelledby="json-title" aria-describedby="json-problems" { (text) }
            div #json-problems { (problems(&text, &[])) }
        }
    }
}

/// What is wrong with a text, each with its place and the line it stands in.
pub(super) fn problems(text: &str, problems: &[Problem]) -> Markup {
    html! {
        div data-part="problems" data-wrong=[(!problems.is_empty()).then_some("")] {
            @if !problems.is_empty() {
                div.notice data-kind="error" role="alert" {
                    p { "The controls keep the last settings that could be read." }
                    ul.plain { @for problem in problems { li { (one(text, problem)) } } }
                }
            }
        }
    }
}

/// What stands between back-ticks as code.
fn coded(words: &str) -> Markup {
    html! { @for (place, part) in words.split('`').enumerate() { @if place % 2 == 1 { code { (part) } } @else { (part) } } }
}

fn one(text: &str, problem: &Problem) -> Markup {
    html! {
        @if let Some(span) = problem.span {
            button.place type="button" data-line=(span.line) data-column=(span.column) data-length=(span.length) { "line " (span.line) ", column " (span.column) }
            " "
        }
        (coded(&sentence(&problem.message, problem.help.as_deref())))
        @if let Some(line) = problem.span.and_then(|span| text.lines().nth(span.line as usize - 1)) { pre { (line.chars().take(200).collect::<String>()) } }
    }
}
