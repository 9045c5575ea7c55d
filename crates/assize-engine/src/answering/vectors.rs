//! Vectors for texts: from the store, from a model on this machine, or from a server.
//!
//! The same as for answers holds: what was embedded is on disk before it is handed on, what is on disk is not embedded
//! again, and of two cases that need the same text at the same moment one has it embedded and the other finds it.

use super::gate::RunGate;
use super::{Answering, CachePolicy, Unanswered};
use crate::event::Event;
use assize_core::{Failure, FailureKind, Fingerprint};
use assize_embed::Embedder;
use assize_llm::{Embedded, EmbeddingClient, Spent, embeddings};
use futures_util::future::join_all;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Who gives vectors.
#[derive(Clone)]
pub(crate) enum VectorSource {
    /// A model on this machine.
    Local(Arc<dyn Embedder>),
    /// A model behind a server.
    Remote(Arc<EmbeddingClient>),
}

/// Vectors by the fingerprint of their text.
type Known = HashMap<Fingerprint, Vec<f32>>;

impl VectorSource {
    /// Changes when the vectors would.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        match self {
            Self::Local(embedder) => Fingerprint::of(&embedder.fingerprint()),
            Self::Remote(client) => client.fingerprint(),
        }
    }

    /// The texts that are embedded in one go.
    fn batches(&self, texts: &[&str]) -> Vec<Range<usize>> {
        match self {
            Self::Local(_) if texts.is_empty() => Vec::new(),
            Self::Local(_) => std::iter::once(0..texts.len()).collect(),
            Self::Remote(_) => embeddings::batches(texts),
        }
    }
}

/// The name of a text in the store.
pub(crate) fn text_key(text: &str) -> Fingerprint {
    Fingerprint::of_bytes(text.as_bytes())
}

impl Answering {
    /// The vector of each text, in order. No text comes twice.
    pub(super) async fn vectors(&self, source: &VectorSource, texts: &[&str]) -> Result<Vec<Vec<f32>>, Unanswered> {
        let embedder = source.fingerprint();
        let keys: Vec<Fingerprint> = texts.iter().map(|text| text_key(text)).collect();
        let mut known = Known::new();
        let mut turns = Vec::new();
        if self.policy == CachePolicy::Use {
            self.look_up(&embedder, &keys, &mut known)?;
            // Everybody takes turns in the same order, so that no two wait for each other.
            let mut open: Vec<&Fingerprint> = keys.iter().filter(|key| !known.contains_key(*key)).collect();
            open.sort_unstable();
            for key in open {
                turns.push(self.in_flight.turn(key).await);
            }
            if !turns.is_empty() {
                self.look_up(&embedder, &keys, &mut known)?;
            }
            self.usage.found_texts(known.len());
        }
        let open: Vec<usize> = (0..texts.len()).filter(|index| !known.contains_key(&keys[*index])).collect();
        let wanted: Vec<&str> = open.iter().map(|index| texts[*index]).collect();
        let batches = source.batches(&wanted);
        let embedded = join_all(batches.iter().map(async |batch| {
            let keys: Vec<&Fingerprint> = open[batch.clone()].iter().map(|index| &keys[*index]).collect();
            self.embed(source, &embedder, &keys, &wanted[batch.clone()]).await
        }));
        for (batch, vectors) in batches.iter().zip(embedded.await) {
            known.extend(open[batch.clone()].iter().map(|index| keys[*index].clone()).zip(vectors?));
        }
        // Everything that was not known has been embedded.
        Ok(keys.iter().filter_map(|key| known.remove(key)).collect())
    }

    /// Adds what the store holds of those that are not known yet.
    fn look_up(&self, embedder: &Fingerprint, keys: &[Fingerprint], known: &mut Known) -> Result<(), Unanswered> {
        let open: Vec<&Fingerprint> = keys.iter().filter(|key| !known.contains_key(*key)).collect();
        known.extend(self.store.find_vectors(embedder, &open).map_err(Unanswered::Store)?);
        Ok(())
    }

    /// Has one batch embedded, and keeps it.
    async fn embed(
        &self,
        source: &VectorSource,
        embedder: &Fingerprint,
        keys: &[&Fingerprint],
        texts: &[&str],
    ) -> Result<Vec<Vec<f32>>, Unanswered> {
        let Embedded { outcome, spent } = match source {
            VectorSource::Local(local) => self.embed_here(local, texts).await?,
            VectorSource::Remote(client) => self.embed_there(client, texts).await?,
        };
        if let Ok(vectors) = &outcome
            && self.policy != CachePolicy::Ignore
        {
            let rows = keys.iter().copied().zip(vectors);
            self.store.keep_vectors(embedder, rows).await.map_err(Unanswered::Store)?;
        }
        self.usage.embedded(outcome.as_ref().map_or(0, Vec::len), &spent);
        outcome.map_err(|failure| self.failed(failure))
    }

    /// A model on this machine spreads its work over all cores, so it does one thing at a time.
    async fn embed_here(&self, local: &Arc<dyn Embedder>, texts: &[&str]) -> Result<Embedded, Unanswered> {
        let _turn = self.local_model.lock().await;
        if !self.control.go_ahead().await {
            return Err(Unanswered::NotAsked);
        }
        let (local, texts): (_, Vec<String>) = (local.clone(), texts.iter().map(|text| (*text).to_owned()).collect());
        // A forward pass takes milliseconds of all cores, which is long among tasks that wait for the network.
        let embedded = tokio::task::spawn_blocking(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            local.embed(&texts)
        });
        let outcome = match embedded.await {
            Ok(embedded) => embedded.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let failed = |error| Failure::new(FailureKind::EmbeddingFailed, format!("the embedder failed: {error}"));
        Ok(Embedded { outcome: outcome.map_err(failed), spent: Spent::default() })
    }

    async fn embed_there(&self, client: &EmbeddingClient, texts: &[&str]) -> Result<Embedded, Unanswered> {
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await.map_err(|_| Unanswered::NotAsked)?;
        if !self.control.go_ahead().await {
            return Err(Unanswered::NotAsked);
        }
        let gate = RunGate::new(self);
        let embedded = client.embed_through(texts, &gate).await;
        let (cost_usd, retries) = (embedded.spent.cost_usd, embedded.spent.retries);
        if gate.gave_up() && embedded.outcome.is_err() {
            return Err(Unanswered::NotAsked);
        }
        (self.listener)(&Event::Answered { cached: false, cost_usd, retries });
        Ok(embedded)
    }
}

#[cfg(test)]
mod tests;
