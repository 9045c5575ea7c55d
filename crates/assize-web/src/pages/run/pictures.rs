//! A run in pictures: how figures are spread, metric by model, cost against quality.

use super::cases::columns;
use crate::chart::{self, Candidate};
use assize_core::table::{Cell, Figure};
use assize_core::{MetricSpec, Table, Unit};
use assize_engine::listing;
use assize_engine::records::RunDocument;
use assize_engine::store::{Store, StoreError};
use maud::{Markup, html};

/// As many models as get a histogram each.
const MODELS: usize = 6;

/// All pictures of a run; nothing where there is nothing to see.
pub(crate) fn drawn(store: &Store, run: &RunDocument, table: &Table) -> Result<Markup, StoreError> {
    let mut spreads = Vec::new();
    for metric in columns(run, table) {
        let figures = listing::figures(store, &run.run_id, &metric)?;
        let all = || figures.values().flatten().copied();
        if all().count() > 1 {
            // A score keeps its whole scale, so that pictures can be compared; anything else is shown where it lies.
            let (low, high) = all().fold((0.0_f64, 1.0_f64), |(low, high), value| (low.min(value), high.max(value)));
            spreads.push((run.judge.unit(&metric), metric, figures, (low, high)));
        }
    }
    // What a model costs, where the judge knows it.
    let cost = run.judge.metrics.iter().find(|spec| spec.unit == Unit::Dollars);
    let candidates = cost.map(|cost| candidates(run, table, &cost.name)).unwrap_or_default();
    let heat = table.models.len() > 1;
    let frontier = cost.filter(|_| candidates.len() > 1);
    Ok(html! {
        @if !spreads.is_empty() || heat || frontier.is_some() {
            section aria-labelledby="pictures" {
                h2 #pictures { "In pictures" }
                div.grid {
                    @for (unit, metric, figures, scale) in &spreads {
                        div.card {
                            h3 { "Spread of " code { (metric) } }
                            @for (model, values) in figures.iter().take(MODELS) { (chart::histogram(model, *unit, values, *scale)) }
                        }
                    }
                    @if let Some(cost) = frontier { div.card { h3 { "Cost against quality" } (chart::frontier(&candidates, &run.judge.headline, title(table, cost))) } }
                }
                @if heat { (heatmap(run, table)) }
            }
        }
    })
}

/// What the scorecard calls a figure.
fn title<'t>(table: &'t Table, spec: &'t MetricSpec) -> &'t str {
    let found = table.figures().find(|(_, figure)| figure.metric == spec.name);
    found.map_or(&spec.name, |(_, figure)| &figure.title)
}

fn candidates(run: &RunDocument, table: &Table, cost: &str) -> Vec<Candidate> {
    let candidate = |(column, model): (usize, &String)| {
        let card = run.models.get(model)?;
        let value = |metric: &str| card.metrics.get(metric).and_then(|metric| metric.value);
        // A model with a blocker has no headline; the last score it has is worth seeing beside the others.
        let last = || {
            let scores = table.figures().filter(|(_, figure)| figure.score);
            scores.filter_map(|(_, figure)| figure.cells.get(column)?.value).last()
        };
        let quality = value(&run.judge.headline).or_else(last)?;
        Some(Candidate { model: model.clone(), cost: value(cost)?, quality, disqualified: card.disqualified })
    };
    table.models.iter().enumerate().filter_map(candidate).collect()
}

/// Scores only: a colour for a count would mean nothing beside them. The better, the stronger the colour.
fn heatmap(run: &RunDocument, table: &Table) -> Markup {
    let is_share = |figure: &Figure| {
        let within = |cell: &Cell| cell.value.is_none_or(|value| (0.0..=1.0).contains(&value));
        figure.unit == Unit::Score && figure.cells.iter().all(within)
    };
    let figures: Vec<&Figure> = table
        .figures()
        .map(|(_, figure)| figure)
        .filter(|figure| is_share(figure) && figure.cells.iter().any(|cell| cell.value.is_some()))
        .collect();
    let step = |figure: &Figure, value: f64| {
        let lower = run.judge.metric(&figure.metric).is_some_and(|spec| spec.lower_is_better);
        ((if lower { 1.0 - value } else { value }) * 10.0).round() as u8
    };
    // Models down, metrics across in the size of a mark: a whole scorecard at one glance.
    html! {
        div.card {
            h3 { "Metric by model" }
            div.scroll tabindex="0" role="region" aria-label="Metric by model" {
                table.heat {
                    thead { tr { th scope="col" { "Model" } @for figure in &figures { th.upright scope="col" { span { (figure.title) } } } } }
                    tbody {
                        @for (column, model) in table.models.iter().enumerate() {
                            tr {
                                th scope="row" { (model) }
                                @for figure in &figures {
                                    @let cell = &figure.cells[column];
                                    td data-heat=[cell.value.map(|value| step(figure, value))] title=(format!("{model}, {}: {}", figure.title, cell.text)) {
                                        @if let Some(value) = cell.value { (two_digits(value)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A share without its nought: `.93`, or `1`.
fn two_digits(value: f64) -> String {
    let rounded = format!("{value:.2}");
    match rounded.strip_prefix("0.") {
        Some(digits) => format!(".{digits}"),
        None => "1".to_owned(),
    }
}
