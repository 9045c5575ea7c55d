//! Two runs side by side over the API.

use super::operation::{Operation, Query, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::pages::CompareAddress;
use assize_engine::compare::{Comparing, Comparison, PairPage};
use axum::extract::State;
use axum::http::{Method, StatusCode};

/// As many cases as one reply lists.
const PAGE: usize = 100;

pub(super) fn operations() -> Vec<Operation> {
    let missing = &[StatusCode::NOT_FOUND];
    vec![
        Operation::new(
            Method::GET,
            "/compare",
            "compareRuns",
            "Two runs on the cases they share: what is better, what is worse, what flipped.",
            compared,
        )
        .with_refusals(missing),
        Operation::new(
            Method::GET,
            "/compare/cases",
            "compareCases",
            "The cases of two runs that flipped, or that one metric finds better or worse, a page at a time.",
            cases,
        )
        .with_refusals(missing),
    ]
}

async fn compared(State(app): State<App>, Query(address): Query<CompareAddress>) -> Reply<Comparison> {
    reply(with(app, address, |comparing, _| comparing.compare(PAGE)).await?)
}

async fn cases(State(app): State<App>, Query(address): Query<CompareAddress>) -> Reply<PairPage> {
    reply(with(app, address, |comparing, address| comparing.pairs(&address.wanted(), address.behind(), PAGE)).await?)
}

async fn with<T: Send + 'static>(
    app: App,
    address: CompareAddress,
    work: impl FnOnce(&Comparing<'_>, &CompareAddress) -> Result<T, assize_engine::report::ReportError> + Send + 'static,
) -> Result<T, Failure> {
    app.blocking(move |app| {
        if address.a.is_empty() || address.b.is_empty() {
            return Err(Failure::bad("Two runs are needed: give their ids as `a` and `b`."));
        }
        let (a, b) = (app.run_document(&address.a)?, app.run_document(&address.b)?);
        let pairs = address.pairs(&a, &b)?;
        Ok(work(&Comparing::new(app.store(), &a, &b, &pairs)?, &address)?)
    })
    .await
}
