//! The scorecard of a run's models side by side, as a value: rows in their order, models as columns.
//!
//! Everything that shows a scorecard (the terminal, Markdown, CSV, a workbook, the page) renders this one value. A judge with
//! an order, titles and thresholds of its own makes it in its summary, under the key [`SECTION`]; for every other judge it
//! follows from the scorecards alone.

use crate::{Bounds, Interval, Method, Rating, Unit};
use serde::{Deserialize, Serialize};

/// Where a judge that makes its own table puts it among the sections of its summary.
pub const SECTION: &str = "scorecard";

/// Where a judge puts what a reader of the scorecards must know, as a list of sentences, among the sections of its summary.
pub const NOTES: &str = "notes";

/// What stands for an undefined figure.
pub const UNDEFINED: &str = "–";

/// What stands for an undecided figure where its bounds stand apart.
pub const UNDECIDED: &str = "undecided";

/// The scorecard of several models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The models, in the order of the columns.
    pub models: Vec<String>,
    /// The rows, in the order of the scorecard.
    pub rows: Vec<Row>,
    /// What a reader must know beside it.
    pub notes: Vec<String>,
}

/// A heading or a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Row {
    /// The heading of a group.
    Section {
        /// As shown.
        title: String,
    },
    /// A figure of every model.
    Figure(Figure),
}

/// A figure of every model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name in results.
    pub metric: String,
    /// As shown.
    pub title: String,
    /// What it is measured in. It is declared with the judge's figures and filled in from there, not written here again.
    #[serde(skip)]
    pub unit: Unit,
    /// Whether it is a score over others, which stands out.
    pub score: bool,
    /// Whether the judge says that it can disqualify: a `[!]` row.
    pub blocker: bool,
    /// The threshold as shown; empty where there is none.
    pub threshold: String,
    /// One for each model.
    pub cells: Vec<Cell>,
}

/// One figure of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// As shown: [`UNDEFINED`] where it is undefined, its bounds where it is undecided, empty where the model has no such
    /// figure.
    pub text: String,
    /// The figure; `None` where it is undefined, and where the cell is a word such as `Yes`.
    pub value: Option<f64>,
    /// The bounds of a figure that is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// What it is out of; `None` where it is not out of anything.
    #[serde(default)]
    pub n: Option<u64>,
    /// How good it is.
    pub rating: Option<Rating>,
    /// How it came about.
    pub method: Option<Method>,
    /// How far it can be trusted.
    pub interval: Option<Interval>,
    /// The cases that caused a blocker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
}

impl Table {
    /// The figures, each with the heading it stands under.
    pub fn figures(&self) -> impl Iterator<Item = (&str, &Figure)> {
        let mut section = "";
        self.rows.iter().filter_map(move |row| match row {
            Row::Section { title } => {
                section = title;
                None
            }
            Row::Figure(figure) => Some((section, figure)),
        })
    }
}

impl Figure {
    /// The title with the mark of rows that can disqualify.
    pub fn marked_title(&self) -> String {
        if self.blocker { format!("[!] {}", self.title) } else { self.title.clone() }
    }

    /// The least exact method by which a model's figure came about.
    pub fn method(&self) -> Option<Method> {
        self.cells.iter().filter_map(|cell| cell.method).max()
    }

    /// Whether some model's figure is too low.
    pub fn is_low(&self) -> bool {
        self.cells.iter().any(|cell| matches!(cell.rating, Some(Rating::Fail | Rating::Blocker)))
    }
}

impl Cell {
    /// The word that stands for a figure where only numbers and words can stand.
    pub fn stand_in(&self) -> Option<&str> {
        if self.bounds.is_some() && self.value.is_none() { Some(UNDECIDED) } else { self.word() }
    }

    /// The lower and the higher end of what is known: of the interval, or of the bounds.
    pub fn ends(&self) -> Option<(f64, f64)> {
        let bounds = self.bounds.map(|Bounds(worst, best)| (worst.min(best), worst.max(best)));
        bounds.or(self.interval.map(|Interval(low, high)| (low, high)))
    }

    /// The word that stands in a figure's place, where there is one.
    pub fn word(&self) -> Option<&str> {
        let is_word = self.value.is_none() && self.bounds.is_none() && !self.text.is_empty() && self.text != UNDEFINED;
        is_word.then_some(self.text.as_str())
    }
}
