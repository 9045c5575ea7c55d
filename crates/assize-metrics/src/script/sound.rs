//! Whether two words in different scripts are one word, heard.
//!
//! Both are written in Latin letters and reduced to their consonants as an ear would sort them (`c` is k or s, `ph` is f, `w`
//! is v); the reductions must be equal, up to one consonant in long words, and the spellings not too far apart.
//! Letters spoken one by one (`OTP`, `ओटीपी`) are compared with the names of the letters.

use super::romanise;
use crate::alignment::align;

/// The share of letters that must agree between the two spellings.
const ALIKE: f64 = 0.4;

/// Fewer consonants than this say little by themselves: then the spellings must be close.
const FEW: usize = 3;

/// How close they must be then.
const CLOSE: f64 = 0.6;

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
    bones: Vec<u8>,
    letter_names: Option<Vec<u8>>,
}

impl Sound {
    /// The sound of a text; `None` where it has no letters or digits, or letters that no table covers.
    pub fn of(text: &str) -> Option<Self> {
        let latin = heard(text).filter(|latin| !latin.is_empty())?;
        let letter_names = spelt_out(text).map(|names| single(&names));
        Some(Self { bones: skeleton(&latin), latin, letter_names })
    }

    /// Several sounds, one after the other.
    pub fn joined<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        let latin: String = parts.into_iter().map(|part| part.latin.as_str()).collect();
        Self { bones: skeleton(&latin), latin, letter_names: None }
    }

    /// Whether the two are one word, heard.
    pub fn is_like(&self, other: &Self) -> bool {
        alike(self, other) || self.is_exactly(other)
    }

    /// Whether one is the other letter by letter: in Latin letters the same, or the names of its letters.
    pub fn is_exactly(&self, other: &Self) -> bool {
        let spelt =
            |names: &Self, word: &Self| names.letter_names.as_ref().is_some_and(|names| *names == single(&word.latin));
        self.latin == other.latin || spelt(self, other) || spelt(other, self)
    }
}

/// Latin letters and digits only, without spaces.
fn heard(text: &str) -> Option<String> {
    let latin: String = romanise(text)?.chars().filter(char::is_ascii_alphanumeric).collect();
    Some(latin.replace("ph", "f").replace("ck", "k"))
}

/// Doubled letters once.
fn single(latin: &str) -> Vec<u8> {
    let mut letters = latin.as_bytes().to_vec();
    letters.dedup();
    letters
}

fn spelt_out(word: &str) -> Option<String> {
    let word = word.trim();
    if word.len() > LONGEST_INITIALISM || word.len() < 2 || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    Some(word.bytes().map(|byte| LETTER_NAMES[usize::from(byte.to_ascii_lowercase() - b'a')]).collect())
}

fn alike(one: &Sound, other: &Sound) -> bool {
    let fewest = one.bones.len().min(other.bones.len());
    let (few, many) = (fewest < FEW, fewest >= MANY);
    if one.bones != other.bones && (!many || distance(&one.bones, &other.bones) > 1) {
        return false;
    }
    let longest = one.latin.len().max(other.latin.len());
    let agreeing = 1.0 - distance(one.latin.as_bytes(), other.latin.as_bytes()) as f64 / longest as f64;
    agreeing >= if few { CLOSE } else { ALIKE }
}

fn distance(one: &[u8], other: &[u8]) -> usize {
    align(one, other).map_or(usize::MAX, |alignment| alignment.counts.distance())
}

/// The consonants as an ear sorts them, doubled ones once; a vowel counts only at the beginning.
fn skeleton(latin: &str) -> Vec<u8> {
    let letters = latin.as_bytes();
    let mut bones: Vec<u8> = Vec::with_capacity(letters.len());
    let mut position = 0;
    while position < letters.len() {
        let here = letters[position];
        let next = letters.get(position + 1).copied().unwrap_or_default();
        let (sound, taken): (&[u8], usize) = match (here, next) {
            (b'p', b'h') => (b"f", 2),
            (b'c', b'h') => (b"c", 2),
            (b's', b'h') => (b"s", 2),
            (b't', b'i') if latin[position..].starts_with("tion") => (b"sn", 4),
            (b's', b'i') if latin[position..].starts_with("sion") => (b"sn", 4),
            (b'c', b'k') => (b"k", 2),
            (b'c', b'e' | b'i' | b'y') => (b"s", 1),
            (b'g', b'e' | b'i' | b'y') => (b"j", 1),
            (b'k' | b'g' | b't' | b'd' | b'b' | b'j' | b'r', b'h') => (&letters[position..=position], 2),
            (b'c' | b'q', _) => (b"k", 1),
            (b'x', _) => (b"ks", 1),
            (b'w', _) => (b"v", 1),
            (b'z', _) => (b"j", 1),
            (b'a' | b'e' | b'i' | b'o' | b'u', _) if position == 0 => (b"a", 1),
            (b'h' | b'y', _) if position == 0 => (&letters[position..=position], 1),
            (b'a' | b'e' | b'i' | b'o' | b'u' | b'h' | b'y', _) => (b"", 1),
            _ => (&letters[position..=position], 1),
        };
        for bone in sound {
            if bones.last() != Some(bone) {
                bones.push(*bone);
            }
        }
        position += taken;
    }
    bones
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
