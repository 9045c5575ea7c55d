//! Whether two words in different scripts are one word, heard.
//!
//! Both are written in Latin letters and taken apart into consonants, as an ear sorts them (`c` is k or s, `ph` is f, `w` is
//! v), and the vowels between them. The consonants must be the same, up to what the script cannot write (Arabic has no p,
//! Japanese no l); one may differ in long words. Short words say little by their consonants, so their vowels must be
//! such as the spelling allows: the `a` of `date` is an e, never an a. Letters spoken one by one (`OTP`, `ओटीपी`) are
//! compared with the names of the letters. Common words of a language are never a word of another, heard.

use super::common::is_common;
use super::{Script, main_script, romanise};
use crate::alignment::align;

/// Up to this number of consonants the vowels count.
const FEW: usize = 3;

/// From this number of consonants on, one may differ.
const MANY: usize = 5;

/// Words spelt out are at most this long.
const LONGEST_INITIALISM: usize = 6;

/// The names of the letters A to Z, as they are heard in Hindi and romanised here.
const LETTER_NAMES: [&str; 26] = [
    "e", "bi", "si", "di", "i", "ef", "ji", "ech", "ai", "je", "ke", "el", "em", "en", "o", "pi", "kyu", "ar", "es",
    "ti", "yu", "vi", "dablyu", "eks", "vai", "zed",
];

/// Whether two words or short phrases sound alike. Scripts without a table sound like nothing.
///
/// ```
/// use assize_metrics::script::sounds_alike;
///
/// assert!(sounds_alike("payment", "पेमेंट"));
/// assert!(sounds_alike("KYC", "केवाईसी"));
/// assert!(!sounds_alike("payment", "रिफंड"));
/// ```
pub fn sounds_alike(one: &str, other: &str) -> bool {
    Sound::of(one).zip(Sound::of(other)).is_some_and(|(one, other)| one.is_like(&other))
}

/// How a word or a short phrase sounds, worked out once to be compared many times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    latin: String,
    script: Script,
    common: bool,
    letter_names: Option<String>,
}

impl Sound {
    /// The sound of a text; `None` where it has no letters, or letters that no table covers.
    pub fn of(text: &str) -> Option<Self> {
        let latin = heard(text).filter(|latin| !latin.is_empty())?;
        Some(Self { latin, script: main_script(text)?, common: is_common(text), letter_names: spelt_out(text) })
    }

    /// Several sounds, one after the other.
    pub fn joined<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let parts: Vec<&Self> = parts.into_iter().collect();
        let latin: String = parts.iter().map(|part| part.latin.as_str()).collect();
        Some(Self { latin, script: parts.first()?.script, common: false, letter_names: None })
    }

    /// Whether the two are one word, heard.
    pub fn is_like(&self, other: &Self) -> bool {
        if self.common || other.common {
            return false;
        }
        self.is_exactly(other)
            || match (self.script, other.script) {
                (Script::Latin, script) if script != Script::Latin => alike(&self.latin, &other.latin, script),
                (script, Script::Latin) if script != Script::Latin => alike(&other.latin, &self.latin, script),
                _ => false,
            }
    }

    /// Whether one is the other letter by letter: in Latin letters the same, or the names of its letters.
    pub fn is_exactly(&self, other: &Self) -> bool {
        let spelt =
            |names: &Self, word: &Self| names.letter_names.as_ref().is_some_and(|names| reads(names, &word.latin));
        !self.common && !other.common && (self.latin == other.latin || spelt(self, other) || spelt(other, self))
    }
}

/// Latin letters and digits only, without spaces.
fn heard(text: &str) -> Option<String> {
    let latin: String = romanise(text)?.chars().filter(char::is_ascii_alphanumeric).collect();
    Some(latin.replace("ph", "f").replace("ck", "k"))
}

/// Whether a word reads as the names of letters. The vowel that Devanagari does not write may stand between consonants.
fn reads(names: &str, word: &str) -> bool {
    let is_vowel = |letter: Option<&u8>| letter.is_none_or(|letter| b"aeiouy".contains(letter));
    let (mut names, word) = (names.bytes().peekable(), word.as_bytes());
    for (at, letter) in word.iter().enumerate() {
        if names.peek() == Some(letter) {
            names.next();
            continue;
        }
        let doubled = at > 0 && word[at - 1] == *letter;
        let unwritten = *letter == b'a' && !is_vowel(word.get(at + 1)) && at > 0 && !is_vowel(word.get(at - 1));
        if !doubled && !unwritten {
            return false;
        }
    }
    names.next().is_none()
}

fn spelt_out(word: &str) -> Option<String> {
    let word = word.trim();
    if word.len() > LONGEST_INITIALISM || word.len() < 2 || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    Some(word.bytes().map(|byte| LETTER_NAMES[usize::from(byte.to_ascii_lowercase() - b'a')]).collect())
}

/// Whether a word in another script, written in Latin letters, is how a spelling sounds.
fn alike(spelling: &str, heard: &str, script: Script) -> bool {
    let (one, other) = (Bones::spelt(spelling, script), Bones::heard(heard, script));
    let fewest = one.consonants.len().min(other.consonants.len());
    if fewest + usize::from(!one.vowels[0].is_empty()) < 2 {
        return false;
    }
    let same = one.consonants.len() == other.consonants.len()
        && one.consonants.iter().zip(&other.consonants).all(|(one, other)| same_consonant(*one, *other));
    match same {
        false => fewest >= MANY && distance(&one.consonants, &other.consonants) <= 1,
        true if fewest > FEW => true,
        true => one.vowels_fit(&other, script),
    }
}

/// An `s` between vowels may be a z.
fn same_consonant(spelt: u8, heard: u8) -> bool {
    spelt == heard || (spelt == b'S' && matches!(heard, b's' | b'z'))
}

fn distance(one: &[u8], other: &[u8]) -> usize {
    let plain = |letters: &[u8]| -> Vec<u8> {
        letters.iter().map(|letter| if matches!(letter, b'S' | b'z') { b's' } else { *letter }).collect()
    };
    align(&plain(one), &plain(other)).map_or(usize::MAX, |alignment| alignment.counts.distance())
}

/// The consonants of a word as an ear sorts them, and the vowels before, between and after them.
struct Bones {
    consonants: Vec<u8>,
    vowels: Vec<String>,
    /// Whether the last vowel is the silent `e` of English.
    silent: bool,
}

impl Bones {
    /// The bones of a spelling, as far as a script can write them.
    fn spelt(latin: &str, script: Script) -> Self {
        let mut bones = Self::of(latin, script, true);
        let last = bones.vowels.len() - 1;
        bones.silent = bones.vowels[last] == "e" && !bones.consonants.is_empty();
        bones
    }

    fn heard(latin: &str, script: Script) -> Self {
        Self::of(latin, script, false)
    }

    fn of(latin: &str, script: Script, spelt: bool) -> Self {
        let letters = latin.as_bytes();
        let mut bones = Self { consonants: Vec::new(), vowels: vec![String::new()], silent: false };
        let is_vowel = |at: usize| letters.get(at).is_some_and(|letter| b"aeiou".contains(letter));
        let mut at = 0;
        while at < letters.len() {
            let here = letters[at];
            let next = letters.get(at + 1).copied().unwrap_or_default();
            let after_vowel = at > 0 && is_vowel(at - 1);
            let (sound, taken): (&[u8], usize) = match (here, next) {
                (b't', b'i') if spelt && latin[at..].starts_with("tion") => (b"sn", 4),
                (b's', b'i') if spelt && latin[at..].starts_with("sion") => (b"sn", 4),
                (b'c' | b's', b'h') => (if here == b'c' { b"c" } else { b"s" }, 2),
                (b'z', b'h') => (b"j", 2),
                (b'd', b'z') if latin[at..].starts_with("dzh") => (b"j", 3),
                (b't', b'h') if script == Script::HanAndKana => (b"s", 2),
                (b'g', b'n') if spelt && at + 2 == letters.len() => (b"n", 2),
                (b'k' | b'g' | b't' | b'd' | b'b' | b'j' | b'r', b'h') => (&letters[at..=at], 2),
                (b'c', b'e' | b'i' | b'y') => (b"s", 1),
                (b'g', b'e' | b'i' | b'y') if spelt => (b"j", 1),
                (b'c' | b'q', _) => (b"k", 1),
                (b'x', _) => (b"ks", 1),
                // After a vowel it is part of it: power, saw.
                (b'w', _) if spelt && after_vowel && !matches!(next, b'a' | b'i' | b'o') => (b"", 0),
                // Arabic writes it as it writes u.
                (b'w', _) if script == Script::Arabic => (b"", 0),
                (b'w', _) => (b"v", 1),
                (b's', _) if spelt && after_vowel && is_vowel(at + 1) && letters[at - 1] != b's' => (b"S", 1),
                (b'm', b'p' | b'b') => (b"n", 1),
                // Japanese has no r before a consonant; it colours the vowel.
                (b'r', _)
                    if spelt && script == Script::HanAndKana && after_vowel && !(is_vowel(at + 1) || next == b'y') =>
                {
                    (b"", 0)
                }
                (b'h' | b'y', _) if at == 0 => (&letters[at..=at], 1),
                (b'h', _) if spelt || script != Script::HanAndKana => (b"", 1),
                (b'a' | b'e' | b'i' | b'o' | b'u' | b'y', _) => (b"", 0),
                _ => (&letters[at..=at], 1),
            };
            match (sound, taken) {
                (_, 0) => {
                    bones.vowels.last_mut().expect("there is one more than consonants").push(char::from(here));
                    at += 1;
                    continue;
                }
                _ => sound.iter().for_each(|bone| bones.push(folded(*bone, script))),
            }
            at += taken;
        }
        bones
    }

    fn push(&mut self, bone: Option<u8>) {
        let Some(bone) = bone else { return };
        let same = |last: &u8| *last == bone || (*last == b'S' && bone == b's');
        if self.consonants.last().is_some_and(same) && self.vowels.last().is_some_and(String::is_empty) {
            return;
        }
        self.consonants.push(bone);
        self.vowels.push(String::new());
    }

    /// Whether the vowels that are heard are such as the spelling allows.
    fn vowels_fit(&self, heard: &Self, script: Script) -> bool {
        let last = self.vowels.len() - 1;
        self.vowels.iter().zip(&heard.vowels).enumerate().all(|(at, (spelt, heard))| {
            if at == last && self.silent {
                return heard.is_empty() || script == Script::HanAndKana;
            }
            let magic = self.silent && at + 1 == last;
            let before_r = self.consonants.get(at) == Some(&b'r') && at > 0;
            match (spelt.as_str(), heard.as_str()) {
                ("", "") => true,
                // Japanese puts a vowel behind every consonant.
                ("", _) => script == Script::HanAndKana && at > 0,
                // Arabic does not write short vowels.
                (_, "") => script == Script::Arabic && at > 0 && at < last,
                (spelt, heard) => fits(spelt, heard, magic, before_r, script),
            }
        })
    }
}

/// A consonant as a script can write it; `None` where it writes none.
fn folded(bone: u8, script: Script) -> Option<u8> {
    Some(match (script, bone) {
        (Script::Arabic, b'p') => b'b',
        (Script::Arabic, b'g') => b'j',
        // Arabic writes v as f.
        (Script::Arabic, b'v') => b'f',
        (Script::HanAndKana, b'l') => b'r',
        (Script::HanAndKana, b'v') => b'b',
        (Script::HanAndKana, b'j') => b'd',
        _ => bone,
    })
}

/// Whether one vowel may be heard for the letters of another.
fn fits(spelt: &str, heard: &str, magic: bool, before_r: bool, script: Script) -> bool {
    if (before_r && spelt.len() == 1) || spelt.ends_with('r') {
        return true;
    }
    // Arabic writes o as it writes u, and e as it writes i.
    if script == Script::Arabic && matches!((spelt, heard), ("o", "u") | ("w" | "wo", "u")) {
        return true;
    }
    let allowed: &[&str] = match spelt {
        "a" if magic => &["e", "ai", "ei"],
        "a" => &["a", "e", "ai", "o"],
        "e" => &["e", "i", "ai"],
        "i" if magic => &["ai", "i"],
        "i" | "y" => &["i", "ai"],
        "o" if magic => &["o", "u"],
        "o" => &["o", "a", "au"],
        "u" => &["u", "a", "yu", "iu"],
        "ai" | "ay" | "ei" | "ey" => &["e", "ai", "ei", "i"],
        "ea" | "ee" | "ie" => &["i", "e"],
        "oa" => &["o"],
        "oo" => &["u", "o"],
        "ou" | "ow" | "owe" => &["au", "u", "o"],
        "oi" | "oy" => &["oi", "oy"],
        "io" => &["io", "iu"],
        other => return other == heard,
    };
    let mail = matches!(spelt, "ai" | "ay") && heard == "i" && script != Script::Arabic;
    allowed.contains(&heard) && !mail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_of_a_call_centre() {
        for (english, hindi) in [
            ("payment", "पेमेंट"),
            ("refund", "रिफंड"),
            ("refund", "रिफ़ंड"),
            ("account", "अकाउंट"),
            ("billing", "बिलिंग"),
            ("card", "कार्ड"),
            ("loan", "लोन"),
            ("balance", "बैलेंस"),
            ("cancel", "कैंसल"),
            ("complaint", "कंप्लेंट"),
            ("customer", "कस्टमर"),
            ("delivery", "डिलीवरी"),
            ("service", "सर्विस"),
            ("transaction", "ट्रांजैक्शन"),
            ("warranty", "वारंटी"),
            ("OTP", "ओटीपी"),
            ("KYC", "केवाईसी"),
            ("EMI", "ईएमआई"),
            ("Priya Sharma", "प्रिया शर्मा"),
        ] {
            assert!(sounds_alike(english, hindi), "{english} {hindi} {:?}", romanise(hindi));
        }
    }

    #[test]
    fn other_words_do_not_meet() {
        for (english, other) in [
            ("payment", "रिफंड"),
            ("loan", "लाइन"),
            ("card", "क्रेडिट"),
            ("account", "एजेंट"),
            ("refund", "返金"),
            ("", "रिफंड"),
            ("refund", "…"),
            ("bill", "बैलेंस"),
            ("insurance", "अकाउंट"),
        ] {
            assert!(!sounds_alike(english, other), "{english} {other} {:?}", romanise(other));
        }
    }
}
