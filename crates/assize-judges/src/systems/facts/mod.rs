//! The fact judge: predicted facts against gold facts, under a `judge_config`.
//!
//! One question asks a model to label and link the facts; its answer, a [`JudgeResult`], is checked before it is
//! believed, and every figure is counted from it in [`measure`]. The rule matcher in [`matcher`] does the same job with no
//! model: it is the offline judge, it audits the model ([`audit`]), and it answers what other settings would give
//! ([`whatif`]).

pub mod audit;
pub mod config;
pub mod fact;
mod judge;
mod layout;
pub mod matcher;
pub mod measure;
pub mod question;
pub mod reading;
pub mod result;
mod score;
pub mod settings;
mod summary;
mod survey;
pub mod whatif;

#[cfg(test)]
mod tests;

pub use config::JudgeConfig;
pub use fact::Fact;
pub use result::JudgeResult;

use assize_core::document::{Node, Problems};
use assize_core::flag::{contradicted, note, uncertain};
use assize_core::{Card, FlagSpec, Judge, JudgeSource, JudgeSystem, Layout, NamedSchema, ShownCase, WhatIf};
use serde_json::{Value, json};

/// The name that `judge.use` takes.
pub const NAME: &str = "fact-extraction";

/// What its judgments may flag.
const FLAGS: &[FlagSpec] = &[
    contradicted("audit_contradiction", "A label of the model contradicts the settings, by the rules."),
    uncertain("ambiguous_match", "A match rests on one of two readings of a number, a date or a time."),
    note("gold_derived", "There were no gold facts; the model derived them from the transcript."),
];

/// The fact judge as a system.
pub struct FactExtraction;

impl JudgeSystem for FactExtraction {
    fn card(&self) -> &Card {
        &Card {
            name: NAME,
            summary: "extracted facts against gold facts: precision, recall and F1 under settings you can name",
            guide: include_str!("../../../guides/fact-extraction.md"),
            example: NAME,
            flags: FLAGS,
        }
    }

    fn settings_schema(&self) -> Value {
        settings::settings_schema()
    }

    /// A profile is a whole `judge_config`.
    fn profile_schema(&self) -> Value {
        JudgeConfig::schema()
    }

    fn profiles(&self) -> Vec<(&'static str, Value)> {
        vec![("strict", json!(JudgeConfig::strict())), ("lenient", json!(JudgeConfig::lenient()))]
    }

    /// A profile of this judge is a whole `judge_config`.
    fn read_profile(&self, settings: &Node, problems: &mut Problems) -> Option<Value> {
        JudgeConfig::read(settings, JudgeConfig::strict(), problems).map(|config| json!(config))
    }

    fn schemas(&self) -> Vec<NamedSchema> {
        vec![
            NamedSchema { name: "judge-config", about: "A profile of the fact judge", schema: JudgeConfig::schema() },
            NamedSchema {
                name: "judge-result",
                about: "The labelled facts of a case, as results hold them",
                schema: JudgeResult::schema(),
            },
        ]
    }

    fn what_if(&self) -> Option<&dyn WhatIf> {
        Some(self)
    }

    fn build(&self, _: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let config = settings::read(settings, problems)?;
        Some(Box::new(judge::FactJudge::new(config)))
    }

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout::layout(shown)
    }
}
