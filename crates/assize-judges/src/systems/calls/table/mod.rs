//! The scorecard of the models side by side, as a value: rows in their fixed order, models as columns.
//!
//! It is made from the scorecards of a run and knows nothing of where it will be shown. `render` writes it as Markdown and
//! as CSV; it serialises, so whoever has the run's document has the table.

mod render;

pub use render::{csv, markdown};

use super::metrics::{self, METRICS, Row as Metric, Section, binary_name};
use assize_core::{Interval, Method, Rating, Scorecard, Summary};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    Figure {
        /// Its name in results.
        metric: String,
        /// As shown.
        title: String,
        /// Whether it is a score over others, which stands out.
        score: bool,
        /// Whether it can disqualify: a `[!]` row.
        blocker: bool,
        /// The threshold as shown.
        threshold: String,
        /// One for each model.
        cells: Vec<Cell>,
    },
}

/// One figure of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// As shown: `—` where it is undefined, empty where the model has no such figure.
    pub text: String,
    /// The figure.
    pub value: Option<f64>,
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

/// What stands for an undefined figure.
const UNDEFINED: &str = "—";

impl Table {
    /// The table of a run.
    pub fn of(summary: &Summary) -> Self {
        let cards: Vec<&Scorecard> = summary.models.values().collect();
        let mut table = Self { models: summary.models.keys().cloned().collect(), ..Self::default() };
        let mut section = None;
        for row in METRICS.iter().filter(|row| row.on_scorecard) {
            if section != Some(row.section) {
                section = Some(row.section);
                table.rows.push(Row::Section { title: row.section.title().to_owned() });
                if row.section == Section::Final {
                    table.rows.extend(final_scores(&cards));
                }
            }
            table.rows.push(Row::Figure {
                metric: row.name.to_owned(),
                title: row.title.to_owned(),
                score: row.name == row.section.score(),
                blocker: row.is_blocker(),
                threshold: row.threshold.to_owned(),
                cells: cards.iter().map(|card| cell(card, row)).collect(),
            });
        }
        table.rows.push(any_blocker(&cards));
        for card in cards {
            for note in
                card.sections.get("notes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
            {
                if !table.notes.iter().any(|known| known == note) {
                    table.notes.push(note.to_owned());
                }
            }
        }
        table
    }
}

fn cell(card: &Scorecard, row: &Metric) -> Cell {
    let Some(metric) = card.metrics.get(row.name) else { return Cell::default() };
    let shown = metric.value.map_or_else(|| UNDEFINED.to_owned(), |value| shown(row, value));
    // A benchmark is shown by its binary, with what it was measured from.
    let binary = metrics::benchmarks().any(|benchmark| benchmark.name == row.name);
    let text = match card.metrics.get(&binary_name(row.name)).and_then(|metric| metric.value).filter(|_| binary) {
        Some(pass) => format!("{pass} ({shown})"),
        None => shown,
    };
    let cases = card.blockers.iter().find(|blocker| blocker.metric == row.name).map(|blocker| blocker.cases.clone());
    Cell {
        text,
        value: metric.value,
        rating: metric.rating,
        method: metric.value.map(|_| metric.method),
        interval: metric.interval,
        cases: cases.unwrap_or_default(),
    }
}

fn shown(row: &Metric, value: f64) -> String {
    match row.name {
        "final.cost_per_1000" => format!("${value:.2}"),
        "final.rank" => format!("{value:.0}"),
        _ if row.percent => format!("{value:.2}%"),
        _ if row.pooling == metrics::Pooling::Worst => format!("{value:.0}"),
        _ => format!("{value:.3}"),
    }
}

fn final_scores(cards: &[&Scorecard]) -> Vec<Row> {
    let row = |key: &str, title: &str, threshold: &str| Row::Figure {
        metric: format!("final.{key}"),
        title: title.to_owned(),
        score: true,
        blocker: false,
        threshold: threshold.to_owned(),
        cells: cards
            .iter()
            .map(|card| {
                let value = card.sections.get("final").and_then(|section| section.get(key)).and_then(Value::as_f64);
                let method = card.metrics.get("final.score").map(|metric| metric.method).filter(|_| value.is_some());
                Cell {
                    text: value.map_or_else(|| UNDEFINED.to_owned(), |value| format!("{value:.3}")),
                    value,
                    method,
                    ..Cell::default()
                }
            })
            .collect(),
    };
    vec![
        row("with_benchmarks", "Final Score (with benchmarks)", "Option A"),
        row("without_benchmarks", "Final Score (without benchmarks)", "Option B"),
    ]
}

fn any_blocker(cards: &[&Scorecard]) -> Row {
    Row::Figure {
        metric: "blockers".into(),
        title: "Any Blocker Triggered?".into(),
        score: false,
        blocker: false,
        threshold: "Yes / No".into(),
        cells: cards
            .iter()
            .map(|card| Cell {
                text: if card.disqualified { "Yes" } else { "No" }.to_owned(),
                value: Some(card.blockers.len() as f64),
                rating: card.disqualified.then_some(Rating::Blocker),
                ..Cell::default()
            })
            .collect(),
    }
}
