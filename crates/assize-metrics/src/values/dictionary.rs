//! Which words are words: a slip of the pen makes none, another word is another meaning.

use std::sync::LazyLock;
use wordcheck::CheckWord;

/// The English words; read when first asked for.
static WORDS: LazyLock<CheckWord> = LazyLock::new(CheckWord::new);

/// Whether a word, in any case, is an English word.
pub(super) fn has(word: &str) -> bool {
    WORDS.is_valid(word)
}
