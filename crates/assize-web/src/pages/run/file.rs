//! A run as one HTML file that needs nothing else: to send, to keep, to print.
//!
//! It holds its style and no script at all, and says so to the browser, so that nothing in a judged text can ever run.

use super::{Medium, cases, head, pictures, scorecard};
use crate::app::App;
use crate::assets;
use crate::failure::Failure;
use crate::shown::{count, moment};
use assize_engine::records::{ResultLine, RunDocument};
use assize_engine::report;
use assize_engine::store::{Store, StoreError};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// As many cases as are listed: a file that a mail program takes and a browser opens at once.
const MOST_CASES: usize = 1000;

/// What the file may load: its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub(super) async fn serve(State(app): State<App>, Path(run): Path<String>) -> Result<Response, Failure> {
    let (id, text) = app
        .blocking(move |app| {
            let document = app.run_document(&run)?;
            Ok((document.run_id.clone(), html(app.store(), &document)?))
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"assize-{id}.html\"")),
    ];
    Ok((headers, text).into_response())
}

/// The file.
pub fn html(store: &Store, run: &RunDocument) -> Result<String, StoreError> {
    let table = report::scorecard(run);
    let metrics = cases::columns(run, &table);
    let results = store.results(&run.run_id, 0, MOST_CASES)?;
    let lines: Vec<ResultLine> = results.into_iter().map(|result| result.line).collect();
    let body = html! {
        main {
            div.heading { h1 { (run.suite) } div.faint { "Assize " (env!("CARGO_PKG_VERSION")) " · " (moment(&run.timings.started)) } }
            (head::facts(run, Medium::File))
            (head::blockers(run, Medium::File))
            (head::gate(run))
            (scorecard::drawn(run, &table, Medium::File))
            (pictures::drawn(store, run, &table)?)
            (listed(run, &lines, &metrics))
        }
    };
    Ok(document(&run.suite, body).into_string())
}

fn listed(run: &RunDocument, lines: &[ResultLine], metrics: &[String]) -> Markup {
    let reached = run.cases.reached();
    html! {
        section {
            h2 { "Cases" }
            @if reached > lines.len() as u64 {
                p { "The first " (count(lines.len() as u64)) " of " (count(reached)) " cases; " code { "assize report " (run.run_id) " --format csv --table cases" } " gives all of them." }
            }
            div.scroll {
                table.list {
                    thead { tr {
                        th { "Case" } th { "Model" } th { "Verdict" }
                        @for metric in metrics { th.number { (metric) } }
                        th { "Flags" } th { "Reason" }
                    } }
                    tbody { @for line in lines { (cases::row(run, line, metrics, None)) } }
                }
            }
        }
    }
}

fn document(title: &str, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Assize" }
                // The style sheet is ours and holds nothing that would end the element.
                style { (PreEscaped(assets::STYLE)) }
            }
            body { (body) }
        }
    }
}
