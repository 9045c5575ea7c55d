//! Why: for every link and every fact without one, field by field.

use super::prepare::ReadFact;
use super::{Edge, Fact, Grade, Matcher};
use crate::systems::facts::result::{GoldLabel, GoldStatus, JudgeResult, PredictedLabel, PredictedStatus};
use assize_metrics::values::{Field, Reason};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// One field of two facts side by side.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldReason {
    /// The field.
    pub field: String,
    /// What the prediction says; `null` where nothing.
    pub predicted: Value,
    /// What the gold fact says; `null` where nothing.
    pub gold: Value,
    /// Whether they are the same.
    pub equal: bool,
    /// Whether the field must match whatever the others do.
    pub key: bool,
    /// Why: `rule`, and what belongs to it.
    #[serde(flatten)]
    #[schemars(with = "Map<String, Value>")]
    pub reason: Reason,
}

/// A predicted and a gold fact that are the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// The place of the prediction.
    #[serde(skip)]
    pub predicted: usize,
    /// The place of the gold fact.
    #[serde(skip)]
    pub gold: usize,
    /// The prediction's id.
    pub predicted_id: String,
    /// The gold fact's id.
    pub gold_id: String,
    /// How well they match.
    pub grade: Grade,
    /// Field by field.
    pub fields: Vec<FieldReason>,
}

/// Which side of a case a fact is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// What was extracted.
    Predicted,
    /// What is true.
    Gold,
}

/// A fact in scope that matches nothing, with the one on the other side that comes closest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Miss {
    /// Its side.
    pub side: Side,
    /// Its id.
    pub id: String,
    /// The id of the nearest fact of its type on the other side; `None` where there is none.
    pub nearest: Option<String>,
    /// Field by field, against the nearest.
    pub fields: Vec<FieldReason>,
}

/// What the rules find in a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matching {
    /// The pairs that are the same.
    pub links: Vec<Link>,
    /// The facts that have no counterpart.
    pub misses: Vec<Miss>,
    /// The same as labels.
    #[serde(skip)]
    pub result: JudgeResult,
}

/// So many facts of the other side are looked at to find the nearest; facts that share a value come first.
const MOST_LOOKED_AT: usize = 50;

impl Matcher<'_> {
    pub(super) fn explain(&self, links: &[Edge]) -> Matching {
        let result = self.result(links);
        let links = links
            .iter()
            .map(|edge| {
                let (predicted, gold) = (edge.predicted as usize, edge.gold as usize);
                Link {
                    predicted,
                    gold,
                    predicted_id: self.predicted[predicted].id.clone(),
                    gold_id: self.gold[gold].id.clone(),
                    grade: edge.grade,
                    fields: self.reasons(predicted, gold),
                }
            })
            .collect();
        let mut misses = self.misses(Side::Predicted, &result);
        misses.extend(self.misses(Side::Gold, &result));
        Matching { links, misses, result }
    }

    /// Every field of either fact, and why it is the same or not.
    pub(in crate::systems::facts) fn reasons(&self, predicted: usize, gold: usize) -> Vec<FieldReason> {
        let (one, other) = (&self.facts.predicted[predicted], &self.facts.gold[gold]);
        let value = |fact: &Fact, read: &ReadFact, field: Option<&Field>| {
            let written = field.and_then(|field| read.written.get(&field.name));
            written.and_then(|name| fact.fields.get(name)).cloned().unwrap_or(Value::Null)
        };
        let keys = self.rules.key_names(one);
        one.record
            .compared(&other.record, &self.rules.values)
            .map(|(one_field, other_field, comparison)| {
                let (equal, reason) = match comparison {
                    Some(comparison) => (comparison.equal, comparison.reason),
                    None if one_field.is_none() => (false, Reason::Missing),
                    None => (false, Reason::Unexpected),
                };
                let name = one_field.or(other_field).map_or("", |field| field.name.as_str());
                FieldReason {
                    field: one.written.get(name).or(other.written.get(name)).cloned().unwrap_or_default(),
                    predicted: value(&self.predicted[predicted], one, one_field),
                    gold: value(&self.gold[gold], other, other_field),
                    equal,
                    key: one_field.or(other_field).is_some_and(|field| keys.contains(&field.name)),
                    reason,
                }
            })
            .collect()
    }

    fn misses(&self, side: Side, result: &JudgeResult) -> Vec<Miss> {
        let (own, others) = match side {
            Side::Predicted => (&self.facts.predicted, &self.facts.gold),
            Side::Gold => (&self.facts.gold, &self.facts.predicted),
        };
        let unlinked = |place: &usize| match side {
            Side::Predicted => result.predicted_facts[*place].status == Some(PredictedStatus::FalsePositive),
            Side::Gold => result.gold_facts[*place].status == Some(GoldStatus::FalseNegative),
        };
        let missing: Vec<usize> = (0..own.len()).filter(unlinked).collect();
        if missing.is_empty() {
            return Vec::new();
        }
        let mut of_type: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut by_value: HashMap<(&str, &str, &str), Vec<usize>> = HashMap::new();
        for (place, fact) in others.iter().enumerate().filter(|(_, fact)| self.rules.in_scope(fact)) {
            of_type.entry(&fact.type_key).or_default().push(place);
            for field in fact.record.fields() {
                by_value.entry((&fact.type_key, &field.name, field.value.folded())).or_default().push(place);
            }
        }
        let ids = |side: Side, place: usize| match side {
            Side::Predicted => self.predicted[place].id.clone(),
            Side::Gold => self.gold[place].id.clone(),
        };
        let other_side = if side == Side::Predicted { Side::Gold } else { Side::Predicted };
        missing
            .into_iter()
            .map(|place| {
                let fact = &own[place];
                let sharing = fact.record.fields().iter().filter_map(|field| {
                    by_value.get(&(fact.type_key.as_str(), field.name.as_str(), field.value.folded()))
                });
                let candidates = sharing.chain(of_type.get(fact.type_key.as_str())).flatten().take(MOST_LOOKED_AT);
                let pair = |other: usize| if side == Side::Predicted { (place, other) } else { (other, place) };
                let nearest = candidates
                    .map(|&other| {
                        let (predicted, gold) = pair(other);
                        let fields = self.reasons(predicted, gold);
                        (fields.iter().filter(|field| field.equal).count(), other, fields)
                    })
                    // The first of those that are equally near.
                    .reduce(|best, next| if next.0 > best.0 { next } else { best });
                let (nearest, fields) =
                    nearest.map_or((None, Vec::new()), |(_, other, fields)| (Some(ids(other_side, other)), fields));
                Miss { side, id: ids(side, place), nearest, fields }
            })
            .collect()
    }

    pub(super) fn result(&self, links: &[Edge]) -> JudgeResult {
        self.labels(links, |fact| fact.fields.clone())
    }

    /// The labels of the facts; what they say is repeated as far as whoever asks wants it.
    pub(in crate::systems::facts) fn labels(
        &self,
        links: &[Edge],
        fields: impl Fn(&Fact) -> Map<String, Value>,
    ) -> JudgeResult {
        let mut of_predicted: Vec<Vec<String>> = vec![Vec::new(); self.predicted.len()];
        let mut of_gold: Vec<Vec<String>> = vec![Vec::new(); self.gold.len()];
        for edge in links {
            of_predicted[edge.predicted as usize].push(self.gold[edge.gold as usize].id.clone());
            of_gold[edge.gold as usize].push(self.predicted[edge.predicted as usize].id.clone());
        }
        let gold = self.gold.iter().zip(&self.facts.gold).zip(of_gold).map(|((fact, read), matched)| {
            let in_scope = self.rules.in_scope(read);
            let status = if matched.is_empty() { GoldStatus::FalseNegative } else { GoldStatus::TruePositive };
            GoldLabel {
                id: fact.id.clone(),
                fact_type: fact.fact_type.clone(),
                fields: fields(fact),
                in_scope,
                status: in_scope.then_some(status),
                matched_prediction_ids: matched,
            }
        });
        let predicted = self.predicted.iter().zip(&self.facts.predicted).zip(of_predicted);
        let predicted = predicted.map(|((fact, read), matched)| {
            let in_scope = self.rules.in_scope(read);
            let status =
                if matched.is_empty() { PredictedStatus::FalsePositive } else { PredictedStatus::TruePositive };
            PredictedLabel {
                id: fact.id.clone(),
                fact_type: fact.fact_type.clone(),
                fields: fields(fact),
                in_scope,
                status: in_scope.then_some(status),
                matched_gold_ids: matched,
            }
        });
        JudgeResult { gold_facts: gold.collect(), predicted_facts: predicted.collect(), notes: None }
    }
}
