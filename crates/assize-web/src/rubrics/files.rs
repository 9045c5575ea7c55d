//! The rubric files of the served folder, or of the bundled example, with their texts.

use super::RubricFileKind;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::served::Served;
use assize_core::{JudgeSystem, SourceFile};
use assize_engine::files::Files;
use assize_judges::examples;
use assize_judges::systems::behaviour::TreeSystem;
use assize_judges::systems::behaviour::lint::CONFIG_FILE;
use assize_judges::systems::behaviour::spec::{root_of, roots};
use axum::http::StatusCode;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// The longest file that is taken for one that a person wrote.
const LARGEST: u64 = 1024 * 1024;

/// How the paths of the example begin.
const EXAMPLE_MARK: &str = "example:";

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// In the served folder.
    Folder,
    /// In the binary: to look at and to try out, never to write.
    Example,
}

/// A file's place and its path there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) origin: Origin,
    pub(crate) path: String,
}

impl Address {
    /// Reads a path as it stands in an address.
    pub(crate) fn parse(written: &str) -> Self {
        match written.strip_prefix(EXAMPLE_MARK) {
            Some(path) => Self { origin: Origin::Example, path: path.to_owned() },
            None => Self { origin: Origin::Folder, path: written.trim_start_matches("./").to_owned() },
        }
    }

    /// Refuses a path that leads out of the folder; the file need not be there.
    pub(crate) fn is_inside(&self, served: &Served) -> Result<(), Failure> {
        match served.folder().find(&self.path) {
            Err(failure) if self.origin == Origin::Folder && failure.status == StatusCode::FORBIDDEN => Err(failure),
            _ => Ok(()),
        }
    }

    /// The text of the file.
    pub(crate) fn read(&self, served: &Served) -> Result<String, Failure> {
        match self.origin {
            Origin::Folder => read(served.folder(), &self.path),
            Origin::Example => {
                let found = example_files().iter().find(|(path, _)| *path == self.path);
                found
                    .map(|(_, text)| (*text).to_owned())
                    .ok_or_else(|| Failure::missing(format!("The example has no file “{}”.", self.path)))
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.origin == Origin::Example { EXAMPLE_MARK } else { "" };
        write!(f, "{mark}{}", self.path)
    }
}

/// The files of the example.
pub(super) fn example_files() -> examples::ExampleFiles {
    let bundled = examples::all().into_iter().find(|example| example.system == TreeSystem.card().example);
    bundled.map_or(&[], |example| example.files)
}

/// The example's files, to be read like those of a folder.
pub(super) fn example() -> Files {
    Files::Bundled { name: TreeSystem.card().example, files: example_files() }
}

/// Whether a name is one that rubric files have.
pub(super) fn is_rubric_name(name: &str) -> bool {
    [".md", ".yaml", ".yml"].iter().any(|ending| name.ends_with(ending))
}

fn read(folder: &Folder, path: &str) -> Result<String, Failure> {
    read_found(&folder.find(path)?, path)
}

fn read_found(found: &Path, path: &str) -> Result<String, Failure> {
    let cannot = |why: String| Failure::bad(format!("“{path}” cannot be read: {why}."));
    let length = found.metadata().map_err(|error| cannot(error.to_string()))?.len();
    if !found.is_file() || length > LARGEST {
        return Err(cannot(if found.is_file() {
            "it is too large for a rubric".into()
        } else {
            "it is no file".into()
        }));
    }
    let bytes = std::fs::read(found).map_err(|error| cannot(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| cannot("it is no text in UTF-8".into()))
}

/// Rubric files that are looked at together.
#[derive(Clone, Debug)]
pub(crate) struct RubricFiles {
    pub(crate) origin: Origin,
    /// The files, in the order of their paths.
    pub(crate) files: Vec<(SourceFile, RubricFileKind)>,
    /// What else stands in the way of reading them right: the linter's configurations, and texts that are no rubrics.
    pub(super) others: Vec<SourceFile>,
    /// The folders that hold trees.
    pub(crate) roots: BTreeSet<String>,
}

impl RubricFiles {
    /// Everything in the served folder.
    pub(crate) fn of_folder(served: &Served) -> Self {
        let folder = served.folder();
        let paths = folder.files(is_rubric_name);
        Self::from_paths(folder, &paths, &paths)
    }

    /// The bundled example.
    pub(crate) fn of_example() -> Self {
        let files = example_files().iter().filter(|(path, _)| path.starts_with("tree/"));
        let files: Vec<SourceFile> =
            files.map(|(path, text)| SourceFile { path: (*path).to_owned(), text: (*text).to_owned() }).collect();
        let roots = roots(files.iter().map(|file| file.path.as_str()));
        Self::sorted(Origin::Example, files, Vec::new(), roots)
    }

    /// A file and those it stands together with: its tree, or itself alone.
    pub(crate) fn around(served: &Served, address: &Address) -> Self {
        if address.origin == Origin::Example {
            return Self::of_example();
        }
        let folder = served.folder();
        let mut all = folder.files(is_rubric_name);
        if !all.contains(&address.path) {
            // It may be about to be written.
            all.push(address.path.clone());
        }
        let roots = roots(all.iter().map(String::as_str));
        let root = root_of(&address.path, &roots);
        let near = |path: &&String| **path == address.path || root.is_some() && root_of(path, &roots) == root;
        let wanted: Vec<String> = all.iter().filter(near).cloned().collect();
        Self::from_paths(folder, &wanted, &all)
    }

    fn from_paths(folder: &Folder, wanted: &[String], all: &[String]) -> Self {
        // What cannot be read is in no list; whoever opens it is told why.
        let text = |path: &String| Some(SourceFile { path: path.clone(), text: read(folder, path).ok()? });
        let files: Vec<SourceFile> = wanted.iter().filter_map(text).collect();
        let folders: BTreeSet<&str> = wanted.iter().flat_map(|path| folders_above(path)).collect();
        let config = |within: &str| {
            let path = format!("{within}{CONFIG_FILE}");
            let found = folder.find_hidden(within, CONFIG_FILE).ok()?;
            Some(SourceFile { text: read_found(&found, &path).ok()?, path })
        };
        let configs = folders.into_iter().filter_map(config).collect();
        Self::sorted(Origin::Folder, files, configs, roots(all.iter().map(String::as_str)))
    }

    fn sorted(origin: Origin, files: Vec<SourceFile>, mut others: Vec<SourceFile>, roots: BTreeSet<String>) -> Self {
        let mut known = Vec::new();
        for file in files {
            match RubricFileKind::of(&file.path, &file.text, &roots) {
                Some(kind) => known.push((file, kind)),
                None => others.push(file),
            }
        }
        Self { origin, files: known, others, roots }
    }

    /// The same with another text in the place of a file's; the file need not be there.
    pub(crate) fn with_text(mut self, path: &str, text: &str, kind: RubricFileKind) -> Self {
        let file = SourceFile { path: path.to_owned(), text: text.to_owned() };
        self.others.retain(|other| other.path != path);
        match self.files.iter_mut().find(|(file, _)| file.path == path) {
            Some(found) => *found = (file, kind),
            None => self.files.push((file, kind)),
        }
        self
    }

    /// The address of one of its files.
    pub(crate) fn address(&self, path: &str) -> Address {
        Address { origin: self.origin, path: path.to_owned() }
    }

    /// A file by its path.
    pub(crate) fn file(&self, path: &str) -> Option<&(SourceFile, RubricFileKind)> {
        self.files.iter().find(|(file, _)| file.path == path)
    }

    /// The root of the tree that a path is in.
    pub(crate) fn root_of(&self, path: &str) -> Option<&str> {
        root_of(path, &self.roots)
    }

    /// The files of a tree.
    pub(crate) fn in_tree<'s>(&'s self, root: &'s str) -> impl Iterator<Item = &'s (SourceFile, RubricFileKind)> {
        self.files.iter().filter(move |(file, _)| self.root_of(&file.path) == Some(root))
    }

    /// A fingerprint of everything on it.
    pub(super) fn content(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for file in self.files.iter().map(|(file, _)| file).chain(&self.others) {
            // The lengths keep one file's end from being another's beginning.
            hasher
                .update(&[file.path.len(), file.text.len()].map(|length| length as u64).map(u64::to_le_bytes).concat());
            hasher.update(file.path.as_bytes());
            hasher.update(file.text.as_bytes());
        }
        hasher.finalize()
    }

    /// Everything there is to read, for those who need whole files: the linter, a judge.
    pub(super) fn sources(&self) -> Vec<SourceFile> {
        self.files.iter().map(|(file, _)| file).chain(&self.others).cloned().collect()
    }
}

/// The folders above a path, each with its slash at the end; the folder where paths start is empty.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let inner = path.char_indices().filter(|(_, character)| *character == '/').map(|(at, _)| &path[..=at]);
    std::iter::once("").chain(inner)
}
