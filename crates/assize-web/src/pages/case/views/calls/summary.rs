//! Sentiment of every sentence, and the summary of the call: its purpose, its highlights, its facts.

use super::super::super::evidence::Evidence;
use super::super::super::marks::{Kind, Mark};
use super::super::{Seen, chip, list, text, texts};
use super::Task;
use crate::visible::visible;
use assize_judges::systems::calls::compared::ComparedSentence;
use maud::{Markup, html};
use serde_json::Value;

pub(super) fn draw(seen: &Seen<'_>, sentences: &[ComparedSentence], evidence: &mut Evidence<'_>) -> Task {
    let (sentiment, marks) = sentiment(sentences, evidence);
    let body = html! { (purpose(seen)) (highlights(seen)) (facts(seen)) (emotion(seen)) (sentiment) };
    let labels: &[&str] =
        &["call_intent", "highlights", "highlights_missed", "facts", "emotion", "labels_left_out", "unknown_labels"];
    Task { body, marks, labels }
}

fn purpose(seen: &Seen<'_>) -> Markup {
    let Some(intent) = seen.labels.get("call_intent") else { return html! {} };
    let part = |key: &str| visible(text(intent, key).unwrap_or("–"));
    let (rating, word) = match text(intent, "label") {
        Some("equivalent") => ("good", "the same purpose"),
        Some("partial") => ("acceptable", "a part of it"),
        Some("wrong") => ("fail", "another purpose"),
        _ => ("", "not decided"),
    };
    html! {
        h3 { "Purpose of the call" }
        p { (part("given")) " " span.rating data-rating=(rating) { (word) } }
        p.faint { "Expected: " (part("expected")) }
        @if let Some(note) = text(intent, "note").filter(|note| !note.is_empty()) { p.faint { (visible(note)) } }
    }
}

fn highlights(seen: &Seen<'_>) -> Markup {
    let (given, missed) = (list(seen.labels, "highlights"), texts(seen.labels, "highlights_missed"));
    html! {
        @if !given.is_empty() || !missed.is_empty() {
            h3 { "Highlights" }
            ul.plain {
                @for highlight in given {
                    li {
                        (chip(highlight.get("accurate").and_then(Value::as_bool), "accurate", "not accurate", "open")) " "
                        (visible(text(highlight, "highlight").unwrap_or_default()))
                        @if let Some(expected) = text(highlight, "expected") { div.faint.small { "as expected: " (visible(expected)) } }
                        @else { div.faint.small { "none of the expected ones" } }
                    }
                }
                @for highlight in missed { li { span.rating data-rating="fail" { "missed" } " " (visible(highlight)) } }
            }
        }
    }
}

/// The statements of the summary, those that nothing supports first.
fn facts(seen: &Seen<'_>) -> Markup {
    let mut facts: Vec<(&str, Option<&str>)> = list(seen.labels, "facts")
        .iter()
        .filter_map(|fact| Some((text(fact, "fact")?, text(fact, "support"))))
        .collect();
    facts.sort_by_key(|(_, support)| match support {
        Some("neither") => 0,
        None => 1,
        _ => 2,
    });
    html! {
        @if !facts.is_empty() {
            h3 { "What the summary states" }
            ul.plain {
                @for (fact, support) in facts {
                    @let (rating, word) = match support {
                        Some("transcript") => ("good", "in the transcript"),
                        Some("expected") => ("good", "in the expected outcome"),
                        Some(_) => ("fail", "in neither"),
                        None => ("acceptable", "open"),
                    };
                    li { span.rating data-rating=(rating) { (word) } " " (visible(fact)) }
                }
            }
        }
    }
}

fn emotion(seen: &Seen<'_>) -> Markup {
    let Some(emotion) = seen.labels.get("emotion") else { return html! {} };
    let named = |key: &str| -> String {
        let names: Vec<&str> =
            emotion.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let (expected, given) = (named("expected"), named("given"));
    html! {
        h3 { "Strongest emotion" }
        p { (visible(&given)) " " (chip(Some(expected == given), "as expected", "not as expected", "")) " " span.faint { "expected " (visible(&expected)) } }
    }
}

/// Sentences whose label is wrong come first; each lights up where it is said.
fn sentiment(sentences: &[ComparedSentence], evidence: &mut Evidence<'_>) -> (Markup, Vec<Mark>) {
    let same = |sentence: &ComparedSentence| {
        let folded = |label: &Option<String>| label.as_deref().map(|label| label.trim().to_lowercase());
        folded(&sentence.expected) == folded(&sentence.given)
    };
    let mut sentences: Vec<&ComparedSentence> = sentences.iter().collect();
    sentences.sort_by_key(|sentence| same(sentence));
    let mut marks = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let place = sentence.source.as_deref().and_then(|source| evidence.place_of(source, "transcript"));
        marks.extend(place.map(|place| Mark::new(place, Kind::Pointed, link(number), "")));
    }
    let drawn = html! {
        @if !sentences.is_empty() {
            h3 { "Sentiment" }
            div.scroll tabindex="0" role="region" aria-label="Sentiment" { table.rulings {
                thead { tr { th { "Sentence" } th { "Expected" } th { "Given" } } }
                tbody {
                    @for (number, sentence) in sentences.iter().enumerate() {
                        tr data-link=(link(number)) {
                            td { span.faint { (visible(&sentence.id)) } " " (visible(sentence.source.as_deref().unwrap_or_default())) }
                            td { (visible(sentence.expected.as_deref().unwrap_or("–"))) }
                            td { (visible(sentence.given.as_deref().unwrap_or("none"))) " " (chip(Some(same(sentence)), "right", "wrong", "")) }
                        }
                    }
                }
            } }
        }
    };
    (drawn, marks)
}

fn link(number: usize) -> String {
    format!("s{number}")
}
