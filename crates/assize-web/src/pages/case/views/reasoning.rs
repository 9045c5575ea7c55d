//! A worked answer: its steps, the equations that do not hold where they stand, the scores, and what should change.

use super::super::evidence::Evidence;
use super::super::marks::{Kind, Mark};
use super::super::pane::Pane;
use super::{Seen, View, chip, sentences, text, texts};
use crate::shown::{figure, plural};
use crate::visible::visible;
use assize_core::Metric;
use assize_metrics::arithmetic::{self, Equation};
use maud::{Markup, html};
use serde_json::Value;

pub(super) fn view(seen: &Seen<'_>, evidence: &mut Evidence<'_>) -> Option<View> {
    let known = ["arithmetic", "answer", "components_not_mentioned"];
    if seen.run.judge.judge_use != "reasoning-trace" && !known.iter().any(|label| seen.labels.contains_key(*label)) {
        return None;
    }
    let wrong = wrong_equations(seen);
    let input = traced(seen, &wrong);
    let equations = if wrong.is_empty() { Vec::new() } else { arithmetic::check(seen.inputs.text(input)) };
    // Wrong equations stand among the issues too; here they have a list of their own.
    let listed_above =
        |issue: &str| wrong.iter().any(|wrong| issue.strip_prefix("wrong arithmetic: ") == Some(wrong.text));
    let issues: Vec<&str> = texts(seen.labels, "issues").into_iter().filter(|issue| !listed_above(issue)).collect();
    let body = html! {
        (criteria(seen))
        (answer(seen))
        (components(seen))
        (listed(seen, &wrong, &equations))
        (sentences("Issues", &issues, evidence))
        (sentences("Suggestions", &texts(seen.labels, "suggestions"), evidence))
    };
    let mut panes = Vec::new();
    if seen.case.inputs.contains_key("problem") {
        panes.push(Pane::of_input("problem", seen.inputs.text("problem")));
    }
    let marks = wrong
        .iter()
        .enumerate()
        .map(|(number, wrong)| Mark::new(wrong.start..wrong.end, Kind::Wrong, link(number), why(wrong, &equations)));
    panes.push(Pane { marks: marks.collect(), steps: true, ..Pane::of_input(input, seen.inputs.text(input)) });
    Some(View {
        body,
        panes,
        beside: true,
        inputs: vec!["problem", "response", "expected_answer", "expected_components"],
        labels: vec!["arithmetic", "answer", "components_not_mentioned", "issues", "suggestions"],
    })
}

/// An equation that does not hold, as the judgment lists it.
struct WrongEquation<'v> {
    text: &'v str,
    start: usize,
    end: usize,
}

fn wrong_equations<'v>(seen: &'v Seen<'_>) -> Vec<WrongEquation<'v>> {
    let listed = seen.labels.get("arithmetic").and_then(|label| label.get("wrong")).and_then(Value::as_array);
    let place =
        |entry: &Value, key: &str| entry.get(key).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
    let read = |entry: &'v Value| {
        Some(WrongEquation { text: text(entry, "text")?, start: place(entry, "start")?, end: place(entry, "end")? })
    };
    listed.into_iter().flatten().filter_map(read).collect()
}

/// The input that was traced: the one in which the equations stand where the judgment says.
fn traced<'s>(seen: &'s Seen<'_>, wrong: &[WrongEquation<'_>]) -> &'s str {
    let has_all = |text: &str| wrong.iter().all(|wrong| text.get(wrong.start..wrong.end) == Some(wrong.text));
    let mut inputs = seen.inputs.iter().filter(|input| !input.is_json && has_all(&input.text));
    let first = inputs.find(|input| !wrong.is_empty() || input.name == "response");
    first.map_or("response", |input| &input.name)
}

fn link(number: usize) -> String {
    format!("a{number}")
}

/// What each side comes to.
fn why(wrong: &WrongEquation<'_>, equations: &[Equation]) -> String {
    let same = |equation: &&Equation| equation.span == (wrong.start..wrong.end) && !equation.holds;
    match equations.iter().find(same) {
        Some(equation) => format!("does not hold: {} is not {}", equation.left, equation.right),
        None => "does not hold".to_owned(),
    }
}

fn listed(seen: &Seen<'_>, wrong: &[WrongEquation<'_>], equations: &[Equation]) -> Markup {
    let checked = seen.labels.get("arithmetic").and_then(|label| label.get("checked")).and_then(Value::as_u64);
    html! {
        @if let Some(checked) = checked {
            h3 { "Arithmetic" }
            p { (plural(checked, "equation")) " checked, " @if wrong.is_empty() { "all of them hold." } @else { (wrong.len()) " wrong:" } }
            ul {
                @for (number, wrong) in wrong.iter().enumerate() {
                    li { mark.wrong data-link=(link(number)) tabindex="0" { (visible(wrong.text)) } " " span.faint { (why(wrong, equations)) } }
                }
            }
        }
    }
}

/// The scores that were given on a scale.
fn criteria(seen: &Seen<'_>) -> Markup {
    let scored: Vec<(&String, &Metric)> = seen.line.metrics.iter().filter(|(_, metric)| metric.raw.is_some()).collect();
    html! {
        @if !scored.is_empty() {
            h3 { "Criteria" }
            dl.criteria {
                @for (name, metric) in scored {
                    dt { (name.replace('_', " ")) }
                    dd {
                        @if let Some(value) = metric.value { meter min="0" max="1" low="0.5" high="0.7" optimum="1" value=(value) aria-label=(name) {} }
                        b { (figure(metric.value)) }
                        @if metric.raw != metric.value { " " span.faint { "given as " (figure(metric.raw)) } }
                    }
                }
            }
        }
    }
}

fn answer(seen: &Seen<'_>) -> Markup {
    html! {
        @if let Some(answer) = seen.labels.get("answer") {
            h3 { "Final answer" }
            p {
                "Given: " b { (visible(text(answer, "given").unwrap_or("none found"))) }
                ". Expected: " b { (visible(text(answer, "expected").unwrap_or("–"))) } ". "
                (chip(answer.get("same").and_then(Value::as_bool), "the same", "another one", "cannot be told"))
            }
        }
    }
}

fn components(seen: &Seen<'_>) -> Markup {
    let missing = texts(seen.labels, "components_not_mentioned");
    let expected = seen.case.texts("expected_components");
    html! {
        @if !expected.is_empty() {
            h3 { "Expected components" }
            ul.plain {
                @for component in expected {
                    li { (chip(Some(!missing.contains(&component)), "mentioned", "not mentioned", "")) " " (visible(component)) }
                }
            }
        }
    }
}
