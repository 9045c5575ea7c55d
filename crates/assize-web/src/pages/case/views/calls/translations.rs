//! Translations sentence by sentence, the least alike first, with the words that differ from the expected translation.

use super::super::super::marks::{Kind, Mark, marked};
use super::super::{Seen, chip, list, text};
use super::Task;
use crate::shown::figure;
use crate::visible::visible;
use assize_judges::systems::calls::compared::ComparedSentence;
use assize_metrics::alignment::{EditKind, align};
use assize_metrics::text::{Normalisation, located_words};
use maud::{Markup, html};
use serde_json::Value;
use std::collections::HashMap;

/// Sentences of more words than this are shown without marks: they are no sentences.
const LONGEST: usize = 400;

pub(super) fn draw(seen: &Seen<'_>, sentences: &[ComparedSentence]) -> Task {
    let likeness: HashMap<&str, f64> = list(seen.labels, "least_alike")
        .iter()
        .filter_map(|entry| Some((text(entry, "source_id")?, entry.get("likeness")?.as_f64()?)))
        .collect();
    let of = |sentence: &ComparedSentence| likeness.get(sentence.id.as_str()).copied();
    let mut sentences: Vec<&ComparedSentence> = sentences.iter().collect();
    // What is not among the least alike is more alike than they are.
    sentences.sort_by(|one, other| of(one).unwrap_or(f64::MAX).total_cmp(&of(other).unwrap_or(f64::MAX)));
    let body = html! {
        (fluency(seen))
        (terms(seen))
        (facts(seen))
        h3 { "Sentences, the least alike first" }
        @for (number, sentence) in sentences.iter().enumerate() { (drawn(number, sentence, of(sentence))) }
    };
    let labels = &["least_alike", "fluency", "domain_terms", "proper_nouns", "critical_facts", "numbers_differ"];
    Task { body, marks: Vec::new(), labels }
}

fn drawn(number: usize, sentence: &ComparedSentence, likeness: Option<f64>) -> Markup {
    let (expected, given) = (sentence.expected.as_deref().unwrap_or_default(), sentence.given.as_deref());
    let (of_expected, of_given) = differences(number, expected, given.unwrap_or_default());
    html! {
        article.sentence {
            p.faint { b { (visible(&sentence.id)) } " " (visible(sentence.source.as_deref().unwrap_or_default()))
                @if let Some(likeness) = likeness { " " span.nowrap { "likeness " (figure(Some(likeness))) } } }
            p { span.faint { "given " } @if let Some(given) = given { (marked(given, &of_given)) } @else { span.rating data-rating="fail" { "not translated" } } }
            @if given != Some(expected) { p { span.faint { "expected " } (marked(expected, &of_expected)) } }
        }
    }
}

/// Marks in the expected and in the given translation.
fn differences(number: usize, expected: &str, given: &str) -> (Vec<Mark>, Vec<Mark>) {
    let (one, other) =
        (located_words(expected, &Normalisation::default()), located_words(given, &Normalisation::default()));
    let words = |located: &[assize_metrics::text::LocatedWord]| -> Vec<String> {
        located.iter().map(|located| located.word.clone()).collect()
    };
    if given.is_empty() || one.len().max(other.len()) > LONGEST {
        return (Vec::new(), Vec::new());
    }
    let Ok(alignment) = align(&words(&one), &words(&other)) else { return (Vec::new(), Vec::new()) };
    let (mut of_expected, mut of_given) = (Vec::new(), Vec::new());
    for (at, run) in alignment.runs.iter().enumerate().filter(|(_, run)| run.kind != EditKind::Equal) {
        let link = format!("t{number}-{at}");
        let place = |words: &[assize_metrics::text::LocatedWord]| match words {
            [first, .., last] => Some(first.place.start..last.place.end),
            [only] => Some(only.place.clone()),
            [] => None,
        };
        let kinds = match run.kind {
            EditKind::Substitute | EditKind::Equal => (Kind::Changed, Kind::Changed),
            EditKind::Insert | EditKind::Delete => (Kind::Removed, Kind::Added),
        };
        let mark = |place, kind| Mark::new(place, kind, link.clone(), "");
        of_expected.extend(place(&one[run.reference.clone()]).map(|place| mark(place, kinds.0)));
        of_given.extend(place(&other[run.hypothesis.clone()]).map(|place| mark(place, kinds.1)));
    }
    (of_expected, of_given)
}

fn fluency(seen: &Seen<'_>) -> Markup {
    html! {
        @if let Some(fluency) = seen.labels.get("fluency") {
            p { "Fluency: " b { (visible(&text(fluency, "label").unwrap_or("not decided").replace('_', " "))) }
                @if let Some(note) = text(fluency, "note").filter(|note| !note.is_empty()) { " " span.faint { (visible(note)) } } }
        }
    }
}

/// Terms and names that had to be kept.
fn terms(seen: &Seen<'_>) -> Markup {
    let terms: Vec<&Value> = ["domain_terms", "proper_nouns"].iter().flat_map(|key| list(seen.labels, key)).collect();
    html! {
        @if !terms.is_empty() {
            h3 { "Terms and names" }
            ul.plain {
                @for term in terms {
                    li {
                        (chip(term.get("preserved").and_then(Value::as_bool), "preserved", "not preserved", "open")) " "
                        b { (visible(text(term, "term").unwrap_or_default())) } " as " (visible(text(term, "handled_as").unwrap_or("–")))
                        @if text(term, "handled_as") != text(term, "expected") { span.faint { ", expected " (visible(text(term, "expected").unwrap_or_default())) } }
                        @if term.get("in_translation") == Some(&Value::Bool(false)) { span.faint { ", not in the translation" } }
                    }
                }
            }
        }
    }
}

/// Facts that had to be kept, those that were not first.
fn facts(seen: &Seen<'_>) -> Markup {
    let label = seen.labels.get("critical_facts");
    let of =
        |key: &str| label.and_then(|label| label.get(key)).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut facts: Vec<&Value> = of("facts").iter().collect();
    facts.sort_by_key(|fact| text(fact, "status") == Some("kept"));
    html! {
        @if !facts.is_empty() || !of("added").is_empty() {
            h3 { "Critical facts" }
            ul.plain {
                @for fact in facts {
                    @let kept = text(fact, "status").map(|status| status == "kept");
                    li { (chip(kept, "kept", text(fact, "status").unwrap_or_default(), "open")) " " (visible(text(fact, "fact").unwrap_or_default()))
                        @if kept == Some(false) { span.faint { ", found: " (visible(text(fact, "observed").filter(|seen| !seen.is_empty()).unwrap_or("nothing"))) } } }
                }
                @for fact in of("added") { li { span.rating data-rating="fail" { "added" } " " (visible(fact.as_str().or_else(|| text(fact, "fact")).unwrap_or_default())) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_are_marked_on_both_sides() {
        let (expected, given) = ("Das Geld kommt in 3 Tagen.", "Geld kommt in 5 Tagen an");
        let (of_expected, of_given) = differences(7, expected, given);
        let seen = |text: &str, marks: &[Mark]| -> Vec<(String, Kind, String)> {
            marks.iter().map(|mark| (text[mark.place.clone()].to_owned(), mark.kind, mark.link.clone())).collect()
        };
        assert_eq!(
            seen(expected, &of_expected),
            [("Das".to_owned(), Kind::Removed, "t7-0".to_owned()), ("3".into(), Kind::Changed, "t7-2".into())]
        );
        assert_eq!(
            seen(given, &of_given),
            [("5".to_owned(), Kind::Changed, "t7-2".to_owned()), ("an".into(), Kind::Added, "t7-4".into())]
        );
    }
}
