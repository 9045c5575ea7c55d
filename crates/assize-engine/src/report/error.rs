//! Why a report could not be made.

use crate::store::StoreError;
use std::fmt;

/// What went wrong.
#[derive(Debug)]
pub enum ReportError {
    /// The store could not be read.
    Store(StoreError),
    /// What is stored of a case is none of this version's lines.
    Unreadable {
        /// The case.
        case: String,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// The report could not be written.
    Write(std::io::Error),
    /// The format cannot hold it.
    Format(String),
}

impl ReportError {
    /// What to do.
    pub fn hint(&self) -> &str {
        match self {
            Self::Store(error) => error.hint(),
            Self::Unreadable { .. } => "the run may have been made by a newer Assize",
            Self::Write(_) => "check that the folder can be written and the disk is not full",
            Self::Format(_) => "--format csv --table cases and --format json hold everything",
        }
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => write!(f, "{error}"),
            Self::Unreadable { case, error } => write!(f, "the result of the case `{case}` cannot be read: {error}"),
            Self::Write(error) => write!(f, "the report cannot be written: {error}"),
            Self::Format(what) => write!(f, "the report cannot be made: {what}"),
        }
    }
}

impl std::error::Error for ReportError {}

impl From<StoreError> for ReportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<std::io::Error> for ReportError {
    fn from(error: std::io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<csv::Error> for ReportError {
    fn from(error: csv::Error) -> Self {
        Self::Write(error.into())
    }
}
