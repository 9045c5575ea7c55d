//! How many tokens a question will take, for dry runs and budgets. An estimate: what was really used comes back with
//! every reply.
//!
//! It counts runs of characters the way tokenisers split text, without their vocabulary: within a tenth of OpenAI's
//! count on English and German prose, JSON and tables of figures. A vocabulary takes a tenth of a second to load and
//! four megabytes, and is another one for every provider.

use assize_core::Question;
use serde_json::Value;

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

/// The tokens of a free text in an answer: a reason of a few sentences.
const TEXT: u64 = 120;

/// The tokens of a number.
const NUMBER: u64 = 4;

/// As many items as a list is expected to have, where nothing says how many there are.
const ITEMS: u64 = 20;

/// About how many tokens an answer of a schema has.
pub fn of_answer(schema: &Value) -> u64 {
    if let Some(choices) = schema["enum"].as_array() {
        return choices.iter().map(|choice| estimate(&choice.to_string())).max().unwrap_or(NUMBER);
    }
    if let Some(properties) = schema["properties"].as_object() {
        return properties.iter().map(|(name, inner)| estimate(name) + NUMBER + of_answer(inner)).sum();
    }
    if let Some(items) = schema.get("items") {
        return ITEMS * of_answer(items);
    }
    let is_text = match &schema["type"] {
        Value::Array(types) => types.iter().any(|one| one == "string"),
        one => one == "string" || one.is_null(),
    };
    if is_text { TEXT } else { NUMBER }
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

    /// Counted with OpenAI's o200k vocabulary.
    const COUNTED: &[(&str, u64)] = &[
        ("The quick brown fox jumps over the lazy dog.", 10),
        (
            "You judge transcripts of calls. Read the reference first, then the transcript, and mark every sentence that was left out, changed or added.",
            28,
        ),
        (
            "Der Kunde hat am Montag angerufen und gefragt, warum seine Rechnung in diesem Monat höher ist als im letzten.",
            22,
        ),
        (
            r#"{"id": "call-17", "score": 4, "reason": "The refund was promised within five days.", "flags": ["numbers_differ"]}"#,
            35,
        ),
        (
            "model | f1 | precision | recall\nextractor-a | 0.821 | 0.979 | 0.708\nextractor-b | 0.059 | 0.057 | 0.062\n",
            47,
        ),
    ];

    /// The same of other scripts, on which tokenisers differ most.
    const COUNTED_IN_OTHER_SCRIPTS: &[(&str, u64)] = &[
        ("返金は五日以内にカードに届きます。", 13),
        ("रिफंड पाँच दिनों में आपके कार्ड पर आ जाएगा।", 12),
        ("Возврат поступит на вашу карту в течение пяти дней.", 13),
    ];

    #[test]
    fn it_is_near_what_a_tokeniser_counts() {
        for (text, counted) in COUNTED {
            let estimated = estimate(text);
            assert!(estimated.abs_diff(*counted) * 6 <= *counted, "{text}: {estimated} for {counted}");
        }
        let all =
            COUNTED.iter().fold((0, 0), |(ours, theirs), (text, counted)| (ours + estimate(text), theirs + counted));
        assert!(all.0.abs_diff(all.1) * 10 <= all.1, "{all:?}");
        // A budget may be left over, but must not be overrun by much.
        for (text, counted) in COUNTED_IN_OTHER_SCRIPTS {
            let estimated = estimate(text);
            assert!(estimated * 10 >= counted * 9 && estimated <= counted * 3, "{text}: {estimated} for {counted}");
        }
    }

    #[test]
    fn runs_are_counted_by_hand() {
        // Letters by sevens, figures and marks by threes, a space belongs to what follows it, a line break is one.
        for (text, tokens) in
            [("", 0), ("a  b", 2), ("letters", 1), ("lettered", 2), ("1234", 2), ("a\n\nb", 3), ("x = 10.5", 5)]
        {
            assert_eq!(estimate(text), tokens, "{text}");
        }
    }
}
