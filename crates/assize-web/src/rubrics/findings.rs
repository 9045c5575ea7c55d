//! What is wrong with rubric files, whoever found it: the linter, or the reader of a file that the linter does not know.

use super::{RubricFileKind, RubricFiles};
use crate::recent::Recent;
use assize_core::document::{self, Problems, Span, parse};
use assize_core::{JudgeSource, JudgeSystem, SourceFile};
use assize_judges::systems::behaviour::lint::{find_rule, lint};
use assize_judges::systems::behaviour::spec::Benchmark;
use assize_judges::systems::criteria::CriteriaFile;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Severity {
    /// Nothing can be judged with it, or not rightly.
    Error,
    /// It can be used, and is probably not what was meant.
    Warning,
    /// Nothing is wrong; a reader should know it.
    Note,
}

impl Severity {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }

    /// The colour it is shown in.
    pub(crate) fn rating(self) -> &'static str {
        match self {
            Self::Error => "fail",
            Self::Warning => "acceptable",
            Self::Note => "note",
        }
    }
}

impl From<document::Severity> for Severity {
    fn from(severity: document::Severity) -> Self {
        match severity {
            document::Severity::Error => Self::Error,
            document::Severity::Warning => Self::Warning,
            document::Severity::Note => Self::Note,
        }
    }
}

/// Something that is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Found {
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1, in characters.
    pub(crate) column: u32,
    /// Characters to underline.
    pub(crate) length: u32,
    /// The rule's code, such as `AZ105`; `null` where a file's own reader found it.
    pub(crate) code: Option<&'static str>,
    /// The rule's name.
    pub(crate) rule: Option<&'static str>,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// What was found.
    pub(crate) message: String,
    /// What to write instead.
    pub(crate) help: String,
    /// Why there is such a rule.
    pub(crate) why: String,
}

impl Found {
    fn by_reader(problem: &document::Problem) -> Self {
        let span = problem.span.unwrap_or(Span::at(1, 1));
        Self {
            line: span.line.max(1),
            column: span.column.max(1),
            length: span.length,
            code: None,
            rule: None,
            severity: problem.severity.into(),
            message: problem.message.clone(),
            help: problem.help.clone().unwrap_or_default(),
            why: String::new(),
        }
    }
}

/// The findings of every file that has some, by path.
pub(crate) type Findings = HashMap<String, Vec<Found>>;

/// As many rubric files as are remembered: the folder, the example, a tree or two.
const REMEMBERED: usize = 4;

/// What was found on rubric files that were looked over lately. A thousand files take a third of a second to look over, and are
/// mostly the same from one page to the next.
pub(crate) struct Memory(Recent<blake3::Hash, Findings>);

impl Default for Memory {
    fn default() -> Self {
        Self(Recent::of(REMEMBERED))
    }
}

impl Memory {
    /// The findings of rubric files.
    pub(crate) fn findings(&self, files: &RubricFiles) -> Arc<Findings> {
        let Ok(found) = self.0.take(files.content(), || Ok::<_, Infallible>(findings(files)));
        found
    }
}

/// Looks rubric files over.
fn findings(files: &RubricFiles) -> Findings {
    let mut found = Findings::new();
    for finding in lint(&files.sources()) {
        let why = find_rule(finding.code).map(|rule| format!("{} {}", rule.why, rule.explanation)).unwrap_or_default();
        found.entry(finding.file).or_default().push(Found {
            line: finding.span.line.max(1),
            column: finding.span.column.max(1),
            length: finding.span.length,
            code: Some(finding.code),
            rule: Some(finding.rule),
            severity: finding.severity.into(),
            message: finding.message,
            help: finding.help,
            why,
        });
    }
    for (file, kind) in &files.files {
        let problems = match kind {
            RubricFileKind::Criteria => read_criteria(file),
            // The linter reads benchmarks by their trees; one that stands alone is read here.
            RubricFileKind::Benchmark if files.root_of(&file.path).is_none() => read_benchmark(file),
            _ => continue,
        };
        if !problems.is_empty() {
            found.entry(file.path.clone()).or_default().extend(problems.iter().map(Found::by_reader));
        }
    }
    found
}

/// The findings of one file, in order, and how many there are in the other files it stands together with.
pub(crate) fn of_file(files: &RubricFiles, path: &str) -> (Vec<Found>, Vec<(String, Found)>) {
    let mut all = findings(files);
    let mut own = all.remove(path).unwrap_or_default();
    own.sort_by_key(|found| (found.line, found.column));
    let mut elsewhere: Vec<(String, Found)> =
        all.into_iter().flat_map(|(path, found)| found.into_iter().map(move |found| (path.clone(), found))).collect();
    elsewhere.sort_by(|(a, x), (b, y)| (a, x.line, x.column).cmp(&(b, y.line, y.column)));
    (own, elsewhere)
}

fn read_criteria(file: &SourceFile) -> Problems {
    let mut problems = Problems::of(file.path.clone());
    CriteriaFile.build(&JudgeSource::File(file.clone()), None, &mut problems);
    problems
}

fn read_benchmark(file: &SourceFile) -> Problems {
    let mut problems = Problems::of(file.path.clone());
    if let Some(document) = parse(&file.text, &mut problems) {
        Benchmark::read(&document, &mut problems);
    }
    problems
}
