//! What a judge says of its figures: how each follows from the cases, in what unit it is, which way is better.
//!
//! Summaries, intervals, comparisons, colours and number formats follow from it.

use crate::{Bounds, number};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a figure over many cases follows from theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// The mean over the cases.
    #[default]
    Mean,
    /// A rate: numerators and denominators are added up before dividing.
    Rate,
    /// The share of the judged cases with this verdict. It exists only over a run.
    Share {
        /// The verdict.
        verdict: String,
    },
    /// A count: the sum over the cases.
    Count,
    /// Money: the sum over the cases, in US dollars.
    Cost,
    /// What the judge's own summary makes of other figures.
    Derived,
}

/// What a figure is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A score or a share, from 0 to 1 as a rule.
    #[default]
    Score,
    /// A percentage: 4.17 is 4.17 %.
    Percent,
    /// How many.
    Count,
    /// US dollars.
    Dollars,
    /// A place in a ranking.
    Rank,
}

impl Unit {
    /// A figure in this unit, as people read it.
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Score => format!("{value:.3}"),
            Self::Percent => format!("{value:.2}%"),
            // The mean of counts need not be whole.
            Self::Count if value.fract() != 0.0 => format!("{value:.2}"),
            Self::Count | Self::Rank if value >= 0.0 => number::count(value as u64),
            Self::Count | Self::Rank => format!("{value:.0}"),
            Self::Dollars => number::dollars(Some(value)),
        }
    }

    /// The bounds of an undecided figure in this unit.
    pub fn show_bounds(self, bounds: Bounds) -> String {
        format!("{} … {}", self.show(bounds.0), self.show(bounds.1))
    }

    /// A difference of two figures in this unit, with its sign, also where it is a plus.
    pub fn show_difference(self, difference: f64) -> String {
        match self {
            Self::Score => format!("{difference:+.3}"),
            _ => format!("{}{}", if difference < 0.0 { "-" } else { "+" }, self.show(difference.abs())),
        }
    }
}

/// A figure a judge can give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetricSpec {
    /// Its name, as in results and gates.
    pub name: String,
    /// One line on what it is.
    pub about: String,
    /// How it follows from the cases.
    #[serde(default)]
    pub kind: FigureKind,
    /// What it is measured in.
    #[serde(default)]
    pub unit: Unit,
    /// Whether it exists only over a run, not for a single case.
    pub run_only: bool,
    /// Whether less is better.
    pub lower_is_better: bool,
    /// Whether neither more nor less is better, as with a verdict between the best and the worst.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub neutral: bool,
}

impl MetricSpec {
    /// A figure of this kind, in the kind's usual unit.
    pub fn new(kind: FigureKind, name: impl Into<String>, about: impl Into<String>) -> Self {
        let unit = match kind {
            FigureKind::Count => Unit::Count,
            FigureKind::Cost => Unit::Dollars,
            _ => Unit::Score,
        };
        let run_only = matches!(kind, FigureKind::Share { .. });
        Self { name: name.into(), about: about.into(), kind, unit, run_only, lower_is_better: false, neutral: false }
    }

    /// What it is for a case with nothing to find fault with; `None` where nobody can say, as for a cost.
    pub fn perfect(&self) -> Option<f64> {
        match self.unit {
            _ if self.run_only => None,
            Unit::Score | Unit::Percent | Unit::Count if self.lower_is_better => Some(0.0),
            Unit::Score => Some(1.0),
            Unit::Percent => Some(100.0),
            _ => None,
        }
    }

    /// A mean over the cases.
    pub fn mean(name: impl Into<String>, about: impl Into<String>) -> Self {
        Self::new(FigureKind::Mean, name, about)
    }

    /// A rate whose parts are pooled.
    pub fn rate(name: impl Into<String>, about: impl Into<String>) -> Self {
        Self::new(FigureKind::Rate, name, about)
    }

    /// A count that is added up.
    pub fn count(name: impl Into<String>, about: impl Into<String>) -> Self {
        Self::new(FigureKind::Count, name, about)
    }

    /// The share of the judged cases with a verdict, named `VERDICT_rate`.
    pub fn share(verdict: &str) -> Self {
        let about = format!("share of the judged cases with the verdict {verdict}");
        Self::new(FigureKind::Share { verdict: verdict.to_owned() }, format!("{verdict}_rate"), about)
    }

    /// A figure that the judge's own summary makes.
    pub fn derived(name: impl Into<String>, about: impl Into<String>) -> Self {
        Self::new(FigureKind::Derived, name, about)
    }

    /// The same figure in another unit.
    pub fn in_unit(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    /// The same figure, of which neither more nor less is better.
    pub fn neutral(mut self) -> Self {
        self.neutral = true;
        self
    }

    /// The same figure, with less as the better.
    pub fn lower_is_better(mut self) -> Self {
        self.lower_is_better = true;
        self
    }

    /// The same figure, which no single case has.
    pub fn run_only(mut self) -> Self {
        self.run_only = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_shown_in_its_unit() {
        let shown = |unit: Unit, value: f64| unit.show(value);
        assert_eq!(shown(Unit::Count, 46.0), "46");
        assert_eq!(shown(Unit::Count, 1234.0), "1,234");
        assert_eq!(shown(Unit::Count, 1.5), "1.50");
        assert_eq!(shown(Unit::Count, -3.0), "-3");
        assert_eq!(shown(Unit::Score, 0.8819), "0.882");
        assert_eq!(shown(Unit::Percent, 4.1667), "4.17%");
        assert_eq!(shown(Unit::Dollars, 12.5), "$12.50");
        assert_eq!(shown(Unit::Rank, 2.0), "2");
        let difference = |unit: Unit, value: f64| unit.show_difference(value);
        assert_eq!(difference(Unit::Score, -0.0514), "-0.051");
        assert_eq!(difference(Unit::Count, 3.0), "+3");
        assert_eq!(difference(Unit::Count, -1.5), "-1.50");
        assert_eq!(difference(Unit::Dollars, -0.25), "-$0.2500");
    }

    #[test]
    fn a_spec_from_before_units_is_read() {
        let old = r#"{"name": "f1", "about": "x", "run_only": false, "lower_is_better": false}"#;
        let spec: MetricSpec = serde_json::from_str(old).expect("read");
        assert_eq!((spec.kind, spec.unit), (FigureKind::Mean, Unit::Score));
    }
}
