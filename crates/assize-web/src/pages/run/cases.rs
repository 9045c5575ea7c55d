//! The list of a run's cases: searched, filtered by chips, sorted by columns, a page at a time.

use super::address::{ListAddress, PAGE, toggle};
use crate::app::App;
use crate::failure::Failure;
use crate::links;
use crate::shown::{self, count};
use crate::visible::{beginning, visible};
use assize_core::{CaseStatus, Rating, Table};
use assize_engine::listing::{self, CaseList, CaseQuery, Facet, Sort};
use assize_engine::records::{LabelValue, ResultLine, RunDocument};
use maud::{Markup, html};

/// As many values of a kind as get a chip of their own.
const CHIPS: usize = 12;

/// As many metrics as get a column.
const COLUMNS: usize = 4;

/// As much of a reason as a row shows.
const REASON: usize = 160;

/// The cases that a query means, with what people say of them.
pub(crate) fn find(app: &App, run: &RunDocument, query: &CaseQuery) -> Result<CaseList, Failure> {
    let labelled = app.store().labelled(&run.run_id)?;
    let disputed: Vec<u32> =
        labelled.into_iter().filter(|(_, value)| *value == LabelValue::Wrong).map(|(position, _)| position).collect();
    Ok(listing::list(app.store(), &run.run_id, query, &run.gate.limits(), &disputed)?)
}

/// The list.
pub(super) fn list(app: &App, run: &RunDocument, table: &Table, address: &ListAddress) -> Result<Markup, Failure> {
    let list = find(app, run, &address.query)?;
    let pages = list.positions.len().div_ceil(PAGE).max(1);
    let page = address.page.min(pages - 1);
    let here = &list.positions[page * PAGE..list.positions.len().min((page + 1) * PAGE)];
    let lines = app.store().results_at(&run.run_id, here)?;
    let lines: Vec<(u32, ResultLine)> = lines.into_iter().map(|result| (result.position, result.line)).collect();
    let path = links::run(&run.run_id);
    let to = |address: &ListAddress| format!("{}#cases", address.under(&path));
    let metrics = columns(run, table);
    Ok(html! {
        section aria-labelledby="cases" {
            h2 #cases { "Cases" }
            form.filters method="get" action=(format!("{path}#cases")) role="search" {
                input type="search" name="q" value=(address.query.search) placeholder="Id or reason" aria-label="Search cases" data-search;
                @for (name, value) in address.carried() { input type="hidden" name=(name) value=(value); }
                button { "Search" }
                span.faint { (count(list.positions.len() as u64)) " of " (count(u64::from(list.total))) }
                @if *address != ListAddress::default() { a href=(format!("{path}#cases")) { "Show all" } }
                a href=(format!("{path}/cases.csv")) { "All as CSV" }
            }
            (chips(&list, address, &to))
            @if lines.is_empty() {
                (shown::nothing_here("No case is like that.", html! { p { a href=(format!("{path}#cases")) { "Show all cases" } } }))
            } @else {
                div.scroll tabindex="0" role="region" aria-label="Cases" {
                    table.list {
                        thead { tr {
                            (heading("Case", Sort::Id, address, &to)) (heading("Model", Sort::Model, address, &to)) (heading("Verdict", Sort::Verdict, address, &to))
                            @for metric in &metrics { (heading(metric, Sort::Metric(metric.clone()), address, &to)) }
                            th { "Flags" } th { "Reason" }
                        } }
                        tbody { @for (position, line) in &lines { (row(run, line, &metrics, Some(address.under(&links::case(&run.run_id, *position))))) } }
                    }
                }
            }
            @if pages > 1 {
                nav.pager aria-label="Pages" {
                    @if page > 0 { a.button href=(to(&ListAddress { page: page - 1, ..address.clone() })) rel="prev" { "Previous" } }
                    span { "Page " (count(page as u64 + 1)) " of " (count(pages as u64)) }
                    @if page + 1 < pages { a.button href=(to(&ListAddress { page: page + 1, ..address.clone() })) rel="next" { "Next" } }
                }
            }
        }
    })
}

/// The metrics that get a column: the headline, those of the gate, the scores, and the next in the judge's order. A figure
/// that exists only over the whole run has nothing to show here.
pub(super) fn columns(run: &RunDocument, table: &Table) -> Vec<String> {
    let gate = run.gate.limits().into_iter().map(|(metric, _)| metric);
    let scores = table.figures().filter(|(_, figure)| figure.score).map(|(_, figure)| figure.metric.clone());
    let others = run.judge.metrics.iter().map(|spec| spec.name.clone());
    let mut metrics: Vec<String> = Vec::new();
    for metric in std::iter::once(run.judge.headline.clone()).chain(scores).chain(gate).chain(others) {
        let on_cases = run.judge.metric(&metric).is_some_and(|spec| !spec.run_only);
        if metrics.len() < COLUMNS && on_cases && !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    metrics
}

fn heading(title: &str, sort: Sort, address: &ListAddress, to: &impl Fn(&ListAddress) -> String) -> Markup {
    let current = address.query.sort == sort;
    let numeric = matches!(sort, Sort::Metric(_));
    // Once upwards, once downwards, then back to the order of the cases.
    let next = match (current, address.query.descending) {
        (false, _) => (sort, false),
        (true, false) => (sort, true),
        (true, true) => (Sort::Position, false),
    };
    let order = current.then_some(if address.query.descending { "descending" } else { "ascending" });
    let address = address.changed(|query| (query.sort, query.descending) = next);
    html! {
        th aria-sort=[order] class=[numeric.then_some("number")] {
            a href=(to(&address)) { (title) @if let Some(order) = order { (if order == "ascending" { " ↑" } else { " ↓" }) } }
        }
    }
}

fn chips(list: &CaseList, address: &ListAddress, to: &impl Fn(&ListAddress) -> String) -> Markup {
    let facets = &list.facets;
    let chip = |address: &ListAddress, text: &str, number: u32, on: bool| {
        html! {
            @if on || number > 0 { a.chip href=(to(address)) aria-current=[on.then_some("true")] { (text) " " b { (count(u64::from(number))) } } }
        }
    };
    let group = |name: &str, facets: &[Facet], chosen: fn(&mut CaseQuery) -> &mut Vec<String>| {
        let mut query = address.query.clone();
        let chosen_values = chosen(&mut query).clone();
        // A single value that everything has tells nothing apart.
        let telling = facets.len() > 1 || !chosen_values.is_empty() || name == "flag" || name == "tag";
        html! {
            @if telling {
                @for facet in facets.iter().take(CHIPS) {
                    (chip(&address.changed(|query| toggle(chosen(query), facet.value.clone())), &format!("{name}: {}", facet.value), facet.count, chosen_values.contains(&facet.value)))
                }
                @if facets.len() > CHIPS { span.faint { "and " (facets.len() - CHIPS) " more" } }
            }
        }
    };
    let failed = "failed".to_owned();
    let failures = facets.statuses.iter().find(|facet| facet.value == failed).map_or(0, |facet| facet.count);
    html! {
        nav.chips aria-label="Filters" {
            (chip(&address.changed(|query| toggle(&mut query.statuses, failed.clone())), "failed", failures, address.query.statuses.contains(&failed)))
            @for (mark, number) in &facets.marks {
                (chip(&address.changed(|query| toggle(&mut query.marks, *mark)), mark.title(), *number, address.query.marks.contains(mark)))
            }
            (group("model", &facets.models, |query| &mut query.models))
            (group("verdict", &facets.verdicts, |query| &mut query.verdicts))
            (group("flag", &facets.flags, |query| &mut query.flags))
            (group("tag", &facets.tags, |query| &mut query.tags))
        }
    }
}

/// A row of the list; the name links to the case where there is an address for it.
pub(super) fn row(run: &RunDocument, line: &ResultLine, metrics: &[String], case: Option<String>) -> Markup {
    let reason = line.error.as_ref().map(|error| error.message.as_str()).or(line.reason.as_deref()).unwrap_or_default();
    html! {
        tr data-row {
            td { @match &case { Some(address) => a.main href=(address) { (visible(&line.case)) }, None => strong { (visible(&line.case)) } } @if let Some(run) = &line.run { " " span.faint { "run " (run) } } }
            td { (visible(&line.model)) }
            td {
                @if line.status != CaseStatus::Judged { span.rating data-rating=(if line.status == CaseStatus::Failed { "fail" } else { "" }) { (line.status) } }
                @else { (line.verdict.as_deref().unwrap_or("–")) }
            }
            @for name in metrics {
                td.number {
                    @if let Some(metric) = line.metrics.get(name) {
                        (run.judge.shown(name, metric.value))
                        @if let Some(rating) = metric.rating.filter(|rating| *rating != Rating::Good) { " " (shown::rating(rating)) }
                    }
                }
            }
            td { @for flag in &line.flags { span.flag { (flag.replace('_', " ")) } " " } }
            td.reason { (beginning(reason, REASON)) }
        }
    }
}
