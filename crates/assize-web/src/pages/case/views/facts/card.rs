//! The cards of facts: what a fact says, its outcome, and field by field why.

use super::super::super::evidence::Evidence;
use super::super::super::generic;
use super::{Facts, Row, gold_fact, predicted_fact};
use crate::visible::visible;
use assize_judges::systems::facts::matcher::{FieldReason, Side, compare_facts};
use assize_judges::systems::facts::result::{GoldStatus, PredictedStatus};
use maud::{Markup, html};
use serde_json::{Map, Value};

impl Facts {
    /// Both sides of a row.
    pub(super) fn draw(&self, number: usize, row: &Row, evidence: &mut Evidence<'_>) -> Markup {
        let link = format!("f{number}");
        // Side by side, one of the two says how they differ.
        let told = !row.predicted.is_empty();
        let gold: Vec<Markup> = row.gold.iter().map(|at| self.gold_card(*at, told, &link, evidence)).collect();
        let predicted: Vec<Markup> = row.predicted.iter().map(|at| self.predicted_card(*at, &link, evidence)).collect();
        html! {
            div.side { @for card in &gold { (card) } @if gold.is_empty() { p.faint { "no gold fact" } } }
            div.side { @for card in &predicted { (card) } @if predicted.is_empty() { p.faint { "no prediction" } } }
        }
    }

    pub(super) fn gold_card(&self, at: usize, told: bool, link: &str, evidence: &mut Evidence<'_>) -> Markup {
        let fact = &self.gold[at];
        let outcome = match fact.status {
            Some(GoldStatus::TruePositive) => ("good", "found"),
            Some(GoldStatus::FalseNegative) => ("fail", "FN missed"),
            None => ("", "out of scope"),
        };
        let missed = fact.status == Some(GoldStatus::FalseNegative) && !told;
        let miss = self.misses.get(&(Side::Gold, fact.id.clone())).filter(|_| missed);
        let fields = match miss.and_then(|miss| Some((miss, miss.nearest.as_deref()?))) {
            Some((miss, nearest)) => compared(&miss.fields, Side::Gold, &fact.fields, Some(nearest), evidence),
            None => plain(&fact.fields, evidence),
        };
        card(&fact.id, &fact.fact_type, outcome, link, &fields)
    }

    fn predicted_card(&self, at: usize, link: &str, evidence: &mut Evidence<'_>) -> Markup {
        let fact = &self.predicted[at];
        let outcome = match fact.status {
            Some(PredictedStatus::TruePositive) => ("good", "TP right"),
            Some(PredictedStatus::FalsePositive) => ("fail", "FP wrong"),
            None => ("", "out of scope"),
        };
        let named = |id: &str| self.gold.iter().find(|gold| gold.id == id);
        let partner = fact.matched_gold_ids.iter().find_map(|id| named(id));
        let wrong = fact.status == Some(PredictedStatus::FalsePositive);
        let miss = self.misses.get(&(Side::Predicted, fact.id.clone())).filter(|_| wrong);
        let fields = match (partner, &self.settings, miss.and_then(|miss| Some((miss, miss.nearest.as_deref()?)))) {
            (Some(gold), Some(settings), _) => {
                let (predicted, facts) = (predicted_fact(fact), gold_fact(gold));
                let reasons = compare_facts(&predicted, &facts, &settings.config, settings.reading);
                compared(&reasons, Side::Predicted, &gold.fields, None, evidence)
            }
            (None, _, Some((miss, nearest))) => {
                let order = named(nearest).map_or(&fact.fields, |gold| &gold.fields);
                compared(&miss.fields, Side::Predicted, order, Some(nearest), evidence)
            }
            _ => plain(&fact.fields, evidence),
        };
        card(&fact.id, &fact.fact_type, outcome, link, &fields)
    }
}

/// The fields of a fact, each with why it is the same as on the other side, or not, in the order of `order`.
fn compared(
    fields: &[FieldReason],
    side: Side,
    order: &Map<String, Value>,
    nearest: Option<&str>,
    evidence: &mut Evidence<'_>,
) -> Markup {
    let mut fields: Vec<&FieldReason> = fields.iter().collect();
    let place = |name: &str| order.keys().position(|known| known.eq_ignore_ascii_case(name)).unwrap_or(order.len());
    fields.sort_by_key(|field| place(&field.field));
    let rows: Vec<Markup> = fields.into_iter().map(|field| row(field, side, nearest.is_some(), evidence)).collect();
    html! {
        dl.fields { @for row in rows { (row) } }
        @if let Some(nearest) = nearest { p.faint.small { "No match. Compared with the closest, " (visible(nearest)) "." } }
    }
}

fn row(field: &FieldReason, side: Side, alone: bool, evidence: &mut Evidence<'_>) -> Markup {
    let (own, other) = match side {
        Side::Predicted => (&field.predicted, &field.gold),
        Side::Gold => (&field.gold, &field.predicted),
    };
    let value = value(own, evidence);
    let sign = if field.equal { "✓ " } else { "✗ " };
    html! {
        dt { (visible(&field.field)) @if field.key { span.faint { " key" } } }
        dd {
            (value) " " span.why data-equal=(field.equal) { (sign) (field.reason.to_string()) }
            @if alone && !field.equal && !other.is_null() { " " span.faint { "there: " (generic::short(other)) } }
        }
    }
}

fn card(id: &str, fact_type: &str, (rating, word): (&str, &str), link: &str, fields: &Markup) -> Markup {
    html! {
        article.fact data-link=(link) tabindex="0" aria-label=(format!("{}, {word}", visible(id))) {
            div.fact-head {
                span { b { (visible(id)) } " " span.faint { (visible(fact_type)) } }
                span.rating data-rating=(rating) { (word) }
            }
            (fields)
        }
    }
}

fn plain(fields: &Map<String, Value>, evidence: &mut Evidence<'_>) -> Markup {
    let rows: Vec<(&String, Markup)> = fields.iter().map(|(name, field)| (name, value(field, evidence))).collect();
    html! { dl.fields { @for (name, value) in rows { dt { (visible(name)) } dd { (value) } } } }
}

/// A value, linked to where the transcript has it.
fn value(value: &Value, evidence: &mut Evidence<'_>) -> Markup {
    // A single word may stand anywhere; a number or a phrase is rarely there by chance.
    let telling = |said: &&str| said.contains(' ') || said.contains(|character: char| character.is_numeric());
    let said = value.as_str().filter(telling);
    let without_currency = |said: &str| said.trim_start_matches(['$', '£', '€', '¥', '₹']).to_owned();
    let link = said.and_then(|said| evidence.point_at(said).or_else(|| evidence.point_at(&without_currency(said))));
    match link {
        Some(link) => html! { mark.cited data-link=(link) tabindex="-1" { (generic::short(value)) } },
        None => generic::short(value),
    }
}
