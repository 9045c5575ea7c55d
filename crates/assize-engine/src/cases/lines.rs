//! JSON lines: one object a line, read one line at a time.

use super::{LARGEST_CASE, Place, Record, Records, at_line, whole_file};
use crate::files::Files;
use assize_core::document::{Problem, Span};
use serde_json::{Map, Value};
use std::io::BufRead;

pub(super) fn open(files: &Files, path: &str) -> Result<Records, Problem> {
    let file = files.shown(path);
    let reader = files.open(path).map_err(|error| whole_file(&file, format!("cannot be read: {error}")))?;
    Ok(Box::new(Lines { file, reader, line: 0, ended: false }))
}

struct Lines {
    file: String,
    reader: Box<dyn BufRead + Send>,
    line: u32,
    ended: bool,
}

impl Iterator for Lines {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.line += 1;
            let mut bytes = Vec::new();
            match read_line(self.reader.as_mut(), &mut bytes) {
                Err(error) => {
                    self.ended = true;
                    return Some(Err(self.problem(1, format!("cannot be read further: {error}"))));
                }
                Ok(Line::End) => self.ended = true,
                Ok(Line::TooLong) => {
                    let message =
                        format!("this case is larger than {} MiB, the most a case may be", LARGEST_CASE >> 20);
                    return Some(Err(self.problem(1, message)));
                }
                Ok(Line::Read) => {
                    let bytes =
                        if self.line == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes) } else { &bytes };
                    if !bytes.iter().all(u8::is_ascii_whitespace) {
                        return Some(self.record(bytes));
                    }
                }
            }
        }
        None
    }
}

impl Lines {
    fn record(&self, bytes: &[u8]) -> Result<Record, Problem> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let column = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).chars().count() + 1;
            self.problem(column, "this line is not valid UTF-8".into())
        })?;
        match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(values) => Ok(Record { values, line: self.line, place: Place::Text(text.trim_end().to_owned()) }),
            Err(error) => {
                // The parser counts bytes; people count characters.
                let end = if error.is_eof() { usize::MAX } else { error.column() };
                let column = text.trim_end().char_indices().take_while(|(at, _)| *at + 1 < end).count() + 1;
                let what = match error.classify() {
                    serde_json::error::Category::Data => "a case must be a JSON object on one line".to_owned(),
                    _ => format!("this line is not readable as JSON: {}", without_place(&error)),
                };
                Err(self.problem(column, what))
            }
        }
    }

    fn problem(&self, column: usize, message: String) -> Problem {
        let column = u32::try_from(column).unwrap_or(u32::MAX);
        at_line(&self.file, Span::at(self.line, column), message)
    }
}

/// The parser's message without its "at line 1 column 7", which stands before it already.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

enum Line {
    Read,
    TooLong,
    End,
}

/// Reads up to the end of the line; a line beyond the limit is passed over without being kept.
fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> std::io::Result<Line> {
    let mut length = 0;
    loop {
        let available = reader.fill_buf()?;
        if available.is_empty() {
            return Ok(match length {
                0 => Line::End,
                _ if length > LARGEST_CASE => Line::TooLong,
                _ => Line::Read,
            });
        }
        let newline = available.iter().position(|byte| *byte == b'\n');
        let taken = newline.map_or(available.len(), |at| at + 1);
        length += taken;
        if length <= LARGEST_CASE {
            line.extend_from_slice(&available[..taken]);
        } else {
            line.clear();
        }
        reader.consume(taken);
        if newline.is_some() {
            return Ok(if length > LARGEST_CASE { Line::TooLong } else { Line::Read });
        }
    }
}
