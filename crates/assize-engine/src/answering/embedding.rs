//! Likeness in embedder: the cosines a judge asks for, from the suite's embedder.
//!
//! They reach the judge as an answer named `embeddings`, like everything else it did not work out itself. `lexical` needs no
//! model, and the judges that use likeness compute it themselves.

use super::vectors::VectorSource;
use super::{Answering, Unanswered};
use assize_core::answer::Source;
use assize_core::{Answer, Failure, FailureKind, Fingerprint, OpenCase, Provenance};
use assize_embed::{Embedder, Languages, Passage, Similarity, SimilarityBatch, Unmeasured};
use assize_llm::{CallEstimate, ClientSettings, EmbeddingClient};
use serde_json::{Value, json};
use std::sync::Arc;

/// The name of the answer that holds the cosines.
pub(crate) const EMBEDDINGS: &str = "embeddings";

/// An embedder, shared by all cases of a run.
#[derive(Clone)]
pub(crate) struct RunEmbedder(VectorSource);

impl From<Box<dyn Embedder>> for RunEmbedder {
    fn from(embedder: Box<dyn Embedder>) -> Self {
        Self(VectorSource::Local(embedder.into()))
    }
}

impl From<EmbeddingClient> for RunEmbedder {
    fn from(client: EmbeddingClient) -> Self {
        Self(VectorSource::Remote(Arc::new(client)))
    }
}

impl RunEmbedder {
    /// Changes when the vectors would.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }

    /// The name under which its figures are shown.
    fn name(&self) -> String {
        match &self.0 {
            VectorSource::Local(embedder) => embedder.name().to_owned(),
            VectorSource::Remote(client) => client.settings().asked(),
        }
    }

    /// What must stand beside its figures for them not to mislead.
    fn caveat(&self) -> Option<&str> {
        match &self.0 {
            VectorSource::Local(embedder) => embedder.caveat(),
            VectorSource::Remote(_) => Some("the server does not say which languages the model knows"),
        }
    }

    /// Whether a cosine of these two would say anything.
    fn comparable(&self, one: Passage<'_>, other: Passage<'_>) -> Result<(), Unmeasured> {
        match &self.0 {
            VectorSource::Local(embedder) => embedder.comparable(one, other),
            VectorSource::Remote(_) => {
                let languages = Languages::Unknown;
                languages.understand(one).and_then(|()| languages.understand(other))
            }
        }
    }

    fn compare<'p>(&self, pairs: &'p [(String, String)]) -> SimilarityBatch<'p> {
        let passages: Vec<_> =
            pairs.iter().map(|(one, other)| (Passage::from(one.as_str()), Passage::from(other.as_str()))).collect();
        SimilarityBatch::of(&passages, |one, other| self.comparable(one, other))
    }

    /// The texts whose vectors a case takes.
    pub(crate) fn texts(&self, open: &dyn OpenCase) -> Vec<String> {
        let pairs = open.pairs_to_embed();
        self.compare(&pairs).texts().iter().map(|text| (*text).to_owned()).collect()
    }

    /// Whom it asks; nobody for a model on this machine.
    pub(crate) fn settings(&self) -> Option<&ClientSettings> {
        match &self.0 {
            VectorSource::Local(_) => None,
            VectorSource::Remote(client) => Some(client.settings()),
        }
    }

    /// What embedding these texts will take, about; nothing for a model on this machine.
    pub(crate) fn estimate(&self, texts: &[&str]) -> CallEstimate {
        match &self.0 {
            VectorSource::Local(_) => CallEstimate { input_tokens: 0, output_tokens: 0, cost_usd: Some(0.0) },
            VectorSource::Remote(client) => client.estimate(texts),
        }
    }

    /// The cosines of the pairs that the judge wants compared, as an answer; nothing where it wants none.
    pub(crate) async fn answer(
        &self,
        answering: &Answering,
        open: &dyn OpenCase,
    ) -> Result<Option<Answer>, Unanswered> {
        let pairs = open.pairs_to_embed();
        if pairs.is_empty() {
            return Ok(None);
        }
        let comparison = self.compare(&pairs);
        let vectors = answering.vectors(&self.0, comparison.texts()).await?;
        let measured = comparison.measure(&vectors).map_err(|error| {
            // Of one reply all vectors have one length, so some of these are from another time.
            let message = format!("{}: {error}; --refresh embeds everything anew", self.name());
            Unanswered::Failed(Failure::new(FailureKind::EmbeddingFailed, message))
        })?;
        let value = self.to_value(&measured);
        let key = Fingerprint::of(&(self.fingerprint(), &pairs));
        let raw = value.to_string();
        let provenance = Provenance { asked: self.name(), ..Provenance::default() };
        Ok(Some(Answer { id: Answer::id_of(&key, &raw), key, source: Source::Model, value, raw, provenance }))
    }

    fn to_value(&self, measured: &[Similarity]) -> Value {
        let cosines: Vec<Option<f64>> = measured.iter().map(|similarity| similarity.cosine()).collect();
        let reasons: Vec<Option<String>> =
            measured.iter().map(|similarity| similarity.reason().map(|reason| reason.to_string())).collect();
        json!({"embedder": self.name(), "caveat": self.caveat(), "cosines": cosines, "reasons": reasons})
    }
}
