//! How two texts are compared: which vectors that takes, and the cosine or the reason why there is none.

use std::collections::HashMap;
use std::fmt;

use crate::embedder::{EmbedError, Embedder, Passage};
use crate::language::Language;
use crate::vector::cosine;

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

/// Pairs of texts to compare, and the texts whose vectors that takes.
///
/// It stands between the pairs and whoever gives the vectors, be it an [`Embedder`], a server or a store of vectors
/// that were had before.
#[derive(Debug, Clone)]
pub struct SimilarityBatch<'a> {
    texts: Vec<&'a str>,
    pairs: Vec<Result<(usize, usize), Unmeasured>>,
}

impl<'a> SimilarityBatch<'a> {
    /// What comparing these pairs takes. `comparable` says whether a cosine of two passages would say anything, as
    /// [`Embedder::comparable`] does.
    pub fn of(
        pairs: &[(Passage<'a>, Passage<'a>)],
        comparable: impl Fn(Passage<'_>, Passage<'_>) -> Result<(), Unmeasured>,
    ) -> Self {
        let mut texts = Vec::new();
        let mut places = HashMap::new();
        let mut place = |text| {
            *places.entry(text).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            })
        };
        let pairs = pairs
            .iter()
            .map(|(a, b)| {
                if a.text.trim().is_empty() || b.text.trim().is_empty() {
                    return Err(Unmeasured::Empty);
                }
                comparable(*a, *b)?;
                Ok((place(a.text), place(b.text)))
            })
            .collect();
        Self { texts, pairs }
    }

    /// The texts that need a vector, each once and none of them blank.
    #[must_use]
    pub fn texts(&self) -> &[&'a str] {
        &self.texts
    }

    /// The likeness of each pair, from the vectors of [`texts`](Self::texts) in their order.
    pub fn measure(&self, vectors: &[Vec<f32>]) -> Result<Vec<Similarity>, EmbedError> {
        if vectors.len() != self.texts.len() {
            return Err(EmbedError::Count { texts: self.texts.len(), vectors: vectors.len() });
        }
        if let [first, rest @ ..] = vectors
            && let Some(other) = rest.iter().find(|vector| vector.len() != first.len())
        {
            return Err(EmbedError::Lengths { one: first.len(), other: other.len() });
        }
        let compare = |(a, b): (usize, usize)| cosine(&vectors[a], &vectors[b]).ok_or(Unmeasured::NoDirection);
        let measured = self.pairs.iter().map(|pair| pair.and_then(compare));
        Ok(measured.map(|pair| pair.map_or_else(Similarity::Unmeasured, Similarity::Cosine)).collect())
    }
}

/// Compares each pair. Every text that needs a vector is embedded once, all of them in one batch.
pub fn similarities(
    embedder: &dyn Embedder,
    pairs: &[(Passage<'_>, Passage<'_>)],
) -> Result<Vec<Similarity>, EmbedError> {
    let comparison = SimilarityBatch::of(pairs, |a, b| embedder.comparable(a, b));
    let texts = comparison.texts();
    let vectors = if texts.is_empty() { Vec::new() } else { embedder.embed(texts)? };
    comparison.measure(&vectors)
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::language::Languages;

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

    #[test]
    fn vectors_that_cannot_be_of_one_model_are_an_error() {
        let pairs = [("one".into(), "two".into()), ("three".into(), "".into())];
        let comparison = SimilarityBatch::of(&pairs, |_, _| Ok(()));
        assert_eq!(comparison.texts(), ["one", "two"]);
        let lengths = comparison.measure(&[vec![1.0, 0.0], vec![1.0]]);
        assert_eq!(lengths, Err(EmbedError::Lengths { one: 2, other: 1 }));
        assert_eq!(comparison.measure(&[vec![1.0]]), Err(EmbedError::Count { texts: 2, vectors: 1 }));
        let found = comparison.measure(&[vec![3.0, 4.0], vec![4.0, 3.0]]).unwrap();
        assert!((found[0].cosine().unwrap() - 0.96).abs() < 1e-12);
        assert_eq!(found[1].reason(), Some(Unmeasured::Empty));
    }
}
