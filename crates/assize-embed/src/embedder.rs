//! What an embedder is.

use std::fmt;

use crate::comparison::Unmeasured;
use crate::language::{Language, Languages};

/// Turns texts into vectors whose directions are close where the texts mean the same.
///
/// It works on the processor and returns when it is done. What calls a server for its vectors belongs with the other
/// callers of servers and is no `Embedder`; a [`SimilarityBatch`](crate::SimilarityBatch) serves both.
pub trait Embedder: Send + Sync {
    /// The name under which its figures are shown.
    fn name(&self) -> &str;

    /// A hash of everything its vectors depend on besides the text: equal fingerprints give equal vectors. It is
    /// the cache's key, where `name` would change with the folder and stay the same with another model in it.
    fn fingerprint(&self) -> &str;

    /// Whether it measures meaning by a model or goes by rules.
    fn method(&self) -> Method {
        Method::Model
    }

    /// The languages it knows.
    fn languages(&self) -> Languages;

    /// What must stand beside its figures for them not to mislead.
    fn caveat(&self) -> Option<&str> {
        None
    }

    /// One vector per text, in order. A text's vector does not depend on the texts beside it.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Whether a cosine of these two would say anything.
    fn comparable(&self, a: Passage<'_>, b: Passage<'_>) -> Result<(), Unmeasured> {
        let languages = self.languages();
        languages.understand(a)?;
        languages.understand(b)
    }
}

/// How an embedder comes to its vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A trained model.
    Model,
    /// Rules over the characters.
    Rules,
}

/// A text, with its language where that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage<'a> {
    /// The text.
    pub text: &'a str,
    /// The language it is in; without it, the language is told from the text as far as that is safe.
    pub language: Option<Language>,
}

impl<'a> Passage<'a> {
    /// A text whose language the caller knows.
    #[must_use]
    pub fn new(text: &'a str, language: Language) -> Self {
        Self { text, language: Some(language) }
    }
}

impl<'a> From<&'a str> for Passage<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, language: None }
    }
}

/// Why texts could not be embedded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmbedError {
    /// The vector of the text at this place came out with something that is no number: the model's weights are damaged.
    NotFinite {
        /// Which of the texts, from 0.
        text: usize,
    },
    /// The embedder gave another number of vectors than it was given texts.
    Count {
        /// How many texts there were.
        texts: usize,
        /// How many vectors came.
        vectors: usize,
    },
    /// The vectors are of different lengths, so they cannot all come from one model.
    Lengths {
        /// The length of the first.
        one: usize,
        /// The length of another.
        other: usize,
    },
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { text } => {
                write!(f, "the vector of text {text} is not finite: the model's weights are damaged")
            }
            Self::Count { texts, vectors } => write!(f, "{texts} texts gave {vectors} vectors"),
            Self::Lengths { one, other } => {
                write!(f, "vectors of {one} and of {other} numbers cannot be compared: no one model gives both")
            }
        }
    }
}

impl std::error::Error for EmbedError {}

#[cfg(feature = "models")]
/// Lets vectors pass that hold numbers only.
pub(crate) fn finite(vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, EmbedError> {
    match vectors.iter().position(|vector| vector.iter().any(|x| !x.is_finite())) {
        Some(text) => Err(EmbedError::NotFinite { text }),
        None => Ok(vectors),
    }
}
