//! The cases of a run as rows: one for each case, with a column for every figure.

use super::ReportError;
use crate::records::{ResultLine, RunDocument};
use crate::store::{Store, StoredOutcome};
use assize_core::CaseStatus;

/// What became of one case.
#[derive(Clone, Debug)]
pub struct CaseRow {
    /// The case's line, as `--results` writes it.
    pub line: ResultLine,
    /// Which repetition on the same input it is, where the case says so.
    pub repetition: Option<f64>,
    /// The fingerprint of the case's content.
    pub content: String,
    /// Where it stands in the run.
    pub position: u32,
}

impl CaseRow {
    /// Reads what is stored of a case.
    pub fn read(outcome: StoredOutcome) -> Result<Self, ReportError> {
        let StoredOutcome { case, repetition, content, line, position, .. } = outcome;
        let line = serde_json::from_str(&line).map_err(|error| ReportError::Unreadable { case, error })?;
        Ok(Self { line, repetition, content, position })
    }

    /// Whether there is a judgment.
    pub fn is_judged(&self) -> bool {
        self.line.status == CaseStatus::Judged
    }

    /// The value of a figure, where it is there and defined.
    pub fn value(&self, metric: &str) -> Option<f64> {
        self.line.metrics.get(metric).and_then(|metric| metric.value)
    }

    /// Why the case could not be judged, in words.
    pub fn error(&self) -> Option<String> {
        self.line.error.as_ref().map(ToString::to_string)
    }
}

/// The columns that every run's cases have: those before the figures, and those behind them.
pub(super) const BEFORE: [&str; 5] = ["case", "model", "run", "status", "verdict"];
pub(super) const BEHIND: [&str; 3] = ["flags", "reason", "error"];

/// The cases of a run, and the figures that are their columns.
pub struct Cases<'s> {
    store: &'s Store,
    run: String,
    metrics: Vec<String>,
}

impl<'s> Cases<'s> {
    /// The cases of a run. Columns are the figures that some case has, in the judge's order.
    pub fn of(store: &'s Store, document: &RunDocument) -> Result<Self, ReportError> {
        let mut metrics = store.metric_names(&document.run_id)?;
        let declared = &document.judge.metrics;
        metrics
            .sort_by_cached_key(|name| declared.iter().position(|spec| spec.name == *name).unwrap_or(declared.len()));
        Ok(Self { store, run: document.run_id.clone(), metrics })
    }

    /// The figures that are columns.
    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// The names of all columns. A figure that is called like another column says that it is a figure.
    pub fn columns(&self) -> Vec<String> {
        let figure = |name: &String| {
            let taken = BEFORE.iter().chain(&BEHIND).any(|column| column == name);
            if taken { format!("metric.{name}") } else { name.clone() }
        };
        let fixed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        [fixed(&BEFORE), self.metrics.iter().map(figure).collect(), fixed(&BEHIND)].concat()
    }

    /// The rows, in the order of the cases, as they come from the store.
    pub fn rows(&self) -> impl Iterator<Item = Result<CaseRow, ReportError>> {
        self.store.outcomes(&self.run).map(|outcome| CaseRow::read(outcome?))
    }
}
