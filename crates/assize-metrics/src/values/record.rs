//! Records: values by name, compared field by field.

use super::compare::{Convention, compare_under};
use super::{DecimalMark, Prepared, Rules, ValueMatch};

/// A named value.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name under which it is compared.
    pub name: String,
    /// The value; never an absent one.
    pub value: Prepared,
}

/// Values by name, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Record {
    fields: Vec<Field>,
    /// Whether a value can be read with the day or the month first, and with a point or a comma.
    open: (bool, bool),
}

/// Which fields must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Required<'n> {
    /// Whether every field must.
    pub all: bool,
    /// The names of those that must in any case.
    pub names: &'n [String],
}

/// What two records have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// Fields that both have, with the same value.
    pub equal: u32,
    /// Fields that both have, with different values.
    pub differing: u32,
    /// Fields that one of them has.
    pub one_sided: u32,
    /// Required fields that both have, with the same value.
    pub required_equal: u32,
    /// The mean closeness over all fields; 1 where there are none.
    pub closeness: f32,
}

impl Record {
    /// A record of these fields; absent values are left out.
    pub fn of(mut fields: Vec<Field>) -> Self {
        fields.retain(|field| !field.value.is_absent());
        fields.sort_by(|one, other| one.name.cmp(&other.name));
        let open = fields.iter().map(|field| field.value.leaves_open());
        let open = open.fold((false, false), |all, one| (all.0 || one.0, all.1 || one.1));
        Self { fields, open }
    }

    /// The fields, in the order of their names.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Every field that either has, in the order of the names, and how the two compare: all of them under one convention,
    /// the one under which most are the same.
    pub fn compared<'r>(
        &'r self,
        expected: &'r Self,
        rules: &Rules,
    ) -> impl Iterator<Item = (Option<&'r Field>, Option<&'r Field>, Option<ValueMatch>)> {
        let (rules, held) = (*rules, self.convention(expected, rules));
        self.side_by_side(expected).map(move |(given, expected)| {
            let both = given.zip(expected);
            (given, expected, both.map(|(one, other)| compare_under(&one.value, &other.value, &rules, held)))
        })
    }

    /// The way of reading under which the two have most in common; of several, the first.
    fn convention(&self, expected: &Self, rules: &Rules) -> Convention {
        let open = (self.open.0 || expected.open.0, self.open.1 || expected.open.1);
        let orders: &[Option<bool>] = if open.0 { &[Some(true), Some(false)] } else { &[None] };
        let marks: &[Option<DecimalMark>] =
            if open.1 { &[Some(DecimalMark::Point), Some(DecimalMark::Comma)] } else { &[None] };
        let mut ways =
            orders.iter().flat_map(|&day_first| marks.iter().map(move |&mark| Convention { day_first, mark }));
        let first = ways.next().unwrap_or_default();
        if !(open.0 || open.1) {
            return first;
        }
        let in_common = |held: Convention| {
            let both = self.side_by_side(expected).filter_map(|(given, expected)| given.zip(expected));
            both.filter(|(one, other)| compare_under(&one.value, &other.value, rules, held).equal).count()
        };
        let best = (first, in_common(first));
        ways.fold(best, |best, held| {
            let found = in_common(held);
            if found > best.1 { (held, found) } else { best }
        })
        .0
    }

    /// What this record has in common with the expected one, or nothing as soon as a field that must match does not, or one
    /// contradicts whatever the others say.
    pub fn overlap(&self, expected: &Self, rules: &Rules, required: Required<'_>) -> Option<Overlap> {
        if required.all && self.fields.len() != expected.fields.len() {
            return None;
        }
        let mut overlap = Overlap::default();
        let mut closeness = 0.0;
        for (given, expected, comparison) in self.compared(expected, rules) {
            let named = given.or(expected).is_some_and(|field| required.names.contains(&field.name));
            match comparison {
                Some(comparison) => {
                    if comparison.reason.is_contradiction() {
                        return None;
                    }
                    if comparison.equal {
                        overlap.equal += 1;
                        overlap.required_equal += u32::from(named);
                        closeness += comparison.closeness as f32;
                        continue;
                    }
                    overlap.differing += 1;
                }
                None => overlap.one_sided += 1,
            }
            if required.all || named {
                return None;
            }
        }
        let total = overlap.equal + overlap.differing + overlap.one_sided;
        overlap.closeness = if total == 0 { 1.0 } else { closeness / total as f32 };
        Some(overlap)
    }

    /// Every field that either has, in the order of the names.
    pub fn side_by_side<'r>(&'r self, other: &'r Self) -> impl Iterator<Item = (Option<&'r Field>, Option<&'r Field>)> {
        let (mut left, mut right) = (self.fields.as_slice(), other.fields.as_slice());
        std::iter::from_fn(move || {
            let order = match (left.first(), right.first()) {
                (None, None) => return None,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(one), Some(other)) => one.name.cmp(&other.name),
            };
            let take = |side: &mut &'r [Field], wanted: bool| {
                let (first, rest) = side.split_first().filter(|_| wanted)?;
                *side = rest;
                Some(first)
            };
            Some((take(&mut left, order.is_le()), take(&mut right, order.is_ge())))
        })
    }
}
