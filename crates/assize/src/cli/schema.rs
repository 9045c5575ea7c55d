//! `assize schema`: the JSON Schemas of what other programs write and read.

use super::Outcome;
use crate::exit::Exit;
use crate::screen;
use assize_judges::SYSTEMS;
use assize_judges::systems::facts::{JudgeConfig, JudgeResult};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde_json::Value;

/// Print a JSON Schema.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize schema judge-config > judge_config.schema.json     a profile of the fact judge
  assize schema judge-result                                what its model answers
  assize schema call-intelligence                           what a suite can set on a judge")]
pub(super) struct Schema {
    /// Which one
    #[arg(value_parser = choices())]
    of: String,
}

/// A name, what it means, and the schema.
type Named = (&'static str, &'static str, fn() -> Value);

/// The schemas that belong to no judge as a whole.
const SHAPES: [Named; 2] = [
    ("judge-config", "A profile of the fact judge", JudgeConfig::schema),
    ("judge-result", "The labelled facts a fact judge's model answers with", JudgeResult::schema),
];

fn choices() -> PossibleValuesParser {
    let shapes = SHAPES.iter().map(|(name, about, _)| PossibleValue::new(*name).help(*about));
    let judges = SYSTEMS.iter().map(|system| {
        PossibleValue::new(system.name()).help(format!("What a suite can set on the judge {}", system.name()))
    });
    PossibleValuesParser::new(shapes.chain(judges).collect::<Vec<_>>())
}

impl Schema {
    pub(super) fn run(&self) -> Outcome {
        let shape = SHAPES.iter().find(|(name, _, _)| *name == self.of).map(|(_, _, schema)| schema());
        let judge = || SYSTEMS.iter().find(|system| system.name() == self.of).map(|system| system.settings_schema());
        let schema = shape.or_else(judge).expect("one of the names that can be chosen");
        screen::raw(&format!("{:#}\n", schema));
        Ok(Exit::Done)
    }
}
