//! A run: what it came to, for all models side by side, and its cases as a list.

mod address;
mod cases;
mod head;
mod pictures;
mod scorecard;

pub(in crate::web) use address::ListAddress;
pub(in crate::web) use cases::find as find_cases;

use super::runs::{judge_model, status};
use crate::web::app::App;
use crate::web::failure::Failure;
use crate::web::layout::{Page, Section};
use crate::web::links;
use assize_engine::report;
use assize_engine::run::RunStatus;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use maud::html;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/runs/{run}", get(show))
}

async fn show(
    State(app): State<App>,
    Path(run): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let address = ListAddress::read(pairs);
    let (document, body) = app
        .blocking(move |app| {
            let document = app.run_document(&run)?;
            let table = report::scorecard(&document);
            let list = cases::list(app, &document, &table, &address)?;
            let body = html! {
                (head::facts(&document))
                (head::blockers(&document))
                (head::gate(&document))
                (scorecard::drawn(&document, &table))
                (pictures::drawn(app, &document, &table)?)
                (list)
            };
            Ok((document, body))
        })
        .await?;
    let mut page = Page::new(&document.suite, Section::Runs, body);
    page.trail = vec![("Runs".into(), "/".into())];
    page.beside = html! {
        (status(document.status))
        @if document.status == RunStatus::Running { a.button href=(format!("{}/live", links::run(&document.run_id))) { "Watch it" } }
        a.button href=(links::with_query("/compare", [("a", document.run_id.clone())])) { "Compare" }
        a.button href=(format!("{}/report.html", links::run(&document.run_id))) { "Report" }
        a.button href=(format!("{}/scorecard.csv", links::run(&document.run_id))) { "Scorecard CSV" }
    };
    Ok(page.framed(&app))
}
