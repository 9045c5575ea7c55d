//! What if: composite and verdict under other weights, from the scores as they were given.
//!
//! No score is given anew. How texts are normalised reaches the error rates and critical differences that code finds and the
//! rules that stand in for a model, not what is stored, so it changes nothing here.

use super::BuiltIn;
use super::condition::{Bounds, Figures};
use super::measure::CRITICAL;
use super::score::{first_holding, weigh};
use super::settings::{self, Settings};
use super::spec::CriteriaSpec;
use assize_core::document::{Node, Problems, Span};
use assize_core::judgment::tidy;
use assize_core::number::capitalised;
use assize_core::settings::with_defaults;
use assize_core::what_if::{
    ByModel, Change, Column, Direction, Figure, Flip, FlipReason, Flipped, ModelFigures, Terms,
};
use assize_core::{Case, InputSpec, JudgeSystem, Judgment, OpenWhatIf, Unit, WhatIf, number};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

impl WhatIf for BuiltIn {
    fn inputs(&self) -> Vec<InputSpec> {
        self.spec().case_inputs()
    }

    fn needs_judgments(&self) -> bool {
        true
    }

    fn terms(&self) -> Terms {
        let spec = self.spec();
        let mut columns = vec![Column::new(&spec.composite.name, label(&spec.composite.name), Unit::Score)];
        columns.extend(
            spec.verdicts.iter().map(|rule| Column::new(share(&rule.verdict), label(&rule.verdict), Unit::Score)),
        );
        Terms {
            title: "What these weights make of it",
            how: "The scores are as they were given; composite and verdicts are worked out anew, and no model is asked.",
            columns,
            headline: spec.composite.name,
            breakdowns: Vec::new(),
            flipping: if spec.verdicts.is_empty() { "case" } else { "verdict" },
            gained: "now given",
            lost: "no longer",
            left_out: "not judged",
            none: "None of these cases was judged.",
            with_model: "What it asks and costs is shown before anything is asked.",
        }
    }

    fn open(&self, recorded: &Value, problems: &mut Problems) -> Option<Box<dyn OpenWhatIf>> {
        let spec = self.spec();
        let whole = with_defaults(&self.profile_schema(), recorded);
        read(&whole, &spec, problems)?;
        Some(Box::new(OpenCriteria { spec, whole, cases: Vec::new() }))
    }
}

/// The name of a verdict's share among the figures.
fn share(verdict: &str) -> String {
    format!("{verdict}_rate")
}

/// `needs_revision` as a person says it.
fn label(name: &str) -> String {
    capitalised(&name.replace('_', " "))
}

fn read(settings: &Value, spec: &CriteriaSpec, problems: &mut Problems) -> Option<Settings> {
    let node = (!settings.is_null()).then(|| Node::of(settings, Span::at(1, 1)));
    settings::read(node.as_ref(), spec, problems)
}

/// A case with the scores it was given.
struct Scored {
    id: String,
    model: String,
    /// One for each criterion; `None` where it has no score.
    values: Vec<Option<f64>>,
    /// Whether it has a critical difference.
    critical: bool,
}

/// What weights make of a case.
struct Weighed<'s> {
    composite: Option<f64>,
    verdict: Option<&'s str>,
}

struct OpenCriteria {
    spec: CriteriaSpec,
    whole: Value,
    cases: Vec<Scored>,
}

impl OpenCriteria {
    fn settings_of(&self, settings: &Value) -> Result<Settings, String> {
        let mut problems = Problems::of("settings");
        let read = read(settings, &self.spec, &mut problems);
        let said = |problems: Problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        problems.into_result(read).map_err(said)
    }

    fn weigh(&self, case: &Scored, settings: &Settings) -> Weighed<'_> {
        let composite = weigh(&case.values, &settings.weights).less_critical(settings, case.critical);
        let criteria = case.values.iter().map(|value| Bounds::of(*value)).collect();
        let verdict = first_holding(&self.spec, &Figures { composite, criteria }).ok().flatten();
        Weighed { composite: composite.exact(), verdict: verdict.map(|rule| rule.verdict.as_str()) }
    }

    fn flip(&self, case: &Scored, was: &Weighed<'_>, is: &Weighed<'_>) -> Flip {
        let said = |verdict: Option<&str>| verdict.unwrap_or("no verdict").to_owned();
        Flip {
            case: case.id.clone(),
            model: case.model.clone(),
            item: String::new(),
            kind: None,
            from: said(was.verdict),
            to: said(is.verdict),
            direction: Direction::Other,
            reasons: vec![FlipReason {
                about: self.spec.composite.name.clone(),
                left: number::figure(was.composite),
                sign: "→".to_owned(),
                right: number::figure(is.composite),
                because: String::new(),
            }],
            details: Map::new(),
        }
    }
}

/// The figures of one model, in the making.
#[derive(Default)]
struct Sums<'s> {
    cases: u64,
    known: u64,
    composite: f64,
    verdicts: BTreeMap<&'s str, u64>,
}

impl<'s> Sums<'s> {
    fn add(&mut self, weighed: &Weighed<'s>) {
        self.cases += 1;
        if let Some(composite) = weighed.composite {
            self.known += 1;
            self.composite += composite;
        }
        if let Some(verdict) = weighed.verdict {
            *self.verdicts.entry(verdict).or_default() += 1;
        }
    }

    fn figures(&self, spec: &CriteriaSpec) -> ModelFigures {
        let ratio = |part: f64, whole: u64| Figure::Share((whole > 0).then(|| tidy(part / whole as f64)));
        let mut overall = vec![(spec.composite.name.clone(), ratio(self.composite, self.known))];
        overall.extend(spec.verdicts.iter().map(|rule| {
            let given = self.verdicts.get(rule.verdict.as_str()).copied().unwrap_or_default();
            (share(&rule.verdict), ratio(given as f64, self.cases))
        }));
        ModelFigures { overall: overall.into_iter().collect(), ..ModelFigures::default() }
    }
}

impl OpenWhatIf for OpenCriteria {
    fn settings(&self) -> &Value {
        &self.whole
    }

    fn take(&mut self, case: &Case, judgment: Option<&Judgment>) -> Result<bool, Vec<String>> {
        let Some(judgment) = judgment else { return Ok(false) };
        let values = self.spec.criteria.iter().map(|criterion| judgment.value(&criterion.name)).collect();
        let critical = judgment.value(CRITICAL).is_some_and(|differences| differences > 0.0);
        self.cases.push(Scored { id: case.name().into_owned(), model: case.model.to_string(), values, critical });
        Ok(true)
    }

    fn size(&self) -> usize {
        self.cases.len()
    }

    fn change(&self, before: &Value, after: &Value, listed: usize) -> Result<Change, String> {
        let (before, after) = (self.settings_of(before)?, self.settings_of(after)?);
        let mut sums: BTreeMap<&str, [Sums<'_>; 2]> = BTreeMap::new();
        let (mut flips, mut flipped) = (Vec::new(), Flipped::default());
        for case in &self.cases {
            let (was, is) = (self.weigh(case, &before), self.weigh(case, &after));
            let [old, new] = sums.entry(&case.model).or_default();
            old.add(&was);
            new.add(&is);
            if was.verdict != is.verdict {
                flipped.add(Direction::Other);
                if flips.len() < listed {
                    flips.push(self.flip(case, &was, &is));
                }
            }
        }
        let side = |side: usize| -> ByModel {
            sums.iter().map(|(model, sums)| ((*model).to_owned(), sums[side].figures(&self.spec))).collect()
        };
        Ok(Change { before: side(0), after: side(1), flips, flipped })
    }
}
