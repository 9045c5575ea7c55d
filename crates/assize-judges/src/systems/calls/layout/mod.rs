//! A call as it is read: its questions, entities, sentences or translations, expected and given side by side, with the
//! evidence in the transcript.

mod entities;
mod questions;
mod structure;
mod summary;
mod translations;

use super::compared::{Parts, compared};
use super::settings::Settings;
use assize_core::ShownCase;
use assize_core::layout::{Block, Layout, Mark, Pane, Section};
use indexmap::IndexMap;
use serde_json::Value;

/// The input that is searched for evidence.
const TRANSCRIPT: &str = "transcript";

/// What a task shows: its findings, marks in the transcript beyond what is cited, and the labels it needs nowhere else.
struct Task {
    findings: Vec<Block>,
    marks: Vec<Mark>,
    labels: &'static [&'static str],
}

pub(super) fn layout(shown: &ShownCase<'_>) -> Option<Layout> {
    let call = compared(shown.case, &Settings::of_run(shown.settings)).ok()?;
    let task = match &call.parts {
        Parts::Questions(questions) => questions::task(shown, &call, questions),
        Parts::Entities(entities) => entities::task(shown, entities),
        Parts::Sentiments(sentences) => summary::task(shown, &call, sentences),
        Parts::Translations(sentences) => translations::task(shown, sentences),
    };
    let findings = structure::notice(shown).map(Block::Notice).into_iter().chain(task.findings).collect();
    let transcript = Pane { marks: task.marks, ..Pane::of_input(TRANSCRIPT, call.transcript()) };
    let labels = std::iter::once(&"structure").chain(task.labels);
    Some(Layout {
        sections: vec![Section { findings, texts: vec![transcript], beside: true }],
        rewritten: IndexMap::from([(TRANSCRIPT.to_owned(), call.transcript().to_owned())]),
        evidence: Some(vec![TRANSCRIPT.to_owned()]),
        inputs: vec!["task".to_owned(), TRANSCRIPT.to_owned()],
        labels: labels.map(|label| (*label).to_owned()).collect(),
        ..Layout::default()
    })
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// A remark, where there is one.
fn note(value: &Value) -> Option<&str> {
    text(value, "note").filter(|note| !note.is_empty())
}
