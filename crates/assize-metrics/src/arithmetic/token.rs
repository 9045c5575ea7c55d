//! Cuts a line into the pieces that matter for arithmetic.
//!
//! Doubt is a piece of its own: whatever could change the value of a number beside it, but is not
//! understood (`3,5`, `5!`, `sqrt`, `million`), becomes [`Piece::Doubt`], and a side that touches it is
//! not read. Marks that carry no value (`$…$`, `**…**`, `\left`) vanish or become a break.

use std::ops::Range;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::number::{Literal, read_literal};

/// What a piece of a line is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// A number as written.
    Number(Literal),
    /// `%` after a number.
    Percent,
    /// A currency sign before a number.
    Currency(char),
    /// `+ - * / ^`, whichever way it was written; `of` after a share is `*`.
    Operator(char),
    /// `( [ {`.
    Open(char),
    /// `) ] }`.
    Close(char),
    /// `\frac`: two groups follow.
    Fraction,
    /// A word: a unit or prose.
    Word(String),
    /// `=`.
    Equal,
    /// `≈`, `~=`.
    About,
    /// Punctuation and other relations: expressions end here.
    Break(char),
    /// Something that may change a value beside it.
    Doubt,
}

/// A piece and where it stands in the text.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) piece: Piece,
    pub(super) span: Range<usize>,
    /// Nothing stands between this piece and the one before.
    pub(super) glued: bool,
}

/// Words that change the value of the number beside them, or take it as an argument.
const VALUE_WORDS: &[&str] = &[
    "abs",
    "alpha",
    "base",
    "beta",
    "billion",
    "billions",
    "by",
    "ceil",
    "choose",
    "comb",
    "cos",
    "cubed",
    "divided",
    "double",
    "dozen",
    "exp",
    "factorial",
    "floor",
    "gamma",
    "gcd",
    "half",
    "hundred",
    "hundreds",
    "lambda",
    "lcm",
    "less",
    "lg",
    "ln",
    "log",
    "max",
    "minus",
    "million",
    "millions",
    "mod",
    "modulo",
    "multiplied",
    "negative",
    "nd",
    "over",
    "percent",
    "plus",
    "power",
    "quarter",
    "rd",
    "remainder",
    "root",
    "sigma",
    "sin",
    "sqrt",
    "squared",
    "st",
    "tan",
    "th",
    "theta",
    "third",
    "thousand",
    "thousands",
    "times",
    "trillion",
    "triple",
    "twice",
];

/// Cuts one line; `offset` is where it starts in the whole text.
pub(super) fn cut(line: &str, offset: usize) -> Vec<Token> {
    let mut cutter = Cutter { line, offset, position: 0, glued: false, tokens: Vec::new() };
    while cutter.position < line.len() {
        cutter.step();
    }
    cutter.tokens
}

struct Cutter<'a> {
    line: &'a str,
    offset: usize,
    position: usize,
    glued: bool,
    tokens: Vec<Token>,
}

impl<'a> Cutter<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.position..]
    }

    fn push(&mut self, piece: Piece, length: usize) {
        let start = self.position + self.offset;
        self.tokens.push(Token { piece, span: start..start + length, glued: self.glued });
        self.position += length;
        self.glued = true;
    }

    fn skip(&mut self, length: usize) {
        self.position += length;
        self.glued = false;
    }

    fn last(&self) -> Option<&Piece> {
        self.tokens.last().map(|token| &token.piece)
    }

    /// Whether the piece before can be the left operand of an operator.
    fn after_operand(&self) -> bool {
        matches!(self.last(), Some(Piece::Number(_) | Piece::Percent | Piece::Close(_) | Piece::Word(_)))
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return;
        };
        let following = rest[first.len_utf8()..].trim_start().chars().next();
        let size = first.len_utf8();

        if first.is_whitespace() {
            return self.skip(size);
        }
        for (spelling, piece) in SPELLED {
            if rest.starts_with(spelling) {
                return self.push(piece.clone(), spelling.len());
            }
        }
        if let Some((literal, length)) = read_literal(rest) {
            let piece = literal.map_or(Piece::Doubt, Piece::Number);
            return self.push(piece, length);
        }
        match first {
            '\\' => self.command(),
            'x' | 'X' | '×' | '·' | '⋅' | '∙' | '÷' | '−' | '–' | '+' | '-' | '*' | '/' | '^' | '²' | '³'
                if self.operator(first, following) => {}
            _ if first.is_alphabetic() && first != 'π' => self.word(),
            '$' | '€' | '£' | '¥' | '₹' => {
                let glued_digit = rest[size..].starts_with(|next: char| next.is_ascii_digit());
                if glued_digit {
                    self.push(Piece::Currency(first), size);
                } else if first == '$' {
                    self.skip(size); // a formula's border
                } else {
                    self.push(Piece::Word(first.to_string()), size);
                }
            }
            '%' => {
                let remainder = following.is_some_and(|next| next.is_ascii_digit());
                let percent = matches!(self.last(), Some(Piece::Number(_))) && !remainder;
                let piece = if percent { Piece::Percent } else { Piece::Doubt };
                self.push(piece, size);
            }
            '(' | '[' | '{' => self.push(Piece::Open(first), size),
            ')' | ']' | '}' => self.push(Piece::Close(first), size),
            '!' => {
                let factorial = self.after_operand() && following.is_some_and(|next| "=+-*/)^".contains(next));
                let piece = if factorial { Piece::Doubt } else { Piece::Break('!') };
                self.push(piece, size);
            }
            // "3:2" and "3 : 2" are ratios; "Day 1: 5 + 3" is a label.
            ':' if following.is_some_and(|next| next.is_ascii_digit())
                && matches!(self.last(), Some(Piece::Number(_)))
                && !(self.glued && rest[1..].starts_with(' ')) =>
            {
                self.push(Piece::Doubt, size);
            }
            '#' if self.tokens.iter().all(|token| token.piece == Piece::Break('#')) => {
                self.push(Piece::Break(first), size); // a heading, or the mark before an answer
            }
            '&' if rest[1..].starts_with(['=', ' ', '\\']) => self.skip(size), // where LaTeX aligns
            '°' | '*' | '`' => self.skip(size),
            '=' => self.push(Piece::Equal, size),
            '≈' | '≅' => self.push(Piece::About, size),
            _ if is_punctuation(first) => self.push(Piece::Break(first), size),
            _ => self.push(Piece::Doubt, size),
        }
    }

    /// Reads an operator, or says that the sign is not one here.
    fn operator(&mut self, first: char, following: Option<char>) -> bool {
        let rest = self.rest();
        let value_follows = following.is_some_and(|next| next.is_ascii_digit() || "(-$€£¥[\\.{+−".contains(next));
        let operand_before = self.after_operand();
        match first {
            'x' | 'X' => {
                // "3 x 4" and "3x4", but not "2x", "0x1F", nor "max".
                let number_before = matches!(self.last(), Some(Piece::Number(_) | Piece::Percent | Piece::Close(_)));
                let alone = !rest[1..].starts_with(char::is_alphabetic);
                let value_follows = following.is_some_and(|next| next.is_ascii_digit() || "($".contains(next));
                if !(number_before && alone && value_follows) {
                    return false;
                }
                let hexadecimal = self.glued
                    && rest[1..].starts_with(|next: char| next.is_ascii_digit())
                    && self.line[..self.position].ends_with('0')
                    && !self.line[..self.position - 1].ends_with(|c: char| c.is_ascii_digit());
                let piece = if hexadecimal { Piece::Doubt } else { Piece::Operator('*') };
                self.push(piece, 1);
            }
            '*' if rest.starts_with("**") => {
                let number_before = matches!(self.last(), Some(Piece::Number(_) | Piece::Close(_)));
                let value_follows =
                    rest[2..].trim_start().starts_with(|next: char| next.is_ascii_digit() || "(-".contains(next));
                if number_before && value_follows {
                    self.push(Piece::Operator('^'), 2);
                } else {
                    self.skip(2); // bold
                }
            }
            '*' => {
                let letter_follows = following.is_some_and(char::is_alphabetic);
                if !(operand_before && (value_follows || letter_follows)) {
                    return false; // emphasis or a list's mark
                }
                self.push(Piece::Operator('*'), 1);
            }
            '×' | '·' | '⋅' | '∙' => self.push(Piece::Operator('*'), first.len_utf8()),
            '÷' => self.push(Piece::Operator('/'), first.len_utf8()),
            '−' | '–' => self.push(Piece::Operator('-'), first.len_utf8()),
            '²' | '³' => {
                let digit = if first == '²' { 2 } else { 3 };
                self.push(Piece::Operator('^'), first.len_utf8());
                self.position -= first.len_utf8();
                self.push(Piece::Number(Literal::whole(digit)), first.len_utf8());
            }
            _ => self.push(Piece::Operator(first), 1),
        }
        true
    }

    fn word(&mut self) {
        let rest = self.rest();
        let mut end = 0;
        let mut characters = rest.char_indices().peekable();
        while let Some((position, character)) = characters.next() {
            let next_is_letter = characters.peek().is_some_and(|(_, next)| next.is_alphabetic());
            let inside = character.is_alphanumeric()
                || character == '_'
                || is_mark(character)
                || ("'’/".contains(character) && next_is_letter && position > 0);
            if !inside {
                break;
            }
            end = position + character.len_utf8();
        }
        let word = rest[..end].to_lowercase();
        let piece = if word == "of" && self.after_share() {
            Piece::Operator('*')
        } else if VALUE_WORDS.contains(&word.as_str()) {
            Piece::Doubt
        } else {
            Piece::Word(word)
        };
        self.push(piece, end);
    }

    /// "20% of", "1/2 of".
    fn after_share(&self) -> bool {
        match self.tokens.as_slice() {
            [.., Token { piece, .. }] if *piece == Piece::Percent => true,
            [.., a, b, c] => {
                matches!((&a.piece, &b.piece, &c.piece), (Piece::Number(_), Piece::Operator('/'), Piece::Number(_)))
            }
            _ => false,
        }
    }

    /// A LaTeX command.
    fn command(&mut self) {
        let rest = self.rest();
        let name: usize = rest[1..].find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(rest.len() - 1);
        if name == 0 {
            let Some(sign) = rest[1..].chars().next() else {
                return self.skip(1);
            };
            match sign {
                '%' | '$' => return self.skip(1),
                '(' | ')' | '[' | ']' | '\\' => self.push(Piece::Break('\\'), 2),
                _ => self.skip(1 + sign.len_utf8()),
            }
            return;
        }
        let length = name + 1;
        match &rest[1..length] {
            "times" | "cdot" => self.push(Piece::Operator('*'), length),
            "div" => self.push(Piece::Operator('/'), length),
            "frac" | "dfrac" | "tfrac" => self.push(Piece::Fraction, length),
            "approx" => self.push(Piece::About, length),
            "implies" | "Rightarrow" | "therefore" | "because" => self.push(Piece::Break('→'), length),
            "left" | "right" | "quad" | "qquad" | "boxed" | "big" | "Big" | "bigl" | "bigr" | "displaystyle" => {
                self.skip(length)
            }
            "text" | "mathrm" | "textbf" | "mathbf" => self.text_group(length),
            _ => self.push(Piece::Doubt, length),
        }
    }

    /// `\text{ apples}`: the words, without the braces.
    fn text_group(&mut self, length: usize) {
        let rest = self.rest();
        let group =
            rest[length..].strip_prefix('{').and_then(|inside| inside.split_once('}')).map(|(inside, _)| inside);
        let Some(inside) = group else {
            return self.push(Piece::Doubt, length);
        };
        let whole = length + inside.len() + 2;
        let word = inside.trim().to_lowercase();
        if word.is_empty() {
            self.skip(whole);
        } else if word.chars().all(char::is_alphabetic) && !VALUE_WORDS.contains(&word.as_str()) {
            self.push(Piece::Word(word), whole);
        } else {
            self.push(Piece::Doubt, whole);
        }
    }
}

/// Signs that end an expression beside what Unicode calls punctuation.
const ENDING: &str = "<>→⇒⟹∴●▪";

/// Punctuation that may be part of a formula.
const FORMULA: &str = "_#%&@*/\\†‡";

/// Whether a sign ends an expression. Any other that is not understood is a doubt.
fn is_punctuation(sign: char) -> bool {
    ENDING.contains(sign)
        || sign.general_category_group() == GeneralCategoryGroup::Punctuation && !FORMULA.contains(sign)
}

/// A mark on the letter before it, as in the scripts of India: it does not end a word.
fn is_mark(sign: char) -> bool {
    sign.general_category_group() == GeneralCategoryGroup::Mark
}

/// Signs of more than one character, or that would be misread one by one.
const SPELLED: &[(&str, Piece)] = &[
    ("===", Piece::Break('≡')),
    ("==", Piece::Break('≡')),
    ("<=", Piece::Break('<')),
    (">=", Piece::Break('>')),
    ("!=", Piece::Break('≠')),
    ("=>", Piece::Break('→')),
    ("=<", Piece::Break('<')),
    ("->", Piece::Break('→')),
    (":=", Piece::Break('≡')),
    ("+=", Piece::Break('≡')),
    ("-=", Piece::Break('≡')),
    ("*=", Piece::Break('≡')),
    ("/=", Piece::Break('≡')),
    ("~=", Piece::About),
    ("≃", Piece::About),
    ("<<", Piece::Break('<')),
    (">>", Piece::Break('>')),
];
