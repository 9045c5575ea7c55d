//! A transcript against its reference, word by word: what was replaced, added and left out, linked across the two texts.
//!
//! The alignment is the one that was judged: it stands among the labels, so that nothing is aligned anew for a page. What
//! is found here is only where its words stand in the texts as they were written.

use super::super::evidence::Evidence;
use super::super::marks::{Kind, Mark};
use super::super::pane::Pane;
use super::{Seen, View, list, text};
use crate::shown::{count, plural};
use crate::visible::beginning;
use assize_metrics::text::{LocatedWord, Normalisation, located_words};
use maud::{Markup, html};
use serde_json::Value;
use std::ops::Range;

/// As many characters of what was left out as a mark says.
const LONGEST_TITLE: usize = 200;

pub(super) fn view(seen: &Seen<'_>, _: &mut Evidence<'_>) -> Option<View> {
    let runs = list(seen.labels, "alignment");
    if runs.is_empty() {
        let too_long = seen.line.flags.iter().any(|flag| flag == "too_long_to_align");
        let body = html! { p.notice data-kind="warning" { "The texts are too long to be compared word by word; they are shown without marks." } };
        return too_long.then(|| View { body, ..View::default() });
    }
    let normalisation = normalisation(&seen.run.judge.settings);
    let located: Vec<(&str, Vec<LocatedWord>)> = seen
        .inputs
        .iter()
        .filter(|input| !input.is_json)
        .map(|input| (input.name.as_str(), located_words(&input.text, &normalisation)))
        .collect();
    let find = |side: &str| {
        let wanted: Vec<&str> = runs.iter().flat_map(|run| side_of(run, side)).collect();
        located.iter().find(|(_, words)| words.iter().map(|located| located.word.as_str()).eq(wanted.iter().copied()))
    };
    let ((reference_name, reference), (hypothesis_name, hypothesis)) = (find("reference")?, find("hypothesis")?);
    let Marked { reference, hypothesis, counts, .. } = mark(runs, reference, hypothesis, seen.whole.shown());
    let pane = |name: &str, marks: Vec<Mark>| Pane { marks, ..Pane::of_input(name, seen.inputs.text(name)) };
    Some(View {
        body: legend(counts),
        panes: vec![pane(reference_name, reference), pane(hypothesis_name, hypothesis)],
        labels: vec!["alignment"],
        ..View::default()
    })
}

/// How texts were normalised before they were compared, by the settings of the run.
fn normalisation(settings: &Value) -> Normalisation {
    let set = |name: &str| settings.pointer(&format!("/normalisation/{name}")).and_then(Value::as_bool).unwrap_or(true);
    Normalisation {
        unicode_nfkc: set("unicode"),
        fold_case: set("case"),
        strip_punctuation: set("punctuation"),
        collapse_whitespace: set("whitespace"),
    }
}

/// The words of one side of a run. Words hold no spaces, so they can be counted where they were joined.
fn side_of<'v>(run: &'v Value, side: &str) -> Vec<&'v str> {
    let joined = text(run, side).or_else(|| text(run, "text")).unwrap_or_default();
    joined.split(' ').filter(|word| !word.is_empty()).collect()
}

/// How many words were replaced, added, left out, and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    changed: u64,
    added: u64,
    removed: u64,
    kept: u64,
}

/// Both texts, marked.
#[derive(Default)]
struct Marked {
    reference: Vec<Mark>,
    hypothesis: Vec<Mark>,
    counts: Counts,
    links: u32,
}

/// One side of a difference: where it stands, what it is, and what to say of it.
type Side = (Range<usize>, Kind, String);

impl Marked {
    /// Marks a difference on both sides. What stands behind the part that is shown is left out.
    fn link(&mut self, reference: Side, hypothesis: Side, shown: usize) {
        self.links += 1;
        if reference.0.start.min(hypothesis.0.start) < shown {
            let link = format!("w{}", self.links);
            self.reference.push(Mark::new(reference.0, reference.1, link.clone(), reference.2));
            self.hypothesis.push(Mark::new(hypothesis.0, hypothesis.1, link, hypothesis.2));
        }
    }
}

/// Marks both texts as far as they are shown. Each replaced word is linked with the word in its place, and what is only on
/// one side with the gap it leaves on the other.
fn mark(runs: &[Value], reference: &[LocatedWord], hypothesis: &[LocatedWord], shown: usize) -> Marked {
    let mut marked = Marked::default();
    let (mut at_reference, mut at_hypothesis) = (0, 0);
    for run in runs {
        let (removed, added) = (side_of(run, "reference").len(), side_of(run, "hypothesis").len());
        let words = |side: &str| beginning(text(run, side).unwrap_or_default(), LONGEST_TITLE);
        match text(run, "op").unwrap_or_default() {
            "substitute" => {
                for (one, other) in reference[at_reference..].iter().zip(&hypothesis[at_hypothesis..]).take(removed) {
                    let (heard, said) = (format!("became “{}”", other.word), format!("was “{}”", one.word));
                    let reference = (one.place.clone(), Kind::Changed, heard);
                    marked.link(reference, (other.place.clone(), Kind::Changed, said), shown);
                }
                marked.counts.changed += removed as u64;
            }
            "delete" => {
                let place = stretch(reference, at_reference, removed);
                let left_out = (place, Kind::Removed, "left out of the other text".to_owned());
                let here = format!("left out here: “{}”", words("reference"));
                marked.link(left_out, (gap(hypothesis, at_hypothesis), Kind::Gap, here), shown);
                marked.counts.removed += removed as u64;
            }
            "insert" => {
                let place = stretch(hypothesis, at_hypothesis, added);
                let inserted = (place, Kind::Added, "not in the other text".to_owned());
                let here = format!("added in the other text: “{}”", words("hypothesis"));
                marked.link((gap(reference, at_reference), Kind::Gap, here), inserted, shown);
                marked.counts.added += added as u64;
            }
            _ => marked.counts.kept += removed as u64,
        }
        at_reference += removed;
        at_hypothesis += added;
    }
    marked
}

/// Where some words stand, from the first to the last.
fn stretch(words: &[LocatedWord], from: usize, count: usize) -> Range<usize> {
    match words.get(from..from + count) {
        Some([first, .., last]) => first.place.start..last.place.end,
        Some([only]) => only.place.clone(),
        _ => 0..0,
    }
}

/// Before a word, or behind the last one.
fn gap(words: &[LocatedWord], at: usize) -> Range<usize> {
    let place = match words.get(at) {
        Some(next) => next.place.start,
        None => words.last().map_or(0, |last| last.place.end),
    };
    place..place
}

fn legend(counts: Counts) -> Markup {
    let Counts { changed, added, removed, kept } = counts;
    html! {
        p.legend {
            mark.changed { (count(changed)) " replaced" } " "
            del { (count(removed)) " left out" } " "
            ins { (count(added)) " added" } " "
            span.faint { "of " (plural(kept + changed + removed, "word")) " in the reference" }
            @if changed + added + removed > 0 {
                " " span.faint { "· " kbd { "n" } " and " kbd { "p" } " go from one to the next" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_metrics::alignment::EditKind;
    use assize_metrics::error_rate::compare_words;
    use serde_json::json;

    const NORMAL: fn() -> Normalisation = Normalisation::default;

    /// The label as the judge writes it.
    fn runs(reference: &str, hypothesis: &str) -> Vec<Value> {
        let compared = compare_words(reference, hypothesis, &NORMAL()).expect("short");
        let runs = compared.alignment.runs.iter().map(|run| {
            let one = compared.reference[run.reference.clone()].join(" ");
            let other = compared.hypothesis[run.hypothesis.clone()].join(" ");
            match run.kind {
                EditKind::Equal => json!({"op": "equal", "text": one}),
                EditKind::Substitute => json!({"op": "substitute", "reference": one, "hypothesis": other}),
                EditKind::Insert => json!({"op": "insert", "hypothesis": other}),
                EditKind::Delete => json!({"op": "delete", "reference": one}),
            }
        });
        runs.collect()
    }

    fn seen<'t>(text: &'t str, marks: &[Mark]) -> Vec<(&'t str, Kind, String)> {
        marks.iter().map(|mark| (&text[mark.place.clone()], mark.kind, mark.link.clone())).collect()
    }

    #[test]
    fn words_are_marked_as_they_were_written_and_linked_across() {
        let (reference, hypothesis) = ("It’s $49, Priya — not forty!", "its $94 Priya, is not");
        let runs = runs(reference, hypothesis);
        let marked =
            mark(&runs, &located_words(reference, &NORMAL()), &located_words(hypothesis, &NORMAL()), usize::MAX);
        let expected = [
            ("$49", Kind::Changed, "w1".to_owned()),
            ("", Kind::Gap, "w2".into()),
            ("forty", Kind::Removed, "w3".into()),
        ];
        assert_eq!(seen(reference, &marked.reference), expected);
        let expected =
            [("$94", Kind::Changed, "w1".to_owned()), ("is", Kind::Added, "w2".into()), ("", Kind::Gap, "w3".into())];
        assert_eq!(seen(hypothesis, &marked.hypothesis), expected);
        assert_eq!(marked.reference[1].place.start, reference.find("not").expect("there"));
        assert_eq!(marked.hypothesis[2].place.start, hypothesis.len());
        assert_eq!(marked.counts, Counts { changed: 1, added: 1, removed: 1, kept: 3 });
    }

    #[test]
    fn what_is_not_shown_is_counted_and_not_marked() {
        let (reference, hypothesis) = ("a b c d", "x b c y");
        let (one, other) = (located_words(reference, &NORMAL()), located_words(hypothesis, &NORMAL()));
        let marked = mark(&runs(reference, hypothesis), &one, &other, 3);
        assert_eq!((marked.reference.len(), marked.hypothesis.len(), marked.counts.changed), (1, 1, 2));
    }

    #[test]
    fn an_empty_side_is_one_gap() {
        let runs = runs("", "all of it");
        let marked = mark(&runs, &[], &located_words("all of it", &NORMAL()), usize::MAX);
        assert_eq!(seen("", &marked.reference), [("", Kind::Gap, "w1".to_owned())]);
        assert_eq!(seen("all of it", &marked.hypothesis), [("all of it", Kind::Added, "w1".to_owned())]);
    }

    #[test]
    fn the_settings_of_the_run_say_how_words_were_compared() {
        let settings = json!({"normalisation": {"case": false}});
        assert!(!normalisation(&settings).fold_case && normalisation(&settings).strip_punctuation);
        assert_eq!(normalisation(&Value::Null), Normalisation::default());
    }
}
