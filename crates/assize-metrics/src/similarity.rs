//! How alike two texts are by their letters: the cosine of their character trigrams.
//!
//! It sees spelling, not meaning. Between texts in different scripts it says nothing, so there it is `None` rather than
//! a figure near zero that would look like a judgement.

use crate::script::main_script;
use crate::text::{Normalisation, normalise};
use std::collections::HashMap;

/// The cosine of the trigram counts of two normalised texts, from 0 to 1. `None` where a text has no letters or digits,
/// or where the two are written in different scripts.
///
/// ```
/// use assize_metrics::similarity::trigram_cosine;
///
/// assert_eq!(trigram_cosine("Refund approved.", "refund approved"), Some(1.0));
/// assert_eq!(trigram_cosine("refund", "रिफंड"), None);
/// ```
pub fn trigram_cosine(one: &str, other: &str) -> Option<f64> {
    if let (Some(one), Some(other)) = (main_script(one), main_script(other))
        && one != other
    {
        return None;
    }
    let (one, other) = (trigrams(one), trigrams(other));
    if one.is_empty() || other.is_empty() {
        return None;
    }
    if one == other {
        return Some(1.0);
    }
    let length = |counts: &HashMap<[char; 3], f64>| counts.values().map(|count| count * count).sum::<f64>().sqrt();
    let product: f64 = one.iter().map(|(gram, count)| count * other.get(gram).copied().unwrap_or_default()).sum();
    Some((product / (length(&one) * length(&other))).clamp(0.0, 1.0))
}

/// Counts of three neighbouring characters, with a space at both ends.
fn trigrams(text: &str) -> HashMap<[char; 3], f64> {
    let text = normalise(text, &Normalisation::default());
    if text.is_empty() {
        return HashMap::new();
    }
    let characters: Vec<char> = std::iter::once(' ').chain(text.chars()).chain(std::iter::once(' ')).collect();
    let mut counts = HashMap::new();
    for window in characters.windows(3) {
        *counts.entry([window[0], window[1], window[2]]).or_insert(0.0) += 1.0;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_texts_are_near() {
        let close = trigram_cosine("the refund was approved today", "the refund was approved yesterday");
        let far = trigram_cosine("the refund was approved today", "please hold the line");
        assert!(close > Some(0.7) && far < Some(0.4), "{close:?} {far:?}");
        assert_eq!(trigram_cosine("नमस्ते जी", "नमस्ते जी।"), Some(1.0));
    }

    #[test]
    fn nothing_to_compare_is_undefined() {
        assert_eq!(trigram_cosine("", "x"), None);
        assert_eq!(trigram_cosine("…", "!"), None);
        assert_eq!(trigram_cosine("3-5", "3–5"), Some(1.0));
        assert_eq!(trigram_cosine("hello", "こんにちは"), None);
    }
}
