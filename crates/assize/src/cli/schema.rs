//! `assize schema`: the JSON Schemas of what other programs write and read.

use super::Outcome;
use crate::exit::Exit;
use crate::screen;
use assize_judges::systems::facts::{JudgeConfig, JudgeResult};
use clap::{Args, ValueEnum};

/// Print a JSON Schema.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize schema judge-config > judge_config.schema.json     the settings of the fact judge
  assize schema judge-result                                what its model answers")]
pub(super) struct Schema {
    /// Which one
    of: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// The settings of the fact judge
    JudgeConfig,
    /// The labelled facts a fact judge's model answers with
    JudgeResult,
}

impl Schema {
    pub(super) fn run(&self) -> Outcome {
        let schema = match self.of {
            What::JudgeConfig => JudgeConfig::schema(),
            What::JudgeResult => JudgeResult::schema(),
        };
        screen::raw(&format!("{schema:#}\n"));
        Ok(Exit::Done)
    }
}
