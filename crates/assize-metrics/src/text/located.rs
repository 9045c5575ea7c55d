//! The normalised words of a text with the places they have in the text as it was written.
//!
//! What was compared is normalised, what people read is not. Whoever marks in a text what was found among its words needs
//! the way back.

use super::normalise::{Normalisation, Stripping, push_folded, without_annotations};
use super::words::word_ranges;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// A normalised word and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedWord {
    /// The word, normalised.
    pub word: String,
    /// The bytes of the text that it was made from.
    pub place: Range<usize>,
}

/// The words of a text after [`normalise`](super::normalise), each with its place before.
///
/// ```
/// use assize_metrics::text::{Normalisation, located_words};
///
/// let words = located_words("“Don’t!” she said", &Normalisation::default());
/// assert_eq!(words[0].word, "dont");
/// assert_eq!(words[0].place, 3..10);
/// ```
pub fn located_words(text: &str, normalisation: &Normalisation) -> Vec<LocatedWord> {
    let characters = composed(&without_annotations(text, normalisation), normalisation);
    let mut normal = String::with_capacity(text.len());
    // For every character of the normal text, where it begins there and the bytes it comes from.
    let mut origins: Vec<(usize, Range<usize>)> = Vec::with_capacity(characters.len());
    let mut stripping = Stripping::default();
    for (at, (character, place)) in characters.iter().enumerate() {
        let next = |ahead: usize| characters.get(at + 1 + ahead).map(|(character, _)| *character);
        let kept = if normalisation.strip_punctuation { stripping.kept(*character, next) } else { Some(*character) };
        let Some(kept) = kept else { continue };
        origins.push((normal.len(), place.clone()));
        if normalisation.fold_case {
            push_folded(kept, &mut normal);
        } else {
            normal.push(kept);
        }
    }
    let mut origins = origins.into_iter().peekable();
    word_ranges(&normal)
        .into_iter()
        .map(|range| {
            while origins.next_if(|(at, _)| *at < range.start).is_some() {}
            let mut place: Option<Range<usize>> = None;
            while let Some((_, origin)) = origins.next_if(|(at, _)| *at < range.end) {
                let start = place.as_ref().map_or(origin.start, |place| place.start);
                place = Some(start..origin.end);
            }
            LocatedWord { word: normal[range].to_owned(), place: place.unwrap_or_default() }
        })
        .collect()
}

/// The characters of a text in their compatibility forms, each with the bytes it comes from.
fn composed(text: &str, normalisation: &Normalisation) -> Vec<(char, Range<usize>)> {
    if !normalisation.unicode_nfkc || text.is_ascii() {
        return text.char_indices().map(|(at, character)| (character, at..at + character.len_utf8())).collect();
    }
    // Characters that compose belong to one grapheme.
    text.grapheme_indices(true)
        .flat_map(|(at, grapheme)| {
            let place = at..at + grapheme.len();
            grapheme.nfkc().map(move |character| (character, place.clone()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{normalise, words};
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> Vec<(String, &str)> {
        located_words(text, &Normalisation::default())
            .into_iter()
            .map(|located| (located.word, &text[located.place]))
            .collect()
    }

    fn pairs<'a>(pairs: &[(&str, &'a str)]) -> Vec<(String, &'a str)> {
        pairs.iter().map(|(word, written)| ((*word).to_owned(), *written)).collect()
    }

    #[test]
    fn every_word_knows_where_it_stood() {
        let text = "Well-known: it’s £1,000.50 at 5 p.m.";
        let expected = [
            ("well", "Well"),
            ("known", "known"),
            ("its", "it’s"),
            ("£1,000.50", "£1,000.50"),
            ("at", "at"),
            ("5", "5"),
            ("pm", "p.m"),
        ];
        assert_eq!(written(text), pairs(&expected));
        assert_eq!(written("ﬁne e\u{301}té"), pairs(&[("fine", "ﬁne"), ("été", "e\u{301}té")]));
        assert_eq!(written("Tokyoは東京。"), pairs(&[("tokyo", "Tokyo"), ("は", "は"), ("東", "東"), ("京", "京")]));
        assert!(written(" … — ").is_empty());
    }

    proptest! {
        #[test]
        fn the_words_are_those_that_are_compared(text in any::<String>(), settings in any::<[bool; 4]>()) {
            let [unicode_nfkc, fold_case, strip_punctuation, drop_annotations] = settings;
            let normalisation =
                Normalisation { unicode_nfkc, fold_case, strip_punctuation, collapse_whitespace: true, drop_annotations };
            let located = located_words(&text, &normalisation);
            let normal = normalise(&text, &normalisation);
            let found: Vec<&str> = located.iter().map(|located| located.word.as_str()).collect();
            prop_assert_eq!(found, words(&normal));
            for pair in located.windows(2) {
                prop_assert!(pair[0].place.start <= pair[1].place.start);
            }
            prop_assert!(located.iter().all(|located| text.get(located.place.clone()).is_some_and(|t| !t.is_empty())));
        }
    }
}
