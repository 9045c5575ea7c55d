//! The schema, compiled once and asked often, with its complaints put into words a model can act on.

use super::shape::Shape;
use assize_core::Fingerprint;
use serde::Deserialize as _;
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
    shape: Shape,
}

impl AnswerValidator {
    /// Compiles a schema; says what is wrong with it if it is not one that answers can be checked against.
    pub fn new(schema: &Value) -> Result<Self, String> {
        match Shape::deserialize(schema) {
            Ok(shape) => Ok(Self { shape }),
            Err(error) => Err(format!("answers cannot be checked against the schema of the question: {error}")),
        }
    }

    /// Whether a value is an object that satisfies the schema.
    pub fn accepts(&self, value: &Value) -> bool {
        value.is_object() && self.shape.accepts(value)
    }

    /// The value without the nulls that stand for something left out.
    pub fn settled(&self, mut value: Value) -> Value {
        self.shape.leave_out_nulls(&mut value);
        value
    }

    /// What is wrong with a value, each with its place as a JSON pointer; empty if nothing is.
    pub fn violations(&self, value: &Value) -> Vec<String> {
        if !value.is_object() {
            return vec![format!("the reply must be a JSON object, not {}", kind_of(value))];
        }
        let place = |pointer: &str| if pointer.is_empty() { "the object".to_owned() } else { format!("`{pointer}`") };
        let found = self.shape.violations(value, MOST_VIOLATIONS).into_iter();
        found.map(|(pointer, violation)| shorten(format!("at {}: {violation}", place(&pointer)))).collect()
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
