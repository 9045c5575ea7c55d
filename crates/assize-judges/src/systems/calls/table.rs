//! The scorecard of the models in its fixed order, with its titles and thresholds.

use super::metrics::{self, METRICS, Row as Metric, Section, binary_name};
use assize_core::table::{Cell, Figure, Row, UNDEFINED};
use assize_core::{Rating, Scorecard, Summary, Table};
use serde_json::Value;

/// The table of a run.
pub(super) fn table(summary: &Summary) -> Table {
    let cards: Vec<&Scorecard> = summary.models.values().collect();
    let mut table = Table { models: summary.models.keys().cloned().collect(), ..Table::default() };
    let mut section = None;
    for row in METRICS.iter().filter(|row| row.on_scorecard) {
        if section != Some(row.section) {
            section = Some(row.section);
            table.rows.push(Row::Section { title: row.section.title().to_owned() });
            if row.section == Section::Final {
                table.rows.extend(final_scores(&cards));
            }
        }
        table.rows.push(Row::Figure(Figure {
            metric: row.name.to_owned(),
            title: row.title.to_owned(),
            score: row.name == row.section.score(),
            blocker: row.is_blocker(),
            threshold: row.threshold.to_owned(),
            cells: cards.iter().map(|card| cell(card, row)).collect(),
            ..Figure::default()
        }));
    }
    table.rows.push(any_blocker(&cards));
    table.notes = notes(summary);
    table
}

/// The notes on all scorecards, each once; one that does not hold for all models names those it holds for.
fn notes(summary: &Summary) -> Vec<String> {
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (model, card) in &summary.models {
        let own = card.sections.get("notes").and_then(Value::as_array).into_iter().flatten();
        for note in own.filter_map(Value::as_str) {
            match notes.iter_mut().find(|(known, _)| *known == note) {
                Some((_, models)) => models.push(model),
                None => notes.push((note, vec![model])),
            }
        }
    }
    let said = |(note, models): (&str, Vec<&str>)| {
        if models.len() == summary.models.len() { note.to_owned() } else { format!("{}: {note}", models.join(", ")) }
    };
    notes.into_iter().map(said).collect()
}

fn cell(card: &Scorecard, row: &Metric) -> Cell {
    let Some(metric) = card.metrics.get(row.name) else { return Cell::default() };
    let shown = metric.value.map_or_else(|| UNDEFINED.to_owned(), |value| row.unit.show(value));
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
        bounds: metric.bounds,
        n: Some(metric.n),
        rating: metric.rating,
        method: metric.value.map(|_| metric.method),
        interval: metric.interval,
        cases: cases.unwrap_or_default(),
    }
}

fn final_scores(cards: &[&Scorecard]) -> [Row; 2] {
    let row = |key: &str, title: &str, threshold: &str| {
        Row::Figure(Figure {
            metric: format!("final.{key}"),
            title: title.to_owned(),
            score: true,
            threshold: threshold.to_owned(),
            cells: cards.iter().map(|card| final_score(card, key)).collect(),
            ..Figure::default()
        })
    };
    [
        row("with_benchmarks", "Final Score (with benchmarks)", "Option A"),
        row("without_benchmarks", "Final Score (without benchmarks)", "Option B"),
    ]
}

fn final_score(card: &Scorecard, key: &str) -> Cell {
    let value = card.sections.get("final").and_then(|section| section.get(key)).and_then(Value::as_f64);
    let method = card.metrics.get(Section::Final.score()).map(|metric| metric.method).filter(|_| value.is_some());
    let text = value.map_or_else(|| UNDEFINED.to_owned(), |value| format!("{value:.3}"));
    Cell { text, value, method, ..Cell::default() }
}

fn any_blocker(cards: &[&Scorecard]) -> Row {
    let cell = |card: &&Scorecard| Cell {
        text: if card.disqualified { "Yes" } else { "No" }.to_owned(),
        rating: card.disqualified.then_some(Rating::Blocker),
        ..Cell::default()
    };
    Row::Figure(Figure {
        metric: "blockers".into(),
        title: "Any Blocker Triggered?".into(),
        threshold: "Yes / No".into(),
        cells: cards.iter().map(cell).collect(),
        ..Figure::default()
    })
}
