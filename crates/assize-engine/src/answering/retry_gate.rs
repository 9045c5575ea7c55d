//! How long a question under way is repeated: not after the run was stopped, and not while it is paused.

use crate::control::Control;
use assize_llm::RetryGate;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The patience of a run for one question.
pub(super) struct RunPatience<'r> {
    control: &'r Control,
    gave_up: AtomicBool,
}

impl<'r> RunPatience<'r> {
    pub(super) fn new(control: &'r Control) -> Self {
        Self { control, gave_up: AtomicBool::new(false) }
    }

    /// Whether the question might still have been answered, had the run not been stopped.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up.load(Ordering::Relaxed)
    }
}

impl RetryGate for RunPatience<'_> {
    fn wait<'a>(&'a self, duration: Duration) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            let goes_on = self.control.go_ahead_after(duration).await;
            self.gave_up.store(!goes_on, Ordering::Relaxed);
            goes_on
        })
    }
}
