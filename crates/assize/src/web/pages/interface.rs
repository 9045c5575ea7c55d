//! To be drawn.

use crate::web::app::App;
use axum::Router;

pub(super) fn routes() -> Router<App> {
    Router::new()
}
