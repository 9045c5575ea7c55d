//! The newest run of each tree: found by the codes of its top rubrics, since a run keeps what it judged by and not where that
//! stood on the disk.

use super::scores::TreeScores;
use crate::failure::Failure;
use crate::served::Served;
use assize_core::tree;
use assize_engine::records::{Calibration, RunDocument};
use assize_engine::store::RunList;
use std::collections::{BTreeMap, BTreeSet};

/// As many runs back as are looked through.
const LOOKED_THROUGH: usize = 50;

/// A run of a tree.
#[derive(Clone, Debug)]
pub(crate) struct RubricRun {
    pub(crate) run_id: String,
    pub(crate) suite: String,
    pub(crate) started: String,
    /// Who judged.
    pub(crate) calibration: Calibration,
    /// The codes of the top rubrics.
    pub(crate) top: BTreeSet<String>,
    /// The scores, by model under test.
    pub(crate) models: BTreeMap<String, TreeScores>,
}

/// The runs that judged by a tree, newest first, one for each set of top rubrics.
pub(crate) fn newest_runs(served: &Served) -> Result<Vec<RubricRun>, Failure> {
    let mut found: Vec<RubricRun> = Vec::new();
    // What cannot be read is told of in the list of runs.
    for document in RunList::read(&served.store().runs(LOOKED_THROUGH)?).runs {
        if let Some(run) = of_document(&document)
            && found.iter().all(|newer| newer.top != run.top)
        {
            found.push(run);
        }
    }
    Ok(found)
}

fn of_document(document: &RunDocument) -> Option<RubricRun> {
    let rubrics = tree::of_sections(&document.sections);
    let top: BTreeSet<String> = rubrics.iter().map(|rubric| rubric.code.clone()).collect();
    (!top.is_empty()).then(|| RubricRun {
        run_id: document.run_id.clone(),
        suite: document.suite.clone(),
        started: document.timings.started.clone(),
        calibration: document.judge.calibration,
        top,
        models: TreeScores::by_model(rubrics),
    })
}
