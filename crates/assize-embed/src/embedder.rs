//! What an embedder is, and how two texts are compared with one.

use std::collections::HashMap;
use std::fmt;

use crate::language::{Language, Languages};
use crate::vector::cosine;

/// Turns texts into vectors whose directions are close where the texts mean the same.
///
/// It works on the processor and returns when it is done. An embedder that calls a server belongs with the other
/// callers of servers, as an asynchronous sibling of this trait; [`Languages::understand`] and [`cosine`] serve both.
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

/// How alike two texts are, or why that was not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Similarity {
    /// The cosine of their vectors.
    Cosine(f64),
    /// No figure: null in results, never a low value.
    Unmeasured(Unmeasured),
}

impl Similarity {
    /// The cosine, where there is one.
    #[must_use]
    pub fn cosine(self) -> Option<f64> {
        if let Self::Cosine(cosine) = self { Some(cosine) } else { None }
    }

    /// Why there is no cosine, where there is none.
    #[must_use]
    pub fn reason(self) -> Option<Unmeasured> {
        if let Self::Unmeasured(reason) = self { Some(reason) } else { None }
    }
}

/// Why there is no figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unmeasured {
    /// One of the texts is empty or blank.
    Empty,
    /// The model was not trained on this language.
    LanguageNotKnown(Language),
    /// The model was trained on no language of this script; which of its languages this is, the text is too short to
    /// tell, but it is likely this one.
    ScriptOfLanguagesNotKnown {
        /// The script's most widely spoken language.
        likely: Language,
        /// The script's name.
        script: &'static str,
    },
    /// The model was trained on no language that is written like this.
    ScriptNotKnown,
    /// The texts are in different scripts, and the embedder compares characters.
    ScriptsDiffer(&'static str, &'static str),
    /// The texts' vectors have no angle (one has no direction).
    NoDirection,
}

impl fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("one of the texts is empty"),
            Self::LanguageNotKnown(language) => write!(f, "the model does not know {}", language.name()),
            Self::ScriptOfLanguagesNotKnown { likely, script } => {
                write!(f, "the model does not know {} or another language in {script} script", likely.name())
            }
            Self::ScriptNotKnown => f.write_str("the model knows no language in this script"),
            Self::ScriptsDiffer(a, b) => write!(f, "one text is in {a} script and the other in {b}"),
            Self::NoDirection => f.write_str("one of the texts has nothing to compare"),
        }
    }
}

/// Compares each pair. Every text that needs a vector is embedded once, all of them in one batch.
pub fn similarities(
    embedder: &dyn Embedder,
    pairs: &[(Passage<'_>, Passage<'_>)],
) -> Result<Vec<Similarity>, EmbedError> {
    let mut texts = Vec::new();
    let mut places = HashMap::new();
    let mut place = |text| {
        *places.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() - 1
        })
    };
    let planned: Vec<Result<(usize, usize), Unmeasured>> = pairs
        .iter()
        .map(|(a, b)| {
            if a.text.trim().is_empty() || b.text.trim().is_empty() {
                return Err(Unmeasured::Empty);
            }
            embedder.comparable(*a, *b)?;
            Ok((place(a.text), place(b.text)))
        })
        .collect();
    let vectors = if texts.is_empty() { Vec::new() } else { embedder.embed(&texts)? };
    if vectors.len() != texts.len() {
        return Err(EmbedError::Count { texts: texts.len(), vectors: vectors.len() });
    }
    let compare = |(a, b): (usize, usize)| cosine(&vectors[a], &vectors[b]).ok_or(Unmeasured::NoDirection);
    Ok(planned
        .into_iter()
        .map(|pair| pair.and_then(compare).map_or_else(Similarity::Unmeasured, Similarity::Cosine))
        .collect())
}

/// Compares two texts. For many pairs [`similarities`] is faster.
///
/// ```
/// use std::path::Path;
/// use assize_embed::{Unmeasured, open, similarity};
///
/// let lexical = open("lexical", Path::new(".")).unwrap();
/// let alike = similarity(&*lexical, "the payment failed", "the payments failed").unwrap();
/// assert!(alike.cosine().unwrap() > 0.7);
/// let apart = similarity(&*lexical, "the payment failed", "भुगतान विफल रहा").unwrap();
/// assert_eq!(apart.reason(), Some(Unmeasured::ScriptsDiffer("Latin", "Devanagari")));
/// ```
pub fn similarity<'a>(
    embedder: &dyn Embedder,
    a: impl Into<Passage<'a>>,
    b: impl Into<Passage<'a>>,
) -> Result<Similarity, EmbedError> {
    let all = similarities(embedder, &[(a.into(), b.into())])?;
    Ok(all.first().copied().unwrap_or(Similarity::Unmeasured(Unmeasured::NoDirection)))
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
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { text } => {
                write!(f, "the vector of text {text} is not finite: the model's weights are damaged")
            }
            Self::Count { texts, vectors } => write!(f, "{texts} texts gave {vectors} vectors"),
        }
    }
}

impl std::error::Error for EmbedError {}

/// Lets vectors pass that hold numbers only.
pub(crate) fn finite(vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, EmbedError> {
    match vectors.iter().position(|vector| vector.iter().any(|x| !x.is_finite())) {
        Some(text) => Err(EmbedError::NotFinite { text }),
        None => Ok(vectors),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Knows English; gives the number of letters as the direction, and nothing for "void".
    #[derive(Default)]
    struct Counting(Mutex<Vec<String>>);

    impl Embedder for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn fingerprint(&self) -> &str {
            "counting"
        }

        fn languages(&self) -> Languages {
            Languages::Some(vec![Language::from_code("en").unwrap()])
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            self.0.lock().unwrap().extend(texts.iter().map(|&text| text.to_owned()));
            Ok(texts
                .iter()
                .map(|text| if *text == "void" { vec![0.0; 2] } else { vec![1.0, text.len() as f32] })
                .collect())
        }
    }

    #[test]
    fn each_text_is_embedded_once_and_only_where_needed() {
        let embedder = Counting::default();
        let pairs = [
            ("one", "two"),
            ("two", "one"),
            ("one", ""),
            ("one", "मेरा भुगतान विफल हो गया है और मुझे समझ नहीं आ रहा कि ऐसा क्यों हुआ"),
            ("void", "two"),
        ];
        let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        let found = similarities(&embedder, &pairs).unwrap();
        assert_eq!(*embedder.0.lock().unwrap(), ["one", "two", "void"]);
        assert!((found[0].cosine().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[2].reason(), Some(Unmeasured::Empty));
        assert_eq!(found[3].reason().unwrap().to_string(), "the model does not know Hindi");
        assert_eq!(found[4].reason(), Some(Unmeasured::NoDirection));
        assert!(similarities(&embedder, &[]).unwrap().is_empty());
    }

    #[test]
    fn a_language_that_was_stated_counts() {
        let embedder = Counting::default();
        let hindi = Language::from_code("hi").unwrap();
        let romanised = Passage::new("mera payment nahi hua", hindi);
        assert_eq!(
            similarity(&embedder, romanised, "my payment failed").unwrap().reason(),
            Some(Unmeasured::LanguageNotKnown(hindi))
        );
        let english = Language::from_code("en").unwrap();
        assert!(similarity(&embedder, Passage::new("naïve Größe", english), "size").unwrap().cosine().is_some());
    }
}
