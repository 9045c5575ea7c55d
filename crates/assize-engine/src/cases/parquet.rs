//! Parquet: a case a row, a column an input; read a row group at a time.
//!
//! A row has no line, so its number stands in for it. Nested columns become lists and objects, as JSON would have them; a
//! field that is null there is absent, since every row of a table has every field.

use super::{LARGEST_CASE, Place, Record, Records, at_line, whole_file};
use crate::files::Files;
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::reader::{ReaderIter, TreeBuilder};
use assize_core::document::{Problem, Span};
use serde_json::Value;
use std::fs::File;

pub(super) fn open(files: &Files, path: &str) -> Result<Records, Problem> {
    let shown = files.shown(path);
    let file = files.open_file(path).map_err(|error| whole_file(&shown, format!("cannot be read: {error}")))?;
    let reader = guarded(|| SerializedFileReader::new(file))
        .map_err(|error| whole_file(&shown, format!("this is not readable as Parquet: {error}")))?;
    Ok(Box::new(Rows { file: shown, reader, group: 0, rows: None, row: 0 }))
}

struct Rows {
    file: String,
    reader: SerializedFileReader<File>,
    group: usize,
    rows: Option<ReaderIter>,
    row: u32,
}

impl Iterator for Rows {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = guarded(|| self.rows.as_mut().and_then(Iterator::next).transpose()).transpose() {
                self.row = self.row.saturating_add(1);
                return Some(match next {
                    Ok(row) => self.record(row.to_json_value()),
                    Err(error) => self.end(&error),
                });
            }
            if self.group >= self.reader.num_row_groups() {
                return None;
            }
            let columns = self.reader.metadata().file_metadata().schema_descr_ptr();
            let rows = guarded(|| TreeBuilder::new().as_iter(columns, &*self.reader.get_row_group(self.group)?));
            self.group += 1;
            match rows {
                Ok(rows) => self.rows = Some(rows),
                Err(error) => return Some(self.end(&error)),
            }
        }
    }
}

impl Rows {
    fn record(&self, row: Value) -> Result<Record, Problem> {
        if size(&row) > LARGEST_CASE {
            let message = format!("this case is larger than {} MiB, the most a case may be", LARGEST_CASE >> 20);
            return Err(self.problem(message));
        }
        let Value::Object(mut values) = row else { return Err(self.problem("this row has no columns".into())) };
        values.values_mut().for_each(drop_nulls);
        Ok(Record { values, line: self.row, place: Place::LineOnly })
    }

    /// What is wrong; nothing behind it is read, as where one row ends and the next begins is no longer certain.
    fn end(&mut self, error: &ParquetError) -> Result<Record, Problem> {
        self.rows = None;
        self.group = usize::MAX;
        Err(self.problem(match error {
            ParquetError::General(words) if words.starts_with("Disabled feature") => {
                "is compressed in a way that is not read here: use snappy, zstd, gzip or lz4".to_owned()
            }
            error => format!("cannot be read further: {error}"),
        }))
    }

    fn problem(&self, message: String) -> Problem {
        at_line(&self.file, Span::at(self.row.max(1), 1), message)
    }
}

/// Reads something of the file. In files that are damaged the library finds some things that it takes for impossible.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    // After an error nothing more is read, so what was half done is not seen again.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(ParquetError::General("the file is damaged".to_owned())))
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        Value::Object(entries) => {
            entries.retain(|_, value| !value.is_null());
            entries.values_mut().for_each(drop_nulls);
        }
        _ => {}
    }
}

/// About as many bytes as the value has as JSON.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(entries) => entries.iter().map(|(key, value)| key.len() + size(value)).sum(),
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Three rows in two row groups, nested and with nulls, written by pyarrow 26 with `compression="zstd"`.
    const NESTED: &[u8] = include_bytes!("../../tests/data/nested.parquet");

    fn read(content: &[u8]) -> Vec<Result<(u32, Value), String>> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("c.parquet"), content).expect("written");
        match open(&Files::Folder(folder.path().to_owned()), "c.parquet") {
            Err(problem) => vec![Err(problem.message)],
            Ok(records) => records
                .map(|record| {
                    record.map(|record| (record.line, Value::Object(record.values))).map_err(|problem| problem.message)
                })
                .collect(),
        }
    }

    #[test]
    fn rows_of_another_writer_are_what_was_written() {
        let rows: Vec<(u32, Value)> = read(NESTED).into_iter().map(|row| row.expect("a row")).collect();
        assert_eq!(
            rows,
            [
                (
                    1,
                    json!({"id": "a", "model": "m1", "tags": ["x", "y"], "reference": "one two", "transcript": "", "n": 1,
                           "score": 0.5, "config": {"keywords": ["k1", "k2"], "limit": 3},
                           "turns": [{"id": 1, "text": "hello"}, {"id": 2}],
                           "when": "2024-01-02 03:04:05.000000 +00:00", "flag": true})
                ),
                (
                    2,
                    json!({"id": "b", "model": null, "tags": [], "reference": "ü", "transcript": "z", "n": null, "score": null,
                           "config": null, "turns": [], "when": null, "flag": null})
                ),
                (
                    3,
                    json!({"id": "c", "model": "m1", "tags": null, "reference": "three", "transcript": "drei", "n": 3,
                           "score": 1.0, "config": {"keywords": []}, "turns": null, "when": null,
                           "flag": false})
                ),
            ]
        );
    }

    #[test]
    fn a_file_that_is_none_or_only_half_is_an_error() {
        for content in [b"PAR1".as_slice(), b"id,reference\na,b\n", &NESTED[..NESTED.len() - 9], b""] {
            let rows = read(content);
            assert!(
                matches!(rows.as_slice(), [Err(message)] if message.contains("not readable as Parquet")),
                "{rows:?}"
            );
        }
    }

    #[test]
    fn a_damaged_file_ends_in_an_error_and_never_in_a_panic() {
        let mut failed = 0;
        for at in (0..NESTED.len()).step_by(19) {
            let mut damaged = NESTED.to_vec();
            damaged[at] ^= 0x80;
            failed += usize::from(read(&damaged).iter().any(Result::is_err));
        }
        assert!(failed > 80, "{failed}");
    }
}
