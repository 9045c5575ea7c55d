//! What if: a judge's figures under other settings, from stored cases and with no model.
//!
//! A [`crate::JudgeSystem`] that can recompute its figures offers a [`WhatIf`]. It opens the settings a run was made with,
//! takes in the run's cases one by one, and then answers as often as somebody moves a slider. Settings go in as a profile
//! holds them: whole, and read by [`crate::JudgeSystem::read_profile`]. Figures, flips and curves come out as plain data
//! that the command line, the page and the API show without knowing the judge; [`Terms`] says what to call them.

use crate::document::Problems;
use crate::judgment::tidy;
use crate::{Case, InputSpec, Judgment, Unit};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A judge system that can say what other settings would give.
pub trait WhatIf: Sync {
    /// What it needs of a case.
    fn inputs(&self) -> Vec<InputSpec>;

    /// Whether it starts from the judgments of the cases. Where there are none, the judge's rules make them.
    fn needs_judgments(&self) -> bool {
        false
    }

    /// What its figures and flips are called.
    fn terms(&self) -> Terms;

    /// Gets ready for the cases of a run, given the settings in its record: an object, or null where nothing was set. What
    /// is wrong with them is reported; `None` is returned only if something was.
    fn open(&self, recorded: &Value, problems: &mut Problems) -> Option<Box<dyn OpenWhatIf>>;
}

/// The cases of a run, read once so that many settings can be tried on them.
pub trait OpenWhatIf: Send + Sync {
    /// The settings the cases were judged with, whole, as a profile holds them.
    fn settings(&self) -> &Value;

    /// Takes a case in. `false` for a case whose figures cannot be recomputed; what is wrong with one that cannot be read is
    /// said in sentences.
    fn take(&mut self, case: &Case, judgment: Option<&Judgment>) -> Result<bool, Vec<String>>;

    /// How much there is to go through: the number of things that settings are applied to.
    fn size(&self) -> usize;

    /// Names in the cases that a setting may list, each with the names within it, in the order of their first occurrence:
    /// fact types with their fields.
    fn names(&self) -> &[(String, Vec<String>)] {
        &[]
    }

    /// Holds settings against others on the same cases. Everything that flipped is counted, and at most `listed` are told.
    fn change(&self, before: &Value, after: &Value, listed: usize) -> Result<Change, String>;

    /// The figures over several values of one numeric setting, each with the settings that have it, in rising order.
    fn sweep(&self, steps: &[(f64, Value)]) -> Result<Vec<SweepPoint>, String> {
        let point = |(value, settings): &(f64, Value)| {
            Ok(SweepPoint { value: *value, models: self.change(settings, settings, 0)?.after })
        };
        steps.iter().map(point).collect()
    }
}

/// What the figures and flips of a what-if are called, for those who show them.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Above the figures.
    pub title: &'static str,
    /// How the figures come about, as a sentence.
    pub how: &'static str,
    /// The figures to show, in this order. There may be others in the data.
    pub columns: Vec<Column>,
    /// The figure that curves show, by name.
    pub headline: String,
    /// The ways in which the figures are broken down.
    pub breakdowns: Vec<BreakdownTerms>,
    /// What flips, in the singular: a “pair”.
    pub flipping: &'static str,
    /// What is said of one that came to count with the change.
    pub gained: &'static str,
    /// What is said of one that no longer counts.
    pub lost: &'static str,
    /// What the cases lack that are left out: “without gold facts”.
    pub left_out: &'static str,
    /// Why there is nothing to show where every case is left out, as a sentence.
    pub none: &'static str,
    /// What a run with a judge model adds, as a sentence.
    pub with_model: &'static str,
}

impl Terms {
    /// The figure that curves show.
    pub fn headline(&self) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == self.headline)
    }
}

/// A figure as it is shown.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in the data.
    pub name: String,
    /// What people read.
    pub label: String,
    /// What it is measured in.
    pub unit: Unit,
    /// Whether less is better.
    pub lower_is_better: bool,
}

impl Column {
    /// A figure of which more is better.
    pub fn new(name: impl Into<String>, label: impl Into<String>, unit: Unit) -> Self {
        Self { name: name.into(), label: label.into(), unit, lower_is_better: false }
    }

    /// The same figure, of which less is better.
    pub fn lower_is_better(mut self) -> Self {
        self.lower_is_better = true;
        self
    }
}

/// A breakdown of the figures as it is shown.
#[derive(Clone, Copy, Debug)]
pub struct BreakdownTerms {
    /// Its name in the data.
    pub name: &'static str,
    /// Above it.
    pub title: &'static str,
    /// What one of its parts is called.
    pub part: &'static str,
}

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Figure {
    /// How many.
    Count(u64),
    /// A share or a score; `None` where it is undefined.
    Share(Option<f64>),
}

impl Figure {
    /// Its value; `None` where it is undefined.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(count as f64),
            Self::Share(share) => share,
        }
    }
}

/// Figures by name.
pub type Figures = IndexMap<String, Figure>;

/// The figures of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelFigures {
    /// Over all of its cases.
    #[serde(flatten)]
    pub overall: Figures,
    /// Broken down: by the name of the breakdown, then by part.
    #[serde(flatten)]
    pub breakdowns: IndexMap<String, BTreeMap<String, Figures>>,
}

impl ModelFigures {
    /// A figure over all cases; `None` where it is undefined or unknown.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.overall.get(name).copied().and_then(Figure::value)
    }
}

/// Figures by model under test.
pub type ByModel = BTreeMap<String, ModelFigures>;

/// One point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepPoint {
    /// The setting's value.
    pub value: f64,
    /// The figures there, for each model.
    pub models: ByModel,
}

/// Which way something flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// It counts now, and did not before.
    Gained,
    /// It counted before, and does not now.
    Lost,
    /// It is something else now.
    Other,
}

/// Something that is decided otherwise under other settings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Flip {
    /// The case.
    pub case: String,
    /// The system under test.
    pub model: String,
    /// What flipped within the case; empty where it is the case itself.
    pub item: String,
    /// What kind of thing that is, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: String,
    /// Which way that is.
    pub direction: Direction,
    /// Why, in words.
    pub reasons: Vec<FlipReason>,
    /// What the judge itself adds.
    #[serde(flatten)]
    #[schemars(with = "Map<String, Value>")]
    pub details: Map<String, Value>,
}

/// Why something flipped: two values side by side, and what was made of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FlipReason {
    /// What the values are of.
    pub about: String,
    /// The one.
    pub left: String,
    /// How they relate: `=`, `≠`, `→`.
    pub sign: String,
    /// The other.
    pub right: String,
    /// Why.
    pub because: String,
}

/// How many flipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flipped {
    /// Those that count now.
    pub gained: u64,
    /// Those that no longer do.
    pub lost: u64,
    /// Those that are something else.
    pub other: u64,
}

impl Flipped {
    /// Counts one more.
    pub fn add(&mut self, direction: Direction) {
        match direction {
            Direction::Gained => self.gained += 1,
            Direction::Lost => self.lost += 1,
            Direction::Other => self.other += 1,
        }
    }

    /// All of them.
    pub fn total(self) -> u64 {
        self.gained + self.lost + self.other
    }
}

/// What other settings change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// The figures before, for each model.
    pub before: ByModel,
    /// The figures after.
    pub after: ByModel,
    /// What flipped, in the order of the cases, as far as it was to be listed.
    pub flips: Vec<Flip>,
    /// How many flipped, listed or not.
    pub flipped: Flipped,
}

/// Reads a range as `--sweep` takes it: `0..10` in ten steps, or `0..10:2.5` in steps of a given size; both ends count.
pub fn read_range(text: &str) -> Result<Vec<f64>, String> {
    const MOST_POINTS: f64 = 1000.0;
    let wrong = || format!("`{text}` is no range: write LOW..HIGH, or LOW..HIGH:STEP, such as 0..10 or 0..10:2.5");
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
    let (range, step) = text.split_once(':').map_or((text, None), |(range, step)| (range, Some(step)));
    let (low, high) = range.split_once("..").ok_or_else(wrong)?;
    let (low, high) = (number(low)?, number(high)?);
    let step = step.map_or(Ok((high - low) / 10.0), number)?;
    if high < low || step < 0.0 || (step == 0.0 && high > low) {
        return Err(wrong());
    }
    let steps = if high > low { (high - low) / step } else { 0.0 };
    if steps > MOST_POINTS {
        return Err(format!("`{text}` has more than {MOST_POINTS} points"));
    }
    // Whole multiples of the step, without the dust of adding up.
    let mut points: Vec<f64> = (0..=(steps + 1e-9) as usize).map(|point| tidy(low + step * point as f64)).collect();
    if points.last().is_none_or(|last| high - last > 1e-9) {
        points.push(high);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_range_has_both_ends() {
        assert_eq!(read_range("0..10:2"), Ok(vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0]));
        assert_eq!(read_range("0..1:0.4"), Ok(vec![0.0, 0.4, 0.8, 1.0]));
        assert_eq!((read_range("0..10").map(|points| points.len()), read_range("3..3")), (Ok(11), Ok(vec![3.0])));
        for range in ["10..0", "a..b", "5", "0..1:0", "0..inf"] {
            assert!(read_range(range).is_err_and(|error| error.contains("no range")), "{range}");
        }
        assert!(read_range("0..2000:1").is_err_and(|error| error.contains("more than 1000 points")));
    }

    #[test]
    fn figures_are_plain_numbers_beside_their_breakdowns() {
        let figures = |count, share| {
            Figures::from_iter([("tp".to_owned(), Figure::Count(count)), ("f1".to_owned(), Figure::Share(share))])
        };
        let by_type = BTreeMap::from([("assets".to_owned(), figures(1, Some(1.0)))]);
        let model = ModelFigures { overall: figures(2, None), breakdowns: [("by_type".to_owned(), by_type)].into() };
        assert_eq!(json!(model), json!({"tp": 2, "f1": null, "by_type": {"assets": {"tp": 1, "f1": 1.0}}}));
        assert_eq!((model.value("tp"), model.value("f1"), model.value("x")), (Some(2.0), None, None));
    }
}
