//! The pairs that flipped: linked under one of two settings, and not under the other.

use super::Trial;
use super::state::State;
use crate::links;
use crate::shown::{count, plural};
use crate::visible::{beginning, visible};
use crate::whatif::CaseSet;
use assize_judges::systems::facts::matcher::FieldReason;
use assize_judges::systems::facts::whatif::{Change, Flip};
use maud::{Markup, html};
use serde_json::Value;

/// As many as are listed.
const LISTED: usize = 40;

/// The longest text that is shown of a value.
const LONGEST: usize = 160;

/// What flips between the saved settings and these.
pub(super) fn against_saved(state: &State, trial: Option<Trial<'_>>) -> Markup {
    let unchanged = state.changes().is_empty();
    html! {
        div data-part="flips" {
            @match trial {
                None => { p.faint { "Reading the cases …" } }
                Some(_) if unchanged => { p.faint { "Move a control: the pairs that flip are listed here." } }
                Some((set, change)) => { (list(set, change, &AGAINST_SAVED)) }
            }
        }
    }
}

/// What flipped pairs are called.
pub(super) struct Names<'n> {
    /// Those that are linked after a change, and whether that is shown as good.
    pub(super) after: (&'n str, &'static str),
    /// Those that were linked before it.
    pub(super) before: (&'n str, &'static str),
}

const AGAINST_SAVED: Names<'_> = Names { after: ("now a match", "good"), before: ("no longer", "fail") };

/// The flips of a change.
pub(super) fn list(set: &CaseSet, change: &Change, names: &Names<'_>) -> Markup {
    let flips = &change.flips;
    let after = flips.iter().filter(|flip| flip.linked).count() as u64;
    let before = flips.len() as u64 - after;
    html! {
        p.flipped data-said {
            @if flips.is_empty() { "No pair flipped." }
            @else { strong { (plural(flips.len() as u64, "pair")) " flipped" } ": " (count(after)) " " (names.after.0) ", " (count(before)) " " (names.before.0) "." }
        }
        @if !flips.is_empty() {
            ul.flips tabindex="0" aria-label="Flipped pairs" { @for flip in flips.iter().take(LISTED) { (one(set, flip, names)) } }
        }
        @if flips.len() > LISTED { p.faint { "And " (count((flips.len() - LISTED) as u64)) " more." } }
    }
}

fn one(set: &CaseSet, flip: &Flip, names: &Names<'_>) -> Markup {
    let (name, rating) = if flip.linked { names.after } else { names.before };
    let place = set.run.as_ref().zip(set.position(&flip.case, &flip.model));
    // What is the same to the letter explains nothing, unless there is nothing else.
    let telling: Vec<&FieldReason> = flip.fields.iter().filter(|field| field.predicted != field.gold).collect();
    html! {
        li {
            div {
                span.rating data-rating=(rating) { (name) }
                " " b { (visible(&flip.fact_type)) } " "
                @match place {
                    Some((run, position)) => { a href=(links::case(&run.id, position)) { (visible(&flip.case)) } }
                    None => { (visible(&flip.case)) }
                }
                " " span.faint { (visible(&flip.model)) " · " (visible(&flip.predicted_id)) " ↔ " (visible(&flip.gold_id)) }
            }
            @for field in telling { (reason(field)) }
        }
    }
}

fn reason(field: &FieldReason) -> Markup {
    html! {
        div.because {
            span.faint { (visible(&field.field)) @if field.key { " (key)" } ": " }
            (shown(&field.predicted)) " " span.faint { (if field.equal { "=" } else { "≠" }) } " " (shown(&field.gold))
            span.faint { " — " (field.reason) }
        }
    }
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    };
    beginning(&text, LONGEST)
}
