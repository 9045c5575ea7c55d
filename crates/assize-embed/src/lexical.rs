//! Shared runs of characters: a comparison of spelling, for where no model is at hand.
//!
//! Each word is put between spaces, and its runs of two to four characters are counted into [`DIMENSIONS`] places by
//! a hash of the run, with a sign from the hash, so that runs that meet by chance cancel out as often as they add up.
//! A chance meeting moves the cosine of two sentences by about 0.02.

use unicode_normalization::UnicodeNormalization;

use crate::comparison::Unmeasured;
use crate::embedder::{EmbedError, Embedder, Method, Passage};
use crate::language::{Languages, script};
use crate::vector::normalise;

/// The length of a vector.
const DIMENSIONS: usize = 4096;

/// Changes with the rules above, so that vectors of other rules are not taken from a cache.
const FINGERPRINT: &str = "lexical-2-4-signed-4096-v1";

/// Compares characters. It is no model, knows no meaning, and cannot compare across scripts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lexical;

impl Lexical {
    /// The only one there is.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

impl Embedder for Lexical {
    fn name(&self) -> &str {
        "lexical"
    }

    fn fingerprint(&self) -> &str {
        FINGERPRINT
    }

    fn method(&self) -> Method {
        Method::Rules
    }

    fn languages(&self) -> Languages {
        Languages::All
    }

    fn caveat(&self) -> Option<&str> {
        Some("compares spelling, not meaning; it is no multilingual model")
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| embed(text)).collect())
    }

    fn comparable(&self, a: Passage<'_>, b: Passage<'_>) -> Result<(), Unmeasured> {
        match (script(a.text), script(b.text)) {
            (Some(a), Some(b)) if a != b => Err(Unmeasured::ScriptsDiffer(a, b)),
            _ => Ok(()),
        }
    }
}

fn embed(text: &str) -> Vec<f32> {
    let mut counts = vec![0.0f32; DIMENSIONS];
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    for word in folded.split(|c: char| !is_part_of_a_word(c)).filter(|word| !word.is_empty()) {
        let spaced: Vec<char> = std::iter::once(' ').chain(word.chars()).chain(std::iter::once(' ')).collect();
        for length in 2..=4 {
            for run in spaced.windows(length) {
                let hash = hash(run);
                let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
                counts[(hash % DIMENSIONS as u64) as usize] += sign;
            }
        }
    }
    // What is written often says less the more often it is written.
    for count in &mut counts {
        *count = f32::sqrt(count.abs()).copysign(*count);
    }
    normalise(&mut counts, f32::MIN_POSITIVE);
    counts
}

/// Marks that belong to the letter before them are parts of words, or Hindi would fall apart at its vowels.
fn is_part_of_a_word(c: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    c.is_alphanumeric() || c.general_category_group() == GeneralCategoryGroup::Mark
}

/// FNV-1a over the characters, then mixed once more, since the low bits choose the place.
fn hash(run: &[char]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for &c in run {
        for byte in u32::from(c).to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::comparison::similarity;

    fn cosine(a: &str, b: &str) -> f64 {
        similarity(&Lexical, a, b).unwrap().cosine().unwrap()
    }

    #[test]
    fn spelling_decides() {
        assert!(cosine("Refund issued.", "refund ISSUED") > 0.999_999);
        assert!(cosine("the refund was issued", "the refunds were issued") > 0.6);
        assert!(cosine("the refund was issued", "quick brown foxes jump").abs() < 0.15);
        assert!(cosine("भुगतान विफल रहा", "भुगतान विफल हुआ") > 0.5);
        assert!(cosine("東京に行きます", "東京へ行きました") > 0.3);
    }

    #[test]
    fn chance_meetings_are_small() {
        // No run of characters is shared; what remains are runs that meet in one place.
        let a = "abcdefghijklm abkdlgm cbadgf hglkim".repeat(3);
        let b = "nopqrstuvwxyz nortuwy zyxpon qsvtux".repeat(3);
        assert!(cosine(&a, &b).abs() < 0.05, "{}", cosine(&a, &b));
    }

    #[test]
    fn scripts_that_differ_give_no_figure() {
        let reason = |a, b| similarity(&Lexical, a, b).unwrap().reason();
        assert_eq!(reason("payment", "पेमेंट"), Some(Unmeasured::ScriptsDiffer("Latin", "Devanagari")));
        assert_eq!(reason("оплата", "payment"), Some(Unmeasured::ScriptsDiffer("Cyrillic", "Latin")));
        assert_eq!(reason("東京", "とうきょう"), None);
        assert_eq!(reason("42", "पेमेंट"), None);
        assert_eq!(reason("?!", "payment"), Some(Unmeasured::NoDirection));
        assert_eq!(reason("", "payment"), Some(Unmeasured::Empty));
    }

    #[test]
    fn it_says_what_it_is() {
        assert_eq!(Lexical.method(), Method::Rules);
        assert!(Lexical.caveat().unwrap().contains("no multilingual model"));
    }

    proptest! {
        #[test]
        fn any_text_has_a_vector_of_length_one_or_none(text in "\\PC{0,80}") {
            let vector = embed(&text);
            prop_assert_eq!(vector.len(), DIMENSIONS);
            let length: f32 = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
            prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-5);
        }

        #[test]
        fn case_and_punctuation_make_no_difference(words in prop::collection::vec("[a-z]{1,8}", 1..8)) {
            let plain = words.join(" ");
            let dressed = format!("  {}! ", words.join(",\n").to_uppercase());
            prop_assert_eq!(embed(&plain), embed(&dressed));
            prop_assert!((cosine(&plain, &dressed) - 1.0).abs() < 1e-6);
        }

        #[test]
        fn the_order_of_the_two_makes_no_difference(a in "[a-z ]{1,40}[a-z]", b in "[a-z ]{1,40}[a-z]") {
            prop_assert_eq!(similarity(&Lexical, &*a, &*b).unwrap(), similarity(&Lexical, &*b, &*a).unwrap());
        }
    }
}
