//! The one writer: it takes what is waiting, writes it in one transaction, and tells whoever waited.
//!
//! A write that cannot be made fails alone: whatever was gathered with it is written without it, and so is what comes
//! later. What nobody waits for (the results of a run) is noted in [`Lost`] if it cannot be kept, so that no run is
//! finished as if it had all of its results.

use super::{Keep, NewResult, vectors};
use crate::records::{Label, RunStatus, Stretch};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use tokio::sync::oneshot;

/// Tells whoever waits that it is on disk, or why not.
pub(super) type Done = oneshot::Sender<Result<(), String>>;

/// As many writes as one transaction gathers at most.
const GATHER: usize = 1000;

pub(super) enum Write {
    Answer { id: String, key: String, question: String, body: String, kept: String, keep: Keep, done: Done },
    Vectors { embedder: String, rows: Vec<(String, Vec<u8>)>, done: Done },
    BeginRun { run: NewRun, done: Done },
    Result { run: Arc<str>, result: NewResult },
    Stretch { run: Arc<str>, stretch: Stretch },
    FinishRun { id: String, status: RunStatus, document: String, done: Done },
    SaveProfile { name: String, judge: String, settings: String, saved: String, done: Done },
    HideProfile { name: String, hidden: bool, done: Done },
    AddLabel { label: Label, done: Done },
    WithdrawLabel { id: String, at: String, done: Done },
}

/// A run that begins, in the columns of its row.
pub(super) struct NewRun {
    pub(super) id: String,
    pub(super) suite: String,
    pub(super) started: String,
    pub(super) document: String,
    pub(super) request: String,
}

/// The runs of which a result could not be kept, with the reason.
#[derive(Default)]
pub(super) struct Lost(Mutex<HashMap<Arc<str>, String>>);

impl Lost {
    /// Why the run is incomplete, if it is.
    pub(super) fn of(&self, run: &str) -> Option<String> {
        let lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get(run).map(|why| format!("a result could not be kept: {why}"))
    }

    fn note(&self, run: &Arc<str>, why: &str) {
        let mut lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lost.entry(run.clone()).or_insert_with(|| why.to_owned());
    }
}

/// Why a transaction was not made.
enum Failed {
    /// Because of one of its writes; without it the others may well be written.
    Write(String),
    /// It could not be begun or committed, whatever is in it.
    Whole(String),
}

/// Serves writes until every sender is gone.
pub(super) fn serve(mut connection: Connection, receiver: &mpsc::Receiver<Write>, lost: &Lost) {
    while let Ok(first) = receiver.recv() {
        let mut batch = vec![first];
        while batch.len() < GATHER {
            match receiver.try_recv() {
                Ok(next) => batch.push(next),
                Err(_) => break,
            }
        }
        match write(&mut connection, &batch, lost) {
            Ok(()) => batch.into_iter().for_each(|write| write.settle(Ok(()), lost)),
            Err(Failed::Whole(why)) => batch.into_iter().for_each(|write| write.settle(Err(why.clone()), lost)),
            Err(Failed::Write(_)) => write_singly(&mut connection, batch, lost),
        }
    }
}

/// Writes each in a transaction of its own, so that only what cannot be written is not.
fn write_singly(connection: &mut Connection, batch: Vec<Write>, lost: &Lost) {
    let mut broken = None;
    for one in batch {
        let written = match &broken {
            Some(why) => Err(String::clone(why)),
            None => write(connection, std::slice::from_ref(&one), lost).map_err(|failed| match failed {
                Failed::Write(why) => why,
                // The rest would wait and fail in the same way.
                Failed::Whole(why) => broken.insert(why).clone(),
            }),
        };
        one.settle(written, lost);
    }
}

impl Write {
    fn into_done(self) -> Option<Done> {
        match self {
            Self::Answer { done, .. }
            | Self::Vectors { done, .. }
            | Self::BeginRun { done, .. }
            | Self::FinishRun { done, .. }
            | Self::SaveProfile { done, .. }
            | Self::HideProfile { done, .. }
            | Self::AddLabel { done, .. }
            | Self::WithdrawLabel { done, .. } => Some(done),
            Self::Result { .. } | Self::Stretch { .. } => None,
        }
    }

    /// Tells whoever waited what became of it, or notes what nobody waited for.
    fn settle(self, written: Result<(), String>, lost: &Lost) {
        if let (Err(why), Self::Result { run, .. } | Self::Stretch { run, .. }) = (&written, &self) {
            lost.note(run, why);
        }
        if let Some(done) = self.into_done() {
            // Nobody waiting any more is no reason to stop.
            let _ = done.send(written);
        }
    }
}

fn write(connection: &mut Connection, batch: &[Write], lost: &Lost) -> Result<(), Failed> {
    let whole = |error: rusqlite::Error| Failed::Whole(error.to_string());
    // What somebody waits for must survive a power cut; results alone can be computed again from the answers.
    let awaited = batch.iter().any(|write| !matches!(write, Write::Result { .. } | Write::Stretch { .. }));
    connection.pragma_update(None, "synchronous", if awaited { "FULL" } else { "NORMAL" }).map_err(whole)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(whole)?;
    for write in batch {
        if let Write::FinishRun { id, .. } = write
            && let Some(why) = lost.of(id)
        {
            return Err(Failed::Write(why));
        }
        write_one(&transaction, write).map_err(|error| Failed::Write(error.to_string()))?;
    }
    transaction.commit().map_err(whole)
}

fn write_one(transaction: &Transaction<'_>, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Answer { id, key, question, body, kept, keep, .. } => {
            transaction
                .prepare_cached(
                    "INSERT INTO answers (id, key, question, body, kept) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO NOTHING",
                )?
                .execute(params![id, key, question, body, kept])?;
            let sql = match keep {
                Keep::AsCurrent => {
                    "INSERT INTO cache (key, answer) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET answer = excluded.answer"
                }
                Keep::ForThisRun => return Ok(()),
            };
            transaction.prepare_cached(sql)?.execute(params![key, id])?;
        }
        Write::Vectors { embedder, rows, .. } => vectors::write(transaction, embedder, rows)?,
        Write::BeginRun { run, .. } => {
            transaction
                .prepare_cached(
                    "INSERT INTO runs (id, suite, status, started, document, request) VALUES (?1, ?2, 'running', ?3, ?4, ?5)",
                )?
                .execute(params![run.id, run.suite, run.started, run.document, run.request])?;
        }
        Write::Result { run, result } => {
            transaction
                .prepare_cached(
                    "INSERT INTO cases (fingerprint, body) VALUES (?1, ?2) ON CONFLICT (fingerprint) DO NOTHING",
                )?
                .execute(params![result.content, result.case])?;
            transaction
                .prepare_cached("INSERT INTO results (run, position, case_id, model, status, content, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
                .execute(params![&**run, result.position, result.case_id, result.model, result.status.name(), result.content, result.line])?;
        }
        Write::Stretch { run, stretch } => {
            let mut insert =
                transaction.prepare_cached("INSERT INTO columns (run, name, first, body) VALUES (?1, ?2, ?3, ?4)")?;
            for (name, column) in &stretch.columns {
                insert.execute(params![&**run, name, stretch.first, column.to_bytes()])?;
            }
        }
        Write::FinishRun { id, status, document, .. } => {
            transaction
                .prepare_cached("UPDATE runs SET status = ?2, document = ?3 WHERE id = ?1")?
                .execute(params![id, status.name(), document])?;
        }
        Write::SaveProfile { name, judge, settings, saved, .. } => {
            // The version is found and taken in one transaction, so two who save at once get two versions.
            transaction
                .prepare_cached(
                    "INSERT INTO profiles (name, judge, version, settings, saved)
                     SELECT ?1, ?2, coalesce(max(version), 0) + 1, ?3, ?4 FROM profiles WHERE name = ?1",
                )?
                .execute(params![name, judge, settings, saved])?;
            // Saving a profile that was deleted brings it back, with its old versions.
            transaction.prepare_cached("UPDATE profiles SET hidden = 0 WHERE name = ?1")?.execute([name])?;
        }
        Write::HideProfile { name, hidden, .. } => {
            transaction
                .prepare_cached("UPDATE profiles SET hidden = ?2 WHERE name = ?1")?
                .execute(params![name, hidden])?;
        }
        Write::AddLabel { label, .. } => {
            // Taken from the result, so that a label for a case that is not there is no row, and no error.
            transaction
                .prepare_cached(
                    "INSERT INTO labels (id, run, position, content, judge_use, item, value, corrected, note, by_whom, at)
                     SELECT ?1, run, position, content, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM results
                     WHERE run = ?2 AND position = ?3 ON CONFLICT (id) DO NOTHING",
                )?
                .execute(params![
                    label.id,
                    label.run,
                    label.position,
                    label.judge_use,
                    label.item,
                    label.value.name(),
                    label.corrected,
                    label.note,
                    label.by_whom,
                    label.at
                ])?;
        }
        Write::WithdrawLabel { id, at, .. } => {
            transaction
                .prepare_cached("UPDATE labels SET withdrawn = ?2 WHERE id = ?1 AND withdrawn IS NULL")?
                .execute(params![id, at])?;
        }
    }
    Ok(())
}
