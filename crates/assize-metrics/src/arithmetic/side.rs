//! Which words and numbers around an equals sign belong to it.
//!
//! To the left it is the longest stretch of arithmetic that ends at the sign, to the right the
//! longest that begins there. Where the stretch borders on something that may be part of the
//! formula, there is no side.

use super::token::{Piece, Token};

/// Sides longer than this are not read.
const LENGTH_LIMIT: usize = 400;

/// How many words around a statement are looked at for "if", "wrong" and their like.
const NEAR: usize = 8;

/// Words before a statement that make it something other than a claim.
const HYPOTHETICAL: &[&str] = &[
    "assume",
    "assuming",
    "cannot",
    "didn't",
    "doesn't",
    "don't",
    "if",
    "incorrect",
    "incorrectly",
    "instead",
    "isn't",
    "mistake",
    "mistakenly",
    "not",
    "suppose",
    "unless",
    "whether",
    "wrong",
    "wrongly",
    "false",
];

/// Words after a statement that take it back.
const RETRACTION: &[&str] = &["but", "doesn't", "false", "incorrect", "isn't", "mistake", "not", "remainder", "wrong"];

/// Words before a number that name it ("step 2 - 3 + 4 = 7").
const LABELS: &[&str] =
    &["case", "equation", "example", "exercise", "item", "line", "no", "option", "part", "problem", "question", "step"];

/// What "of" may follow where it only introduces the formula.
const INTRODUCING_OF: &[&str] =
    &["amount", "answer", "cost", "difference", "price", "product", "result", "sum", "total", "value"];

/// Units of one letter; any other single letter is a variable.
const LETTER_UNITS: &[&str] = &["m", "g", "s", "h", "l", "€", "£", "¥", "₹"];

/// One side of an equals sign.
pub(super) struct Half {
    /// The tokens of the side; two where a dash at the start of the line may be a list's mark.
    pub(super) readings: Vec<Vec<Token>>,
    /// Nothing else stands between the neighbouring equals signs.
    pub(super) whole: bool,
}

/// The side that ends at the sign, out of everything since the sign before.
pub(super) fn left_of(tokens: &[Token], starts_line: bool) -> Option<Half> {
    let tokens = match starts_line {
        true => &tokens[list_mark(tokens)..],
        false => tokens,
    };
    let mut start = tokens.len();
    while start > 0 && tokens.len() - start < LENGTH_LIMIT && is_part(tokens, start - 1) {
        start -= 1;
    }
    // "(so 3 + 4 = 7)": brackets that close after the sign are not part of the side.
    while start < tokens.len() && first_bracket_stays_open(&tokens[start..]) {
        start += 1;
    }
    let side = &tokens[start..];
    let first = side.first()?;
    if is_hypothetical(&tokens[..start]) || !begins_here(tokens, start) {
        return None;
    }
    let whole = start == 0;
    if let Piece::Operator(sign) = first.piece {
        let spaced = side.get(1).is_some_and(|next| !next.glued);
        return match (sign, spaced, whole && starts_line) {
            ('-' | '+', true, true) => Some(Half { readings: vec![side[1..].to_vec(), side.to_vec()], whole }),
            // "income - 5 + 3": a variable, or a dash?
            ('-' | '+', true, false) if !whole => None,
            ('-' | '+', _, _) => Some(Half { readings: vec![side.to_vec()], whole }),
            _ => None,
        };
    }
    Some(Half { readings: vec![side.to_vec()], whole })
}

/// How many tokens a list's mark takes: "1)", "(a)". A sign after it would be ambiguous.
fn list_mark(tokens: &[Token]) -> usize {
    let length = match tokens {
        [open, mark, close, ..] if open.piece == Piece::Open('(') && is_mark(mark, close) => 3,
        [mark, close, ..] if is_mark(mark, close) => 2,
        _ => return 0,
    };
    let begins = tokens.get(length).is_some_and(|next| !next.glued && !matches!(next.piece, Piece::Operator(_)));
    if begins { length } else { 0 }
}

fn is_mark(mark: &Token, close: &Token) -> bool {
    matches!(&mark.piece, Piece::Number(_) | Piece::Word(_)) && close.piece == Piece::Close(')')
}

/// The side that begins after the sign, out of everything until the next sign.
pub(super) fn right_of(tokens: &[Token]) -> Option<Half> {
    let mut end = 0;
    while end < tokens.len() && is_part(tokens, end) {
        end += 1;
        if end > LENGTH_LIMIT {
            return None;
        }
    }
    let arithmetic = end;
    if let Some(open) = aside(&tokens[..end]) {
        end = open;
    }
    if let Some(close) = first_stray_close(&tokens[..end]) {
        end = close;
    }
    // "$5 more": money has its unit, so the word after it is prose.
    let follows_money = |word: usize| {
        let money = word.checked_sub(2).map(|position| &tokens[position].piece);
        matches!(money, Some(Piece::Currency(_)))
    };
    let ends_in_word = |end: usize| {
        let last = end.checked_sub(1).map(|position| &tokens[position].piece);
        matches!(last, Some(Piece::Word(_)))
    };
    if ends_in_word(end) && follows_money(end - 1) {
        end -= 1;
    }
    // The unit of the last number belongs to the side.
    if end == arithmetic
        && !follows_money(end)
        && let Some(Token { piece: Piece::Word(word), .. }) = tokens.get(end)
    {
        let after_value = matches!(
            tokens[..end].last().map(|token| &token.piece),
            Some(Piece::Number(_) | Piece::Percent | Piece::Close(_))
        );
        if !after_value {
            return None;
        }
        if is_unit(word) {
            end += 1;
        } else if word.chars().count() == 1 && word != "a" && word != "i" {
            return None;
        }
    }
    if matches!(tokens.get(end).map(|token| &token.piece), Some(Piece::Doubt | Piece::Break('?') | Piece::Operator(_)))
        || is_retracted(&tokens[end..])
    {
        return None;
    }
    if end == 0 {
        return None;
    }
    Some(Half { readings: vec![tokens[..end].to_vec()], whole: end == tokens.len() })
}

/// Whether a token can be part of an expression.
fn is_part(tokens: &[Token], position: usize) -> bool {
    match &tokens[position].piece {
        Piece::Number(_)
        | Piece::Percent
        | Piece::Currency(_)
        | Piece::Operator(_)
        | Piece::Open(_)
        | Piece::Close(_)
        | Piece::Fraction => true,
        Piece::Word(word) => {
            let after_value = position > 0
                && matches!(tokens[position - 1].piece, Piece::Number(_) | Piece::Percent | Piece::Close(_));
            let before_operator = match tokens.get(position + 1).map(|token| &token.piece) {
                Some(Piece::Operator(_) | Piece::Close(_)) => true,
                None => position > 0,
                _ => false,
            };
            after_value && before_operator && is_unit(word)
        }
        _ => false,
    }
}

/// A word that reads like a unit: not a connective, and no variable.
fn is_unit(word: &str) -> bool {
    const CONNECTIVES: &[&str] = &[
        "and", "are", "as", "because", "for", "from", "if", "in", "is", "on", "or", "since", "so", "that", "the",
        "then", "thus", "to", "which", "with", "we", "was", "when", "where", "while",
    ];
    let letters = word.chars().count();
    (letters >= 2 && !CONNECTIVES.contains(&word) && !word.contains(|c: char| c.is_ascii_digit()))
        || LETTER_UNITS.contains(&word)
}

/// Whether what stands before a side leaves its value alone.
fn begins_here(tokens: &[Token], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).map(|position| &tokens[position]) else {
        return true;
    };
    match &before.piece {
        Piece::Break(_) | Piece::Open(_) => true,
        Piece::Word(word) => {
            let called = tokens[start].glued;
            let of_something = word == "of"
                && !matches!(
                    start.checked_sub(2).map(|position| &tokens[position].piece),
                    Some(Piece::Word(what)) if INTRODUCING_OF.contains(&what.as_str())
                );
            let variable = word.chars().count() == 1 && word != "a";
            !called && !of_something && !variable && !LABELS.contains(&word.as_str())
        }
        _ => false,
    }
}

/// Whether the first token opens a bracket that nothing closes.
fn first_bracket_stays_open(tokens: &[Token]) -> bool {
    if !matches!(tokens[0].piece, Piece::Open(_)) {
        return false;
    }
    let mut depth = 0usize;
    for token in tokens {
        match token.piece {
            Piece::Open(_) => depth += 1,
            Piece::Close(_) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// Where a remark in brackets begins after a complete value: "7 (since …".
fn aside(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    let mut opened = None;
    for (position, token) in tokens.iter().enumerate() {
        match token.piece {
            Piece::Open(_) => {
                if depth == 0 {
                    opened = Some(position);
                }
                depth += 1;
            }
            Piece::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // Still open where the arithmetic ends: words follow inside.
    opened.filter(|&position| {
        depth > 0
            && position > 0
            && matches!(
                tokens[position - 1].piece,
                Piece::Number(_) | Piece::Percent | Piece::Close(_) | Piece::Word(_)
            )
            && !tokens[position].glued
            && position + 1 == tokens.len()
    })
}

/// Where the first bracket closes that was not opened.
fn first_stray_close(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (position, token) in tokens.iter().enumerate() {
        match token.piece {
            Piece::Open(_) => depth += 1,
            Piece::Close(_) if depth == 0 => return Some(position),
            Piece::Close(_) => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The words nearest to a position, up to the end of the sentence.
fn has_word_near<'a>(tokens: impl Iterator<Item = &'a Token>, words: &[&str]) -> bool {
    tokens
        .take_while(|token| !matches!(token.piece, Piece::Break('.' | ';' | '!')))
        .filter_map(|token| match &token.piece {
            Piece::Word(word) => Some(word),
            _ => None,
        })
        .take(NEAR)
        .any(|word| words.contains(&word.replace('’', "'").as_str()))
}

fn is_hypothetical(before: &[Token]) -> bool {
    has_word_near(before.iter().rev(), HYPOTHETICAL)
}

fn is_retracted(after: &[Token]) -> bool {
    has_word_near(after.iter().take(NEAR), RETRACTION)
        || matches!(
            after.iter().find(|token| matches!(token.piece, Piece::Break(_))),
            Some(token) if token.piece == Piece::Break('?')
        )
}
