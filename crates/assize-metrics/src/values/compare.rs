//! Whether a value is the expected one: as a date, as digits, as a number, and only then as words.

use super::date::{self, Day};
use super::number::{Number, Quantity};
use super::wording::Likeness;
use super::{Decimal, Granularity, Prepared, Reading, Reason, Rules, Shape, Value, ValueMatch, list, numeral, units};

/// Whether a value is the expected one, and why.
pub fn compare(given: &Prepared, expected: &Prepared, rules: &Rules) -> ValueMatch {
    match (&given.kind, &expected.kind) {
        (Shape::Absent, Shape::Absent) => ValueMatch::same(Reason::Identical),
        (Shape::Absent, _) => ValueMatch::different(Reason::Missing),
        (_, Shape::Absent) => ValueMatch::different(Reason::Unexpected),
        (Shape::List(given), Shape::List(expected)) => list::compare(given, expected, rules),
        (Shape::Map(given), Shape::Map(expected)) => compare_maps(given, expected, rules),
        // A list of one is that one.
        (Shape::List(items), Shape::Scalar) if items.len() == 1 => compare(&items[0], expected, rules),
        (Shape::Scalar, Shape::List(items)) if items.len() == 1 => compare(given, &items[0], rules),
        (Shape::Scalar, Shape::Scalar) => compare_scalars(given, expected, rules),
        _ => ValueMatch::different(Reason::OtherKind),
    }
}

fn compare_maps(given: &[(String, Prepared)], expected: &[(String, Prepared)], rules: &Rules) -> ValueMatch {
    let absent = Prepared::of(&Value::Absent, Reading::default());
    let find = |members: &'_ [(String, Prepared)], name: &str| members.iter().position(|(other, _)| other == name);
    let mut differing = 0;
    for (name, value) in expected {
        let given = find(given, name).map_or(&absent, |place| &given[place].1);
        differing += usize::from(!compare(given, value, rules).equal);
    }
    differing += given.iter().filter(|(name, value)| !value.is_absent() && find(expected, name).is_none()).count();
    if differing == 0 {
        ValueMatch::same(Reason::SameItems)
    } else {
        ValueMatch::different(Reason::OtherItems { differing })
    }
}

fn compare_scalars(given: &Prepared, expected: &Prepared, rules: &Rules) -> ValueMatch {
    if given.text == expected.text {
        return ValueMatch::same(Reason::Identical);
    }
    if let (Some(one), Some(other)) = (given.truth, expected.truth) {
        return if one == other {
            ValueMatch::close(Reason::SameTruth, 0.99)
        } else {
            ValueMatch::different(Reason::OtherTruth)
        };
    }
    if let Some(comparison) = compare_dates(given, expected, rules) {
        return comparison;
    }
    if let (Some(one), Some(other)) = (&given.digits, &expected.digits)
        && (one.telling || other.telling)
    {
        let same = one.digits == other.digits || (rules.ignore_wording && one.differ_by_country(other));
        return if same {
            ValueMatch::close(Reason::SameDigits, 0.99)
        } else {
            ValueMatch::different(Reason::OtherDigits)
        };
    }
    match (&given.quantity, &expected.quantity) {
        (Some(Quantity::One(one)), Some(Quantity::One(other))) => compare_numbers(one, other, rules),
        (Some(Quantity::Range(low, high)), Some(Quantity::Range(other_low, other_high))) => {
            let low = compare_numbers(low, other_low, rules);
            if low.equal { compare_numbers(high, other_high, rules) } else { low }
        }
        (Some(_), Some(_)) => ValueMatch::different(Reason::RangeAndNumber),
        _ => compare_texts(given, expected, rules),
    }
}

fn compare_dates(given: &Prepared, expected: &Prepared, rules: &Rules) -> Option<ValueMatch> {
    let year = |value: &Prepared| bare_year(value).map(|year| [(year, date::Convention::default())]);
    match (&given.date, &expected.date) {
        (Some(one), Some(other)) => Some(compare_readings(one, other, rules)),
        (Some(one), None) => Some(compare_readings(one, &year(expected)?, rules)),
        (None, Some(other)) => Some(compare_readings(&year(given)?, other, rules)),
        (None, None) => None,
    }
}

type DateReading = (Day, date::Convention);

fn compare_readings(one: &[DateReading], other: &[DateReading], rules: &Rules) -> ValueMatch {
    let granularity = rules.granularity;
    let mut best = Reason::OtherDate { granularity };
    for (one_day, one_convention) in one {
        for (other_day, other_convention) in other {
            if !one_convention.agrees(*other_convention) {
                continue;
            }
            match same_date(*one_day, *other_day, granularity) {
                Some(true) => {
                    let ambiguous = one.len() > 1 || other.len() > 1;
                    let closeness = if one_day == other_day { 0.99 } else { 0.9 };
                    return ValueMatch::close(Reason::SameDate { granularity, ambiguous }, closeness);
                }
                Some(false) => {}
                None => best = Reason::LessPreciseDate { granularity },
            }
        }
    }
    ValueMatch::different(best)
}

/// A number that can be a year, next to a date.
fn bare_year(value: &Prepared) -> Option<Day> {
    match &value.quantity {
        Some(Quantity::One(Number {
            numeral: numeral::Numeral::Plain(number),
            currency: None,
            percent: false,
            unit: None,
            rate: None,
            ..
        })) => date::year_alone(number.to_integer()?),
        _ => None,
    }
}

/// Whether two dates are the same as far as asked; `None` where one does not say.
fn same_date(one: Day, other: Day, granularity: Granularity) -> Option<bool> {
    fn part<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<bool> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one == other),
            (None, None) => Some(true),
            _ => None,
        }
    }
    let parts = [part(one.year, other.year), part(one.month, other.month), part(one.day, other.day)];
    let asked = match granularity {
        Granularity::Year => 1,
        Granularity::Month => 2,
        Granularity::Day => 3,
    };
    // A part that differs decides, also where another part is not given.
    if parts[..asked].contains(&Some(false)) {
        return Some(false);
    }
    // Without a year, what was compared must at least be complete: "5 March" and "9 March" share no month that is known.
    if one.year.is_none() && parts != [Some(true); 3] {
        return parts.contains(&None).then_some(()).map_or(Some(false), |()| None);
    }
    if parts[..asked].contains(&None) { None } else { Some(true) }
}

fn compare_numbers(given: &Number, expected: &Number, rules: &Rules) -> ValueMatch {
    if given.currency.zip(expected.currency).is_some_and(|(one, other)| !units::same_currency(one, other))
        || given.unit.zip(expected.unit).is_some_and(|(one, other)| one != other)
        || given.rate.zip(expected.rate).is_some_and(|(one, other)| one != other)
        || ((given.percent || expected.percent) && (given.currency.or(expected.currency).is_some()))
    {
        return ValueMatch::different(Reason::OtherUnit);
    }
    let unit_missing =
        given.unit != expected.unit || given.rate != expected.rate || given.approximate != expected.approximate;
    let (ones, one_count) = given.numeral.readings();
    let (others, other_count) = expected.numeral.readings();
    let mut nearest: Option<f64> = None;
    for (one, sign) in &ones[..one_count] {
        for (other, other_sign) in &others[..other_count] {
            if sign.zip(*other_sign).is_some_and(|(one, other)| one != other) {
                continue;
            }
            let mut gap = gap_percent(*one, *other);
            // "5 %" next to a bare number: 5, or 0.05.
            if given.percent != expected.percent {
                let (one, other) = if given.percent { (one.shifted(-2), *other) } else { (*one, other.shifted(-2)) };
                gap = gap.min(gap_percent(one, other));
            }
            nearest = Some(nearest.map_or(gap, |nearest| nearest.min(gap)));
        }
    }
    let difference_percent = nearest.unwrap_or(f64::INFINITY);
    let tolerance_percent = rules.tolerance_percent;
    // The tolerance is a decimal the user wrote; the dust of dividing must not decide at its edge.
    if difference_percent > tolerance_percent * (1.0 + 1e-12) {
        return ValueMatch::different(Reason::OtherNumber { difference_percent, tolerance_percent });
    }
    if unit_missing && !rules.ignore_wording {
        return ValueMatch::different(Reason::UnitMissing);
    }
    let ambiguous = one_count > 1 || other_count > 1;
    if difference_percent == 0.0 {
        return ValueMatch::close(Reason::SameNumber { ambiguous }, if unit_missing { 0.97 } else { 0.99 });
    }
    let closeness = 0.95 - 0.15 * (difference_percent / tolerance_percent).min(1.0);
    ValueMatch::close(Reason::NumberWithinTolerance { difference_percent, tolerance_percent }, closeness)
}

/// The gap in percent of the expected number; exactly 0 only where the numbers are exactly equal.
fn gap_percent(given: Decimal, expected: Decimal) -> f64 {
    if given == expected {
        return 0.0;
    }
    let (one, other) = (given.to_f64(), expected.to_f64());
    let gap = (one - other).abs() / other.abs() * 100.0;
    if gap > 0.0 { gap } else { f64::MIN_POSITIVE }
}

fn compare_texts(given: &Prepared, expected: &Prepared, rules: &Rules) -> ValueMatch {
    let only_case = given.folded == expected.folded;
    if only_case && rules.ignore_case {
        return ValueMatch::close(Reason::CaseIgnored, 0.98);
    }
    // Signs alone have no words to compare.
    let likeness = if given.wording.is_empty() || expected.wording.is_empty() {
        Likeness::Other
    } else {
        given.wording.likeness(&expected.wording, rules.ignore_case || !rules.ignore_wording)
    };
    match likeness {
        Likeness::OtherDigits => ValueMatch::different(Reason::OtherDigits),
        Likeness::Same if rules.ignore_wording => ValueMatch::close(Reason::WordingIgnored, 0.95),
        Likeness::Near if rules.ignore_wording => ValueMatch::close(Reason::WordingIgnored, 0.9),
        _ if only_case => ValueMatch::different(Reason::OtherCase),
        Likeness::Same | Likeness::Near => ValueMatch::different(Reason::OtherWording),
        Likeness::Other => ValueMatch::different(Reason::OtherWords),
    }
}
