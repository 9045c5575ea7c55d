//! Who is signed in. Whoever opens the link that the server printed is, once; a session ends when nobody uses it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A session that nobody has used for so long has ended.
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);

/// So many sessions there are at most; the one unused longest gives way.
const MOST: usize = 64;

/// The sessions of a server, and the code that begins the next one.
pub(super) struct Sessions {
    state: Mutex<State>,
}

struct State {
    code: String,
    /// Each by its id, with when it was last used.
    live: Vec<(String, Instant)>,
}

impl Sessions {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { state: Mutex::new(State { code: random(), live: Vec::new() }) }
    }

    /// The code that begins the next session.
    pub(super) fn code(&self) -> String {
        self.state().code.clone()
    }

    /// Begins a session with a code, which is good for one.
    pub(super) fn begin_with(&self, code: &str) -> Option<String> {
        let mut state = self.state();
        if !same(code, &state.code) {
            return None;
        }
        state.code = random();
        Some(state.begin())
    }

    /// Begins a session for somebody who is known already.
    pub(super) fn begin(&self) -> String {
        self.state().begin()
    }

    /// Whether a session is alive; it lives on from now.
    pub(super) fn touch(&self, id: &str) -> bool {
        let mut state = self.state();
        let now = Instant::now();
        state.live.retain(|(_, used)| now.duration_since(*used) < IDLE);
        let found = state.live.iter_mut().find(|(known, _)| same(id, known));
        found.map(|(_, used)| *used = now).is_some()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn begin(&mut self) -> String {
        if self.live.len() >= MOST {
            let oldest = self.live.iter().enumerate().min_by_key(|(_, (_, used))| *used).map(|(at, _)| at);
            oldest.map(|at| self.live.swap_remove(at));
        }
        let id = random();
        self.live.push((id.clone(), Instant::now()));
        id
    }
}

/// Compares without telling by its speed how much was right.
pub(super) fn same(given: &str, wanted: &str) -> bool {
    blake3::hash(given.as_bytes()) == blake3::hash(wanted.as_bytes())
}

fn random() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("a system without randomness keeps no secret, so there is nothing to serve");
    blake3::hash(&bytes).to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_once_and_sessions_are_kept_apart() {
        let sessions = Sessions::new();
        let code = sessions.code();
        assert_eq!(sessions.begin_with("another"), None);
        let one = sessions.begin_with(&code).expect("the code");
        assert_eq!(sessions.begin_with(&code), None, "it was used");
        let other = sessions.begin_with(&sessions.code()).expect("the next one");
        assert!(one != other && sessions.touch(&one) && sessions.touch(&other) && !sessions.touch("guess"));
    }

    #[test]
    fn the_session_unused_longest_gives_way() {
        let sessions = Sessions::new();
        let all: Vec<String> = (0..MOST).map(|_| sessions.begin()).collect();
        assert!(sessions.touch(&all[0]));
        let newest = sessions.begin();
        assert!(sessions.touch(&all[0]) && sessions.touch(&newest) && !sessions.touch(&all[1]));
    }
}
