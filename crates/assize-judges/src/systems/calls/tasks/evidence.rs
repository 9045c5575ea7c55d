//! Evidence that a reason cites: quotations and moments, looked up in the transcript.

use super::super::transcript::{Transcript, moments};
use assize_metrics::text::{quotations, words};
use serde_json::{Value, json};

/// A quotation of fewer words is a word in quotation marks, not evidence.
const SHORTEST_QUOTE: usize = 2;

/// What a reason cites and whether it is there.
#[derive(Debug, Default)]
pub(in super::super) struct Citations {
    quotes: Vec<(String, bool)>,
    moments: Vec<(f64, Option<bool>)>,
}

/// What follows from the look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum LookUp {
    /// Everything cited that can be looked up is there, and something is.
    Found,
    /// Something cited is not there.
    NotFound,
    /// Nothing is cited, or nothing that can be looked up.
    Nothing,
}

impl Citations {
    pub(in super::super) fn of(reason: &str, transcript: &Transcript) -> Self {
        let quotes = quotations(reason)
            .into_iter()
            .map(|range| &reason[range])
            .filter(|quote| words(quote).len() >= SHORTEST_QUOTE)
            .map(|quote| (quote.to_owned(), transcript.words().quoted(quote).is_some()))
            .collect();
        let moments = moments(reason).into_iter().map(|at| (at, transcript.has_moment(at))).collect();
        Self { quotes, moments }
    }

    /// Whether the reason points at anything.
    pub(in super::super) fn cites(&self) -> bool {
        !self.quotes.is_empty() || !self.moments.is_empty()
    }

    pub(in super::super) fn look_up(&self) -> LookUp {
        let known =
            self.quotes.iter().map(|(_, there)| *there).chain(self.moments.iter().filter_map(|(_, there)| *there));
        let known: Vec<bool> = known.collect();
        match () {
            () if known.is_empty() => LookUp::Nothing,
            () if known.iter().all(|there| *there) => LookUp::Found,
            () => LookUp::NotFound,
        }
    }

    pub(in super::super) fn to_value(&self) -> Value {
        let quotes: Vec<Value> =
            self.quotes.iter().map(|(quote, there)| json!({"quote": quote, "found": there})).collect();
        let moments: Vec<Value> =
            self.moments.iter().map(|(at, there)| json!({"seconds": at, "found": there})).collect();
        json!({"quotes": quotes, "moments": moments})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_up(reason: &str) -> LookUp {
        let transcript = Transcript::read(Some(&json!([
            {"speaker": "agent", "text": "Good morning, how can I help?", "start": 12.0, "end": 15.0},
            {"speaker": "customer", "text": "I don't have my bill.", "start": 16.0},
        ])));
        Citations::of(reason, &transcript).look_up()
    }

    #[test]
    fn quotations_and_moments_are_looked_up() {
        assert_eq!(
            look_up("Agent greeted the customer at 00:12 by saying 'Good morning, how can I help?'"),
            LookUp::Found
        );
        assert_eq!(look_up("“good morning how may I help” was said"), LookUp::Found);
        assert_eq!(look_up("The agent read 'this call may be recorded' at 00:12"), LookUp::NotFound);
        assert_eq!(look_up("At 07:40 the agent hung up"), LookUp::NotFound);
        assert_eq!(look_up("Agent was polite"), LookUp::Nothing);
    }
}
