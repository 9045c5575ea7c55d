//! One run that this server runs.

use super::feed::{Feed, Missed, Numbered};
use super::progress::{JobState, Progress, ProgressCounter};
use assize_engine::control::Control;
use assize_engine::event::{Event, StopReason};
use assize_engine::records::RunStatus;
use assize_engine::run::Prepared;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// The least time between two events: a few a second are as many as anybody can read.
const GAP: Duration = Duration::from_millis(150);

/// The longest time between two events while nothing happens, so that the rate is seen to fall.
const LULL: Duration = Duration::from_secs(5);

/// A run, its control, and what there is to tell about it.
pub(crate) struct Job {
    control: Control,
    inner: Mutex<Inner>,
    /// Something happened that the next event tells.
    changed: Notify,
    feed: Feed,
}

struct Inner {
    /// What does not follow from the tally.
    head: Progress,
    tally: ProgressCounter,
    /// When it ended.
    ended: Option<Instant>,
}

impl Job {
    pub(super) fn new(prepared: &Prepared) -> Self {
        let head = Progress::new(&prepared.suite().name, &prepared.judge().spec().headline, prepared.max_cost());
        let inner = Inner { head, tally: ProgressCounter::new(Instant::now()), ended: None };
        Self { control: Control::default(), inner: Mutex::new(inner), changed: Notify::new(), feed: Feed::default() }
    }

    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// Takes note of an event of the run.
    pub(super) fn hear(&self, event: &Event<'_>) {
        let mut inner = self.inner();
        match event {
            Event::Started { run, .. } => inner.head.run = run.to_string(),
            Event::Stopping(StopReason::Hopeless(why)) => inner.head.note = Some(why.clone()),
            _ => {}
        }
        inner.tally.hear(event);
        drop(inner);
        self.changed.notify_one();
    }

    /// How it is getting on.
    pub(crate) fn progress(&self) -> Progress {
        self.told(&mut self.inner(), false)
    }

    fn told(&self, inner: &mut Inner, fresh: bool) -> Progress {
        let mut progress = inner.head.clone();
        progress.state = match () {
            () if inner.ended.is_some() => JobState::Ended,
            () if self.control.stopped().is_some() => JobState::Stopping,
            () if self.control.is_paused() => JobState::Paused,
            () => JobState::Running,
        };
        inner.tally.fill(&mut progress, inner.ended.unwrap_or_else(Instant::now), fresh);
        progress
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.inner().ended.is_some()
    }

    /// Asks nothing more until it is resumed. Says whether that changed anything.
    pub(super) fn pause(&self) -> bool {
        self.changes(Control::pause)
    }

    /// Goes on. Says whether that changed anything.
    pub(super) fn resume(&self) -> bool {
        let resumed = self.changes(Control::resume);
        if resumed {
            self.inner().tally.restart_rate(Instant::now());
        }
        resumed
    }

    /// Ends after what is under way. Says whether that changed anything.
    pub(super) fn cancel(&self) -> bool {
        self.changes(|control| control.stop(StopReason::Interrupted))
    }

    fn changes(&self, change: impl FnOnce(&Control) -> bool) -> bool {
        let changed = !self.has_ended() && change(&self.control);
        if changed {
            self.changed.notify_one();
        }
        changed
    }

    /// Tells that it has ended, once and for all.
    pub(super) fn end(&self, status: RunStatus, note: Option<String>) {
        let mut inner = self.inner();
        inner.ended = Some(Instant::now());
        inner.head.status = status;
        inner.head.note = note.or(inner.head.note.take());
        let told = self.told(&mut inner, false);
        self.feed.add("ended", as_json(&told));
        self.feed.forget();
        drop(inner);
        self.changed.notify_one();
    }

    /// Tells of what happens, a few times a second at most, until the run has ended.
    pub(super) async fn tell(&self) {
        loop {
            // Either something happened, or it is time to say that nothing did.
            let _ = tokio::time::timeout(LULL, self.changed.notified()).await;
            {
                let mut inner = self.inner();
                if inner.ended.is_some() {
                    return;
                }
                inner.tally.sample(Instant::now());
                let told = self.told(&mut inner, true);
                self.feed.add("progress", as_json(&told));
            }
            tokio::time::sleep(GAP).await;
        }
    }

    /// What somebody has missed who has the events up to a number; nobody has seen any, or too much was missed, all of it.
    pub(crate) fn missed(&self, seen: Option<u64>) -> Vec<Numbered> {
        // The events and the whole are looked at in one go, so that nothing can happen between the two.
        let mut inner = self.inner();
        match seen.map(|number| self.feed.after(number)) {
            Some(Missed::Events(events)) => events,
            Some(Missed::TooMuch) | None => {
                let told = self.told(&mut inner, false);
                let kind = if inner.ended.is_some() { "ended" } else { "snapshot" };
                vec![Numbered { number: self.feed.last(), kind, data: as_json(&told).into() }]
            }
        }
    }

    /// The number of the last event, to be watched.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.feed.watch()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn as_json(progress: &Progress) -> String {
    serde_json::to_string(progress).expect("a progress has text keys only, so it has a JSON form")
}
