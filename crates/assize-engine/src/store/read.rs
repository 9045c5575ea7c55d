//! Looking things up again.

use super::{HINT, Store, StoreError};
use crate::records::{Column, ResultLine, RunDocument, RunRequest, SavedProfile, Stretch};
use assize_core::{Answer, Case, Fingerprint, Question};
use rusqlite::{Connection, OptionalExtension, params};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A run as the store names it, with its document as written.
#[derive(Clone, Debug)]
pub struct RunHead {
    /// The run's id.
    pub id: String,
    /// The suite's name.
    pub suite: String,
    /// When it began, in UTC.
    pub started: String,
    /// The run's document: JSON, unless the store is damaged.
    pub record: String,
}

impl RunHead {
    /// The run's document, read.
    pub fn document(&self) -> Result<RunDocument, UnreadableRun> {
        serde_json::from_str(&self.record)
            .map_err(|error| UnreadableRun { run: self.id.clone(), why: error.to_string() })
    }
}

/// A run whose document cannot be read: another version of Assize wrote it, or the store is damaged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnreadableRun {
    /// The run's id.
    pub run: String,
    /// What is wrong with its document.
    pub why: String,
}

impl fmt::Display for UnreadableRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the record of run {} cannot be read: {}", self.run, self.why)
    }
}

impl std::error::Error for UnreadableRun {}

impl UnreadableRun {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        "another version of Assize may have written it; `assize doctor` checks the store"
    }
}

/// Runs, as far as they can be read.
#[derive(Clone, Debug, Default)]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunDocument>,
    /// Those that cannot be read.
    pub unreadable: Vec<UnreadableRun>,
}

impl RunList {
    /// Reads runs.
    pub fn read(heads: &[RunHead]) -> Self {
        let mut list = Self::default();
        for head in heads {
            match head.document() {
                Ok(run) => list.runs.push(run),
                Err(unreadable) => list.unreadable.push(unreadable),
            }
        }
        list
    }
}

/// Why a run was not found by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunNotFound {
    /// There is none of that name.
    None(String),
    /// It is the beginning of several ids.
    Several(String, Vec<String>),
}

impl fmt::Display for RunNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None(name) => write!(f, "there is no run `{name}`"),
            Self::Several(name, ids) => write!(f, "several runs begin with `{name}`: {}", ids.join(", ")),
        }
    }
}

impl RunNotFound {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::None(_) => "`assize runs` lists them",
            Self::Several(..) => "write more of the id",
        }
    }
}

/// A result line of a run.
#[derive(Clone, Debug)]
pub struct StoredResult {
    /// Where it stands in the order of the cases.
    pub position: u32,
    /// What became of the case.
    pub line: ResultLine,
    /// The case it is about.
    pub case: Case,
}

/// An answer with the question it was given to.
#[derive(Clone, Debug)]
pub struct StoredAnswer {
    /// The answer.
    pub answer: Answer,
    /// The question.
    pub question: Question,
    /// When it was first kept, in UTC; before the run that shows it, it was not asked for anew.
    pub kept: Option<String>,
}

impl Store {
    /// The answer that stands for a key today.
    pub fn find_answer(&self, key: &Fingerprint) -> Result<Option<Answer>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT body FROM cache JOIN answers ON answers.id = cache.answer WHERE cache.key = ?1",
                )?
                .query_row([key.as_str()], |row| from_json(row, 0))
                .optional()
        })
    }

    /// An answer by its id.
    pub fn answer(&self, id: &str) -> Result<Option<StoredAnswer>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached("SELECT body, question, kept FROM answers WHERE id = ?1")?
                .query_row([id], |row| {
                    Ok(StoredAnswer { answer: from_json(row, 0)?, question: from_json(row, 1)?, kept: row.get(2)? })
                })
                .optional()
        })
    }

    /// The runs, newest first.
    pub fn runs(&self, most: usize) -> Result<Vec<RunHead>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, suite, started, document FROM runs ORDER BY started DESC, id DESC LIMIT ?1",
                )?
                .query_map([most as i64], run_head)?
                .collect()
        })
    }

    /// The run of a name: its id, the beginning of it, or `last` for the newest.
    pub fn find_run(&self, name: &str) -> Result<Result<RunHead, RunNotFound>, StoreError> {
        let mut found = if name == "last" { self.runs(1)? } else { self.runs_named(name)? };
        let whole = found.iter().position(|head| head.id == name);
        Ok(match (found.len(), whole) {
            (_, Some(at)) => Ok(found.swap_remove(at)),
            (1, None) => Ok(found.swap_remove(0)),
            (0, None) => Err(RunNotFound::None(name.to_owned())),
            (_, None) => Err(RunNotFound::Several(name.to_owned(), found.into_iter().map(|head| head.id).collect())),
        })
    }

    /// The runs whose id begins with `prefix`, newest first.
    fn runs_named(&self, prefix: &str) -> Result<Vec<RunHead>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, suite, started, document FROM runs WHERE substr(id, 1, length(?1)) = ?1 ORDER BY started DESC, id DESC LIMIT 10",
                )?
                .query_map([prefix], run_head)?
                .collect()
        })
    }

    /// One result of a run.
    pub fn result(&self, run: &str, position: u32) -> Result<Option<StoredResult>, StoreError> {
        let found = self.results(run, position, 1)?.pop();
        Ok(found.filter(|result| result.position == position))
    }

    /// The runs that a judge judged, newest first. `judge` is `judge.use` as the suite writes it.
    pub fn runs_judged_by(&self, judge: &str, most: usize) -> Result<Vec<RunHead>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, suite, started, document FROM runs WHERE CASE WHEN json_valid(document) THEN json_extract(document, '$.judge.use') END = ?1
                     ORDER BY started DESC, id DESC LIMIT ?2",
                )?
                .query_map(params![judge, most as i64], run_head)?
                .collect()
        })
    }

    /// What a run was asked for with; nothing for a run from before that was recorded.
    pub fn run_request(&self, run: &str) -> Result<Option<RunRequest>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached("SELECT request FROM runs WHERE id = ?1 AND request IS NOT NULL")?
                .query_row([run], |row| row.get::<_, String>(0))
                .optional()
        })
        // One that a newer Assize wrote in another shape is as good as none.
        .map(|request| request.and_then(|request| serde_json::from_str(&request).ok()))
    }

    /// How many results of a run have been written so far.
    pub fn results_so_far(&self, run: &str) -> Result<u64, StoreError> {
        self.read(|connection| {
            // Positions have no gaps, so the last one says how many there are.
            connection
                .prepare_cached("SELECT coalesce(max(position) + 1, 0) FROM results WHERE run = ?1")?
                .query_row([run], |row| row.get::<_, i64>(0))
                .map(i64::unsigned_abs)
        })
    }

    /// The results of a run from a position on, in the order of the cases.
    pub fn results(&self, run: &str, from: u32, most: usize) -> Result<Vec<StoredResult>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT position, line, body FROM results JOIN cases ON cases.fingerprint = results.content
                     WHERE run = ?1 AND position >= ?2 ORDER BY position LIMIT ?3",
                )?
                .query_map(params![run, from, most as i64], stored_result)?
                .collect()
        })
    }

    /// The results at certain positions of a run, in the order in which they are asked for.
    pub fn results_at(&self, run: &str, positions: &[u32]) -> Result<Vec<StoredResult>, StoreError> {
        let wanted = Value::from(positions).to_string();
        let mut found: BTreeMap<u32, StoredResult> = self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT position, line, body FROM results JOIN cases ON cases.fingerprint = results.content
                     WHERE run = ?1 AND position IN (SELECT value FROM json_each(?2))",
                )?
                .query_map(params![run, wanted], |row| stored_result(row).map(|result| (result.position, result)))?
                .collect()
        })?;
        Ok(positions.iter().filter_map(|position| found.remove(position)).collect())
    }

    /// The stretches of a run with those of their columns that are named, in the order of the cases.
    pub(crate) fn columns(&self, run: &str, names: &[String]) -> Result<Vec<Stretch>, StoreError> {
        self.read(|connection| {
            let mut stretches: BTreeMap<u32, Stretch> = BTreeMap::new();
            let mut select = connection
                .prepare_cached("SELECT first, body FROM columns WHERE run = ?1 AND name = ?2 ORDER BY first")?;
            for name in names {
                let mut rows = select.query(params![run, name])?;
                while let Some(row) = rows.next()? {
                    let first = row.get(0)?;
                    let body = row.get_ref(1)?.as_blob()?;
                    let column = Column::from_bytes(body).ok_or(rusqlite::Error::InvalidQuery)?;
                    let stretch = stretches.entry(first).or_insert_with(|| Stretch { first, columns: Vec::new() });
                    stretch.columns.push((name.clone(), column));
                }
            }
            Ok(stretches.into_values().collect())
        })
    }

    /// Every version of every profile, by name and version.
    pub fn profiles(&self) -> Result<Vec<SavedProfile>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT name, judge, version, settings, saved, hidden FROM profiles ORDER BY name, version",
                )?
                .query_map([], |row| {
                    Ok(SavedProfile {
                        name: row.get(0)?,
                        judge: row.get(1)?,
                        version: row.get(2)?,
                        settings: from_json(row, 3)?,
                        saved: row.get(4)?,
                        hidden: row.get(5)?,
                    })
                })?
                .collect()
        })
    }

    pub(super) fn read<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let connection = self.reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        query(&connection).map_err(|error| StoreError::new(self.path(), HINT, error))
    }
}

fn stored_result(row: &rusqlite::Row<'_>) -> rusqlite::Result<StoredResult> {
    Ok(StoredResult { position: row.get(0)?, line: from_json(row, 1)?, case: from_json(row, 2)? })
}

fn run_head(row: &rusqlite::Row<'_>) -> rusqlite::Result<RunHead> {
    Ok(RunHead { id: row.get(0)?, suite: row.get(1)?, started: row.get(2)?, record: row.get(3)? })
}

fn from_json<T: serde::de::DeserializeOwned>(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

/// A word that is one of a few. One that a newer Assize wrote is an error, not something else.
pub(super) fn named<T>(row: &rusqlite::Row<'_>, column: usize, of: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let name = row.get_ref(column)?.as_str()?;
    of(name).ok_or_else(|| {
        let unknown = format!("`{name}` is not known here");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, unknown.into())
    })
}
