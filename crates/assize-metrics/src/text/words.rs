//! Words: what lies between spaces, and single characters in scripts written without spaces.

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
    let mut words = Vec::new();
    for chunk in text.split_whitespace() {
        if chunk.chars().any(is_written_without_spaces) {
            split_chunk(chunk, &mut words);
        } else {
            words.push(chunk);
        }
    }
    words
}

fn split_chunk<'a>(chunk: &'a str, words: &mut Vec<&'a str>) {
    let mut spaced_from = None;
    for (position, grapheme) in chunk.grapheme_indices(true) {
        if grapheme.chars().any(is_written_without_spaces) {
            if let Some(start) = spaced_from.take() {
                words.push(&chunk[start..position]);
            }
            words.push(grapheme);
        } else if spaced_from.is_none() {
            spaced_from = Some(position);
        }
    }
    if let Some(start) = spaced_from {
        words.push(&chunk[start..]);
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
