//! From a reply's text to the JSON object that satisfies the schema.
//!
//! The whole text is tried first. If it is anything but the object, the reply is read leniently and the way of reading
//! is recorded: thinking and text around the object are left aside; an object whose syntax is broken may be mended, if it
//! is whole and the only one. A reply that holds two answers which differ is none: one of them may be quoted from the
//! judged text, and which is meant nobody knows. Nothing is made up: a reply that was cut off is not completed, prose does
//! not become a text, `"4"` does not become 4, and a key that stands twice is an error. A null where something may be left
//! out reads as left out.

mod scan;
mod shape;
mod validator;

pub use validator::{AnswerValidator, Validators};

use assize_core::Reading;
use assize_core::reply::{Unambiguous, objects, without_thinking};
use scan::Region;
use serde_json::Value;

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
            let value = validator.settled(value);
            let violations = validator.violations(&value);
            return if violations.is_empty() {
                Ok(Read { value, reading: Reading::Exact })
            } else {
                Err(Unreadable { violations })
            };
        }
        Err(error) => error,
    };
    let spoken = without_thinking(whole);
    let found = objects(&spoken, MOST_CANDIDATES);
    let objects: Vec<Value> = found.objects.into_iter().map(|value| validator.settled(value)).collect();
    let mut answers: Vec<&Value> = objects.iter().filter(|value| validator.accepts(value)).collect();
    let mended = mended(&spoken, validator);
    let reading = if answers.is_empty() { Reading::Repaired } else { Reading::Extracted };
    answers.extend(&mended);
    match answers.as_slice() {
        // An answer that broke off would have been the later word, and nobody knows what it would have said.
        _ if found.cut_off => Err(Unreadable::because("the reply breaks off in the middle of its JSON object")),
        [first, others @ ..] if others.iter().all(|other| other == first) => {
            Ok(Read { value: (*first).clone(), reading })
        }
        [_, ..] => Err(Unreadable::because(
            "the reply holds several JSON objects that differ; give the one that is your answer and nothing else",
        )),
        [] => Err(match objects.last() {
            Some(object) => Unreadable { violations: validator.violations(object) },
            None if spoken.contains('{') => Unreadable::because(format!("the reply is not valid JSON: {syntax}")),
            None => Unreadable::because("the reply holds no JSON object"),
        }),
    }
}

/// Whether a text ends in the middle of an object.
pub fn breaks_off(text: &str) -> bool {
    let whole = text.trim().trim_start_matches('\u{feff}');
    serde_json::from_str::<Unambiguous>(whole).is_err() && objects(&without_thinking(whole), MOST_CANDIDATES).cut_off
}

/// The objects whose syntax is broken, that are whole, and that validate once it is mended.
fn mended(text: &str, validator: &AnswerValidator) -> Vec<Value> {
    let regions: Vec<Region<'_>> = scan::regions(text, MOST_CANDIDATES);
    let broken = regions.iter().filter(|region| {
        let is_slip = region.whole && region.text.len() <= LONGEST_REPAIR;
        is_slip && serde_json::from_str::<Unambiguous>(region.text).is_err()
    });
    let read = broken.filter_map(|region| {
        let repaired = jsonrepair_rs::jsonrepair(region.text).ok()?;
        let Unambiguous(value) = serde_json::from_str(&repaired).ok()?;
        let value = validator.settled(value);
        validator.accepts(&value).then_some(value)
    });
    read.collect()
}

#[cfg(test)]
mod tests;
