//! Normalising: what two spellings of the same words have in common.
//!
//! Punctuation becomes a space, so `end.Start` is two words, with these exceptions:
//! apostrophes inside a word vanish (`don't` is `dont`); dots of initials vanish (`p.m.` is `pm`);
//! `.` and `,` between digits stay (`3.5`, `1,000`), as does the sign of a number (`-5`); hyphens
//! are spaces (`twenty-five` is two words). Percent signs and symbols (currency, `+`, `=`, `°`)
//! stay, because they carry meaning; the symbols that only mark text up (`` ` ^ ~ | ``) go.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Which differences [`normalise`] takes away; all of them by default, but for annotations.
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
    /// Remarks of a transcriber: `[noise]`, `<unk>`, `{cough}`.
    pub drop_annotations: bool,
}

impl Default for Normalisation {
    fn default() -> Self {
        Self {
            unicode_nfkc: true,
            fold_case: true,
            strip_punctuation: true,
            collapse_whitespace: true,
            drop_annotations: false,
        }
    }
}

impl Normalisation {
    /// Takes nothing away.
    pub const NONE: Self = Self {
        unicode_nfkc: false,
        fold_case: false,
        strip_punctuation: false,
        collapse_whitespace: false,
        drop_annotations: false,
    };
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
    let text = &*without_annotations(text, normalisation);
    // Most texts are composed already, and finding that costs less than composing them.
    let composed = if normalisation.unicode_nfkc && !text.is_ascii() && is_nfkc_quick(text.chars()) != IsNormalized::Yes
    {
        Cow::Owned(text.nfkc().collect())
    } else {
        Cow::Borrowed(text)
    };
    let mut written = Written { text: String::with_capacity(composed.len()), normalisation, space_due: false };
    let mut stripping = Stripping::default();
    let mut characters = composed.chars();
    while let Some(character) = characters.next() {
        let kept = if normalisation.strip_punctuation {
            stripping.kept(character, |ahead| characters.clone().nth(ahead))
        } else {
            Some(character)
        };
        if let Some(kept) = kept {
            written.push(kept);
        }
    }
    written.text
}

/// The text with a space for every byte of an annotation, so that everything else stays where it is.
pub(super) fn without_annotations<'t>(text: &'t str, normalisation: &Normalisation) -> Cow<'t, str> {
    /// Longer brackets hold speech.
    const LONGEST: usize = 60;
    if !normalisation.drop_annotations {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find(['[', '<', '{']) {
        let close = match rest.as_bytes()[open] {
            b'[' => ']',
            b'<' => '>',
            _ => '}',
        };
        let length =
            rest[open..].find(close).filter(|length| *length < LONGEST && !rest[open..open + length].contains('\n'));
        kept.push_str(&rest[..open]);
        match length {
            Some(length) => kept.push_str(&" ".repeat(length + 1)),
            None => kept.push_str(&rest[open..=open]),
        }
        rest = &rest[open + length.unwrap_or(0) + 1..];
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The normalised text in the making: case and spaces are settled character by character.
struct Written<'n> {
    text: String,
    normalisation: &'n Normalisation,
    /// Whether spaces stand before the next character, where runs of them become one.
    space_due: bool,
}

impl Written<'_> {
    #[inline]
    fn push(&mut self, character: char) {
        if self.normalisation.collapse_whitespace {
            if character.is_whitespace() {
                self.space_due = !self.text.is_empty();
                return;
            }
            if std::mem::take(&mut self.space_due) {
                self.text.push(' ');
            }
        }
        if self.normalisation.fold_case {
            push_folded(character, &mut self.text);
        } else {
            self.text.push(character);
        }
    }
}

/// Adds a character without its case.
#[inline]
pub(super) fn push_folded(character: char, folded: &mut String) {
    match character {
        _ if character.is_ascii() => folded.push(character.to_ascii_lowercase()),
        'ß' | 'ẞ' => folded.push_str("ss"),
        'ς' => folded.push('σ'),
        // Lower-casing it would leave a combining dot that no other `i` has.
        'İ' => folded.push('i'),
        _ => folded.extend(character.to_lowercase()),
    }
}

/// Walks through a text, character by character.
#[derive(Default)]
pub(super) struct Stripping {
    before: Option<char>,
    /// Letters since the last character that is not one: a dot after a single letter may be an initial's.
    letters: usize,
}

impl Stripping {
    /// What becomes of the next character; `ahead(0)` is the one that follows it, `ahead(1)` the one after that.
    #[inline]
    pub(super) fn kept(&mut self, character: char, ahead: impl Fn(usize) -> Option<char>) -> Option<char> {
        let before = self.before;
        let kept = match character {
            // Most of most texts; nothing around them matters.
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' => Some(character),
            '-' | '\u{2212}' if starts_number(before, ahead(0)) => Some('-'),
            '.' | ',' if is(before, char::is_numeric) && is(ahead(0), char::is_numeric) => Some(character),
            '.' if self.letters == 1 && is(ahead(0), char::is_alphabetic) && !is(ahead(1), char::is_alphanumeric) => {
                None
            }
            '\'' | '\u{2019}' | '\u{02BC}'
                if is(before, char::is_alphanumeric) && is(ahead(0), char::is_alphanumeric) =>
            {
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

    /// The same, one difference after the other.
    fn step_by_step(text: &str, normalisation: &Normalisation) -> String {
        let mut text = if normalisation.unicode_nfkc { text.nfkc().collect() } else { text.to_owned() };
        if normalisation.strip_punctuation {
            text = stripped(&text.chars().collect::<Vec<char>>());
        }
        if normalisation.fold_case {
            let lower = |character: char| character.to_lowercase().collect::<String>();
            text = text.replace(['ß', 'ẞ'], "ss").replace('ς', "σ").replace('İ', "i").chars().map(lower).collect();
        }
        if normalisation.collapse_whitespace {
            text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        text
    }

    fn stripped(characters: &[char]) -> String {
        let at = |position: usize| characters.get(position).copied();
        let mut stripped = String::new();
        for (position, character) in characters.iter().enumerate() {
            let before = position.checked_sub(1).and_then(at);
            let (after, second_after) = (at(position + 1), at(position + 2));
            let letters = characters[..position].iter().rev().take_while(|before| before.is_alphabetic()).count();
            let kept = match character {
                '-' | '\u{2212}' if starts_number(before, after) => Some('-'),
                '.' | ',' if is(before, char::is_numeric) && is(after, char::is_numeric) => Some(*character),
                '.' if letters == 1 && is(after, char::is_alphabetic) && !is(second_after, char::is_alphanumeric) => {
                    None
                }
                '\'' | '\u{2019}' | '\u{02BC}'
                    if is(before, char::is_alphanumeric) && is(after, char::is_alphanumeric) =>
                {
                    None
                }
                '%' | '‰' | '٪' => Some(*character),
                '`' | '^' | '~' | '|' => Some(' '),
                _ if character.general_category_group() == GeneralCategoryGroup::Punctuation => Some(' '),
                _ => Some(*character),
            };
            stripped.extend(kept);
        }
        stripped
    }

    #[test]
    fn annotations_go_where_that_is_set() {
        let dropping = Normalisation { drop_annotations: true, ..Normalisation::default() };
        assert_eq!(normalise("Um [noise] I <unk> paid {cough} it [for 3 < 4]", &dropping), "um i paid it");
        assert_eq!(normalise("a [b", &dropping), "a b");
        assert_eq!(normalise("Um [noise]", &Normalisation::default()), "um noise");
    }

    proptest! {
        #[test]
        fn one_pass_gives_what_one_difference_after_the_other_gives(
            text in prop_oneof![any::<String>(), "[ \\t\u{a0}a-cA-C0-3.,'’%~(€ßςİéＡﬁ½अ。-]{0,24}", "[aeé\u{301}\u{327}\u{308}가ᅡ ]{0,12}"],
            [unicode_nfkc, fold_case, strip_punctuation, collapse_whitespace] in any::<[bool; 4]>(),
        ) {
            let normalisation = Normalisation { unicode_nfkc, fold_case, strip_punctuation, collapse_whitespace, drop_annotations: false };
            prop_assert_eq!(normalise(&text, &normalisation), step_by_step(&text, &normalisation));
        }

        #[test]
        fn what_is_no_annotation_keeps_its_place(text in "[a-c \\[\\]<>{}\nй]{0,40}") {
            let dropping = Normalisation { drop_annotations: true, ..Normalisation::NONE };
            let kept = without_annotations(&text, &dropping);
            prop_assert_eq!(kept.len(), text.len());
            prop_assert!(text.bytes().zip(kept.bytes()).all(|(was, is)| was == is || is == b' '));
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>()) {
            let once = normal(&text);
            prop_assert!(!once.contains("  ") && once.trim() == once);
        }
    }
}
