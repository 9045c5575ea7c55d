//! What stands on top of a run: who judged what, and whatever disqualifies.

use super::{Medium, judge_model};
use crate::links;
use crate::shown::{count, dollars, duration, moment, passed, plural};
use assize_engine::records::RunDocument;
use maud::{Markup, html};

/// Who judged what, when, and for how much.
pub(super) fn facts(run: &RunDocument, medium: Medium) -> Markup {
    let usage = &run.usage;
    html! {
        dl.facts {
            div { dt { "Judge" } dd { (run.judge.judge_use) @if let Some(profile) = &run.judge.profile { " · " (profile) } } }
            div { dt { "Judge model" } dd { (judge_model(run)) " · " (run.judge.calibration) } }
            div { dt { "Cases" } dd {
                (count(run.cases.judged)) " judged"
                @if run.cases.failed > 0 { ", " span.rating data-rating="fail" { (count(run.cases.failed)) " failed" } }
                @if run.cases.skipped > 0 { ", " (count(run.cases.skipped)) " skipped" }
                @let reached = run.cases.judged + run.cases.failed + run.cases.skipped;
                @if reached < run.cases.total { ", " (count(run.cases.total - reached)) " not reached" }
            } }
            div { dt { "Questions" } dd { (count(usage.questions)) " (" (count(usage.cached)) " from the store)" } }
            div { dt { "Tokens" } dd { (count(usage.input_tokens)) " in, " (count(usage.output_tokens)) " out" } }
            div { dt { "Cost" } dd { (dollars(usage.cost_usd)) } }
            div { dt { "Began" } dd { (moment(&run.timings.started)) } }
            div { dt { "Took" } dd { (duration(run.timings.wall_ms)) } }
            div { dt { "Run" } dd { code { (run.run_id) } } }
            div { dt { "Judge fingerprint" } dd { code title=(run.judge.fingerprint) { (run.judge.fingerprint.get(..12).unwrap_or(&run.judge.fingerprint)) } } }
        }
        @if !run.failures.is_empty() {
            div.notice data-kind="error" {
                @for (kind, number) in &run.failures { p { strong { (plural(*number, "case")) } " could not be judged: " (kind.replace('_', " ")) ". " @if medium == Medium::Page { a href=(links::with_query(&links::run(&run.run_id), [("status", "failed".to_owned())])) { "Show them" } } } }
            }
        }
    }
}

/// Every blocker with the cases that caused it.
pub(super) fn blockers(run: &RunDocument, medium: Medium) -> Markup {
    const NAMED: usize = 12;
    let blockers: Vec<_> =
        run.models.iter().flat_map(|(model, card)| card.blockers.iter().map(move |blocker| (model, blocker))).collect();
    html! {
        @if !blockers.is_empty() {
            section.card.blockers aria-labelledby="blockers" {
                h2 #blockers { (plural(blockers.len() as u64, "blocker")) }
                ul {
                    @for (model, blocker) in blockers {
                        li {
                            span.rating data-rating="blocker" { "blocker" } " "
                            strong { (model) } ": " code { (blocker.metric) } " is " b { (run.judge.shown(&blocker.metric, blocker.value)) } ", the limit is " (blocker.limit) ". "
                            @if !blocker.cases.is_empty() {
                                "In "
                                @for (at, case) in blocker.cases.iter().take(NAMED).enumerate() {
                                    @if at > 0 { ", " }
                                    @if medium == Medium::Page { a href=(links::with_query(&links::run(&run.run_id), [("q", case.clone()), ("model", model.clone())])) { (case) } } @else { (case) }
                                }
                                @if blocker.cases.len() > NAMED { " and " (blocker.cases.len() - NAMED) " more" }
                                "."
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The checks of the gate.
pub(super) fn gate(run: &RunDocument) -> Markup {
    html! {
        @if !run.gate.checks.is_empty() {
            div.gate {
                strong { "Gate " } (passed(run.gate.passed, "passed", "failed"))
                ul {
                    @for check in &run.gate.checks {
                        li { (passed(check.passed, "holds", "fails")) " " code { (check.check) } ": " b { (check.shown(&run.judge)) } @if run.models.len() > 1 { " " span.faint { (check.model) } } }
                    }
                }
            }
        }
    }
}
