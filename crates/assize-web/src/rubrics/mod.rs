//! Rubric files as the page works with them: found, read, looked over, drawn by their parts, tried out and written.
//!
//! A file is named by its path in the served folder, or by `example:` and its path in the bundled example, which can be
//! looked at and tried out and never written. Pages draw what is here; the API hands it on.

mod cases;
mod files;
mod findings;
mod kind;
mod newest;
mod parts;
mod ruling;
mod scores;
mod suites;
mod template;
mod trial;
mod write;

pub(super) use cases::{CaseSource, ListedCase, SourceChoice, case_at, inputs, listed, no_cases, sources};
pub(super) use files::{Address, Origin, RubricFiles};
pub(super) use findings::{Findings, Found, Memory, Severity, fixed_text, of_file};
pub(super) use kind::RubricFileKind;
pub(super) use newest::{RubricRun, newest_runs};
pub(super) use parts::{Block, Part, parts, title};
pub(super) use ruling::{RubricChange, Tried, TriedCase, rubric_changes};
pub(super) use scores::TreeScores;
pub(super) use suites::models;
pub(super) use template::{Template, start_from, without_prompt};
pub(super) use trial::{Attempt, Way, question, top_codes, ways};
pub(super) use write::{fingerprint, write};
