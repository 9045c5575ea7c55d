//! `.json` and `.yaml`: a list of objects, read whole.

use super::{Place, Record, Records, at_line, lines::without_place, whole_file};
use crate::files::Files;
use assize_core::document::{Node, NodeValue, Problem, Problems, Span, parse};
use serde_json::{Map, Value};

const SHAPE: &str = "a case file of this format is a list of objects";

pub(super) fn open_yaml(files: &Files, path: &str) -> Result<Records, Problem> {
    let file = files.shown(path);
    let text = read(files, path)?;
    let mut problems = Problems::of(file.clone());
    let Some(document) = parse(&text, &mut problems) else {
        return Err(problems
            .iter()
            .next()
            .cloned()
            .unwrap_or_else(|| whole_file(&file, "is not readable as YAML".into())));
    };
    let NodeValue::List(items) = document.kind else {
        return Err(at_line(&file, document.span, SHAPE.into()));
    };
    Ok(Box::new(items.into_iter().map(move |item| record_of(item, &file))))
}

fn record_of(item: Node, file: &str) -> Result<Record, Problem> {
    let line = item.span.line;
    match (item.to_value(), item.kind) {
        (Value::Object(values), NodeValue::Map(entries)) => {
            let places = entries.into_iter().map(|(key, _)| (key.name, key.span)).collect();
            Ok(Record { values, line, place: Place::Known(places) })
        }
        _ => Err(at_line(file, item.span, SHAPE.into())),
    }
}

pub(super) fn open_json(files: &Files, path: &str) -> Result<Records, Problem> {
    let file = files.shown(path);
    let text = read(files, path)?;
    let items: Vec<Box<serde_json::value::RawValue>> = serde_json::from_str(&text).map_err(|error| {
        let span = Span::at(count(error.line()), count(error.column().max(1)));
        let message = match error.classify() {
            serde_json::error::Category::Data => SHAPE.to_owned(),
            _ => format!("this is not readable as JSON: {}", without_place(&error)),
        };
        at_line(&file, span, message)
    })?;
    // Raw values point into nothing, so the line of each is found by walking the text once, in step with the items.
    let mut line = 1u32;
    let mut from = 0;
    let records: Vec<_> = items
        .into_iter()
        .map(|item| {
            let at = text[from..].find(item.get()).map_or(from, |at| from + at);
            line += count(text[from..at].matches('\n').count());
            let start = line;
            line += count(item.get().matches('\n').count());
            from = at + item.get().len();
            match serde_json::from_str::<Map<String, Value>>(item.get()) {
                Ok(values) => Ok(Record { values, line: start, place: Place::Text(item.get().to_owned()) }),
                Err(_) => Err(at_line(&file, Span::at(start, 1), SHAPE.into())),
            }
        })
        .collect();
    Ok(Box::new(records.into_iter()))
}

fn read(files: &Files, path: &str) -> Result<String, Problem> {
    files.read_text(path).map_err(|error| Problem {
        help: Some("large sets of cases go into .jsonl, which is read line by line".into()),
        ..whole_file(&files.shown(path), format!("cannot be read: {error}"))
    })
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
