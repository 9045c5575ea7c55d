//! The scorecard of all models side by side: figures with their intervals drawn, ratings in colour and in words.

use super::Medium;
use crate::chart;
use crate::shown::{self, count};
use assize_core::Table;
use assize_core::table::{Cell, Figure, Row};
use assize_engine::records::RunDocument;
use maud::{Markup, html};

/// More rows than this are folded: the scores and what is too low first.
const LONG: usize = 24;

/// The scorecard.
pub(super) fn drawn(run: &RunDocument, table: &Table, medium: Medium) -> Markup {
    let long = medium == Medium::Page && table.figures().count() > LONG;
    html! {
        @if table.models.is_empty() {
            (shown::nothing_here("No case was judged, so there is no scorecard.", html! {}))
        } @else {
            section aria-labelledby="scorecard" {
                h2 #scorecard { "Scorecard" }
                @if long {
                    (rows(run, table, |figure| figure.score || figure.is_low()))
                    details { summary { "Every figure" } (rows(run, table, |_| true)) }
                } @else {
                    (rows(run, table, |_| true))
                }
                @for note in &table.notes { p.faint.small { (note) } }
            }
        }
    }
}

fn rows(run: &RunDocument, table: &Table, wanted: impl Fn(&Figure) -> bool) -> Markup {
    let thresholds = table.figures().any(|(_, figure)| !figure.threshold.is_empty());
    let columns = 1 + table.models.len() + usize::from(thresholds);
    // A heading stands only where something stands under it.
    let mut shown: Vec<&Row> = Vec::new();
    for row in &table.rows {
        match row {
            Row::Section { .. } => {
                shown.pop_if(|last| matches!(last, Row::Section { .. }));
                shown.push(row);
            }
            Row::Figure(figure) if wanted(figure) => shown.push(row),
            Row::Figure(_) => {}
        }
    }
    shown.pop_if(|last| matches!(last, Row::Section { .. }));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Scorecard" {
            table.scorecard {
                thead { tr {
                    th scope="col" { "Metric" }
                    @for model in &table.models { th scope="col" { (model)
                        @if run.models.get(model).is_some_and(|card| card.disqualified) { " " span.rating data-rating="blocker" { "disqualified" } } } }
                    @if thresholds { th scope="col" { "Threshold" } }
                } }
                tbody {
                    @for row in shown {
                        @match row {
                            Row::Section { title } => tr { th.section colspan=(columns) scope="rowgroup" { (title) } },
                            Row::Figure(figure) => tr {
                                th scope="row" class=[figure.score.then_some("score")] title=(about(run, figure)) {
                                    (figure.marked_title())
                                    @if let Some(method) = figure.method() { " " span.faint { (method.name()) } }
                                }
                                @for cell in &figure.cells { td { (figure_of(figure, cell)) } }
                                @if thresholds { td.faint { (figure.threshold) } }
                            },
                        }
                    }
                }
            }
        }
    }
}

fn about(run: &RunDocument, figure: &Figure) -> String {
    run.judge
        .metric(&figure.metric)
        .map_or_else(|| figure.metric.clone(), |spec| format!("{}: {}", figure.metric, spec.about))
}

fn figure_of(figure: &Figure, cell: &Cell) -> Markup {
    html! {
        @if !cell.text.is_empty() {
            span.figure {
                b { (cell.text) }
                @if let Some(rating) = cell.rating { " " (shown::rating(rating)) }
                @if let (Some(value), Some(interval)) = (cell.value, cell.interval) { " " (chart::interval(figure.unit, value, interval)) }
                @if let Some(n) = cell.n { " " span.faint.small { "n " (count(n)) } }
            }
        }
    }
}
