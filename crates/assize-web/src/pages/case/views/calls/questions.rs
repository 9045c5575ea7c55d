//! Questions about the call: the mark that was expected, the one that was given, and whether the reason holds.

use super::super::super::evidence::Evidence;
use super::super::super::marks::{Kind, Mark};
use super::super::{Seen, chip, list, text};
use super::Task;
use crate::shown::figure;
use crate::visible::visible;
use assize_judges::systems::calls::compared::{Compared, ComparedQuestion};
use maud::{Markup, html};
use serde_json::Value;

pub(super) fn draw(
    seen: &Seen<'_>,
    call: &Compared,
    questions: &[ComparedQuestion],
    evidence: &mut Evidence<'_>,
) -> Task {
    let labels = list(seen.labels, "reasons");
    let mut marks = Vec::new();
    let mut rows = Vec::with_capacity(questions.len());
    for (number, question) in questions.iter().enumerate() {
        let label =
            labels.iter().find(|label| text(label, "question_id") == Some(&question.id)).unwrap_or(&Value::Null);
        let link = format!("m{number}");
        let moments = label.pointer("/cited/moments").and_then(Value::as_array);
        let places: Vec<_> = moments
            .into_iter()
            .flatten()
            .filter_map(|moment| moment.get("seconds").and_then(Value::as_f64))
            .filter_map(|seconds| call.place_of(seconds))
            .collect();
        let link = (!places.is_empty()).then_some(link);
        let title = format!("the moment that the reason for {} names", question.id);
        let link_of = |place| Mark::new(place, Kind::Pointed, link.clone().unwrap_or_default(), title.clone());
        marks.extend(places.into_iter().map(link_of));
        rows.push(row(question, label, link.as_deref(), evidence));
    }
    let wrong = questions.iter().filter(|question| question.expected.is_some() && !question.correct).count();
    let body = html! {
        p.legend { (questions.len()) " questions, " @if wrong == 0 { "all marks right" } @else { (wrong) " marks wrong" } }
        div.scroll tabindex="0" role="region" aria-label="Questions" { table.rulings {
            thead { tr { th { "Question" } th.number { "Expected" } th.number { "Given" } th.number { "Gap" } th { "Reason" } } }
            tbody { @for row in rows { (row) } }
        } }
    };
    Task { body, marks, labels: &["reasons", "wrong_scores", "false_passes"] }
}

fn row(question: &ComparedQuestion, label: &Value, link: Option<&str>, evidence: &mut Evidence<'_>) -> Markup {
    let flag = |key: &str| label.get(key).and_then(Value::as_bool);
    let reason = question.reason.as_deref().map(|reason| evidence.cite(reason));
    let mark = |mark: Option<f64>| mark.map_or_else(|| "–".to_owned(), |mark| mark.to_string());
    html! {
        tr data-link=[link] {
            td {
                b { (visible(&question.id)) } @if let Some(asked) = &question.asked { " " (visible(asked)) }
                @if question.pass_fail { div.faint.small { "pass or fail" } }
            }
            td.number { (mark(question.expected)) @if let Some(maximum) = question.maximum { span.faint { " of " (maximum) } } }
            td.number {
                (mark(question.given))
                @if question.expected.is_some() { div { (chip(Some(question.correct), "right", "wrong", "")) } }
                @if question.false_pass { div { span.rating data-rating="blocker" { "false pass" } } }
            }
            td.number { (figure(question.gap)) }
            td {
                @if let Some(reason) = &reason { (reason) } @else { span.faint { "no reason given" } }
                div.small {
                    @if !label.is_null() {
                        (chip(flag("has_evidence"), "evidence", "no evidence", "evidence open")) " "
                        (chip(flag("factual"), "factual", "not factual", "facts open"))
                        @if flag("mismatch") == Some(true) { " " span.rating data-rating="fail" { "the look-up disagrees" } }
                    }
                    @if let Some(note) = text(label, "note").filter(|note| !note.is_empty()) { " " span.faint { (visible(note)) } }
                }
                @if !question.expected_reason.is_empty() { details.small { summary { "expected reason" } (visible(&question.expected_reason)) } }
            }
        }
    }
}
