//! The list of runs.

use super::table;
use crate::screen;
use assize_core::number::dollars;
use assize_engine::records::{RunDocument, RunStatus};
use comfy_table::{Cell, Color, ColumnConstraint};

/// A table for the terminal.
pub(crate) fn draw(runs: &[RunDocument], width: usize) -> String {
    let mut table = table::new(["run", "suite", "judge", "cases", "headline", "gate", "cost"], width);
    for document in runs {
        let cases = &document.cases;
        let judge = document.judge.model.as_str().map_or_else(|| "a jury".to_owned(), screen::harmless);
        let headline: Vec<String> = document
            .models
            .values()
            .filter_map(|card| card.metrics.get(&document.judge.headline))
            .map(|metric| document.judge.shown_metric(&document.judge.headline, metric))
            .collect();
        let gate = match (document.status, document.gate.checks.is_empty(), document.gate.passed) {
            (RunStatus::Complete, true, _) => Cell::new("none"),
            (RunStatus::Complete, _, true) => Cell::new("holds").fg(Color::Green),
            (RunStatus::Complete, _, false) => Cell::new("fails").fg(Color::Red),
            (status, _, _) => Cell::new(status.name()).fg(Color::Yellow),
        };
        table.add_row([
            Cell::new(&document.run_id),
            Cell::new(screen::shortened(&screen::harmless(&document.suite), width.saturating_sub(REST).max(10))),
            Cell::new(screen::shortened(&judge, width / 5)),
            Cell::new(format!("{}/{}", cases.judged, cases.total)),
            Cell::new(headline.join(" ")),
            gate,
            Cell::new(dollars(document.usage.cost_usd)),
        ]);
    }
    // An id that is broken in two cannot be copied.
    table.set_constraints([ColumnConstraint::ContentWidth; 2]);
    table::drawn(&table)
}

/// What the other columns need beside the suite's name.
const REST: usize = 70;
