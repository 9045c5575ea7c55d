//! What flipped: decided one way under one of two settings, and another way under the other.

use super::Trial;
use super::state::State;
use crate::links;
use crate::shown::{count, plural};
use crate::visible::{beginning, visible};
use crate::whatif::CaseSet;
use assize_core::what_if::{Change, Direction, Flip, FlipReason};
use maud::{Markup, html};

/// As many as are listed.
pub(super) const LISTED: usize = 40;

/// The longest text that is shown of a value.
const LONGEST: usize = 160;

/// What flips between the saved settings and these.
pub(super) fn against_saved(state: &State, trial: Option<Trial<'_>>) -> Markup {
    let unchanged = state.changes().is_empty();
    html! {
        div data-part="flips" {
            @match trial {
                None => { p.faint { "Reading the cases …" } }
                Some((set, _)) if unchanged => { p.faint { "Move a control: the " (set.terms.flipping) "s that flip are listed here." } }
                Some((set, change)) => {
                    (list(set, change, &Names { gained: (set.terms.gained, "good"), lost: (set.terms.lost, "fail") }))
                }
            }
        }
    }
}

/// What flips are called.
pub(super) struct Names<'n> {
    /// Those that count after a change, and how that is rated.
    pub(super) gained: (&'n str, &'static str),
    /// Those that counted before it.
    pub(super) lost: (&'n str, &'static str),
}

/// The flips of a change.
pub(super) fn list(set: &CaseSet, change: &Change, names: &Names<'_>) -> Markup {
    let (flipping, flipped) = (set.terms.flipping, change.flipped);
    let total = flipped.total();
    let more = total - change.flips.len() as u64;
    html! {
        p.flipped data-said {
            @if total == 0 { "No " (flipping) " flipped." }
            @else {
                strong { (plural(total, flipping)) " flipped" }
                @if flipped.other < total {
                    ": " (count(flipped.gained)) " " (names.gained.0) ", " (count(flipped.lost)) " " (names.lost.0)
                    @if flipped.other > 0 { ", " (count(flipped.other)) " otherwise" }
                }
                "."
            }
        }
        @if total > 0 {
            ul.flips tabindex="0" aria-label=(format!("Flipped {flipping}s")) { @for flip in &change.flips { (one(set, flip, names)) } }
        }
        @if more > 0 { p.faint { "And " (count(more)) " more." } }
    }
}

fn one(set: &CaseSet, flip: &Flip, names: &Names<'_>) -> Markup {
    let place = set.run.as_ref().zip(set.position(&flip.case, &flip.model));
    html! {
        li {
            div {
                @match flip.direction {
                    Direction::Gained => { span.rating data-rating=(names.gained.1) { (names.gained.0) } }
                    Direction::Lost => { span.rating data-rating=(names.lost.1) { (names.lost.0) } }
                    Direction::Other => { span.rating { (visible(&flip.from)) " → " (visible(&flip.to)) } }
                }
                @if let Some(kind) = &flip.kind { " " b { (visible(kind)) } }
                " "
                @match place {
                    Some((run, position)) => { a href=(links::case(&run.id, position)) { (visible(&flip.case)) } }
                    None => { (visible(&flip.case)) }
                }
                " " span.faint { (visible(&flip.model)) @if !flip.item.is_empty() { " · " (visible(&flip.item)) } }
            }
            @for reason in &flip.reasons { (because(reason)) }
        }
    }
}

fn because(reason: &FlipReason) -> Markup {
    html! {
        div.because {
            span.faint { (visible(&reason.about)) ": " }
            (beginning(&reason.left, LONGEST)) " " span.faint { (reason.sign) } " " (beginning(&reason.right, LONGEST))
            @if !reason.because.is_empty() { span.faint { " — " (visible(&reason.because)) } }
        }
    }
}
