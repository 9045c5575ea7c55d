//! Words: what lies between spaces, and single characters in scripts written without spaces.

use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// The words of a text, in order.
///
/// Whitespace separates words. Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar are written
/// without it, so there each character, with the marks it carries, is a word of its own, and
/// an error rate over words still means something.
///
/// ```
/// use assize_metrics::text::words;
///
/// assert_eq!(words("Tokyo は東京"), ["Tokyo", "は", "東", "京"]);
/// ```
pub fn words(text: &str) -> Vec<&str> {
    word_ranges(text).into_iter().map(|range| &text[range]).collect()
}

/// Where the words of a text stand, in order.
pub(super) fn word_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return ranges;
        }
        let start = text.len() - rest.len();
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let chunk = &rest[..length];
        if chunk.chars().any(is_written_without_spaces) {
            split_chunk(chunk, start, &mut ranges);
        } else {
            ranges.push(start..start + length);
        }
        rest = &rest[length..];
    }
}

fn split_chunk(chunk: &str, start: usize, ranges: &mut Vec<Range<usize>>) {
    let mut spaced_from = None;
    for (position, grapheme) in chunk.grapheme_indices(true) {
        if grapheme.chars().any(is_written_without_spaces) {
            if let Some(from) = spaced_from.take() {
                ranges.push(start + from..start + position);
            }
            ranges.push(start + position..start + position + grapheme.len());
        } else if spaced_from.is_none() {
            spaced_from = Some(position);
        }
    }
    if let Some(from) = spaced_from {
        ranges.push(start + from..start + chunk.len());
    }
}

fn is_written_without_spaces(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0EFF}'     // Thai, Lao
        | '\u{1000}'..='\u{109F}'   // Myanmar
        | '\u{1780}'..='\u{17FF}'   // Khmer
        | '\u{3005}'..='\u{3007}'   // Han iteration marks, zero
        | '\u{3040}'..='\u{30FF}'   // Hiragana, Katakana
        | '\u{31F0}'..='\u{31FF}'   // Katakana extensions
        | '\u{3400}'..='\u{4DBF}'   // Han extension A
        | '\u{4E00}'..='\u{9FFF}'   // Han
        | '\u{A9E0}'..='\u{A9FF}'   // Myanmar extended B
        | '\u{AA60}'..='\u{AA7F}'   // Myanmar extended A
        | '\u{F900}'..='\u{FAFF}'   // Han compatibility
        | '\u{FF66}'..='\u{FF9F}'   // half-width Katakana
        | '\u{20000}'..='\u{3FFFF}' // Han extensions B and on
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_and_scripts() {
        assert_eq!(words(" one  two\nthree "), ["one", "two", "three"]);
        assert_eq!(words("iPhoneは10台"), ["iPhone", "は", "10", "台"]);
        // The vowel sign belongs to its consonant.
        assert_eq!(words("กิน"), ["กิ", "น"]);
        assert_eq!(words("한국어 단어"), ["한국어", "단어"]);
        assert!(words(" \u{3000}").is_empty());
    }
}
