//! `assize migrate`: old prompts into the canonical structure, all of them or none.

use super::{Outcome, fail, rubric_files};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen::{self, Style, styled};
use assize_core::SourceFile;
use assize_core::number::plural;
use assize_judges::systems::behaviour::{self, Migration};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Rewrite old prompt files into the canonical structure; show what would change.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize migrate prompts/tone_prompt.md           shows the difference and changes nothing
  assize migrate prompts/ --write                 rewrites; the old file stays beside it as .bak
  assize migrate prompts/ --write --partial       also where text could not be placed

All files are written or none. Files that are no behaviour prompts are named and left.
Exit codes: 0 done, 1 text could not be placed and nothing was written, 2 a file cannot
be read or rewritten and nothing was written.")]
pub(super) struct Migrate {
    /// Prompt files, or folders with prompt files
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// Write the new files
    #[arg(long)]
    write: bool,

    /// Write them although some text could not be placed; it is listed, and stays in the .bak
    #[arg(long)]
    partial: bool,
}

impl Migrate {
    pub(super) fn run(&self) -> Outcome {
        let files = rubric_files::read(&self.paths)?;
        let (prompts, others): (Vec<_>, Vec<_>) = files
            .iter()
            .filter(|file| file.path.ends_with(".md"))
            .partition(|file| behaviour::is_behaviour_prompt(&file.path, &file.text));
        for file in others {
            screen::line(format!("{}: not a behaviour prompt, left as it is", file.path));
        }
        if prompts.is_empty() {
            let hint = "a prompt says what passes or fails, or asks for a verdict; name it {concept}_prompt.md";
            return Err(fail("there is no behaviour prompt among these", hint));
        }
        let (mut changed, mut unreadable, mut unplaced): (Vec<(&SourceFile, Migration)>, _, _) = (Vec::new(), 0, 0);
        for file in prompts {
            match behaviour::migrate(&file.path, &file.text) {
                Err(found) => {
                    problems::draw(&found);
                    unreadable += 1;
                }
                Ok(migration) if migration.diff.is_empty() => screen::line(format!("{}: nothing to change", file.path)),
                Ok(migration) => {
                    show(&migration);
                    unplaced += migration.unplaced.len();
                    changed.push((file, migration));
                }
            }
        }
        let nothing = "Nothing was written.";
        if unreadable > 0 {
            let count = plural(unreadable, "file");
            screen::say(format!("\n{nothing} {count} cannot be rewritten; mend or leave out, and run it again."));
            return Err(Exit::BadInput);
        }
        if unplaced > 0 && !self.partial {
            let count = plural(unplaced as u64, "piece");
            screen::say(format!(
                "\n{nothing} {count} of text could not be placed: put each under a heading, or add --partial to leave them out."
            ));
            return Err(Exit::GateFails);
        }
        if changed.is_empty() {
            return Ok(Exit::Done);
        }
        if !self.write {
            screen::line("\nNothing was changed. --write writes the new files.");
            return Ok(Exit::Done);
        }
        let kept = write_all(&changed)?;
        for ((file, _), backup) in changed.iter().zip(kept) {
            screen::line(format!("wrote {} (the old one is {})", file.path, backup.display()));
        }
        Ok(Exit::Done)
    }
}

fn show(migration: &Migration) {
    screen::line(coloured(&migration.diff));
    let point =
        |what: &str, text: &str| screen::line(format!("{} {}", styled(Style::Middling, what), screen::harmless(text)));
    for note in &migration.notes {
        point("look over:", note);
    }
    if let Some(key) = &migration.result_key {
        point("add to the benchmark:", &format!("result_key: {key}"));
    }
    for piece in &migration.unplaced {
        let line = piece.span.map_or(1, |span| span.line);
        let text = screen::harmless(&piece.message);
        screen::line(format!("{} {}:{line}: {text}", styled(Style::Bad, "not placed:"), piece.file));
    }
}

/// Writes every file, or leaves all of them as they were. Gives where the old ones are kept.
fn write_all(changed: &[(&SourceFile, Migration)]) -> Result<Vec<PathBuf>, Exit> {
    let mut undo = Undo::default();
    let mut kept = Vec::new();
    for (file, _) in changed {
        kept.push(undo.back_up(file)?);
    }
    for (file, migration) in changed {
        undo.replace(file, &migration.text)?;
    }
    undo.done();
    Ok(kept)
}

/// What has been written so far, taken back when it is dropped before everything is.
#[derive(Default)]
struct Undo<'f> {
    backups: Vec<PathBuf>,
    replaced: Vec<&'f SourceFile>,
}

impl<'f> Undo<'f> {
    /// Keeps the old file under a name that nothing has yet; one that holds the same already is as good.
    fn back_up(&mut self, file: &SourceFile) -> Result<PathBuf, Exit> {
        let names = std::iter::once(format!("{}.bak", file.path)).chain((2..).map(|n| format!("{}.bak{n}", file.path)));
        for path in names.map(PathBuf::from) {
            if std::fs::read(&path).is_ok_and(|kept| kept == file.text.as_bytes()) {
                return Ok(path);
            }
            match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut backup) => {
                    self.backups.push(path.clone());
                    backup.write_all(file.text.as_bytes()).map_err(|error| cannot(&path, &error))?;
                    return Ok(path);
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot(&path, &error)),
            }
        }
        unreachable!("there is always another name")
    }

    fn replace(&mut self, file: &'f SourceFile, text: &str) -> Result<(), Exit> {
        self.replaced.push(file);
        std::fs::write(&file.path, text).map_err(|error| cannot(Path::new(&file.path), &error))
    }

    fn done(mut self) {
        self.backups.clear();
        self.replaced.clear();
    }
}

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        // What cannot be put back is still in its backup, which is then kept.
        let back = self.replaced.iter().all(|file| std::fs::write(&file.path, &file.text).is_ok());
        if back {
            self.backups.iter().for_each(|path| _ = std::fs::remove_file(path));
        }
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Exit {
    fail(format!("{} cannot be written: {error}", path.display()), "every file is as it was")
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
