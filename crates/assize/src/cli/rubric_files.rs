//! Reading rubric files that were named on the command line.

use super::fail;
use crate::exit::Exit;
use assize_core::SourceFile;
use assize_engine::files::{Files, PathKind};
use assize_judges::systems::behaviour::lint::CONFIG_FILE;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Files that were named, among those they have to be read with.
pub(super) struct NamedFiles {
    /// All that was read: the named ones, and the trees they belong to.
    pub(super) all: Vec<SourceFile>,
    /// From the path of each named one, as it was read, to the path as it was named.
    pub(super) named: HashMap<String, String>,
}

/// The files that paths name, with the rest of their tree: a benchmark alone knows neither its rubric nor its prompt.
pub(super) fn read_with_trees(paths: &[PathBuf]) -> Result<NamedFiles, Exit> {
    let named = read(paths)?;
    let roots: BTreeSet<PathBuf> = paths.iter().filter_map(|path| root_of(path)).collect();
    let mut files = NamedFiles { all: read(&Vec::from_iter(roots))?, named: HashMap::new() };
    let place = |file: &SourceFile| std::fs::canonicalize(&file.path).ok();
    let places: HashMap<PathBuf, String> =
        files.all.iter().filter_map(|file| Some((place(file)?, file.path.clone()))).collect();
    for file in named {
        let read_as = place(&file).and_then(|place| places.get(&place).cloned());
        files.named.insert(read_as.clone().unwrap_or_else(|| file.path.clone()), file.path.clone());
        if read_as.is_none() {
            files.all.push(file);
        }
    }
    Ok(files)
}

/// The folder with the `benchmarks/` or `rubrics/` that a path is in, as it is written where that says it.
fn root_of(path: &Path) -> Option<PathBuf> {
    let is_part = |folder: &&Path| {
        folder.file_name().is_some_and(|name| name == "benchmarks" || name == "rubrics") && folder.is_dir()
    };
    if let Some(root) = path.ancestors().find(is_part).and_then(Path::parent) {
        return Some(if root.as_os_str().is_empty() { PathBuf::from(".") } else { root.to_owned() });
    }
    let absolute = std::path::absolute(path).ok()?;
    absolute.ancestors().find(is_part).and_then(Path::parent).map(Path::to_owned)
}

/// The files that paths name: a file itself, a folder with everything in it that belongs to rubrics. The linter's own
/// configuration beside a file comes along.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<SourceFile>, Exit> {
    let files = Files::Folder(PathBuf::new());
    let mut named: Vec<String> = Vec::new();
    for path in paths {
        let path = path.to_string_lossy().trim_end_matches('/').to_owned();
        match files.kind(&path) {
            PathKind::Missing | PathKind::Outside => return Err(fail(format!("{path} is not there"), "")),
            PathKind::File => {
                let beside = path
                    .rsplit_once('/')
                    .map_or(CONFIG_FILE.to_owned(), |(folder, _)| format!("{folder}/{CONFIG_FILE}"));
                if files.kind(&beside) == PathKind::File {
                    named.push(beside);
                }
                named.push(path);
            }
            PathKind::Folder => {
                let found = files
                    .judge_files(&path)
                    .map_err(|error| fail(format!("{path} cannot be searched: {error}"), ""))?;
                named.extend(found);
            }
        }
    }
    named.sort();
    named.dedup();
    named
        .into_iter()
        .map(|path| match files.read_text(&path) {
            Ok(text) => Ok(SourceFile { path, text }),
            Err(error) => Err(fail(format!("{path} cannot be read: {error}"), "")),
        })
        .collect()
}
