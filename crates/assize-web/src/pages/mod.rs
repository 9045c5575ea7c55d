//! The pages, one file or folder each. This list is all that the rest of the page knows of them.

mod case;
mod compare;
mod new_run;
mod rubrics;
mod run;
mod runs;
pub(super) mod settings;

pub(super) use compare::CompareAddress;
pub use run::report_html;
pub(super) use run::{ListAddress, find_cases};

use super::app::App;
use axum::Router;

pub(super) fn routes() -> Router<App> {
    let pages = [
        runs::routes(),
        run::routes(),
        case::routes(),
        new_run::routes(),
        compare::routes(),
        rubrics::routes(),
        settings::routes(),
    ];
    pages.into_iter().fold(Router::new(), Router::merge)
}
