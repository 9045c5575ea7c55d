//! The scorecard of a run as a table: the judge's own where it has one, else every figure in the judge's order.

use crate::records::RunDocument;
use assize_core::table::{Cell, Figure, NOTES, Row, SECTION};
use assize_core::{ScoreMetric, Scorecard, Table};
use indexmap::IndexSet;
use serde::Deserialize;
use serde_json::Value;

/// The scorecard of a run.
pub fn scorecard(document: &RunDocument) -> Table {
    // A later judge may write what this version cannot read; the scorecards themselves it always can.
    let own = document.sections.get(SECTION).and_then(|table| Table::deserialize(table).ok());
    let mut table = own.unwrap_or_else(|| general(document));
    for row in &mut table.rows {
        if let Row::Figure(figure) = row {
            figure.unit = document.judge.unit(&figure.metric);
        }
    }
    table
}

fn general(document: &RunDocument) -> Table {
    let metrics: IndexSet<&String> = document.models.values().flat_map(|card| card.metrics.keys()).collect();
    let figure = |metric: &String| {
        Row::Figure(Figure {
            metric: metric.clone(),
            title: metric.clone(),
            score: *metric == document.judge.headline,
            cells: document.models.values().map(|card| cell(document, card, metric)).collect(),
            ..Figure::default()
        })
    };
    Table {
        models: document.models.keys().cloned().collect(),
        rows: metrics.into_iter().map(figure).collect(),
        notes: notes(document),
    }
}

/// What the judge has to say of the run as a whole.
fn notes(document: &RunDocument) -> Vec<String> {
    let said = document.sections.get(NOTES).and_then(Value::as_array).into_iter().flatten();
    said.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn cell(document: &RunDocument, card: &Scorecard, name: &str) -> Cell {
    let Some(metric) = card.metrics.get(name) else { return Cell::default() };
    let ScoreMetric { value, bounds, n, rating, method, interval, .. } = metric;
    let cases = card.blockers.iter().find(|blocker| blocker.metric == name).map(|blocker| blocker.cases.clone());
    Cell {
        text: document.judge.shown_metric(name, metric),
        value: *value,
        bounds: *bounds,
        n: Some(*n),
        rating: *rating,
        method: Some(*method),
        interval: *interval,
        cases: cases.unwrap_or_default(),
    }
}
