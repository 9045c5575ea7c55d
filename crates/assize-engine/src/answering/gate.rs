//! What a question under way may still do: nothing after the run was stopped or while it is paused, and nothing that
//! there is no money for.

use super::Answering;
use super::budget::Reservation;
use crate::event::{Event, StopReason};
use assize_llm::CallGate;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The gate between a run and one of its questions.
pub(super) struct RunGate<'r> {
    answering: &'r Answering,
    reserved: Mutex<Option<Reservation>>,
    gave_up: AtomicBool,
}

impl<'r> RunGate<'r> {
    pub(super) fn new(answering: &'r Answering) -> Self {
        Self { answering, reserved: Mutex::default(), gave_up: AtomicBool::new(false) }
    }

    /// Whether the question might still have been answered, had the run gone on.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up.load(Ordering::Relaxed)
    }

    fn end(&self, reason: StopReason) {
        self.gave_up.store(true, Ordering::Relaxed);
        self.answering.end(reason);
    }
}

impl CallGate for RunGate<'_> {
    fn wait<'a>(&'a self, duration: Duration) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            let goes_on = self.answering.control.go_ahead_after(duration).await;
            self.gave_up.store(!goes_on, Ordering::Relaxed);
            goes_on
        })
    }

    fn reserve<'a>(&'a self, highest: Option<f64>) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            match self.answering.budget.reserve(highest).await {
                Some(reservation) => {
                    *self.reserved.lock().unwrap_or_else(PoisonError::into_inner) = Some(reservation);
                    true
                }
                None => {
                    self.end(StopReason::OverBudget);
                    false
                }
            }
        })
    }

    fn settle(&self, cost: Option<f64>) {
        if let Some(reservation) = self.reserved.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.answering.budget.settle(reservation, cost);
        }
    }

    fn notice(&self, message: &str) {
        (self.answering.listener)(&Event::Notice(message));
    }

    fn give_up(&self, message: &str) {
        self.end(StopReason::Hopeless(message.to_owned()));
    }
}

impl Drop for RunGate<'_> {
    fn drop(&mut self) {
        // What nobody waited for may have been done all the same.
        self.settle(None);
    }
}
