//! Quantities: a number with its currency, percent sign, scale and unit, or a range of two.
//!
//! A text is a quantity only if every word of it is accounted for: `12 High Street` is none.

use super::decimal::Decimal;
use super::numeral::{self, Numeral};
use super::{number_words, units};
use unicode_normalization::UnicodeNormalization;

/// A number and what it counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) numeral: Numeral,
    pub(super) currency: Option<&'static str>,
    pub(super) percent: bool,
    pub(super) unit: Option<&'static str>,
    pub(super) rate: Option<&'static str>,
    /// It says of itself that it is about so much.
    pub(super) approximate: bool,
}

impl Number {
    fn plain(numeral: Numeral) -> Self {
        Self { numeral, currency: None, percent: false, unit: None, rate: None, approximate: false }
    }
}

/// One number or two ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    One(Number),
    Range(Number, Number),
}

/// The quantity a JSON number is.
pub(super) fn of_json(text: &str) -> Option<Quantity> {
    Decimal::of_json(text).map(|value| Quantity::One(Number::plain(Numeral::Plain(value))))
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Numeral(Numeral),
    Word(String),
    Sign(char),
}

/// Longer texts are no quantities.
const LONGEST: usize = 120;

/// Reads a text as a quantity.
pub(super) fn read(text: &str) -> Option<Quantity> {
    if text.len() > LONGEST {
        return None;
    }
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let mut pieces = split(text.trim().trim_end_matches('.'))?;
    if let [Piece::Sign('('), inner @ .., Piece::Sign(')')] = pieces.as_slice() {
        // Accountants write a negative amount in brackets.
        let mut negative = vec![Piece::Sign('-')];
        negative.extend_from_slice(inner);
        pieces = negative;
    }
    if let Some(number) = one(&pieces) {
        return Some(Quantity::One(number));
    }
    range(&pieces)
}

fn split(text: &str) -> Option<Vec<Piece>> {
    let characters: Vec<char> = text.chars().collect();
    let at = |place: usize| characters.get(place).copied().unwrap_or(' ');
    let digit = |place: usize| at(place).is_ascii_digit();
    let mut pieces = Vec::new();
    let mut place = 0;
    while place < characters.len() {
        let character = at(place);
        if character.is_whitespace() {
            place += 1;
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
            pieces.push(Piece::Numeral(numeral::read(&written)?));
        } else if character.is_alphabetic() {
            let start = place;
            while at(place).is_alphabetic()
                || (at(place) == '.' && at(place + 1).is_alphabetic())
                || matches!(at(place), '²' | '$')
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
fn one(pieces: &[Piece]) -> Option<Number> {
    let mut number = Number::plain(Numeral::Plain(Decimal::ZERO));
    let (mut found, mut negative, mut scaled) = (false, false, false);
    let mut rest = pieces;
    while let Some((piece, after)) = rest.split_first() {
        rest = after;
        match piece {
            Piece::Numeral(numeral) if !found => {
                number.numeral = *numeral;
                found = true;
            }
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
                    } else if let Some((value, taken)) = spelled(piece, after) {
                        number.numeral = Numeral::Plain(value);
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
                } else if matches!(word, "old" | "of" | "age") && number.unit == Some("year") {
                    // "55 years old", "55 years of age"
                } else if let Some(unit) = units::unit(word) {
                    number.unit = Some(Some(unit).filter(|_| number.unit.is_none())?);
                } else {
                    number.set_currency(word)?;
                }
            }
            Piece::Numeral(_) => return None,
        }
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
fn spelled(first: &Piece, after: &[Piece]) -> Option<(Decimal, usize)> {
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
    let (value, taken) = number_words::read(&words)?;
    Some((value, *lengths.get(taken.checked_sub(1)?)?))
}

/// Reads two numbers with a hyphen, `to`, or `between … and …`.
fn range(pieces: &[Piece]) -> Option<Quantity> {
    let word = |piece: &Piece, wanted: &str| matches!(piece, Piece::Word(word) if word == wanted);
    let (pieces, joint) = match pieces.split_first() {
        Some((first, rest)) if word(first, "between") => (rest, "and"),
        Some((first, rest)) if word(first, "from") => (rest, "to"),
        _ => (pieces, "to"),
    };
    for (place, piece) in pieces.iter().enumerate() {
        if !(word(piece, joint) || (*piece == Piece::Sign('-') && joint == "to")) {
            continue;
        }
        let (Some(mut low), Some(high)) = (one(&pieces[..place]), one(&pieces[place + 1..])) else { continue };
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
