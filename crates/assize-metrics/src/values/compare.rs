//! Whether a value is the expected one: as a date, as digits, as a number, and only then as words.

use super::date::{self, Day};
use super::number::{Number, Quantity};
use super::units::Unit;
use super::wording::Likeness;
use super::{Decimal, DecimalMark, FieldKind, Granularity, Prepared, Reading, Reason, Rules, Shape, Value, ValueMatch};
use super::{list, numeral, opposition, units};

/// One way of reading for everything that is compared together; what is `None` is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Convention {
    pub(super) day_first: Option<bool>,
    pub(super) mark: Option<DecimalMark>,
}

/// Whether a value is the expected one, and why.
pub fn compare(given: &Prepared, expected: &Prepared, rules: &Rules) -> ValueMatch {
    compare_under(given, expected, rules, Convention::default())
}

/// The same, with one way of reading.
pub(super) fn compare_under(given: &Prepared, expected: &Prepared, rules: &Rules, held: Convention) -> ValueMatch {
    match (&given.shape, &expected.shape) {
        (Shape::Absent, Shape::Absent) => ValueMatch::same(Reason::Identical),
        (Shape::Absent, _) => ValueMatch::different(Reason::Missing),
        (_, Shape::Absent) => ValueMatch::different(Reason::Unexpected),
        (Shape::List(given), Shape::List(expected)) => list::compare(given, expected, rules, held),
        (Shape::Map(given), Shape::Map(expected)) => compare_maps(given, expected, rules, held),
        // A list of one is that one.
        (Shape::List(items), Shape::Scalar) if items.len() == 1 => compare_under(&items[0], expected, rules, held),
        (Shape::Scalar, Shape::List(items)) if items.len() == 1 => compare_under(given, &items[0], rules, held),
        (Shape::Scalar, Shape::Scalar) => compare_scalars(given, expected, rules, held),
        _ => ValueMatch::different(Reason::OtherKind),
    }
}

fn compare_maps(
    given: &[(String, Prepared)],
    expected: &[(String, Prepared)],
    rules: &Rules,
    held: Convention,
) -> ValueMatch {
    let absent = Prepared::of(&Value::Absent, Reading::default());
    let find = |members: &'_ [(String, Prepared)], name: &str| members.iter().position(|(other, _)| other == name);
    let mut differing = 0;
    for (name, value) in expected {
        let given = find(given, name).map_or(&absent, |place| &given[place].1);
        differing += usize::from(!compare_under(given, value, rules, held).equal);
    }
    differing += given.iter().filter(|(name, value)| !value.is_absent() && find(expected, name).is_none()).count();
    if differing == 0 {
        ValueMatch::same(Reason::SameItems)
    } else {
        ValueMatch::different(Reason::OtherItems { differing })
    }
}

fn compare_scalars(given: &Prepared, expected: &Prepared, rules: &Rules, held: Convention) -> ValueMatch {
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
    if given.kind == FieldKind::Exact {
        return compare_as_written(given, expected, rules);
    }
    if let (Some(one), Some(other)) = (&given.time, &expected.time) {
        return match one.iter().filter(|time| other.contains(time)).count() {
            0 => ValueMatch::different(Reason::OtherTime),
            shared => {
                let ambiguous = shared < one.len() * other.len();
                ValueMatch::close(Reason::SameTime { ambiguous }, 0.99)
            }
        };
    }
    if let Some(comparison) = compare_dates(given, expected, rules, held) {
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
    let numbers = |one: &Number, other: &Number| compare_numbers(one, other, rules, held, given.kind);
    match (&given.quantity, &expected.quantity) {
        (Some(Quantity::One(one)), Some(Quantity::One(other))) => match years(one, other, given.kind) {
            Some((one, other)) if one != other => {
                ValueMatch::different(Reason::OtherDate { granularity: Granularity::Year })
            }
            _ => numbers(one, other),
        },
        (Some(Quantity::Range(low, high)), Some(Quantity::Range(other_low, other_high)))
        | (Some(Quantity::Over(low, high)), Some(Quantity::Over(other_low, other_high))) => {
            let low = numbers(low, other_low);
            if low.equal { numbers(high, other_high) } else { low }
        }
        (Some(_), Some(_)) => ValueMatch::different(Reason::RangeAndNumber),
        _ => compare_texts(given, expected, rules),
    }
}

/// Versions and the like: `v1.10` is `1.10` and not `1.1`.
fn compare_as_written(given: &Prepared, expected: &Prepared, rules: &Rules) -> ValueMatch {
    let bare = |value: &Prepared| {
        let text = value.folded.trim_start_matches("version").trim_start();
        text.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(text).to_owned()
    };
    if bare(given) == bare(expected) {
        ValueMatch::close(Reason::SameDigits, 0.99)
    } else if given.text.contains(|c: char| c.is_ascii_digit()) && expected.text.contains(|c: char| c.is_ascii_digit())
    {
        ValueMatch::different(Reason::OtherDigits)
    } else {
        compare_texts(given, expected, rules)
    }
}

/// Both as years, where they are bare numbers that look like it and the field does not hold amounts.
fn years(one: &Number, other: &Number, kind: FieldKind) -> Option<(Day, Day)> {
    let year =
        |number: &Number| year_of(number).filter(|day| day.year.is_some_and(|year| (1800..=2100).contains(&year)));
    if kind == FieldKind::Amount { None } else { year(one).zip(year(other)) }
}

fn compare_dates(given: &Prepared, expected: &Prepared, rules: &Rules, held: Convention) -> Option<ValueMatch> {
    let alone = |value: &Prepared| {
        let day = bare_year(value).or_else(|| date::compact(&value.text))?;
        Some([(day, date::Convention::default())])
    };
    match (&given.date, &expected.date) {
        (Some(one), Some(other)) => Some(compare_readings(one, other, rules, held)),
        (Some(one), None) => Some(compare_readings(one, &alone(expected)?, rules, held)),
        (None, Some(other)) => Some(compare_readings(&alone(given)?, other, rules, held)),
        (None, None) => None,
    }
}

type DateReading = (Day, date::Convention);

fn compare_readings(one: &[DateReading], other: &[DateReading], rules: &Rules, held: Convention) -> ValueMatch {
    let granularity = rules.granularity;
    let held = date::Convention { day_first: held.day_first, this_century: None };
    let mut best = Reason::OtherDate { granularity };
    let (mut closeness, mut others) = (None::<f64>, false);
    for (one_day, one_convention) in one.iter().filter(|(_, convention)| convention.agrees(held)) {
        for (other_day, other_convention) in other.iter().filter(|(_, convention)| convention.agrees(held)) {
            if !one_convention.agrees(*other_convention) {
                continue;
            }
            match same_date(*one_day, *other_day, granularity) {
                Some(true) => {
                    let found: f64 = if one_day == other_day { 0.99 } else { 0.9 };
                    closeness = Some(closeness.map_or(found, |before| before.max(found)));
                }
                Some(false) => others = true,
                None => (best, others) = (Reason::LessPreciseDate { granularity }, true),
            }
        }
    }
    // A convention that was chosen for the whole record is a choice as well.
    let ambiguous = others || (held.day_first.is_some() && (one.len() > 1) != (other.len() > 1));
    match closeness {
        Some(closeness) => ValueMatch::close(Reason::SameDate { granularity, ambiguous }, closeness),
        None => ValueMatch::different(best),
    }
}

/// A number that can be a year, next to a date.
fn bare_year(value: &Prepared) -> Option<Day> {
    match &value.quantity {
        Some(Quantity::One(number)) => year_of(number),
        _ => None,
    }
}

fn year_of(number: &Number) -> Option<Day> {
    match number {
        Number {
            numeral: numeral::Numeral::Plain(value, None),
            currency: None,
            percent: false,
            unit: None,
            rate: None,
            ..
        } => date::year_alone(value.to_integer()?),
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

fn compare_numbers(given: &Number, expected: &Number, rules: &Rules, held: Convention, kind: FieldKind) -> ValueMatch {
    let (given, expected) = (&given.beside(expected), &expected.beside(given));
    if given.currency.zip(expected.currency).is_some_and(|(one, other)| !units::same_currency(one, other))
        || given.unit.zip(expected.unit).is_some_and(|(one, other)| one.measures != other.measures)
        || given.rate.zip(expected.rate).is_some_and(|(one, other)| one != other)
        || ((given.percent || expected.percent) && (given.currency.or(expected.currency).is_some()))
    {
        return ValueMatch::different(Reason::OtherUnit);
    }
    let measured = |unit: Option<Unit>| unit.map(|unit| unit.measures);
    let unit_missing = measured(given.unit) != measured(expected.unit)
        || given.rate != expected.rate
        || given.approximate != expected.approximate;
    let both = given.unit.zip(expected.unit);
    let (ones, one_count) = given.numeral.readings();
    let (others, other_count) = expected.numeral.readings();
    let open = one_count > 1 || other_count > 1;
    let (mut nearest, mut farthest) = (None::<f64>, 0.0_f64);
    for (one, mark) in &ones[..one_count] {
        for (other, other_mark) in &others[..other_count] {
            let fits = |one: Option<DecimalMark>, other: Option<DecimalMark>| {
                one.zip(other).is_none_or(|(one, other)| one == other)
            };
            // Two numbers that each have one reading may come from two writers; one with two readings is read as the other.
            if open && !(fits(*mark, *other_mark) && fits(*mark, held.mark) && fits(*other_mark, held.mark)) {
                continue;
            }
            let (one, other) = match both {
                Some((unit, other_unit)) => (unit.convert(*one), other_unit.convert(*other)),
                None => (Some(*one), Some(*other)),
            };
            let (Some(one), Some(other)) = (one, other) else { continue };
            // "5 %" next to a bare number: 5, or 0.05, as the field has it, else by its size.
            let (one, other) = match (given.percent, expected.percent) {
                (true, false) => (one, points(other, kind)),
                (false, true) => (points(one, kind), other),
                _ => (one, other),
            };
            let gap = gap_percent(one, other);
            nearest = Some(nearest.map_or(gap, |nearest| nearest.min(gap)));
            farthest = farthest.max(gap);
        }
    }
    let difference_percent = nearest.unwrap_or(f64::INFINITY);
    let tolerance_percent = rules.tolerance_percent;
    // The tolerance is a decimal the user wrote; the dust of dividing must not decide at its edge.
    let within = |gap: f64| gap <= tolerance_percent * (1.0 + 1e-12);
    if !within(difference_percent) {
        let dose = kind == FieldKind::Dose || given.unit.or(expected.unit).is_some_and(|unit| unit.dose);
        return ValueMatch::different(if dose {
            Reason::OtherDose
        } else {
            Reason::OtherNumber { difference_percent, tolerance_percent }
        });
    }
    if unit_missing && !rules.ignore_wording {
        return ValueMatch::different(Reason::UnitMissing);
    }
    let by_size = given.percent != expected.percent && !matches!(kind, FieldKind::Percent | FieldKind::Share);
    let chosen = open && (!within(farthest) || (held.mark.is_some() && one_count != other_count));
    let ambiguous = by_size || chosen;
    if difference_percent == 0.0 {
        return ValueMatch::close(Reason::SameNumber { ambiguous }, if unit_missing { 0.97 } else { 0.99 });
    }
    let closeness = 0.95 - 0.15 * (difference_percent / tolerance_percent).min(1.0);
    ValueMatch::close(Reason::NumberWithinTolerance { difference_percent, tolerance_percent }, closeness)
}

/// A bare number as a percentage.
fn points(bare: Decimal, kind: FieldKind) -> Decimal {
    let share = match kind {
        FieldKind::Percent => false,
        FieldKind::Share => true,
        _ => bare.to_f64().abs() <= 1.0,
    };
    if share { bare.shifted(2) } else { bare }
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
    if !matches!(likeness, Likeness::Same | Likeness::Near)
        && let Some(reason) = opposition::between(&given.wording, &expected.wording)
    {
        return ValueMatch::different(reason);
    }
    match likeness {
        Likeness::OtherDigits => ValueMatch::different(Reason::OtherDigits),
        Likeness::Same if rules.ignore_wording => ValueMatch::close(Reason::WordingIgnored, 0.95),
        Likeness::Near if rules.ignore_wording => ValueMatch::close(Reason::WordingIgnored, 0.9),
        _ if only_case => ValueMatch::different(Reason::OtherCase),
        Likeness::Same | Likeness::Near => ValueMatch::different(Reason::OtherWording),
        Likeness::Other => ValueMatch::different(Reason::OtherWords),
    }
}
