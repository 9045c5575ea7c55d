//! Dates as people write them, to the day, the month or the year.
//!
//! `03/04/2024` is the third of April or the fourth of March, and `55` is 1955 or 2055: such a date has several readings,
//! each with the convention it rests on, unless a setting fixes the order. Two digits up to 40 are of this century, from 69
//! on of the last. Relative dates (`next Friday`) are no dates
//! here: what they mean depends on a day that nobody gave.

use super::number_words;
use super::time::{self, Clock};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

/// How finely dates are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// The same day.
    #[default]
    Day,
    /// The same month of the same year.
    Month,
    /// The same year.
    Year,
}

/// Which comes first in a date of three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// Both readings are kept where both are possible.
    #[default]
    Either,
    /// The day: 03/04/2024 is in April.
    DayFirst,
    /// The month: 03/04/2024 is in March.
    MonthFirst,
}

/// A date, as far as it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Day {
    pub(super) year: Option<i32>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
}

/// The conventions a reading rests on; `None` where it rests on none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Convention {
    pub(super) day_first: Option<bool>,
    pub(super) this_century: Option<bool>,
}

impl Convention {
    /// Whether one writer could hold both.
    pub(super) fn agrees(self, other: Self) -> bool {
        let fits = |one: Option<bool>, other: Option<bool>| one.zip(other).is_none_or(|(one, other)| one == other);
        fits(self.day_first, other.day_first) && fits(self.this_century, other.this_century)
    }
}

/// Everything a text can mean as a date; never empty.
pub(super) type Readings = Vec<(Day, Convention)>;

const LONGEST: usize = 40;

/// Reads a text as a date.
pub(super) fn read(text: &str, order: DateOrder) -> Option<Readings> {
    let text = text.trim();
    if text.len() > LONGEST || !text.chars().any(char::is_numeric) {
        return None;
    }
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let read = |text: &str| {
        if let Some(date) = east_asian(text) {
            Some(vec![(date, Convention::default())])
        } else if text.chars().any(char::is_alphabetic) {
            named(text).or_else(|| stamped(text, order))
        } else {
            numeric(text, order)
        }
    };
    // A time of day behind the date is not part of it.
    let before_time = || {
        text.match_indices([' ', ',']).map(|(at, _)| text.split_at(at)).find_map(|(date, rest)| {
            let time = rest.trim_start_matches([' ', ',']);
            time::read(time, Clock::Hours24).and_then(|_| read(date))
        })
    };
    let readings = read(&text).or_else(before_time)?;
    (!readings.is_empty()).then_some(readings)
}

/// Whether a date of numbers shows which comes first: only one order makes it a date.
pub(super) fn evidence(text: &str) -> Option<DateOrder> {
    let text: String = text.trim().nfkc().collect();
    let date = text.split(' ').next()?;
    let parts: Vec<u32> = date.split(['/', '-']).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [first, second, _] = parts.as_slice() else { return None };
    if numeric(date, DateOrder::Either)?.len() != 1 || first == second {
        return None;
    }
    match (1..=12).contains(first) {
        false if *first <= 31 => Some(DateOrder::DayFirst),
        true if *second > 12 => Some(DateOrder::MonthFirst),
        _ => None,
    }
}

/// Eight digits that are a date: `20240503`.
pub(super) fn compact(digits: &str) -> Option<Day> {
    let number = |range: std::ops::Range<usize>| digits.get(range).and_then(|part| part.parse().ok());
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    valid(number(0..4), number(4..6), Some(number(6..8)?))
}

/// `2024年5月3日`, `令和6年5月`, `2024년 5월 3일`.
fn east_asian(text: &str) -> Option<Day> {
    const ERAS: [(&str, u32); 3] = [("令和", 2018), ("平成", 1988), ("昭和", 1925)];
    let (era, text) =
        ERAS.iter().find_map(|(era, before)| Some((*before, text.strip_prefix(era)?))).unwrap_or((0, text));
    let (year, rest) = text.split_once(['年', '년'])?;
    let (month, rest) = rest.split_once(['月', '월'])?;
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let day = rest.trim().trim_end_matches(['日', '일']);
    let day = if day.is_empty() { None } else { Some(number(day)?) };
    valid(Some(era + number(year)?), Some(number(month)?), day)
}

/// A year that stands alone, such as `2024`.
pub(super) fn year_alone(value: i64) -> Option<Day> {
    let year = i32::try_from(value).ok().filter(|year| (1600..=2200).contains(year))?;
    Some(Day { year: Some(year), month: None, day: None })
}

/// An ISO date with a time behind it: the date.
fn stamped(text: &str, order: DateOrder) -> Option<Readings> {
    let (date, time) = text.split_once('t')?;
    let is_time = time.len() >= 4 && time.as_bytes()[0].is_ascii_digit() && time.contains(':');
    if is_time { numeric(date, order) } else { None }
}

fn numeric(text: &str, order: DateOrder) -> Option<Readings> {
    let date = text;
    let separator = date.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(separator, '-' | '/' | '.') {
        return None;
    }
    let parts: Vec<&str> = date.split(separator).collect();
    let numbers: Vec<u32> = parts
        .iter()
        .map(|part| part.parse().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit())))
        .collect::<Option<_>>()?;
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    match (numbers.as_slice(), lengths.as_slice()) {
        (&[year, month, day], &[4, 1..=2, 1..=2]) => {
            Some(vec![(valid(Some(year), Some(month), Some(day))?, Convention::default())])
        }
        (&[year, month], &[4, 2]) if separator != '.' => {
            Some(vec![(valid(Some(year), Some(month), None)?, Convention::default())])
        }
        (&[month, year], &[1..=2, 4]) if separator != '.' => {
            Some(vec![(valid(Some(year), Some(month), None)?, Convention::default())])
        }
        (&[first, second, year], &[1..=2, 1..=2, length @ (2 | 4)]) => {
            let mut readings = Vec::new();
            // With dots the day comes first, wherever dates are written so.
            let order = if separator == '.' { DateOrder::DayFirst } else { order };
            let both = order == DateOrder::Either && first != second && first <= 12 && second <= 12;
            for (year, this_century) in years(year, length) {
                for day_first in [true, false] {
                    if (order == DateOrder::DayFirst && !day_first) || (order == DateOrder::MonthFirst && day_first) {
                        continue;
                    }
                    let (day, month) = if day_first { (first, second) } else { (second, first) };
                    if let Some(date) = valid(Some(year), Some(month), Some(day)) {
                        let convention = Convention { day_first: both.then_some(day_first), this_century };
                        if !readings.contains(&(date, convention)) {
                            readings.push((date, convention));
                        }
                    }
                }
            }
            Some(readings)
        }
        _ => None,
    }
}

fn years(written: u32, length: usize) -> Vec<(u32, Option<bool>)> {
    match written {
        _ if length == 4 => vec![(written, None)],
        0..=40 => vec![(2000 + written, None)],
        69.. => vec![(1900 + written, None)],
        _ => vec![(1900 + written, Some(false)), (2000 + written, Some(true))],
    }
}

/// A date with the month's name: every word and number of it must have its place.
fn named(text: &str) -> Option<Readings> {
    let mut month = None;
    let mut numbers: Vec<(u32, usize, bool)> = Vec::new();
    for part in
        text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/' | '.')).filter(|part| !part.is_empty())
    {
        let apostrophe = part.starts_with(['\'', '’']);
        let part = part.trim_start_matches(['\'', '’']);
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let ending = &part[digits..];
            if !matches!(ending, "" | "st" | "nd" | "rd" | "th" | "er") {
                return None;
            }
            let year_like = apostrophe || digits == 4;
            numbers.push((part[..digits].parse().ok()?, digits, year_like));
        } else if let Some(day) = number_words::ordinal(part) {
            numbers.push((day, 2, false));
        } else if let Some(found) = month_of(part) {
            if month.replace(found).is_some() {
                return None;
            }
        } else if !matches!(part, "of" | "the" | "de" | "den" | "le" | "del") && !is_weekday(part) {
            return None;
        }
    }
    let month = Some(month?);
    let no_convention = Convention::default();
    match *numbers.as_slice() {
        [(year, length, true)] => Some(
            years(year, length)
                .into_iter()
                .filter_map(|(year, this_century)| {
                    Some((valid(Some(year), month, None)?, Convention { this_century, ..no_convention }))
                })
                .collect(),
        ),
        [(day, 1..=2, false)] => Some(vec![(valid(None, month, Some(day))?, no_convention)]),
        // The year is the one that looks like it, else the last.
        [first, second] => {
            let ((day, day_length, _), (year, year_length, _)) =
                if first.2 && !second.2 { (second, first) } else { (first, second) };
            if day_length > 2 || !matches!(year_length, 2 | 4) {
                return None;
            }
            Some(
                years(year, year_length)
                    .into_iter()
                    .filter_map(|(year, this_century)| {
                        Some((valid(Some(year), month, Some(day))?, Convention { this_century, ..no_convention }))
                    })
                    .collect(),
            )
        }
        _ => None,
    }
}

fn valid(year: Option<u32>, month: Option<u32>, day: Option<u32>) -> Option<Day> {
    let year = match year {
        Some(year) if (1600..=2200).contains(&year) => Some(i32::try_from(year).ok()?),
        Some(_) => return None,
        None => None,
    };
    let month = month.filter(|month| (1..=12).contains(month))?;
    let leap = year.is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let longest = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if day.is_some_and(|day| !(1..=longest).contains(&day)) {
        return None;
    }
    Some(Day { year, month: u8::try_from(month).ok(), day: day.and_then(|day| u8::try_from(day).ok()) })
}

/// English, German, French and Spanish month names; English ones also cut to three letters.
fn month_of(word: &str) -> Option<u32> {
    const MONTHS: [&[&str]; 12] = [
        &["january", "januar", "jänner", "janvier", "enero"],
        &["february", "februar", "février", "febrero"],
        &["march", "märz", "mars", "marzo"],
        &["april", "avril", "abril"],
        &["may", "mai", "mayo"],
        &["june", "juni", "juin", "junio"],
        &["july", "juli", "juillet", "julio"],
        &["august", "août", "agosto"],
        &["september", "septembre", "septiembre", "sept"],
        &["october", "oktober", "octobre", "octubre"],
        &["november", "novembre", "noviembre"],
        &["december", "dezember", "décembre", "diciembre"],
    ];
    let place =
        MONTHS.iter().position(|names| names.contains(&word) || (word.len() == 3 && names[0].starts_with(word)))?;
    u32::try_from(place + 1).ok()
}

fn is_weekday(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    DAYS.iter().any(|day| *day == word || (word.len() >= 3 && word.len() <= 5 && day.starts_with(word)))
}
