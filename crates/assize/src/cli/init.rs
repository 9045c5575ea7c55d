//! `assize init`: a small working suite.

use super::new::write_new;
use super::{Outcome, fail};
use crate::exit::Exit;
use crate::screen;
use assize_judges::examples;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// Write a small working suite into a folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize init                              a transcript-quality suite in ./transcript-quality
  assize init reasoning-trace --into evals/math
  assize run evals/math/suite.yaml")]
pub(super) struct Init {
    /// The example to start from; the first if left out
    #[arg(default_value = first_example(), value_parser = example_names())]
    system: String,

    /// The folder to write into; the example's name if left out
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// The names of the examples, in either spelling.
pub(super) fn example_names() -> impl TypedValueParser<Value = String> {
    let value = |name: &'static str| {
        let elsewhere =
            examples::SPELLINGS.iter().filter(move |(here, _)| *here == name).map(|(_, elsewhere)| *elsewhere);
        PossibleValue::new(name).aliases(elsewhere)
    };
    let values: Vec<PossibleValue> = examples::names().into_iter().map(value).collect();
    PossibleValuesParser::new(values).map(|name| examples::spelt_here(&name).to_owned())
}

fn first_example() -> &'static str {
    examples::names().first().expect("examples come with the binary")
}

impl Init {
    pub(super) fn run(&self) -> Outcome {
        let Some(example) = examples::all().into_iter().find(|example| example.system == self.system) else {
            return Err(fail(format!("there is no example of {}", self.system), ""));
        };
        let folder = self.into.clone().unwrap_or_else(|| PathBuf::from(&self.system));
        let files = examples::small(example.files);
        if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
            return Err(fail(
                format!("{} already exists", folder.join(name).display()),
                "name another folder with --into",
            ));
        }
        for (name, content) in &files {
            write_new(&folder.join(name), content)?;
            screen::line(format!("wrote {}", folder.join(name).display()));
        }
        screen::line(format!("\nNext: assize run {}", folder.join("suite.yaml").display()));
        Ok(Exit::Done)
    }
}
