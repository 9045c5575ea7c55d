//! Holding replies back and letting them go, so that tests need no sleeps.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;

/// Passes everything, until it is closed.
pub(crate) struct Gate {
    held: AtomicBool,
    permits: Semaphore,
}

impl Gate {
    pub(crate) fn open() -> Self {
        Self { held: AtomicBool::new(false), permits: Semaphore::new(0) }
    }

    pub(crate) fn hold(&self) {
        if !self.held.swap(true, Ordering::SeqCst) {
            // What was let go before counts no more.
            self.permits.forget_permits(Semaphore::MAX_PERMITS);
        }
    }

    pub(crate) fn release(&self, count: usize) {
        self.permits.add_permits(count);
    }

    /// Lets everything through that waits or comes.
    pub(crate) fn release_all(&self) {
        self.held.store(false, Ordering::SeqCst);
        self.permits.add_permits(Semaphore::MAX_PERMITS / 4);
    }

    pub(crate) async fn pass(&self) {
        if self.held.load(Ordering::SeqCst)
            && let Ok(permit) = self.permits.acquire().await
        {
            permit.forget();
        }
    }
}
