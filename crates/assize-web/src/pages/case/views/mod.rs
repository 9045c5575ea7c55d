//! What a judge's own way of looking at a case adds to the page.
//!
//! A view is a function from a case and its result to something to read and the texts to read it in. It looks at what the
//! judgment holds, not at the judge's name, so that a criteria file of a user's own is shown like the built-in ones. The
//! list is all that the page knows of them; what no view has shown is shown as it is, by [`super::generic`].

mod alignment;
mod behaviours;
mod calls;
mod facts;
mod reasoning;

use super::evidence::Evidence;
use super::inputs::Inputs;
use super::pane::{Pane, Whole};
use assize_core::Case;
use assize_engine::records::{ResultLine, RunDocument};
use assize_judges::systems::calls::compared::Compared;
use maud::{Markup, html};
use serde_json::{Map, Value};

/// What a view looks at.
pub(super) struct Seen<'s> {
    pub(super) run: &'s RunDocument,
    pub(super) case: &'s Case,
    pub(super) line: &'s ResultLine,
    /// The labels of the judgment; of a jury, those of the juror that is looked at.
    pub(super) labels: &'s Map<String, Value>,
    pub(super) inputs: &'s Inputs,
    /// The case laid out, where it is one of call intelligence.
    pub(super) call: Option<&'s Compared>,
    /// Whether long lists and texts are shown to their end.
    pub(super) whole: &'s Whole,
}

/// What a view shows.
#[derive(Default)]
pub(super) struct View {
    /// What was found.
    pub(super) body: Markup,
    /// The texts it was found in.
    pub(super) panes: Vec<Pane>,
    /// Whether the texts stand beside the body, or below it.
    pub(super) beside: bool,
    /// The inputs and labels that need no other place on the page.
    pub(super) inputs: Vec<&'static str>,
    pub(super) labels: Vec<&'static str>,
}

type Draw = fn(&Seen<'_>, &mut Evidence<'_>) -> Option<View>;

const VIEWS: &[Draw] = &[alignment::view, facts::view, reasoning::view, behaviours::view, calls::view];

/// The views that have something to show of a case.
pub(super) fn of(seen: &Seen<'_>, evidence: &mut Evidence<'_>) -> Vec<View> {
    VIEWS.iter().filter_map(|draw| draw(seen, evidence)).collect()
}

/// A text under a key.
fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The items of a list under a key of the labels.
fn list<'v>(labels: &'v Map<String, Value>, key: &str) -> &'v [Value] {
    labels.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The texts of a list under a key of the labels.
fn texts<'v>(labels: &'v Map<String, Value>, key: &str) -> Vec<&'v str> {
    list(labels, key).iter().filter_map(Value::as_str).collect()
}

/// Yes, no or undecided, in colour and in words.
fn chip(holds: Option<bool>, yes: &str, no: &str, undecided: &str) -> Markup {
    let (rating, word) = match holds {
        Some(true) => ("good", yes),
        Some(false) => ("fail", no),
        None => ("acceptable", undecided),
    };
    html! { span.rating data-rating=(rating) { (word) } }
}

/// A list of sentences with their quotations.
fn sentences(title: &str, said: &[&str], evidence: &mut Evidence<'_>) -> Markup {
    let said: Vec<Markup> = said.iter().map(|sentence| evidence.cite(sentence)).collect();
    html! { @if !said.is_empty() { h3 { (title) } ul { @for sentence in said { li { (sentence) } } } } }
}
