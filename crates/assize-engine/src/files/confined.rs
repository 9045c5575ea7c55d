//! A folder that nothing leads out of: what the page may read when it runs a suite.
//!
//! A suite's paths are written by whoever can write the suite, and the page shows what stands in the files they name. So
//! every path is checked twice: as written, before the disk is touched, and as it was found, with all links followed.

use std::path::{Component, Path, PathBuf};

/// A folder within the one that is served.
#[derive(Clone, Debug)]
pub struct Confined {
    /// The served folder, with all links followed.
    root: PathBuf,
    /// The folder that paths start from, relative to the served one.
    folder: PathBuf,
}

/// Why there is nothing to read at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is not there.
    Missing,
    /// It leads out.
    Outside,
}

impl Confined {
    /// The folder of `folder` (relative to it) within the served folder `root`.
    pub fn new(root: &Path, folder: &Path) -> std::io::Result<Self> {
        Ok(Self { root: root.canonicalize()?, folder: folder.to_owned() })
    }

    /// The folder that paths start from.
    pub(super) fn folder(&self) -> PathBuf {
        self.root.join(&self.folder)
    }

    /// Where a path is, with all links followed.
    pub(super) fn find(&self, path: &str) -> Result<PathBuf, Refusal> {
        let within = self.within(path).ok_or(Refusal::Outside)?;
        let found = self.root.join(within).canonicalize().map_err(|_| Refusal::Missing)?;
        if found.starts_with(&self.root) { Ok(found) } else { Err(Refusal::Outside) }
    }

    /// A path relative to the served folder and without dots; nothing where it leads out as it is written.
    pub(super) fn within(&self, path: &str) -> Option<PathBuf> {
        if path.contains('\0') {
            return None;
        }
        let mut within = PathBuf::new();
        // Where a component may stand for any number of folders, nobody can say where the folder above it is.
        let mut unsure = false;
        for component in self.folder.components().chain(Path::new(path).components()) {
            match component {
                Component::Normal(name) => {
                    unsure |= name.to_string_lossy().contains(super::WILDCARDS);
                    within.push(name);
                }
                Component::CurDir => {}
                Component::ParentDir if !unsure && within.pop() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(within)
    }

    /// Whether a folder holds nothing that leads out, as deep as a model's folder goes.
    pub(super) fn holds_only_own(&self, folder: &Path) -> bool {
        let mut waiting = vec![(folder.to_owned(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let Ok(found) = path.canonicalize() else { continue };
                if !found.starts_with(&self.root) {
                    return false;
                }
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) && depth < 4 {
                    waiting.push((path, depth + 1));
                }
            }
        }
        true
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::{Files, MatchError, PathKind};
    use super::*;
    use std::os::unix::fs::symlink;

    /// A served folder with links out of it, and a secret beside it.
    fn served() -> (tempfile::TempDir, Files) {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("served");
        for folder in ["calls/cases", "shared", "models/safe", "models/linked"] {
            std::fs::create_dir_all(root.join(folder)).expect("made");
        }
        for file in ["calls/suite.yaml", "calls/cases/a.jsonl", "shared/b.jsonl", "models/safe/weights.npz"] {
            std::fs::write(root.join(file), "inside").expect("written");
        }
        std::fs::write(outer.path().join("secret.jsonl"), "secret").expect("written");
        symlink(outer.path().join("secret.jsonl"), root.join("calls/alias.jsonl")).expect("linked");
        symlink(outer.path(), root.join("calls/out")).expect("linked");
        symlink(root.join("shared"), root.join("calls/near")).expect("linked");
        symlink(outer.path().join("secret.jsonl"), root.join("models/linked/weights.npz")).expect("linked");
        let files = Files::Confined(Confined::new(&root, Path::new("calls")).expect("there"));
        (outer, files)
    }

    #[test]
    fn what_is_inside_can_be_read_also_over_dots_and_links_that_stay_inside() {
        let (_outer, files) = served();
        for path in ["cases/a.jsonl", "./cases/../cases/a.jsonl", "../shared/b.jsonl", "near/b.jsonl"] {
            assert_eq!(files.read_text(path).expect(path), "inside");
            assert_eq!(files.kind(path), PathKind::File, "{path}");
        }
        assert_eq!(files.matching("../shared/*.jsonl").expect("found"), ["../shared/b.jsonl"]);
        assert_eq!(files.shown("../shared/b.jsonl"), "shared/b.jsonl");
        assert_eq!(files.kind("cases/none.jsonl"), PathKind::Missing);
    }

    #[test]
    fn what_leads_out_is_refused() {
        let (outer, files) = served();
        let absolute = outer.path().join("secret.jsonl").display().to_string();
        let inside = outer.path().join("served/shared/b.jsonl").display().to_string();
        for path in ["../../secret.jsonl", "alias.jsonl", "out/secret.jsonl", &absolute, &inside, "a\0b"] {
            assert_eq!(files.kind(path), PathKind::Outside, "{path}");
            assert_eq!(files.read_text(path).expect_err(path).kind(), std::io::ErrorKind::PermissionDenied);
        }
        // What is not there outside is not told apart from what is.
        assert_eq!(files.kind("../../none.jsonl"), PathKind::Outside);
    }

    #[test]
    fn a_pattern_that_leads_out_is_refused_and_finds_nothing() {
        let (outer, files) = served();
        let absolute = format!("{}/*.jsonl", outer.path().display());
        for pattern in
            ["../../*.jsonl", "*.jsonl", "out/*.jsonl", "**/*.jsonl", "**/../../*.jsonl", "*/../../*.jsonl", &absolute]
        {
            let found = files.matching(pattern);
            assert!(matches!(found, Err(MatchError::Outside(_))), "{pattern}: {found:?}");
        }
        assert!(matches!(files.judge_files("out"), Err(MatchError::Outside(_))));
        assert_eq!(files.matching("cases/*.jsonl").expect("found"), ["cases/a.jsonl"]);
    }

    #[test]
    fn a_models_folder_with_a_link_out_is_refused() {
        let (_outer, files) = served();
        assert!(files.model_folder("../models/safe").is_ok());
        for folder in ["../models/linked", "../../", "out"] {
            assert!(files.model_folder(folder).is_err(), "{folder}");
        }
    }
}
