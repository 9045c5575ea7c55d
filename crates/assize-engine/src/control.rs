//! Control over a run under way: pausing, going on, stopping. Every task looks here before it asks the next question.

use crate::event::StopReason;
use futures_util::future::{Either, select};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The control of one run; clones control the same run.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<watch::Sender<State>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Going,
    Paused,
    /// For good.
    Stopped(StopReason),
}

impl Control {
    /// Ends the run after what is under way, also while it is paused. The first reason stays. Says whether this was it.
    pub fn stop(&self, reason: StopReason) -> bool {
        self.change(|state| !matches!(state, State::Stopped(_)), State::Stopped(reason))
    }

    /// Asks nothing more until [`resume`](Self::resume); what is under way finishes. Says whether that changed anything.
    pub fn pause(&self) -> bool {
        self.change(|state| *state == State::Going, State::Paused)
    }

    /// Goes on after a pause. Says whether that changed anything.
    pub fn resume(&self) -> bool {
        self.change(|state| *state == State::Paused, State::Going)
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        *self.0.borrow() == State::Paused
    }

    /// Why it was stopped, if it was.
    pub fn stopped(&self) -> Option<StopReason> {
        match &*self.0.borrow() {
            State::Stopped(reason) => Some(reason.clone()),
            State::Going | State::Paused => None,
        }
    }

    /// Waits while the run is paused. Says whether to go ahead; if not, it was stopped.
    pub async fn go_ahead(&self) -> bool {
        if self.is_paused() {
            // The sender is `self`, so it cannot be gone.
            let _ = self.0.subscribe().wait_for(|state| *state != State::Paused).await;
        }
        self.stopped().is_none()
    }

    /// Waits until the run is stopped.
    async fn until_stopped(&self) {
        // The sender is `self`, so it cannot be gone.
        let _ = self.0.subscribe().wait_for(|state| matches!(state, State::Stopped(_))).await;
    }

    /// Waits so long, or until the run is stopped, and while it is paused. Says whether to go ahead.
    pub(crate) async fn go_ahead_after(&self, duration: Duration) -> bool {
        let (slept, stopped) = (pin!(tokio::time::sleep(duration)), pin!(self.until_stopped()));
        match select(slept, stopped).await {
            Either::Left(_) => self.go_ahead().await,
            Either::Right(_) => false,
        }
    }

    fn change(&self, when: impl FnOnce(&State) -> bool, to: State) -> bool {
        self.0.send_if_modified(|state| {
            let changes = when(state);
            if changes {
                *state = to;
            }
            changes
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test(start_paused = true)]
    async fn a_stop_cuts_a_wait_short_and_a_pause_makes_it_longer() {
        let control = Control::default();
        assert!(control.go_ahead_after(Duration::from_secs(60)).await);
        control.pause();
        let mut waiting = Box::pin(control.go_ahead_after(Duration::from_secs(60)));
        let longer = tokio::time::timeout(Duration::from_secs(3600), &mut waiting).await;
        assert!(longer.is_err(), "it is paused");
        control.resume();
        assert!(waiting.await);
        let waiting = control.go_ahead_after(Duration::MAX);
        control.stop(StopReason::Interrupted);
        assert!(!waiting.await);
    }

    #[tokio::test]
    async fn a_pause_holds_until_it_ends_and_a_stop_ends_it_too() {
        let control = Control::default();
        assert_eq!(control.go_ahead().now_or_never(), Some(true));
        assert!(control.pause() && !control.pause(), "a pause is a change once");
        let mut waiting = Box::pin(control.go_ahead());
        assert_eq!(waiting.as_mut().now_or_never(), None);
        assert!(control.resume() && !control.resume());
        assert!(waiting.await);
        control.pause();
        let waiting = control.go_ahead();
        assert!(control.stop(StopReason::OverBudget) && !control.stop(StopReason::Interrupted));
        assert!(!waiting.await, "stopped");
        assert_eq!(control.stopped(), Some(StopReason::OverBudget), "the first reason stays");
        assert!(!control.pause() && !control.resume(), "what is stopped stays stopped");
    }
}
