//! The page: where the judge is configured, watched, understood and corrected.
//!
//! Everything is drawn here, on the server, as HTML and SVG; small scripts under `assets/` add what a control needs. It
//! shows and drives the same engine as the command line and keeps nothing of its own: what is on a page comes from the
//! store, the served folder, or a run under way. See `docs/page.md`.

mod api;
mod app;
mod assets;
mod chart;
mod failure;
mod folder;
mod frame;
mod guard;
mod jobs;
mod judged;
mod layout;
mod links;
mod pages;
mod problems;
mod profiles;
mod questions;
mod recent;
mod rubrics;
mod served;
mod sessions;
mod shown;
mod suites;
mod visible;
mod whatif;

pub use app::App;
pub use folder::Folder;
pub use pages::report_html;
pub use served::Served;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use tokio::net::TcpListener;

/// The most that a request may carry: a long case, or a long rubric.
const LARGEST_REQUEST: usize = 16 * 1024 * 1024;

/// Every page and the API, behind the guard.
fn router(app: App) -> Router {
    let routes = pages::routes().merge(assets::routes()).merge(api::routes()).fallback(failure::no_such_page);
    routes
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(middleware::from_fn_with_state(app.clone(), guard::check))
        .with_state(app)
}

/// Serves until `ended` is, and then until what is under way is finished and kept.
pub async fn serve(
    listener: TcpListener,
    app: App,
    ended: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, router(app.clone())).with_graceful_shutdown(ended).await?;
    app.jobs().finished().await;
    Ok(())
}
