//! Conditions of a verdict, over figures some of which may not be known.
//!
//! A figure a rule could not give is unknown, not zero. A condition is then *undecided* unless it comes out the same
//! whatever the unknown figure is, and a verdict is given only where it does not depend on what is not known.

use super::spec::{Composite, CriteriaSpec, Criterion};
use assize_core::document::{Node, NodeValue, Problems, closest};
use assize_core::suite::Operator;

/// One condition, such as `overall_score >= 0.85`.
#[derive(Debug)]
pub(super) struct Condition {
    subject: Subject,
    comparison: Operator,
    limit: f64,
}

#[derive(Debug)]
enum Subject {
    /// The composite.
    Composite,
    /// One criterion, by position.
    Criterion(usize),
    /// All of them.
    Every,
    /// At least one of them.
    Any,
}

/// What is known of a figure: the lowest and the highest value it can have. Both are the same where it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Bounds {
    /// What is known of a figure between 0 and 1.
    pub(super) fn of(value: Option<f64>) -> Self {
        value.map_or(Self { low: 0.0, high: 1.0 }, |value| Self { low: value, high: value })
    }
}

/// The figures a verdict rests on.
pub(super) struct Figures {
    pub(super) composite: Bounds,
    pub(super) criteria: Vec<Bounds>,
}

impl Condition {
    /// Whether it holds; `None` where that depends on what is not known.
    pub(super) fn holds(&self, figures: &Figures) -> Option<bool> {
        match self.subject {
            Subject::Composite => self.compare(figures.composite),
            Subject::Criterion(position) => figures.criteria.get(position).and_then(|bounds| self.compare(*bounds)),
            Subject::Every => all(figures.criteria.iter().map(|bounds| self.compare(*bounds))),
            Subject::Any => {
                all(figures.criteria.iter().map(|bounds| self.compare(*bounds).map(|holds| !holds))).map(|none| !none)
            }
        }
    }

    /// Whether it asks for more (`true`) or for less; `None` where it asks for one value.
    pub(super) fn asks_for_more(&self) -> Option<bool> {
        match self.comparison {
            Operator::AtLeast | Operator::Above => Some(true),
            Operator::AtMost | Operator::Below => Some(false),
            Operator::Equal => None,
        }
    }

    /// The condition for the model, in the scales that it is asked in.
    pub(super) fn told(&self, spec: &CriteriaSpec) -> String {
        let scaled = |criterion: &Criterion| {
            let comparison = if criterion.lower_is_better { self.comparison.reversed() } else { self.comparison };
            format!("{comparison} {}", criterion.on_scale(self.limit))
        };
        let each = |joint: &str| {
            let told: Vec<String> = spec.criteria.iter().map(&scaled).collect();
            match told.iter().all(|one| *one == told[0]) {
                true => format!("{} criterion {}", if joint == " and " { "every" } else { "any" }, told[0]),
                false => spec
                    .criteria
                    .iter()
                    .map(|one| format!("{} {}", one.name, scaled(one)))
                    .collect::<Vec<_>>()
                    .join(joint),
            }
        };
        match self.subject {
            Subject::Composite => format!("{} {} {}", spec.composite.name, self.comparison, self.limit),
            Subject::Criterion(position) => {
                spec.criteria.get(position).map_or_else(String::new, |one| format!("{} {}", one.name, scaled(one)))
            }
            Subject::Every => each(" and "),
            Subject::Any => each(" or "),
        }
    }

    fn compare(&self, bounds: Bounds) -> Option<bool> {
        let (low, high) =
            (self.comparison.holds(bounds.low, self.limit), self.comparison.holds(bounds.high, self.limit));
        // Equality can hold strictly between two ends that do not.
        let between = self.comparison == Operator::Equal && bounds.low < self.limit && self.limit < bounds.high;
        (low == high && !between).then_some(low)
    }
}

/// Whether all hold, in three-valued logic.
pub(super) fn all(holds: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut decided = Some(true);
    for hold in holds {
        match hold {
            Some(false) => return Some(false),
            Some(true) => {}
            None => decided = None,
        }
    }
    decided
}

pub(super) fn read_all(
    node: &Node,
    criteria: &[Criterion],
    composite: &Composite,
    problems: &mut Problems,
) -> Option<Vec<Condition>> {
    let items = match &node.kind {
        NodeValue::Text(_) => std::slice::from_ref(node),
        _ => node.list("when", problems)?,
    };
    let conditions: Vec<_> = items.iter().filter_map(|item| read(item, criteria, composite, problems)).collect();
    (conditions.len() == items.len()).then_some(conditions)
}

fn read(node: &Node, criteria: &[Criterion], composite: &Composite, problems: &mut Problems) -> Option<Condition> {
    let text = node.filled_text("when", problems)?;
    let Some(at) = text.find(['<', '>', '=']) else {
        node.expected("when", "a condition such as `overall >= 0.8`", problems);
        return None;
    };
    let (subject, rest) = (text[..at].trim(), &text[at..]);
    let Some((comparison, limit, _)) = Operator::parse(rest) else {
        node.expected("when", "a condition such as `overall >= 0.8`", problems);
        return None;
    };
    let subject = match subject {
        "every criterion" => Subject::Every,
        "any criterion" => Subject::Any,
        name if name == composite.name => Subject::Composite,
        name => match criteria.iter().position(|criterion| criterion.name == name) {
            Some(position) => Subject::Criterion(position),
            None => {
                let names = || {
                    criteria.iter().map(|c| c.name.as_str()).chain([
                        composite.name.as_str(),
                        "every criterion",
                        "any criterion",
                    ])
                };
                let help = match closest(name, names()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("known: {}", names().collect::<Vec<_>>().join(", ")),
                };
                problems.report_with_help(node.span, format!("`when` compares `{name}`, which is no criterion"), help);
                return None;
            }
        },
    };
    Some(Condition { subject, comparison, limit })
}
