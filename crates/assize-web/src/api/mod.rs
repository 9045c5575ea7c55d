//! The HTTP API under `/api/v1`: what programs use, and what the page's own scripts use.
//!
//! Every operation is one entry of a list: method, path, what it does, the types it takes and gives, and its handler. The
//! router and the OpenAPI document are both made from that list, so neither can know something the other does not.

mod case;
mod cases;
mod compare;
mod control;
mod demo;
mod events;
mod judge;
mod judges;
mod openapi;
mod operation;
mod page;
mod profiles;
mod rubrics;
mod runs;
mod start;
mod trial;
mod whatif;

use openapi::document;

use super::app::App;
use super::failure::Failure;
use axum::Router;
use axum::routing::get;
use operation::Operation;

/// Every operation, in the order of the document.
fn operations() -> Vec<Operation> {
    let areas = [
        runs::operations(),
        start::operations(),
        control::operations(),
        events::operations(),
        cases::operations(),
        case::operations(),
        compare::operations(),
        profiles::operations(),
        judges::operations(),
        whatif::operations(),
        rubrics::operations(),
        trial::operations(),
        judge::operations(),
        demo::operations(),
    ];
    areas.into_iter().flatten().collect()
}

pub(super) fn routes() -> Router<App> {
    let router = operations()
        .into_iter()
        .fold(Router::new(), |router, operation| router.route(operation.path, operation.handler));
    let described = |axum::extract::State(app): axum::extract::State<App>| async move { axum::Json(document(&app)) };
    let operations = router
        .route("/openapi.json", get(described))
        .method_not_allowed_fallback(|| async { Failure::wrong_method().as_json() });
    Router::new().nest("/api/v1", operations).merge(page::routes())
}
