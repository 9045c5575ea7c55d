//! The one writer: it takes what is waiting, writes it in one transaction, and tells whoever waited.

use super::{Keep, Label, NewResult, NewRun, vectors};
use crate::listing::Stretch;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::sync::{Arc, mpsc};
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
    FinishRun { id: String, status: String, document: String, done: Done },
    SaveProfile { name: String, judge: String, settings: String, saved: String, done: Done },
    HideProfile { name: String, hidden: bool, done: Done },
    AddLabel { label: Label, done: Done },
    WithdrawLabel { id: String, at: String, done: Done },
}

/// Serves writes until every sender is gone. After an error nothing more is written: what was promised to be on disk
/// is, and what was not is reported to those who wait.
pub(super) fn serve(mut connection: Connection, receiver: &mpsc::Receiver<Write>) {
    while let Ok(first) = receiver.recv() {
        let mut batch = vec![first];
        while batch.len() < GATHER {
            match receiver.try_recv() {
                Ok(next) => batch.push(next),
                Err(_) => break,
            }
        }
        let outcome = write(&mut connection, &batch).map_err(|error| error.to_string());
        let failed = outcome.is_err();
        for done in batch.into_iter().filter_map(Write::into_done) {
            // Nobody waiting any more is no reason to stop.
            let _ = done.send(outcome.clone());
        }
        if failed {
            return;
        }
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
}

fn write(connection: &mut Connection, batch: &[Write]) -> rusqlite::Result<()> {
    // What somebody waits for must survive a power cut; results alone can be computed again from the answers.
    let awaited = batch.iter().any(|write| !matches!(write, Write::Result { .. } | Write::Stretch { .. }));
    connection.pragma_update(None, "synchronous", if awaited { "FULL" } else { "NORMAL" })?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for write in batch {
        write_one(&transaction, write)?;
    }
    transaction.commit()
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
                .execute(params![&**run, result.position, result.case_id, result.model, result.status, result.content, result.line])?;
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
                .execute(params![id, status, document])?;
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
            // Taken from the result, so that a label for a case that is not there is no row, and no error that ends writing.
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
