//! Reading rubric files that were named on the command line.

use super::fail;
use crate::exit::Exit;
use assize_core::SourceFile;
use assize_engine::files::{Files, PathKind};
use assize_judges::systems::behaviour::lint::CONFIG_FILE;
use std::path::PathBuf;

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
