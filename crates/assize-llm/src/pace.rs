//! How fast a server can be asked, found out by asking.
//!
//! A server that says "too many requests" has a limit that nobody told us. All who ask it wait as long as it says; then
//! it is asked as fast as it turned out to answer, a little below, and now and then a little above, to see whether the
//! limit was lifted. Waiting for a limit is no failed attempt. A server that answers nobody is not asked by everybody
//! again and again: one question at a time tries whether it is back, and after a while the run is told to give up.

use crate::retry::CallGate;
use futures_util::future::{Either, select};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// As many requests at a time as a server gets before anything is known of it; each answer lets one more in.
const AT_FIRST: f64 = 32.0;

/// The wait where a server that is asked too much does not say how long.
const UNSAID: Duration = Duration::from_secs(1);

/// How much below the measured rate it is asked.
const BELOW: f64 = 0.98;

/// How much slower after refusals among answers: the more answers there were to a refusal, the less.
const SLOWER: [(u32, f64); 3] = [(10, 0.97), (5, 0.85), (0, 0.7)];

/// How much faster after each answer: limits are lifted, too.
const FASTER: f64 = 1.0005;

/// A wait that somebody else's answer ends.
const UNTIL_TOLD: Duration = Duration::from_secs(30);

/// As many failures in a row, with no answer between, mean that the server answers nobody.
const DOWN: u32 = 8;

/// A server that answers nobody for so long is given up.
const GIVEN_UP: Duration = Duration::from_secs(120);

/// A server that refuses everything for so long is given up as well.
const REFUSED: Duration = Duration::from_secs(10 * 60);

/// The longest wait between two tries whether it is back.
const LONGEST_PROBE: Duration = Duration::from_secs(15);

/// The pace at which one server is asked for one model.
#[derive(Debug)]
pub(crate) struct Pace {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    in_flight: u32,
    /// As many at a time.
    window: f64,
    /// Nobody asks before.
    held_until: Option<Instant>,
    /// Requests in a second, once a limit was met.
    rate: Option<f64>,
    /// When the next request may go at that rate.
    next: Instant,
    /// Since when requests are counted, and how many were answered and refused.
    since: Instant,
    answered: u32,
    refused: u32,
    /// Since when everything was refused.
    limited_since: Option<Instant>,
    /// Failures in a row, and since when.
    failures: u32,
    failing_since: Option<Instant>,
    /// When it is tried next whether a server that answers nobody is back, and how long to wait after that.
    probe: Option<(Instant, Duration)>,
}

/// A request that may go.
#[derive(Debug)]
pub(crate) struct Ticket<'p> {
    pace: &'p Pace,
    open: bool,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// The server is there, whatever it said.
    Answer,
    /// It was asked too much, and says how long to wait.
    Limit(Option<Duration>),
    /// Nothing came back, or nothing of use.
    Failure,
}

impl Pace {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        let state = State {
            in_flight: 0,
            window: AT_FIRST,
            held_until: None,
            rate: None,
            next: now,
            since: now,
            answered: 0,
            refused: 0,
            limited_since: None,
            failures: 0,
            failing_since: None,
            probe: None,
        };
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    /// Waits until a request may go; none where nobody is interested any more, or the server is given up.
    pub(crate) async fn admit(&self, whom: &str, gate: &dyn CallGate) -> Option<Ticket<'_>> {
        loop {
            let changed = self.changed.notified();
            let wait = match self.state().next(Instant::now()) {
                Next::Go => return Some(Ticket { pace: self, open: true }),
                Next::Wait(wait) => wait,
                Next::GiveUp(down) => {
                    let message = format!("{whom} has not answered anything for {} seconds", down.as_secs());
                    gate.give_up(&message);
                    return None;
                }
            };
            let (changed, waited) = (pin!(changed), pin!(gate.wait(wait)));
            if let Either::Right((false, _)) = select(changed, waited).await {
                return None;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket<'_> {
    /// Says what became of the request. Gives what whoever watches should know.
    pub(crate) fn met(mut self, met: Met) -> Option<&'static str> {
        self.open = false;
        let told = self.pace.state().meet(met, Instant::now());
        self.pace.changed.notify_waiters();
        told
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        // Nobody waited for the reply.
        if self.open {
            self.pace.state().in_flight -= 1;
            self.pace.changed.notify_waiters();
        }
    }
}

enum Next {
    Go,
    Wait(Duration),
    GiveUp(Duration),
}

impl State {
    fn next(&mut self, now: Instant) -> Next {
        if let Some(limited) = self.limited_since.map(|since| now - since).filter(|limited| *limited > REFUSED) {
            return Next::GiveUp(limited);
        }
        if let Some((at, after)) = self.probe {
            let down = self.failing_since.map_or(Duration::ZERO, |since| now - since);
            if down > GIVEN_UP {
                return Next::GiveUp(down);
            }
            if now < at {
                return Next::Wait(at - now);
            }
            self.probe = Some((now + after, (2 * after).min(LONGEST_PROBE)));
            self.in_flight += 1;
            return Next::Go;
        }
        if let Some(until) = self.held_until {
            if now < until {
                return Next::Wait(until - now);
            }
            self.measure(until);
        }
        if f64::from(self.in_flight) >= self.window {
            return Next::Wait(UNTIL_TOLD);
        }
        if let Some(rate) = self.rate {
            if now < self.next {
                return Next::Wait(self.next - now);
            }
            self.next = self.next.max(now) + Duration::from_secs_f64(1.0 / rate);
        }
        self.in_flight += 1;
        Next::Go
    }

    /// The wait is over: it is known how much was answered since the counting began. What is under way was taken.
    fn measure(&mut self, until: Instant) {
        let taken = (self.answered + self.in_flight).max(1);
        if self.refused > taken {
            let seconds = (until - self.since).as_secs_f64().max(0.001);
            self.rate = Some(f64::from(taken) / seconds * BELOW);
        } else if let Some(rate) = &mut self.rate {
            // The limit was only just passed, or it was a slip of the server's.
            let slower = SLOWER.iter().find(|(answers, _)| taken >= answers * self.refused);
            *rate *= slower.map_or(1.0, |(_, slower)| *slower);
        }
        (self.held_until, self.next, self.since, self.answered, self.refused) = (None, until, until, 0, 0);
    }

    fn meet(&mut self, met: Met, now: Instant) -> Option<&'static str> {
        self.in_flight -= 1;
        if met != Met::Failure {
            (self.failures, self.failing_since) = (0, None);
        }
        match met {
            Met::Answer => {
                self.limited_since = None;
                self.answered += 1;
                self.window += 1.0;
                self.rate = self.rate.map(|rate| rate * FASTER);
                self.probe.take().map(|_| "it answers again")
            }
            Met::Limit(asked) => {
                self.limited_since.get_or_insert(now);
                self.probe = None;
                let until = now + asked.unwrap_or(UNSAID);
                self.held_until = Some(self.held_until.map_or(until, |held| held.max(until)));
                self.refused += 1;
                None
            }
            Met::Failure => {
                self.failures += 1;
                let since = *self.failing_since.get_or_insert(now);
                if self.failures < DOWN || self.probe.is_some() {
                    return None;
                }
                self.failing_since = Some(since);
                self.probe = Some((now + UNSAID, 2 * UNSAID));
                Some("it answers nobody; one question at a time tries whether it is back")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retry::Endless;

    /// A server that takes `rate` requests a second from a bucket of that size, and what it costs to ask it.
    async fn asked(rate: f64, at_a_time: usize, questions: u32, says_how_long: bool) -> (Duration, u32) {
        let pace = Pace::new();
        let began = Instant::now();
        let bucket = Mutex::new((rate, began));
        let refused = Mutex::new(0_u32);
        let one = async || loop {
            let ticket = pace.admit("it", &Endless).await.expect("nobody gives up");
            tokio::time::sleep(Duration::from_millis(20)).await;
            let taken = {
                let mut bucket = bucket.lock().unwrap();
                let now = Instant::now();
                bucket.0 = (bucket.0 + (now - bucket.1).as_secs_f64() * rate).min(rate);
                bucket.1 = now;
                let taken = bucket.0 >= 1.0;
                bucket.0 -= f64::from(u8::from(taken));
                taken
            };
            if taken {
                ticket.met(Met::Answer);
                return;
            }
            *refused.lock().unwrap() += 1;
            ticket.met(Met::Limit(says_how_long.then_some(Duration::from_secs(1))));
        };
        use futures_util::stream::{self, StreamExt};
        stream::iter(0..questions).map(|_| one()).buffer_unordered(at_a_time).collect::<Vec<_>>().await;
        let refused = *refused.lock().unwrap();
        (began.elapsed(), refused)
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_is_kept_to_with_little_waste() {
        for (at_a_time, says_how_long) in [(32, true), (128, true), (128, false)] {
            let (took, refused) = asked(10.0, at_a_time, 600, says_how_long).await;
            let ideal = (600.0 - 10.0) / 10.0;
            assert!(took.as_secs_f64() < 1.10 * ideal, "{at_a_time}: {took:?}");
            assert!(refused < 600 / 20, "{at_a_time}: {refused} of 600 for nothing");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_limit_nobody_waits() {
        let (took, refused) = asked(1e9, 64, 1000, true).await;
        assert_eq!(refused, 0);
        assert!(took < Duration::from_millis(20 * 18), "{took:?}: sixteen rounds, and two more to begin with");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_answers_nobody_is_given_up() {
        struct Told(Mutex<Vec<String>>);
        impl CallGate for Told {
            fn give_up(&self, message: &str) {
                self.0.lock().unwrap().push(message.to_owned());
            }
        }
        let (pace, gate) = (Pace::new(), Told(Mutex::default()));
        let began = Instant::now();
        let (mut attempts, mut notices) = (0, Vec::new());
        while let Some(ticket) = pace.admit("the server", &gate).await {
            attempts += 1;
            notices.extend(ticket.met(Met::Failure));
        }
        assert!(attempts < 30, "{attempts}");
        assert!(began.elapsed() < Duration::from_secs(140));
        assert_eq!(notices, ["it answers nobody; one question at a time tries whether it is back"]);
        assert!(gate.0.lock().unwrap()[0].starts_with("the server has not answered anything for 1"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_comes_back_is_asked_as_before() {
        let pace = Pace::new();
        for _ in 0..DOWN {
            pace.admit("it", &Endless).await.expect("a ticket").met(Met::Failure);
        }
        let began = Instant::now();
        let probe = pace.admit("it", &Endless).await.expect("a probe");
        assert_eq!(began.elapsed(), UNSAID);
        assert_eq!(probe.met(Met::Answer), Some("it answers again"));
        let tickets: Vec<_> = futures_util::future::join_all((0..20).map(|_| pace.admit("it", &Endless))).await;
        assert!(tickets.iter().all(Option::is_some) && began.elapsed() == UNSAID, "at once");
    }
}
