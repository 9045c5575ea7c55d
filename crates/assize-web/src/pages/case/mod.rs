//! A case: its texts with what was found in them, the judgment with its reasons, what it rests on, and what people say of it.
//!
//! The page is put together in one order: whatever quotes is drawn before the texts, because drawing it looks the quotations
//! up, and the texts then show where they stand.

mod answers;
mod blocks;
mod correct;
mod failed;
mod figures;
mod generic;
mod head;
mod marks;
mod neighbours;
mod pane;
mod query;

use crate::app::App;
use crate::failure::Failure;
use crate::judged::Judged;
use crate::layout::{Page, Section};
use crate::visible::beginning;
use assize_core::layout::Inputs;
use assize_engine::report;
use assize_judges::evidence::Evidence;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use neighbours::neighbours;
use pane::Whole;
use query::CaseAddress;

/// As much of a case's id as a heading shows.
const LONGEST_TITLE: usize = 120;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/runs/{run}/cases/{position}", get(show))
}

/// What is read from the store for the page.
struct Loaded {
    judged: Judged,
    neighbours: (Option<u32>, Option<u32>),
    verdicts: Vec<String>,
}

async fn show(
    State(app): State<App>,
    Path((run, position)): Path<(String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let address = CaseAddress::read(query);
    app.blocking(move |app| {
        let loaded = load(app, &run, &position, &address)?;
        Ok(draw(&loaded, &address))
    })
    .await
}

fn load(app: &App, run: &str, position: &str, address: &CaseAddress) -> Result<Loaded, Failure> {
    let judged = app.judged(run, position)?;
    let id = judged.run.run_id.as_str();
    let neighbours = neighbours(app, &judged.run, judged.position, &address.list)?;
    let verdicts = assize_engine::listing::verdicts(app.store(), id)?;
    Ok(Loaded { judged, neighbours, verdicts })
}

fn draw(loaded: &Loaded, address: &CaseAddress) -> Response {
    let judged = &loaded.judged;
    let id = judged.run.run_id.as_str();
    let title = beginning(&judged.line.name(), LONGEST_TITLE);
    let mut page = Page::new(&title, Section::Runs, body(loaded, address));
    page.trail =
        vec![("Runs".to_owned(), "/".to_owned()), (beginning(&judged.run.suite, LONGEST_TITLE), address.up(id))];
    page.scripts = &["case.js"];
    page.beside = head::moves(judged, loaded.neighbours, address);
    page.framed()
}

fn body(loaded: &Loaded, address: &CaseAddress) -> Markup {
    let judged = &loaded.judged;
    let Judged { run, position, case, line, answers, .. } = judged;
    let whole = Whole { wanted: address.whole, address: address.all_of_it(&run.run_id, *position) };
    let labels = report::labels_of(line, &address.juror);
    let layout = report::layout(run, case, line, &address.juror);
    let has_layout = layout.is_some();
    let mut layout = layout.unwrap_or_default();
    let mut inputs = Inputs::of(case);
    inputs.rewrite(&layout.rewritten);
    let mut evidence = Evidence::over(&inputs, layout.evidence.as_deref());
    let summary = head::summary(judged, &mut evidence);
    let jury = head::jury(judged, address, &mut evidence);
    evidence.settle(&mut layout);
    let shown_labels: Vec<&str> = layout.labels.iter().map(String::as_str).chain(["jury"]).collect();
    let other_labels = generic::labels(labels, &shown_labels, &mut evidence, &whole);
    let shown_inputs: Vec<&str> = layout.shown_inputs().collect();
    let mut rest = generic::panes(&inputs, &shown_inputs);
    // Nothing is drawn that quotes from here on.
    layout.panes_mut().chain(&mut rest).for_each(|pane| evidence.mark(pane));
    html! {
        (failed::draw(line, &whole))
        (summary)
        (correct::card(judged, &loaded.verdicts))
        (jury)
        @for section in &layout.sections { (blocks::section(section, &whole)) }
        @if !rest.is_empty() {
            @if has_layout { h2 { "Other inputs" } }
            div.texts { @for pane in &rest { (pane::draw(pane, &whole)) } }
        }
        (figures::table(run, line))
        (figures::claimed(line, &layout))
        @if let Some(labels) = other_labels { h2 { "Labels" } (labels) }
        (answers::draw(run, answers, line.answers.len(), &whole))
        (head::metadata(case, &whole))
    }
}
