//! Stopping a run: set once, seen by every task before it asks the next question.

use crate::event::StopReason;
use std::sync::{Arc, OnceLock};

/// A switch that can be turned once; clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<OnceLock<StopReason>>);

impl Stop {
    /// Turns the switch. The first reason stays. Says whether this was the first.
    pub fn set(&self, reason: StopReason) -> bool {
        self.0.set(reason).is_ok()
    }

    /// Why to stop, if to stop.
    pub fn reason(&self) -> Option<&StopReason> {
        self.0.get()
    }
}
