//! A case of this system laid out for a reader: what was expected and what was given, side by side.
//!
//! It holds what code knows of the case alone. What was decided by reading stands in the labels of the judgment.

use super::call::Call;
use super::metrics::Task;
use super::settings::Settings;
use super::tasks::{entity, qa, text, translation};
use super::transcript::Transcript;
use assize_core::{Case, Parsed};
use std::ops::Range;

/// A case, laid out.
#[derive(Debug)]
pub(super) struct Compared {
    transcript: Transcript,
    /// The parts of its task.
    pub parts: Parts,
}

/// The parts of a task, in the order of the expected outcome.
#[derive(Debug)]
pub(super) enum Parts {
    /// Questions about the call.
    Questions(Vec<ComparedQuestion>),
    /// Keywords and topics.
    Entities(Vec<ComparedEntity>),
    /// Sentences with their sentiment.
    Sentiments(Vec<ComparedSentence>),
    /// Sentences with their translation.
    Translations(Vec<ComparedSentence>),
}

/// A question about the call.
#[derive(Debug)]
pub(super) struct ComparedQuestion {
    /// Its id.
    pub id: String,
    /// What it asks, where the configuration says so.
    pub asked: Option<String>,
    /// Whether there is no mark between none and all.
    pub pass_fail: bool,
    /// The highest mark.
    pub maximum: Option<f64>,
    /// The mark that was expected.
    pub expected: Option<f64>,
    /// The mark that was given.
    pub given: Option<f64>,
    /// How far apart they are, as a share of the highest mark.
    pub gap: Option<f64>,
    /// Whether the mark counts as right.
    pub correct: bool,
    /// Whether it passes the agent where none may pass.
    pub false_pass: bool,
    /// Why, by the expected outcome.
    pub expected_reason: String,
    /// Why, in the words of the model.
    pub reason: Option<String>,
}

/// A keyword or a topic.
#[derive(Debug)]
pub(super) struct ComparedEntity {
    /// Its name.
    pub name: String,
    /// `keyword` or `topic`.
    pub kind: &'static str,
    /// Whether it was expected.
    pub expected: bool,
    /// Whether the model has it.
    pub detected: bool,
    /// Whether it is one of those to look for; `None` where there is no list of them.
    pub configured: Option<bool>,
    /// The words by which it is there in another script.
    pub heard_as: Option<String>,
}

/// A sentence with something about it.
#[derive(Debug)]
pub(super) struct ComparedSentence {
    /// Its id.
    pub id: String,
    /// The sentence itself.
    pub source: Option<String>,
    /// What was expected.
    pub expected: Option<String>,
    /// What was given.
    pub given: Option<String>,
}

/// Lays out a case, or says why it is none of this system.
pub(super) fn compared(case: &Case, settings: &Settings) -> Result<Compared, String> {
    let parsed = Parsed::default();
    let call = Call::read(case, &parsed, settings)?;
    let parts = match call.task {
        Task::Qa => Parts::Questions(qa::compared(&call)),
        Task::Entity => Parts::Entities(entity::compared(&call)),
        Task::Text => Parts::Sentiments(text::compared(&call)),
        Task::Translation => Parts::Translations(translation::compared(&call)),
    };
    Ok(Compared { transcript: call.transcript, parts })
}

impl Compared {
    /// The call as one text, a line for each segment.
    pub(super) fn transcript(&self) -> &str {
        &self.transcript.text
    }

    /// What is said at a moment, given in seconds: bytes of the transcript.
    pub(super) fn place_of(&self, seconds: f64) -> Option<Range<usize>> {
        self.transcript.place_of(seconds)
    }
}
