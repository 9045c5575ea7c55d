//! A new run: what to judge and by whom, what that would ask and cost, and then how it is getting on.

mod form;
mod live;

use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::suites;
use assize_engine::profiles::Profiles;
use assize_engine::records::{CachePolicy, RunRequest};
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/new", get(new)).route("/runs/{run}/live", get(live::show))
}

/// What was chosen, as the address holds it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Chosen {
    /// A run whose choices these are; what stands beside it goes first.
    like: String,
    suite: String,
    /// A judge, where no suite is chosen yet.
    judge: String,
    /// Judge models, with commas between them.
    model: String,
    profile: String,
    limit: String,
    /// Ids, with commas or lines between them.
    only: String,
    concurrency: String,
    max_cost: String,
    cache: String,
}

impl Chosen {
    /// With the choices of another run where nothing else was chosen.
    fn over(self, request: &RunRequest) -> Self {
        let or = |chosen: String, other: String| if chosen.is_empty() { other } else { chosen };
        let cache = match request.cache {
            CachePolicy::Use => "",
            CachePolicy::Refresh => "refresh",
            CachePolicy::Ignore => "ignore",
        };
        Self {
            like: String::new(),
            suite: or(self.suite, request.suite.clone()),
            judge: self.judge,
            model: or(self.model, request.models.join(", ")),
            profile: or(self.profile, request.profile.clone().unwrap_or_default()),
            limit: or(self.limit, request.limit.map(|limit| limit.to_string()).unwrap_or_default()),
            only: or(self.only, request.only.join(", ")),
            concurrency: or(self.concurrency, request.concurrency.to_string()),
            max_cost: or(self.max_cost, request.max_cost.map(|cost| cost.to_string()).unwrap_or_default()),
            cache: or(self.cache, cache.to_owned()),
        }
    }
}

async fn new(State(app): State<App>, Query(chosen): Query<Chosen>) -> Result<Response, Failure> {
    let (listed, chosen) = app
        .blocking(move |app| {
            let profiles = Profiles::from(app.store().profiles()?);
            let listed = suites::list(app, &profiles);
            let like = match chosen.like.as_str() {
                "" => None,
                run => app.store().run_request(&app.find_run(run)?.id)?,
            };
            let like = like.and_then(|request| suites::within_folder(app, request));
            Ok((listed, like.as_ref().map(|request| Chosen::default().over(request)).unwrap_or(chosen)))
        })
        .await?;
    let mut page = Page::new("New run", Section::NewRun, form::form(&listed, &chosen));
    page.scripts = &["new-run.js"];
    Ok(page.framed())
}
