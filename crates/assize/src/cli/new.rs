//! `assize new`: commented files to start from.

use super::{Outcome, fail};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen;
use assize_core::document::Problems;
use assize_judges::systems::{behaviour, criteria};
use clap::{Args, Subcommand};
use std::io::Write;
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
    /// A behaviour prompt from a benchmark's YAML, by its fields
    #[command(after_help = "\
Examples:
  assize new behavior rubrics/benchmarks/facts/FAC-1.yaml
writes the prompt file that the benchmark names, from the root of its tree, with one or two few-shot examples.")]
    Behavior {
        /// The benchmark
        benchmark: PathBuf,

        /// The file to write; what the benchmark names if left out
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

impl New {
    pub(super) fn run(&self) -> Outcome {
        match &self.kind {
            Template::Criteria { file } => {
                write_new(file, criteria::EXAMPLE)?;
                screen::line(format!("wrote {}", file.display()));
                screen::line("It is a working judge: change it, then name it in a suite as judge.use.");
            }
            Template::Behavior { benchmark, output } => {
                let shown = benchmark.display().to_string();
                let yaml = std::fs::read_to_string(benchmark)
                    .map_err(|error| fail(format!("{shown} cannot be read: {error}"), ""))?;
                let mut found = Problems::of(shown.clone());
                let (name, text) = behaviour::new_behaviour(&shown, &yaml, &mut found)
                    .filter(|_| found.is_empty())
                    .ok_or_else(|| problems::draw(&found))?;
                let path = output.clone().unwrap_or_else(|| tree_root(benchmark).join(name));
                write_new(&path, &text)?;
                screen::line(format!("wrote {}", path.display()));
                screen::line(format!("Next: assize lint {}", path.display()));
            }
        }
        Ok(Exit::Done)
    }
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
