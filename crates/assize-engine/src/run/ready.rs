//! A run that can be executed.

use super::Prepared;
use std::ops::Deref;

/// A prepared run that lacks nothing. Only this can be executed or tried out, and only [`Prepared::ready`] gives one:
///
/// ```no_run
/// # async fn spend(ready: assize_engine::run::Ready, store: assize_engine::store::Store) {
/// ready.try_out(&store).await;
/// # }
/// ```
///
/// ```compile_fail
/// # async fn spend(prepared: assize_engine::run::Prepared, store: assize_engine::store::Store) {
/// prepared.try_out(&store).await;
/// # }
/// ```
pub struct Ready(Prepared);

impl Ready {
    pub(super) fn new(prepared: Prepared) -> Self {
        Self(prepared)
    }
}

impl Deref for Ready {
    type Target = Prepared;

    fn deref(&self) -> &Prepared {
        &self.0
    }
}
