//! Problems: what is wrong, where, and what to do about it.
//!
//! They are collected, not thrown, so that a person mends a file once and not five times. Drawing them with the source
//! line is the binary's job.

use serde::Serialize;

/// A place in a text: line and column from 1, and the length to underline, all in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
    /// Characters to underline.
    pub length: u32,
}

impl Span {
    /// A single character.
    pub fn at(line: u32, column: u32) -> Self {
        Self { line, column, length: 1 }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing can be run.
    Error,
    /// It can be run, and is probably not what was meant.
    Warning,
    /// Nothing is wrong; a reader should know it.
    Note,
}

/// One thing that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, as the user would write it.
    pub file: String,
    /// Where in it; `None` for the file as a whole.
    pub span: Option<Span>,
    /// How bad it is.
    pub severity: Severity,
    /// What was found and what was expected.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(span) = self.span {
            write!(f, ":{}:{}", span.line, span.column)?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

/// The problems found so far. The list is bounded: a file with a million mistakes is as wrong as one with a hundred.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    file: String,
    list: Vec<Problem>,
    not_listed: usize,
}

impl Problems {
    /// As many problems as are kept; the rest is counted.
    pub const MOST: usize = 100;

    /// No problems yet; those to come are in `file`.
    pub fn of(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// Goes on in another file.
    pub fn enter(&mut self, file: impl Into<String>) -> String {
        std::mem::replace(&mut self.file, file.into())
    }

    /// The file problems are reported in.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Reports an error at a place.
    pub fn report(&mut self, span: impl Into<Option<Span>>, message: impl Into<String>) {
        self.push(span.into(), Severity::Error, message.into(), None);
    }

    /// Reports what is probably not meant.
    pub fn warn(&mut self, span: impl Into<Option<Span>>, message: impl Into<String>) {
        self.push(span.into(), Severity::Warning, message.into(), None);
    }

    /// Reports an error at a place, with what to do about it.
    pub fn report_with_help(
        &mut self,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(span.into(), Severity::Error, message.into(), Some(help.into()));
    }

    fn push(&mut self, span: Option<Span>, severity: Severity, message: String, help: Option<String>) {
        self.add(Problem { file: self.file.clone(), span, severity, message, help });
    }

    /// Adds a problem made elsewhere.
    pub fn add(&mut self, problem: Problem) {
        if self.list.len() < Self::MOST {
            self.list.push(problem);
        } else {
            self.not_listed += 1;
        }
    }

    /// Takes over the problems of another list.
    pub fn append(&mut self, other: Problems) {
        self.not_listed += other.not_listed;
        for problem in other.list {
            self.add(problem);
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are, listed or not.
    pub fn count(&self) -> usize {
        self.list.len() + self.not_listed
    }

    /// The listed ones.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.list.iter()
    }

    /// The listed ones in the order of the files, and within a file from top to bottom, as somebody would mend them.
    pub fn in_order(&self) -> Vec<&Problem> {
        let files: Vec<&str> = self.list.iter().map(|problem| problem.file.as_str()).collect();
        let place = |file: &str| files.iter().position(|other| *other == file);
        let mut ordered: Vec<&Problem> = self.list.iter().collect();
        ordered.sort_by_key(|problem| (place(&problem.file), problem.span));
        ordered
    }

    /// The same problems with no places: of a value that was never a text there are no lines to look up.
    pub fn without_places(mut self) -> Self {
        self.list.iter_mut().for_each(|problem| problem.span = None);
        self
    }

    /// How many were found beyond those listed.
    pub fn not_listed(&self) -> usize {
        self.not_listed
    }

    /// The value if there are no problems, the problems otherwise.
    pub fn into_result<T>(self, value: Option<T>) -> Result<T, Problems> {
        match value {
            Some(value) if self.list.is_empty() => Ok(value),
            _ => Err(self),
        }
    }
}
