//! CSV: a header line with the names, then a case a row.

use super::{LARGEST_CASE, Place, Record, Records, at_line, whole_file};
use crate::files::Files;
use assize_core::document::{Problem, Span};
use serde_json::{Map, Value};

pub(super) fn open(files: &Files, path: &str) -> Result<Records, Problem> {
    let file = files.shown(path);
    let reader = files.open(path).map_err(|error| whole_file(&file, format!("cannot be read: {error}")))?;
    let mut table = csv::ReaderBuilder::new().flexible(false).from_reader(reader);
    let headers = table.headers().map_err(|error| problem(&file, &error))?.clone();
    let headers: Vec<String> =
        headers.iter().map(|name| name.trim_start_matches('\u{feff}').trim().to_owned()).collect();
    if let Some(twice) = headers.iter().enumerate().find(|(at, name)| headers[..*at].contains(name)) {
        return Err(at_line(&file, Span::at(1, 1), format!("the column `{}` stands twice in the header", twice.1)));
    }
    let rows = table.into_records().map(move |row| {
        let row = row.map_err(|error| problem(&file, &error))?;
        let line = row.position().map_or(0, csv::Position::line);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        if row.as_slice().len() > LARGEST_CASE {
            let message = format!("this case is larger than {} MiB, the most a case may be", LARGEST_CASE >> 20);
            return Err(at_line(&file, Span::at(line, 1), message));
        }
        let values: Map<String, Value> =
            headers.iter().zip(row.iter()).map(|(name, cell)| (name.clone(), Value::String(cell.to_owned()))).collect();
        Ok(Record { values, line, place: Place::LineOnly })
    });
    Ok(Box::new(rows))
}

fn problem(file: &str, error: &csv::Error) -> Problem {
    let line = error.position().map_or(1, csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("this row has {len} cells, the header has {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "this row is not valid UTF-8".to_owned(),
        _ => format!("this is not readable as CSV: {error}"),
    };
    at_line(file, Span::at(u32::try_from(line).unwrap_or(u32::MAX), 1), message)
}
