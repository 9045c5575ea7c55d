//! Rubrics: the trees and files there are, one file by its parts, and a workbench to write them.

mod edit;
mod file;
mod list;
mod source;
mod tree;

use crate::app::App;
use crate::links;
use crate::rubrics::{Address, Found, Severity};
use axum::Router;
use axum::routing::get;
use maud::{Markup, html};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/rubrics", get(list::show))
        .route("/rubrics/file", get(file::show))
        .route("/rubrics/edit", get(edit::show))
}

/// The page of a file.
fn file_address(address: &Address) -> String {
    links::with_query("/rubrics/file", [("path", address.to_string())])
}

/// The workbench on a file.
fn edit_address(address: &Address) -> String {
    links::with_query("/rubrics/edit", [("path", address.to_string())])
}

/// How many findings there are, in colour and words.
fn counted(found: &[Found]) -> Markup {
    let of = |severity: Severity| found.iter().filter(|found| found.severity == severity).count();
    let some = |count: usize, one: &str, rating: &str| {
        html! { @if count > 0 { span.rating data-rating=(rating) { (count) " " (one) @if count > 1 { "s" } } " " } }
    };
    html! {
        @for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            (some(of(severity), severity.name(), severity.rating()))
        }
        @if found.is_empty() { span.faint { "none" } }
    }
}
