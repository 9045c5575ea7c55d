//! What can go wrong with the store, with what to do about it.

use std::fmt;
use std::path::PathBuf;

/// The store could not be opened, read or written.
#[derive(Debug)]
pub struct StoreError {
    path: PathBuf,
    what: Box<dyn std::error::Error + Send + Sync>,
    hint: &'static str,
}

impl StoreError {
    pub(super) fn new(
        path: impl Into<PathBuf>,
        hint: &'static str,
        what: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self { path: path.into(), what: what.into(), hint }
    }

    /// What to do.
    pub fn hint(&self) -> &'static str {
        self.hint
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store {}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.what.as_ref())
    }
}
