//! What stands at the head of a case: the verdict and why, what to know about it, and the way to its neighbours.

use super::generic::cited;
use super::pane::{Whole, plain};
use super::query::CaseAddress;
use crate::judged::Judged;
use crate::pages::runs::judge_model;
use crate::shown;
use crate::visible::{beginning, visible};
use assize_core::{Case, CaseStatus};
use assize_engine::report::scorecard;
use assize_judges::evidence::Evidence;
use assize_judges::registry::flag_in_words;
use maud::{Markup, html};
use serde_json::Value;

/// Next, previous and up.
pub(super) fn moves(judged: &Judged, neighbours: (Option<u32>, Option<u32>), address: &CaseAddress) -> Markup {
    let id = judged.run.run_id.as_str();
    let (previous, next) = neighbours;
    html! {
        span.faint { "case " (u64::from(judged.position) + 1) " of " (shown::count(judged.run.cases.total)) }
        @if let Some(previous) = previous { a.button href=(address.case(id, previous)) data-move="previous" { "‹ Previous " kbd { "k" } } }
        @if let Some(next) = next { a.button href=(address.case(id, next)) data-move="next" { "Next › " kbd { "j" } } }
        a.button href=(address.up(id)) data-move="up" { "List " kbd { "u" } }
    }
}

/// Verdict, headline, reason and flags.
pub(super) fn summary(judged: &Judged, evidence: &mut Evidence<'_>) -> Markup {
    let Judged { run, case, line, .. } = judged;
    // Where the run's headline is no figure of a single case, the first score of the case stands in for it.
    let headline = line.metrics.get_key_value(&run.judge.headline);
    let headline = headline.or_else(|| {
        let scores = scorecard(run);
        let mut scores = scores.figures().filter(|(_, figure)| figure.score);
        scores.find_map(|(_, figure)| line.metrics.get_key_value(&figure.metric))
    });
    let reason =
        line.reason.as_deref().filter(|_| line.status != CaseStatus::Skipped).map(|reason| cited(reason, evidence));
    html! {
        section.card.judgment aria-label="Judgment" {
            dl.facts {
                @if let Some(verdict) = &line.verdict { div { dt { "Verdict" } dd.verdict { (visible(verdict)) } } }
                @if let Some((name, metric)) = headline { div { dt { (visible(name)) } dd.verdict { (run.judge.shown(name, metric.value)) @if let Some(rating) = metric.rating { " " (shown::rating(rating)) } } } }
                @if line.status != CaseStatus::Judged { div { dt { "Status" } dd { span.rating data-rating=(if line.status == CaseStatus::Failed { "fail" } else { "" }) { (line.status.name()) } } } }
                div { dt { "Model under test" } dd { (beginning(&case.model, 200)) } }
                div { dt { "Judge" } dd { (visible(&run.judge.judge_use)) ", " (visible(&judge_model(run))) } }
                @if !case.tags.is_empty() { div { dt { "Tags" } dd { (beginning(&case.tags.join(", "), 300)) } } }
            }
            @if let Some(reason) = reason { p.reason { (reason) } }
            @if !line.flags.is_empty() {
                ul.flags { @for flag in &line.flags { li { code { (visible(flag)) } " " (visible(&flag_in_words(flag))) } } }
            }
        }
    }
}

/// What each juror said, where a jury judged.
pub(super) fn jury(judged: &Judged, address: &CaseAddress, evidence: &mut Evidence<'_>) -> Markup {
    let Some(jurors) = judged.line.labels.get("jury").and_then(Value::as_object) else { return html! {} };
    let headline = &judged.run.judge.headline;
    let chosen = if jurors.contains_key(&address.juror) { Some(&address.juror) } else { jurors.keys().next() };
    let reason = |juror: &Value| juror.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
    let rows: Vec<(&String, &Value, Markup)> =
        jurors.iter().map(|(name, juror)| (name, juror, cited(&reason(juror), evidence))).collect();
    html! {
        h2 { "Jury" }
        p.faint { "Figures are means over the jurors; what follows is as " (visible(chosen.map_or("", String::as_str))) " saw it." }
        div.scroll tabindex="0" role="region" aria-label="Jury" { table {
            thead { tr { th { "Juror" } th { "Verdict" } th.number { (visible(headline)) } th { "Reason" } } }
            tbody {
                @for (name, juror, reason) in rows {
                    tr {
                        td { a href=(address.juror(&judged.run.run_id, judged.position, name)) aria-current=[(chosen == Some(name)).then_some("true")] { (visible(name)) } }
                        td { (visible(juror.get("verdict").and_then(Value::as_str).unwrap_or("–"))) }
                        td.number { (judged.run.judge.shown(headline, juror.get("metrics").and_then(|metrics| metrics.get(headline)).and_then(Value::as_f64))) }
                        td { (reason) }
                    }
                }
            }
        } }
    }
}

/// What belongs to the case and is not judged.
pub(super) fn metadata(case: &Case, whole: &Whole) -> Markup {
    html! {
        @if !case.metadata.is_empty() {
            h2 { "Metadata" }
            p.faint { "Belongs to the case and is not judged." }
            (plain(&serde_json::to_string_pretty(&case.metadata).expect("maps with text keys have a JSON form"), whole))
        }
    }
}
