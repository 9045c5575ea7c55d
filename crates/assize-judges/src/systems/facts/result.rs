//! `JudgeResult`: every fact with its label and its links, and what makes such a result unbelievable.

use super::config::{JudgeConfig, type_key};
use super::fact::{CaseFacts, Fact};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use strum::IntoStaticStr;

/// What a judge, a model or the rules, makes of one case.
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
    /// The JSON Schema of an answer.
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

    /// Puts what the case says of a fact in the place of what the judge repeated of it. Only labels and links are the
    /// judge's to give; derived gold facts are its own.
    pub(super) fn restore(&mut self, facts: &CaseFacts) {
        let predicted: HashMap<&str, &Fact> = facts.predicted.iter().map(|fact| (fact.id.as_str(), fact)).collect();
        for label in &mut self.predicted_facts {
            if let Some(fact) = predicted.get(label.id.as_str()) {
                label.fact_type.clone_from(&fact.fact_type);
                label.fields.clone_from(&fact.fields);
            }
        }
        let gold: HashMap<&str, &Fact> = facts.gold.iter().flatten().map(|fact| (fact.id.as_str(), fact)).collect();
        for label in &mut self.gold_facts {
            if let Some(fact) = gold.get(label.id.as_str()) {
                label.fact_type.clone_from(&fact.fact_type);
                label.fields.clone_from(&fact.fields);
            }
        }
    }

    /// Everything that makes this result unbelievable for a case under a config.
    pub fn violations(&self, facts: &CaseFacts, config: &JudgeConfig) -> Vec<Violation> {
        let mut found = Vec::new();
        let gold: Vec<Label<'_>> = self.gold_facts.iter().map(Label::of_gold).collect();
        let predicted: Vec<Label<'_>> = self.predicted_facts.iter().map(Label::of_predicted).collect();
        check_side("predicted_facts", &predicted, Some(&facts.predicted), config, &mut found);
        check_side("gold_facts", &gold, facts.gold.as_deref(), config, &mut found);
        check_links("predicted_facts", &predicted, &gold, &mut found);
        check_links("gold_facts", &gold, &predicted, &mut found);
        found
    }
}

/// One thing that is wrong with a result.
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Violation {
    /// A given fact has no label.
    MissingFact {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
    },
    /// A fact has two labels.
    RepeatedFact {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
    },
    /// A label for a fact that was not given.
    InventedFact {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
    },
    /// A fact of another type than was given.
    ChangedType {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
        /// The type as given.
        given: String,
    },
    /// A link to a fact that is not there.
    InventedLink {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
        /// What it is linked to.
        to: String,
    },
    /// The same link twice.
    RepeatedLink {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
        /// What it is linked to.
        to: String,
    },
    /// A link that the other side does not have.
    AsymmetricLink {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
        /// What it is linked to.
        to: String,
    },
    /// A match with nothing that it matches.
    MatchWithoutLink {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
    },
    /// No match, with something that it matches.
    LinkWithoutMatch {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
        /// Its status.
        status: &'static str,
    },
    /// A fact in scope with no status.
    Unlabelled {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
    },
    /// A fact said to be in scope that is not, or the reverse.
    WrongScope {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
        /// What is right.
        in_scope: bool,
    },
    /// A fact out of scope with a status or a link.
    LabelledOutOfScope {
        /// The list.
        list: &'static str,
        /// The fact.
        id: String,
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
            Self::MissingFact { list, id } => {
                write!(f, "`{list}` has no label for the given fact `{id}`; every given fact is labelled exactly once")
            }
            Self::RepeatedFact { list, id } => write!(f, "`{list}` labels the fact `{id}` more than once"),
            Self::InventedFact { list, id } => write!(f, "`{list}` holds the id `{id}`, which was not given"),
            Self::ChangedType { list, id, given } => {
                write!(f, "the fact `{id}` in `{list}` was given with the fact_type `{given}`, which must stay")
            }
            Self::InventedLink { list, id, to } => {
                write!(f, "the fact `{id}` in `{list}` is matched with `{to}`, and there is no such fact")
            }
            Self::RepeatedLink { list, id, to } => {
                write!(f, "the fact `{id}` in `{list}` is matched with `{to}` twice")
            }
            Self::AsymmetricLink { list, id, to } => write!(
                f,
                "the fact `{id}` in `{list}` is matched with `{to}`, but `{to}` is not matched with `{id}`; every link stands on both sides"
            ),
            Self::MatchWithoutLink { list, id } => {
                write!(f, "the fact `{id}` in `{list}` is TP and is matched with nothing")
            }
            Self::LinkWithoutMatch { list, id, status } => {
                write!(f, "the fact `{id}` in `{list}` is {status} and yet matched with a fact")
            }
            Self::Unlabelled { list, id } => write!(f, "the fact `{id}` in `{list}` is in scope and has no status"),
            Self::WrongScope { list, id, in_scope } => {
                write!(f, "the fact `{id}` in `{list}` must have in_scope {in_scope} by fact_types_in_scope")
            }
            Self::LabelledOutOfScope { list, id } => {
                write!(f, "the fact `{id}` in `{list}` is out of scope: its status must be null and its links empty")
            }
        }
    }
}

/// A label of either side.
struct Label<'r> {
    id: &'r str,
    fact_type: &'r str,
    in_scope: bool,
    links: &'r [String],
    status: Option<&'static str>,
}

impl<'r> Label<'r> {
    fn of_gold(label: &'r GoldLabel) -> Self {
        let status = label.status.map(|status| match status {
            GoldStatus::TruePositive => "TP",
            GoldStatus::FalseNegative => "FN",
        });
        let GoldLabel { id, fact_type, in_scope, matched_prediction_ids, .. } = label;
        Self { id, fact_type, in_scope: *in_scope, links: matched_prediction_ids, status }
    }

    fn of_predicted(label: &'r PredictedLabel) -> Self {
        let status = label.status.map(|status| match status {
            PredictedStatus::TruePositive => "TP",
            PredictedStatus::FalsePositive => "FP",
        });
        let PredictedLabel { id, fact_type, in_scope, matched_gold_ids, .. } = label;
        Self { id, fact_type, in_scope: *in_scope, links: matched_gold_ids, status }
    }
}

/// Facts, scope and status of one side. `given` is `None` where the judge derived them itself.
fn check_side(
    list: &'static str,
    labels: &[Label<'_>],
    given: Option<&[Fact]>,
    config: &JudgeConfig,
    found: &mut Vec<Violation>,
) {
    let types: Option<HashMap<&str, &str>> =
        given.map(|facts| facts.iter().map(|fact| (fact.id.as_str(), fact.fact_type.as_str())).collect());
    let mut seen = HashSet::new();
    for label in labels {
        let id = label.id.to_owned();
        if !seen.insert(label.id) {
            found.push(Violation::RepeatedFact { list, id });
            continue;
        }
        let mut fact_type = label.fact_type;
        if let Some(types) = &types {
            let Some(given) = types.get(label.id) else {
                found.push(Violation::InventedFact { list, id });
                continue;
            };
            if type_key(given) != type_key(fact_type) {
                found.push(Violation::ChangedType { list, id: id.clone(), given: (*given).to_owned() });
            }
            fact_type = given;
        }
        let in_scope = config.in_scope(fact_type);
        if label.in_scope != in_scope {
            found.push(Violation::WrongScope { list, id: id.clone(), in_scope });
        }
        if !in_scope {
            if label.status.is_some() || !label.links.is_empty() {
                found.push(Violation::LabelledOutOfScope { list, id });
            }
            continue;
        }
        match label.status {
            None => found.push(Violation::Unlabelled { list, id }),
            Some("TP") if label.links.is_empty() => found.push(Violation::MatchWithoutLink { list, id }),
            Some(status) if status != "TP" && !label.links.is_empty() => {
                found.push(Violation::LinkWithoutMatch { list, id, status })
            }
            Some(_) => {}
        }
    }
    for fact in given.unwrap_or_default().iter().filter(|fact| !seen.contains(fact.id.as_str())) {
        found.push(Violation::MissingFact { list, id: fact.id.clone() });
    }
}

fn check_links(list: &'static str, labels: &[Label<'_>], others: &[Label<'_>], found: &mut Vec<Violation>) {
    let by_id: HashMap<&str, HashSet<&str>> =
        others.iter().map(|label| (label.id, label.links.iter().map(String::as_str).collect())).collect();
    for label in labels {
        let mut seen = BTreeSet::new();
        for to in label.links {
            let (id, to_owned) = (label.id.to_owned(), to.clone());
            if !seen.insert(to) {
                found.push(Violation::RepeatedLink { list, id, to: to_owned });
                continue;
            }
            match by_id.get(to.as_str()) {
                None => found.push(Violation::InventedLink { list, id, to: to_owned }),
                Some(back) if !back.contains(label.id) => {
                    found.push(Violation::AsymmetricLink { list, id, to: to_owned })
                }
                Some(_) => {}
            }
        }
    }
}
