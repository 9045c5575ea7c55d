//! Text from outside, made visible: characters that a browser would obey or hide are shown in their place.
//!
//! HTML escaping keeps a text from becoming markup. It does not keep it from turning the reading direction of the page
//! around, from hiding words between invisible characters, or from carrying escape codes unseen.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with every control and direction character as a sign that can be seen. Line breaks and tabs stay.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // A line break as Windows writes it is a line break.
            '\r' if characters.peek() == Some(&'\n') => {}
            // Unicode has pictures of the old control characters, 0x2400 above them.
            '\0'..='\u{1f}' if is_hidden(character) => {
                shown.push(char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'));
            }
            '\u{7f}' => shown.push('␡'),
            _ if is_hidden(character) => {
                // Writing to a String cannot fail.
                let _ = write!(shown, "⟨U+{:04X}⟩", character as u32);
            }
            _ => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// The beginning of a text, made visible, for headings and cells.
pub(super) fn beginning(text: &str, longest: usize) -> String {
    let mut characters = text.chars();
    let begun: String = characters.by_ref().take(longest).collect();
    let more = if characters.next().is_some() { "…" } else { "" };
    format!("{}{more}", visible(&begun))
}

fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        // Directions, and the marks that embed, override and isolate them.
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        // Width without ink. The joiners U+200C and U+200D are spelling in many scripts, and stay.
        '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' => true,
        // Line and paragraph separators, and the invisible tag letters in which words can be hidden.
        '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(visible("a\u{1b}[31mred\u{1b}[0m\0\u{7f}"), "a␛[31mred␛[0m␀␡");
        assert_eq!(visible("user\u{202e}nimda\u{2066}x"), "user⟨U+202E⟩nimda⟨U+2066⟩x");
        assert_eq!(visible("one\r\ntwo\rthree\tfour"), "one\ntwo␍three\tfour");
        assert_eq!(visible("\u{85}\u{e0041}\u{200b}"), "⟨U+0085⟩⟨U+E0041⟩⟨U+200B⟩");
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        for text in ["<script>alert(1)</script>", "क\u{200d}ष", "👩\u{200d}🚀 ﷺ עברית", "a\nb\tc"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert_eq!(beginning("a\u{202e}bcd", 3), "a⟨U+202E⟩b…");
        assert_eq!(beginning("abc", 3), "abc");
    }
}
