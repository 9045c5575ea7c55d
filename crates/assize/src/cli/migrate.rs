//! `assize migrate`: old prompts into the canonical structure.

use super::{Outcome, fail, rubric_files};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen::{self, Style, styled};
use assize_judges::systems::behaviour;
use clap::Args;
use std::path::PathBuf;

/// Rewrite old prompt files into the canonical structure; show what would change.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize migrate prompts/tone_prompt.md           shows the difference and changes nothing
  assize migrate prompts/ --write                 rewrites; the old file stays beside it as .bak")]
pub(super) struct Migrate {
    /// Prompt files, or folders with prompt files
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// Write the new files
    #[arg(long)]
    write: bool,
}

impl Migrate {
    pub(super) fn run(&self) -> Outcome {
        let files = rubric_files::read(&self.paths)?;
        let prompts: Vec<_> = files.iter().filter(|file| file.path.ends_with(".md")).collect();
        if prompts.is_empty() {
            return Err(fail("there is no prompt file (.md) among these", ""));
        }
        let (mut changed, mut unreadable) = (0, false);
        for file in prompts {
            let migration = match behaviour::migrate(&file.path, &file.text) {
                Ok(migration) => migration,
                Err(found) => {
                    problems::draw(&found);
                    unreadable = true;
                    continue;
                }
            };
            if migration.diff.is_empty() {
                screen::line(format!("{}: nothing to change", file.path));
                continue;
            }
            changed += 1;
            screen::line(coloured(&migration.diff));
            for note in &migration.notes {
                screen::line(format!("{} {}", styled(Style::Middling, "look over:"), screen::harmless(note)));
            }
            if let Some(key) = &migration.result_key {
                screen::line(format!(
                    "{} result_key: {}",
                    styled(Style::Middling, "add to the benchmark:"),
                    screen::harmless(key)
                ));
            }
            if self.write {
                write(&file.path, &file.text, &migration.text)?;
                screen::line(format!("wrote {} (the old one is {}.bak)", file.path, file.path));
            }
        }
        if changed > 0 && !self.write {
            screen::line("\nNothing was changed. --write writes the new files.");
        }
        if unreadable { Err(Exit::BadInput) } else { Ok(Exit::Done) }
    }
}

fn write(path: &str, old: &str, new: &str) -> Result<(), Exit> {
    std::fs::write(format!("{path}.bak"), old)
        .and_then(|()| std::fs::write(path, new))
        .map_err(|error| fail(format!("{path} cannot be written: {error}"), ""))
}

/// A unified diff with its added and removed lines in colour.
pub(super) fn coloured(diff: &str) -> String {
    let line = |line: &str| match line.as_bytes().first() {
        Some(b'+') => styled(Style::Good, screen::harmless(line)),
        Some(b'-') => styled(Style::Bad, screen::harmless(line)),
        _ => screen::harmless(line),
    };
    diff.lines().map(line).collect::<Vec<_>>().join("\n")
}
