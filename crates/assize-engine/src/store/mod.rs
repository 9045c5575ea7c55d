//! The store: one SQLite file that is the cache, the journal and the archive.
//!
//! One thread writes, in transactions that gather whatever is waiting; an answer is acknowledged only after its
//! transaction is on disk. Reading goes over a connection of its own. Several processes may share a file: each waits
//! for the other's transaction, and none holds one while it waits for a model. See `docs/design/store.md`.

mod error;
mod labels;
mod read;
mod schema;
mod vectors;
mod walk;
mod write;

pub use error::StoreError;
pub use read::{RunHead, RunList, RunNotFound, StoredAnswer, StoredResult, UnreadableRun};
pub use walk::StoredOutcome;

use crate::records::{RunDocument, RunRequest, Stretch};
use assize_core::{Answer, CaseStatus, Question};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;
use write::{Done, Lost, NewRun, Write};

/// How long one process waits for another's transaction.
const BUSY: Duration = Duration::from_secs(60);

/// What to try when the file itself makes trouble.
const HINT: &str = "name another file with --store, or check that the folder can be written and the disk is not full";

/// A handle on the store; clones share the writer.
#[derive(Clone)]
pub struct Store {
    path: Arc<PathBuf>,
    reader: Arc<Mutex<Connection>>,
    writer: Arc<Writer>,
}

/// The writing thread; dropping the last handle writes what is waiting and ends it.
struct Writer {
    sender: Option<mpsc::SyncSender<Write>>,
    lost: Arc<Lost>,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.sender.take();
        if let Some(thread) = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            // A panic of the writer has already been reported to whoever waited for it.
            let _ = thread.join();
        }
    }
}

/// What becomes of the cache when an answer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It answers its key from now on.
    AsCurrent,
    /// It is kept for the run that asked it; the cache stays as it is.
    ForThisRun,
}

/// One case's line of a run, to be stored.
#[derive(Clone, Debug)]
pub struct NewResult {
    /// Where it stands in the order of the cases.
    pub position: u32,
    /// The case's id.
    pub case_id: String,
    /// The model under test.
    pub model: String,
    /// What became of it.
    pub status: CaseStatus,
    /// The fingerprint of the case's content.
    pub content: String,
    /// The case's content as JSON.
    pub case: String,
    /// The result line as JSON.
    pub line: String,
}

impl Store {
    /// Opens the store, making the file and its folder where they are not there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let fail = |error: rusqlite::Error| StoreError::new(path, HINT, error);
        if let Some(folder) = path.parent()
            && !folder.as_os_str().is_empty()
        {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::new(path, HINT, error))?;
        }
        let mut connection = connect(path).map_err(fail)?;
        migrate(&mut connection).map_err(|error| {
            let hint = "the file is no Assize store, or was written by a newer Assize; name another with --store";
            StoreError::new(path, hint, error)
        })?;
        let reader = connect(path).map_err(fail)?;
        let (sender, receiver) = mpsc::sync_channel(4096);
        let lost = Arc::<Lost>::default();
        let noted = lost.clone();
        let thread = std::thread::Builder::new()
            .name("assize-store".into())
            .spawn(move || write::serve(connection, &receiver, &noted))
            .map_err(|error| StoreError::new(path, HINT, error))?;
        Ok(Self {
            path: Arc::new(path.to_owned()),
            reader: Arc::new(Mutex::new(reader)),
            writer: Arc::new(Writer { sender: Some(sender), lost, thread: Mutex::new(Some(thread)) }),
        })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps an answer. When this returns, it is on disk.
    pub async fn keep_answer(&self, answer: &Answer, question: &Question, keep: Keep) -> Result<(), StoreError> {
        let (id, key) = (answer.id.to_string(), answer.key.to_string());
        let (question, body, kept) = (to_json(question), to_json(answer), jiff::Timestamp::now().to_string());
        self.commit(|done| Write::Answer { id, key, question, body, kept, keep, done }).await
    }

    /// Notes that a run has begun: its document as it stands, and what was asked for, so that it can be asked for again.
    pub async fn begin_run(&self, document: &RunDocument, request: &RunRequest) -> Result<(), StoreError> {
        let run = NewRun {
            id: document.run_id.clone(),
            suite: document.suite.clone(),
            started: document.timings.started.clone(),
            document: to_json(document),
            request: to_json(request),
        };
        self.commit(|done| Write::BeginRun { run, done }).await
    }

    /// Hands over a case's result; it is written soon, and for certain before the run is finished.
    pub fn add_result(&self, run: &Arc<str>, result: NewResult) -> Result<(), StoreError> {
        self.check_complete(run)?;
        self.send(Write::Result { run: run.clone(), result })
    }

    /// Hands over the columns of a stretch of cases; they are written soon, and for certain before the run is finished.
    pub(crate) fn add_stretch(&self, run: &Arc<str>, stretch: Stretch) -> Result<(), StoreError> {
        self.check_complete(run)?;
        self.send(Write::Stretch { run: run.clone(), stretch })
    }

    /// Closes a run with its final document. When this returns, it and all its results are on disk.
    pub async fn finish_run(&self, document: &RunDocument) -> Result<(), StoreError> {
        let (id, status, document) = (document.run_id.clone(), document.status, to_json(document));
        self.commit(|done| Write::FinishRun { id, status, document, done }).await
    }

    /// Saves the next version of a profile of a judge.
    pub async fn save_profile(&self, judge: &str, name: &str, settings: &serde_json::Value) -> Result<(), StoreError> {
        let (name, judge) = (name.to_owned(), judge.to_owned());
        let (settings, saved) = (settings.to_string(), jiff::Timestamp::now().to_string());
        self.commit(|done| Write::SaveProfile { name, judge, settings, saved, done }).await
    }

    /// Hides a profile, or shows it again; its versions stay.
    pub async fn hide_profile(&self, name: &str, hidden: bool) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.commit(|done| Write::HideProfile { name, hidden, done }).await
    }

    async fn commit(&self, make: impl FnOnce(Done) -> Write) -> Result<(), StoreError> {
        let (done, wait) = oneshot::channel();
        self.send(make(done))?;
        wait.await.map_err(|_| self.gone())?.map_err(|error| StoreError::new(&*self.path, HINT, error))
    }

    fn send(&self, write: Write) -> Result<(), StoreError> {
        let sender = self.writer.sender.as_ref().ok_or_else(|| self.gone())?;
        sender.send(write).map_err(|_| self.gone())
    }

    /// Nobody waits for a single result, so that one could not be kept is said when the next is handed over.
    fn check_complete(&self, run: &str) -> Result<(), StoreError> {
        match self.writer.lost.of(run) {
            Some(why) => Err(StoreError::new(&*self.path, HINT, why)),
            None => Ok(()),
        }
    }

    fn gone(&self) -> StoreError {
        StoreError::new(&*self.path, HINT, "the writing thread has ended")
    }
}

/// Brings the tables up to date. Of two processes that start on a new file at the same moment one comes too late with its
/// first attempt, and finds everything done with its second.
fn migrate(connection: &mut Connection) -> rusqlite_migration::Result<()> {
    let first = schema::migrations().to_latest(connection);
    first.or_else(|_| schema::migrations().to_latest(connection))
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

fn to_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("what is stored has text keys only, so it has a JSON form")
}

#[cfg(test)]
mod tests;
