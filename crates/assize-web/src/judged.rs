//! One case of a run with all that is known of it: what the API gives, and what its page shows.

use super::failure::Failure;
use super::served::Served;
use assize_core::Case;
use assize_engine::records::{Label, ResultLine, RunDocument};
use assize_engine::store::StoredAnswer;

/// A case of a run.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) run: RunDocument,
    pub(super) position: u32,
    pub(super) case: Case,
    pub(super) line: ResultLine,
    pub(super) answers: Vec<StoredAnswer>,
    pub(super) labels: Vec<Label>,
}

impl Served {
    /// The case at a place of a run. Waits for the disk.
    pub(super) fn judged(&self, run: &str, position: &str) -> Result<Judged, Failure> {
        let run = self.run_document(run)?;
        let missing = || {
            Failure::missing(format!("Run {} has no case at “{position}”.", run.run_id))
                .with_way_on("Cases are counted from 0, in the order of their files.")
        };
        let position = position.parse().map_err(|_| missing())?;
        let found = self.store().result(&run.run_id, position)?.ok_or_else(missing)?;
        let line = found.line;
        let mut answers = Vec::with_capacity(line.answers.len());
        for id in &line.answers {
            answers.extend(self.store().answer(id)?);
        }
        let labels = self.store().labels_of(&run.run_id, position)?;
        Ok(Judged { run, position, case: found.case, line, answers, labels })
    }
}
