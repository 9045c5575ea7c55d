//! The commands: their arguments, their help, and which file runs which.

mod asking;
mod compare;
mod completions;
mod demo;
mod doctor;
mod export;
mod init;
mod interview;
mod inventory;
mod keys;
mod lint;
mod migrate;
mod new;
mod output;
mod profile;
mod report;
mod review;
mod rubric_files;
mod run;
mod runs;
mod schema;
mod serve;
mod show;
mod signals;
mod test;
mod whatif;

use crate::exit::Exit;
use crate::screen;
use assize_engine::environment;
use assize_engine::profiles::Profiles;
use assize_engine::store::Store;
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};

/// A judge for what language models write: the model labels, the code counts.
#[derive(Debug, Parser)]
#[command(
    name = "assize",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  assize demo                                    judge the bundled examples, no file and no network needed
  assize init transcript-quality                 write a small suite to start from
  assize run suite.yaml                          run it; the exit code is the gate
  assize run suite.yaml --model openai:gpt-4o-mini --dry-run
  assize show last                               look at the last run, case by case
  assize serve                                   the page, for this folder

Every command explains itself: assize help run"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    place: Place,
}

/// Where the store is.
#[derive(Clone, Debug, Args)]
pub(crate) struct Place {
    /// The store: one SQLite file with all answers, runs and judgments
    #[arg(long, global = true, env = environment::STORE, default_value = ".assize/assize.db", value_name = "FILE")]
    store: PathBuf,
}

impl Place {
    /// The store's file.
    pub(crate) fn path(&self) -> &Path {
        &self.store
    }

    /// Opens the store, or says why it cannot be.
    pub(crate) fn open(&self) -> Result<Store, Exit> {
        Store::open(&self.store).map_err(|error| fail(&error, error.hint()))
    }

    /// The saved profiles, where there is a store.
    pub(crate) fn profiles(&self) -> Result<Profiles, Exit> {
        let Some(store) = self.open_existing_quietly()? else { return Ok(Profiles::default()) };
        store.profiles().map(Profiles::from).map_err(|error| fail(&error, error.hint()))
    }

    /// The store if it is there, for commands that can do without.
    pub(crate) fn open_existing_quietly(&self) -> Result<Option<Store>, Exit> {
        if self.store.is_file() { self.open().map(Some) } else { Ok(None) }
    }

    /// The store if it is there; looking back must not make one.
    pub(crate) fn open_existing(&self) -> Result<Store, Exit> {
        if self.store.is_file() {
            return self.open();
        }
        let problem = format!("there is no store at {}", self.store.display());
        Err(fail(problem, "`assize run SUITE` or `assize demo` makes one; --store names another"))
    }
}

/// Says what went wrong and what to do.
pub(crate) fn fail(problem: impl std::fmt::Display, hint: &str) -> Exit {
    screen::say(format!("{} {problem}", screen::styled(screen::Style::Bad, "error:")));
    if !hint.is_empty() {
        screen::say(format!("{} {hint}", screen::styled(screen::Style::Bold, "help:")));
    }
    Exit::BadInput
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge the bundled examples with the offline judge, show their scorecards, and serve the page
    Demo(demo::Demo),
    /// Write a small working suite into a folder
    Init(init::Init),
    /// Judge the cases of a suite
    Run(Box<run::Run>),
    /// Serve the page and the HTTP API
    Serve(serve::Serve),
    /// List the runs, newest first
    Runs(runs::Runs),
    /// Look at a run: its scorecards, its cases, one case in full
    Show(show::Show),
    /// Write a run as HTML, Markdown, JSON, CSV, JUnit, XLSX or Parquet
    Report(report::Report),
    /// Compare two runs, or two models of one run, on the cases they share
    Compare(compare::Compare),
    /// Write a commented file to start from
    New(new::New),
    /// Check rubric files: prompts, benchmarks, whole trees
    Lint(lint::Lint),
    /// Judge the examples of rubrics, and say which they get wrong
    Test(Box<test::Test>),
    /// List every behaviour with its rubric, status, last result and what it lacks
    Inventory(inventory::Inventory),
    /// Rewrite old prompt files into the canonical structure; show what would change
    Migrate(migrate::Migrate),
    /// Write a suite in another tool's format
    Export(export::Export),
    /// Recompute a judge's figures with other settings on the cases of a run
    #[command(name = "whatif")]
    WhatIf(whatif::WhatIf),
    /// Named, versioned settings of a judge
    Profile(profile::Profile),
    /// Print a JSON Schema
    Schema(schema::Schema),
    /// Say what is set up, what is missing, and the command that mends it
    Doctor(doctor::Doctor),
    /// Say which key may be sent to which host
    Keys(keys::Keys),
    /// Print a completion script for a shell
    Completions(completions::Completions),
}

/// Runs a command.
pub(crate) fn run(arguments: Arguments) -> Exit {
    let Arguments { command, place } = arguments;
    let outcome = match command {
        Command::Demo(command) => command.run(&place),
        Command::Init(command) => command.run(),
        Command::Run(command) => command.run(&place),
        Command::Serve(command) => command.run(&place),
        Command::Runs(command) => command.run(&place),
        Command::Show(command) => command.run(&place),
        Command::Report(command) => command.run(&place),
        Command::Compare(command) => command.run(&place),
        Command::New(command) => command.run(&place),
        Command::Lint(command) => command.run(&place),
        Command::Test(command) => command.run(&place),
        Command::Inventory(command) => command.run(&place),
        Command::Migrate(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::WhatIf(command) => command.run(&place),
        Command::Profile(command) => command.run(&place),
        Command::Schema(command) => command.run(),
        Command::Doctor(command) => command.run(&place),
        Command::Keys(command) => command.run(),
        Command::Completions(command) => command.run(),
    };
    outcome.unwrap_or_else(|exit| exit)
}

/// What a command comes to; the error is an exit code whose reason has been said already.
pub(crate) type Outcome = Result<Exit, Exit>;
