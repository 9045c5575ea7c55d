//! The cards of facts: what a fact says, its outcome, and field by field why.

use super::super::matcher::{FieldReason, Side, compare_facts};
use super::super::result::{GoldStatus, PredictedStatus};
use super::{Facts, Row, gold_fact, predicted_fact};
use assize_core::Rating;
use assize_core::layout::{Card, Field, Line, Piece};
use serde_json::{Map, Value};

impl Facts {
    /// Both sides of a row.
    pub(super) fn cards(&self, number: usize, row: &Row) -> [Vec<Card>; 2] {
        let link = format!("f{number}");
        // Side by side, one of the two says how they differ.
        let told = !row.predicted.is_empty();
        let gold = row.gold.iter().map(|at| self.gold_card(*at, told, &link)).collect();
        let predicted = row.predicted.iter().map(|at| self.predicted_card(*at, &link)).collect();
        [gold, predicted]
    }

    pub(super) fn gold_card(&self, at: usize, told: bool, link: &str) -> Card {
        let fact = &self.gold[at];
        let (outcome, rating) = match fact.status {
            Some(GoldStatus::TruePositive) => ("found", Some(Rating::Good)),
            Some(GoldStatus::FalseNegative) => ("FN missed", Some(Rating::Fail)),
            None => ("out of scope", None),
        };
        let missed = fact.status == Some(GoldStatus::FalseNegative) && !told;
        let miss = self.misses.get(&(Side::Gold, fact.id.clone())).filter(|_| missed);
        let said = match miss.and_then(|miss| Some((miss, miss.nearest.as_deref()?))) {
            Some((miss, nearest)) => Said::compared(&miss.fields, Side::Gold, &fact.fields, Some(nearest)),
            None => Said::alone(&fact.fields),
        };
        said.card(&fact.id, &fact.fact_type, (outcome, rating), link)
    }

    fn predicted_card(&self, at: usize, link: &str) -> Card {
        let fact = &self.predicted[at];
        let (outcome, rating) = match fact.status {
            Some(PredictedStatus::TruePositive) => ("TP right", Some(Rating::Good)),
            Some(PredictedStatus::FalsePositive) => ("FP wrong", Some(Rating::Fail)),
            None => ("out of scope", None),
        };
        let named = |id: &str| self.gold.iter().find(|gold| gold.id == id);
        let partner = fact.matched_gold_ids.iter().find_map(|id| named(id));
        let wrong = fact.status == Some(PredictedStatus::FalsePositive);
        let miss = self.misses.get(&(Side::Predicted, fact.id.clone())).filter(|_| wrong);
        let said = match (partner, &self.settings, miss.and_then(|miss| Some((miss, miss.nearest.as_deref()?)))) {
            (Some(gold), Some(settings), _) => {
                let (predicted, facts) = (predicted_fact(fact), gold_fact(gold));
                let reasons = compare_facts(&predicted, &facts, settings);
                Said::compared(&reasons, Side::Predicted, &gold.fields, None)
            }
            (None, _, Some((miss, nearest))) => {
                let order = named(nearest).map_or(&fact.fields, |gold| &gold.fields);
                Said::compared(&miss.fields, Side::Predicted, order, Some(nearest))
            }
            _ => Said::alone(&fact.fields),
        };
        said.card(&fact.id, &fact.fact_type, (outcome, rating), link)
    }
}

/// What a card says below its head.
struct Said {
    fields: Vec<Field>,
    note: String,
}

impl Said {
    /// The fields of a fact, each with why it is the same as on the other side, or not, in the order of `order`.
    fn compared(fields: &[FieldReason], side: Side, order: &Map<String, Value>, nearest: Option<&str>) -> Self {
        let mut fields: Vec<&FieldReason> = fields.iter().collect();
        let place = |name: &str| order.keys().position(|known| known.eq_ignore_ascii_case(name)).unwrap_or(order.len());
        fields.sort_by_key(|field| place(&field.field));
        let note = nearest.map(|nearest| format!("No match. Compared with the closest, {nearest}."));
        Self {
            fields: fields.into_iter().map(|field| row(field, side, nearest.is_some())).collect(),
            note: note.unwrap_or_default(),
        }
    }

    fn alone(fields: &Map<String, Value>) -> Self {
        let field = |(name, field): (&String, &Value)| Field {
            name: name.clone(),
            note: String::new(),
            value: Line::of([value(field)]),
        };
        Self { fields: fields.iter().map(field).collect(), note: String::new() }
    }

    fn card(self, id: &str, fact_type: &str, (outcome, rating): (&str, Option<Rating>), link: &str) -> Card {
        Card {
            name: id.to_owned(),
            kind: fact_type.to_owned(),
            outcome: outcome.to_owned(),
            rating,
            link: link.to_owned(),
            fields: self.fields,
            note: self.note,
        }
    }
}

fn row(field: &FieldReason, side: Side, alone: bool) -> Field {
    let (own, other) = match side {
        Side::Predicted => (&field.predicted, &field.gold),
        Side::Gold => (&field.gold, &field.predicted),
    };
    let mut line = Line::of([value(own)]).then(Piece::Check { holds: field.equal, text: field.reason.to_string() });
    if alone && !field.equal && !other.is_null() {
        line = line.then(Piece::faint(format!("there: {}", Piece::value(other).text())));
    }
    let note = if field.key { "key" } else { "" };
    Field { name: field.field.clone(), note: note.to_owned(), value: line }
}

/// A value, linked to where the transcript has it.
fn value(value: &Value) -> Piece {
    // A single word may stand anywhere; a number or a phrase is rarely there by chance.
    let telling = |said: &&str| said.contains(' ') || said.contains(|character: char| character.is_numeric());
    let Some(said) = value.as_str().filter(telling) else { return Piece::value(value) };
    let without_currency = said.trim_start_matches(['$', '£', '€', '¥', '₹']);
    let searched = vec![said.to_owned(), without_currency.to_owned()];
    Piece::Phrase { text: Piece::value(value).text().to_owned(), searched, absent: None }
}
