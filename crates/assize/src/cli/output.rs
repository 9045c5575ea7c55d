//! A file under way: it gets its name when it is complete, so that half a file is never taken for a whole one.

use super::fail;
use crate::exit::Exit;
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under way, with its folder made where it is not there.
pub(super) struct OutputFile {
    path: PathBuf,
    partial: PathBuf,
    writer: BufWriter<File>,
}

impl OutputFile {
    /// Begins a file under a name of its own.
    pub(super) fn create(path: &Path) -> Result<Self, Exit> {
        if path.is_dir() {
            return Err(fail(format!("{} is a folder", path.display()), "name a file"));
        }
        let Some(name) = path.file_name() else {
            return Err(fail(format!("`{}` is not the name of a file", path.display()), "name a file"));
        };
        let mut name = name.to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        let file = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| File::create(&partial))
            .map_err(|error| cannot_be_written(path, &error))?;
        Ok(Self { path: path.to_owned(), partial, writer: BufWriter::with_capacity(256 * 1024, file) })
    }

    /// Where to write.
    pub(super) fn writer(&mut self) -> &mut BufWriter<File> {
        &mut self.writer
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> Result<(), Unnamed> {
        let named = self.writer.flush().and_then(|()| std::fs::rename(&self.partial, &self.path));
        named.map_err(|error| Unnamed { path: self.path, partial: self.partial, error })
    }

    /// Takes away what was written so far.
    pub(super) fn abandon(self) {
        drop(self.writer);
        // What cannot be removed has a name that says what it is.
        let _ = std::fs::remove_file(&self.partial);
    }
}

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
