//! What is served: a store and a folder.

use super::failure::Failure;
use super::folder::Folder;
use assize_core::number::sentence;
use assize_engine::permits::PermitFile;
use assize_engine::records::RunDocument;
use assize_engine::store::{RunHead, Store};
use assize_llm::KeyPermits;

/// A store and a folder; clones are the same.
#[derive(Clone)]
pub struct Served {
    store: Store,
    folder: Folder,
    permits: Option<PermitFile>,
}

impl Served {
    /// What a server is started with: also where the user says which keys may go where.
    pub fn new(store: Store, folder: Folder, permits: Option<PermitFile>) -> Self {
        Self { store, folder, permits }
    }

    /// What the user allows today.
    pub(super) fn permits(&self) -> Result<KeyPermits, Failure> {
        let kept = self.permits.as_ref().map_or_else(|| Ok(KeyPermits::default()), PermitFile::read);
        kept.map_err(|error| Failure::broken(sentence(&error.to_string())).with_way_on("Mend the file, or remove it."))
    }

    /// The store.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The folder whose suites and rubrics can be used.
    pub(super) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The run of an id, which may be shortened; `last` is the newest.
    pub(super) fn find_run(&self, id: &str) -> Result<RunHead, Failure> {
        let found = self.store().find_run(id)?;
        found.map_err(|why| Failure::missing(sentence(&why.to_string())).with_way_on(sentence(why.hint())))
    }

    /// A run with its document.
    pub(super) fn run_document(&self, id: &str) -> Result<RunDocument, Failure> {
        Ok(self.find_run(id)?.document()?)
    }
}
