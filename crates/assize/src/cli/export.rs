//! `assize export`: suites in other tools' formats.

use super::run::beside;
use super::{Outcome, fail};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen;
use assize_core::document::Problems;
use assize_engine::profiles::Profiles;
use assize_engine::run::{RunOptions, SuiteSource, judge_source, prepare};
use assize_judges::systems::behaviour::{Export as Exported, export_pydantic_evals, kept_as_comments};
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
    /// A Pydantic Evals dataset: an LLMJudge or checks for each behaviour, a case for each case
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
        let cases: Vec<_> = prepared.cases().collect();
        let suite = prepared.suite();
        let model = suite.models.first().map(|model| model.value.to_string());
        let source = judge_source(&files, &suite.judge_use, &mut found).ok_or_else(|| problems::draw(&found))?;
        let judge = (model.as_deref(), &suite.parameters);
        let export = export_pydantic_evals(&suite.name, &source, suite.settings.as_ref(), judge, &cases, &mut found);
        let Some(Exported { text, mut left_out, .. }) = export.filter(|export| export.evaluators > 0) else {
            if found.is_empty() {
                return Err(fail(
                    "this suite's judge has no behaviours that a model or a check decides",
                    "prompt files, benchmarks and rubric trees can be exported",
                ));
            }
            return Err(problems::draw(&found));
        };
        let text = kept_as_comments(&source) + &text;
        if !suite.gate.is_empty() {
            left_out.push("the suite's gate: assert on the report in Python".into());
        }
        if suite.models.len() > 1 {
            left_out.push("the jury: the dataset asks one model".into());
        }
        match &self.output {
            None => screen::raw(&text),
            Some(path) => {
                std::fs::write(path, text)
                    .map_err(|error| fail(format!("{} cannot be written: {error}", path.display()), ""))?;
                screen::line(format!("wrote {}", path.display()));
            }
        }
        for what in left_out {
            let said =
                format!("{} {}", screen::styled(screen::Style::Middling, "not exported:"), screen::harmless(&what));
            screen::say(said);
        }
        Ok(Exit::Done)
    }
}
