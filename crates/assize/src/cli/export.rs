//! `assize export`: suites in other tools' formats.

use super::run::beside;
use super::{Outcome, fail};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen;
use assize_core::document::Problems;
use assize_engine::profiles::Profiles;
use assize_engine::run::{RunOptions, SuiteSource, judge_source, prepare};
use assize_judges::systems::behaviour::{export_pydantic_evals, exported_behaviours, kept_as_comments};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Write a suite in another tool's format.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize export suite.yaml --to pydantic-evals > dataset.yaml
  assize export suite.yaml --to pydantic-evals --output dataset.yaml")]
pub(super) struct Export {
    /// The suite
    suite: PathBuf,

    /// The format
    #[arg(long, value_enum)]
    to: Target,

    /// The file to write; standard output if left out
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// A Pydantic Evals dataset: one LLMJudge per behaviour, one case per case
    PydanticEvals,
}

impl Export {
    pub(super) fn run(&self) -> Outcome {
        let Target::PydanticEvals = self.to;
        let (files, name) = beside(&self.suite);
        let options = RunOptions::of_suite(self.suite.to_string_lossy());
        let prepared = SuiteSource::read(&files, &name)
            .and_then(|suite| prepare(suite, options, &Profiles::default(), &|name| std::env::var(name).ok()))
            .map_err(|found| problems::draw(&found))?;
        let mut found = Problems::of(files.shown(&name));
        let source = judge_source(&files, &prepared.suite().judge_use, &mut found);
        let kept = source.as_ref().map(kept_as_comments).unwrap_or_default();
        let behaviours = source.and_then(|source| exported_behaviours(&source, &mut found));
        let Some(behaviours) = behaviours.filter(|behaviours| !behaviours.is_empty()) else {
            if found.is_empty() {
                return Err(fail(
                    "this suite's judge has no behaviours that a model judges",
                    "prompt files, benchmarks and rubric trees can be exported",
                ));
            }
            return Err(problems::draw(&found));
        };
        let cases: Vec<_> = prepared.cases().collect();
        let text = kept + &export_pydantic_evals(&prepared.suite().name, &behaviours, &cases);
        match &self.output {
            None => screen::raw(&text),
            Some(path) => {
                std::fs::write(path, text)
                    .map_err(|error| fail(format!("{} cannot be written: {error}", path.display()), ""))?;
                screen::line(format!("wrote {}", path.display()));
            }
        }
        Ok(Exit::Done)
    }
}
