//! Cases, streaming from files of several formats.
//!
//! `.jsonl`, `.csv` and `.parquet` are read a record at a time, so their length does not matter; `.json` and `.yaml` are
//! read whole and bounded. Every mistake becomes a problem with file, line and column; nothing is asked before all files were read
//! through once without one.

mod lines;
mod locate;
#[cfg(feature = "parquet")]
mod parquet;
mod table;
mod whole;

use crate::files::{Files, MatchError};
use assize_core::case::COMMON_KEYS;
use assize_core::document::{Problem, Problems, Severity, Span, closest};
use assize_core::suite::{ColumnMap, Placed};
use assize_core::{Case, InputSpec};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The largest case, in bytes of its file. A judge model reads far less; what is larger is a mistake or an attack.
pub const LARGEST_CASE: usize = 16 * 1024 * 1024;

/// A record as it stands in a file, before it is a case.
pub(crate) struct Record {
    /// Its keys and values.
    pub(crate) values: Map<String, Value>,
    /// The line it starts on.
    pub(crate) line: u32,
    /// Finds the place of a key, when a mistake has to be shown.
    pub(crate) place: Place,
}

/// How to find a key of a record in its file again.
pub(crate) enum Place {
    /// The record's own text, which is one line of the file.
    Text(String),
    /// Already known, by key.
    Known(Vec<(String, Span)>),
    /// Only the line is known.
    LineOnly,
}

/// Where a case stands: the number of its file, and the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CasePlace {
    file: u32,
    /// The line it starts on.
    pub line: u32,
}

type Records = Box<dyn Iterator<Item = Result<Record, Problem>> + Send>;

/// A format of case files. The first whose ending fits reads the file.
struct Format {
    endings: &'static [&'static str],
    open: fn(&Files, &str) -> Result<Records, Problem>,
}

const FORMATS: &[Format] = &[
    Format { endings: &[".jsonl", ".ndjson"], open: lines::open },
    Format { endings: &[".json"], open: whole::open_json },
    Format { endings: &[".yaml", ".yml"], open: whole::open_yaml },
    Format { endings: &[".csv"], open: table::open },
    Format { endings: &[".parquet"], open: open_parquet },
];

#[cfg(feature = "parquet")]
use parquet::open as open_parquet;

/// Whoever has such a file learns how to read it.
#[cfg(not(feature = "parquet"))]
fn open_parquet(files: &Files, path: &str) -> Result<Records, Problem> {
    let help = "build one with `cargo install --path crates/assize --features parquet`, or write the cases as .jsonl";
    let problem = whole_file(&files.shown(path), "this build of Assize cannot read Parquet".into());
    Err(Problem { help: Some(help.into()), ..problem })
}

/// The cases of a suite and how to read them.
#[derive(Clone, Debug)]
pub struct CaseFiles {
    origin: Origin,
    columns: Arc<ColumnMap>,
    inputs: Arc<[InputSpec]>,
}

/// Where cases are.
#[derive(Clone, Debug)]
enum Origin {
    /// In files.
    Files { files: Files, paths: Arc<[String]> },
    /// In memory; messages call them by the name.
    Given { records: Arc<[Map<String, Value>]>, name: String },
}

impl CaseFiles {
    /// Cases that are in no file.
    pub fn given(
        records: Vec<Map<String, Value>>,
        name: impl Into<String>,
        columns: &ColumnMap,
        inputs: &[InputSpec],
    ) -> Self {
        let origin = Origin::Given { records: records.into(), name: name.into() };
        Self { origin, columns: Arc::new(columns.clone()), inputs: inputs.into() }
    }

    /// Finds the files that a suite's patterns name, and reports patterns that name none.
    pub fn find(
        files: &Files,
        patterns: &[Placed<String>],
        columns: &ColumnMap,
        inputs: &[InputSpec],
        problems: &mut Problems,
    ) -> Option<Self> {
        let mut paths: Vec<String> = Vec::new();
        let before = problems.count();
        for pattern in patterns {
            match files.matching(&pattern.value) {
                Err(MatchError::Pattern(error)) => {
                    problems.report(pattern.span, format!("`{}` is no pattern: {error}", pattern.value));
                }
                Err(error @ MatchError::Outside(_)) => problems.report(pattern.span, error.to_string()),
                Ok(found) if found.is_empty() => {
                    let message = format!("no file matches `{}`", files.shown(&pattern.value));
                    problems.report_with_help(pattern.span, message, "paths are relative to the suite");
                }
                Ok(found) => {
                    for path in found {
                        if format_of(&path).is_none() {
                            let message = format!("`{path}` is no case file");
                            problems.report_with_help(pattern.span, message, format!("known endings: {}", endings()));
                        } else if !paths.contains(&path) {
                            paths.push(path);
                        }
                    }
                }
            }
        }
        (problems.count() == before).then(|| Self {
            origin: Origin::Files { files: files.clone(), paths: paths.into() },
            columns: Arc::new(columns.clone()),
            inputs: inputs.into(),
        })
    }

    /// All cases, in order.
    pub fn iter(&self) -> impl Iterator<Item = Result<Case, Vec<Problem>>> + Send + use<> {
        self.iter_placed().map(|case| case.map(|(case, _)| case))
    }

    /// All cases, in order, each with where it stands.
    pub fn iter_placed(&self) -> impl Iterator<Item = Result<(Case, CasePlace), Vec<Problem>>> + Send + use<> {
        let this = self.clone();
        (0..self.parts()).flat_map(move |part| this.read_part(part))
    }

    fn parts(&self) -> usize {
        match &self.origin {
            Origin::Files { paths, .. } => paths.len(),
            Origin::Given { .. } => 1,
        }
    }

    /// The keys of the cases, where they are plainly cases for another judge: none has an input that this one requires, nor
    /// a key that is nearly one.
    pub(crate) fn foreign_keys(&self) -> Option<Vec<String>> {
        let required = || self.inputs.iter().filter(|input| input.required).map(|input| input.name.as_str());
        let mut keys: Vec<String> = Vec::new();
        for part in 0..self.parts() {
            for record in self.records(part).0.ok()? {
                let (values, _) = self.rename(record.ok()?.values);
                let own = |key: &str| required().any(|input| input == key) || closest(key, required()).is_some();
                if values.keys().any(|key| own(key)) {
                    return None;
                }
                let new = values.keys().filter(|key| !self.is_known(key) && !keys.contains(*key)).cloned();
                let new: Vec<String> = new.collect();
                keys.extend(new);
            }
        }
        (!keys.is_empty() && required().next().is_some()).then_some(keys)
    }

    /// The records of one file, or all that were given, and what messages call them.
    fn records(&self, part: usize) -> (Result<Records, Problem>, String) {
        match &self.origin {
            Origin::Files { files, paths } => {
                let shown = files.shown(&paths[part]);
                let format = format_of(&paths[part]).expect("only files of known formats are found");
                ((format.open)(files, &paths[part]), shown)
            }
            Origin::Given { records, name } => (Ok(given_records(records.clone())), name.clone()),
        }
    }

    /// The file of a place, as people would type it.
    pub fn shown(&self, place: CasePlace) -> String {
        match &self.origin {
            Origin::Files { files, paths } => files.shown(&paths[place.file as usize]),
            Origin::Given { name, .. } => name.clone(),
        }
    }

    /// The cases of one file, or all that were given.
    fn read_part(&self, part: usize) -> Box<dyn Iterator<Item = Result<(Case, CasePlace), Vec<Problem>>> + Send> {
        let (opened, shown) = self.records(part);
        let records = match opened {
            Ok(records) => records,
            Err(problem) => return Box::new(std::iter::once(Err(vec![problem]))),
        };
        let (this, mut any) = (self.clone(), false);
        let empty = whole_file(&shown, "there is no case in this file".into());
        let cases = records.map(Some).chain(std::iter::once(None)).filter_map(move |record| match record {
            Some(record) => {
                any = true;
                Some(record.map_err(|problem| vec![problem]).and_then(|record| {
                    let file = u32::try_from(part).expect("fewer files than there are ids for");
                    let place = CasePlace { file, line: record.line };
                    this.to_case(record, &shown).map(|case| (case, place))
                }))
            }
            None if any => None,
            None => Some(Err(vec![empty.clone()])),
        });
        Box::new(cases)
    }

    fn to_case(&self, record: Record, file: &str) -> Result<Case, Vec<Problem>> {
        let Record { values, line, place } = record;
        let (values, renamed) = self.rename(values);
        Case::read(values, &self.inputs).map_err(|problems| {
            let written =
                |key: &str| renamed.iter().find(|(_, to)| to == key).map_or(key.to_owned(), |(from, _)| from.clone());
            problems
                .into_iter()
                .map(|problem| Problem {
                    file: file.to_owned(),
                    span: Some(locate::key(&place, line, problem.key.as_deref().map(written).as_deref())),
                    severity: Severity::Error,
                    message: problem.message,
                    help: problem.help,
                })
                .collect()
        })
    }

    /// Applies the suite's `map`; gives the renamed record and, for messages, what was renamed.
    fn rename(&self, values: Map<String, Value>) -> (Map<String, Value>, Vec<(String, String)>) {
        if self.columns.columns.is_empty() && !self.columns.drop_others {
            return (values, Vec::new());
        }
        let mut renamed = Vec::new();
        let mut kept = Map::new();
        for (key, value) in values {
            match self.columns.columns.get(&key) {
                Some(Some(to)) => {
                    kept.insert(to.clone(), value);
                    renamed.push((key, to.clone()));
                }
                Some(None) => {}
                None if self.columns.drop_others && !self.is_known(&key) => {}
                // A column that was renamed onto this name goes first.
                None if renamed.iter().any(|(_, to)| *to == key) => {}
                None => {
                    kept.insert(key, value);
                }
            }
        }
        (kept, renamed)
    }

    fn is_known(&self, key: &str) -> bool {
        COMMON_KEYS.contains(&key) || self.inputs.iter().any(|input| input.name == key)
    }
}

/// Records in memory, counted like lines.
fn given_records(records: Arc<[Map<String, Value>]>) -> Records {
    let count = records.len();
    Box::new((0..count).map(move |at| {
        let line = u32::try_from(at + 1).expect("fewer cases than can be counted");
        Ok(Record { values: records[at].clone(), line, place: Place::LineOnly })
    }))
}

fn format_of(path: &str) -> Option<&'static Format> {
    let lower = path.to_ascii_lowercase();
    FORMATS.iter().find(|format| format.endings.iter().any(|ending| lower.ends_with(ending)))
}

fn endings() -> String {
    FORMATS.iter().flat_map(|format| format.endings).copied().collect::<Vec<_>>().join(", ")
}

fn whole_file(file: &str, message: String) -> Problem {
    Problem { file: file.to_owned(), span: None, severity: Severity::Error, message, help: None }
}

fn at_line(file: &str, span: Span, message: String) -> Problem {
    Problem { span: Some(span), ..whole_file(file, message) }
}

#[cfg(test)]
mod tests;
