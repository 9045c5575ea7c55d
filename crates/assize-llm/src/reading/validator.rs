//! The schema, compiled once and asked often, with its complaints put into words a model can act on.

use assize_core::Fingerprint;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most complaints about one reply; after the first few, more do not help.
const MOST_VIOLATIONS: usize = 12;

/// The longest complaint: messages quote the value they are about, which may be a whole reply.
const LONGEST_VIOLATION: usize = 300;

/// How many schemas are kept compiled. A judge has a handful.
const MOST_COMPILED: usize = 64;

/// A compiled schema of an answer.
#[derive(Debug)]
pub struct AnswerValidator {
    validator: jsonschema::Validator,
}

impl AnswerValidator {
    /// Compiles a schema; says what is wrong with it if it is none.
    pub fn new(schema: &Value) -> Result<Self, String> {
        match jsonschema::validator_for(schema) {
            Ok(validator) => Ok(Self { validator }),
            Err(error) => Err(format!("the schema of the question is not a JSON Schema: {error}")),
        }
    }

    /// Whether a value is an object that satisfies the schema.
    pub fn accepts(&self, value: &Value) -> bool {
        value.is_object() && self.validator.is_valid(value)
    }

    /// What is wrong with a value, each with its place as a JSON pointer; empty if nothing is.
    pub fn violations(&self, value: &Value) -> Vec<String> {
        if !value.is_object() {
            return vec![format!("the reply must be a JSON object, not {}", kind_of(value))];
        }
        let place = |pointer: &str| if pointer.is_empty() { "the object".to_owned() } else { format!("`{pointer}`") };
        self.validator
            .iter_errors(value)
            .take(MOST_VIOLATIONS)
            .map(|error| shorten(format!("at {}: {error}", place(error.instance_path().as_str()))))
            .collect()
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn shorten(sentence: String) -> String {
    match sentence.char_indices().nth(LONGEST_VIOLATION) {
        None => sentence,
        // The end says what is wrong, the beginning where; the value quoted between them is what is long.
        Some(_) => {
            let head: String = sentence.chars().take(LONGEST_VIOLATION / 2).collect();
            let tail: Vec<char> = sentence.chars().rev().take(LONGEST_VIOLATION / 2).collect();
            format!("{head} … {}", tail.into_iter().rev().collect::<String>())
        }
    }
}

/// Compiled schemas, by fingerprint.
#[derive(Debug, Default)]
pub struct Validators(Mutex<HashMap<Fingerprint, Arc<AnswerValidator>>>);

impl Validators {
    /// The compiled form of a schema.
    pub fn get(&self, schema: &Value) -> Result<Arc<AnswerValidator>, String> {
        let key = Fingerprint::of(schema);
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let compiled = Arc::new(AnswerValidator::new(schema)?);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A judge that makes a schema per case would fill it: start again rather than grow.
        if known.len() >= MOST_COMPILED {
            known.clear();
        }
        known.insert(key, Arc::clone(&compiled));
        Ok(compiled)
    }
}
