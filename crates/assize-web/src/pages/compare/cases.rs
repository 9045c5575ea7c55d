//! The cases that came out otherwise, or better, or worse: outputs and reasons side by side.

use super::CompareAddress;
use crate::app::App;
use crate::failure::Failure;
use crate::links;
use crate::shown::{self, count};
use crate::visible::{self, visible};
use assize_core::Case;
use assize_engine::compare::{CasePair, Comparison, FigureChange, PairPage, Wanted};
use maud::{Markup, html};
use serde_json::Value;
use std::collections::HashMap;

/// As many cases as one page lists.
pub(super) const PAGE: usize = 20;

/// As much of an output as is shown here; its own page shows all.
const SHOWN: usize = 1500;

pub(super) fn drawn(
    app: &App,
    found: &Comparison,
    page: &PairPage,
    address: &CompareAddress,
) -> Result<Markup, Failure> {
    let texts = |run: &str, position: fn(&CasePair) -> u32| -> Result<HashMap<u32, Case>, Failure> {
        let positions: Vec<u32> = page.listed.iter().map(position).collect();
        let results = app.store().results_at(run, &positions)?;
        Ok(results.into_iter().map(|result| (result.position, result.case)).collect())
    };
    let a = texts(&found.a.run_id, |pair| pair.position.a)?;
    let b = texts(&found.b.run_id, |pair| pair.position.b)?;
    let title = match address.wanted() {
        Wanted::Flipped => format!("{} flipped", shown::plural(found.flipped, "case")),
        Wanted::Better(metric) => format!("Better by {metric}"),
        Wanted::Worse(metric) => format!("Worse by {metric}"),
    };
    Ok(html! {
        section aria-labelledby="cases" {
            h2 #cases { (title) }
            @if address.wanted() != Wanted::Flipped { p { a href=(format!("{}#cases", address.listing("", ""))) { "Show the " (count(found.flipped)) " that flipped" } } }
            @if page.listed.is_empty() {
                (shown::nothing_here("No case is like that.", html! { p { "The counts in the table lead to those that are better or worse." } }))
            }
            @for pair in &page.listed {
                (card(pair, found, a.get(&pair.position.a), b.get(&pair.position.b)))
            }
            @if let Some(next) = &page.next {
                nav.pager aria-label="Pages" { a.button href=(format!("{}#cases", CompareAddress { behind: next.clone(), ..address.clone() })) rel="next" { "Next" } }
            }
        }
    })
}

fn card(pair: &CasePair, found: &Comparison, a: Option<&Case>, b: Option<&Case>) -> Markup {
    let side = |name: &str,
                run: &str,
                position: u32,
                model: &str,
                reason: Option<&String>,
                outputs: Vec<(&str, String)>| {
        html! {
            div {
                h4 { a href=(links::case(run, position)) { (name) " · " (model) } }
                @for (input, text) in outputs { p.faint.small { (input) } div.text { (text) } }
                p { strong { "Reason: " } @match reason { Some(reason) => (visible(reason)), None => span.faint { "none given" } } }
            }
        }
    };
    html! {
        article.card {
            h3 { (pair.case) @if let Some(run) = pair.run { span.faint { " · run " (run) } } }
            @if let Some(verdict) = &pair.verdict { p { "Verdict: " (verdict.a.as_deref().unwrap_or("open")) " → " b { (verdict.b.as_deref().unwrap_or("open")) } } }
            @for change in &pair.figures { (changed(change)) }
            div.split {
                (side("A", &found.a.run_id, pair.position.a, &pair.model_a, pair.reason.a.as_ref(), outputs(a, b)))
                (side("B", &found.b.run_id, pair.position.b, &pair.model_b, pair.reason.b.as_ref(), outputs(b, a)))
            }
        }
    }
}

fn changed(change: &FigureChange) -> Markup {
    let (rating, word) = match change.better {
        Some(true) => ("good", "better"),
        Some(false) => ("fail", "worse"),
        None => ("", "changed"),
    };
    html! {
        p { code { (change.metric) } " " (change.unit.show(change.value.a)) " → " b { (change.unit.show(change.value.b)) } " " span.rating data-rating=(rating) { (word) } }
        @if change.reason.a.is_some() || change.reason.b.is_some() {
            div.split {
                p.small { (visible(change.reason.a.as_deref().unwrap_or_default())) }
                p.small { (visible(change.reason.b.as_deref().unwrap_or_default())) }
            }
        }
    }
}

/// What the systems under test wrote: the inputs of a case that are not the same on the other side.
fn outputs<'c>(case: Option<&'c Case>, other: Option<&Case>) -> Vec<(&'c str, String)> {
    let (Some(case), Some(other)) = (case, other) else { return Vec::new() };
    let differs = |(name, value): &(&String, &Value)| other.inputs.get(name.as_str()) != Some(value);
    case.inputs.iter().filter(differs).map(|(name, value)| (name.as_str(), beginning(value))).collect()
}

fn beginning(value: &Value) -> String {
    let whole = match value {
        Value::String(text) => text.clone(),
        other => format!("{other:#}"),
    };
    visible::beginning(&whole, SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_shown_side_by_side() {
        let case = |output: &str| Case {
            id: "c".into(),
            model: "m".into(),
            tags: Vec::new(),
            inputs: json!({"question": "2 + 2", "output": output}).as_object().cloned().unwrap_or_default(),
            metadata: serde_json::Map::new(),
        };
        let (one, other) = (case("4"), case("\u{1b}[31m5"));
        assert_eq!(outputs(Some(&one), Some(&other)), [("output", "4".to_owned())]);
        assert_eq!(outputs(Some(&other), Some(&one)), [("output", "␛[31m5".to_owned())]);
        assert!(outputs(Some(&one), Some(&one)).is_empty());
    }
}
