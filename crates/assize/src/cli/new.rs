//! `assize new`: commented files to start from.

use super::asking::Asking;
use super::interview::{self, Talk};
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen;
use assize_core::document::Problems;
use assize_judges::systems::behaviour::NewPrompt;
use assize_judges::systems::{behaviour, criteria};
use clap::{Args, Subcommand};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Write a commented file to start from.
#[derive(Debug, Args)]
pub(super) struct New {
    #[command(subcommand)]
    kind: Template,
}

#[derive(Debug, Subcommand)]
enum Template {
    /// A criteria judge of your own: criteria, scales, weights, verdicts
    #[command(after_help = "\
Examples:
  assize new criteria                      writes support-reply.yaml
  assize new criteria judges/tone.yaml
Then name the file in a suite: judge: {use: judges/tone.yaml, model: openai:gpt-4o-mini}")]
    Criteria {
        /// The file to write
        #[arg(default_value = "support-reply.yaml")]
        file: PathBuf,
    },
    /// A behaviour: by an interview, or its prompt from a benchmark's YAML
    #[command(
        alias = "behaviour",
        after_help = "\
Examples:
  assize new behavior                      asks six questions, then writes benchmark and prompt
  assize new behavior --into rubrics       into this tree
  assize new behavior rubrics/benchmarks/facts/FAC-1.yaml
writes the prompt file that the benchmark names, from the root of its tree, with its examples.

Answers are read from standard input, a line each. Where a benchmark does not say whether it describes a
correct output or a fault, a terminal is asked; elsewhere the prompt gets both readings as comments, and lint
reports them until you have chosen. --ask reads the answer from standard input all the same."
    )]
    Behavior {
        /// The benchmark; an interview if left out
        benchmark: Option<PathBuf>,

        /// The file to write; what the benchmark names if left out
        #[arg(long, short, value_name = "FILE", requires = "benchmark")]
        output: Option<PathBuf>,

        /// The tree that the interview writes into
        #[arg(long, value_name = "FOLDER", default_value = "rubrics", conflicts_with = "benchmark")]
        into: PathBuf,

        /// The judge model that tries the behaviour on a case
        #[arg(long, value_name = "MODEL")]
        model: Vec<String>,

        /// Ask although standard input is no terminal
        #[arg(long)]
        ask: bool,
    },
}

impl New {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        match &self.kind {
            Template::Criteria { file } => {
                write_new(file, criteria::EXAMPLE)?;
                screen::line(format!("wrote {}", file.display()));
                screen::line("It is a working judge: change it, then name it in a suite as judge.use.");
                Ok(Exit::Done)
            }
            Template::Behavior { benchmark: None, into, model, .. } => {
                interview::hold(&mut Talk::at_stdin(), into, &Asking::of(model.clone()), place)
            }
            Template::Behavior { benchmark: Some(benchmark), output, ask, .. } => {
                from_benchmark(benchmark, output.as_deref(), *ask || std::io::stdin().is_terminal())
            }
        }
    }
}

/// Writes the prompt of a benchmark.
fn from_benchmark(benchmark: &Path, output: Option<&Path>, asks: bool) -> Outcome {
    let shown = benchmark.display().to_string();
    let yaml =
        std::fs::read_to_string(benchmark).map_err(|error| fail(format!("{shown} cannot be read: {error}"), ""))?;
    let make = |reading| {
        let mut found = Problems::of(shown.clone());
        let made = behaviour::new_behaviour(&shown, &yaml, reading, &mut found);
        made.filter(|_| found.is_empty()).ok_or_else(|| problems::draw(&found))
    };
    let mut made: NewPrompt = make(None)?;
    if let Some(undecided) = made.undecided.clone().filter(|_| asks)
        && let Some(reading) = Talk::at_stdin().reading(&undecided)
    {
        made = make(Some(reading))?;
    }
    let path = output.map_or_else(|| tree_root(benchmark).join(&made.path), Path::to_owned);
    write_new(&path, &made.text)?;
    screen::line(format!("wrote {}", path.display()));
    if made.undecided.is_some() {
        screen::line("The benchmark does not say whether it describes a correct output or a fault, and a guess could");
        screen::line(
            "turn it round: the prompt has both readings as comments. Choose one; until then it cannot be run.",
        );
    }
    screen::line(format!("Next: assize lint {}", path.display()));
    Ok(Exit::Done)
}

/// The root of the tree a benchmark is in: the folder that holds `benchmarks/`, else the benchmark's own.
fn tree_root(benchmark: &Path) -> PathBuf {
    let above = benchmark.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "benchmarks"));
    above.unwrap_or(benchmark).parent().map(Path::to_owned).unwrap_or_default()
}

/// Writes a file that must not be there yet.
pub(super) fn write_new(path: &Path, content: &str) -> Result<(), Exit> {
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
        std::fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content.as_bytes())
    });
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            fail(format!("{} already exists", path.display()), "name another file, or move that one away")
        }
        _ => fail(format!("{} cannot be written: {error}", path.display()), ""),
    })
}
