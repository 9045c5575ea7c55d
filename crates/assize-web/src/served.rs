//! What is served: a store and a folder.

use super::failure::Failure;
use super::folder::Folder;
use assize_engine::records::RunDocument;
use assize_engine::store::{RunHead, Store};

/// A store and a folder; clones are the same.
#[derive(Clone)]
pub struct Served {
    store: Store,
    folder: Folder,
}

impl Served {
    /// What a server is started with.
    pub fn new(store: Store, folder: Folder) -> Self {
        Self { store, folder }
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
        let found = if id == "last" { self.store().runs(1)? } else { self.store().runs_named(id)? };
        let whole = found.iter().position(|head| head.id == id);
        let mut found = found;
        match (found.len(), whole) {
            (_, Some(at)) => Ok(found.swap_remove(at)),
            (1, None) => Ok(found.swap_remove(0)),
            _ => Err(Failure::missing(format!("There is no run “{id}” in this store."))),
        }
    }

    /// A run with its document.
    pub(super) fn run_document(&self, id: &str) -> Result<RunDocument, Failure> {
        let head = self.find_run(id)?;
        serde_json::from_value(head.document)
            .map_err(|error| Failure::broken(format!("The record of run {} cannot be read: {error}", head.id)))
    }
}
