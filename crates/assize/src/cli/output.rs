//! A file under way: it gets its name when it is complete, so that half a file is never taken for a whole one.

use super::fail;
use crate::exit::Exit;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A file under way, with its folder made where it is not there.
pub(super) struct OutputFile {
    path: PathBuf,
    /// What it is called until it is complete; none for what is not a file but is written to, such as a device or a pipe.
    partial: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl OutputFile {
    /// Begins a file under a name of its own. What a link leads to is written, and the link stays.
    pub(super) fn create(path: &Path) -> Result<Self, Exit> {
        if path.is_dir() {
            return Err(fail(format!("{} is a folder", path.display()), "name a file"));
        }
        let path = if path.is_symlink() { path.canonicalize() } else { Ok(path.to_owned()) }
            .map_err(|error| cannot_be_written(path, &error))?;
        let Some(name) = path.file_name() else {
            return Err(fail(format!("`{}` is not the name of a file", path.display()), "name a file"));
        };
        let is_special = path.metadata().is_ok_and(|there| !there.is_file());
        let partial = (!is_special).then(|| {
            let mut name = name.to_owned();
            name.push(".partial");
            path.with_file_name(name)
        });
        let file = match &partial {
            None => OpenOptions::new().write(true).open(&path),
            Some(partial) => path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty())
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| File::create(partial)),
        };
        let file = file.map_err(|error| cannot_be_written(&path, &error))?;
        Ok(Self { path, partial, writer: BufWriter::with_capacity(256 * 1024, file) })
    }

    /// The same for the results of a run, which take the place of other results and of nothing else.
    pub(super) fn for_results(path: &Path) -> Result<Self, Exit> {
        if holds_something_else(path) {
            let problem = format!("{} is there already and holds no results of a run", path.display());
            return Err(fail(problem, "name another file, or remove that one first"));
        }
        Self::create(path)
    }

    /// Where to write.
    pub(super) fn writer(&mut self) -> &mut BufWriter<File> {
        &mut self.writer
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> Result<(), Unnamed> {
        let flushed = self.writer.flush();
        let named = flushed.and_then(|()| match &self.partial {
            Some(partial) => std::fs::rename(partial, &self.path),
            None => Ok(()),
        });
        named.map_err(|error| {
            let partial = self.partial.unwrap_or_else(|| self.path.clone());
            Unnamed { path: self.path, partial, error }
        })
    }

    /// Takes away what was written so far.
    pub(super) fn abandon(self) {
        drop(self.writer);
        if let Some(partial) = self.partial {
            // What cannot be removed has a name that says what it is.
            let _ = std::fs::remove_file(partial);
        }
    }
}

/// Whether a file is there that is not one of results: a suite, cases, a store.
fn holds_something_else(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let Ok(file) = File::open(path) else { return false };
    let mut first = String::new();
    match BufReader::new(file).take(LONGEST_LINE).read_line(&mut first) {
        Ok(0) => false,
        Ok(_) => !serde_json::from_str::<serde_json::Value>(&first)
            .is_ok_and(|line| ["case", "status", "metrics"].iter().all(|key| line.get(key).is_some())),
        Err(_) => true,
    }
}

/// No line of results is longer.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// A file that did not get its name.
pub(super) struct Unnamed {
    path: PathBuf,
    /// Where its content is, as far as it could be written.
    pub(super) partial: PathBuf,
    error: std::io::Error,
}

impl fmt::Display for Unnamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be written: {}", self.path.display(), self.error)
    }
}

fn cannot_be_written(path: &Path, error: &std::io::Error) -> Exit {
    fail(format!("{} cannot be written: {error}", path.display()), "")
}
