//! Where suites and cases come from: a folder on disk, files inside the binary, or texts that are on no disk yet.
//!
//! Paths are those people write in a suite, relative to it. Everything that reads a suite's files goes through here, so
//! that the bundled examples run with no file on disk and through the same code.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files a suite can name.
#[derive(Clone, Debug)]
pub enum Files {
    /// A folder: the suite's own.
    Folder(PathBuf),
    /// Files that are part of the binary: path and content.
    Bundled(&'static [(&'static str, &'static str)]),
    /// Texts in memory: path and content. What somebody is still writing is judged through the same code as what they saved.
    Held(Arc<[(String, String)]>),
}

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Nothing that is there.
    Missing,
}

/// The largest file that is read whole: suites, criteria, prompts, recorded answers.
pub const LARGEST_DOCUMENT: u64 = 64 * 1024 * 1024;

impl Files {
    /// The folder that relative paths start from.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Folder(root) => root,
            Self::Bundled(_) | Self::Held(_) => Path::new(""),
        }
    }

    /// Path and content of the files that are on no disk.
    fn in_memory(&self) -> Box<dyn Iterator<Item = (&str, &str)> + '_> {
        match self {
            Self::Folder(_) => Box::new(std::iter::empty()),
            Self::Bundled(files) => Box::new(files.iter().copied()),
            Self::Held(files) => Box::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))),
        }
    }

    /// What stands at a path.
    pub fn kind(&self, path: &str) -> PathKind {
        match self {
            Self::Folder(root) => match std::fs::metadata(root.join(path)) {
                Ok(found) if found.is_dir() => PathKind::Folder,
                Ok(_) => PathKind::File,
                Err(_) => PathKind::Missing,
            },
            Self::Bundled(_) | Self::Held(_) => {
                let folder = match path.trim_end_matches('/') {
                    "." => String::new(),
                    folder => format!("{folder}/"),
                };
                if self.in_memory().any(|(name, _)| name == path) {
                    PathKind::File
                } else if self.in_memory().any(|(name, _)| name.starts_with(&folder)) {
                    PathKind::Folder
                } else {
                    PathKind::Missing
                }
            }
        }
    }

    /// Opens a file for reading from its start.
    pub fn open(&self, path: &str) -> io::Result<Box<dyn BufRead + Send>> {
        match self {
            Self::Folder(root) => Ok(Box::new(BufReader::with_capacity(256 * 1024, File::open(root.join(path))?))),
            Self::Bundled(_) | Self::Held(_) => match self.in_memory().find(|(name, _)| *name == path) {
                Some((_, content)) => Ok(Box::new(Cursor::new(content.as_bytes().to_owned()))),
                None => Err(io::Error::from(io::ErrorKind::NotFound)),
            },
        }
    }

    /// Opens a file whose parts are read in any order; what is inside the binary or held in memory is text, and no such file.
    #[cfg(feature = "parquet")]
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        match self {
            Self::Folder(root) => File::open(root.join(path)),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }

    /// Reads a whole file as text, up to [`LARGEST_DOCUMENT`].
    pub fn read_text(&self, path: &str) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.open(path)?.take(LARGEST_DOCUMENT + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST_DOCUMENT {
            let message = format!("larger than {} MiB, which is the most that is read whole", LARGEST_DOCUMENT >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
            let start = valid.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let column = String::from_utf8_lossy(&valid[start..]).chars().count() + 1;
            io::Error::new(io::ErrorKind::InvalidData, format!("not valid UTF-8 at line {line}, column {column}"))
        })
    }

    /// The files that a pattern names, in the order of their paths.
    pub fn matching(&self, pattern: &str) -> Result<Vec<String>, glob::PatternError> {
        let compiled = glob::Pattern::new(pattern)?;
        if !pattern.contains(['*', '?', '[']) {
            return Ok(if self.kind(pattern) == PathKind::File { vec![pattern.to_owned()] } else { Vec::new() });
        }
        let mut found = match self {
            Self::Folder(root) => {
                let escaped = glob::Pattern::escape(&root.to_string_lossy());
                let as_it_is = root.as_os_str().is_empty() || Path::new(pattern).is_absolute();
                let whole = if as_it_is { pattern.to_owned() } else { format!("{escaped}/{pattern}") };
                glob::glob(&whole)?
                    .flatten()
                    .filter(|path| path.is_file())
                    .map(|path| path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned())
                    .collect()
            }
            Self::Bundled(_) | Self::Held(_) => {
                let options = glob::MatchOptions { require_literal_separator: true, ..Default::default() };
                let names = self.in_memory().map(|(name, _)| name);
                names.filter(|name| compiled.matches_with(name, options)).map(str::to_owned).collect::<Vec<_>>()
            }
        };
        found.sort();
        Ok(found)
    }

    /// All files below a folder that a judge may be made of (YAML and Markdown), in the order of their paths.
    pub fn judge_files(&self, folder: &str) -> Result<Vec<String>, glob::PatternError> {
        let folder = folder.trim_end_matches('/');
        let escaped = if folder.is_empty() || folder == "." {
            String::new()
        } else {
            format!("{}/", glob::Pattern::escape(folder))
        };
        let mut found = Vec::new();
        for ending in ["yaml", "yml", "md"] {
            found.extend(self.matching(&format!("{escaped}**/*.{ending}"))?);
        }
        found.sort();
        Ok(found)
    }

    /// A path as people would type it from where they stand, for messages.
    pub fn shown(&self, path: &str) -> String {
        match self {
            Self::Folder(root) if root.as_os_str().is_empty() || root == Path::new(".") => path.to_owned(),
            Self::Folder(root) => root.join(path).display().to_string(),
            Self::Bundled(_) => format!("bundled:{path}"),
            Self::Held(_) => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_files_on_disk_and_in_the_binary() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("cases/more")).expect("made");
        for name in ["cases/b.jsonl", "cases/a.jsonl", "cases/more/c.jsonl", "cases/note.txt"] {
            std::fs::write(folder.path().join(name), "x").expect("written");
        }
        const BUNDLED: &[(&str, &str)] =
            &[("cases/b.jsonl", "x"), ("cases/a.jsonl", "x"), ("cases/more/c.jsonl", "x"), ("cases/note.txt", "x")];
        let held = BUNDLED.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        for files in [Files::Folder(folder.path().to_owned()), Files::Bundled(BUNDLED), Files::Held(held)] {
            assert_eq!(files.matching("cases/*.jsonl").expect("a pattern"), ["cases/a.jsonl", "cases/b.jsonl"]);
            assert_eq!(files.matching("cases/a.jsonl").expect("a pattern"), ["cases/a.jsonl"]);
            assert!(files.matching("none/*.jsonl").expect("a pattern").is_empty());
            assert_eq!(files.kind("cases"), PathKind::Folder);
            assert_eq!(files.kind("."), PathKind::Folder);
            assert_eq!(files.read_text("cases/more/c.jsonl").expect("a text"), "x");
            assert_eq!(files.kind("cases/none"), PathKind::Missing);
            assert_eq!(files.matching("**/c.jsonl").expect("a pattern"), ["cases/more/c.jsonl"]);
        }
    }
}
