//! From a reply's text to the JSON object that satisfies the schema.
//!
//! The whole text is tried first. If it is anything but the object, the reply is read leniently and the way of reading
//! is recorded: thinking and text around the object are left aside and the *last* object that validates is taken; one
//! whose syntax is broken may be mended, if it is whole. Nothing is made up: a reply that was cut off is not completed,
//! prose does not become a text, `"4"` does not become 4, and a key that stands twice is an error.

mod scan;
mod shape;
mod unambiguous;
mod validator;

pub use validator::{AnswerValidator, Validators};

use assize_core::Reading;
use scan::Region;
use serde_json::Value;
use unambiguous::Unambiguous;

/// Of the objects in a reply, how many are looked at, counted from the end.
const MOST_CANDIDATES: usize = 32;

/// Text beyond this is not mended: nobody writes a broken object of this size by a slip.
const LONGEST_REPAIR: usize = 256 * 1024;

/// An object that satisfies the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The object.
    pub value: Value,
    /// How the reply had to be read.
    pub reading: Reading,
}

/// Why a reply is no answer, in sentences that a model can mend it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The sentences; never empty.
    pub violations: Vec<String>,
}

impl Unreadable {
    fn because(sentence: impl Into<String>) -> Self {
        Self { violations: vec![sentence.into()] }
    }
}

/// Reads a complete reply. A reply that was cut off must not be given to it.
pub fn read(text: &str, validator: &AnswerValidator) -> Result<Read, Unreadable> {
    let whole = text.trim().trim_start_matches('\u{feff}');
    if whole.is_empty() {
        return Err(Unreadable::because("the reply is empty; one JSON object was expected"));
    }
    let syntax = match serde_json::from_str::<Unambiguous>(whole) {
        Ok(Unambiguous(value)) => {
            let violations = validator.violations(&value);
            return if violations.is_empty() {
                Ok(Read { value, reading: Reading::Exact })
            } else {
                Err(Unreadable { violations })
            };
        }
        Err(error) => error,
    };
    let spoken = scan::without_thinking(whole);
    let found = scan::objects(&spoken, MOST_CANDIDATES);
    let last_valid = found.objects.iter().rev().find(|object| validator.accepts(&object.value));
    // A broken object *after* the last valid one is the model's later word: a draft must not win over it.
    let after = last_valid.map_or(0, |object| object.end);
    if let Some(value) = mended(&spoken, after, validator) {
        return Ok(Read { value, reading: Reading::Repaired });
    }
    // So is one that broke off, and nobody knows what it would have said.
    if let Some(object) = last_valid.filter(|_| !found.cut_off) {
        return Ok(Read { value: object.value.clone(), reading: Reading::Extracted });
    }
    match found.objects.back() {
        _ if found.cut_off => Err(Unreadable::because("the reply breaks off in the middle of its JSON object")),
        Some(object) => Err(Unreadable { violations: validator.violations(&object.value) }),
        None if spoken.contains('{') => Err(Unreadable::because(format!("the reply is not valid JSON: {syntax}"))),
        None => Err(Unreadable::because("the reply holds no JSON object")),
    }
}

/// The last broken but whole object from `after` on that validates once its syntax is mended.
fn mended(text: &str, after: usize, validator: &AnswerValidator) -> Option<Value> {
    let rest = text.get(after..)?;
    let regions: Vec<Region<'_>> = scan::regions(rest, MOST_CANDIDATES);
    regions.iter().rev().filter(|region| region.whole && region.text.len() <= LONGEST_REPAIR).find_map(|region| {
        let repaired = jsonrepair_rs::jsonrepair(region.text).ok()?;
        let Unambiguous(value) = serde_json::from_str(&repaired).ok()?;
        validator.accepts(&value).then_some(value)
    })
}

#[cfg(test)]
mod tests;
