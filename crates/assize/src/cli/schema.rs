//! `assize schema`: the JSON Schemas of what other programs write and read.

use super::Outcome;
use crate::exit::Exit;
use crate::screen;
use assize_core::NamedSchema;
use assize_judges::SYSTEMS;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

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

/// Every schema there is, with a line on what it describes: those that a system offers first, then the settings of each.
fn all() -> impl Iterator<Item = NamedSchema> {
    let settings = SYSTEMS.iter().map(|system| NamedSchema {
        name: system.name(),
        about: "What a suite can set on this judge",
        schema: system.settings_schema(),
    });
    SYSTEMS.iter().flat_map(|system| system.schemas()).chain(settings)
}

fn choices() -> PossibleValuesParser {
    PossibleValuesParser::new(
        all().map(|schema| PossibleValue::new(schema.name).help(schema.about)).collect::<Vec<_>>(),
    )
}

impl Schema {
    pub(super) fn run(&self) -> Outcome {
        let found = all().find(|schema| schema.name == self.of).expect("clap takes no other name");
        screen::raw(&format!("{:#}\n", found.schema));
        Ok(Exit::Done)
    }
}
