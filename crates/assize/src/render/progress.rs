//! How a run is getting on: a bar for a person, a line now and then for a log.

use crate::screen;
use assize_core::Outcome;
use assize_core::number::{count, dollars};
use assize_engine::event::{Event, StopReason};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::sync::{Mutex, PoisonError};

/// Follows the events of a run.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    total: u64,
    done: u64,
    failed: u64,
    cached: u64,
    cost: Option<f64>,
    /// The next tenth that is worth a line in a log.
    next: u64,
}

impl Progress {
    pub(crate) fn new(total: u32) -> Self {
        let bar = screen::is_watched().then(|| {
            let bar = ProgressBar::new(total.into());
            let template = "{bar:24} {pos}/{len}  {rate}  {eta} left  {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    // A bar that cannot be drawn is not worth a word.
                    let _ = write!(out, "{:.1}/s", state.per_sec());
                };
                bar.set_style(style.with_key("rate", rate).progress_chars("━╸─"));
            }
            bar
        });
        let state = State { total: total.into(), cost: Some(0.0), next: 1, ..State::default() };
        Self { bar, state: Mutex::new(state) }
    }

    /// Takes note of an event.
    pub(crate) fn hear(&self, event: &Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { .. } | Event::Finished(_) => {}
            Event::Answered { cached, cost_usd, .. } => {
                state.cached += u64::from(*cached);
                state.cost = state.cost.zip(*cost_usd).map(|(so_far, more)| so_far + more);
            }
            Event::Decided(outcome) => {
                state.done += 1;
                state.failed += u64::from(matches!(outcome, Outcome::Failed(_)));
            }
            Event::Notice(message) => {
                drop(state);
                self.say(&screen::harmless(message));
                return;
            }
            Event::Stopping(reason) => {
                let why = match reason {
                    StopReason::Interrupted => return,
                    StopReason::OverBudget => "the budget is used up; finishing what is under way".to_owned(),
                    StopReason::Hopeless(why) => format!("stopping: {}", screen::harmless(why)),
                };
                drop(state);
                self.say(&why);
                return;
            }
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(state.done);
                bar.set_message(state.words());
            }
            None => {
                // Nobody wants a log of every case: the first, then every tenth of the way.
                if matches!(event, Event::Decided(_))
                    && state.total >= 20
                    && state.done * 10 >= state.next * state.total
                {
                    state.next = state.done * 10 / state.total + 1;
                    screen::say(format!("{}/{}  {}", count(state.done), count(state.total), state.words()));
                }
            }
        }
    }

    /// Says something without disturbing the bar.
    pub(crate) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| screen::say(text)),
            None => screen::say(text),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl State {
    fn words(&self) -> String {
        let mut words = Vec::new();
        if self.cost.is_some_and(|cost| cost > 0.0) {
            words.push(dollars(self.cost));
        }
        if self.cached > 0 {
            words.push(format!("{} cached", count(self.cached)));
        }
        words.push(format!("{} failed", count(self.failed)));
        words.join("  ")
    }
}
