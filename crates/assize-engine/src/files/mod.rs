//! Where suites and cases come from: a folder on disk, a folder nothing leads out of, files inside the binary, or texts that
//! are on no disk yet.
//!
//! Paths are those people write in a suite, relative to it. Everything that reads a suite's files goes through here, so
//! that the bundled examples run with no file on disk and through the same code.

mod confined;
mod source_line;

pub use confined::Confined;
pub use source_line::{SourceLine, source_line};

use assize_judges::examples::Example;
use confined::Refusal;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files a suite can name.
#[derive(Clone, Debug)]
pub enum Files {
    /// A folder: the suite's own.
    Folder(PathBuf),
    /// A folder that nothing leads out of.
    Confined(Confined),
    /// Files that are part of the binary.
    Bundled {
        /// What they are an example of.
        name: &'static str,
        /// Path and content.
        files: &'static [(&'static str, &'static str)],
    },
    /// Texts in memory: path and content. What somebody is still writing is judged through the same code as what they saved.
    Held(Arc<[(String, String)]>),
    /// Texts in memory, before the files of somewhere else.
    Over(Arc<[(String, String)]>, Box<Files>),
}

/// What makes a path a pattern.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Nothing that is there.
    Missing,
    /// Something that leads out of a folder nothing may lead out of.
    Outside,
}

/// Why a pattern names no files.
#[derive(Debug)]
pub enum MatchError {
    /// It is no pattern.
    Pattern(glob::PatternError),
    /// It leads out of a folder nothing may lead out of, by way of this path.
    Outside(String),
}

impl std::fmt::Display for MatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pattern(error) => write!(f, "not a pattern: {error}"),
            Self::Outside(path) => write!(f, "`{path}` {OUTSIDE}"),
        }
    }
}

impl From<glob::PatternError> for MatchError {
    fn from(error: glob::PatternError) -> Self {
        Self::Pattern(error)
    }
}

/// What is said of a path that leads out.
pub(crate) const OUTSIDE: &str = "leads out of the served folder";

/// The largest file that is read whole: suites, criteria, prompts, recorded answers.
pub const LARGEST_DOCUMENT: u64 = 64 * 1024 * 1024;

impl From<&Example> for Files {
    fn from(example: &Example) -> Self {
        Self::Bundled { name: example.system, files: example.files }
    }
}

impl Files {
    /// The folder that relative paths start from.
    fn folder(&self) -> Cow<'_, Path> {
        match self {
            Self::Folder(root) => Cow::Borrowed(root),
            Self::Confined(confined) => Cow::Owned(confined.folder()),
            Self::Bundled { .. } | Self::Held(_) => Cow::Borrowed(Path::new("")),
            Self::Over(_, under) => under.folder(),
        }
    }

    /// Where a folder with a model in it is.
    pub(crate) fn model_folder(&self, path: &str) -> io::Result<PathBuf> {
        let confined = match self {
            Self::Confined(confined) => confined,
            Self::Over(_, under) => return under.model_folder(path),
            _ => return Ok(self.folder().join(path)),
        };
        match confined.find(path) {
            Ok(found) if confined.holds_only_own(&found) => Ok(found),
            Ok(_) => Err(refused(Refusal::Outside)),
            Err(refusal) => Err(refused(refusal)),
        }
    }

    /// Path and content of the files that are on no disk.
    fn in_memory(&self) -> Box<dyn Iterator<Item = (&str, &str)> + '_> {
        match self {
            Self::Folder(_) | Self::Confined(_) => Box::new(std::iter::empty()),
            Self::Bundled { files, .. } => Box::new(files.iter().copied()),
            Self::Held(files) | Self::Over(files, _) => {
                Box::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
            }
        }
    }

    /// The content of a file that is on no disk.
    fn held(&self, path: &str) -> Option<&str> {
        self.in_memory().find(|(name, _)| *name == path).map(|(_, content)| content)
    }

    /// What stands at a path.
    pub fn kind(&self, path: &str) -> PathKind {
        match self {
            Self::Folder(root) => kind_of(&root.join(path)),
            Self::Confined(confined) => match confined.find(path) {
                Ok(found) => kind_of(&found),
                Err(Refusal::Missing) => PathKind::Missing,
                Err(Refusal::Outside) => PathKind::Outside,
            },
            Self::Over(_, under) if self.held(path).is_none() => under.kind(path),
            Self::Bundled { .. } | Self::Held(_) | Self::Over(..) => {
                let folder = match path.trim_end_matches('/') {
                    "." => String::new(),
                    folder => format!("{folder}/"),
                };
                if self.held(path).is_some() {
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
        let on_disk = match self {
            Self::Folder(root) => root.join(path),
            Self::Confined(confined) => confined.find(path).map_err(refused)?,
            Self::Over(_, under) if self.held(path).is_none() => return under.open(path),
            Self::Bundled { .. } | Self::Held(_) | Self::Over(..) => {
                let content = self.held(path).ok_or(io::ErrorKind::NotFound)?;
                return Ok(Box::new(Cursor::new(content.as_bytes().to_owned())));
            }
        };
        Ok(Box::new(BufReader::with_capacity(256 * 1024, File::open(on_disk)?)))
    }

    /// Opens a file whose parts are read in any order; what is in memory is text, and no such file.
    #[cfg(feature = "parquet")]
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        match self {
            Self::Folder(root) => File::open(root.join(path)),
            Self::Confined(confined) => File::open(confined.find(path).map_err(refused)?),
            Self::Over(_, under) if self.held(path).is_none() => under.open_file(path),
            Self::Bundled { .. } | Self::Held(_) | Self::Over(..) => Err(io::Error::from(io::ErrorKind::NotFound)),
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
    pub fn matching(&self, pattern: &str) -> Result<Vec<String>, MatchError> {
        let compiled = glob::Pattern::new(pattern)?;
        if !pattern.contains(WILDCARDS) {
            return match self.kind(pattern) {
                PathKind::File => Ok(vec![pattern.to_owned()]),
                PathKind::Folder | PathKind::Missing => Ok(Vec::new()),
                PathKind::Outside => Err(MatchError::Outside(pattern.to_owned())),
            };
        }
        if let Self::Confined(confined) = self
            && (confined.within(pattern).is_none() || confined.find(literal(pattern)) == Err(Refusal::Outside))
        {
            return Err(MatchError::Outside(pattern.to_owned()));
        }
        let mut found = match self {
            Self::Folder(_) | Self::Confined(_) => {
                let root = self.folder();
                let escaped = glob::Pattern::escape(&root.to_string_lossy());
                let as_it_is = root.as_os_str().is_empty() || Path::new(pattern).is_absolute();
                let whole = if as_it_is { pattern.to_owned() } else { format!("{escaped}/{pattern}") };
                glob::glob(&whole)?
                    .flatten()
                    .filter(|path| path.is_file())
                    .map(|path| path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned())
                    .collect()
            }
            Self::Over(_, under) => under.matching(pattern)?,
            Self::Bundled { .. } | Self::Held(_) => {
                let options = glob::MatchOptions { require_literal_separator: true, ..Default::default() };
                let names = self.in_memory().map(|(name, _)| name);
                names.filter(|name| compiled.matches_with(name, options)).map(str::to_owned).collect::<Vec<_>>()
            }
        };
        found.sort();
        // A pattern can go through a link; what was found says where it led.
        match found.iter().find(|path| self.kind(path) == PathKind::Outside) {
            Some(outside) => Err(MatchError::Outside(outside.clone())),
            None => Ok(found),
        }
    }

    /// All files below a folder that a judge may be made of (YAML and Markdown), in the order of their paths.
    pub fn judge_files(&self, folder: &str) -> Result<Vec<String>, MatchError> {
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
            Self::Confined(confined) => confined.within(path).unwrap_or_else(|| path.into()).display().to_string(),
            Self::Bundled { name, .. } => format!("bundled:{name}/{path}"),
            Self::Over(_, under) if self.held(path).is_none() => under.shown(path),
            Self::Held(_) | Self::Over(..) => path.to_owned(),
        }
    }

    /// A path that means the same from everywhere.
    pub(crate) fn absolute(&self, path: &str) -> String {
        let on_disk = self.folder().join(path);
        match self {
            Self::Bundled { .. } | Self::Held(_) => self.shown(path),
            Self::Over(_, under) if self.held(path).is_none() => under.absolute(path),
            Self::Over(..) => self.shown(path),
            _ => on_disk.canonicalize().unwrap_or(on_disk).display().to_string(),
        }
    }
}

/// The folder where a search begins: the pattern up to the first part that is one.
fn literal(pattern: &str) -> &str {
    let upto = pattern.find(WILDCARDS).unwrap_or(pattern.len());
    pattern[..upto].rfind('/').map_or(".", |at| &pattern[..at])
}

fn kind_of(path: &Path) -> PathKind {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => PathKind::Folder,
        Ok(_) => PathKind::File,
        Err(_) => PathKind::Missing,
    }
}

fn refused(refusal: Refusal) -> io::Error {
    match refusal {
        Refusal::Missing => io::Error::from(io::ErrorKind::NotFound),
        Refusal::Outside => io::Error::new(io::ErrorKind::PermissionDenied, format!("it {OUTSIDE}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_memory_go_before_the_files_under_them() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["suite.yaml", "judge.yaml"] {
            std::fs::write(folder.path().join(name), "on disk").expect("written");
        }
        let under = Files::Confined(Confined::new(folder.path(), Path::new("")).expect("there"));
        let files = Files::Over([("suite.yaml".to_owned(), "held".to_owned())].into(), Box::new(under));
        assert_eq!(files.read_text("suite.yaml").expect("read"), "held");
        assert_eq!(files.read_text("judge.yaml").expect("read"), "on disk");
        assert_eq!((files.kind("suite.yaml"), files.kind("../x")), (PathKind::File, PathKind::Outside));
        assert_eq!(files.matching("suite.yaml").expect("found"), ["suite.yaml"]);
    }

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
        let bundled = Files::Bundled { name: "x", files: BUNDLED };
        for files in [Files::Folder(folder.path().to_owned()), bundled, Files::Held(held)] {
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
