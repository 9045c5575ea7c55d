//! Facts as a case gives them: an id, a type, and fields.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// One fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Its name, unique on its side of the case.
    pub id: String,
    /// What kind of fact it is, such as `assets`.
    pub fact_type: String,
    /// What it says.
    pub fields: Map<String, Value>,
}

/// Reads a list of facts. All that is wrong is said, in sentences.
pub fn read_facts(input: &str, value: &Value) -> Result<Vec<Fact>, Vec<String>> {
    let Some(items) = value.as_array() else { return Err(vec![format!("`{input}` must be a list of facts")]) };
    let (mut facts, mut wrong) = (Vec::with_capacity(items.len()), Vec::new());
    let mut ids = HashSet::new();
    for (place, item) in items.iter().enumerate() {
        let place = place + 1;
        let Some(entry) = item.as_object() else {
            wrong.push(format!("fact {place} of `{input}` must be an object with `id`, `fact_type` and `fields`"));
            continue;
        };
        let id = match entry.get("id") {
            Some(Value::String(id)) if !id.trim().is_empty() => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => {
                wrong.push(format!("fact {place} of `{input}` has no `id`"));
                continue;
            }
        };
        let fact_type = entry.get("fact_type").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
        let fields = match entry.get("fields") {
            Some(Value::Object(fields)) => Some(fields.clone()),
            None | Some(Value::Null) => Some(Map::new()),
            Some(_) => None,
        };
        if fact_type.is_none() {
            wrong.push(format!("fact `{id}` of `{input}` has no `fact_type`"));
        }
        if fields.is_none() {
            wrong.push(format!("`fields` of fact `{id}` of `{input}` must be an object"));
        }
        if !ids.insert(id.clone()) {
            wrong.push(format!("the id `{id}` stands twice in `{input}`"));
        }
        if let (Some(fact_type), Some(fields)) = (fact_type, fields) {
            facts.push(Fact { id, fact_type: fact_type.to_owned(), fields });
        }
    }
    if wrong.is_empty() { Ok(facts) } else { Err(wrong) }
}

/// The facts of a case: what was extracted, and what is true where somebody wrote it down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseFacts {
    /// What the system under test extracted.
    pub predicted: Vec<Fact>,
    /// What is true; `None` where the judge has to find it out.
    pub gold: Option<Vec<Fact>>,
}

impl CaseFacts {
    /// The facts of a case, or what is wrong with them.
    pub fn of(inputs: &Map<String, Value>) -> Result<Self, Vec<String>> {
        let mut wrong = Vec::new();
        let mut side = |input: &str, value: &Value| read_facts(input, value).map_err(|more| wrong.extend(more)).ok();
        let predicted = side("predicted_facts", inputs.get("predicted_facts").unwrap_or(&Value::Null));
        let gold = inputs.get("gold_facts").map(|value| side("gold_facts", value).unwrap_or_default());
        match predicted {
            Some(predicted) if wrong.is_empty() => Ok(Self { predicted, gold }),
            _ => Err(wrong),
        }
    }
}
