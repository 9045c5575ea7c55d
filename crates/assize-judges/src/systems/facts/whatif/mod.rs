//! What if: the rule matcher's figures under other settings, on the same cases, with no model.

mod open;

use super::config::JudgeConfig;
use super::fact::{CaseFacts, Fact};
use super::matcher::{Edge, FieldReason, Grade, MatchRules, Matcher, ReadFacts};
use super::measure::{Figures, Measured, measure};
use super::reading::ValueReading;
use assize_core::Case;
use serde::Serialize;
use serde_json::Map;
use std::collections::BTreeMap;

/// A case to recompute: it has gold facts. Its values are read once, so that many configs can be tried on it.
#[derive(Clone, Debug)]
pub struct WhatIfCase {
    /// The case's id.
    pub id: String,
    /// The system under test.
    pub model: String,
    /// What it extracted.
    pub predicted: Vec<Fact>,
    /// What is true.
    pub gold: Vec<Fact>,
    read: ReadFacts,
}

impl WhatIfCase {
    /// A stored case; `None` where it has no gold facts, or none that can be read.
    pub fn of(case: &Case, reading: ValueReading) -> Option<Self> {
        let CaseFacts { predicted, gold } = CaseFacts::of(&case.inputs).ok()?;
        Some(Self::of_facts(case.id.clone(), case.model.to_string(), predicted, gold?, reading))
    }

    /// A case with these facts.
    pub fn of_facts(id: String, model: String, predicted: Vec<Fact>, gold: Vec<Fact>, reading: ValueReading) -> Self {
        let read = ReadFacts::of(&predicted, &gold, reading);
        Self { id, model, predicted, gold, read }
    }

    /// The same case with its values read in another way.
    fn read_again(&self, reading: ValueReading) -> Self {
        Self { read: ReadFacts::of(&self.predicted, &self.gold, reading), ..self.clone() }
    }

    fn under<'c>(&'c self, rules: &'c MatchRules) -> Matcher<'c> {
        Matcher::new(&self.predicted, &self.gold, &self.read, rules)
    }
}

/// Counts what links make of a case. What the facts say is not repeated for that.
fn counted(matcher: &Matcher<'_>, links: &[Edge]) -> Measured {
    measure(&matcher.labels(links, |_| Map::new()))
}

/// Counts by model, in the making.
#[derive(Clone, Default)]
struct ByModel<'c>(BTreeMap<&'c str, Measured>);

impl<'c> ByModel<'c> {
    fn add(&mut self, case: &'c WhatIfCase, measured: &Measured) {
        self.0.entry(&case.model).or_default().absorb(measured);
    }

    fn figures(self) -> BTreeMap<String, ModelFigures> {
        self.0.into_iter().map(|(model, measured)| (model.to_owned(), measured.into())).collect()
    }
}

/// The rules' figures under one config, for each model.
pub fn recompute(cases: &[WhatIfCase], config: &JudgeConfig) -> BTreeMap<String, ModelFigures> {
    let rules = MatchRules::of(config);
    let mut models = ByModel::default();
    for case in cases {
        let matcher = case.under(&rules);
        models.add(case, &counted(&matcher, &matcher.link(&matcher.edges())));
    }
    models.figures()
}

/// The figures of one model: pooled over its cases, and by fact type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelFigures {
    /// All facts in scope.
    #[serde(flatten)]
    pub overall: Figures,
    /// By fact type.
    pub by_type: BTreeMap<String, Figures>,
}

impl From<Measured> for ModelFigures {
    fn from(measured: Measured) -> Self {
        let by_type = measured.by_type.into_iter().map(|(name, counts)| (name, counts.into())).collect();
        Self { overall: measured.overall.into(), by_type }
    }
}

/// One point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepPoint {
    /// The setting's value.
    pub value: f64,
    /// The figures there, for each model.
    pub models: BTreeMap<String, ModelFigures>,
}

/// The figures under configs that differ in their tolerance alone, in rising order of it.
pub fn sweep(cases: &[WhatIfCase], steps: &[(f64, JudgeConfig)]) -> Vec<SweepPoint> {
    let steps: Vec<(f64, MatchRules)> = steps.iter().map(|(value, config)| (*value, MatchRules::of(config))).collect();
    let mut points = vec![ByModel::default(); steps.len()];
    if let Some(last) = steps.len().checked_sub(1) {
        for case in cases {
            let edges = |step: usize| case.under(&steps[step].1).edges();
            sweep_between(case, &steps, (0, &edges(0)), (last, &edges(last)), &mut points);
        }
    }
    steps.into_iter().zip(points).map(|((value, _), models)| SweepPoint { value, models: models.figures() }).collect()
}

/// Adds a case to all points from one step to another. More tolerance only ever adds pairs and brings them closer, so where
/// both ends have the same pairs, so has everything between: most cases are looked at twice, however fine the curve is.
fn sweep_between<'c>(
    case: &'c WhatIfCase,
    steps: &[(f64, MatchRules)],
    low: (usize, &[Edge]),
    high: (usize, &[Edge]),
    points: &mut [ByModel<'c>],
) {
    let add = |(step, edges): (usize, &[Edge]), until: usize, points: &mut [ByModel<'c>]| {
        let matcher = case.under(&steps[step].1);
        let measured = counted(&matcher, &matcher.link(edges));
        points[step..=until].iter_mut().for_each(|point| point.add(case, &measured));
    };
    if low.1 == high.1 {
        return add(low, high.0, points);
    }
    if high.0 - low.0 == 1 {
        add(low, low.0, points);
        return add(high, high.0, points);
    }
    let middle = (low.0 + high.0) / 2;
    let edges = case.under(&steps[middle].1).edges();
    sweep_between(case, steps, low, (middle, &edges), points);
    // The middle has been added with the lower half.
    let next = case.under(&steps[middle + 1].1).edges();
    sweep_between(case, steps, (middle + 1, &next), high, points);
}

/// A pair of facts that one config links and another does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flip {
    /// The case.
    pub case: String,
    /// The system under test.
    pub model: String,
    /// The prediction.
    pub predicted_id: String,
    /// The gold fact.
    pub gold_id: String,
    /// The type of both facts.
    pub fact_type: String,
    /// Whether the second config links it.
    pub linked: bool,
    /// How well the two match under the config that links them.
    pub grade: Grade,
    /// Field by field, under the second config.
    pub fields: Vec<FieldReason>,
}

/// What other settings change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The figures under the first config, for each model.
    pub before: BTreeMap<String, ModelFigures>,
    /// The figures under the second.
    pub after: BTreeMap<String, ModelFigures>,
    /// The pairs that are linked under one of the two and not under the other, in the order of the cases.
    pub flips: Vec<Flip>,
}

/// The same cases under a config.
pub type Side<'c> = (&'c [WhatIfCase], &'c JudgeConfig);

/// Holds two configs against each other on the same cases, which may have been read in two ways.
pub fn change((old_cases, before): Side<'_>, (new_cases, after): Side<'_>) -> Change {
    let (before, after) = (MatchRules::of(before), MatchRules::of(after));
    let (mut figures_before, mut figures_after) = (ByModel::default(), ByModel::default());
    let mut flips = Vec::new();
    for (old_case, case) in old_cases.iter().zip(new_cases) {
        let (old, new) = (old_case.under(&before), case.under(&after));
        let (old_links, new_links) = (old.link(&old.edges()), new.link(&new.edges()));
        figures_before.add(old_case, &counted(&old, &old_links));
        figures_after.add(case, &counted(&new, &new_links));
        for (list, other, linked) in [(&old_links, &new_links, false), (&new_links, &old_links, true)] {
            for link in list.iter().filter(|link| !other.iter().any(|same| same.is_between_the_same(link))) {
                let (predicted, gold) = (link.predicted as usize, link.gold as usize);
                flips.push(Flip {
                    case: case.id.clone(),
                    model: case.model.clone(),
                    predicted_id: case.predicted[predicted].id.clone(),
                    gold_id: case.gold[gold].id.clone(),
                    fact_type: case.predicted[predicted].fact_type.clone(),
                    linked,
                    grade: link.grade,
                    fields: new.reasons(predicted, gold),
                });
            }
        }
    }
    Change { before: figures_before.figures(), after: figures_after.figures(), flips }
}
