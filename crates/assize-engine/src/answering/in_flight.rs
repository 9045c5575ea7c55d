//! One question at a time per key: of two cases that ask the same thing at the same moment, one asks and the other
//! finds the answer in the store.

use assize_core::Fingerprint;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::OwnedMutexGuard;

/// The keys that are being asked.
#[derive(Default)]
pub(crate) struct InFlight(Mutex<HashMap<Fingerprint, Weak<tokio::sync::Mutex<()>>>>);

impl InFlight {
    /// Waits until nobody else asks this key; whoever holds the guard may.
    pub(crate) async fn turn(&self, key: &Fingerprint) -> OwnedMutexGuard<()> {
        let lock = {
            let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Keys nobody holds any more are swept when they have become many.
            if keys.len() > 4096 {
                keys.retain(|_, lock| lock.strong_count() > 0);
            }
            let held = keys.get(key).and_then(Weak::upgrade);
            held.unwrap_or_else(|| {
                let lock = Arc::new(tokio::sync::Mutex::new(()));
                keys.insert(key.clone(), Arc::downgrade(&lock));
                lock
            })
        };
        lock.lock_owned().await
    }
}
