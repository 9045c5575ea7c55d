//! A run: what it came to, for all models side by side, and its cases as a list.

mod address;
mod cases;
mod csv;
mod file;
mod head;
mod pictures;
mod scorecard;

pub(crate) use address::ListAddress;
pub(crate) use cases::find as find_cases;
pub use file::html as report_html;

use super::runs::{judge_model, status};
use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::links;
use assize_engine::records::RunStatus;
use assize_engine::report;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use maud::html;

/// Where a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Medium {
    /// On a page, with links to others and what is long behind a fold.
    Page,
    /// In a file of its own, where no link would lead anywhere and paper cannot be unfolded.
    File,
}

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/runs/{run}", get(show))
        .route("/runs/{run}/report.html", get(file::serve))
        .route("/runs/{run}/scorecard.csv", get(csv::scorecard))
        .route("/runs/{run}/cases.csv", get(csv::cases))
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
                (head::facts(&document, Medium::Page))
                (head::blockers(&document, Medium::Page))
                (head::gate(&document))
                (scorecard::drawn(&document, &table, Medium::Page))
                (pictures::drawn(app.store(), &document, &table)?)
                (list)
            };
            Ok((document, body))
        })
        .await?;
    let mut page = Page::new(&document.suite, Section::Runs, body);
    page.trail = vec![("Runs".into(), "/".into())];
    page.beside = html! {
        (status(document.status))
        @if document.status == RunStatus::Running { a.button href=(links::live(&document.run_id)) { "Watch it" } }
        a.button href=(links::with_query("/compare", [("a", document.run_id.clone())])) { "Compare" }
        a.button href=(format!("{}/report.html", links::run(&document.run_id))) { "Report" }
        a.button href=(format!("{}/scorecard.csv", links::run(&document.run_id))) { "Scorecard CSV" }
    };
    Ok(page.framed())
}
