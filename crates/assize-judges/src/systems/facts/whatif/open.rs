//! The rule matcher under other settings, as every judge's what-if is asked for.

use super::{Flip, ModelFigures, WhatIfCase, change, recompute, sweep};
use crate::systems::facts::FactExtraction;
use crate::systems::facts::config::JudgeConfig;
use crate::systems::facts::fact::CaseFacts;
use crate::systems::facts::matcher::{FieldReason, convert};
use crate::systems::facts::measure::Figures;
use crate::systems::facts::reading::ValueReading;
use crate::systems::facts::settings::read_recorded;
use assize_core::document::Problems;
use assize_core::what_if::{
    self, BreakdownTerms, ByModel, Change, Column, Direction, Figure, FlipReason, Flipped, SweepPoint, Terms,
};
use assize_core::{Case, InputKind, InputSpec, Judgment, OpenWhatIf, Unit, WhatIf};
use assize_metrics::values::Evidence;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The breakdown of the figures by fact type.
const BY_TYPE: &str = "by_type";

impl WhatIf for FactExtraction {
    fn inputs(&self) -> Vec<InputSpec> {
        vec![
            InputSpec::optional("transcript", InputKind::Any, "the conversation"),
            InputSpec::required("predicted_facts", InputKind::List, "what was extracted"),
            InputSpec::required("gold_facts", InputKind::List, "what is true"),
        ]
    }

    fn terms(&self) -> Terms {
        let share = |name: &str, label: &str| Column::new(name, label, Unit::Score);
        let count = |name: &str, label: &str| Column::new(name, label, Unit::Count);
        Terms {
            title: "What the rules make of it",
            how: "By rules alone, no model is asked.",
            columns: vec![
                share("precision", "Precision"),
                share("recall", "Recall"),
                share("f1", "F1"),
                count("tp_predicted", "TP"),
                count("fp", "FP").lower_is_better(),
                count("fn", "FN").lower_is_better(),
            ],
            headline: "f1".to_owned(),
            breakdowns: vec![BreakdownTerms { name: BY_TYPE, title: "By fact type", part: "Type" }],
            flipping: "pair",
            gained: "now a match",
            lost: "no longer",
            left_out: "without gold facts",
            none: "None of these cases has gold facts, and rules cannot derive them.",
            with_model: "The rules above see no meaning. A model labels the facts by the same settings; the figures are counted in the same way.",
        }
    }

    fn open(&self, recorded: &Value, problems: &mut Problems) -> Option<Box<dyn OpenWhatIf>> {
        let config = read_recorded(recorded, problems)?;
        Some(Box::new(OpenFacts {
            reading: config.reading,
            evidence: Evidence::default(),
            whole: json!(config),
            cases: Vec::new(),
            size: 0,
            types: Vec::new(),
        }))
    }
}

/// Cases with gold facts, their values read.
struct OpenFacts {
    /// How the values of the cases are read.
    reading: ValueReading,
    /// What the gold facts show of how values are written.
    evidence: Evidence,
    /// The settings.
    whole: Value,
    cases: Vec<WhatIfCase>,
    /// How many facts they have.
    size: usize,
    /// The fact types that occur, each with the names of its fields.
    types: Vec<(String, Vec<String>)>,
}

impl OpenFacts {
    /// The cases with their values read in this way; what is to be inferred follows from the cases.
    fn read(&self, reading: ValueReading) -> Cow<'_, [WhatIfCase]> {
        let reading = reading.settled(&self.evidence);
        if reading == self.reading {
            return Cow::Borrowed(&self.cases);
        }
        self.cases.iter().map(|case| case.read_again(reading)).collect()
    }

    fn note_type(&mut self, fact_type: &str, fields: &Map<String, Value>) {
        let known = self.types.iter().position(|(name, _)| name == fact_type);
        let place = known.unwrap_or_else(|| {
            self.types.push((fact_type.to_owned(), Vec::new()));
            self.types.len() - 1
        });
        let names = &mut self.types[place].1;
        for name in fields.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
}

impl OpenWhatIf for OpenFacts {
    fn settings(&self) -> &Value {
        &self.whole
    }

    fn take(&mut self, case: &Case, _: Option<&Judgment>) -> Result<bool, Vec<String>> {
        let CaseFacts { predicted, gold } = CaseFacts::of(&case.inputs)?;
        let Some(gold) = gold else { return Ok(false) };
        self.size += predicted.len() + gold.len();
        for fact in gold.iter().chain(&predicted) {
            self.note_type(&fact.fact_type, &fact.fields);
        }
        gold.iter().flat_map(|fact| fact.fields.values()).for_each(|value| self.evidence.see(&convert(value)));
        let (id, model) = (case.id.clone(), case.model.to_string());
        self.cases.push(WhatIfCase::of_facts(id, model, predicted, gold, self.reading));
        Ok(true)
    }

    fn size(&self) -> usize {
        self.size
    }

    fn names(&self) -> &[(String, Vec<String>)] {
        &self.types
    }

    fn change(&self, before: &Value, after: &Value, listed: usize) -> Result<Change, String> {
        let (before, after) = (config(before)?, config(after)?);
        let (old, new) = (self.read(before.reading), self.read(after.reading));
        let found = change((&old, &before), (&new, &after));
        let mut flipped = Flipped::default();
        found.flips.iter().for_each(|flip| flipped.add(direction(flip)));
        Ok(Change {
            before: by_model(found.before),
            after: by_model(found.after),
            flips: found.flips.into_iter().take(listed).map(told).collect(),
            flipped,
        })
    }

    fn sweep(&self, steps: &[(f64, Value)]) -> Result<Vec<SweepPoint>, String> {
        let configs: Vec<(f64, JudgeConfig)> =
            steps.iter().map(|(value, settings)| Ok((*value, config(settings)?))).collect::<Result<_, String>>()?;
        let points = if differ_in_tolerance_alone(&configs) {
            let reading = configs.first().map_or(self.reading, |(_, config)| config.reading);
            sweep(&self.read(reading), &configs)
        } else {
            let point = |(value, config): &(f64, JudgeConfig)| super::SweepPoint {
                value: *value,
                models: recompute(&self.read(config.reading), config),
            };
            configs.iter().map(point).collect()
        };
        Ok(points.into_iter().map(|point| SweepPoint { value: point.value, models: by_model(point.models) }).collect())
    }
}

fn config(settings: &Value) -> Result<JudgeConfig, String> {
    serde_json::from_value(settings.clone()).map_err(|error| format!("this is no whole judge_config: {error}"))
}

/// Whether the steps are such that what holds at two of them holds between.
fn differ_in_tolerance_alone(steps: &[(f64, JudgeConfig)]) -> bool {
    steps.windows(2).all(|pair| {
        let (one, other) = (&pair[0].1, &pair[1].1);
        let tolerance = one.numeric_tolerance_percent;
        tolerance <= other.numeric_tolerance_percent
            && *one == JudgeConfig { numeric_tolerance_percent: tolerance, ..other.clone() }
    })
}

fn by_model(models: BTreeMap<String, ModelFigures>) -> ByModel {
    let plain = |figures: ModelFigures| {
        let by_type = figures.by_type.iter().map(|(name, figures)| (name.clone(), by_name(figures))).collect();
        what_if::ModelFigures {
            overall: by_name(&figures.overall),
            breakdowns: [(BY_TYPE.to_owned(), by_type)].into_iter().collect(),
        }
    };
    models.into_iter().map(|(model, figures)| (model, plain(figures))).collect()
}

fn by_name(figures: &Figures) -> what_if::Figures {
    let counts = figures.counts;
    let named = [
        ("precision", Figure::Share(figures.precision)),
        ("recall", Figure::Share(figures.recall)),
        ("f1", Figure::Share(figures.f1)),
        ("hallucination_rate", Figure::Share(figures.hallucination_rate)),
        ("coverage", Figure::Share(figures.coverage)),
        ("tp_predicted", Figure::Count(counts.tp_predicted)),
        ("fp", Figure::Count(counts.fp)),
        ("tp_gold", Figure::Count(counts.tp_gold)),
        ("fn", Figure::Count(counts.fn_)),
    ];
    named.into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect()
}

fn direction(flip: &Flip) -> Direction {
    if flip.linked { Direction::Gained } else { Direction::Lost }
}

fn told(flip: Flip) -> what_if::Flip {
    let direction = direction(&flip);
    let (from, to) = if flip.linked { ("no match", "match") } else { ("match", "no match") };
    let item = format!("{} ↔ {}", flip.predicted_id, flip.gold_id);
    // What is the same to the letter explains nothing.
    let telling = flip.fields.iter().filter(|field| field.predicted != field.gold);
    let reasons = telling.map(reason).collect();
    let details = json!({
        "predicted_id": flip.predicted_id, "gold_id": flip.gold_id, "fact_type": flip.fact_type,
        "linked": flip.linked, "grade": flip.grade, "fields": flip.fields,
    });
    let Value::Object(details) = details else { unreachable!("an object literal") };
    what_if::Flip {
        case: flip.case,
        model: flip.model,
        item,
        kind: Some(flip.fact_type),
        from: from.to_owned(),
        to: to.to_owned(),
        direction,
        reasons,
        details,
    }
}

fn reason(field: &FieldReason) -> FlipReason {
    FlipReason {
        about: if field.key { format!("{} (key)", field.field) } else { field.field.clone() },
        left: shown(&field.predicted),
        sign: if field.equal { "=" } else { "≠" }.to_owned(),
        right: shown(&field.gold),
        because: field.reason.to_string(),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    }
}
