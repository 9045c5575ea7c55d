//! How alike two texts are in meaning: from an embedder where one was asked, by letters otherwise.
//!
//! A judge performs no call, so it says which pairs it would like compared ([`Judge::pairs_to_embed`]) and finds the cosines
//! among the answers under the name [`EMBEDDINGS`], as `{"cosines": [0.93, null, …]}` in the order of the pairs; null is a pair
//! the embedder does not know the language of. Where no such answer is there, the cosine of character trigrams stands in,
//! marked `rules`; between different scripts it is undefined.
//!
//! [`Judge::pairs_to_embed`]: assize_core::Judge::pairs_to_embed

use assize_core::{Answers, Method};
use assize_metrics::similarity::trigram_cosine;
use serde_json::Value;
use std::collections::HashMap;

/// The name under which the answers hold the cosines.
pub const EMBEDDINGS: &str = "embeddings";

/// A source of cosines.
pub(super) struct Likeness {
    cosines: Option<HashMap<(String, String), Option<f64>>>,
}

impl Likeness {
    /// The cosines among the answers, for the pairs that were put.
    pub(super) fn of(pairs: impl FnOnce() -> Vec<(String, String)>, answers: &Answers) -> Self {
        let given = answers.get(EMBEDDINGS).and_then(|answer| answer.value.get("cosines")).and_then(Value::as_array);
        let cosines = given.map(|cosines| {
            let values = cosines.iter().map(|cosine| cosine.as_f64().filter(|cosine| cosine.is_finite()));
            pairs().into_iter().zip(values).collect()
        });
        Self { cosines }
    }

    /// The cosine of two texts, no less than 0.
    pub(super) fn between(&self, one: &str, other: &str) -> Option<f64> {
        match &self.cosines {
            Some(cosines) => {
                cosines.get(&(one.to_owned(), other.to_owned())).copied().flatten().map(|cosine| cosine.clamp(0.0, 1.0))
            }
            None => trigram_cosine(one, other),
        }
    }

    /// Where its figures come from.
    pub(super) fn method(&self) -> Method {
        if self.cosines.is_some() { Method::Embedding } else { Method::Rules }
    }
}
