//! Behind a fold: for each answer the exact question, the reply as it came, and what it took.

use super::pane::{Whole, plain};
use crate::shown::{self, count, dollars, moment};
use crate::visible::visible;
use assize_core::Role;
use assize_core::answer::{Reading, Source};
use assize_engine::records::RunDocument;
use assize_engine::store::StoredAnswer;
use maud::{Markup, html};

pub(super) fn draw(run: &RunDocument, answers: &[StoredAnswer], expected: usize, whole: &Whole) -> Markup {
    html! {
        h2 { "Questions and answers" }
        @if expected == 0 {
            p.faint { "No model was asked about this case: rules and code decided it alone." }
        } @else if answers.len() < expected {
            p.notice data-kind="warning" { "Some of the answers this judgment rests on are not in this store." }
        }
        @for stored in answers { (one(run, stored, whole)) }
    }
}

fn one(run: &RunDocument, stored: &StoredAnswer, whole: &Whole) -> Markup {
    let StoredAnswer { answer, question, kept } = stored;
    let provenance = &answer.provenance;
    html! {
        details.answer {
            summary {
                b { (visible(&question.name)) } " " (visible(&provenance.asked))
                span.faint {
                    " · " (count(provenance.usage.input_tokens)) " tokens in, " (count(provenance.usage.output_tokens)) " out"
                    " · " (dollars(provenance.cost_usd)) " · " (shown::duration(provenance.latency_ms))
                    " · " (origin(run, answer.source, kept.as_deref()))
                }
            }
            dl.facts {
                (fact("Asked", html! { (visible(&provenance.asked)) }))
                @if let Some(model) = &provenance.model { (fact("Answered by", html! { (visible(model)) })) }
                (fact("Tokens in", html! { (count(provenance.usage.input_tokens)) @if provenance.usage.cached_input_tokens > 0 { span.faint { ", " (count(provenance.usage.cached_input_tokens)) " cached by the provider" } } }))
                (fact("Tokens out", html! { (count(provenance.usage.output_tokens)) }))
                (fact("Cost", html! { (dollars(provenance.cost_usd)) }))
                (fact("Latency", html! { (shown::duration(provenance.latency_ms)) }))
                (fact("Calls", html! { (provenance.calls) @if provenance.corrected { span.faint { ", one to correct the reply" } } }))
                (fact("Retries", html! { (provenance.retries) }))
                (fact("Cache", html! { (origin(run, answer.source, kept.as_deref())) }))
                @if let Some(kept) = kept { (fact("Kept", moment(kept))) }
                (fact("Read", html! { (reading(provenance.reading)) }))
                @if !provenance.dropped_parameters.is_empty() { (fact("Left out", html! { (visible(&provenance.dropped_parameters.join(", "))) })) }
                @if question.sample > 0 { (fact("Sample", html! { (question.sample) })) }
                (fact("Answer", html! { code { (answer.id.short()) } }))
                (fact("Key", html! { code { (answer.key.short()) } }))
                (fact("Question", html! { code { (question.fingerprint().short()) } }))
            }
            @for message in &question.messages { h3 { (speaker(message.role)) } (plain(&message.content, whole)) }
            h3 { "Schema of the answer" }
            (plain(&format!("{:#}", question.schema.schema), whole))
            h3 { "Reply as it came" }
            (plain(&answer.raw, whole))
        }
    }
}

fn fact(name: &str, value: Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

fn speaker(role: Role) -> &'static str {
    match role {
        Role::System => "Instructions",
        Role::User => "Case",
        Role::Assistant => "Earlier reply",
    }
}

fn reading(reading: Reading) -> &'static str {
    match reading {
        Reading::Exact => "as it was",
        Reading::Extracted => "out of other text",
        Reading::Repaired => "with its syntax mended",
    }
}

/// Whether this run asked for it, as far as the store can tell.
fn origin(run: &RunDocument, source: Source, kept: Option<&str>) -> &'static str {
    let moment = |text: &str| text.parse::<jiff::Timestamp>().ok();
    match (source, kept.and_then(moment).zip(moment(&run.timings.started))) {
        (Source::Rules, _) => "by rules",
        (Source::Replay, _) => "from a record",
        (Source::Model, Some((kept, started))) if kept < started => "cache hit",
        (Source::Model, Some(_)) => "asked in this run",
        (Source::Model, None) => "not known whether asked in this run",
    }
}
