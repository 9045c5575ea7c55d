//! What values show of how they were written: `25/03/2024` puts the day first, `1.5` has a decimal point.

use super::{Clock, DateOrder, DecimalMark, Reading, Value, date, digits, number, numeral, time};

/// What the values of many records show of the conventions of their writers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    day_first: u32,
    month_first: u32,
    point: u32,
    comma: u32,
    hours_12: u32,
    hours_24: u32,
}

impl Evidence {
    /// Takes a value in.
    pub fn see(&mut self, value: &Value) {
        match value {
            Value::Absent | Value::Truth(_) | Value::Number(_) => {}
            Value::List(items) => items.iter().for_each(|item| self.see(item)),
            Value::Map(members) => members.iter().for_each(|(_, member)| self.see(member)),
            Value::Text(text) => self.see_text(&digits::plain(text)),
        }
    }

    fn see_text(&mut self, text: &str) {
        match date::evidence(text) {
            Some(DateOrder::DayFirst) => self.day_first += 1,
            Some(DateOrder::MonthFirst) => self.month_first += 1,
            Some(DateOrder::Either) | None => {}
        }
        match time::evidence(text) {
            Some(Clock::Hours12) => self.hours_12 += 1,
            Some(Clock::Hours24) => self.hours_24 += 1,
            None => {}
        }
        let quantity = number::read(text, None, Reading::default().locale);
        for number in quantity.iter().flat_map(number::Quantity::numbers) {
            match number.numeral {
                numeral::Numeral::Plain(_, Some(DecimalMark::Point)) => self.point += 1,
                numeral::Numeral::Plain(_, Some(DecimalMark::Comma)) => self.comma += 1,
                _ => {}
            }
        }
    }

    /// The order of dates, where all that show one show the same.
    pub fn date_order(&self) -> Option<DateOrder> {
        one_of((self.day_first, DateOrder::DayFirst), (self.month_first, DateOrder::MonthFirst))
    }

    /// The decimal mark, where all that show one show the same.
    pub fn decimal_mark(&self) -> Option<DecimalMark> {
        one_of((self.point, DecimalMark::Point), (self.comma, DecimalMark::Comma))
    }

    /// The clock, where all that show one show the same.
    pub fn clock(&self) -> Option<Clock> {
        one_of((self.hours_12, Clock::Hours12), (self.hours_24, Clock::Hours24))
    }
}

fn one_of<T>(one: (u32, T), other: (u32, T)) -> Option<T> {
    match (one.0, other.0) {
        (1.., 0) => Some(one.1),
        (0, 1..) => Some(other.1),
        _ => None,
    }
}
