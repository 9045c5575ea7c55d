//! The runs: every run of the store, newest first, with what it came to.

use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::shown::{self, count, dollars, moment, passed};
use crate::{chart, links};
use assize_core::number::sentence;
use assize_engine::records::{RunDocument, RunStatus};
use assize_engine::store::RunList;
use assize_judges::examples;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::HashMap;

/// As many runs as one page lists.
const MOST: usize = 500;

/// As many runs as a trend shows.
const TREND: usize = 12;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/", get(list)).route("/runs", get(list))
}

/// What of the list is wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Wanted {
    /// Part of a suite's, a judge's or a model's name, or of an id.
    q: String,
    /// A judge.
    judge: String,
    /// `failed` or `passed`.
    gate: String,
}

impl Wanted {
    fn takes(&self, run: &RunDocument) -> bool {
        let model = run.judge.model.to_string();
        let searched = [&run.suite, &run.judge.judge_use, &run.run_id, &model];
        let query = self.q.trim().to_lowercase();
        let found = query.is_empty() || searched.iter().any(|text| text.to_lowercase().contains(&query));
        let gate = match self.gate.as_str() {
            "failed" => !run.gate.passed,
            "passed" => run.gate.passed && !run.gate.checks.is_empty(),
            _ => true,
        };
        found && gate && (self.judge.is_empty() || run.judge.judge_use == self.judge)
    }
}

async fn list(State(app): State<App>, Query(wanted): Query<Wanted>) -> Result<Response, Failure> {
    let runs = app.blocking(|app| Ok(app.store().runs(MOST)?)).await?;
    let RunList { runs, unreadable } = RunList::read(&runs);
    let body = html! {
        @for run in &unreadable {
            p.notice data-kind="warning" { (sentence(&run.to_string())) " " (sentence(run.hint())) }
        }
        @if !runs.is_empty() { (table(&runs, &wanted)) } @else if unreadable.is_empty() { (first_start()) }
    };
    let mut page = Page::new("Runs", Section::Runs, body);
    page.scripts = &["start.js"];
    page.beside = html! { a.button href="/new" { "New run" } };
    Ok(page.framed())
}

fn first_start() -> Markup {
    shown::nothing_here(
        "Nothing has been judged yet.",
        html! {
            p { "Begin with the bundled examples: five systems of judging, offline, in a few seconds. Nothing leaves this machine." }
            form.actions data-demo { button.primary { "Judge the examples" } }
            p { "Or " a href="/new" { "start a run" } " of a suite in the served folder." }
            p.faint { "The examples: " (examples::names().join(", ")) "." }
        },
    )
}

fn table(runs: &[RunDocument], wanted: &Wanted) -> Markup {
    let trends = trends(runs);
    let mut judges: Vec<&str> = runs.iter().map(|run| run.judge.judge_use.as_str()).collect();
    judges.sort_unstable();
    judges.dedup();
    let taken: Vec<&RunDocument> = runs.iter().filter(|run| wanted.takes(run)).collect();
    html! {
        form.filters method="get" action="/" role="search" {
            input type="search" name="q" value=(wanted.q) placeholder="Suite, judge, model, id" aria-label="Search runs" data-search;
            select name="judge" aria-label="Judge" {
                option value="" { "Every judge" }
                @for judge in &judges { option value=(judge) selected[*judge == wanted.judge] { (judge) } }
            }
            select name="gate" aria-label="Gate" {
                option value="" { "Any gate" }
                option value="failed" selected[wanted.gate == "failed"] { "Gate failed" }
                option value="passed" selected[wanted.gate == "passed"] { "Gate passed" }
            }
            button { "Filter" }
            span.faint { (count(taken.len() as u64)) " of " (count(runs.len() as u64)) }
        }
        @if taken.is_empty() {
            (shown::nothing_here("No run is like that.", html! { p { a href="/" { "Show all runs" } } }))
        } @else {
            div.scroll {
                table.list {
                    thead { tr {
                        th { "Run" } th { "Judge" } th { "Judge model" } th.number { "Cases" } th { "Headline" } th { "Trend" }
                        th { "Gate" } th.number { "Blockers" } th.number { "Cost" } th.number { "Time" }
                    } }
                    tbody { @for run in taken { (row(run, trends.get(&key(run)).map_or(&[], Vec::as_slice))) } }
                }
            }
        }
    }
}

fn row(run: &RunDocument, trend: &[(String, f64)]) -> Markup {
    let address = links::run(&run.run_id);
    let blockers: usize = run.models.values().map(|card| card.blockers.len()).sum();
    // A trend ends at its own run: what came later is not yet known to it.
    let until = trend.iter().position(|(id, _)| *id == run.run_id).map_or(0, |at| at + 1);
    let values: Vec<f64> = trend[..until].iter().rev().take(TREND).rev().map(|(_, value)| *value).collect();
    html! {
        tr data-row {
            td { a.main href=(address) { (run.suite) } div.faint { (moment(&run.timings.started)) " " (status(run.status)) } }
            td { (run.judge.judge_use) @if let Some(profile) = &run.judge.profile { div.faint { (profile) } } }
            td { (judge_model(run)) div.faint { (run.judge.calibration) } }
            td.number { (count(run.cases.judged)) @if run.cases.failed > 0 { div { span.rating data-rating="fail" { (count(run.cases.failed)) " failed" } } } }
            td { (headlines(run)) }
            td { (chart::trend(&values)) }
            td { (gate(run)) }
            td.number { @if blockers > 0 { span.rating data-rating="blocker" { (blockers) } } @else { "0" } }
            td.number { (dollars(run.usage.cost_usd)) }
            td.number { (shown::duration(run.timings.wall_ms)) }
        }
    }
}

/// The headline of every model; of many, the first few.
fn headlines(run: &RunDocument) -> Markup {
    const SHOWN: usize = 3;
    let figures = run.models.iter().filter_map(|(model, card)| Some((model, card.metrics.get(&run.judge.headline)?)));
    let figures: Vec<_> = figures.collect();
    html! {
        div.faint { (run.judge.headline) }
        @for (model, metric) in figures.iter().take(SHOWN) {
            div.headline { b { (run.judge.shown(&run.judge.headline, metric.value)) } @if figures.len() > 1 { " " span.faint { (model) } }
                @if let Some(rating) = metric.rating { " " (shown::rating(rating)) } }
        }
        @if figures.len() > SHOWN { div.faint { "and " (figures.len() - SHOWN) " more" } }
    }
}

fn gate(run: &RunDocument) -> Markup {
    html! { @if run.gate.checks.is_empty() { span.faint { "none" } } @else { (passed(run.gate.passed, "passed", "failed")) } }
}

/// How a run stands, where that is worth a word.
pub(super) fn status(status: RunStatus) -> Markup {
    html! { @if status != RunStatus::Complete { span.rating data-rating="acceptable" { (status.name().replace('_', " ")) } } }
}

/// Who judged.
pub(super) fn judge_model(run: &RunDocument) -> String {
    match &run.judge.model {
        serde_json::Value::String(name) => name.clone(),
        serde_json::Value::Array(names) => format!("a jury of {}", names.len()),
        other => other.to_string(),
    }
}

/// Runs that can be compared over time: the same suite, judged in the same way.
fn key(run: &RunDocument) -> (String, String) {
    (run.suite.clone(), run.judge.judge_use.clone())
}

/// The headline of the first model, from run to run, oldest first.
fn trends(runs: &[RunDocument]) -> HashMap<(String, String), Vec<(String, f64)>> {
    let mut trends: HashMap<_, Vec<_>> = HashMap::new();
    for run in runs.iter().rev() {
        let headline = run.models.values().next().and_then(|card| card.metrics.get(&run.judge.headline)?.value);
        if let Some(value) = headline {
            trends.entry(key(run)).or_default().push((run.run_id.clone(), value));
        }
    }
    trends
}
