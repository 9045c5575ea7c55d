//! Likeness in meaning: the cosines a judge asks for, from the suite's embedder.
//!
//! They reach the judge as an answer named `embeddings`, like everything else it did not work out itself. `lexical` needs no
//! model, and the judges that use likeness compute it themselves.

use assize_core::answer::Source;
use assize_core::document::{Problems, Span};
use assize_core::{Answer, Case, Failure, FailureKind, Fingerprint, Judge, Provenance};
use assize_embed::{Embedder, Passage, Similarity, similarities};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// The name of the answer that holds the cosines.
pub(crate) const EMBEDDINGS: &str = "embeddings";

/// An embedder, shared by all cases of a run.
#[derive(Clone)]
pub(crate) struct Meaning(Arc<dyn Embedder>);

impl Meaning {
    /// Opens the suite's embedder; nothing for `lexical`.
    pub(crate) fn open(written: &str, span: Span, folder: &Path, problems: &mut Problems) -> Option<Self> {
        if written == "lexical" {
            return None;
        }
        if written.starts_with("openai:") {
            let help = "use muse:DIR, local:DIR or lexical";
            problems.report_with_help(span, "embeddings over the network cannot be had in this version", help);
            return None;
        }
        match assize_embed::open(written, folder) {
            Ok(embedder) => Some(Self(embedder.into())),
            Err(error) => {
                problems.report_with_help(
                    span,
                    format!("the embedder cannot be opened: {error}"),
                    error.hint().unwrap_or_default(),
                );
                None
            }
        }
    }

    /// Changes when the vectors would.
    pub(crate) fn fingerprint(&self) -> &str {
        self.0.fingerprint()
    }

    /// The cosines of the pairs that the judge wants compared, as an answer; nothing where it wants none.
    pub(crate) async fn answer(&self, judge: &dyn Judge, case: &Case) -> Result<Option<Answer>, Failure> {
        let pairs = judge.pairs_to_embed(case);
        if pairs.is_empty() {
            return Ok(None);
        }
        let key = Fingerprint::of(&(self.fingerprint(), &pairs));
        let embedder = self.0.clone();
        // A model's forward pass takes milliseconds of a whole core, which is long among tasks that wait for the network.
        let measured = tokio::task::spawn_blocking(move || measure(&*embedder, &pairs)).await;
        let failed = |message: String| Failure::new(FailureKind::EmbeddingFailed, message);
        let cosines = measured.map_err(|error| failed(error.to_string()))?.map_err(failed)?;
        let value = json!({ "cosines": cosines });
        let raw = value.to_string();
        let provenance = Provenance { asked: self.0.name().to_owned(), cost_usd: Some(0.0), ..Provenance::default() };
        Ok(Some(Answer { id: Answer::id_of(&key, &raw), key, source: Source::Model, value, raw, provenance }))
    }
}

fn measure(embedder: &dyn Embedder, pairs: &[(String, String)]) -> Result<Vec<Option<f64>>, String> {
    let passages: Vec<_> =
        pairs.iter().map(|(one, other)| (Passage::from(one.as_str()), Passage::from(other.as_str()))).collect();
    let measured = similarities(embedder, &passages).map_err(|error| format!("the embedder failed: {error}"))?;
    let cosine = |similarity| match similarity {
        Similarity::Cosine(cosine) => Some(cosine),
        Similarity::Unmeasured(_) => None,
    };
    Ok(measured.into_iter().map(cosine).collect())
}
