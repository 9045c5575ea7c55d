//! A case: its texts with what was found in them, the judgment with its reasons, what it rests on, and what people say of it.
//!
//! The page is put together in one order: whatever quotes is drawn before the texts, because drawing it looks the quotations
//! up, and the texts then show where they stand.

mod answers;
mod correct;
mod evidence;
mod failed;
mod figures;
mod generic;
mod head;
mod inputs;
mod marks;
mod neighbours;
mod pane;
mod query;
mod views;

use crate::app::App;
use crate::failure::Failure;
use crate::judged::Judged;
use crate::layout::{Page, Section};
use crate::visible::beginning;
use assize_judges::systems::calls;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use evidence::Evidence;
use inputs::Inputs;
use maud::{Markup, html};
use neighbours::neighbours;
use pane::{Pane, Whole};
use query::CaseAddress;
use serde_json::{Map, Value};
use views::{Seen, View};

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
        Ok(draw(app, &loaded, &address))
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

fn draw(app: &App, loaded: &Loaded, address: &CaseAddress) -> Response {
    let judged = &loaded.judged;
    let id = judged.run.run_id.as_str();
    let title = beginning(&judged.line.name(), LONGEST_TITLE);
    let mut page = Page::new(&title, Section::Runs, body(loaded, address));
    page.trail =
        vec![("Runs".to_owned(), "/".to_owned()), (beginning(&judged.run.suite, LONGEST_TITLE), address.up(id))];
    page.scripts = &["case.js"];
    page.beside = head::moves(judged, loaded.neighbours, address);
    page.framed(app)
}

fn body(loaded: &Loaded, address: &CaseAddress) -> Markup {
    let judged = &loaded.judged;
    let Judged { run, position, case, line, answers, .. } = judged;
    let whole = Whole { wanted: address.whole, address: address.all_of_it(&run.run_id, *position) };
    let labels = labels_of(line, &address.juror);
    let call = (run.judge.judge_use == calls::NAME).then(|| calls::compared::compared(case).ok()).flatten();
    let mut inputs = Inputs::of(case);
    if let Some(call) = &call {
        inputs.replace("transcript", call.transcript());
    }
    let spoken = call.is_some() || labels.contains_key("predicted_facts");
    let mut evidence = Evidence::over(&inputs, spoken.then_some(&["transcript"]));
    let summary = head::summary(judged, &mut evidence);
    let jury = head::jury(judged, address, &mut evidence);
    let seen = Seen { run, case, line, labels, inputs: &inputs, call: call.as_ref(), whole: &whole };
    let mut views = views::of(&seen, &mut evidence);
    let shown_labels: Vec<&str> = views.iter().flat_map(|view| view.labels.iter().copied()).chain(["jury"]).collect();
    let other_labels = generic::labels(labels, &shown_labels, &mut evidence, &whole);
    let mut shown_inputs: Vec<String> =
        views.iter().flat_map(|view| view.inputs.iter().map(|name| (*name).to_owned())).collect();
    shown_inputs.extend(views.iter().flat_map(|view| view.panes.iter().filter_map(|pane| pane.input.clone())));
    let shown_inputs: Vec<&str> = shown_inputs.iter().map(String::as_str).collect();
    let mut rest = generic::panes(&inputs, &shown_inputs);
    // Nothing is drawn that quotes from here on.
    let all = views.iter_mut().flat_map(|view| view.panes.iter_mut()).chain(&mut rest);
    for pane in all {
        if let Some(input) = &pane.input {
            pane.marks.extend(evidence.marks(input));
        }
    }
    html! {
        (failed::draw(line, &whole))
        (summary)
        (correct::card(judged, &loaded.verdicts))
        (jury)
        @for view in &views { (drawn(view, &whole)) }
        @if !rest.is_empty() {
            @if !views.is_empty() { h2 { "Other inputs" } }
            div.texts { @for pane in &rest { (pane.draw(&whole)) } }
        }
        (figures::table(run, line))
        (figures::claimed(line))
        @if let Some(labels) = other_labels { h2 { "Labels" } (labels) }
        (answers::draw(run, answers, line.answers.len(), &whole))
        (head::metadata(case, &whole))
    }
}

fn drawn(view: &View, whole: &Whole) -> Markup {
    let panes = |panes: &[Pane]| html! { @for pane in panes { (pane.draw(whole)) } };
    html! {
        @if view.beside {
            div.beside-texts { div { (view.body) } div.texts-column { (panes(&view.panes)) } }
        } @else {
            (view.body)
            div.texts { (panes(&view.panes)) }
        }
    }
}

/// The labels to look at: those of the judgment, or of one juror where a jury judged.
fn labels_of<'l>(line: &'l assize_engine::records::ResultLine, juror: &str) -> &'l Map<String, Value> {
    let jury = line.labels.get("jury").and_then(Value::as_object);
    let chosen = jury.and_then(|jury| jury.get(juror).or_else(|| jury.values().next()));
    chosen.and_then(|juror| juror.get("labels")).and_then(Value::as_object).unwrap_or(&line.labels)
}
