//! A pane: one text of a case with what was found in it.

use super::marks::marked;
use crate::visible::visible;
use assize_core::layout::{Mark, Pane};
use maud::{Markup, html};
use std::ops::Range;

/// As many bytes of a text as a page shows without being asked for all of it.
const SHOWN: usize = 30_000;

/// Whether texts are shown to their end, and where they are.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) wanted: bool,
    /// The address of the page that shows all of it.
    pub(super) address: String,
}

/// A text with its marks.
pub(super) fn draw(pane: &Pane, whole: &Whole) -> Markup {
    let shown = beginning(&pane.text, whole);
    html! {
        section.pane {
            h3 { (visible(&pane.title)) }
            @if pane.text.trim().is_empty() { p.faint { "empty" } }
            // What scrolls must be reachable by keyboard.
            @else if pane.steps { ol.text.steps tabindex="0" aria-label=(visible(&pane.title)) { (numbered(pane, shown)) } }
            @else {
                div.text.mono[pane.code] tabindex="0" role="region" aria-label=(visible(&pane.title)) { (marked(shown, &pane.marks)) }
            }
            (rest(shown.len(), pane.text.len(), whole))
        }
    }
}

/// The paragraphs as a numbered list.
fn numbered(pane: &Pane, shown: &str) -> Markup {
    html! {
        @for step in steps(shown) {
            li { (marked(&shown[step.clone()], &within(&pane.marks, &step))) }
        }
    }
}

/// A text that is not a pane of its own: a message, a reply.
pub(super) fn plain(text: &str, whole: &Whole) -> Markup {
    let shown = beginning(text, whole);
    html! { pre tabindex="0" { (visible(shown)) } (rest(shown.len(), text.len(), whole)) }
}

fn rest(shown: usize, all: usize, whole: &Whole) -> Markup {
    html! {
        @if shown < all {
            p.small { "The first " (kilobytes(shown)) " of " (kilobytes(all)) ". " a href=(whole.address) { "Show all " (kilobytes(all)) } }
        }
    }
}

fn kilobytes(bytes: usize) -> String {
    format!("{} kB", bytes.div_ceil(1000))
}

/// The part of a long text that is shown.
fn beginning<'t>(text: &'t str, whole: &Whole) -> &'t str {
    // A little more than is shown is not worth a second look.
    if whole.wanted || text.len() <= SHOWN + SHOWN / 10 {
        return text;
    }
    let end = (0..=SHOWN).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    &text[..end]
}

/// The name of an input as people say it.
pub(super) fn said(name: &str) -> String {
    name.replace('_', " ")
}

/// The steps of a text: paragraphs, or lines that begin with a number or with `Step`.
fn steps(text: &str) -> Vec<Range<usize>> {
    let mut steps: Vec<Range<usize>> = Vec::new();
    let (mut offset, mut after_blank) = (0, true);
    for line in text.split_inclusive('\n') {
        let place = offset..offset + line.trim_end().len();
        offset += line.len();
        if place.is_empty() || line.trim().is_empty() {
            after_blank = true;
            continue;
        }
        match steps.last_mut() {
            Some(last) if !after_blank && !begins_a_step(line) => last.end = place.end,
            _ => steps.push(place),
        }
        after_blank = false;
    }
    steps
}

fn begins_a_step(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['*', '#', '-', ' ']);
    let number = line.trim_start_matches(|character: char| character.is_ascii_digit());
    let is_step = line.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("step"));
    is_step
        || (number.len() < line.len()
            && number.starts_with(['.', ')', ':'])
            && !number[1..].starts_with(|next: char| next.is_ascii_digit()))
}

/// The marks of a part of a text, as that part counts its bytes.
fn within(marks: &[Mark], part: &Range<usize>) -> Vec<Mark> {
    let inside = |mark: &&Mark| mark.place.start < part.end && mark.place.end > part.start;
    let moved = |mark: &Mark| {
        let place = mark.place.start.max(part.start) - part.start..mark.place.end.min(part.end) - part.start;
        Mark { place, ..mark.clone() }
    };
    marks.iter().filter(inside).map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::layout::MarkKind;

    #[test]
    fn long_texts_are_cut_between_characters_and_say_so() {
        let whole = Whole { wanted: false, address: "/all".into() };
        let pane = Pane::of_input("candidate_output", "é".repeat(100_000));
        let drawn = draw(&pane, &whole).into_string();
        assert!(
            drawn.contains("candidate output") && drawn.contains("The first 30 kB of 200 kB."),
            "{}",
            &drawn[..300]
        );
        assert_eq!(drawn.matches('é').count(), 15_000);
        let all = draw(&pane, &Whole { wanted: true, ..whole }).into_string();
        assert_eq!((all.matches('é').count(), all.contains("Show all")), (100_000, false));
    }

    #[test]
    fn steps_are_paragraphs_or_numbered_lines() {
        let text = "Step 1: add.\n2 + 2 = 4\n\nThen this.\n2. Multiply\n3.5 apples\n";
        let found: Vec<&str> = steps(text).into_iter().map(|step| &text[step]).collect();
        assert_eq!(found, ["Step 1: add.\n2 + 2 = 4", "Then this.", "2. Multiply\n3.5 apples"]);
    }

    #[test]
    fn marks_move_with_their_step() {
        let mark = |place: Range<usize>| Mark::new(place, MarkKind::Wrong, "x", "");
        assert_eq!(within(&[mark(2..12), mark(0..3), mark(11..20)], &(5..10)), [mark(0..5)]);
    }
}
