//! Quantities: a number with its currency, percent sign, scale and unit, a range of two, or one over another.
//!
//! A text is a quantity only if every word of it is accounted for: `12 High Street` is none.

use super::decimal::Decimal;
use super::number_words::Locale;
use super::numeral::{self, DecimalMark, Numeral};
use super::units::Unit;
use super::{digits, number_words, units};
use unicode_normalization::UnicodeNormalization;

/// A number and what it counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) numeral: Numeral,
    pub(super) currency: Option<&'static str>,
    pub(super) percent: bool,
    pub(super) unit: Option<Unit>,
    pub(super) rate: Option<&'static str>,
    /// It says of itself that it is about so much.
    pub(super) approximate: bool,
    /// Its scale is a bare `m`, which is a million, or metres next to a length.
    pub(super) metres_or_millions: bool,
}

impl Number {
    fn plain(numeral: Numeral) -> Self {
        Self {
            numeral,
            currency: None,
            percent: false,
            unit: None,
            rate: None,
            approximate: false,
            metres_or_millions: false,
        }
    }
}

impl Number {
    /// The number as it is meant next to another: `5000 m` are metres next to a length.
    pub(super) fn beside(&self, other: &Self) -> Self {
        let length = other.unit.is_some_and(|unit| unit.measures == "length");
        match self.numeral.map(|value| Some(value.shifted(-6))) {
            Some(numeral) if self.metres_or_millions && self.unit.is_none() && length => {
                Self { numeral, unit: Some(Unit::metre()), ..self.clone() }
            }
            _ => self.clone(),
        }
    }
}

/// One number, two ends, or one over another as in `120/80`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    One(Number),
    Range(Number, Number),
    Over(Number, Number),
}

impl Quantity {
    /// Its numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &Number> {
        match self {
            Self::One(number) => [Some(number), None],
            Self::Range(one, other) | Self::Over(one, other) => [Some(one), Some(other)],
        }
        .into_iter()
        .flatten()
    }
}

/// The quantity a JSON number is.
pub(super) fn of_json(text: &str) -> Option<Quantity> {
    Decimal::of_json(text).map(|value| Quantity::One(Number::plain(Numeral::Plain(value, None))))
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Numeral(Numeral),
    /// A part of one, which a whole number may come before: `1 1/2`.
    Fraction(Decimal),
    Word(String),
    Sign(char),
}

/// Longer texts are no quantities.
const LONGEST: usize = 120;

/// Reads a text as a quantity.
pub(super) fn read(text: &str, mark: Option<DecimalMark>, locale: Locale) -> Option<Quantity> {
    if text.len() > LONGEST {
        return None;
    }
    // `2½` would become 21/2.
    let apart: String = text.chars().flat_map(|c| [is_fraction(c).then_some(' '), Some(c)]).flatten().collect();
    let text: String = apart.nfkc().flat_map(char::to_lowercase).collect();
    let mut pieces = split(text.trim().trim_end_matches('.'), mark)?;
    if let [Piece::Sign('('), inner @ .., Piece::Sign(')')] = pieces.as_slice() {
        // Accountants write a negative amount in brackets.
        let mut negative = vec![Piece::Sign('-')];
        negative.extend_from_slice(inner);
        pieces = negative;
    }
    if let Some(number) = one(&pieces, locale) {
        return Some(Quantity::One(number));
    }
    range(&pieces, locale)
}

/// Whether a character is a fraction by itself, such as ½.
fn is_fraction(character: char) -> bool {
    !character.is_ascii() && character.nfkc().any(|part| part == '⁄')
}

/// A fraction from here on, and where it ends: `1⁄2`, or `1/2` where that is the usual way to write a part of one.
fn fraction(characters: &[char], start: usize) -> Option<(Decimal, usize)> {
    let number = |from: usize| {
        let length = characters[from..].iter().take_while(|c| c.is_ascii_digit()).count();
        let digits: String = characters[from..from + length].iter().collect();
        Some((digits.parse::<u32>().ok()?, from + length))
    };
    let (numerator, slash) = number(start)?;
    let sign = *characters.get(slash).filter(|sign| matches!(sign, '/' | '⁄'))?;
    let (denominator, end) = number(slash + 1)?;
    let usual = numerator < denominator && matches!(denominator, 2..=6 | 8 | 10 | 12 | 16 | 32 | 100);
    let ends = !characters.get(end).is_some_and(|next| matches!(next, '/' | '.' | '⁄'));
    let value = Decimal::of_fraction(numerator, denominator).filter(|_| ends && (sign == '⁄' || usual))?;
    Some((value, end))
}

fn split(text: &str, mark: Option<DecimalMark>) -> Option<Vec<Piece>> {
    let characters: Vec<char> = text.chars().collect();
    let at = |place: usize| characters.get(place).copied().unwrap_or(' ');
    let digit = |place: usize| at(place).is_ascii_digit();
    let mut pieces = Vec::new();
    let mut place = 0;
    while place < characters.len() {
        let character = at(place);
        let han = characters[place..]
            .iter()
            .take_while(|c| c.is_ascii_digit() || **c == '.' || digits::is_han_numeral(**c))
            .count();
        if character.is_whitespace() {
            place += 1;
        } else if characters[place..place + han].iter().any(|c| digits::is_han_numeral(*c)) {
            let written: String = characters[place..place + han].iter().collect();
            pieces.push(Piece::Numeral(Numeral::Plain(digits::read_han(&written)?, None)));
            place += han;
        } else if let Some((value, end)) = fraction(&characters, place).filter(|_| digit(place)) {
            pieces.push(Piece::Fraction(value));
            place = end;
        } else if digit(place) || (character == '.' && digit(place + 1)) {
            let start = place;
            loop {
                let next = at(place);
                let inside = matches!(next, '.' | ',' | '\'' | '’' | '_') && digit(place + 1);
                let grouping = next == ' ' && place > start && groups_follow(&characters, place);
                if !(digit(place) || inside || grouping) {
                    break;
                }
                place += 1;
            }
            let written: String = characters[start..place].iter().collect();
            let mut read = numeral::read(&written)?.settled(mark);
            // 1.25e3
            let power = characters[place..].iter().skip(1).take_while(|c| c.is_ascii_digit()).collect::<String>();
            if at(place) == 'e' && (1..=2).contains(&power.len()) && place + 1 + power.len() == characters.len() {
                let power = power.parse().ok()?;
                read = read.settled(Some(DecimalMark::Point)).map(|value| Some(value.shifted(power)))?;
                place = characters.len();
            }
            pieces.push(Piece::Numeral(read));
        } else if character.is_alphabetic() {
            let start = place;
            while at(place).is_alphabetic()
                || (at(place) == '.' && at(place + 1).is_alphabetic())
                || matches!(at(place), '²' | '$')
                || (at(place) == '2' && at(place - 1) == 'm')
            {
                place += 1;
            }
            // "p.a." and "approx." end in a dot of their own.
            let word: String = characters[start..place].iter().filter(|c| **c != '.').collect();
            if at(place) == '.' {
                place += 1;
            }
            pieces.push(Piece::Word(word));
        } else {
            pieces.push(Piece::Sign(if matches!(character, '−' | '–' | '—') { '-' } else { character }));
            place += 1;
        }
    }
    Some(pieces)
}

/// Exactly three digits stand after the space, and another space or no digit after them.
fn groups_follow(characters: &[char], space: usize) -> bool {
    let digit = |place: usize| characters.get(place).is_some_and(char::is_ascii_digit);
    // Before the space at most three digits, back to a space or the start of the numeral.
    let before = characters[..space].iter().rev().take_while(|c| c.is_ascii_digit()).count();
    (1..=3).contains(&before) && digit(space + 1) && digit(space + 2) && digit(space + 3) && !digit(space + 4)
}

const ABOUT: &[&str] = &["about", "approximately", "approx", "around", "roughly", "circa", "ca", "some"];

/// Reads all pieces as one number.
fn one(pieces: &[Piece], locale: Locale) -> Option<Number> {
    let mut number = Number::plain(Numeral::Plain(Decimal::ZERO, None));
    let (mut found, mut negative, mut scaled) = (false, false, false);
    // A whole number that a fraction may follow.
    let mut whole = false;
    let mut rest = pieces;
    while let Some((piece, after)) = rest.split_first() {
        rest = after;
        match piece {
            Piece::Numeral(numeral) if !found => {
                number.numeral = *numeral;
                (found, whole) = (true, true);
                continue;
            }
            Piece::Fraction(value) if !found || whole => {
                number.numeral = number.numeral.map(|before| before.plus(*value))?;
                found = true;
            }
            Piece::Sign('°') if found => {}
            Piece::Sign('~' | '≈') if !found => number.approximate = true,
            Piece::Sign('-') if !found && !negative => negative = true,
            Piece::Sign('+') if !found => {}
            Piece::Sign('%') if found && !number.percent => number.percent = true,
            Piece::Sign('/') if found => {
                let Some((Piece::Word(word), after)) = rest.split_first() else { return None };
                number.rate = Some(units::rate_of(word).filter(|_| number.rate.is_none())?);
                rest = after;
            }
            Piece::Sign('-') if found => {
                // "30-year", "5-day": a hyphen before the unit.
                let Some(Piece::Word(_)) = rest.first() else { return None };
            }
            Piece::Sign(sign) => number.set_currency(&sign.to_string())?,
            Piece::Word(word) => {
                let word = word.as_str();
                if !found {
                    if ABOUT.contains(&word) {
                        number.approximate = true;
                    } else if word == "minus" {
                        negative = true;
                    } else if let Some((value, taken)) = spelled(piece, after, locale) {
                        number.numeral = Numeral::Plain(value, None);
                        found = true;
                        scaled = true;
                        rest = &after[taken - 1..];
                    } else {
                        number.set_currency(word)?;
                    }
                } else if let Some(power) = number_words::scale(word).filter(|_| !scaled) {
                    number.numeral = number.numeral.map(|value| Some(value.shifted(power)))?;
                    // "2 hundred thousand"
                    scaled = power != 2;
                    number.metres_or_millions = word == "m";
                } else if matches!(word, "percent" | "pc" | "pct") && !number.percent {
                    number.percent = true;
                } else if word == "per"
                    && matches!(rest.first(), Some(Piece::Word(word)) if word == "cent")
                    && !number.percent
                {
                    number.percent = true;
                    rest = &rest[1..];
                } else if matches!(word, "per" | "a" | "an" | "each" | "every") {
                    let Some((Piece::Word(word), after)) = rest.split_first() else { return None };
                    number.rate = Some(units::rate_of(word).filter(|_| number.rate.is_none())?);
                    rest = after;
                } else if let Some(rate) = units::rate(word) {
                    number.rate = Some(Some(rate).filter(|_| number.rate.is_none())?);
                } else if matches!(word, "bps" | "bp") && number.unit.is_none() && !number.percent {
                    // A hundredth of a percent.
                    number.numeral = number.numeral.map(|value| Some(value.shifted(-2)))?;
                    number.percent = true;
                } else if matches!(word, "old" | "of" | "age")
                    && number.unit.is_some_and(|unit| unit.measures == "months")
                    || matches!(word, "degree" | "degrees" | "international")
                {
                    // "55 years old", "55 years of age", "38 degrees Celsius", "5,000 international units"
                } else if let Some(unit) = units::unit(word) {
                    number.unit = Some(Some(unit).filter(|_| number.unit.is_none())?);
                } else {
                    number.set_currency(word)?;
                }
            }
            Piece::Numeral(_) | Piece::Fraction(_) => return None,
        }
        whole = false;
    }
    if negative {
        number.numeral = number.numeral.map(|value| Some(value.negated()))?;
    }
    found.then_some(number)
}

impl Number {
    fn set_currency(&mut self, word: &str) -> Option<()> {
        let currency = units::currency(word)?;
        match self.currency {
            // "$500 USD" says the same twice.
            Some(before) if !units::same_currency(before, currency) => return None,
            Some("$" | "¥" | "kr") | None => self.currency = Some(currency),
            Some(_) => {}
        }
        Some(())
    }
}

/// Number words from here on: the value, and how many pieces it took, hyphens included.
fn spelled(first: &Piece, after: &[Piece], locale: Locale) -> Option<(Decimal, usize)> {
    let mut words = Vec::new();
    let mut lengths = Vec::new();
    let mut pieces = 0;
    for piece in std::iter::once(first).chain(after) {
        pieces += 1;
        match piece {
            Piece::Word(word) => {
                words.push(word.as_str());
                lengths.push(pieces);
            }
            Piece::Sign('-') if !words.is_empty() => {}
            _ => break,
        }
    }
    let (value, taken) = number_words::read(&words, locale)?;
    Some((value, *lengths.get(taken.checked_sub(1)?)?))
}

/// Reads two numbers with a hyphen, `to`, or `between … and …`.
fn range(pieces: &[Piece], locale: Locale) -> Option<Quantity> {
    let word = |piece: &Piece, wanted: &str| matches!(piece, Piece::Word(word) if word == wanted);
    let (pieces, joint) = match pieces.split_first() {
        Some((first, rest)) if word(first, "between") => (rest, "and"),
        Some((first, rest)) if word(first, "from") => (rest, "to"),
        _ => (pieces, "to"),
    };
    for (place, piece) in pieces.iter().enumerate() {
        let over = *piece == Piece::Sign('/');
        if !(over || word(piece, joint) || (*piece == Piece::Sign('-') && joint == "to")) {
            continue;
        }
        let (Some(mut low), Some(high)) = (one(&pieces[..place], locale), one(&pieces[place + 1..], locale)) else {
            continue;
        };
        if over {
            return Some(Quantity::Over(Number { unit: low.unit.or(high.unit), ..low }, high));
        }
        // What stands once belongs to both ends: "4-5k", "£4,000 to 5,000 a month", "5 to 6 %".
        let scale = trailing_scale(&pieces[place + 1..]).filter(|_| trailing_scale(&pieces[..place]).is_none());
        if let Some(power) = scale {
            low.numeral = low.numeral.map(|value| Some(value.shifted(power)))?;
        }
        low.unit = low.unit.or(high.unit);
        low.rate = low.rate.or(high.rate);
        low.percent |= high.percent;
        let currency = low.currency.or(high.currency);
        let high = Number { currency: high.currency.or(currency), approximate: low.approximate, ..high };
        low.currency = currency;
        let ([(from, _), _], _) = low.numeral.readings();
        let ([(to, _), _], _) = high.numeral.readings();
        if from.is_less(to) {
            return Some(Quantity::Range(low, high));
        }
    }
    None
}

fn trailing_scale(pieces: &[Piece]) -> Option<i32> {
    pieces.iter().find_map(|piece| match piece {
        Piece::Word(word) => number_words::scale(word),
        _ => None,
    })
}
