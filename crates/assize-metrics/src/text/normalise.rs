//! Normalising: what two spellings of the same words have in common.
//!
//! Punctuation becomes a space, so `end.Start` is two words, with these exceptions:
//! apostrophes inside a word vanish (`don't` is `dont`); dots of initials vanish (`p.m.` is `pm`);
//! `.` and `,` between digits stay (`3.5`, `1,000`), as does the sign of a number (`-5`); hyphens
//! are spaces (`twenty-five` is two words). Percent signs and symbols (currency, `+`, `=`, `°`)
//! stay, because they carry meaning; the symbols that only mark text up (`` ` ^ ~ | ``) go.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Which differences [`normalise`] takes away; all of them by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Normalisation {
    /// Compatibility forms: full-width letters, ligatures, composed and decomposed accents.
    pub unicode_nfkc: bool,
    /// Upper and lower case, with `ß` as `ss` and the final `ς` as `σ`.
    pub fold_case: bool,
    /// Punctuation, as the module describes.
    pub strip_punctuation: bool,
    /// Runs of whitespace become one space, none at the ends.
    pub collapse_whitespace: bool,
}

impl Default for Normalisation {
    fn default() -> Self {
        Self { unicode_nfkc: true, fold_case: true, strip_punctuation: true, collapse_whitespace: true }
    }
}

impl Normalisation {
    /// Takes nothing away.
    pub const NONE: Self =
        Self { unicode_nfkc: false, fold_case: false, strip_punctuation: false, collapse_whitespace: false };
}

/// The text without the differences that `normalisation` names.
///
/// ```
/// use assize_metrics::text::{Normalisation, normalise};
///
/// let text = normalise("Don’t pay $1,000.50 at 5 p.m. — it's well-known!", &Normalisation::default());
/// assert_eq!(text, "dont pay $1,000.50 at 5 pm its well known");
/// ```
pub fn normalise(text: &str, normalisation: &Normalisation) -> String {
    // ASCII is its own compatibility form.
    let compose = normalisation.unicode_nfkc && !text.is_ascii();
    let mut text = if compose { text.nfkc().collect() } else { text.to_owned() };
    if normalisation.strip_punctuation {
        text = strip_punctuation(&text);
    }
    if normalisation.fold_case {
        text = fold_case(&text);
    }
    if normalisation.collapse_whitespace {
        text = collapse_whitespace(&text);
    }
    text
}

fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        push_folded(character, &mut folded);
    }
    folded
}

/// Adds a character without its case.
pub(super) fn push_folded(character: char, folded: &mut String) {
    match character {
        'ß' | 'ẞ' => folded.push_str("ss"),
        'ς' => folded.push('σ'),
        // Lower-casing it would leave a combining dot that no other `i` has.
        'İ' => folded.push('i'),
        _ => folded.extend(character.to_lowercase()),
    }
}

fn collapse_whitespace(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

fn strip_punctuation(text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    let mut stripping = Stripping::default();
    for (position, character) in text.char_indices() {
        let mut rest = text[position + character.len_utf8()..].chars();
        stripped.extend(stripping.kept(character, rest.next(), rest.next()));
    }
    stripped
}

/// Walks through a text, character by character.
#[derive(Default)]
pub(super) struct Stripping {
    before: Option<char>,
    /// Letters since the last character that is not one: a dot after a single letter may be an initial's.
    letters: usize,
}

impl Stripping {
    /// What becomes of the next character, given the two that follow it.
    pub(super) fn kept(&mut self, character: char, after: Option<char>, second_after: Option<char>) -> Option<char> {
        let before = self.before;
        let kept = match character {
            '-' | '\u{2212}' if starts_number(before, after) => Some('-'),
            '.' | ',' if is(before, char::is_numeric) && is(after, char::is_numeric) => Some(character),
            '.' if self.letters == 1 && is(after, char::is_alphabetic) && !is(second_after, char::is_alphanumeric) => {
                None
            }
            '\'' | '\u{2019}' | '\u{02BC}' if is(before, char::is_alphanumeric) && is(after, char::is_alphanumeric) => {
                None
            }
            _ if is_punctuation(character) => Some(' '),
            _ => Some(character),
        };
        self.letters = if character.is_alphabetic() { self.letters + 1 } else { 0 };
        self.before = Some(character);
        kept
    }
}

fn is(character: Option<char>, property: fn(char) -> bool) -> bool {
    character.is_some_and(property)
}

/// A minus directly before a digit, and after nothing that it could join the digit to.
fn starts_number(before: Option<char>, after: Option<char>) -> bool {
    is(after, char::is_numeric) && before.is_none_or(|before| before.is_whitespace() || "($€£¥[=".contains(before))
}

fn is_punctuation(character: char) -> bool {
    match character {
        // Most of most texts; the tables need not be asked.
        'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' => false,
        '%' | '‰' | '٪' => false,
        '`' | '^' | '~' | '|' => true,
        _ => character.general_category_group() == GeneralCategoryGroup::Punctuation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normal(text: &str) -> String {
        normalise(text, &Normalisation::default())
    }

    #[test]
    fn spellings_of_the_same_words() {
        for (written, expected) in [
            ("Hello,  WORLD!", "hello world"),
            ("don't Don’t dont", "dont dont dont"),
            ("'quoted' words’", "quoted words"),
            ("rock 'n' roll", "rock n roll"),
            ("twenty-five — or so", "twenty five or so"),
            ("3.5 and 1,000.", "3.5 and 1,000"),
            ("one.Two", "one two"),
            ("It ends.", "it ends"),
            ("5 p.m. in the U.S.A., J.Smith", "5 pm in the usa j smith"),
            ("e.g. this", "eg this"),
            ("$35 or 20% off", "$35 or 20% off"),
            ("-5 to \u{2212}3, 10-20", "-5 to -3 10 20"),
            ("Straße ΟΔΟΣ", "strasse οδοσ"),
            ("ＦＵＬＬ　ｗｉｄｔｈ ﬁne", "full width fine"),
            ("e\u{301}te\u{301} été", "été été"),
            ("¿Qué? «oui» 「はい」。", "qué oui はい"),
            ("`code` *bold* _under_", "code bold under"),
            ("  \n\t ", ""),
        ] {
            assert_eq!(normal(written), expected, "{written}");
        }
    }

    #[test]
    fn each_setting_alone() {
        let text = "Ａ  B, c";
        let none = Normalisation::NONE;
        assert_eq!(normalise(text, &none), text);
        let only = |setting: fn(&mut Normalisation)| {
            let mut normalisation = none;
            setting(&mut normalisation);
            normalise(text, &normalisation)
        };
        assert_eq!(only(|n| n.unicode_nfkc = true), "A  B, c");
        assert_eq!(only(|n| n.fold_case = true), "ａ  b, c");
        assert_eq!(only(|n| n.strip_punctuation = true), "Ａ  B  c");
        assert_eq!(only(|n| n.collapse_whitespace = true), "Ａ B, c");
    }

    #[test]
    fn a_missing_setting_is_on() {
        let read: Normalisation = serde_json::from_str(r#"{"fold_case": false}"#).unwrap();
        assert!(!read.fold_case && read.unicode_nfkc && read.strip_punctuation);
        assert!(serde_json::from_str::<Normalisation>(r#"{"fold": false}"#).is_err());
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in any::<String>()) {
            let once = normal(&text);
            prop_assert!(!once.contains("  ") && once.trim() == once);
        }
    }
}
