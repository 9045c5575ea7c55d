//! The figures of a case, and what the model claimed of them.

use super::generic;
use crate::shown::{self, figure};
use crate::visible::visible;
use assize_core::Metric;
use assize_core::judgment::Parts;
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
                        td.number { (figure(metric.value)) }
                        @if rated { td { @if let Some(rating) = metric.rating { (shown::rating(rating)) } } }
                        td.number { (metric.n) }
                        td { (metric.method.name()) }
                        @if raw { td.number { @if let Some(raw) = metric.raw { (number(raw)) } } }
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
        Some(Parts { numerator, denominator }) => format!("{} / {}", number(numerator), number(denominator)),
        None => String::new(),
    }
}

/// At most three decimals, and no more than there are.
pub(super) fn number(value: f64) -> String {
    // Adding zero makes the zero of a negative sum a plain one.
    let written = format!("{:.3}", value + 0.0);
    written.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What the model itself stated, beside what follows from its labels.
pub(super) fn claimed(line: &ResultLine) -> Markup {
    if line.claimed.is_empty() {
        return html! {};
    }
    let rows: Vec<(String, &Value, Option<Value>)> =
        line.claimed.iter().flat_map(|(name, claim)| claims(line, name, claim)).collect();
    html! {
        h2 { "Claimed against computed" }
        p.faint { "What the model itself stated of figures that code computes. It is used nowhere." }
        div.scroll tabindex="0" role="region" aria-label="Claimed against computed" { table {
            thead { tr { th { "Figure" } th.number { "Claimed" } th.number { "Computed" } th { "" } } }
            tbody {
                @for (name, claim, computed) in rows {
                    tr {
                        td { (visible(&name)) }
                        td.number { (generic::short(claim)) }
                        td.number { (computed.as_ref().map_or_else(|| html! { "–" }, generic::short)) }
                        td { @if let Some(computed) = &computed { (shown::passed(same(claim, computed), "the same", "differs")) } }
                    }
                }
            }
        } }
    }
}

/// Each claim with what was computed: a figure, the verdict, or the ruling on a behaviour.
fn claims<'l>(line: &'l ResultLine, name: &str, claim: &'l Value) -> Vec<(String, &'l Value, Option<Value>)> {
    let figure = || line.metrics.get(name).and_then(|metric| metric.value).map(Value::from);
    match claim {
        Value::Object(fields) => {
            let ruling = line.labels.get("behaviours").and_then(|behaviours| behaviours.get(name));
            let of = |key: &str| match (ruling, key) {
                (Some(ruling), key) => ruling.get(key).filter(|value| !value.is_null()).cloned(),
                (None, "score") => figure(),
                _ => None,
            };
            let shown = fields.iter().filter(|(key, _)| ruling.is_some() || *key == "score");
            shown
                .map(|(key, claim)| {
                    (if ruling.is_some() { format!("{name}: {key}") } else { name.to_owned() }, claim, of(key))
                })
                .collect()
        }
        _ if name == "verdict" => vec![(name.to_owned(), claim, line.verdict.clone().map(Value::from))],
        _ => vec![(name.to_owned(), claim, figure())],
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
            "labels": {"behaviours": {"B1": {"pass": false, "score": 0.0}}},
            "claimed": {"overall_score": 0.63, "verdict": "approve", "B1": {"pass": true}, "unheard_of": 1},
        }))
        .expect("a line");
        let told: Vec<(String, Value, Option<Value>)> = line
            .claimed
            .iter()
            .flat_map(|(name, claim)| claims(&line, name, claim))
            .map(|(name, claim, computed)| (name, claim.clone(), computed))
            .collect();
        let expected = [
            ("overall_score".to_owned(), json!(0.63), Some(json!(0.633))),
            ("verdict".into(), json!("approve"), Some(json!("reject"))),
            ("B1: pass".into(), json!(true), Some(json!(false))),
            ("unheard_of".into(), json!(1), None),
        ];
        assert_eq!(told, expected);
        let drawn = claimed(&line).into_string();
        assert_eq!((drawn.matches("the same").count(), drawn.matches("differs").count()), (1, 2), "{drawn}");
        assert_eq!([number(0.5), number(-0.0), number(2.0 / 3.0)], ["0.5", "0", "0.667"]);
    }
}
