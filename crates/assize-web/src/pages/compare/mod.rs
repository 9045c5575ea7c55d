//! Two runs on the cases they share: what is better, what is worse, what flipped, with outputs and reasons side by side.

mod address;
mod cases;
mod figures;

pub(crate) use address::CompareAddress;

use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::links;
use crate::shown::{self, moment};
use assize_engine::compare::{Comparing, Comparison, RunSide};
use assize_engine::records::RunDocument;
use assize_engine::store::RunList;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};

/// As many runs as can be chosen from.
const CHOICES: usize = 200;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/compare", get(show))
}

async fn show(State(app): State<App>, Query(address): Query<CompareAddress>) -> Result<Response, Failure> {
    let body = app
        .blocking(move |app| {
            // What cannot be read is told of in the list of runs.
            let runs = RunList::read(&app.store().runs(CHOICES)?).runs;
            let address = address.completed(&runs);
            let compared = match (address.a.as_str(), address.b.as_str()) {
                ("", _) | (_, "") => html! {},
                _ => compared(app, &address)?,
            };
            Ok(html! { (choice(&runs, &address)) (compared) })
        })
        .await?;
    Ok(Page::new("Compare", Section::Compare, body).framed())
}

fn choice(runs: &[RunDocument], address: &CompareAddress) -> Markup {
    let select = |name: &str, title: &str, chosen: &str| {
        html! {
            label { (title) " "
                select name=(name) {
                    @if chosen.is_empty() { option value="" { "Choose a run" } }
                    @for run in runs {
                        option value=(run.run_id) selected[run.run_id == chosen] { (run.suite) " · " (run.timings.started.get(..16).unwrap_or_default().replace('T', " ")) " · " (run.run_id) }
                    }
                }
            }
        }
    };
    let models = |name: &str, title: &str, run: &str, chosen: &str| {
        let names = runs.iter().find(|known| known.run_id == run).map(|run| run.models.keys().collect::<Vec<_>>());
        html! {
            @if let Some(names) = names.filter(|names| names.len() > 1) {
                label { (title) " "
                    select name=(name) {
                        option value="" { "every model both have" }
                        @for model in names { option value=(model) selected[model == chosen] { (model) } }
                    }
                }
            }
        }
    };
    html! {
        @if runs.is_empty() {
            (shown::nothing_here("There is nothing to compare yet.", html! { p { "It takes two runs, or one run of two models. " a href="/new" { "Start a run" } "." } }))
        } @else {
            form.filters method="get" action="/compare" {
                (select("a", "A", &address.a)) (models("model_a", "model", &address.a, &address.model_a))
                (select("b", "B", &address.b)) (models("model_b", "model", &address.b, &address.model_b))
                button { "Compare" }
                @if !address.a.is_empty() && !address.b.is_empty() { a href=(address.swapped().to_string()) { "Swap" } }
            }
        }
    }
}

fn compared(app: &App, address: &CompareAddress) -> Result<Markup, Failure> {
    let (a, b) = (app.run_document(&address.a)?, app.run_document(&address.b)?);
    let pairs = address.pairs(&a, &b)?;
    let comparing = Comparing::new(app.store(), &a, &b, &pairs)?;
    let found = comparing.compare(0)?;
    let page = comparing.pairs(&address.wanted(), address.behind(), cases::PAGE)?;
    Ok(html! {
        (sides(&found))
        (figures::drawn(&found, address))
        (cases::drawn(app, &found, &page, address)?)
    })
}

fn sides(found: &Comparison) -> Markup {
    let side = |name: &str, side: &RunSide| {
        html! {
            div.card {
                h3 { (name) ": " a href=(links::run(&side.run_id)) { (side.suite) } }
                div.faint { (moment(&side.started)) " · " (side.judge.judge_use) " · " (side.judge.model.as_str().map_or_else(|| side.judge.model.to_string(), str::to_owned)) " · " (side.judge.calibration) }
            }
        }
    };
    html! {
        div.split { (side("A", &found.a)) (side("B", &found.b)) }
        p { strong { (shown::plural(found.shared, "shared case")) } ": " (found.subject.words()) "."
            @if found.only_a.count > 0 { " Only in A: " (shown::count(found.only_a.count)) "." }
            @if found.only_b.count > 0 { " Only in B: " (shown::count(found.only_b.count)) "." }
            @if found.not_judged.count > 0 { " Not judged in both: " (shown::count(found.not_judged.count)) "." }
        }
        @for warning in &found.warnings { div.notice data-kind="warning" { (warning) } }
    }
}
