//! The line of a file that a problem is on, to be shown beside it.

use assize_core::document::Span;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The longest stretch of a line that is shown.
const LONGEST: usize = 160;

/// A line of a file, with the part of it that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The text, cut to what fits.
    pub text: String,
    /// The part that is meant, in bytes.
    pub range: std::ops::Range<usize>,
}

/// The line a problem is on, cut to what fits, with the part to underline in bytes.
pub fn source_line(file: &Path, span: Span) -> Option<SourceLine> {
    let mut reader = BufReader::new(std::fs::File::open(file).ok()?);
    // Tables in files of bytes have rows, and no lines that could be shown.
    if reader.fill_buf().ok()?.contains(&0) {
        return None;
    }
    let line = reader.split(b'\n').nth(span.line.checked_sub(1)? as usize)?.ok()?;
    let text = String::from_utf8_lossy(&line);
    let column = (span.column as usize).saturating_sub(1);
    let from = column.saturating_sub(LONGEST / 2);
    let cut: Vec<char> = text.trim_end().chars().skip(from).take(LONGEST).collect();
    let start = (column - from).min(cut.len());
    let end = (start + span.length as usize).min(cut.len());
    // Control characters would move the cursor; each becomes one visible character, so that columns stay right.
    let visible = |c: &char| if c.is_control() && *c != '\t' { '\u{fffd}' } else { *c };
    let bytes = |upto: usize| cut[..upto].iter().map(visible).map(char::len_utf8).sum();
    let range = bytes(start)..bytes(end);
    Some(SourceLine { text: cut.iter().map(visible).collect(), range })
}
