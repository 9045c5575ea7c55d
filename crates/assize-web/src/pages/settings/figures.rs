//! Precision, recall and F1 of the rule matcher, for each model, with the change against other settings.

use super::Trial;
use super::state::State;
use crate::links;
use crate::shown::figure;
use crate::visible::visible;
use assize_judges::systems::facts::measure::Figures;
use assize_judges::systems::facts::whatif::{Change, ModelFigures};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The figures under the settings as they stand, against those of the profile.
pub(super) fn figures(state: &State, trial: Option<Trial<'_>>) -> Markup {
    html! {
        div data-part="figures" {
            @match trial {
                None => { p.faint { "Reading the cases …" } }
                Some((set, _)) if set.cases.is_empty() => {
                    p { "None of these cases has gold facts, and rules cannot derive them." }
                    p { "Choose another run, or the bundled example." }
                }
                Some((set, change)) => {
                    (table(&change.before, &change.after))
                    (by_type(change))
                    p.small.faint {
                        "By rules alone, no model is asked. Over " (set.extent())
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
fn table(before: &BTreeMap<String, ModelFigures>, after: &BTreeMap<String, ModelFigures>) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { th { "Model" } (heads()) } }
            tbody { @for (model, now) in after {
                tr { th scope="row" { (visible(model)) } (cells(before.get(model).map(|model| &model.overall), &now.overall)) }
            } }
        } }
    }
}

fn heads() -> Markup {
    html! { th.number { "Precision" } th.number { "Recall" } th.number { "F1" } th.number { "TP" } th.number { "FP" } th.number { "FN" } }
}

/// A share out of figures.
type Share = fn(&Figures) -> Option<f64>;

/// A count out of figures.
type Count = fn(&Figures) -> u64;

fn cells(before: Option<&Figures>, now: &Figures) -> Markup {
    let shares: [(Share, &str); 3] = [
        (|figures| figures.precision, "precision"),
        (|figures| figures.recall, "recall"),
        (|figures| figures.f1, "f1"),
    ];
    let counts: [(Count, &str, bool); 3] = [
        (|figures| figures.counts.tp_predicted, "tp", true),
        (|figures| figures.counts.fp, "fp", false),
        (|figures| figures.counts.fn_, "fn", false),
    ];
    html! {
        @for (pick, name) in shares {
            td.number data-figure=(name) { b { (figure(pick(now))) } (share_change(before.and_then(pick), pick(now))) }
        }
        @for (pick, name, more_is_better) in counts {
            td.number data-figure=(name) { (pick(now)) (count_change(before.map(pick), pick(now), more_is_better)) }
        }
    }
}

fn share_change(before: Option<f64>, now: Option<f64>) -> Markup {
    let change = before.zip(now).map_or(0.0, |(before, now)| now - before);
    // What three decimals do not show is no change.
    html! { @if change.abs() >= 0.0005 { " " span.change data-way=(if change > 0.0 { "better" } else { "worse" }) { (format!("{change:+.3}")) } } }
}

fn count_change(before: Option<u64>, now: u64, more_is_better: bool) -> Markup {
    let change = before.map_or(0, |before| now as i64 - before as i64);
    let better = (change > 0) == more_is_better;
    html! { @if change != 0 { " " span.change data-way=(if better { "better" } else { "worse" }) { (format!("{change:+}")) } } }
}

fn by_type(change: &Change) -> Markup {
    let mut types: Vec<&String> = change.after.values().flat_map(|model| model.by_type.keys()).collect();
    types.sort_unstable();
    types.dedup();
    html! {
        details #by-type {
            summary { "By fact type" }
            div.scroll { table.figures {
                thead { tr { th { "Type" } th { "Model" } (heads()) } }
                tbody { @for name in types { @for (model, now) in &change.after {
                    @if let Some(figures) = now.by_type.get(name) {
                        tr {
                            th scope="row" { (visible(name)) } td { (visible(model)) }
                            (cells(change.before.get(model).and_then(|model| model.by_type.get(name)), figures))
                        }
                    }
                } } }
            } }
        }
    }
}

/// The figures under two settings, each with its name; `before` is the other.
pub(super) fn side_by_side(change: &Change, (own, other): (&str, &str)) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { th { "Model" } th { "Settings" } (heads()) } }
            tbody { @for (model, now) in &change.after {
                @let before = change.before.get(model).map(|model| &model.overall);
                tr { th scope="rowgroup" rowspan="2" { (visible(model)) } td { (own) } (cells(before, &now.overall)) }
                @if let Some(before) = before { tr { td { (other) } (cells(None, before)) } }
            } }
        } }
    }
}
