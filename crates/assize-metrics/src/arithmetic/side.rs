//! Which words and numbers around an equals sign belong to it.
//!
//! To the left it is the longest stretch of arithmetic that ends at the sign, to the right the
//! longest that begins there. Where the stretch borders on something that may be part of the
//! formula, there is no side.

use super::token::{Piece, Token};

/// Sides longer than this are not read.
const LENGTH_LIMIT: usize = 400;

/// Words before a number that name it ("step 2 - 3 + 4 = 7").
const LABELS: &[&str] =
    &["case", "equation", "example", "exercise", "item", "line", "no", "option", "part", "problem", "question", "step"];

/// What "of" may follow where it only introduces the formula.
const INTRODUCING_OF: &[&str] =
    &["amount", "answer", "cost", "difference", "price", "product", "result", "sum", "total", "value"];

/// Units as they are abbreviated. Any other short word may be a variable, or a product of them.
const UNIT_SIGNS: &[&str] = &[
    "m", "g", "s", "h", "l", "€", "£", "¥", "₹", "cm", "ft", "hr", "hrs", "kg", "km", "km/h", "kmh", "kph", "lb",
    "lbs", "mg", "mi", "min", "mins", "ml", "mm", "mph", "oz", "sec", "secs", "yd",
];

/// Words that may follow a number and are not its unit.
const CONNECTIVES: &[&str] = &[
    "a", "and", "are", "as", "at", "because", "but", "each", "for", "from", "he", "i", "if", "in", "is", "it", "of",
    "on", "or", "per", "she", "since", "so", "that", "the", "then", "they", "thus", "to", "was", "we", "when", "where",
    "which", "while", "with",
];

/// Words after which a single number can open a claim: "so 7 = 3 + 4". After others it is part of a name: "age in 8 years".
const OPENING: &[&str] = &[
    "and",
    "as",
    "because",
    "get",
    "gives",
    "have",
    "hence",
    "is",
    "means",
    "since",
    "so",
    "that",
    "then",
    "therefore",
    "thus",
];

/// One side of an equals sign.
pub(super) struct Half {
    /// The tokens of the side; two where a dash at the start of the line may be a list's mark.
    pub(super) readings: Vec<Vec<Token>>,
    /// Nothing else stands between the neighbouring equals signs.
    pub(super) whole: bool,
    /// Where it begins among the tokens before the sign, or ends among those after it.
    pub(super) edge: usize,
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
    if !begins_here(tokens, start) {
        return None;
    }
    let whole = start == 0;
    let half = |readings| Some(Half { readings, whole, edge: start });
    if let Piece::Operator(sign) = first.piece {
        let spaced = side.get(1).is_some_and(|next| !next.glued);
        return match (sign, spaced, whole && starts_line) {
            ('-' | '+', true, true) => half(vec![side[1..].to_vec(), side.to_vec()]),
            // "income - 5 + 3": a variable, or a dash?
            ('-' | '+', true, false) if !whole => None,
            ('-' | '+', _, _) => half(vec![side.to_vec()]),
            _ => None,
        };
    }
    half(vec![side.to_vec()])
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
        if is_unit(word, tokens[end].glued) {
            end += 1;
        } else if tokens[end].glued || !is_prose(word) {
            return None;
        }
    }
    if end == 0 || !ends_here(&tokens[end..]) {
        return None;
    }
    Some(Half { readings: vec![tokens[..end].to_vec()], whole: end == tokens.len(), edge: end })
}

/// Whether what stands after a side leaves its value alone.
fn ends_here(rest: &[Token]) -> bool {
    match rest {
        [] => true,
        // "0.\overline{6}", but not "7.Then".
        [Token { piece: Piece::Break('.' | ','), glued: true, .. }, next, ..] if next.glued => {
            matches!(next.piece, Piece::Break(_) | Piece::Close(_) | Piece::Word(_))
        }
        [Token { piece: Piece::Break('?' | '\'' | '’' | '′' | '″' | '"'), glued: true, .. }, ..] => false,
        [next, ..] => matches!(next.piece, Piece::Break(_) | Piece::Close(_) | Piece::Open(_) | Piece::Word(_)),
    }
}

/// Whether what follows a side, up to the next mark or statement, could be part of its value: "17 with a remainder of 9",
/// "2 hours and 15 minutes", "2 (mod 5)".
pub(super) fn goes_on(rest: &[Token]) -> bool {
    let ends = |token: &Token| matches!(token.piece, Piece::Break(_) | Piece::Equal | Piece::About);
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    let mut clause = &rest[..end];
    if rest.get(end).is_some_and(|token| !matches!(token.piece, Piece::Break(_))) {
        while !clause.is_empty() && is_part(clause, clause.len() - 1) {
            clause = &clause[..clause.len() - 1];
        }
    }
    clause.iter().any(|token| !matches!(token.piece, Piece::Word(_) | Piece::Open(_) | Piece::Close(_)))
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
            after_value && before_operator && is_unit(word, tokens[position].glued)
        }
        _ => false,
    }
}

/// A word that reads like a unit: no connective, and neither a variable nor a product of them.
fn is_unit(word: &str, glued: bool) -> bool {
    UNIT_SIGNS.contains(&word)
        || (!glued && word.chars().count() >= 3 && !CONNECTIVES.contains(&word) && is_prose(word))
}

/// A word of a language, as far as that can be told: not `xy`, `u_4`, `abc`.
fn is_prose(word: &str) -> bool {
    let letters = word.chars().all(|c| c.is_alphabetic() || !c.is_ascii() || "'/".contains(c));
    let spoken = !word.is_ascii() || word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    letters && (CONNECTIVES.contains(&word) || word.chars().count() >= 3 && spoken && word != "abc")
}

/// Whether what stands before a side leaves its value alone.
fn begins_here(tokens: &[Token], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).map(|position| &tokens[position]) else {
        return true;
    };
    let side = &tokens[start..];
    match &before.piece {
        Piece::Open(_) => true,
        // "f'(2)", "!5": a mark that touches both what is before and after is no punctuation.
        Piece::Break(sign) => !side[0].glued || !"!?.'’′″".contains(*sign) || !before.glued && "'’".contains(*sign),
        Piece::Word(word) => {
            let called = side[0].glued;
            let of_something = word == "of"
                && !matches!(
                    start.checked_sub(2).map(|position| &tokens[position].piece),
                    Some(Piece::Word(what)) if INTRODUCING_OF.contains(&what.as_str())
                );
            let variable = word.chars().count() == 1 && word != "a";
            // "boxes 60 / boxes 150": the formula began before the word.
            let within = matches!(
                start.checked_sub(2).map(|position| &tokens[position].piece),
                Some(Piece::Operator(_) | Piece::Doubt)
            );
            let named = OPENING.contains(&word.as_str())
                || side.iter().any(|token| matches!(token.piece, Piece::Operator(_) | Piece::Fraction));
            let function = matches!(side[0].piece, Piece::Open(_)) && !is_prose(word);
            !called && !of_something && !variable && !within && named && !function && !LABELS.contains(&word.as_str())
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
