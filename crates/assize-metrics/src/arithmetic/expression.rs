//! Reads one side of an equation and evaluates it.
//!
//! The usual precedence; powers bind to the right. A value is exact, and beside it stands the range
//! it would have if the decimals in it had been rounded, so that `14.29 * 7 = 100` is no
//! mistake. What has two customary readings (`-2^2`) has none here.

use super::number::Literal;
use super::rational::Rational;
use super::token::{Piece, Token};

/// Nesting beyond this is not read.
const DEPTH_LIMIT: usize = 64;

/// From this many decimals on, a number may be the rounded form of another.
const ROUNDED_DECIMALS: u32 = 2;

/// What `%` means while a side is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PercentReading {
    /// A hundredth.
    Hundredth,
    /// A unit like any other, as in `0.15 * 100 = 15%`.
    Unit,
}

/// A side with its value and what it is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    pub(super) value: Rational,
    /// The values possible if its decimals were rounded, where it multiplies or divides.
    pub(super) range: (f64, f64),
    /// The number it consists of, where it is nothing but a number.
    pub(super) literal: Option<Literal>,
    /// Unit words and currency signs, each once.
    pub(super) units: Vec<String>,
    pub(super) has_sum: bool,
    pub(super) has_product: bool,
    pub(super) percents: usize,
    /// Numbers without a percent sign.
    pub(super) plain_numbers: usize,
    pub(super) has_share: bool,
    pub(super) has_continued: bool,
}

/// A value with the range that rounding leaves it.
#[derive(Debug, Clone, Copy)]
struct Value {
    exact: Rational,
    low: f64,
    high: f64,
}

impl Value {
    fn new(exact: Rational, ends: &[f64]) -> Self {
        Self {
            exact,
            low: ends.iter().copied().fold(f64::INFINITY, f64::min),
            high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn negated(self) -> Option<Self> {
        Some(Self::new(self.exact.negated()?, &[-self.low, -self.high]))
    }

    fn combine(self, operator: char, other: Self) -> Option<Self> {
        let pairs = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        match operator {
            '+' => Some(Self::new(self.exact.plus(other.exact)?, &pairs.map(|(a, b)| a + b))),
            '-' => Some(Self::new(self.exact.minus(other.exact)?, &pairs.map(|(a, b)| a - b))),
            '*' => Some(Self::new(self.exact.times(other.exact)?, &pairs.map(|(a, b)| a * b))),
            '/' => {
                let exact = self.exact.divided_by(other.exact)?;
                if other.low <= 0.0 && other.high >= 0.0 {
                    return Some(Self::new(exact, &[exact.to_f64()]));
                }
                Some(Self::new(exact, &pairs.map(|(a, b)| a / b)))
            }
            _ => {
                let exact = self.exact.power(other.exact)?;
                let exponent = other.exact.to_f64();
                let ends = [self.low, self.high].map(|base| base.powf(exponent));
                Some(Self::new(exact, &[ends[0], ends[1], exact.to_f64()]))
            }
        }
    }
}

/// Reads all of the tokens as one expression.
pub(super) fn read(tokens: &[Token], percent: PercentReading) -> Option<Side> {
    let mut reader = Reader {
        tokens,
        position: 0,
        depth: 0,
        percent,
        literals: 0,
        last_literal: None,
        side: Side {
            value: Rational::ZERO,
            range: (0.0, 0.0),
            literal: None,
            units: Vec::new(),
            has_sum: false,
            has_product: false,
            percents: 0,
            plain_numbers: 0,
            has_share: false,
            has_continued: false,
        },
    };
    let value = reader.sum()?;
    if reader.position != tokens.len() {
        return None;
    }
    let mut side = reader.side;
    side.value = value.exact;
    side.range = (value.low, value.high);
    let bare = reader.literals == 1 && !side.has_sum && !side.has_product;
    side.literal = reader.last_literal.filter(|_| bare).map(|literal| Literal {
        value: side.value, // with its sign
        ..literal
    });
    Some(side)
}

struct Reader<'a> {
    tokens: &'a [Token],
    position: usize,
    depth: usize,
    percent: PercentReading,
    literals: usize,
    last_literal: Option<Literal>,
    side: Side,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Piece> {
        self.tokens.get(self.position).map(|token| &token.piece)
    }

    fn take_operator(&mut self, among: &str) -> Option<char> {
        match self.peek() {
            Some(Piece::Operator(sign)) if among.contains(*sign) => {
                let sign = *sign;
                self.position += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<Value> {
        let mut value = self.product()?;
        while let Some(sign) = self.take_operator("+-") {
            self.side.has_sum = true;
            let other = self.product()?;
            value = value.combine(sign, other)?;
        }
        Some(value)
    }

    fn product(&mut self) -> Option<Value> {
        let mut value = self.signed()?;
        let mut divided = false;
        loop {
            let glued_group = matches!(self.peek(), Some(Piece::Open('('))) && self.tokens[self.position].glued;
            if glued_group && divided {
                return None; // "6/2(3)" is 9 to some and 1 to others
            }
            let sign = if glued_group {
                '*' // "2(3 + 4)", "(3)(4)"
            } else {
                let shared = self.tokens.get(self.position).is_some_and(is_word_of);
                match self.take_operator("*/") {
                    Some(sign) => {
                        self.side.has_share |= shared;
                        sign
                    }
                    None => return Some(value),
                }
            };
            self.side.has_product = true;
            divided = sign == '/';
            let other = self.signed()?;
            value = value.combine(sign, other)?;
        }
    }

    fn signed(&mut self) -> Option<Value> {
        let mut negative = false;
        let mut signs = 0;
        while let Some(sign) = self.take_operator("+-") {
            negative ^= sign == '-';
            signs += 1;
            if signs > DEPTH_LIMIT {
                return None;
            }
        }
        let start = self.position;
        let value = self.power()?;
        if !negative {
            return Some(value);
        }
        let raised = self.tokens[start..self.position].iter().any(|token| token.piece == Piece::Operator('^'));
        let grouped = matches!(self.tokens[start].piece, Piece::Open(_));
        // "-2^2" is -4 to a mathematician and 4 to a calculator.
        if raised && !grouped {
            return None;
        }
        value.negated()
    }

    fn power(&mut self) -> Option<Value> {
        let base = self.atom()?;
        if self.take_operator("^").is_none() {
            return Some(base);
        }
        // "5 m^2" is five square metres, not twenty-five.
        if matches!(self.tokens[self.position - 2].piece, Piece::Word(_)) {
            return None;
        }
        self.side.has_product = true;
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return None;
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        base.combine('^', exponent)
    }

    fn atom(&mut self) -> Option<Value> {
        match self.peek()?.clone() {
            Piece::Open(open) => {
                let value = self.group(open)?;
                self.unit();
                Some(value)
            }
            Piece::Fraction => {
                self.position += 1;
                let top = self.braced()?;
                let bottom = self.braced()?;
                self.side.has_product = true;
                top.combine('/', bottom)
            }
            Piece::Currency(sign) => {
                self.add_unit(sign.to_string());
                self.position += 1;
                match self.peek()? {
                    Piece::Number(literal) => {
                        let literal = *literal;
                        self.number(literal)
                    }
                    _ => None,
                }
            }
            Piece::Number(literal) => self.number(literal),
            _ => None,
        }
    }

    fn braced(&mut self) -> Option<Value> {
        match self.peek()? {
            Piece::Open('{') => self.group('{'),
            _ => None,
        }
    }

    fn group(&mut self, open: char) -> Option<Value> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return None;
        }
        self.position += 1;
        let value = self.sum()?;
        let close = match open {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        if *self.peek()? != Piece::Close(close) {
            return None;
        }
        self.position += 1;
        self.depth -= 1;
        Some(value)
    }

    fn number(&mut self, literal: Literal) -> Option<Value> {
        self.position += 1;
        self.literals += 1;
        self.side.has_continued |= literal.continues;
        let mut exact = literal.value;
        let mut decimals = literal.decimals;
        if self.peek() == Some(&Piece::Percent) {
            self.position += 1;
            self.side.percents += 1;
            if self.percent == PercentReading::Hundredth {
                exact = exact.divided_by(Rational::new(100, 1)?)?;
                decimals += 2;
            }
        } else {
            self.side.plain_numbers += 1;
        }
        self.unit();
        self.last_literal = Some(Literal { value: exact, decimals, continues: literal.continues });
        let middle = exact.to_f64();
        let half_step =
            if literal.decimals >= ROUNDED_DECIMALS { 0.5 * 0.1f64.powi(i32::try_from(decimals).ok()?) } else { 0.0 };
        Some(Value::new(exact, &[middle - half_step, middle + half_step]))
    }

    /// A word directly after a number is its unit.
    fn unit(&mut self) {
        if let Some(Piece::Word(word)) = self.peek() {
            let word = word.clone();
            self.add_unit(word);
            self.position += 1;
        }
    }

    fn add_unit(&mut self, unit: String) {
        let unit = singular(unit);
        if !self.side.units.contains(&unit) {
            self.side.units.push(unit);
        }
    }
}

/// One unit, whether singular or plural: "boxes" is "box".
fn singular(unit: String) -> String {
    let stem = ["xes", "ches", "shes", "sses"]
        .iter()
        .find(|ending| unit.ends_with(*ending))
        .and_then(|_| unit.strip_suffix("es"))
        .or_else(|| unit.strip_suffix('s'));
    match stem {
        Some(stem) if stem.chars().count() >= 2 => stem.to_owned(),
        _ => unit,
    }
}

/// "of" is a multiplication sign of two letters.
fn is_word_of(token: &Token) -> bool {
    token.piece == Piece::Operator('*') && token.span.len() == 2 && !token.glued
}
