//! The figures of two runs: means, differences with their intervals, and counts that lead to the cases.

use super::CompareAddress;
use crate::shown::count;
use assize_engine::compare::{Comparison, Finding, MetricComparison, ModelComparison};
use maud::{Markup, html};

pub(super) fn drawn(found: &Comparison, address: &CompareAddress) -> Markup {
    html! {
        @for model in &found.models {
            section {
                h2 { @if model.a == model.b { (model.a) } @else { (model.a) " against " (model.b) } " " span.faint.small { (count(model.shared)) " shared" } }
                div.scroll tabindex="0" role="region" aria-label=(format!("Figures of {} and {}", model.a, model.b)) {
                    table {
                        thead { tr {
                            th scope="col" { "Metric" } th.number scope="col" { "A" } th.number scope="col" { "B" } th.number scope="col" { "Difference" } th scope="col" { "95 % interval" }
                            th.number scope="col" { "Better" } th.number scope="col" { "Worse" } th.number scope="col" { "Same" } th scope="col" { "Found" }
                        } }
                        tbody { @for metric in &model.metrics { (row(metric, address)) } }
                    }
                }
                (verdicts(model))
            }
        }
    }
}

fn row(metric: &MetricComparison, address: &CompareAddress) -> Markup {
    let rating = match metric.finding {
        Finding::Better => "good",
        Finding::Worse => "fail",
        Finding::NotDistinguishable | Finding::Same => "",
    };
    let counted = |show: &str, number: u64| {
        let chosen = address.show == show && address.metric == metric.metric;
        html! {
            @if number == 0 { "0" } @else {
                a href=(format!("{}#cases", address.listing(show, &metric.metric))) aria-current=[chosen.then_some("true")] aria-label=(format!("{number} cases {show} by {}", metric.metric)) { (count(number)) }
            }
        }
    };
    html! {
        tr {
            th scope="row" { (metric.metric) @if metric.lower_is_better { " " span.faint.small { "less is better" } } }
            td.number { (metric.unit.show(metric.a)) } td.number { (metric.unit.show(metric.b)) }
            td.number { b { (metric.unit.show_difference(metric.difference)) } }
            td.faint { @if let Some(interval) = metric.interval { (metric.unit.show_difference(interval.0)) " to " (metric.unit.show_difference(interval.1)) } }
            td.number { (counted("better", metric.better)) } td.number { (counted("worse", metric.worse)) } td.number { (count(metric.same)) }
            td { span.rating data-rating=(rating) { (metric.finding.words()) }
                @if let Some(p) = metric.p_corrected { " " span.faint.small title="Holm-corrected over everything that was tested" { "p " (format!("{p:.3}")) } } }
        }
    }
}

fn verdicts(model: &ModelComparison) -> Markup {
    let changed: Vec<_> = model.verdicts.iter().filter(|verdict| verdict.a != verdict.b).collect();
    let name = |verdict: &Option<String>| verdict.clone().unwrap_or_else(|| "open".to_owned());
    html! {
        @if !changed.is_empty() {
            p { "Verdicts that changed: " @for (at, verdict) in changed.iter().enumerate() { @if at > 0 { ", " } (name(&verdict.a)) " → " (name(&verdict.b)) " " b { (count(verdict.cases)) } } "." }
        }
    }
}
