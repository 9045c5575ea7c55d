//! Marks in a text: what was found where, as segments that can be drawn.
//!
//! Marks may overlap (a word that was replaced inside of a quotation). The text is cut where any of them begins or ends, and
//! each piece carries all that is true of it.

use crate::visible::visible;
use assize_core::layout::{Mark, MarkKind};
use maud::{Markup, html};
use std::ops::Range;

/// A piece of a text with what is true of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Segment<'t> {
    text: &'t str,
    kinds: Vec<MarkKind>,
    links: String,
    titles: String,
}

/// Cuts a text where marks begin and end. What lies behind the text or not between characters is left out.
pub(super) fn segments<'t>(text: &'t str, marks: &[Mark]) -> Vec<Segment<'t>> {
    let mut marks: Vec<(Range<usize>, &Mark)> = marks
        .iter()
        .map(|mark| (mark.place.start..mark.place.end.min(text.len()), mark))
        .filter(|(place, _)| place.start <= place.end && text.get(place.clone()).is_some())
        .filter(|(place, mark)| !place.is_empty() || mark.kind == MarkKind::Gap)
        .collect();
    marks.sort_by_key(|(place, mark)| (place.start, mark.kind));
    let mut cuts: Vec<usize> = marks.iter().flat_map(|(place, _)| [place.start, place.end]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut segments = Vec::with_capacity(cuts.len());
    let mut waiting = marks.into_iter().peekable();
    let mut active: Vec<(Range<usize>, &Mark)> = Vec::new();
    for (at, cut) in cuts.iter().enumerate() {
        active.retain(|(place, _)| place.end > *cut);
        while let Some((place, mark)) = waiting.next_if(|(place, _)| place.start == *cut) {
            if place.is_empty() {
                segments.push(Segment::of("", &[(place, mark)]));
            } else {
                active.push((place, mark));
            }
        }
        if let Some(next) = cuts.get(at + 1) {
            segments.push(Segment::of(&text[*cut..*next], &active));
        }
    }
    segments
}

impl<'t> Segment<'t> {
    fn of(text: &'t str, marks: &[(Range<usize>, &Mark)]) -> Self {
        let mut kinds: Vec<MarkKind> = marks.iter().map(|(_, mark)| mark.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let joined = |pick: fn(&Mark) -> &str, between: &str| {
            let parts: Vec<&str> = marks.iter().map(|(_, mark)| pick(mark)).filter(|part| !part.is_empty()).collect();
            parts.join(between)
        };
        Self { text, kinds, links: joined(|mark| &mark.link, " "), titles: joined(|mark| &mark.title, "; ") }
    }

    fn classes(&self) -> String {
        let named = self.kinds.iter().filter_map(|kind| match kind {
            MarkKind::Added | MarkKind::Removed => None,
            MarkKind::Changed => Some("changed"),
            MarkKind::Gap => Some("gap"),
            MarkKind::Wrong => Some("wrong"),
            MarkKind::Cited => Some("cited"),
            MarkKind::Pointed => Some("pointed"),
        });
        named.collect::<Vec<_>>().join(" ")
    }

    fn draw(&self) -> Markup {
        let text = visible(self.text);
        if self.kinds.is_empty() {
            return html! { (text) };
        }
        let (classes, titles) = (self.classes(), visible(&self.titles));
        let link = (!self.links.is_empty()).then_some(&self.links);
        // Focus comes by script and by pointing: a text with a thousand marks must not take a thousand presses of Tab.
        let index = link.map(|_| "-1");
        html! {
            @if self.kinds.contains(&MarkKind::Removed) {
                del class=(classes) data-link=[link] tabindex=[index] title=(titles) { (text) }
            } @else if self.kinds.contains(&MarkKind::Added) {
                ins class=(classes) data-link=[link] tabindex=[index] title=(titles) { (text) }
            } @else {
                mark class=(classes) data-link=[link] tabindex=[index] title=(titles) {
                    @if self.text.is_empty() { "‸" } @else { (text) }
                }
            }
        }
    }
}

/// A text with its marks.
pub(super) fn marked(text: &str, marks: &[Mark]) -> Markup {
    html! { @for segment in segments(text, marks) { (segment.draw()) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(place: Range<usize>, kind: MarkKind, link: &str) -> Mark {
        Mark::new(place, kind, link, "")
    }

    fn shape<'t>(text: &'t str, marks: &[Mark]) -> Vec<(&'t str, Vec<MarkKind>, String)> {
        segments(text, marks).into_iter().map(|segment| (segment.text, segment.kinds, segment.links)).collect()
    }

    #[test]
    fn overlapping_marks_cut_the_text_where_they_begin_and_end() {
        let marks = [mark(2..6, MarkKind::Cited, "q1"), mark(4..8, MarkKind::Changed, "w1")];
        let expected = [
            ("ab", vec![], String::new()),
            ("cd", vec![MarkKind::Cited], "q1".into()),
            ("ef", vec![MarkKind::Changed, MarkKind::Cited], "q1 w1".into()),
            ("gh", vec![MarkKind::Changed], "w1".into()),
            ("ij", vec![], String::new()),
        ];
        assert_eq!(shape("abcdefghij", &marks), expected);
    }

    #[test]
    fn a_gap_stands_between_characters_and_what_is_outside_is_left_out() {
        let marks =
            [mark(2..2, MarkKind::Gap, "w1"), mark(3..99, MarkKind::Added, "w2"), mark(9..12, MarkKind::Wrong, "x")];
        let expected = [
            ("ab", vec![], String::new()),
            ("", vec![MarkKind::Gap], "w1".into()),
            ("c", vec![], String::new()),
            ("d", vec![MarkKind::Added], "w2".into()),
        ];
        assert_eq!(shape("abcd", &marks), expected);
        // In the middle of a character nothing can be marked.
        assert_eq!(shape("é", &[mark(1..2, MarkKind::Wrong, "x")]).len(), 1);
        assert_eq!(shape("", &[mark(0..0, MarkKind::Gap, "w")]), [("", vec![MarkKind::Gap], "w".to_owned())]);
    }

    #[test]
    fn text_is_text_whatever_it_says() {
        let text = "<script>alert(1)</script>\u{1b}[2J</textarea>";
        let drawn = marked(text, &[Mark::new(0..8, MarkKind::Wrong, "\"><b>", "\u{202e}<i>")]).into_string();
        assert!(drawn.starts_with(r#"<mark class="wrong" data-link="&quot;&gt;&lt;b&gt;""#), "{drawn}");
        assert!(drawn.contains("&lt;script&gt;</mark>alert(1)&lt;/script&gt;␛[2J&lt;/textarea&gt;"), "{drawn}");
        assert!(drawn.contains("⟨U+202E⟩&lt;i&gt;") && !drawn.contains("<i>"), "{drawn}");
    }
}
