//! Behaviours: each with its outcome, who decided it and why, the quoted evidence marked in the texts.

use super::super::evidence::Evidence;
use super::super::pane::Pane;
use super::{Seen, View, chip, text};
use crate::visible::visible;
use maud::{Markup, html};
use serde_json::Value;

/// The texts a behaviour is judged by, what was written first.
const INPUTS: [&str; 3] = ["candidate_output", "source_narrative", "ground_truth"];

pub(super) fn view(seen: &Seen<'_>, evidence: &mut Evidence<'_>) -> Option<View> {
    let behaviours = seen.labels.get("behaviours")?.as_object()?;
    let mut rows: Vec<(&String, &Value)> = behaviours.iter().collect();
    rows.sort_by_key(|(_, ruling)| rank(ruling));
    let rows: Vec<Markup> = rows.into_iter().map(|(code, ruling)| row(code, ruling, evidence)).collect();
    let panes = seen.inputs.iter().filter(|input| INPUTS.contains(&input.name.as_str()));
    let mut panes: Vec<Pane> =
        panes.map(|input| Pane { code: input.is_json, ..Pane::of_input(&input.name, input.text.as_str()) }).collect();
    panes.sort_by_key(|pane| INPUTS.iter().position(|name| pane.input.as_deref() == Some(name)));
    Some(View {
        body: html! {
            div.scroll tabindex="0" role="region" aria-label="Behaviours" { table.rulings {
                thead { tr { th { "Behaviour" } th { "Outcome" } th { "Why" } } }
                tbody { @for row in rows { (row) } }
            } }
        },
        panes,
        beside: true,
        inputs: INPUTS.to_vec(),
        labels: vec!["behaviours", "review", "skipped", "saved_calls", "results"],
    })
}

/// What failed comes first, then what is open, what passed, what was skipped.
fn rank(ruling: &Value) -> u8 {
    match (ruling.get("pass").and_then(Value::as_bool), text(ruling, "decided_by")) {
        (Some(false), _) => 0,
        (None, Some("skipped")) => 3,
        (None, _) => 1,
        (Some(true), _) => 2,
    }
}

fn row(code: &str, ruling: &Value, evidence: &mut Evidence<'_>) -> Markup {
    let name = text(ruling, "behaviour").filter(|name| *name != code);
    let uncertain = ruling.get("uncertain").and_then(Value::as_bool) == Some(true);
    let reason = evidence.cite(text(ruling, "reason").unwrap_or_default());
    html! {
        tr {
            td { b.nowrap { (visible(code)) } @if let Some(name) = name { div.faint { (visible(&name.replace('_', " "))) } } }
            td { (outcome(ruling)) @if uncertain { " " span.rating data-rating="acceptable" { "uncertain" } } (decided(ruling)) }
            td { (reason) @if let Some(why) = text(ruling, "review") { div.faint { "for review: " (visible(&why.replace('_', " "))) } } }
        }
    }
}

fn outcome(ruling: &Value) -> Markup {
    match (ruling.get("pass").and_then(Value::as_bool), text(ruling, "decided_by")) {
        (None, Some("skipped")) => html! { span.rating { "skipped" } },
        (None, Some("person")) => chip(None, "", "", "waits for a person"),
        (pass, _) => chip(pass, "pass", "fail", "undecided"),
    }
}

fn decided(ruling: &Value) -> Markup {
    let by = match text(ruling, "decided_by") {
        Some("checks") => "by checks in code",
        Some("model") => "by the model",
        Some("rules") => "by rules",
        _ => "",
    };
    html! {
        div.faint.small {
            (by) @if let Some(confidence) = text(ruling, "confidence") { ", " (visible(confidence)) " confidence" }
        }
    }
}
