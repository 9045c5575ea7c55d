//! Word and character error rates: the share of the reference that a transcript got wrong.
//!
//! The rate is (S + D + I) / (S + D + H), with the counts of one best alignment. It can exceed 1.
//! Where the reference is empty it is undefined, also when the hypothesis is not empty: there is
//! nothing the insertions could be a share of.

use serde::{Deserialize, Serialize};

use crate::alignment::{Alignment, EditCounts, TooLong, align};
use crate::text::{Normalisation, normalise, words};

/// An error rate with the counts it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ErrorRate {
    /// Hits, substitutions, insertions and deletions.
    pub counts: EditCounts,
    /// (S + D + I) / (S + D + H), or `None` where the reference is empty.
    pub rate: Option<f64>,
}

impl From<EditCounts> for ErrorRate {
    /// The rate of some counts; those of several pairs, added up, give the pooled rate.
    fn from(counts: EditCounts) -> Self {
        let length = counts.reference_length();
        Self { counts, rate: (length > 0).then(|| counts.distance() as f64 / length as f64) }
    }
}

/// Two texts compared word by word: what was compared, how it aligns, and the rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordComparison {
    /// The words of the normalised reference; the alignment's runs are ranges in it.
    pub reference: Vec<String>,
    /// The words of the normalised hypothesis.
    pub hypothesis: Vec<String>,
    /// Which words were kept, replaced, added and left out.
    pub alignment: Alignment,
    /// The word error rate.
    pub error_rate: ErrorRate,
}

/// Compares two texts word by word, keeping the alignment for display.
///
/// # Errors
///
/// [`TooLong`] where the texts are too long to be aligned.
pub fn compare_words(
    reference: &str,
    hypothesis: &str,
    normalisation: &Normalisation,
) -> Result<WordComparison, TooLong> {
    let reference = normalise(reference, normalisation);
    let hypothesis = normalise(hypothesis, normalisation);
    let (reference, hypothesis) = (words(&reference), words(&hypothesis));
    let alignment = align(&reference, &hypothesis)?;
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    Ok(WordComparison {
        error_rate: ErrorRate::from(alignment.counts),
        reference: owned(reference),
        hypothesis: owned(hypothesis),
        alignment,
    })
}

/// The word error rate of two texts.
///
/// # Errors
///
/// [`TooLong`] where the texts are too long to be aligned.
///
/// ```
/// use assize_metrics::error_rate::word_error_rate;
/// use assize_metrics::text::Normalisation;
///
/// let error = word_error_rate("The quick fox.", "the quack fox", &Normalisation::default())?;
/// assert_eq!(error.rate, Some(1.0 / 3.0));
/// # Ok::<(), assize_metrics::alignment::TooLong>(())
/// ```
pub fn word_error_rate(reference: &str, hypothesis: &str, normalisation: &Normalisation) -> Result<ErrorRate, TooLong> {
    let reference = normalise(reference, normalisation);
    let hypothesis = normalise(hypothesis, normalisation);
    let alignment = align(&words(&reference), &words(&hypothesis))?;
    Ok(ErrorRate::from(alignment.counts))
}

/// The character error rate of two texts: over the characters (code points) of the normalised
/// texts, spaces included.
///
/// # Errors
///
/// [`TooLong`] where the texts are too long to be aligned.
pub fn character_error_rate(
    reference: &str,
    hypothesis: &str,
    normalisation: &Normalisation,
) -> Result<ErrorRate, TooLong> {
    let reference: Vec<char> = normalise(reference, normalisation).chars().collect();
    let hypothesis: Vec<char> = normalise(hypothesis, normalisation).chars().collect();
    Ok(ErrorRate::from(align(&reference, &hypothesis)?.counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMAL: Normalisation = Normalisation {
        unicode_nfkc: true,
        fold_case: true,
        strip_punctuation: true,
        collapse_whitespace: true,
        drop_annotations: false,
    };

    #[test]
    fn an_empty_reference_has_no_rate() {
        let empty = word_error_rate("", "", &NORMAL).unwrap();
        assert_eq!((empty.rate, empty.counts), (None, EditCounts::default()));
        let inserted = word_error_rate(" ...", "two words", &NORMAL).unwrap();
        assert_eq!((inserted.rate, inserted.counts.insertions), (None, 2));
        assert_eq!(word_error_rate("two words", "", &NORMAL).unwrap().rate, Some(1.0));
        assert_eq!(character_error_rate("", "a", &NORMAL).unwrap().rate, None);
    }

    #[test]
    fn a_rate_can_exceed_one() {
        let error = word_error_rate("one", "a b c", &NORMAL).unwrap();
        assert_eq!(error.rate, Some(3.0));
    }

    #[test]
    fn spaces_are_characters() {
        let error = character_error_rate("a b", "ab", &NORMAL).unwrap();
        assert_eq!((error.counts.deletions, error.counts.hits), (1, 2));
    }

    #[test]
    fn japanese_is_counted_by_character() {
        let error = word_error_rate("今日は雨です。", "今日は晴れです", &NORMAL).unwrap();
        assert_eq!(error.counts.reference_length(), 6);
        assert_eq!(error.counts.distance(), 2);
    }

    #[test]
    fn the_runs_are_ranges_of_the_words() {
        let comparison = compare_words("Good day, Sir", "good Sir today", &NORMAL).unwrap();
        assert_eq!(comparison.reference, ["good", "day", "sir"]);
        assert_eq!(comparison.hypothesis, ["good", "sir", "today"]);
        assert_eq!(comparison.error_rate.counts, comparison.alignment.counts);
        let last = comparison.alignment.runs.last().unwrap();
        assert_eq!(last.hypothesis.end, 3);
    }

    #[test]
    fn pooled() {
        let a = word_error_rate("a b", "a c", &NORMAL).unwrap().counts;
        let b = word_error_rate("a b c d", "a b c d", &NORMAL).unwrap().counts;
        assert_eq!(ErrorRate::from(a + b).rate, Some(1.0 / 6.0));
    }
}
