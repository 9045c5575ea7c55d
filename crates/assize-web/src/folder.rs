//! The served folder: the only files the page can read or write.

use super::failure::Failure;
use std::path::{Component, Path, PathBuf};

/// Deeper than this nobody keeps suites, and a walk has to end.
const DEEPEST: usize = 8;

/// As many files as a list shows.
const MOST_FILES: usize = 2000;

/// A folder that is served.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at a path, which must be there.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let root = path.canonicalize()?;
        if root.is_dir() { Ok(Self { root }) } else { Err(std::io::ErrorKind::NotADirectory.into()) }
    }

    /// Where it is.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// A file or folder in it that is there, by its path within. Neither dots nor links lead out, nor to what is hidden.
    pub(super) fn find(&self, path: &str) -> Result<PathBuf, Failure> {
        self.there(path, &self.within(path)?)
    }

    /// A file of ours that is hidden, in a folder that is not.
    pub(super) fn find_hidden(&self, folder: &str, name: &'static str) -> Result<PathBuf, Failure> {
        let within = if folder.is_empty() { self.root.clone() } else { self.within(folder)? };
        self.there(name, &within.join(name))
    }

    fn there(&self, path: &str, wanted: &Path) -> Result<PathBuf, Failure> {
        let found = wanted
            .canonicalize()
            .map_err(|_| Failure::missing(format!("There is no file “{path}” in the served folder.")))?;
        if found.starts_with(&self.root) { Ok(found) } else { Err(outside(path)) }
    }

    /// A place in it where a file can be written: its folder is there, and it is not reached through a link.
    pub(super) fn place_for(&self, path: &str) -> Result<PathBuf, Failure> {
        let wanted = self.within(path)?;
        let (Some(folder), Some(name)) = (wanted.parent(), wanted.file_name()) else { return Err(outside(path)) };
        let folder =
            folder.canonicalize().map_err(|_| Failure::missing(format!("The folder of “{path}” is not there.")))?;
        let place = folder.join(name);
        let leads_out = place.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if folder.starts_with(&self.root) && !leads_out { Ok(place) } else { Err(outside(path)) }
    }

    /// A place in it for a new file; folders that are missing are made.
    pub(super) fn make_place_for(&self, path: &str) -> Result<PathBuf, Failure> {
        let wanted = self.within(path)?;
        let there = wanted.ancestors().skip(1).find_map(|folder| folder.canonicalize().ok());
        if !there.is_some_and(|folder| folder.starts_with(&self.root)) {
            return Err(outside(path));
        }
        let cannot = |error| Failure::bad(format!("The folder of “{path}” cannot be made: {error}."));
        wanted.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(cannot)?;
        self.place_for(path)
    }

    fn within(&self, path: &str) -> Result<PathBuf, Failure> {
        let plain = !path.is_empty()
            && !path.contains('\0')
            && Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !plain {
            return Err(outside(path));
        }
        // What lists leave out belongs to other programs: it is neither read nor written.
        if path.split('/').any(|part| part.starts_with('.') && part != ".") {
            return Err(Failure::refused(format!("“{path}” is hidden, and hidden files are left alone."))
                .with_way_on("Choose a name without a dot at its beginning."));
        }
        Ok(self.root.join(path))
    }

    /// The files in it whose name passes, by their path within, in order. What is hidden or made by tools is left out.
    pub(super) fn files(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut waiting = vec![(self.root.clone(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
                let Ok(kind) = entry.file_type() else { continue };
                if name.starts_with('.') || matches!(name.as_str(), "target" | "node_modules" | "__pycache__") {
                    continue;
                }
                if kind.is_dir() && depth < DEEPEST {
                    waiting.push((path, depth + 1));
                } else if kind.is_file()
                    && wanted(&name)
                    && found.len() < MOST_FILES
                    && let Ok(inside) = path.strip_prefix(&self.root)
                {
                    found.push(inside.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        found.sort();
        found
    }
}

fn outside(path: &str) -> Failure {
    Failure::refused(format!("“{path}” is not in the served folder."))
        .with_way_on("Write a path within it, without `..`.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("served");
        std::fs::create_dir_all(root.join("a/.git")).expect("folders");
        std::fs::write(root.join("a/suite.yaml"), "x").expect("a file");
        std::fs::write(root.join("a/.git/hidden.yaml"), "x").expect("a file");
        std::fs::write(outer.path().join("secret.yaml"), "x").expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.path(), root.join("link")).expect("a link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.path().join("secret.yaml"), root.join("alias.yaml")).expect("a link");
        let folder = Folder::open(&root).expect("it is there");
        (outer, folder)
    }

    #[test]
    fn nothing_outside_can_be_found_or_written() {
        let (_outer, folder) = folder();
        assert!(folder.find("a/suite.yaml").is_ok());
        assert!(folder.place_for("a/new.yaml").is_ok());
        let absolute = folder.root().join("a/suite.yaml").display().to_string();
        for path in ["../secret.yaml", "a/../../secret.yaml", "link/secret.yaml", "alias.yaml", "", "a/\0", &absolute] {
            assert!(folder.find(path).is_err(), "{path}");
            assert!(folder.place_for(path).is_err(), "{path}");
            assert!(folder.make_place_for(path).is_err(), "{path}");
        }
        assert!(folder.make_place_for("new/folder/file.yaml").is_ok_and(|place| !place.exists()));
        assert!(folder.make_place_for("link/new/file.yaml").is_err());
        assert!(!_outer.path().join("new").exists());
    }

    #[test]
    fn lists_leave_out_what_is_hidden_and_what_links_lead_to() {
        let (_outer, folder) = folder();
        assert_eq!(folder.files(|name| name.ends_with(".yaml")), ["a/suite.yaml"]);
    }
}
