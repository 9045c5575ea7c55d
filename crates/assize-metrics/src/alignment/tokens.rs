//! Numbers the items of two sequences: equal items get equal numbers, counted from zero.
//!
//! The sweep looks items up in a table, so it wants small numbers rather than hashes.

use std::collections::HashMap;
use std::hash::Hash;

/// Two sequences as numbers below `alphabet`.
pub(super) struct Numbered {
    pub(super) reference: Vec<u32>,
    pub(super) hypothesis: Vec<u32>,
    pub(super) alphabet: usize,
}

/// Numbers items in order of first appearance.
pub(super) fn number<T: Eq + Hash>(reference: &[T], hypothesis: &[T]) -> Numbered {
    let mut numbers: HashMap<&T, u32> = HashMap::new();
    let reference = numbers_of(&mut numbers, reference);
    let hypothesis = numbers_of(&mut numbers, hypothesis);
    Numbered { reference, hypothesis, alphabet: numbers.len() }
}

fn numbers_of<'a, T: Eq + Hash>(numbers: &mut HashMap<&'a T, u32>, items: &'a [T]) -> Vec<u32> {
    items
        .iter()
        .map(|item| {
            // More than 2³² different items cannot pass the cell limit, and two that shared a
            // number there would never be compared.
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(item).or_insert(next)
        })
        .collect()
}
