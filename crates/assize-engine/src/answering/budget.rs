//! The budget: no question is sent that could take the run over it.
//!
//! Before a call its highest cost is reserved; afterwards the reservation becomes what it really cost. So calls under way
//! count, and the limit holds whatever the concurrency.

use std::sync::{Mutex, PoisonError};

/// What may be spent, what has been, and what is on its way.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: Option<f64>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spent: f64,
    reserved: f64,
}

/// A part of the budget that a call may use.
#[derive(Debug)]
pub(crate) struct Reservation(f64);

impl Budget {
    pub(crate) fn new(limit: Option<f64>) -> Self {
        Self { limit, state: Mutex::default() }
    }

    /// Sets the highest cost of a call aside, or nothing where it does not fit any more.
    pub(crate) fn reserve(&self, highest: Option<f64>) -> Option<Reservation> {
        let Some(limit) = self.limit else { return Some(Reservation(0.0)) };
        let highest = highest.unwrap_or(0.0);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.spent + state.reserved + highest > limit {
            return None;
        }
        state.reserved += highest;
        Some(Reservation(highest))
    }

    /// Turns a reservation into what was really spent.
    pub(crate) fn settle(&self, reservation: Reservation, spent: Option<f64>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reserved -= reservation.0;
        state.spent += spent.unwrap_or(reservation.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_under_way_count() {
        let budget = Budget::new(Some(1.0));
        let first = budget.reserve(Some(0.6)).expect("fits");
        assert!(budget.reserve(Some(0.6)).is_none());
        budget.settle(first, Some(0.1));
        let second = budget.reserve(Some(0.6)).expect("fits now");
        budget.settle(second, None);
        assert!(budget.reserve(Some(0.4)).is_none(), "an unknown cost counts as its highest");
        assert!(budget.reserve(Some(0.2)).is_some());
    }

    #[test]
    fn no_limit_is_no_limit() {
        assert!(Budget::new(None).reserve(Some(1e9)).is_some());
    }
}
