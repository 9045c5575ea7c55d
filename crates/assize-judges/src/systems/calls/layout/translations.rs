//! Translations sentence by sentence, the least alike first, with the words that differ from the expected translation.

use super::super::compared::ComparedSentence;
use super::{Task, note, text};
use assize_core::layout::{Block, Line, ListStyle, Mark, MarkKind, Notes, Piece};
use assize_core::number::figure;
use assize_core::{Rating, ShownCase};
use assize_metrics::alignment::{EditKind, align};
use assize_metrics::text::{LocatedWord, Normalisation, located_words};
use serde_json::Value;
use std::collections::HashMap;

/// Sentences of more words than this are shown without marks: they are no sentences.
const LONGEST: usize = 400;

pub(super) fn task(shown: &ShownCase<'_>, sentences: &[ComparedSentence]) -> Task {
    let likeness: HashMap<&str, f64> = shown
        .list("least_alike")
        .iter()
        .filter_map(|entry| Some((text(entry, "source_id")?, entry.get("likeness")?.as_f64()?)))
        .collect();
    let of = |sentence: &ComparedSentence| likeness.get(sentence.id.as_str()).copied();
    let mut sentences: Vec<&ComparedSentence> = sentences.iter().collect();
    // What is not among the least alike is more alike than they are.
    sentences.sort_by(|one, other| of(one).unwrap_or(f64::MAX).total_cmp(&of(other).unwrap_or(f64::MAX)));
    let items = sentences.iter().enumerate().map(|(number, sentence)| item(number, sentence, of(sentence))).collect();
    let notes = [
        fluency(shown),
        terms(shown),
        facts(shown),
        Notes::list("Sentences, the least alike first", ListStyle::Apart, items),
    ];
    let labels = &["least_alike", "fluency", "domain_terms", "proper_nouns", "critical_facts", "numbers_differ"];
    let findings = notes.into_iter().filter(|notes| !notes.is_empty()).map(Block::Notes).collect();
    Task { findings, marks: Vec::new(), labels }
}

fn item(number: usize, sentence: &ComparedSentence, likeness: Option<f64>) -> Vec<Line> {
    let (expected, given) = (sentence.expected.as_deref().unwrap_or_default(), sentence.given.as_deref());
    let (of_expected, of_given) = differences(number, expected, given.unwrap_or_default());
    let mut head =
        Line::of([Piece::strong(&sentence.id)]).then(Piece::faint(sentence.source.as_deref().unwrap_or_default()));
    if let Some(likeness) = likeness {
        head = head.then(Piece::faint(format!("likeness {}", figure(Some(likeness)))));
    }
    let marked = |text: &str, marks: Vec<Mark>| Piece::Marked { text: text.to_owned(), marks };
    let said = given.map_or_else(|| Piece::chip("not translated", Rating::Fail), |given| marked(given, of_given));
    let mut lines = vec![head, Line::of([Piece::faint("given "), said])];
    if given != Some(expected) {
        lines.push(Line::of([Piece::faint("expected "), marked(expected, of_expected)]));
    }
    lines
}

/// Marks in the expected and in the given translation.
fn differences(number: usize, expected: &str, given: &str) -> (Vec<Mark>, Vec<Mark>) {
    let (one, other) =
        (located_words(expected, &Normalisation::default()), located_words(given, &Normalisation::default()));
    let words =
        |located: &[LocatedWord]| -> Vec<String> { located.iter().map(|located| located.word.clone()).collect() };
    if given.is_empty() || one.len().max(other.len()) > LONGEST {
        return (Vec::new(), Vec::new());
    }
    let Ok(alignment) = align(&words(&one), &words(&other)) else { return (Vec::new(), Vec::new()) };
    let (mut of_expected, mut of_given) = (Vec::new(), Vec::new());
    for (at, run) in alignment.runs.iter().enumerate().filter(|(_, run)| run.kind != EditKind::Equal) {
        let link = format!("t{number}-{at}");
        let place = |words: &[LocatedWord]| match words {
            [first, .., last] => Some(first.place.start..last.place.end),
            [only] => Some(only.place.clone()),
            [] => None,
        };
        let kinds = match run.kind {
            EditKind::Substitute | EditKind::Equal => (MarkKind::Changed, MarkKind::Changed),
            EditKind::Insert | EditKind::Delete => (MarkKind::Removed, MarkKind::Added),
        };
        let mark = |place, kind| Mark::new(place, kind, link.clone(), "");
        of_expected.extend(place(&one[run.reference.clone()]).map(|place| mark(place, kinds.0)));
        of_given.extend(place(&other[run.hypothesis.clone()]).map(|place| mark(place, kinds.1)));
    }
    (of_expected, of_given)
}

fn fluency(shown: &ShownCase<'_>) -> Notes {
    let Some(fluency) = shown.labels.get("fluency") else { return Notes::default() };
    let label = text(fluency, "label").unwrap_or("not decided").replace('_', " ");
    let mut line = Line::of([Piece::plain("Fluency: "), Piece::strong(label)]);
    if let Some(note) = note(fluency) {
        line = line.then(Piece::faint(note));
    }
    Notes::lines("", [line])
}

/// Terms and names that had to be kept.
fn terms(shown: &ShownCase<'_>) -> Notes {
    let terms = ["domain_terms", "proper_nouns"].into_iter().flat_map(|key| shown.list(key));
    let item = |term: &Value| {
        let preserved = term.get("preserved").and_then(Value::as_bool);
        let part = |key: &str| text(term, key);
        let mut line = Line::of([Piece::verdict(preserved, "preserved", "not preserved", "open")])
            .then(Piece::strong(part("term").unwrap_or_default()));
        line.pieces.push(Piece::plain(format!(" as {}", part("handled_as").unwrap_or("–"))));
        if part("handled_as") != part("expected") {
            line.pieces.push(Piece::faint(format!(", expected {}", part("expected").unwrap_or_default())));
        }
        if term.get("in_translation") == Some(&Value::Bool(false)) {
            line.pieces.push(Piece::faint(", not in the translation"));
        }
        vec![line]
    };
    Notes::list("Terms and names", ListStyle::Plain, terms.map(item).collect())
}

/// Facts that had to be kept, those that were not first.
fn facts(shown: &ShownCase<'_>) -> Notes {
    let label = shown.labels.get("critical_facts");
    let of =
        |key: &str| label.and_then(|label| label.get(key)).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut facts: Vec<&Value> = of("facts").iter().collect();
    facts.sort_by_key(|fact| text(fact, "status") == Some("kept"));
    let kept = facts.into_iter().map(|fact| {
        let status = text(fact, "status");
        let kept = status.map(|status| status == "kept");
        let mut line = Line::of([Piece::verdict(kept, "kept", status.unwrap_or_default(), "open")])
            .then(Piece::plain(text(fact, "fact").unwrap_or_default()));
        if kept == Some(false) {
            let observed = text(fact, "observed").filter(|observed| !observed.is_empty()).unwrap_or("nothing");
            line.pieces.push(Piece::faint(format!(", found: {observed}")));
        }
        vec![line]
    });
    let added = of("added").iter().map(|fact| {
        let words = fact.as_str().or_else(|| text(fact, "fact")).unwrap_or_default();
        vec![Line::of([Piece::chip("added", Rating::Fail)]).then(Piece::plain(words))]
    });
    Notes::list("Critical facts", ListStyle::Plain, kept.chain(added).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_are_marked_on_both_sides() {
        let (expected, given) = ("Das Geld kommt in 3 Tagen.", "Geld kommt in 5 Tagen an");
        let (of_expected, of_given) = differences(7, expected, given);
        let seen = |text: &str, marks: &[Mark]| -> Vec<(String, MarkKind, String)> {
            marks.iter().map(|mark| (text[mark.place.clone()].to_owned(), mark.kind, mark.link.clone())).collect()
        };
        assert_eq!(
            seen(expected, &of_expected),
            [("Das".to_owned(), MarkKind::Removed, "t7-0".to_owned()), ("3".into(), MarkKind::Changed, "t7-2".into())]
        );
        assert_eq!(
            seen(given, &of_given),
            [("5".to_owned(), MarkKind::Changed, "t7-2".to_owned()), ("an".into(), MarkKind::Added, "t7-4".into())]
        );
    }
}
