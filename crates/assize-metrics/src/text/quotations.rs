//! What stands in quotation marks.

use std::ops::Range;

/// Marks that open a quotation, and those that close it.
const MARKS: [(char, char); 8] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』'), ('‘', '’'), ('\'', '\'')];

/// Where the quotations of a text stand, without their marks. A mark inside a word is an apostrophe.
///
/// ```
/// use assize_metrics::text::quotations;
///
/// let text = "The agent's words were 'I don't know', not \"I do\".";
/// let quoted: Vec<&str> = quotations(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(quoted, ["I don't know", "I do"]);
/// ```
pub fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut before_is_word = false;
    // A mark that is never closed is looked for once, not at every place where it opens.
    let mut never_closed: Vec<char> = Vec::new();
    while let Some(character) = text[from..].chars().next() {
        let inside = from + character.len_utf8();
        let closing = MARKS.iter().find(|(open, _)| *open == character).map(|(_, close)| *close);
        let closing = closing.filter(|closing| !before_is_word && !never_closed.contains(closing));
        before_is_word = character.is_alphanumeric();
        from = inside;
        let Some(closing) = closing else { continue };
        match closed_at(&text[inside..], closing) {
            Some(length) => {
                found.push(inside..inside + length);
                from = inside + length + closing.len_utf8();
            }
            None => never_closed.push(closing),
        }
    }
    found
}

/// How far it is to the mark that closes. An apostrophe has a letter behind it.
fn closed_at(text: &str, closing: char) -> Option<usize> {
    text.char_indices().find_map(|(at, character)| {
        let inside_word = || text[at + character.len_utf8()..].chars().next().is_some_and(char::is_alphanumeric);
        (character == closing && !(matches!(closing, '\'' | '’') && inside_word())).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quoted(text: &str) -> Vec<&str> {
        quotations(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn apostrophes_do_not_open_quotations() {
        assert_eq!(
            quoted("The agent's tone wasn't 'I don't care' but \"very kind indeed\"."),
            ["I don't care", "very kind indeed"]
        );
        assert_eq!(quoted("„so“ and «ainsi» and 「はい」"), ["so", "ainsi", "はい"]);
        assert!(quoted("an \"open quotation").is_empty());
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in "[a '\"“”„‘’«»é]{0,40}") {
            let found = quotations(&text);
            prop_assert!(found.iter().all(|range| text.get(range.clone()).is_some()));
            prop_assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
