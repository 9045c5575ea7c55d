//! Which script a text is written in, and whether a word in one script is a word of another, heard.
//!
//! [`romanise`] writes the scripts of India, Cyrillic, Greek, Arabic and Katakana in Latin letters by tables. [`sounds_alike`] compares a word
//! with what it may have been written from: `payment` and `पेमेंट` are one word, heard and spelt twice. Scripts that
//! have no table (Hebrew, Thai, Hangul, Han, Hiragana) are recognised and not romanised.

mod common;
mod romanise;
mod sound;

pub use romanise::romanise;
pub use sound::{Sound, sounds_alike};

/// A script, as far as comparing texts needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Script {
    /// Latin letters.
    Latin,
    /// Devanagari: Hindi, Marathi, Nepali.
    Devanagari,
    /// Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, numbered in this order from 1.
    Indic(u8),
    /// Cyrillic letters.
    Cyrillic,
    /// Greek letters.
    Greek,
    /// Arabic letters.
    Arabic,
    /// Hebrew letters.
    Hebrew,
    /// Thai letters.
    Thai,
    /// Hangul.
    Hangul,
    /// Han characters and Kana, which Japanese mixes.
    HanAndKana,
    /// Letters of any other script.
    Other,
}

/// The script of a letter; `None` for what is no letter.
pub fn script_of(character: char) -> Option<Script> {
    Some(match character {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        '\0'..='\u{7f}' => return None,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        '\u{980}'..='\u{d7f}' => Script::Indic(((character as u32 - 0x900) / 0x80) as u8),
        '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => Script::HanAndKana,
        _ if !character.is_alphabetic() => return None,
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}' | 'ª' | 'º' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}' => Script::Cyrillic,
        '\u{590}'..='\u{5ff}' => Script::Hebrew,
        '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => {
            Script::Arabic
        }
        '\u{e00}'..='\u{e7f}' => Script::Thai,
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' => Script::Hangul,
        '\u{3005}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => {
            Script::HanAndKana
        }
        _ => Script::Other,
    })
}

/// The script most letters of a text belong to, the first of them on a tie; `None` where it has no letters.
///
/// ```
/// use assize_metrics::script::{Script, main_script};
///
/// assert_eq!(main_script("मेरा refund कब आएगा?"), Some(Script::Devanagari));
/// assert_eq!(main_script("24/7"), None);
/// ```
pub fn main_script(text: &str) -> Option<Script> {
    if text.is_ascii() {
        return text.bytes().any(|byte| byte.is_ascii_alphabetic()).then_some(Script::Latin);
    }
    let mut counts: Vec<(Script, usize)> = Vec::new();
    for script in text.chars().filter_map(script_of) {
        match counts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts.iter().find(|(_, count)| *count == most).map(|(script, _)| *script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_script_and_marks_follow_theirs() {
        for (text, script) in [
            ("Straße", Some(Script::Latin)),
            ("रिफंड", Some(Script::Devanagari)),
            ("பணம்", Some(Script::Indic(5))),
            ("платёж", Some(Script::Cyrillic)),
            ("返金をお願いします", Some(Script::HanAndKana)),
            ("환불", Some(Script::Hangul)),
            ("12 % — …", None),
            ("", None),
        ] {
            assert_eq!(main_script(text), script, "{text}");
        }
    }
}
