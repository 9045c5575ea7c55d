//! `assize demo`: the bundled examples, from the binary itself.

use super::run::{Following, execute};
use super::serve::{Listening, serve};
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::{problems, scorecard};
use crate::screen::{self, Style, styled};
use assize_engine::files::Files;
use assize_engine::profiles::Profiles;
use assize_engine::run::{Prepared, RunOptions, SuiteSource, prepare};
use assize_judges::examples::{self, Example};
use assize_web::Folder;
use clap::Args;
use std::path::Path;

/// Judge the bundled examples with the offline judge, show their scorecards, and serve the page.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize demo                       all systems
  assize demo reasoning-trace       one of them
  assize demo --no-serve            only print, no page
  assize show last                  then: the last of them, case by case")]
pub(super) struct Demo {
    /// Only this system
    #[arg(value_parser = super::init::example_names())]
    system: Option<String>,

    /// Stop after printing
    #[arg(long)]
    no_serve: bool,

    #[command(flatten)]
    listening: Listening,
}

impl Demo {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let store = place.open()?;
        let wanted = |system: &str| self.system.as_deref().is_none_or(|only| only == system);
        for example in examples::all().into_iter().filter(|example| wanted(example.system)) {
            let files = Files::from(example);
            let options = RunOptions::of_suite(Example::SUITE);
            let ready = SuiteSource::read(&files, Example::SUITE)
                .and_then(|suite| prepare(suite, options, &Profiles::default(), &|_| None))
                .and_then(Prepared::ready)
                .map_err(|found| problems::draw(&found))?;
            let document = execute(ready, &store, None, Following::Nobody)?.document;
            screen::line(format!("{}\n", scorecard::drawn(&document, screen::width(), scorecard::Detail::Brief)));
        }
        screen::line(styled(Style::Bold, "What next"));
        screen::line("  assize runs                         the runs you have just made");
        screen::line("  assize show last                    the last one, case by case");
        screen::line("  assize init transcript-quality      a suite of your own to start from");
        screen::line("  assize run SUITE --model openai:gpt-4o-mini   with a real judge model");
        if self.no_serve {
            return Ok(Exit::Done);
        }
        screen::line("");
        let here =
            Folder::open(Path::new(".")).map_err(|error| fail(format!("this folder cannot be served: {error}"), ""))?;
        serve(store, here, &self.listening)
    }
}
