//! Going through a run's results from the first to the last, a page at a time: a long run needs no more memory than a
//! short one, and nothing is locked between two pages.

use super::{Store, StoreError, StoredResult};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Row, params};
use std::collections::BTreeSet;

/// As many results as are read at once.
const PAGE: usize = 500;

/// What became of a case, without its texts.
#[derive(Clone, Debug)]
pub struct StoredOutcome {
    /// The case's id.
    pub case: String,
    /// The model under test.
    pub model: String,
    /// Which repetition on the same input it is, where the case says so.
    pub repetition: Option<f64>,
    /// The fingerprint of the case's content.
    pub content: String,
    /// The line as it was written.
    pub line: String,
    /// Where it stands in the run.
    pub position: u32,
    row: i64,
}

impl Store {
    /// The results of a run with their cases, in the order of the cases.
    pub fn all_results(&self, run: &str) -> impl Iterator<Item = Result<StoredResult, StoreError>> {
        paged(move |last: Option<&StoredResult>| self.results(run, last.map_or(0, |last| last.position + 1), PAGE))
    }

    /// What became of the cases of a run, in their order.
    pub fn outcomes(&self, run: &str) -> impl Iterator<Item = Result<StoredOutcome, StoreError>> {
        paged(move |last: Option<&StoredOutcome>| {
            let from = last.map_or(0, |last| last.position + 1);
            self.read(|connection| {
                connection
                    .prepare_cached(
                        "SELECT case_id, model, json_extract(body, '$.inputs.run'), content, line, results.rowid, position
                         FROM results JOIN cases ON cases.fingerprint = results.content
                         WHERE run = ?1 AND position >= ?2 ORDER BY position LIMIT ?3",
                    )?
                    .query_map(params![run, from, PAGE as i64], outcome)?
                    .collect()
            })
        })
    }

    /// What became of the cases of a run, by their ids, so that two runs can be merged. With an id, from the first case
    /// behind it.
    pub fn outcomes_by_case(
        &self,
        run: &str,
        behind: Option<&str>,
    ) -> impl Iterator<Item = Result<StoredOutcome, StoreError>> {
        paged(move |last: Option<&StoredOutcome>| {
            let (case, model, row) = match (last, behind) {
                (Some(last), _) => (last.case.as_str(), ValueRef::from(last.model.as_str()), last.row),
                // Bytes are greater than any text, so every model of the case is passed over.
                (None, Some(case)) => (case, ValueRef::Blob(&[]), 0),
                (None, None) => ("", ValueRef::from(""), i64::MIN),
            };
            self.read(|connection| {
                connection
                    .prepare_cached(
                        "SELECT case_id, model, json_extract(body, '$.inputs.run'), content, line, results.rowid, position
                         FROM results JOIN cases ON cases.fingerprint = results.content
                         WHERE run = ?1 AND (case_id, model, results.rowid) > (?2, ?3, ?4)
                         ORDER BY case_id, model, results.rowid LIMIT ?5",
                    )?
                    .query_map(params![run, case, ToSqlOutput::Borrowed(model), row, PAGE as i64], outcome)?
                    .collect()
            })
        })
    }

    /// The names of all figures that the cases of a run have, by name.
    pub fn metric_names(&self, run: &str) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT DISTINCT metric.key FROM results, json_each(line, '$.metrics') AS metric
                     WHERE run = ?1 ORDER BY metric.key",
                )?
                .query_map([run], |row| row.get(0))?
                .collect()
        })
    }

    /// The names of the figures that say yes or no: in every case 0 or 1, and out of one thing.
    pub fn yes_or_no_metrics(&self, run: &str) -> Result<BTreeSet<String>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT metric.key FROM results, json_each(line, '$.metrics') AS metric WHERE run = ?1 GROUP BY metric.key
                     HAVING NOT max(coalesce(metric.value ->> 'value' NOT IN (0, 1) OR metric.value ->> 'n' > 1, 0))",
                )?
                .query_map([run], |row| row.get(0))?
                .collect()
        })
    }
}

fn outcome(row: &Row<'_>) -> rusqlite::Result<StoredOutcome> {
    Ok(StoredOutcome {
        case: row.get(0)?,
        model: row.get(1)?,
        repetition: match row.get_ref(2)? {
            ValueRef::Integer(number) => Some(number as f64),
            ValueRef::Real(number) => Some(number),
            _ => None,
        },
        content: row.get(3)?,
        line: row.get(4)?,
        row: row.get(5)?,
        position: row.get(6)?,
    })
}

/// All items of pages, each of which begins behind the last item before it. An error is the last item.
fn paged<T>(
    mut next_page: impl FnMut(Option<&T>) -> Result<Vec<T>, StoreError>,
) -> impl Iterator<Item = Result<T, StoreError>> {
    let mut page = Vec::new().into_iter();
    let mut ended = false;
    // One item is held back, so that the last of a page is still there when the next is read.
    let mut held: Option<T> = None;
    std::iter::from_fn(move || {
        loop {
            if let Some(item) = page.next() {
                if let Some(before) = held.replace(item) {
                    return Some(Ok(before));
                }
                continue;
            }
            if ended {
                return held.take().map(Ok);
            }
            match next_page(held.as_ref()) {
                Ok(items) => {
                    ended = items.is_empty();
                    page = items.into_iter();
                }
                Err(error) => {
                    ended = true;
                    held = None;
                    return Some(Err(error));
                }
            }
        }
    })
}
