//! The figures of a what-if, for each model, with the change against other settings.

use super::Trial;
use super::state::State;
use crate::links;
use crate::visible::visible;
use assize_core::Unit;
use assize_core::number::figure;
use assize_core::what_if::{BreakdownTerms, Change, Column, Figure, Figures, Terms};
use maud::{Markup, html};

/// The figures under the settings as they stand, against those of the profile.
pub(super) fn figures(state: &State, trial: Option<Trial<'_>>) -> Markup {
    html! {
        div data-part="figures" {
            @match trial {
                None => { p.faint { "Reading the cases …" } }
                Some((set, _)) if set.used() == 0 => {
                    p { (set.terms.none) }
                    p { "Choose another run, or the bundled example." }
                }
                Some((set, change)) => {
                    (table(&set.terms, change))
                    @for breakdown in &set.terms.breakdowns { (broken_down(&set.terms, breakdown, change)) }
                    p.small.faint {
                        (set.terms.how) " Over " (set.extent())
                        @match &set.run {
                            Some(run) => { " of " a href=(links::run(&run.id)) { (run.suite) } }
                            None => { " of the bundled example" }
                        }
                        ". Changes are against " (state.base.title()) "."
                    }
                }
            }
        }
    }
}

/// One row per model.
fn table(terms: &Terms, change: &Change) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { th { "Model" } (heads(terms)) } }
            tbody { @for (model, now) in &change.after {
                tr { th scope="row" { (visible(model)) } (cells(terms, change.before.get(model).map(|model| &model.overall), &now.overall)) }
            } }
        } }
    }
}

fn heads(terms: &Terms) -> Markup {
    html! { @for column in &terms.columns { th.number { (column.label) } } }
}

fn cells(terms: &Terms, before: Option<&Figures>, now: &Figures) -> Markup {
    let value = |figures: &Figures, column: &Column| figures.get(&column.name).copied().and_then(Figure::value);
    html! {
        @for column in &terms.columns {
            @let (was, is) = (before.and_then(|before| value(before, column)), value(now, column));
            td.number data-figure=(column.name) data-headline=[(column.name == terms.headline).then_some("")] {
                @if column.unit == Unit::Count { (shown(column, is)) } @else { b { (shown(column, is)) } }
                (difference(column, was, is))
            }
        }
    }
}

fn shown(column: &Column, value: Option<f64>) -> String {
    value.map_or_else(|| figure(None), |value| column.unit.show(value))
}

fn difference(column: &Column, was: Option<f64>, is: Option<f64>) -> Markup {
    let change = was.zip(is).map_or(0.0, |(was, is)| is - was);
    // What three decimals do not show is no change.
    let (least, words) = match column.unit {
        Unit::Count | Unit::Rank => (0.5, format!("{change:+.0}")),
        _ => (0.0005, format!("{change:+.3}")),
    };
    let better = (change > 0.0) != column.lower_is_better;
    html! { @if change.abs() >= least { " " span.change data-way=(if better { "better" } else { "worse" }) { (words) } } }
}

/// The same figures, part by part.
fn broken_down(terms: &Terms, breakdown: &BreakdownTerms, change: &Change) -> Markup {
    let mut parts: Vec<&String> = change
        .after
        .values()
        .filter_map(|model| model.breakdowns.get(breakdown.name))
        .flat_map(|parts| parts.keys())
        .collect();
    parts.sort_unstable();
    parts.dedup();
    let of = |models: &assize_core::what_if::ByModel, model: &str, part: &str| {
        models.get(model).and_then(|model| model.breakdowns.get(breakdown.name)?.get(part)).cloned()
    };
    html! {
        details id=(breakdown.name.replace('_', "-")) {
            summary { (breakdown.title) }
            div.scroll { table.figures {
                thead { tr { th { (breakdown.part) } th { "Model" } (heads(terms)) } }
                tbody { @for part in parts { @for model in change.after.keys() {
                    @if let Some(figures) = of(&change.after, model, part) {
                        tr {
                            th scope="row" { (visible(part)) } td { (visible(model)) }
                            (cells(terms, of(&change.before, model, part).as_ref(), &figures))
                        }
                    }
                } } }
            } }
        }
    }
}

/// The figures under two settings, each with its name; `before` is the other.
pub(super) fn side_by_side(terms: &Terms, change: &Change, (own, other): (&str, &str)) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { th { "Model" } th { "Settings" } (heads(terms)) } }
            tbody { @for (model, now) in &change.after {
                @let before = change.before.get(model).map(|model| &model.overall);
                tr { th scope="rowgroup" rowspan="2" { (visible(model)) } td { (own) } (cells(terms, before, &now.overall)) }
                @if let Some(before) = before { tr { td { (other) } (cells(terms, None, before)) } }
            } }
        } }
    }
}
