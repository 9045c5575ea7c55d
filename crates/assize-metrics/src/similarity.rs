//! How alike two texts are by their letters: the cosine of their character trigrams.
//!
//! It sees spelling, not meaning. Between texts in different scripts it says nothing, so there it is `None` rather than
//! a figure near zero that would look like a judgement.

use crate::script::main_script;
use crate::text::{Normalisation, normalise};

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
    let [one, other] = [one, other].map(|text| normalise(text, &Normalisation::default()));
    if one.is_empty() || other.is_empty() {
        return None;
    }
    if one == other {
        return Some(1.0);
    }
    let mut counts = Counts::with_room_for(one.len().max(other.len()));
    trigrams(&one).for_each(|gram| counts.find(gram).one += 1);
    trigrams(&other).for_each(|gram| counts.find(gram).other += 1);
    let (mut product, mut one_squared, mut other_squared) = (0, 0, 0);
    for slot in &counts.slots {
        let (one, other) = (u64::from(slot.one), u64::from(slot.other));
        product += one * other;
        one_squared += one * one;
        other_squared += other * other;
    }
    if product == one_squared && product == other_squared {
        return Some(1.0);
    }
    let lengths = (one_squared as f64).sqrt() * (other_squared as f64).sqrt();
    Some((product as f64 / lengths).clamp(0.0, 1.0))
}

/// Three neighbouring characters as one number, in order; a space stands at both ends.
fn trigrams(text: &str) -> impl Iterator<Item = u64> {
    // A character has 21 bits.
    const THREE: u64 = (1 << 63) - 1;
    let characters = std::iter::once(' ').chain(text.chars()).chain(std::iter::once(' '));
    let ending_here = characters.scan(0, |gram, character| {
        *gram = (*gram << 21 | u64::from(character as u32)) & THREE;
        Some(*gram)
    });
    ending_here.skip(2)
}

/// How often a trigram occurs in each of the two texts.
#[derive(Clone, Copy, Default)]
struct Slot {
    gram: u64,
    one: u32,
    other: u32,
}

impl Slot {
    fn is_taken(&self) -> bool {
        self.one + self.other > 0
    }
}

/// A table of trigrams: the slots are looked through from where a trigram's hash points to until it or a free one is found.
///
/// It is made anew for every pair of texts, and is several times faster than sorting or a general map.
struct Counts {
    slots: Vec<Slot>,
    shift: u32,
}

impl Counts {
    /// Room for the trigrams of two texts of so many characters at most, so that a free slot is always left.
    fn with_room_for(characters: usize) -> Self {
        let slots = (2 * characters + 2).next_power_of_two();
        Self { slots: vec![Slot::default(); slots], shift: u64::BITS - slots.trailing_zeros() }
    }

    fn find(&mut self, gram: u64) -> &mut Slot {
        // Fibonacci hashing: the high bits of the product depend on all of the trigram.
        let mut at = (gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[at].gram != gram && self.slots[at].is_taken() {
            at = (at + 1) % self.slots.len();
        }
        self.slots[at].gram = gram;
        &mut self.slots[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The same by maps of windows over characters.
    fn by_maps(one: &str, other: &str) -> Option<f64> {
        let counted = |text: &str| {
            let characters: Vec<char> = format!(" {} ", normalise(text, &Normalisation::default())).chars().collect();
            let mut counts: BTreeMap<Vec<char>, f64> = BTreeMap::new();
            characters.windows(3).for_each(|window| *counts.entry(window.to_vec()).or_default() += 1.0);
            counts
        };
        let (one, other) = (counted(one), counted(other));
        let length = |counts: &BTreeMap<Vec<char>, f64>| counts.values().map(|count| count * count).sum::<f64>().sqrt();
        let product: f64 = one.iter().filter_map(|(gram, count)| Some(count * other.get(gram)?)).sum();
        match () {
            () if one.is_empty() || other.is_empty() => None,
            () if one == other => Some(1.0),
            () => Some((product / (length(&one) * length(&other))).min(1.0)),
        }
    }

    proptest! {
        #[test]
        fn the_table_counts_what_maps_count(one in "[a-c\\x00é ]{0,40}", other in "[a-c\\x00é ]{0,40}") {
            prop_assert_eq!(trigram_cosine(&one, &other), by_maps(&one, &other));
        }

        #[test]
        fn a_text_is_like_itself(text in any::<String>()) {
            prop_assert!(matches!(trigram_cosine(&text, &text), None | Some(1.0)));
        }
    }

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
