//! `LinkAnswer`, what a model is asked for: the links between the facts; and `JudgeResult`, every fact with the label that
//! follows from them.

use super::config::JudgeConfig;
use super::fact::{CaseFacts, Fact};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::fmt;
use strum::IntoStaticStr;

/// The labelled facts of one case, from the links that a model or the rules gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgeResult {
    /// The gold facts with their labels.
    pub gold_facts: Vec<GoldLabel>,
    /// The predicted facts with their labels.
    pub predicted_facts: Vec<PredictedLabel>,
    /// What the judge has to say.
    #[serde(default)]
    pub notes: Option<String>,
}

/// A gold fact with its label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoldLabel {
    /// Its id.
    pub id: String,
    /// Its type.
    pub fact_type: String,
    /// What it says.
    pub fields: Map<String, Value>,
    /// Whether its type is judged.
    pub in_scope: bool,
    /// The predictions that state it.
    pub matched_prediction_ids: Vec<String>,
    /// Found or missed; nothing where it is out of scope.
    pub status: Option<GoldStatus>,
}

/// A predicted fact with its label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedLabel {
    /// Its id.
    pub id: String,
    /// Its type.
    pub fact_type: String,
    /// What it says.
    pub fields: Map<String, Value>,
    /// Whether its type is judged.
    pub in_scope: bool,
    /// The gold facts it states.
    pub matched_gold_ids: Vec<String>,
    /// Right or wrong; nothing where it is out of scope.
    pub status: Option<PredictedStatus>,
}

/// What became of a gold fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoldStatus {
    /// A prediction states it.
    #[serde(rename = "TP")]
    TruePositive,
    /// No prediction states it.
    #[serde(rename = "FN")]
    FalseNegative,
}

/// What a predicted fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PredictedStatus {
    /// It states a gold fact.
    #[serde(rename = "TP")]
    TruePositive,
    /// It states none.
    #[serde(rename = "FP")]
    FalsePositive,
}

impl JudgeResult {
    /// The JSON Schema of labelled facts.
    pub fn schema() -> Value {
        let ids = |about: &str| json!({"type": "array", "items": {"type": "string"}, "description": about});
        let fact = |links: &str, about: &str, statuses: Value| {
            json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["id", "fact_type", "fields", "in_scope", links, "status"],
                "properties": {
                    "id": {"type": "string", "description": "The id as given."},
                    "fact_type": {"type": "string", "description": "The type as given."},
                    "fields": {"type": "object", "properties": {}, "additionalProperties": true, "description": "The fields as given."},
                    "in_scope": {"type": "boolean", "description": "Whether judge_config puts this type in scope."},
                    links: ids(about),
                    "status": {"enum": statuses, "description": "null where the fact is out of scope."},
                },
            })
        };
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["gold_facts", "predicted_facts"],
            "properties": {
                "gold_facts": {"type": "array", "items": fact("matched_prediction_ids", "The predictions that state this fact.", json!(["TP", "FN", null]))},
                "predicted_facts": {"type": "array", "items": fact("matched_gold_ids", "The gold facts this prediction states.", json!(["TP", "FP", null]))},
                "notes": {"type": ["string", "null"], "description": "Anything a reader should know."},
            },
        })
    }
}

/// What a model answers: for every prediction in scope, the gold facts it states. All else is known or follows from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkAnswer {
    /// The gold facts, where the model had to derive them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold_facts: Option<Vec<Fact>>,
    /// The predictions in scope.
    pub predicted_facts: Vec<LinkedFact>,
    /// What the judge has to say.
    #[serde(default)]
    pub notes: Option<String>,
}

/// A prediction with its links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkedFact {
    /// Its id.
    pub id: String,
    /// The gold facts it states.
    pub matched_gold_ids: Vec<String>,
}

/// More ids than this are not listed in a schema, as providers limit its size; they are checked all the same.
const MOST_LISTED: usize = 400;

impl LinkAnswer {
    /// The JSON Schema of an answer about these facts. The ids in scope are the only ones it allows.
    pub fn schema(facts: &CaseFacts, config: &JudgeConfig) -> Value {
        let (predicted, gold) =
            (ids_in_scope(&facts.predicted, config), facts.gold.as_deref().map(|gold| ids_in_scope(gold, config)));
        let ids = predicted.len() + gold.as_ref().map_or(0, Vec::len);
        let listed = ids <= MOST_LISTED && predicted.iter().chain(gold.iter().flatten()).all(|id| is_a_word(id));
        let id = |ids: &[&str], about: &str| {
            let mut schema = json!({"type": "string", "description": about});
            if listed && !ids.is_empty() {
                schema["enum"] = json!(ids);
            }
            schema
        };
        let links = json!({
            "type": "array",
            "items": id(gold.as_deref().unwrap_or_default(), "The id of a gold fact."),
            "description": "The gold facts this prediction states; empty where it states none.",
        });
        let object = |properties: Value| {
            let required: Vec<&String> = properties.as_object().into_iter().flatten().map(|(name, _)| name).collect();
            json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
        };
        let prediction =
            object(json!({"id": id(&predicted, "The id of a predicted fact."), "matched_gold_ids": links}));
        let mut properties = Map::new();
        if facts.gold.is_none() {
            let fact = object(json!({
                "id": {"type": "string", "description": "g1, g2, g3 and so on."},
                "fact_type": {"type": "string"},
                "fields": {"type": "object", "properties": {}, "additionalProperties": true},
            }));
            let about = "The facts that the transcript states.";
            properties.insert("gold_facts".into(), json!({"type": "array", "items": fact, "description": about}));
        }
        let about = "Every predicted fact in scope, once.";
        properties
            .insert("predicted_facts".into(), json!({"type": "array", "items": prediction, "description": about}));
        let notes = json!({"type": ["string", "null"], "description": "Anything a reader should know."});
        properties.insert("notes".into(), notes);
        object(Value::Object(properties))
    }

    /// The links of labelled facts.
    pub(super) fn of(result: &JudgeResult) -> Self {
        let in_scope = result.predicted_facts.iter().filter(|label| label.in_scope);
        let linked = |label: &PredictedLabel| LinkedFact {
            id: label.id.clone(),
            matched_gold_ids: label.matched_gold_ids.clone(),
        };
        Self { gold_facts: None, predicted_facts: in_scope.map(linked).collect(), notes: result.notes.clone() }
    }

    /// The labels that follow. The answer must have no violations.
    pub(super) fn result(self, facts: &CaseFacts, config: &JudgeConfig) -> JudgeResult {
        let gold = facts.gold.clone().or(self.gold_facts).unwrap_or_default();
        let mut links: HashMap<String, Vec<String>> =
            self.predicted_facts.into_iter().map(|fact| (fact.id, fact.matched_gold_ids)).collect();
        let mut back: HashMap<String, Vec<String>> = HashMap::new();
        let predicted_facts = facts.predicted.iter().map(|fact| {
            let in_scope = config.in_scope(&fact.fact_type);
            let matched_gold_ids = links.remove(&fact.id).filter(|_| in_scope).unwrap_or_default();
            for gold in &matched_gold_ids {
                back.entry(gold.clone()).or_default().push(fact.id.clone());
            }
            let status = if matched_gold_ids.is_empty() {
                PredictedStatus::FalsePositive
            } else {
                PredictedStatus::TruePositive
            };
            let Fact { id, fact_type, fields } = fact.clone();
            PredictedLabel { id, fact_type, fields, in_scope, matched_gold_ids, status: in_scope.then_some(status) }
        });
        let predicted_facts = predicted_facts.collect();
        let gold_facts = gold.into_iter().map(|fact| {
            let in_scope = config.in_scope(&fact.fact_type);
            let matched_prediction_ids = back.remove(&fact.id).filter(|_| in_scope).unwrap_or_default();
            let status =
                if matched_prediction_ids.is_empty() { GoldStatus::FalseNegative } else { GoldStatus::TruePositive };
            let Fact { id, fact_type, fields } = fact;
            GoldLabel { id, fact_type, fields, in_scope, matched_prediction_ids, status: in_scope.then_some(status) }
        });
        JudgeResult { gold_facts: gold_facts.collect(), predicted_facts, notes: self.notes }
    }

    /// Everything that makes this answer unbelievable for a case under a config.
    pub fn violations(&self, facts: &CaseFacts, config: &JudgeConfig) -> Vec<Violation> {
        let mut found = Vec::new();
        let derived = self.gold_facts.as_deref().filter(|_| facts.gold.is_none()).unwrap_or_default();
        let mut seen = HashSet::new();
        for fact in derived.iter().filter(|fact| !seen.insert(fact.id.as_str())) {
            found.push(Violation::RepeatedFact { list: "gold_facts", id: fact.id.clone() });
        }
        let list = "predicted_facts";
        let given: HashSet<&str> = ids_in_scope(&facts.predicted, config).into_iter().collect();
        let gold: HashSet<&str> = ids_in_scope(facts.gold.as_deref().unwrap_or(derived), config).into_iter().collect();
        let mut seen = HashSet::new();
        for LinkedFact { id, matched_gold_ids } in &self.predicted_facts {
            if !given.contains(id.as_str()) {
                found.push(Violation::InventedFact { list, id: id.clone() });
                continue;
            }
            if !seen.insert(id.as_str()) {
                found.push(Violation::RepeatedFact { list, id: id.clone() });
                continue;
            }
            let mut linked = HashSet::new();
            for to in matched_gold_ids {
                if !gold.contains(to.as_str()) {
                    found.push(Violation::InventedLink { id: id.clone(), to: to.clone() });
                } else if !linked.insert(to) {
                    found.push(Violation::RepeatedLink { id: id.clone(), to: to.clone() });
                }
            }
        }
        let in_scope = facts.predicted.iter().filter(|fact| config.in_scope(&fact.fact_type));
        for fact in in_scope.filter(|fact| !seen.contains(fact.id.as_str())) {
            found.push(Violation::MissingFact { id: fact.id.clone() });
        }
        found
    }
}

/// Whether an id is one word: the schema is not fenced as the case is, and takes no sentence from it.
fn is_a_word(id: &str) -> bool {
    const LONGEST: usize = 64;
    id.len() <= LONGEST && id.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '#'))
}

fn ids_in_scope<'f>(facts: &'f [Fact], config: &JudgeConfig) -> Vec<&'f str> {
    facts.iter().filter(|fact| config.in_scope(&fact.fact_type)).map(|fact| fact.id.as_str()).collect()
}

/// One thing that is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Violation {
    /// A given fact in scope is not listed.
    MissingFact {
        /// The fact.
        id: String,
    },
    /// A fact is listed twice.
    RepeatedFact {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
    },
    /// A fact that was not given, or is out of scope.
    InventedFact {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
    },
    /// A link to a fact that is not there, or is out of scope.
    InventedLink {
        /// The fact.
        id: String,
        /// What it is linked to.
        to: String,
    },
    /// The same link twice.
    RepeatedLink {
        /// The fact.
        id: String,
        /// What it is linked to.
        to: String,
    },
}

impl Violation {
    /// The name of this kind of violation.
    pub fn name(&self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name())?;
        match self {
            Self::MissingFact { id } => {
                write!(f, "`predicted_facts` does not list `{id}`; list every predicted fact in scope exactly once")
            }
            Self::RepeatedFact { list, id } => write!(f, "`{list}` lists the fact `{id}` more than once"),
            Self::InventedFact { list, id } => {
                write!(f, "`{list}` lists the id `{id}`, which is not the id of a given fact in scope")
            }
            Self::InventedLink { id, to } => {
                write!(f, "the fact `{id}` is matched with `{to}`, and there is no such gold fact in scope")
            }
            Self::RepeatedLink { id, to } => write!(f, "the fact `{id}` is matched with `{to}` twice"),
        }
    }
}
