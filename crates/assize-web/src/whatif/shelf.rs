//! The sets of cases used last, kept for the next request.

use super::CaseSet;
use crate::failure::Failure;
use std::sync::{Arc, Mutex, PoisonError};

/// So many are kept: somebody compares two runs, and somebody else looks at a third.
const KEPT: usize = 3;

/// What is kept, the last used first.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<Vec<(String, Arc<CaseSet>)>>);

impl Shelf {
    /// The set of a name, made where it is not kept. Two who want the same at once may both make it: neither waits.
    pub(crate) fn take(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<CaseSet, Failure>,
    ) -> Result<Arc<CaseSet>, Failure> {
        if let Some(found) = self.find(name) {
            return Ok(found);
        }
        let made = Arc::new(make()?);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| other != name);
        kept.insert(0, (name.to_owned(), made.clone()));
        kept.truncate(KEPT);
        Ok(made)
    }

    fn find(&self, name: &str) -> Option<Arc<CaseSet>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(other, _)| other == name)?;
        let found = kept.remove(place);
        kept.insert(0, found.clone());
        Some(found.1)
    }

    /// Whether a set is kept.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|(other, _)| other == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whatif::of_records;
    use crate::whatif::tests::facts_offer;

    #[test]
    fn the_last_used_are_kept_and_no_more() {
        let shelf = Shelf::default();
        let made = std::cell::Cell::new(0);
        let take = |name: &str| {
            let make = || {
                made.set(made.get() + 1);
                of_records(facts_offer(), Vec::new())
            };
            shelf.take(name, make).map(|_| ()).expect("made");
        };
        ["a", "b", "a", "c", "a", "d"].into_iter().for_each(take);
        assert_eq!(made.get(), 4);
        assert_eq!(["a", "b", "c", "d"].map(|name| shelf.holds(name)), [true, false, true, true]);
    }
}
