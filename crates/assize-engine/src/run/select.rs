//! Which of the cases a run takes.

use assize_core::Case;
use indexmap::IndexSet;
use std::collections::HashSet;

/// A choice among the cases.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// Only cases with one of these ids; empty for all.
    pub(super) only: IndexSet<String>,
    /// Only the first so many of them.
    pub(super) limit: Option<u32>,
}

/// A selection at work.
pub(super) struct Selecting {
    selection: Selection,
    taken: u32,
    seen: HashSet<String>,
}

impl Selection {
    pub(super) fn begin(&self) -> Selecting {
        Selecting { selection: self.clone(), taken: 0, seen: HashSet::new() }
    }
}

impl Selecting {
    /// Whether the next case is taken.
    pub(super) fn takes(&mut self, case: &Case) -> bool {
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

    pub(super) fn taken(&self) -> u32 {
        self.taken
    }

    /// The ids that were asked for and that no case has, in the order in which they were asked for.
    pub(super) fn missing(&self) -> impl Iterator<Item = &str> {
        self.selection.only.iter().map(String::as_str).filter(|id| !self.seen.contains(*id))
    }
}
