//! What stands around a statement, and whether it leaves room for doubt.
//!
//! An equation that does not hold is an accusation, and it is made only where nothing around it offers another reading: a
//! supposition, a remainder, rounding, arithmetic to another base, a formula that goes on on the next line.

use std::ops::Range;

/// How many bytes on either side are looked at, and how many words of the sentence in them.
const WINDOW: usize = 1_000;
const NEAR: usize = 12;

/// Words before a statement that make it something other than a claim.
const SUPPOSING: &[&str] = &[
    "assume",
    "assumed",
    "assuming",
    "cannot",
    "check",
    "claim",
    "claims",
    "didn't",
    "doesn't",
    "don't",
    "false",
    "guess",
    "if",
    "impossible",
    "incorrect",
    "incorrectly",
    "instead",
    "isn't",
    "mistake",
    "mistakenly",
    "not",
    "suppose",
    "try",
    "unless",
    "whether",
    "would",
    "wrong",
    "wrongly",
];

/// Words after a statement that take it back.
const RETRACTING: &[&str] = &[
    "but",
    "cannot",
    "contradiction",
    "contradicts",
    "doesn't",
    "error",
    "false",
    "impossible",
    "incorrect",
    "instead",
    "invalid",
    "isn't",
    "mistake",
    "no",
    "not",
    "wrong",
];

/// Words that begin the next sentence where a statement is taken back.
const CORRECTING: &[&str] =
    &["actually", "contradiction", "error", "impossible", "incorrect", "mistake", "oops", "wait", "wrong"];

/// Words that say that a figure is not exact.
const ROUNDING: &[&str] = &[
    "about",
    "almost",
    "approx",
    "approximate",
    "approximately",
    "around",
    "estimate",
    "estimated",
    "nearest",
    "nearly",
    "roughly",
    "round",
    "rounded",
    "rounding",
    "rounds",
];

/// Words that say that a division was left at whole numbers.
const WHOLE: &[&str] = &[
    "complete",
    "divide",
    "division",
    "extra",
    "floor",
    "full",
    "integer",
    "left",
    "leftover",
    "most",
    "over",
    "quotient",
    "r",
    "rem",
    "remainder",
    "remaining",
    "remains",
    "rest",
    "spare",
    "whole",
];

/// Phrases after which signs and digits may mean something else anywhere in the text.
const OTHER_ARITHMETIC: &[&str] =
    &["\\equiv", "\\pmod", "binary", "congruent", "hexadecimal", "modulo", "octal", "operation", "operator", "≡"];

/// What is known of a whole text.
pub(super) struct TextContext {
    /// Signs or digits may mean something else here: another base, residues, an operation of the text's own.
    pub(super) other_arithmetic: bool,
    /// Some number has a decimal comma, so that `1.500` may be fifteen hundred.
    pub(super) decimal_commas: bool,
}

impl TextContext {
    pub(super) fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let based = lower.match_indices("base").any(|(at, _)| {
            let rest = lower[at + 4..].trim_start_matches([' ', '-', '$', '_', '{']);
            rest.starts_with(|next: char| next.is_ascii_digit()) || starts_with_word(rest, &["two", "eight", "ten"])
        });
        let residues = words(&lower).any(|word| word == "mod");
        Self {
            other_arithmetic: based || residues || OTHER_ARITHMETIC.iter().any(|sign| lower.contains(sign)),
            decimal_commas: has_decimal_comma(text),
        }
    }
}

fn starts_with_word(text: &str, among: &[&str]) -> bool {
    words(text).next().is_some_and(|word| among.contains(&word))
}

/// `3,5` or `0,25`: a comma between digits that does not part thousands.
fn has_decimal_comma(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices(',').any(|(at, _)| {
        let digit = |position: usize| bytes.get(position).is_some_and(u8::is_ascii_digit);
        let after = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        at > 0 && digit(at - 1) && (1..=2).contains(&after) && bytes.get(at + 1 + after) != Some(&b',')
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’')).filter(|word| !word.is_empty())
}

/// What stands around one statement.
pub(super) struct Surroundings {
    before: Vec<String>,
    after: Vec<String>,
    next_sentence: Vec<String>,
    asked: bool,
    continued: bool,
}

impl Surroundings {
    pub(super) fn of(text: &str, span: &Range<usize>) -> Self {
        let from = text.floor_char_boundary(span.start.saturating_sub(WINDOW));
        let to = text.ceil_char_boundary(text.len().min(span.end + WINDOW));
        let (head, tail) = (&text[from..span.start], &text[span.end..to]);
        let line_start = head.rfind('\n').map_or(0, |at| at + 1);
        let begins = head.char_indices().rev().find(|mark| ends_sentence(head, *mark));
        let before = &head[begins.map_or(0, |(at, sign)| at + sign.len_utf8())..];
        let ends = tail.char_indices().find(|mark| ends_sentence(tail, *mark));
        let (after, rest) = tail.split_at(ends.map_or(tail.len(), |(at, _)| at));
        let taken = |text: &str| words(&text.to_lowercase()).map(|word| word.replace('’', "'")).collect::<Vec<_>>();
        let (mut before, mut after, mut next) = (taken(before), taken(after), taken(rest));
        before.reverse();
        before.truncate(NEAR);
        after.truncate(NEAR);
        next.truncate(NEAR / 2);
        Self {
            before,
            after,
            next_sentence: next,
            asked: rest.starts_with('?'),
            continued: is_continued(&head[..line_start], &head[line_start..], tail),
        }
    }

    /// Whether a statement that does not hold is a mistake, as far as the words around it tell.
    pub(super) fn is_claim(&self) -> bool {
        let has = |words: &[String], among: &[&str]| words.iter().any(|word| among.contains(&word.as_str()));
        !(self.asked
            || self.continued
            || has(&self.before, SUPPOSING)
            || has(&self.after, RETRACTING)
            || has(&self.next_sentence, CORRECTING))
    }

    /// Whether the words say that a figure is not exact.
    pub(super) fn is_rounded(&self) -> bool {
        self.any(ROUNDING)
    }

    /// Whether the words say that a division was left at whole numbers.
    pub(super) fn is_whole_division(&self) -> bool {
        self.any(WHOLE)
    }

    /// Whether no words stand around it.
    pub(super) fn is_bare(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    fn any(&self, among: &[&str]) -> bool {
        let all = self.before.iter().chain(&self.after).chain(&self.next_sentence);
        all.into_iter().any(|word| among.contains(&word.as_str()))
    }
}

/// Whether a sentence ends at this mark, which a point between digits is not, or with the line.
fn ends_sentence(text: &str, (at, sign): (usize, char)) -> bool {
    match sign {
        '\n' | '!' | '?' | ';' | '。' | '।' => true,
        '.' => !text[at + 1..].starts_with(|next: char| next.is_ascii_digit()),
        _ => false,
    }
}

/// Whether the formula may have begun on the line before or go on on the next one.
fn is_continued(lines_before: &str, line_before: &str, tail: &str) -> bool {
    let previous = lines_before.trim_end_matches(['\r', '\n']).rsplit('\n').next().unwrap_or_default().trim_end();
    let gap = lines_before.ends_with("\n\n");
    let opens_line = line_before.trim_start_matches([' ', '\t', '&', '$', '-', '+', '*', '>']).is_empty();
    let signed = line_before.trim_start().starts_with(['-', '+']);
    let listed = previous.trim_start().starts_with(['-', '+', '*']) || previous.ends_with(['.', ':', '!', '?']);
    let from_before = opens_line
        && !gap
        && (previous.ends_with(['+', '-', '−', '×', '·', '*', '/', '÷', '(', '='])
            || signed && !previous.is_empty() && !listed);
    let (rest, next) = tail.split_once('\n').unwrap_or((tail, ""));
    let closed = rest.trim_end().trim_end_matches(['\\', '$']).ends_with(['.', ':', ';', '!', '?']);
    let next = next.trim_start_matches([' ', '\t', '&', '$']);
    let goes_on = !closed && ["+", "×", "·", "÷", "/", "\\times", "\\cdot"].iter().any(|sign| next.starts_with(sign));
    from_before || goes_on
}
