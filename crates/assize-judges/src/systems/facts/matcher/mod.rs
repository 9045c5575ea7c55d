//! The rule matcher: which predicted and gold facts are the same, by the config alone and with no model.
//!
//! Two facts can only match if their types are the same. How well they match has three grades:
//!
//! - *full*: every field of either fact matches;
//! - *compatible*: the key fields match and no field that both have differs (not with `require_all_fields_match`);
//! - *partial*: the key fields match, or without key fields at least half of all fields (only with
//!   `allow_partial_matches`).
//!
//! A field that denies what the other says, or names another side, dose or unit, rules a match out in every grade, and two
//! facts with no fields never match.
//!
//! Grade by grade, the most and the closest pairs are linked one to one. What is left over and matches in full is a
//! duplicate and is linked as well, on either side; so is a left-over prediction that says less than a gold fact but
//! nothing else. A partial match is never shared: the second prediction with the right name and a wrong amount is wrong.

mod explain;
mod prepare;

#[cfg(test)]
mod tests;

pub use explain::{FieldReason, Link, Matching, Miss, Side};
pub(super) use prepare::{MatchRules, convert};

use super::config::JudgeConfig;
use super::fact::Fact;
use super::reading::ValueReading;
use super::result::JudgeResult;
use assize_metrics::values::{Candidate, Overlap, assign};
use prepare::ReadFact;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// How well two facts match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Every field of either fact matches.
    Full,
    /// The key fields match, and no field that both have differs.
    Compatible,
    /// The key fields, or half of all fields, match.
    Partial,
}

/// Two facts that match, by their places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) predicted: u32,
    pub(super) gold: u32,
    pub(super) grade: Grade,
    /// From 0 to 1: how alike they are.
    likeness: f32,
}

impl Edge {
    pub(super) fn is_between_the_same(&self, other: &Self) -> bool {
        (self.predicted, self.gold) == (other.predicted, other.gold)
    }
}

/// Links predicted facts with gold facts by the rules, and says why.
pub fn match_facts(predicted: &[Fact], gold: &[Fact], config: &JudgeConfig) -> Matching {
    let (facts, rules) = (ReadFacts::of(predicted, gold, config.reading), MatchRules::of(config));
    let matcher = Matcher::new(predicted, gold, &facts, &rules);
    let links = matcher.link(&matcher.edges());
    matcher.explain(&links)
}

/// The labels the rules give, with no explanation.
pub fn label_facts(predicted: &[Fact], gold: &[Fact], config: &JudgeConfig) -> JudgeResult {
    let (facts, rules) = (ReadFacts::of(predicted, gold, config.reading), MatchRules::of(config));
    let matcher = Matcher::new(predicted, gold, &facts, &rules);
    matcher.result(&matcher.link(&matcher.edges()))
}

/// Two facts field by field, whether they match or not.
pub fn compare_facts(predicted: &Fact, gold: &Fact, config: &JudgeConfig) -> Vec<FieldReason> {
    let (predicted, gold) = (std::slice::from_ref(predicted), std::slice::from_ref(gold));
    let (facts, rules) = (ReadFacts::of(predicted, gold, config.reading), MatchRules::of(config));
    Matcher::new(predicted, gold, &facts, &rules).reasons(0, 0)
}

/// The facts of a case with their values read: the slow part of matching, and the same under every config.
#[derive(Clone, Debug)]
pub(super) struct ReadFacts {
    predicted: Vec<ReadFact>,
    gold: Vec<ReadFact>,
}

impl ReadFacts {
    pub(super) fn of(predicted: &[Fact], gold: &[Fact], reading: ValueReading) -> Self {
        let read = |facts: &[Fact]| facts.iter().map(|fact| ReadFact::of(fact, reading)).collect();
        Self { predicted: read(predicted), gold: read(gold) }
    }
}

/// The facts of a case under a config.
pub(super) struct Matcher<'f> {
    predicted: &'f [Fact],
    gold: &'f [Fact],
    facts: &'f ReadFacts,
    rules: &'f MatchRules,
}

impl<'f> Matcher<'f> {
    pub(super) fn new(predicted: &'f [Fact], gold: &'f [Fact], facts: &'f ReadFacts, rules: &'f MatchRules) -> Self {
        Self { predicted, gold, facts, rules }
    }

    /// The grade of one pair, by places.
    pub(super) fn grade(&self, predicted: usize, gold: usize) -> Option<Grade> {
        let (one, other) = (&self.facts.predicted[predicted], &self.facts.gold[gold]);
        let comparable = self.rules.in_scope(one) && self.rules.in_scope(other) && one.type_key == other.type_key;
        comparable.then(|| self.fit(one, other)).flatten().map(|(grade, _)| grade)
    }

    /// The pairs that match in full.
    pub(super) fn twins(&self) -> Vec<(usize, usize)> {
        let full = self.edges().into_iter().filter(|edge| edge.grade == Grade::Full);
        full.map(|edge| (edge.predicted as usize, edge.gold as usize)).collect()
    }

    /// Every pair that matches. Only facts of one type are compared, and of these only those that could be equal in
    /// every field that must match.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let in_scope = |facts: &'f [ReadFact]| {
            facts
                .iter()
                .enumerate()
                .filter(|(_, fact)| self.rules.in_scope(fact))
                .map(|(place, fact)| (place as u32, fact))
        };
        let mut blocks: HashMap<(&str, Cow<'_, str>), Vec<u32>> = HashMap::new();
        for (place, fact) in in_scope(&self.facts.gold) {
            blocks.entry((&fact.type_key, self.rules.block(fact))).or_default().push(place);
        }
        let mut edges = Vec::new();
        for (predicted, fact) in in_scope(&self.facts.predicted) {
            for &gold in blocks.get(&(fact.type_key.as_str(), self.rules.block(fact))).into_iter().flatten() {
                if let Some((grade, likeness)) = self.fit(fact, &self.facts.gold[gold as usize]) {
                    edges.push(Edge { predicted, gold, grade, likeness });
                }
            }
        }
        edges
    }

    fn fit(&self, predicted: &ReadFact, gold: &ReadFact) -> Option<(Grade, f32)> {
        let overlap = predicted.record.overlap(&gold.record, &self.rules.values, self.rules.required(predicted))?;
        let Overlap { equal, differing, one_sided, required_equal, closeness } = overlap;
        // Facts that say nothing are not the same.
        if equal == 0 {
            return None;
        }
        if differing == 0 && one_sided == 0 {
            return Some((Grade::Full, closeness));
        }
        if differing == 0 {
            return Some((Grade::Compatible, closeness));
        }
        let enough = required_equal > 0 || (equal * 2 >= equal + differing + one_sided);
        (self.rules.partial && enough).then_some((Grade::Partial, closeness))
    }

    /// From the pairs that match to the links, as the module describes.
    pub(super) fn link(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut links: Vec<Edge> = Vec::new();
        let mut predicted_linked = vec![false; self.predicted.len()];
        let mut gold_linked = vec![false; self.gold.len()];
        for grade in [Grade::Full, Grade::Compatible, Grade::Partial] {
            let free: Vec<Edge> = edges
                .iter()
                .filter(|edge| {
                    edge.grade == grade
                        && !predicted_linked[edge.predicted as usize]
                        && !gold_linked[edge.gold as usize]
                })
                .copied()
                .collect();
            let candidates: Vec<Candidate> = free
                .iter()
                .map(|edge| Candidate { left: edge.predicted, right: edge.gold, closeness: edge.likeness })
                .collect();
            for place in assign(&candidates) {
                let edge = free[place];
                predicted_linked[edge.predicted as usize] = true;
                gold_linked[edge.gold as usize] = true;
                links.push(edge);
            }
            if grade == Grade::Partial {
                break;
            }
            let of_grade = || edges.iter().filter(|edge| edge.grade == grade).copied();
            attach(of_grade(), |edge| edge.predicted, &mut predicted_linked, &mut links);
            if grade == Grade::Full {
                attach(of_grade(), |edge| edge.gold, &mut gold_linked, &mut links);
            }
            // Duplicates are linked to facts that are linked already, so no other mark changes.
        }
        links.sort_by_key(|edge| (edge.predicted, edge.gold));
        links
    }
}

/// Links every fact that is not linked yet to the one it matches best.
fn attach(edges: impl Iterator<Item = Edge>, fact: fn(&Edge) -> u32, linked: &mut [bool], links: &mut Vec<Edge>) {
    let mut best: HashMap<u32, Edge> = HashMap::new();
    for edge in edges.filter(|edge| !linked[fact(edge) as usize]) {
        match best.get(&fact(&edge)) {
            Some(before) if before.likeness >= edge.likeness => {}
            _ => drop(best.insert(fact(&edge), edge)),
        }
    }
    for (place, edge) in best {
        linked[place as usize] = true;
        links.push(edge);
    }
}
