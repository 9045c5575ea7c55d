//! Reading rubric files that were named on the command line.

use super::fail;
use crate::exit::Exit;
use assize_core::SourceFile;
use assize_engine::files::{Files, PathKind};
use assize_judges::systems::behaviour::lint::CONFIG_FILE;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// The files that paths name: a file itself, a folder with everything in it that belongs to rubrics. The linter's own
/// configuration beside a file comes along.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<SourceFile>, Exit> {
    let files = Files::Folder(PathBuf::new());
    let mut named: Vec<String> = Vec::new();
    for path in paths {
        let path = path.to_string_lossy();
        // The same file has the same path, however it is named.
        let path = path.trim_start_matches("./").trim_end_matches('/');
        let path = if path.is_empty() { "." } else { path }.to_owned();
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

/// What was named, and the rest of the trees that it is part of: a benchmark can only be understood beside its rubric and prompt.
pub(super) struct WithTrees {
    /// All files.
    pub(super) files: Vec<SourceFile>,
    /// The paths of those that were named.
    pub(super) named: HashSet<String>,
}

/// The files that paths name, with the whole of every tree that one of them is in.
pub(super) fn read_with_trees(paths: &[PathBuf]) -> Result<WithTrees, Exit> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| seen_from_its_tree(path)).collect();
    let mut files = read(&paths)?;
    let named: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
    let roots: BTreeSet<PathBuf> = paths.iter().filter_map(|path| root_above(path)).collect();
    if !roots.is_empty() {
        let beside = read(&roots.into_iter().collect::<Vec<_>>())?;
        files.extend(beside.into_iter().filter(|file| !named.contains(&file.path)));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
    }
    Ok(WithTrees { files, named })
}

/// A path as written, or in full where only that shows the tree it is in: one that is named from inside the tree.
fn seen_from_its_tree(path: &Path) -> PathBuf {
    let in_full = || std::path::absolute(path).ok().filter(|path| root_above(path).is_some());
    if root_above(path).is_some() { path.to_owned() } else { in_full().unwrap_or_else(|| path.to_owned()) }
}

/// The nearest folder above a path that holds the YAML files of a tree, as the path itself is written.
fn root_above(path: &Path) -> Option<PathBuf> {
    let files = Files::Folder(PathBuf::new());
    let holds_tree = |folder: &Path| {
        ["benchmarks", "rubrics"].iter().any(|part| {
            let part = folder.join(part).to_string_lossy().into_owned();
            let is_yaml = |path: &String| path.ends_with(".yaml") || path.ends_with(".yml");
            files.kind(&part) == PathKind::Folder
                && files.judge_files(&part).is_ok_and(|found| found.iter().any(is_yaml))
        })
    };
    let root = path.ancestors().skip(1).find(|folder| holds_tree(folder))?;
    Some(if root.as_os_str().is_empty() { PathBuf::from(".") } else { root.to_owned() })
}
