//! Facts made ready to be compared many times: values read once, fields in one order.

use crate::systems::facts::config::{JudgeConfig, type_key};
use crate::systems::facts::fact::Fact;
use crate::systems::facts::settings::ValueReading;
use assize_metrics::values::{self, Field, Prepared, Record};
use serde_json::Value;
use std::collections::HashMap;

/// A fact with its values read.
pub(super) struct PreparedFact {
    pub(super) type_key: String,
    pub(super) in_scope: bool,
    /// The fields that are there.
    pub(super) record: Record,
    /// The names as written, by the names under which they are compared.
    pub(super) written: HashMap<String, String>,
    /// Facts can only match where this is the same: the names of the fields that must match.
    pub(super) block: String,
}

impl PreparedFact {
    pub(super) fn of(fact: &Fact, config: &JudgeConfig, reading: ValueReading) -> Self {
        let keys: Vec<String> = config.key_fields(&fact.fact_type).iter().map(|name| type_key(name)).collect();
        let lone_identifier = fact.fields.len() == 1 && is_identifier(&type_key(&fact.fact_type));
        let mut written = HashMap::new();
        let fields = fact.fields.iter().map(|(as_written, value)| {
            let name = type_key(as_written);
            written.insert(name.clone(), as_written.clone());
            let reading = reading.of_field(lone_identifier || is_identifier(&name));
            Field { required: keys.contains(&name), value: Prepared::of(&convert(value), reading), name }
        });
        let record = Record::of(fields.collect());
        let must = |field: &&Field| config.require_all_fields_match || field.required;
        let names: Vec<&str> = record.fields().iter().filter(must).map(|field| field.name.as_str()).collect();
        let block = names.join("\u{1f}");
        Self { type_key: type_key(&fact.fact_type), in_scope: config.in_scope(&fact.fact_type), record, written, block }
    }
}

/// Whether a field of this name holds a name made of digits, not an amount.
fn is_identifier(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "phone",
        "telephone",
        "mobile",
        "fax",
        "zip",
        "postcode",
        "iban",
        "bic",
        "swift",
        "ssn",
        "nino",
        "isin",
        "id",
        "reference",
        "ref",
        "pin",
        "sku",
        "passport",
    ];
    const ENDINGS: &[&str] = &["number", "code", "no"];
    // The last word says what it is: a phone bill is an amount.
    let mut words = name.rsplit(' ');
    let last = words.next().unwrap_or_default();
    WORDS.contains(&last) || (words.next().is_some() && ENDINGS.contains(&last))
}

fn convert(value: &Value) -> values::Value {
    match value {
        Value::Null => values::Value::Absent,
        Value::Bool(truth) => values::Value::Truth(*truth),
        Value::Number(number) => values::Value::Number(number.to_string()),
        Value::String(text) => values::Value::Text(text.clone()),
        Value::Array(items) => values::Value::List(items.iter().map(convert).collect()),
        Value::Object(members) => {
            values::Value::Map(members.iter().map(|(name, value)| (name.clone(), convert(value))).collect())
        }
    }
}
