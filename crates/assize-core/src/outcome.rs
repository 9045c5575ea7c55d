//! What became of a case: the one word for it, from the judge's step to the line in the results.

use crate::{Failure, Judgment};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// What became of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was judged.
    Judged(Box<Judgment>),
    /// It could not be judged. It is counted as failed and enters no figure.
    Failed(Failure),
    /// It is not a case for this judge.
    Skipped {
        /// Why, in a sentence.
        reason: String,
    },
    /// The run ended before it. Nothing is known of it, and nothing is recorded.
    NotReached,
}

impl Outcome {
    /// How it is recorded; `None` for a case that was not reached, of which there is no record.
    pub fn status(&self) -> Option<CaseStatus> {
        match self {
            Self::Judged(_) => Some(CaseStatus::Judged),
            Self::Failed(_) => Some(CaseStatus::Failed),
            Self::Skipped { .. } => Some(CaseStatus::Skipped),
            Self::NotReached => None,
        }
    }

    /// The judgment, where there is one.
    pub fn judgment(&self) -> Option<&Judgment> {
        match self {
            Self::Judged(judgment) => Some(judgment),
            _ => None,
        }
    }
}

impl From<Judgment> for Outcome {
    fn from(judgment: Judgment) -> Self {
        Self::Judged(Box::new(judgment))
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The outcome of a case that was reached, as results and the store spell it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CaseStatus {
    /// It was judged.
    Judged,
    /// It could not be judged.
    Failed,
    /// It is not a case for this judge.
    Skipped,
}

impl CaseStatus {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for CaseStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
