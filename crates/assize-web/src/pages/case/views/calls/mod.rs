//! Call intelligence: the questions, entities, sentences or translations of a call, expected and given side by side, with the
//! evidence in the transcript.

mod entities;
mod questions;
mod structure;
mod summary;
mod translations;

use super::super::evidence::Evidence;
use super::super::marks::Mark;
use super::super::pane::Pane;
use super::{Seen, View};
use assize_judges::systems::calls::compared::Parts;
use maud::{Markup, html};

/// What a task shows: its body, marks in the transcript beyond what is cited, and the labels it needs nowhere else.
struct Task {
    body: Markup,
    marks: Vec<Mark>,
    labels: &'static [&'static str],
}

pub(super) fn view(seen: &Seen<'_>, evidence: &mut Evidence<'_>) -> Option<View> {
    let call = seen.call?;
    let task = match &call.parts {
        Parts::Questions(questions) => questions::draw(seen, call, questions, evidence),
        Parts::Entities(entities) => entities::draw(seen, entities, evidence),
        Parts::Sentiments(sentences) => summary::draw(seen, sentences, evidence),
        Parts::Translations(sentences) => translations::draw(seen, sentences),
    };
    let mut labels = vec!["structure"];
    labels.extend(task.labels);
    let transcript = Pane { marks: task.marks, ..Pane::of_input("transcript", call.transcript()) };
    Some(View {
        body: html! { (structure::draw(seen)) (task.body) },
        panes: vec![transcript],
        beside: true,
        inputs: vec!["task", "transcript"],
        labels,
    })
}
