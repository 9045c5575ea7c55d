//! What all cases of a suite together say: how their values are written, and whether the names in the settings occur.

use super::config::{JudgeConfig, KeyFields, type_key};
use super::fact::CaseFacts;
use super::matcher::convert;
use assize_core::document::closest;
use assize_core::{Case, Survey, Surveyed};
use assize_metrics::values::Evidence;
use indexmap::IndexMap;
use serde_json::{Map, json};

/// A survey in the making.
pub(super) struct FactSurvey {
    config: JudgeConfig,
    gold: Evidence,
    predicted: Evidence,
    /// The fact types as first written, each with the fields as first written, by their keys.
    types: IndexMap<String, (String, IndexMap<String, String>)>,
}

impl FactSurvey {
    pub(super) fn new(config: &JudgeConfig) -> Self {
        let (gold, predicted) = (Evidence::default(), Evidence::default());
        Self { config: config.clone(), gold, predicted, types: IndexMap::new() }
    }

    /// What a setting names and no fact has.
    fn warnings(&self) -> Vec<String> {
        let types: Vec<&str> = self.types.values().map(|(name, _)| name.as_str()).collect();
        let mut warnings = Vec::new();
        for name in self.config.fact_types_in_scope.iter().filter(|name| !self.types.contains_key(&type_key(name))) {
            warnings.push(unknown("fact_types_in_scope", "fact type", name, &types));
        }
        let of_type = |key: &str| self.types.get(key).into_iter().flat_map(|(_, fields)| fields);
        match &self.config.required_key_fields {
            KeyFields::All(names) => {
                let mut fields: IndexMap<&str, &str> = IndexMap::new();
                for (key, name) in self.types.keys().flat_map(|key| of_type(key)) {
                    fields.entry(key).or_insert(name);
                }
                let known: Vec<&str> = fields.values().copied().collect();
                let missing = names.iter().filter(|name| !fields.contains_key(type_key(name).as_str()));
                warnings.extend(missing.map(|name| unknown("required_key_fields", "field", name, &known)));
            }
            KeyFields::ByType(by_type) => {
                for (fact_type, names) in by_type {
                    let key = type_key(fact_type);
                    if !self.types.contains_key(&key) {
                        warnings.push(unknown("required_key_fields", "fact type", fact_type, &types));
                        continue;
                    }
                    let known: Vec<&str> = of_type(&key).map(|(_, name)| name.as_str()).collect();
                    let missing = names.iter().filter(|name| !of_type(&key).any(|(key, _)| *key == type_key(name)));
                    let what = format!("field of {fact_type}");
                    warnings.extend(missing.map(|name| unknown("required_key_fields", &what, name, &known)));
                }
            }
        }
        warnings
    }
}

fn unknown(setting: &str, what: &str, name: &str, known: &[&str]) -> String {
    let meant = closest(name, known.iter().copied());
    let meant = meant.map(|meant| format!(" (did you mean `{meant}`?)")).unwrap_or_default();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("`{setting}` names `{name}`, and no fact has this {what}{meant}; the cases have: {known}")
}

impl Survey for FactSurvey {
    fn see(&mut self, case: &Case) {
        let Ok(CaseFacts { predicted, gold }) = CaseFacts::of(&case.inputs) else { return };
        let sides = [(&mut self.predicted, predicted), (&mut self.gold, gold.unwrap_or_default())];
        for (evidence, facts) in sides {
            for fact in facts {
                let (_, fields) = self
                    .types
                    .entry(type_key(&fact.fact_type))
                    .or_insert_with(|| (fact.fact_type.clone(), IndexMap::new()));
                for (name, value) in &fact.fields {
                    fields.entry(type_key(name)).or_insert_with(|| name.clone());
                    evidence.see(&convert(value));
                }
            }
        }
    }

    /// The gold facts are the suite's own and the same for every system under test; only without them do predictions show how
    /// values are written.
    fn finish(self: Box<Self>) -> Surveyed {
        let evidence = if self.gold == Evidence::default() { &self.predicted } else { &self.gold };
        let settled = self.config.reading.settled(evidence);
        let mut settings = Map::new();
        if settled != self.config.reading {
            settings.insert("reading".to_owned(), json!(settled));
        }
        Surveyed { settings, warnings: self.warnings() }
    }
}
