//! Sentiment of every sentence, and the summary of the call: its purpose, its highlights, its facts.

use super::super::compared::{Compared, ComparedSentence};
use super::{TRANSCRIPT, Task, note, text};
use crate::evidence::Evidence;
use assize_core::layout::{Block, Column, Grid, GridRow, Inputs, Line, ListStyle, Mark, MarkKind, Notes, Piece};
use assize_core::{Rating, ShownCase};
use indexmap::IndexMap;
use serde_json::Value;

pub(super) fn task(shown: &ShownCase<'_>, call: &Compared, sentences: &[ComparedSentence]) -> Task {
    let (sentiment, marks) = sentiment(shown, call, sentences);
    let notes = [purpose(shown), highlights(shown), facts(shown), emotion(shown)];
    let notes = notes.into_iter().filter(|notes| !notes.is_empty()).map(Block::Notes);
    let findings = notes.chain(sentiment.map(Block::Table)).collect();
    let labels: &[&str] =
        &["call_intent", "highlights", "highlights_missed", "facts", "emotion", "labels_left_out", "unknown_labels"];
    Task { findings, marks, labels }
}

fn purpose(shown: &ShownCase<'_>) -> Notes {
    let Some(intent) = shown.labels.get("call_intent") else { return Notes::default() };
    let part = |key: &str| text(intent, key).unwrap_or("–");
    let outcome = match text(intent, "label") {
        Some("equivalent") => Piece::chip("the same purpose", Rating::Good),
        Some("partial") => Piece::chip("a part of it", Rating::Acceptable),
        Some("wrong") => Piece::chip("another purpose", Rating::Fail),
        _ => Piece::chip("not decided", None),
    };
    let mut lines = vec![
        Line::plain(part("given")).then(outcome),
        Line::of([Piece::faint(format!("Expected: {}", part("expected")))]),
    ];
    lines.extend(note(intent).map(|note| Line::of([Piece::faint(note)])));
    Notes::lines("Purpose of the call", lines)
}

fn highlights(shown: &ShownCase<'_>) -> Notes {
    let given = shown.list("highlights").iter().map(|highlight| {
        let accurate = highlight.get("accurate").and_then(Value::as_bool);
        let expected = match text(highlight, "expected") {
            Some(expected) => format!("as expected: {expected}"),
            None => "none of the expected ones".to_owned(),
        };
        let words = Piece::plain(text(highlight, "highlight").unwrap_or_default());
        let line = Line::of([Piece::verdict(accurate, "accurate", "not accurate", "open")]).then(words);
        vec![line, Line::small([Piece::faint(expected)])]
    });
    let missed = shown
        .texts("highlights_missed")
        .into_iter()
        .map(|highlight| vec![Line::of([Piece::chip("missed", Rating::Fail)]).then(Piece::plain(highlight))]);
    Notes::list("Highlights", ListStyle::Plain, given.chain(missed).collect())
}

/// The statements of the summary, those that nothing supports first.
fn facts(shown: &ShownCase<'_>) -> Notes {
    let facts = shown.list("facts").iter();
    let mut facts: Vec<(&str, Option<&str>)> =
        facts.filter_map(|fact| Some((text(fact, "fact")?, text(fact, "support")))).collect();
    facts.sort_by_key(|(_, support)| match support {
        Some("neither") => 0,
        None => 1,
        _ => 2,
    });
    let items = facts.into_iter().map(|(fact, support)| {
        let support = match support {
            Some("transcript") => Piece::chip("in the transcript", Rating::Good),
            Some("expected") => Piece::chip("in the expected outcome", Rating::Good),
            Some(_) => Piece::chip("in neither", Rating::Fail),
            None => Piece::chip("open", Rating::Acceptable),
        };
        vec![Line::of([support]).then(Piece::plain(fact))]
    });
    Notes::list("What the summary states", ListStyle::Plain, items.collect())
}

fn emotion(shown: &ShownCase<'_>) -> Notes {
    let Some(emotion) = shown.labels.get("emotion") else { return Notes::default() };
    let named = |key: &str| -> String {
        let names: Vec<&str> =
            emotion.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let (expected, given) = (named("expected"), named("given"));
    let same = Piece::verdict(Some(expected == given), "as expected", "not as expected", "");
    let line = Line::plain(given).then(same).then(Piece::faint(format!("expected {expected}")));
    Notes::lines("Strongest emotion", [line])
}

/// Sentences whose label is wrong come first; each lights up where it is said.
fn sentiment(shown: &ShownCase<'_>, call: &Compared, sentences: &[ComparedSentence]) -> (Option<Grid>, Vec<Mark>) {
    let same = |sentence: &ComparedSentence| {
        let folded = |label: &Option<String>| label.as_deref().map(|label| label.trim().to_lowercase());
        folded(&sentence.expected) == folded(&sentence.given)
    };
    let mut sentences: Vec<&ComparedSentence> = sentences.iter().collect();
    sentences.sort_by_key(|sentence| same(sentence));
    let mut inputs = Inputs::of(shown.case);
    inputs.rewrite(&IndexMap::from([(TRANSCRIPT.to_owned(), call.transcript().to_owned())]));
    let mut evidence = Evidence::over(&inputs, Some(&[TRANSCRIPT]));
    let (mut rows, mut marks) = (Vec::with_capacity(sentences.len()), Vec::new());
    for (number, sentence) in sentences.into_iter().enumerate() {
        let link = format!("s{number}");
        let place = sentence.source.as_deref().and_then(|source| evidence.place_of(source, TRANSCRIPT));
        marks.extend(place.map(|place| Mark::new(place, MarkKind::Pointed, link.clone(), "")));
        let said = Piece::plain(sentence.source.as_deref().unwrap_or_default());
        let right = Piece::verdict(Some(same(sentence)), "right", "wrong", "");
        let cells = [
            Line::of([Piece::faint(&sentence.id)]).then(said),
            Line::plain(sentence.expected.as_deref().unwrap_or("–")),
            Line::plain(sentence.given.as_deref().unwrap_or("none")).then(right),
        ];
        rows.push(GridRow { link, cells: cells.map(|line| vec![line]).to_vec() });
    }
    let columns = ["Sentence", "Expected", "Given"].map(Column::words).to_vec();
    let table = (!rows.is_empty()).then(|| Grid { title: "Sentiment".to_owned(), headed: true, columns, rows });
    (table, marks)
}
