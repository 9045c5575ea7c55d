//! The audit: where a model's labels contradict the config, by the rules.
//!
//! A model may see that `my place by the river` is `12 Mill Lane`; the rules cannot, and do not call it wrong. They list
//! what no reading of words explains: a link that the rules refuse because amounts, dates, digits, sides or a denial differ, and a
//! fact called wrong or missing that has a full counterpart.

use super::config::{JudgeConfig, type_key};
use super::fact::Fact;
use super::matcher::{FieldReason, MatchRules, Matcher, ReadFacts, Side};
use super::result::{GoldLabel, GoldStatus, JudgeResult, PredictedLabel, PredictedStatus};
use assize_metrics::values::Reason;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// One label that contradicts the config.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contradiction {
    /// What is wrong with it.
    pub contradiction: ContradictionKind,
    /// The prediction.
    pub predicted_id: String,
    /// The gold fact.
    pub gold_id: String,
    /// The fields and rules it rests on.
    pub fields: Vec<FieldReason>,
}

/// How a label contradicts the config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContradictionKind {
    /// Linked, although a field differs that must not.
    LinkedButDifferent,
    /// Linked, although the facts are of different types.
    LinkedAcrossTypes,
    /// A prediction called wrong that has a full counterpart.
    FalsePositiveWithTwin,
    /// A gold fact called missed that has a full counterpart.
    FalseNegativeWithTwin,
}

/// What the audit of one case found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// The contradictions, in the order of the facts.
    pub contradictions: Vec<Contradiction>,
    /// The facts in scope that were looked at.
    pub audited: u64,
    /// Those of them that are part of a contradiction.
    pub contradicted: u64,
}

/// Holds a model's result against the rules. The result must be valid.
pub fn audit(result: &JudgeResult, config: &JudgeConfig) -> Audit {
    let predicted: Vec<Fact> = result.predicted_facts.iter().map(PredictedLabel::fact).collect();
    let gold: Vec<Fact> = result.gold_facts.iter().map(GoldLabel::fact).collect();
    let (facts, rules) = (ReadFacts::of(&predicted, &gold, config.reading), MatchRules::of(config));
    let matcher = Matcher::new(&predicted, &gold, &facts, &rules);
    let gold_place: HashMap<&str, usize> =
        gold.iter().enumerate().map(|(place, fact)| (fact.id.as_str(), place)).collect();
    let mut contradictions = Vec::new();
    let mut touched: BTreeSet<(Side, usize)> = BTreeSet::new();
    for (place, label) in result.predicted_facts.iter().enumerate() {
        for &other in label.matched_gold_ids.iter().filter_map(|id| gold_place.get(id.as_str())) {
            if matcher.grade(place, other).is_some() {
                continue;
            }
            if type_key(&predicted[place].fact_type) != type_key(&gold[other].fact_type) {
                touched.extend([(Side::Predicted, place), (Side::Gold, other)]);
                contradictions.push(contradiction(
                    ContradictionKind::LinkedAcrossTypes,
                    &predicted[place],
                    &gold[other],
                    Vec::new(),
                ));
                continue;
            }
            let fields: Vec<FieldReason> =
                matcher.reasons(place, other).into_iter().filter(|field| contradicts(field, config)).collect();
            if !fields.is_empty() {
                touched.extend([(Side::Predicted, place), (Side::Gold, other)]);
                contradictions.push(contradiction(
                    ContradictionKind::LinkedButDifferent,
                    &predicted[place],
                    &gold[other],
                    fields,
                ));
            }
        }
    }
    let twins = matcher.twins();
    for (place, other) in twins {
        let wrong = result.predicted_facts[place].status == Some(PredictedStatus::FalsePositive);
        let missed = result.gold_facts[other].status == Some(GoldStatus::FalseNegative);
        for (kind, side, fact) in [
            (ContradictionKind::FalsePositiveWithTwin, wrong.then_some(Side::Predicted), place),
            (ContradictionKind::FalseNegativeWithTwin, missed.then_some(Side::Gold), other),
        ] {
            // One twin is enough to say so.
            if let Some(side) = side
                && touched.insert((side, fact))
            {
                contradictions.push(contradiction(
                    kind,
                    &predicted[place],
                    &gold[other],
                    matcher.reasons(place, other),
                ));
            }
        }
    }
    let in_scope = result.predicted_facts.iter().filter(|label| label.in_scope).count()
        + result.gold_facts.iter().filter(|label| label.in_scope).count();
    Audit { contradictions, audited: in_scope as u64, contradicted: touched.len() as u64 }
}

fn contradiction(
    contradiction: ContradictionKind,
    predicted: &Fact,
    gold: &Fact,
    fields: Vec<FieldReason>,
) -> Contradiction {
    Contradiction { contradiction, predicted_id: predicted.id.clone(), gold_id: gold.id.clone(), fields }
}

/// Whether a field speaks against a link that the rules refuse, whatever its words mean.
fn contradicts(field: &FieldReason, config: &JudgeConfig) -> bool {
    let certain = match field.reason {
        // Words that are asked to be the same to the letter, and are not.
        Reason::OtherWords => !config.ignore_minor_wording_diffs,
        Reason::Missing | Reason::Unexpected => config.require_all_fields_match || field.key,
        reason => reason.is_certain(),
    };
    !field.equal && certain
}

impl PredictedLabel {
    /// The fact without its label.
    pub(super) fn fact(&self) -> Fact {
        Fact { id: self.id.clone(), fact_type: self.fact_type.clone(), fields: self.fields.clone() }
    }
}

impl GoldLabel {
    /// The fact without its label.
    pub(super) fn fact(&self) -> Fact {
        Fact { id: self.id.clone(), fact_type: self.fact_type.clone(), fields: self.fields.clone() }
    }
}
