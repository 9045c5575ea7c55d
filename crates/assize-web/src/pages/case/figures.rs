//! The figures of a case, and what the model claimed of them.

use super::generic;
use crate::shown;
use crate::visible::visible;
use assize_core::Metric;
use assize_core::judgment::Parts;
use assize_core::layout::{Claim, Layout};
use assize_core::number::short;
use assize_engine::records::{ResultLine, RunDocument};
use maud::{Markup, html};
use serde_json::Value;

/// Every figure with what it is out of, how it came about and what it is made of.
pub(super) fn table(run: &RunDocument, line: &ResultLine) -> Markup {
    if line.metrics.is_empty() {
        return html! {};
    }
    let rated = line.metrics.values().any(|metric| metric.rating.is_some());
    let raw = line.metrics.values().any(|metric| metric.raw.is_some());
    html! {
        h2 { "Figures" }
        div.scroll tabindex="0" role="region" aria-label="Figures" { table.figures {
            thead { tr {
                th { "Figure" } th.number { "Value" } @if rated { th { "Rating" } } th.number { "n" } th { "By" }
                @if raw { th.number { "Given as" } } th { "Made of" } th { "What it is" }
            } }
            tbody {
                @for (name, metric) in &line.metrics {
                    tr {
                        td.nowrap { (visible(name)) }
                        td.number { (run.judge.shown(name, metric.value)) }
                        @if rated { td { @if let Some(rating) = metric.rating { (shown::rating(rating)) } } }
                        td.number { (metric.n) }
                        td { (metric.method.name()) }
                        @if raw { td.number { @if let Some(raw) = metric.raw { (short(raw)) } } }
                        td { (made_of(metric)) }
                        td.faint { @if let Some(spec) = run.judge.metric(name) { (visible(&spec.about)) } }
                    }
                }
            }
        } }
    }
}

fn made_of(metric: &Metric) -> String {
    if !metric.counts.is_empty() {
        let counts: Vec<String> =
            metric.counts.iter().map(|(name, count)| format!("{} {count}", name.replace('_', " "))).collect();
        return counts.join(", ");
    }
    match metric.parts {
        Some(Parts { numerator, denominator }) => format!("{} / {}", short(numerator), short(denominator)),
        None => String::new(),
    }
}

/// What the model itself stated, beside what follows from its labels.
pub(super) fn claimed(line: &ResultLine, layout: &Layout) -> Markup {
    let rows: Vec<Claim> = line.claimed.iter().flat_map(|(name, claim)| claims(line, layout, name, claim)).collect();
    if line.claimed.is_empty() {
        return html! {};
    }
    html! {
        h2 { "Claimed against computed" }
        p.faint { "What the model itself stated of figures that code computes. It is used nowhere." }
        div.scroll tabindex="0" role="region" aria-label="Claimed against computed" { table {
            thead { tr { th { "Figure" } th.number { "Claimed" } th.number { "Computed" } th { "" } } }
            tbody {
                @for Claim { name, claimed, computed } in &rows {
                    tr {
                        td { (visible(name)) }
                        td.number { (generic::short(claimed)) }
                        td.number { (computed.as_ref().map_or_else(|| html! { "–" }, generic::short)) }
                        td { @if let Some(computed) = computed { (shown::passed(same(claimed, computed), "the same", "differs")) } }
                    }
                }
            }
        } }
    }
}

/// A claim with what was computed: as the layout says, or the figure or the verdict with its name.
fn claims(line: &ResultLine, layout: &Layout, name: &str, claimed: &Value) -> Vec<Claim> {
    if let Some(claims) = layout.claims.get(name) {
        return claims.clone();
    }
    let figure = line.metrics.get(name).and_then(|metric| metric.value).map(Value::from);
    let claim = |claimed: &Value, computed| Claim { name: name.to_owned(), claimed: claimed.clone(), computed };
    match claimed {
        Value::Object(fields) => fields.get("score").map(|score| claim(score, figure)).into_iter().collect(),
        _ if name == "verdict" => vec![claim(claimed, line.verdict.clone().map(Value::from))],
        _ => vec![claim(claimed, figure)],
    }
}

/// Equal, or equal when rounded to the second decimal as models write figures.
fn same(claim: &Value, computed: &Value) -> bool {
    match (claim.as_f64(), computed.as_f64()) {
        (Some(claim), Some(computed)) => (claim - computed).abs() <= 0.005 + 1e-9,
        _ => claim == computed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn claims_stand_beside_what_was_computed() {
        let line: ResultLine = serde_json::from_value(json!({
            "case": "c", "model": "m", "status": "judged", "verdict": "reject", "reason": null, "flags": [], "error": null, "answers": [],
            "metrics": {"overall_score": {"value": 0.633, "n": 1, "rating": null, "method": "llm"}},
            "labels": {},
            "claimed": {"overall_score": 0.63, "verdict": "approve", "B1": {"pass": true}, "clarity": {"score": 1}},
        }))
        .expect("a line");
        let claim =
            |name: &str, claimed: Value, computed: Option<Value>| Claim { name: name.into(), claimed, computed };
        let of_layout = claim("B1: pass", json!(true), Some(json!(false)));
        let layout = Layout { claims: [("B1".to_owned(), vec![of_layout.clone()])].into(), ..Layout::default() };
        let told: Vec<Claim> =
            line.claimed.iter().flat_map(|(name, claim)| claims(&line, &layout, name, claim)).collect();
        let expected = [
            claim("overall_score", json!(0.63), Some(json!(0.633))),
            claim("verdict", json!("approve"), Some(json!("reject"))),
            of_layout,
            claim("clarity", json!(1), None),
        ];
        assert_eq!(told, expected);
        let drawn = claimed(&line, &layout).into_string();
        assert_eq!((drawn.matches("the same").count(), drawn.matches("differs").count()), (1, 2), "{drawn}");
    }
}
