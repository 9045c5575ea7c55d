//! The tables of a run as CSV.

use crate::app::App;
use crate::failure::Failure;
use assize_engine::report;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

pub(super) async fn scorecard(State(app): State<App>, Path(run): Path<String>) -> Result<Response, Failure> {
    app.blocking(move |app| {
        let document = app.run_document(&run)?;
        let mut written = Vec::new();
        report::csv::write_scorecard(&report::scorecard(&document), &mut written)?;
        Ok(attached(written, &format!("{}-scorecard.csv", document.run_id)))
    })
    .await
}

pub(super) async fn cases(State(app): State<App>, Path(run): Path<String>) -> Result<Response, Failure> {
    app.blocking(move |app| {
        let document = app.run_document(&run)?;
        let mut written = Vec::new();
        report::csv::write_cases(&report::Cases::of(app.store(), &document)?, &mut written)?;
        Ok(attached(written, &format!("{}-cases.csv", document.run_id)))
    })
    .await
}

fn attached(text: Vec<u8>, name: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, text).into_response()
}
