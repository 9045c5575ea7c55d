//! Facts and configs made ready to be compared many times: values read once, names in one spelling.

use crate::systems::facts::config::{JudgeConfig, KeyFields, type_key};
use crate::systems::facts::fact::Fact;
use crate::systems::facts::reading::ValueReading;
use assize_metrics::values::{self, Field, FieldKind, Prepared, Record, Required, Rules};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// What stands between the names of a block.
const SEPARATOR: &str = "\u{1f}";

/// A fact with its values read. No config is needed for that, so it can be held against many.
#[derive(Clone, Debug)]
pub(super) struct ReadFact {
    pub(super) type_key: String,
    /// The fields that are there.
    pub(super) record: Record,
    /// The names as written, by the names under which they are compared.
    pub(super) written: HashMap<String, String>,
    /// The names of all its fields.
    names: String,
}

impl ReadFact {
    pub(super) fn of(fact: &Fact, reading: ValueReading) -> Self {
        // The only field of a fact is what its type says: `{"fact_type": "phone", "fields": {"text": "…"}}`.
        let alone = (fact.fields.len() == 1).then(|| FieldKind::of_name(&type_key(&fact.fact_type)));
        let mut written = HashMap::new();
        let fields = fact.fields.iter().map(|(as_written, value)| {
            let name = type_key(as_written);
            written.insert(name.clone(), as_written.clone());
            let kind = match (FieldKind::of_name(&name), alone) {
                (FieldKind::General | FieldKind::Amount, Some(alone @ (FieldKind::Identifier | FieldKind::Exact))) => {
                    alone
                }
                (FieldKind::General, Some(alone)) => alone,
                (kind, _) => kind,
            };
            let reading = reading.of_field(kind);
            Field { value: Prepared::of(&convert(value), reading), name }
        });
        let record = Record::of(fields.collect());
        let names = record.fields().iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(SEPARATOR);
        Self { type_key: type_key(&fact.fact_type), record, written, names }
    }
}

/// A config as the matcher looks things up in it.
#[derive(Clone, Debug)]
pub(in crate::systems::facts) struct MatchRules {
    pub(super) values: Rules,
    pub(super) all_fields: bool,
    pub(super) partial: bool,
    /// The types that are judged; none means all.
    scope: Vec<String>,
    keys: KeyNames,
}

#[derive(Clone, Debug)]
enum KeyNames {
    All(Vec<String>),
    ByType(HashMap<String, Vec<String>>),
}

impl MatchRules {
    pub(in crate::systems::facts) fn of(config: &JudgeConfig) -> Self {
        let spelled = |names: &[String]| names.iter().map(|name| type_key(name)).collect();
        let keys = match &config.required_key_fields {
            KeyFields::All(names) => KeyNames::All(spelled(names)),
            // Of two spellings of one type the first counts, as in the config itself.
            KeyFields::ByType(types) => {
                KeyNames::ByType(types.iter().rev().map(|(name, fields)| (type_key(name), spelled(fields))).collect())
            }
        };
        Self {
            values: config.rules(),
            all_fields: config.require_all_fields_match,
            partial: config.allow_partial_matches,
            scope: spelled(&config.fact_types_in_scope),
            keys,
        }
    }

    pub(super) fn in_scope(&self, fact: &ReadFact) -> bool {
        self.scope.is_empty() || self.scope.contains(&fact.type_key)
    }

    /// The fields that must match in any case in a fact of this type.
    pub(super) fn key_names(&self, fact: &ReadFact) -> &[String] {
        match &self.keys {
            KeyNames::All(names) => names,
            KeyNames::ByType(types) => types.get(&fact.type_key).map_or(&[], Vec::as_slice),
        }
    }

    pub(super) fn required(&self, fact: &ReadFact) -> Required<'_> {
        Required { all: self.all_fields, names: self.key_names(fact) }
    }

    /// Facts can only match where this is the same: the names of the fields that must match.
    pub(super) fn block<'f>(&self, fact: &'f ReadFact) -> Cow<'f, str> {
        if self.all_fields {
            return Cow::Borrowed(&fact.names);
        }
        match self.key_names(fact) {
            [] => Cow::Borrowed(""),
            keys => {
                let names = fact.record.fields().iter().map(|field| &field.name);
                let names: Vec<&str> = names.filter(|name| keys.contains(name)).map(String::as_str).collect();
                Cow::Owned(names.join(SEPARATOR))
            }
        }
    }
}

/// A JSON value as the rules read it.
pub(in crate::systems::facts) fn convert(value: &Value) -> values::Value {
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
