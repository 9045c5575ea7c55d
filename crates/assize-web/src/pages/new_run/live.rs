//! How a run is getting on: drawn as it stands, and kept up to date by a script.

use crate::app::App;
use crate::failure::Failure;
use crate::jobs::{JobState, Progress, RecentCase};
use crate::layout::{Page, Section};
use crate::links;
use crate::shown::{count, dollars, duration, figure};
use crate::suites::within_folder;
use assize_core::CaseStatus;
use assize_engine::records::RunStatus;
use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, html};

pub(super) async fn show(State(app): State<App>, Path(run): Path<String>) -> Result<Response, Failure> {
    let (progress, again) = app
        .blocking(move |app| {
            let progress = app.progress(&run)?;
            let request = app.store().run_request(&progress.run)?;
            Ok((progress, request.and_then(|request| within_folder(app, request)).is_some()))
        })
        .await?;
    let title = format!("{}, live", progress.suite);
    let mut page = Page::new(&title, Section::NewRun, body(&progress, again));
    page.trail = vec![("Runs".to_owned(), "/".to_owned()), (progress.run.clone(), links::run(&progress.run))];
    page.scripts = &["live.js"];
    page.beside = controls(&progress, again);
    Ok(page.framed())
}

fn controls(progress: &Progress, again: bool) -> Markup {
    let state = progress.state;
    html! {
        // They need a script to work; without one there is nothing to press.
        button #pause type="button" hidden disabled[state != JobState::Running] { "Pause" }
        button #resume type="button" hidden disabled[state != JobState::Paused] { "Resume" }
        button.danger #cancel type="button" hidden disabled[!matches!(state, JobState::Running | JobState::Paused)] { "Cancel" }
        @if again {
            a.button #change href=(links::with_query("/new", [("like", progress.run.clone())])) hidden { "Change the options" }
            button #again type="button" hidden { "Continue in a new run" }
        }
        a.button #results href=(links::run(&progress.run)) { "Results" }
    }
}

fn body(progress: &Progress, again: bool) -> Markup {
    let Progress { cases, questions, .. } = progress;
    let left = progress.remaining_ms.map_or("–".to_owned(), duration);
    html! {
        div #live data-run=(progress.run) data-state=(state_name(progress.state)) data-status=(progress.status.name()) data-failed=(cases.failed) {
            noscript { p.notice { "This is how it stands. " a href="" { "Look again" } "; with scripts the page keeps itself up to date." } }
            div.notice #state data-kind=(kind(progress)) role="status" { p { (progress.sentence) } }
            @if progress.state == JobState::Unattended && again {
                p { "If it was killed, go on in a new run: the same suite and options, and what was answered is not paid for twice." }
            }
            section.card aria-label="Progress" {
                div.bar-line {
                    progress #bar max=(cases.total.max(1)) value=(cases.done) aria-label="Cases done" {}
                    strong #done { (count(cases.done)) " of " (count(cases.total)) " cases" }
                }
                dl.figures.wide {
                    div { dt { "Rate" } dd data-live="rate" { (rate(progress)) } }
                    div { dt { "Time left" } dd data-live="left" { (left) } }
                    div { dt { "Time so far" } dd data-live="elapsed" { (duration(progress.elapsed_ms)) } }
                    div { dt { "Failed" } dd data-live="failed" { (count(cases.failed)) } }
                    div { dt { "Answered" } dd data-live="answered" { (count(questions.answered)) } }
                    div { dt { "From the store" } dd data-live="cached" { (count(questions.cached)) } }
                    div { dt { "Repeated requests" } dd data-live="retries" { (count(questions.retries)) } }
                    div { dt { "Spent" } dd {
                        span data-live="spent" { (spent(progress)) }
                        @if let Some(most) = progress.max_cost_usd {
                            meter #spending min="0" max=(most.max(f64::MIN_POSITIVE)) high=(most * 0.8) value=(progress.cost_usd.unwrap_or_default()) aria-label="Spent of what may be spent" {}
                        }
                    } }
                }
            }
            section.card #failures aria-labelledby="failures-title" hidden[progress.failures.is_empty()] {
                h2 #failures-title { "Could not be judged" }
                div.scroll { table {
                    thead { tr { th.number { "Cases" } th { "Why" } th { "The last of them" } } }
                    tbody #failure-rows { @for failure in &progress.failures {
                        tr { td.number { (count(failure.count)) } td { (failure.about) } td.last { (failure.last) } }
                    } }
                } }
            }
            section.card #recent aria-labelledby="recent-title" hidden[progress.recent.is_empty()] {
                h2 #recent-title { "Finished last" }
                div.scroll { table {
                    thead { tr { th { "Case" } th { "Model" } th.number { (progress.headline) } th { "Outcome" } } }
                    tbody #recent-rows { @for case in &progress.recent { (recent_row(&progress.run, case)) } }
                } }
            }
        }
    }
}

fn recent_row(run: &str, case: &RecentCase) -> Markup {
    html! {
        tr data-position=(case.position) {
            td { a href=(links::case(run, case.position)) { (case.case) } }
            td { (case.model) }
            td.number { (figure(case.figure)) }
            td.last { span.rating data-rating=(if case.status == CaseStatus::Failed { "fail" } else { "none" }) { (case.status) } " " (case.word) }
        }
    }
}

fn rate(progress: &Progress) -> String {
    progress.rate.map_or("–".to_owned(), |rate| format!("{rate:.1} cases/s"))
}

fn spent(progress: &Progress) -> String {
    match progress.max_cost_usd {
        Some(most) => format!("{} of {}", dollars(progress.cost_usd), dollars(Some(most))),
        None => dollars(progress.cost_usd),
    }
}

/// The name that programs know the state by.
fn state_name(state: JobState) -> &'static str {
    match state {
        JobState::Running => "running",
        JobState::Paused => "paused",
        JobState::Stopping => "stopping",
        JobState::Ended => "ended",
        JobState::Unattended => "unattended",
    }
}

fn kind(progress: &Progress) -> &'static str {
    match (progress.state, progress.status) {
        (JobState::Paused | JobState::Stopping | JobState::Unattended, _) => "warning",
        (JobState::Ended, status) if status != RunStatus::Complete || progress.cases.failed > 0 => "warning",
        _ => "",
    }
}
