//! What the user allowed keys to be sent to: a file in their own configuration, where no suite can write.

use assize_llm::KeyPermits;
use std::io;
use std::path::{Path, PathBuf};

/// The file, whether it is there or not.
#[derive(Clone, Debug)]
pub struct PermitFile(PathBuf);

impl PermitFile {
    /// The user's, found by the environment; none where that names no home.
    pub fn of_user(environment: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let folder = |name: &str| environment(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let configuration =
            folder("XDG_CONFIG_HOME").or_else(|| folder("APPDATA")).or_else(|| Some(folder("HOME")?.join(".config")));
        Some(Self(configuration?.join("assize").join("keys.toml")))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What it allows; nothing if it is not there.
    pub fn read(&self) -> Result<KeyPermits, PermitError> {
        match std::fs::read_to_string(&self.0) {
            Ok(text) => KeyPermits::read(&text).map_err(|why| PermitError { file: self.0.clone(), why }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(KeyPermits::default()),
            Err(error) => Err(PermitError { file: self.0.clone(), why: error.to_string() }),
        }
    }

    /// Writes it anew, whole or not at all.
    pub fn write(&self, permits: &KeyPermits) -> Result<(), PermitError> {
        let partial = self.0.with_extension("toml.partial");
        let written = std::fs::create_dir_all(self.0.parent().unwrap_or(Path::new("")))
            .and_then(|()| std::fs::write(&partial, permits.written()))
            .and_then(|()| std::fs::rename(&partial, &self.0));
        written.map_err(|error| PermitError { file: self.0.clone(), why: error.to_string() })
    }
}

/// Why the file could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermitError {
    file: PathBuf,
    why: String,
}

impl std::fmt::Display for PermitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.why)
    }
}

impl std::error::Error for PermitError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_kept_and_read_again_and_a_broken_one_allows_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().display().to_string();
        let file = PermitFile::of_user(&|name| (name == "HOME").then(|| home.clone())).expect("a home");
        assert!(file.path().ends_with(".config/assize/keys.toml"));
        assert_eq!(file.read(), Ok(KeyPermits::default()));
        let mut permits = KeyPermits::default();
        permits.allow("MY_KEY", "llm.example.com").expect("new");
        file.write(&permits).expect("written");
        assert_eq!(file.read(), Ok(permits));
        std::fs::write(file.path(), "MY_KEY = nothing").expect("written");
        assert!(file.read().is_err());
        assert!(PermitFile::of_user(&|_| None).is_none());
    }
}
