//! The question these settings produce: the exact messages about one case.

use super::Wanted;
use super::state::State;
use crate::app::App;
use crate::questions::{CaseChoice, asked};
use crate::shown::count;
use crate::visible::visible;
use assize_core::Role;
use maud::{Markup, html};

/// A fold. For judges whose figures do not move with their settings, the question is what there is to see: it stands open.
pub(super) fn section(wanted: &Wanted, open: bool) -> Markup {
    let case = wanted.case.parse::<u32>().ok().filter(|case| *case > 0);
    html! {
        section.card {
            details #question-fold open[open || case.is_some()] {
                summary { "The question this produces" }
                div.actions { label { "Case " input type="number" #question-case min="1" step="1" value=(case.unwrap_or(1)); } }
                div data-part="question" { p.faint { "…" } }
            }
        }
    }
}

/// What is asked, or why nothing is.
pub(super) fn question(app: &App, wanted: &Wanted, state: &State) -> Markup {
    let position = wanted.case.parse::<u32>().unwrap_or(1).max(1) - 1;
    let choice = CaseChoice::Of { run: wanted.run.clone(), position };
    html! {
        div data-part="question" {
            @match asked(app, state.system, &state.settings, choice) {
                Err(failure) => { div.notice { (failure.message) " " (failure.way_on) } }
                Ok(asked) => {
                    p.small.faint {
                        (visible(&asked.case)) " · " (visible(&asked.model)) ", one of " (count(asked.cases)) " cases "
                        @match &asked.run { Some(run) => { "of run " (run) } None => { "of the bundled example" } } "."
                    }
                    @if asked.questions.is_empty() { p { "The judge asks nothing about this case." } }
                    @for question in &asked.questions {
                        @if asked.questions.len() > 1 { h3 { (question.name) } }
                        @for message in &question.messages {
                            h4 { (match message.role { Role::System => "System", Role::User => "User", Role::Assistant => "Assistant" }) }
                            pre tabindex="0" { (visible(&message.content)) }
                        }
                        details { summary { "The schema of the answer" } pre tabindex="0" { (format!("{:#}", question.schema.schema)) } }
                    }
                }
            }
        }
    }
}
