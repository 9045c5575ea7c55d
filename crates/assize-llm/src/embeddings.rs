//! A model behind a server that turns texts into vectors.
//!
//! [`EmbeddingClient::embed`] makes one request, with the same retries, waits and failures as a question. Texts that
//! are too many for one request are cut into several by [`batches`]; how many of those run at once, the store and the
//! budget are the engine's.

use crate::client::{CallEstimate, ClientSettings, Spent};
use crate::exchange::{ApiCall, exchange};
use crate::pace::Pace;
use crate::retry::{CallGate, Endless};
use crate::tokens;
use crate::wire::WireError;
use crate::wire::embeddings::{self, Vectors};
use assize_core::{Failure, FailureKind, Fingerprint, Usage};
use serde_json::json;
use std::ops::Range;

/// As many texts go in one request. Providers take up to 2,048, and servers of one's own as few as 32.
const MOST_TEXTS: usize = 32;

/// As many characters go in one request, unless one text alone has more. In every script this is below the 300,000
/// tokens that providers take.
const MOST_CHARACTERS: usize = 100_000;

/// What came of a request for vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// One vector per text, in order and all of one length; or why there are none.
    pub outcome: Result<Vec<Vec<f32>>, Failure>,
    /// What it took.
    pub spent: Spent,
}

/// One embedding model.
#[derive(Debug)]
pub struct EmbeddingClient {
    settings: ClientSettings,
    http: reqwest::Client,
    pace: Pace,
}

impl EmbeddingClient {
    /// A client for a model, over an HTTP client from [`Transport`](crate::Transport).
    pub fn new(settings: ClientSettings, http: reqwest::Client) -> Self {
        Self { settings, http, pace: Pace::new() }
    }

    /// Whom it asks, and how.
    pub fn settings(&self) -> &ClientSettings {
        &self.settings
    }

    /// Names the model whose vectors these are: provider and model, nothing else.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&json!({"embeddings": {"provider": self.settings.provider, "model": self.settings.model}}))
    }

    /// What embedding these texts will take, about.
    pub fn estimate(&self, texts: &[&str]) -> CallEstimate {
        let input_tokens = texts.iter().map(|text| tokens::estimate(text)).sum();
        let usage = Usage { input_tokens, ..Usage::default() };
        CallEstimate { input_tokens, output_tokens: 0, cost_usd: self.settings.price(usage, None) }
    }

    /// Asks for the vectors of texts in one request.
    pub async fn embed(&self, texts: &[&str]) -> Embedded {
        self.embed_through(texts, &Endless).await
    }

    /// Asks for the vectors of texts, doing no more than a gate lets through.
    pub async fn embed_through(&self, texts: &[&str], gate: &dyn CallGate) -> Embedded {
        let mut spent = Spent::default();
        let outcome = self.vectors(texts, gate, &mut spent).await;
        Embedded { outcome, spent }
    }

    async fn vectors(&self, texts: &[&str], gate: &dyn CallGate, spent: &mut Spent) -> Result<Vec<Vec<f32>>, Failure> {
        let mut call = Embedding { settings: &self.settings, texts };
        let highest = self.estimate(texts).cost_usd.map(|cost| 1.2 * cost);
        let through = (&self.settings, &self.http, &self.pace);
        let vectors = exchange(through, &mut call, highest, gate, &mut spent.retries).await?;
        gate.settle(spent.add_call(&self.settings, vectors.usage, vectors.model.as_deref()));
        vectors.place(texts.len()).map_err(|wrong| {
            let message = format!("{}: {wrong}", self.settings.asked());
            Failure::new(FailureKind::EmbeddingFailed, message)
        })
    }
}

/// Texts on their way.
struct Embedding<'a> {
    settings: &'a ClientSettings,
    texts: &'a [&'a str],
}

impl ApiCall for Embedding<'_> {
    type Reply = Vectors;

    fn address(&self) -> String {
        format!("{}/embeddings", self.settings.base_url.trim_end_matches('/'))
    }

    fn body(&mut self) -> String {
        embeddings::encode(&self.settings.model, self.texts).to_string()
    }

    fn decode(&self, status: u16, body: &[u8]) -> Result<Vectors, WireError> {
        embeddings::decode(status, body)
    }
}

/// Cuts texts into runs that go in one request each.
pub fn batches(texts: &[&str]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut held) = (0, 0);
    for (index, text) in texts.iter().enumerate() {
        let size = text.chars().count();
        if index > start && (index - start == MOST_TEXTS || held + size > MOST_CHARACTERS) {
            batches.push(start..index);
            (start, held) = (index, 0);
        }
        held += size;
    }
    if start < texts.len() {
        batches.push(start..texts.len());
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_to_texts_and_characters() {
        assert!(batches(&[]).is_empty());
        assert_eq!(batches(&["a"; 32]).len(), 1);
        assert_eq!(batches(&["a"; 70]), [0..32, 32..64, 64..70]);
        // Characters count, not bytes: 40,000 of these are 120,000 bytes.
        let long = "क".repeat(40_000);
        assert_eq!(batches(&[long.as_str(); 5]), [0..2, 2..4, 4..5]);
        let longer = "a".repeat(MOST_CHARACTERS + 1);
        assert_eq!(batches(&["a", &longer, "a", "b"]), [0..1, 1..2, 2..4]);
    }
}
