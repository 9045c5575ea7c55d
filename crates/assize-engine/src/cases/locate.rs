//! Finding the place of a key, once a mistake has to be shown. Only then is the text parsed a second time.

use super::Place;
use assize_core::document::{NodeValue, Problems, Span, parse};

/// The largest record that is parsed again for the sake of a column.
const LARGEST: usize = 1024 * 1024;

/// Where a key of a record stands, or where the record starts.
pub(super) fn key(place: &Place, line: u32, key: Option<&str>) -> Span {
    let start = Span::at(line, 1);
    let Some(key) = key else { return start };
    match place {
        Place::LineOnly => start,
        Place::Known(places) => places.iter().find(|(name, _)| name == key).map_or(start, |(_, span)| *span),
        Place::Text(text) if text.len() > LARGEST => start,
        Place::Text(text) => {
            let parsed = parse(text, &mut Problems::default());
            let Some(NodeValue::Map(entries)) = parsed.map(|node| node.kind) else { return start };
            let found = entries.iter().find(|(found, _)| found.name == key);
            found.map_or(start, |(found, _)| Span { line: line + found.span.line - 1, ..found.span })
        }
    }
}
