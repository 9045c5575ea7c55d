//! Common words of the languages of a script, which are never a word of another language, heard.

use crate::text::{Normalisation, normalise};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Hindi, Marathi; Arabic; Russian, Ukrainian: the little words that most sentences have.
const WORDS: &str = include_str!("../../data/common_words.txt");

static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| WORDS.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect());

/// Whether a word is one of them.
pub(super) fn is_common(word: &str) -> bool {
    COMMON.contains(word.trim()) || COMMON.contains(normalise(word, &Normalisation::default()).as_str())
}
