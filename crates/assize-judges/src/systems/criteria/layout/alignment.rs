//! A transcript against its reference, word by word: what was replaced, added and left out, linked across the two texts.
//!
//! The alignment is the one that was judged: it stands among the labels, so that nothing is aligned anew for a page. What
//! is found here is only where its words stand in the texts as they were written.

use super::super::measure::CRITICAL;
use super::text;
use assize_core::ShownCase;
use assize_core::layout::{
    Block, Inputs, Layout, Line, ListStyle, Mark, MarkKind, Notes, Notice, Pane, Piece, Section,
};
use assize_core::number::{count, plural};
use assize_metrics::text::{LocatedWord, Normalisation, located_words};
use serde_json::Value;
use std::ops::Range;

/// As many characters of what was left out as a mark says.
const LONGEST_TITLE: usize = 200;

/// Adds the two texts, marked against each other.
pub(super) fn add(shown: &ShownCase<'_>, inputs: &Inputs, layout: &mut Layout) {
    let runs = shown.list("alignment");
    if runs.is_empty() && shown.is_flagged("too_long_to_align") {
        let words = "The texts are too long to be compared word by word; they are shown without marks.";
        let lines = vec![Line::plain(words)];
        let notice = Notice { is_error: false, lines, items: Vec::new(), not_listed: 0 };
        layout.sections.push(Section { findings: vec![Block::Notice(notice)], ..Section::default() });
    }
    if let Some(mut section) = section(runs, inputs, &normalisation(shown.settings)) {
        let critical = critical(shown);
        if !critical.is_empty() {
            section.findings.insert(0, Block::Notes(critical));
            layout.labels.push(CRITICAL.to_owned());
        }
        layout.sections.push(section);
        layout.labels.push("alignment".to_owned());
    }
}

/// What was changed so that the text says something else.
fn critical(shown: &ShownCase<'_>) -> Notes {
    let items = shown.list(CRITICAL).iter().filter_map(|difference| {
        let (kind, reference) = (text(difference, "kind")?, text(difference, "reference")?);
        let heard = text(difference, "hypothesis")?;
        let changed = Piece::marked(format!("“{reference}” → “{heard}”"), MarkKind::Wrong, "", "");
        Some(vec![Line::of([changed]).then(Piece::faint(kind))])
    });
    Notes::list("Critical differences", ListStyle::Bullets, items.collect())
}

fn section(runs: &[Value], inputs: &Inputs, normalisation: &Normalisation) -> Option<Section> {
    if runs.is_empty() {
        return None;
    }
    let located: Vec<(&str, Vec<LocatedWord>)> = inputs
        .iter()
        .filter(|input| !input.is_json)
        .map(|input| (input.name.as_str(), located_words(&input.text, normalisation)))
        .collect();
    let find = |side: &str| {
        let wanted: Vec<&str> = runs.iter().flat_map(|run| side_of(run, side)).collect();
        located.iter().find(|(_, words)| words.iter().map(|located| located.word.as_str()).eq(wanted.iter().copied()))
    };
    let ((reference_name, reference), (hypothesis_name, hypothesis)) = (find("reference")?, find("hypothesis")?);
    let Marked { reference, hypothesis, counts, .. } = mark(runs, reference, hypothesis);
    let pane = |name: &str, marks: Vec<Mark>| Pane { marks, ..Pane::of_input(name, inputs.text(name)) };
    let texts = vec![pane(reference_name, reference), pane(hypothesis_name, hypothesis)];
    Some(Section { findings: vec![Block::Notes(legend(counts))], texts, beside: false })
}

/// How texts were normalised before they were compared, by the settings of the run.
fn normalisation(settings: &Value) -> Normalisation {
    let given = |name: &str| settings.pointer(&format!("/normalisation/{name}")).and_then(Value::as_bool);
    let set = |name: &str| given(name).unwrap_or(true);
    Normalisation {
        unicode_nfkc: set("unicode"),
        fold_case: set("case"),
        strip_punctuation: set("punctuation"),
        collapse_whitespace: set("whitespace"),
        drop_annotations: given("drop_annotations").unwrap_or(false),
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
type Side = (Range<usize>, MarkKind, String);

impl Marked {
    /// Marks a difference on both sides.
    fn link(&mut self, reference: Side, hypothesis: Side) {
        self.links += 1;
        let link = format!("w{}", self.links);
        self.reference.push(Mark::new(reference.0, reference.1, link.clone(), reference.2));
        self.hypothesis.push(Mark::new(hypothesis.0, hypothesis.1, link, hypothesis.2));
    }
}

/// Marks both texts. Each replaced word is linked with the word in its place, and what is only on
/// one side with the gap it leaves on the other.
fn mark(runs: &[Value], reference: &[LocatedWord], hypothesis: &[LocatedWord]) -> Marked {
    let mut marked = Marked::default();
    let (mut at_reference, mut at_hypothesis) = (0, 0);
    for run in runs {
        let (removed, added) = (side_of(run, "reference").len(), side_of(run, "hypothesis").len());
        let words = |side: &str| beginning(text(run, side).unwrap_or_default());
        match text(run, "op").unwrap_or_default() {
            "substitute" => {
                for (one, other) in reference[at_reference..].iter().zip(&hypothesis[at_hypothesis..]).take(removed) {
                    let (heard, said) = (format!("became “{}”", other.word), format!("was “{}”", one.word));
                    let reference = (one.place.clone(), MarkKind::Changed, heard);
                    marked.link(reference, (other.place.clone(), MarkKind::Changed, said));
                }
                marked.counts.changed += removed as u64;
            }
            "delete" => {
                let place = stretch(reference, at_reference, removed);
                let left_out = (place, MarkKind::Removed, "left out of the other text".to_owned());
                let here = format!("left out here: “{}”", words("reference"));
                marked.link(left_out, (gap(hypothesis, at_hypothesis), MarkKind::Gap, here));
                marked.counts.removed += removed as u64;
            }
            "insert" => {
                let place = stretch(hypothesis, at_hypothesis, added);
                let inserted = (place, MarkKind::Added, "not in the other text".to_owned());
                let here = format!("added in the other text: “{}”", words("hypothesis"));
                marked.link((gap(reference, at_reference), MarkKind::Gap, here), inserted);
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

/// The beginning of what a mark says.
fn beginning(text: &str) -> String {
    let mut characters = text.chars();
    let begun: String = characters.by_ref().take(LONGEST_TITLE).collect();
    if characters.next().is_some() { format!("{begun}…") } else { begun }
}

fn legend(counts: Counts) -> Notes {
    let Counts { changed, added, removed, kept } = counts;
    let counted = |number: u64, word: &str, kind| Piece::marked(format!("{} {word}", count(number)), kind, "", "");
    let of = format!("of {} in the reference", plural(kept + changed + removed, "word"));
    let line = Line::of([counted(changed, "replaced", MarkKind::Changed)])
        .then(counted(removed, "left out", MarkKind::Removed))
        .then(counted(added, "added", MarkKind::Added))
        .then(Piece::faint(of));
    Notes::lines("", [line])
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

    fn seen<'t>(text: &'t str, marks: &[Mark]) -> Vec<(&'t str, MarkKind, String)> {
        marks.iter().map(|mark| (&text[mark.place.clone()], mark.kind, mark.link.clone())).collect()
    }

    #[test]
    fn words_are_marked_as_they_were_written_and_linked_across() {
        let (reference, hypothesis) = ("It’s $49, Priya — not forty!", "its $94 Priya, is not");
        let runs = runs(reference, hypothesis);
        let marked = mark(&runs, &located_words(reference, &NORMAL()), &located_words(hypothesis, &NORMAL()));
        let expected = [
            ("$49", MarkKind::Changed, "w1".to_owned()),
            ("", MarkKind::Gap, "w2".into()),
            ("forty", MarkKind::Removed, "w3".into()),
        ];
        assert_eq!(seen(reference, &marked.reference), expected);
        let expected = [
            ("$94", MarkKind::Changed, "w1".to_owned()),
            ("is", MarkKind::Added, "w2".into()),
            ("", MarkKind::Gap, "w3".into()),
        ];
        assert_eq!(seen(hypothesis, &marked.hypothesis), expected);
        assert_eq!(marked.reference[1].place.start, reference.find("not").expect("there"));
        assert_eq!(marked.hypothesis[2].place.start, hypothesis.len());
        assert_eq!(marked.counts, Counts { changed: 1, added: 1, removed: 1, kept: 3 });
    }

    #[test]
    fn an_empty_side_is_one_gap() {
        let runs = runs("", "all of it");
        let marked = mark(&runs, &[], &located_words("all of it", &NORMAL()));
        assert_eq!(seen("", &marked.reference), [("", MarkKind::Gap, "w1".to_owned())]);
        assert_eq!(seen("all of it", &marked.hypothesis), [("all of it", MarkKind::Added, "w1".to_owned())]);
    }

    #[test]
    fn the_settings_of_the_run_say_how_words_were_compared() {
        let settings = json!({"normalisation": {"case": false}});
        assert!(!normalisation(&settings).fold_case && normalisation(&settings).strip_punctuation);
        assert_eq!(normalisation(&Value::Null), Normalisation::default());
    }
}
