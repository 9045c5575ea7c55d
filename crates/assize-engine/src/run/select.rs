//! Which of the cases a run takes.

use assize_core::Case;
use std::collections::BTreeSet;

/// A choice among the cases.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only cases with one of these ids; empty for all.
    pub only: Vec<String>,
    /// Only the first so many of them.
    pub limit: Option<u32>,
}

/// A selection at work.
pub(crate) struct Selecting {
    selection: Selection,
    taken: u32,
    seen: BTreeSet<String>,
}

impl Selection {
    pub(crate) fn begin(&self) -> Selecting {
        Selecting { selection: self.clone(), taken: 0, seen: BTreeSet::new() }
    }
}

impl Selecting {
    /// Whether the next case is taken.
    pub(crate) fn takes(&mut self, case: &Case) -> bool {
        if !self.selection.only.is_empty() {
            if !self.selection.only.contains(&case.id) {
                return false;
            }
            self.seen.insert(case.id.clone());
        }
        if self.selection.limit.is_some_and(|limit| self.taken >= limit) {
            return false;
        }
        self.taken += 1;
        true
    }

    pub(crate) fn taken(&self) -> u32 {
        self.taken
    }

    /// The ids that were asked for and that no case has.
    pub(crate) fn missing(&self) -> Vec<&str> {
        self.selection.only.iter().map(String::as_str).filter(|id| !self.seen.contains(*id)).collect()
    }
}
