//! What if: the rule matcher's figures under other settings, on the same cases, with no model.

use super::config::JudgeConfig;
use super::fact::{CaseFacts, Fact};
use super::matcher::{FieldReason, Grade, Matcher, label_facts, match_facts};
use super::measure::{Figures, Measured, measure};
use super::settings::ValueReading;
use assize_core::Case;
use assize_core::judgment::tidy;
use serde::Serialize;
use std::collections::BTreeMap;

/// A case to recompute: it has gold facts.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfCase {
    /// The case's id.
    pub id: String,
    /// The system under test.
    pub model: String,
    /// What it extracted.
    pub predicted: Vec<Fact>,
    /// What is true.
    pub gold: Vec<Fact>,
}

impl WhatIfCase {
    /// A stored case; `None` where it has no gold facts, or none that can be read.
    pub fn of(case: &Case) -> Option<Self> {
        let CaseFacts { predicted, gold } = CaseFacts::of(&case.inputs).ok()?;
        Some(Self { id: case.id.clone(), model: case.model.clone(), predicted, gold: gold? })
    }
}

/// The rules' figures under one config, for each model.
pub fn recompute(cases: &[WhatIfCase], config: &JudgeConfig, reading: ValueReading) -> BTreeMap<String, ModelFigures> {
    let mut models: BTreeMap<String, Measured> = BTreeMap::new();
    for case in cases {
        let measured = measure(&label_facts(&case.predicted, &case.gold, config, reading));
        models.entry(case.model.clone()).or_default().absorb(&measured);
    }
    models.into_iter().map(|(model, measured)| (model, measured.into())).collect()
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

/// The figures over several values of one numeric setting. A setting that takes no such number is an error that says so.
pub fn sweep(
    cases: &[WhatIfCase],
    config: &JudgeConfig,
    reading: ValueReading,
    setting: &str,
    values: &[f64],
) -> Result<Vec<SweepPoint>, String> {
    values
        .iter()
        .map(|&value| {
            let config = config.with(setting, &value.to_string())?;
            Ok(SweepPoint { value, models: recompute(cases, &config, reading) })
        })
        .collect()
}

/// Reads a range as `--sweep` takes it: `0..10` in ten steps, or `0..10:2.5` in steps of a given size; both ends count.
pub fn read_range(text: &str) -> Result<Vec<f64>, String> {
    const MOST_POINTS: f64 = 1000.0;
    let wrong = || format!("`{text}` is no range: write LOW..HIGH, or LOW..HIGH:STEP, such as 0..10 or 0..10:2.5");
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
    let (range, step) = text.split_once(':').map_or((text, None), |(range, step)| (range, Some(step)));
    let (low, high) = range.split_once("..").ok_or_else(wrong)?;
    let (low, high) = (number(low)?, number(high)?);
    let step = step.map_or(Ok((high - low) / 10.0), number)?;
    if high < low || step < 0.0 || (step == 0.0 && high > low) {
        return Err(wrong());
    }
    let steps = if high > low { (high - low) / step } else { 0.0 };
    if steps > MOST_POINTS {
        return Err(format!("`{text}` has more than {MOST_POINTS} points"));
    }
    // Whole multiples of the step, without the dust of adding up.
    let mut points: Vec<f64> = (0..=(steps + 1e-9) as usize).map(|point| tidy(low + step * point as f64)).collect();
    if points.last().is_none_or(|last| high - last > 1e-9) {
        points.push(high);
    }
    Ok(points)
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
    /// Whether the second config links it.
    pub linked: bool,
    /// How well the two match under the config that links them.
    pub grade: Grade,
    /// Field by field, under the second config.
    pub fields: Vec<FieldReason>,
}

/// The pairs that are linked under one of two settings and not under the other, in the order of the cases.
pub fn flips(
    cases: &[WhatIfCase],
    before: (&JudgeConfig, ValueReading),
    after: (&JudgeConfig, ValueReading),
) -> Vec<Flip> {
    let mut flips = Vec::new();
    for case in cases {
        let links = |(config, reading)| match_facts(&case.predicted, &case.gold, config, reading).links;
        let (old, new) = (links(before), links(after));
        let pair = |link: &super::matcher::Link| (link.predicted, link.gold);
        let matcher = Matcher::new(&case.predicted, &case.gold, after.0, after.1);
        for (list, other, linked) in [(&old, &new, false), (&new, &old, true)] {
            for link in list.iter().filter(|link| !other.iter().any(|same| pair(same) == pair(link))) {
                flips.push(Flip {
                    case: case.id.clone(),
                    model: case.model.clone(),
                    predicted_id: link.predicted_id.clone(),
                    gold_id: link.gold_id.clone(),
                    linked,
                    grade: link.grade,
                    fields: matcher.reasons(link.predicted, link.gold),
                });
            }
        }
    }
    flips
}
