//! `assize new`: commented files to start from.

use super::{Outcome, fail};
use crate::exit::Exit;
use crate::screen;
use assize_judges::systems::criteria;
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a commented file to start from.
#[derive(Debug, Args)]
pub(super) struct New {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
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
}

impl New {
    pub(super) fn run(&self) -> Outcome {
        match &self.kind {
            Kind::Criteria { file } => {
                write_new(file, criteria::EXAMPLE)?;
                screen::line(format!("wrote {}", file.display()));
                screen::line("It is a working judge: change it, then name it in a suite as judge.use.");
            }
        }
        Ok(Exit::Done)
    }
}

/// Writes a file that must not be there yet.
pub(super) fn write_new(path: &Path, content: &str) -> Result<(), Exit> {
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
        std::fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content.as_bytes())
    });
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            fail(format!("{} is there already", path.display()), "name another file, or move that one away")
        }
        _ => fail(format!("{} cannot be written: {error}", path.display()), ""),
    })
}
