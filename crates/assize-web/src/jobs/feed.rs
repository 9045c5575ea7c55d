//! Numbered events of one run, kept as long as somebody may come back for them.
//!
//! Clients read at their own speed: each holds the number of the last event it has, and nothing is queued for it. One that
//! was away for longer than the events are kept starts anew from how things are now.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// As many events as are kept: more than a quarter of a minute at the rate they are made.
const KEPT: usize = 128;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// What kind it is.
    pub(crate) kind: &'static str,
    /// What it says, as JSON.
    pub(crate) data: Arc<str>,
}

/// What a client has missed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Missed {
    /// These events, oldest first; none where it has them all.
    Events(Vec<Numbered>),
    /// More than is kept.
    TooMuch,
}

/// The events of a run.
#[derive(Debug, Default)]
pub(super) struct Feed {
    events: Mutex<VecDeque<Numbered>>,
    last: watch::Sender<u64>,
}

impl Feed {
    /// Adds an event.
    pub(super) fn add(&self, kind: &'static str, data: String) {
        let mut events = self.events();
        let number = *self.last.borrow() + 1;
        events.push_back(Numbered { number, kind, data: data.into() });
        if events.len() > KEPT {
            events.pop_front();
        }
        // Told while the lock is held, so that numbers and events cannot fall apart.
        self.last.send_replace(number);
    }

    /// Keeps the last event alone: after the end it says everything.
    pub(super) fn forget(&self) {
        let mut events = self.events();
        let before_last = events.len().saturating_sub(1);
        events.drain(..before_last);
    }

    /// What somebody has missed who has the events up to a number.
    pub(super) fn after(&self, number: u64) -> Missed {
        let events = self.events();
        let last = *self.last.borrow();
        match events.front() {
            _ if number == last => Missed::Events(Vec::new()),
            Some(first) if number < last && number + 1 >= first.number => {
                Missed::Events(events.iter().filter(|event| event.number > number).cloned().collect())
            }
            _ => Missed::TooMuch,
        }
    }

    /// The number of the last event, to be watched.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.last.subscribe()
    }

    /// The number of the last event; 0 before the first.
    pub(super) fn last(&self) -> u64 {
        *self.last.borrow()
    }

    fn events(&self) -> MutexGuard<'_, VecDeque<Numbered>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(missed: Missed) -> Option<Vec<u64>> {
        match missed {
            Missed::Events(events) => Some(events.iter().map(|event| event.number).collect()),
            Missed::TooMuch => None,
        }
    }

    #[test]
    fn whoever_comes_back_gets_what_was_missed_or_is_told_that_it_is_too_much() {
        let feed = Feed::default();
        assert_eq!(numbers(feed.after(0)), Some(vec![]));
        (0..3).for_each(|number| feed.add("progress", number.to_string()));
        assert_eq!(numbers(feed.after(0)), Some(vec![1, 2, 3]));
        assert_eq!(numbers(feed.after(2)), Some(vec![3]));
        assert_eq!(numbers(feed.after(3)), Some(vec![]));
        assert_eq!(numbers(feed.after(4)), None, "a number from another life of the server");
        (0..KEPT as u64).for_each(|number| feed.add("progress", number.to_string()));
        assert_eq!(numbers(feed.after(2)), None);
        assert_eq!(numbers(feed.after(3)).map(|events| events.len()), Some(KEPT));
        feed.forget();
        assert_eq!(numbers(feed.after(KEPT as u64 + 2)), Some(vec![KEPT as u64 + 3]));
        assert_eq!(numbers(feed.after(KEPT as u64 + 1)), None);
    }
}
