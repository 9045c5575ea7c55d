//! Is a short phrase addressed in a longer text? The share of its content words that occur there.
//!
//! Words are normalised, function words are left out, and endings are cut ("calculates",
//! "calculated" and "calculating" are one word). Order, negation and synonyms are not seen: the
//! share says that the words are there, not that the text says the same.

use std::collections::HashSet;

use super::{Normalisation, normalise, words};

/// The share of content words from which [`mentions`] says yes.
const ENOUGH: f64 = 0.6;

/// Words that carry grammar rather than content.
pub(crate) const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do", "does", "for", "from", "had",
    "has", "have", "how", "if", "in", "into", "is", "it", "its", "of", "on", "or", "should", "so", "such", "than",
    "that", "the", "their", "then", "there", "these", "they", "this", "those", "to", "was", "were", "what", "when",
    "which", "while", "who", "will", "with", "would",
];

/// The normalised content words of a text without their endings; all of its words where it has
/// none but function words.
pub fn content_words(text: &str) -> HashSet<String> {
    let text = normalise(text, &Normalisation::default());
    let all = words(&text);
    let content: HashSet<String> =
        all.iter().filter(|word| !FUNCTION_WORDS.contains(word)).map(|word| stem(word)).collect();
    if content.is_empty() { all.iter().map(|word| stem(word)).collect() } else { content }
}

/// The share of the component's content words found in the response, or `None` where the component
/// has no words.
pub fn mentioned_share(component: &str, response: &str) -> Option<f64> {
    let wanted = content_words(component);
    if wanted.is_empty() {
        return None;
    }
    let response = normalise(response, &Normalisation::default());
    let present: HashSet<String> = words(&response).iter().map(|word| stem(word)).collect();
    let found = wanted.iter().filter(|word| present.contains(*word)).count();
    Some(found as f64 / wanted.len() as f64)
}

/// Whether at least three fifths of the component's content words are in the response.
///
/// ```
/// use assize_metrics::text::mentions;
///
/// assert!(mentions("identify the variables", "First we identified each variable."));
/// assert!(!mentions("identify the variables", "The answer is 4."));
/// ```
pub fn mentions(component: &str, response: &str) -> bool {
    mentioned_share(component, response).is_some_and(|share| share >= ENOUGH)
}

/// Cuts the endings of English inflection; a word with digits stays as it is.
pub(crate) fn stem(word: &str) -> String {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    const ENDINGS: &[(&str, &str)] = &[
        ("ations", "at"),
        ("ation", "at"),
        ("ings", ""),
        ("ing", ""),
        ("ies", "y"),
        ("ied", "y"),
        ("sses", "ss"),
        ("ed", ""),
        ("es", ""),
        ("ly", ""),
        ("ss", "ss"),
        ("us", "us"),
        ("is", "is"),
        ("s", ""),
        ("e", ""),
    ];
    for (ending, replacement) in ENDINGS {
        if let Some(start) = word.strip_suffix(ending) {
            // What is left must still look like a word: "is" and "red" have no ending.
            let enough = if *ending == "s" || *ending == "e" { 2 } else { 3 };
            if start.len() < enough || !start.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
                continue;
            }
            return tidy(format!("{start}{replacement}"));
        }
    }
    tidy(word.to_owned())
}

/// "planning" leaves "plann": the doubled letter goes. "calculat" and "calculate" meet here too.
fn tidy(mut stem: String) -> String {
    let bytes = stem.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && bytes.len() > 3
        && !b"aeiou".contains(a)
    {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with(['e', 'y']) {
        stem.pop();
        if stem.ends_with('i') {
            stem.pop();
        }
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_meet() {
        for family in [
            ["calculate", "calculates", "calculated", "calculating"],
            ["plan", "plans", "planned", "planning"],
            ["verify", "verifies", "verified", "verifying"],
            ["class", "class", "classes", "classes"],
            ["compute", "computes", "computed", "computing"],
        ] {
            let stems: HashSet<String> = family.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{family:?} gives {stems:?}");
        }
        // Short words keep their endings: "is", "red" and "sing" have none.
        assert_eq!(["is", "red", "sing"].map(stem), ["is", "red", "sing"]);
        assert_ne!(stem("v1s"), stem("v1"));
    }

    #[test]
    fn shares() {
        let response = "We apply the Pythagorean theorem, then check the result.";
        assert_eq!(mentioned_share("Pythagorean theorem", response), Some(1.0));
        assert_eq!(mentioned_share("checking the results", response), Some(1.0));
        assert_eq!(mentioned_share("theorem of Thales", response), Some(0.5));
        assert_eq!(mentioned_share("…", response), None);
        assert!(!mentions("…", response));
        assert!(!mentions("theorem of Thales", response));
        // Only function words: they are then what is looked for.
        assert_eq!(mentioned_share("to be", "to be or not to be"), Some(1.0));
        assert_eq!(mentioned_share("12 apples", "13 apples"), Some(0.5));
    }
}
