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
pub mod matcher;
pub mod measure;
pub mod question;
pub mod result;
mod score;
pub mod settings;
mod summary;
pub mod whatif;

#[cfg(test)]
mod tests;

pub use config::JudgeConfig;
pub use fact::Fact;
pub use result::JudgeResult;

use assize_core::document::{Node, Problems};
use assize_core::{Judge, JudgeSource, JudgeSystem};

/// The fact judge as a system.
pub struct FactExtraction;

impl JudgeSystem for FactExtraction {
    fn name(&self) -> &'static str {
        "fact-extraction"
    }

    fn summary(&self) -> &'static str {
        "extracted facts against gold facts: precision, recall and F1 under settings you can name"
    }

    fn guide(&self) -> &'static str {
        include_str!("../../../../../docs/judges/fact-extraction.md")
    }

    fn takes(&self, source: &JudgeSource) -> bool {
        matches!(source, JudgeSource::BuiltIn(name) if name == self.name())
    }

    fn build(&self, _: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let settings = settings::read(settings, problems)?;
        Some(Box::new(judge::FactJudge::new(settings)))
    }
}
