//! The budget: no question is sent that could take the run over it.
//!
//! Before a request its highest cost is reserved; afterwards the reservation becomes what it really cost, or stays where
//! nobody knows. So requests under way count, and the limit holds whatever the concurrency. What does not fit now may fit
//! once others have settled for less; it waits for them.

use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// What may be spent, what has been, and what is on its way.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: Option<f64>,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Debug, Default)]
struct State {
    spent: f64,
    reserved: f64,
    under_way: u32,
}

/// A part of the budget that a call may use.
#[derive(Debug)]
pub(crate) struct Reservation(f64);

impl Budget {
    pub(crate) fn new(limit: Option<f64>) -> Self {
        Self { limit, state: Mutex::default(), settled: Notify::new() }
    }

    /// Sets the highest cost of a request aside; nothing where it would not fit though nothing else were under way.
    pub(crate) async fn reserve(&self, highest: Option<f64>) -> Option<Reservation> {
        let Some(limit) = self.limit else { return Some(Reservation(0.0)) };
        let highest = highest.unwrap_or(0.0);
        loop {
            let settled = self.settled.notified();
            {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.spent + state.reserved + highest <= limit {
                    state.reserved += highest;
                    state.under_way += 1;
                    return Some(Reservation(highest));
                }
                if state.under_way == 0 || state.spent + highest > limit {
                    return None;
                }
            }
            settled.await;
        }
    }

    /// Turns a reservation into what was really spent.
    pub(crate) fn settle(&self, reservation: Reservation, spent: Option<f64>) {
        if self.limit.is_none() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.under_way -= 1;
        state.reserved = if state.under_way == 0 { 0.0 } else { state.reserved - reservation.0 };
        state.spent += spent.unwrap_or(reservation.0);
        drop(state);
        self.settled.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn requests_under_way_count_and_what_does_not_fit_waits_for_them() {
        let budget = Budget::new(Some(1.0));
        let first = budget.reserve(Some(0.6)).await.expect("fits");
        let mut second = Box::pin(budget.reserve(Some(0.6)));
        assert!(second.as_mut().now_or_never().is_none(), "it may yet fit");
        budget.settle(first, Some(0.1));
        let second = second.await.expect("fits now");
        assert!(budget.reserve(Some(0.95)).await.is_none(), "it cannot fit any more");
        budget.settle(second, None);
        assert!(budget.reserve(Some(0.4)).await.is_none(), "an unknown cost counts as its highest");
        assert!(budget.reserve(Some(0.2)).await.is_some());
    }

    #[tokio::test]
    async fn no_limit_is_no_limit() {
        assert!(Budget::new(None).reserve(Some(1e9)).await.is_some());
    }
}
