//! Is a short phrase addressed in a longer text? The share of its content words that occur there.
//!
//! Words are normalised, function words are left out, and endings are cut ("calculates",
//! "calculated" and "calculating" are one word). Order, negation and synonyms are not seen: the
//! share says that the words are there, not that the text says the same.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Normalisation, normalise, words};

/// The share of content words from which [`mentions`] says yes.
const ENOUGH: f64 = 0.6;

/// Words that carry grammar rather than content, in order.
const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do", "does", "for", "from", "had",
    "has", "have", "how", "if", "in", "into", "is", "it", "its", "of", "on", "or", "should", "so", "such", "than",
    "that", "the", "their", "then", "there", "these", "they", "this", "those", "to", "was", "were", "what", "when",
    "which", "while", "who", "will", "with", "would",
];

/// Whether a word carries grammar rather than content.
pub(crate) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

/// The normalised content words of a text without their endings; all of its words where it has
/// none but function words.
pub fn content_words(text: &str) -> HashSet<String> {
    let text = normalise(text, &Normalisation::default());
    let all = words(&text);
    let stems = |wanted: fn(&str) -> bool| -> HashSet<String> {
        all.iter().filter(|word| wanted(word)).map(|word| stem(word).into_owned()).collect()
    };
    let content = stems(|word| !is_function_word(word));
    if content.is_empty() { stems(|_| true) } else { content }
}

/// The share of the component's content words found in the response, or `None` where the component
/// has no words.
pub fn mentioned_share(component: &str, response: &str) -> Option<f64> {
    let wanted = content_words(component);
    if wanted.is_empty() {
        return None;
    }
    let response = normalise(response, &Normalisation::default());
    let present: HashSet<Cow<'_, str>> = words(&response).into_iter().map(stem).collect();
    let found = wanted.iter().filter(|word| present.contains(word.as_str())).count();
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

/// Endings and what stands in their place; the first that fits is cut.
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

/// Cuts the endings of English inflection; a word with digits stays as it is.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    for (ending, replacement) in ENDINGS {
        if let Some(start) = word.strip_suffix(ending) {
            // What is left must still look like a word: "is" and "red" have no ending.
            let enough = if *ending == "s" || *ending == "e" { 2 } else { 3 };
            if start.len() < enough || !start.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
                continue;
            }
            return match *replacement {
                _ if ending == replacement => Cow::Borrowed(tidy(word)),
                "" => Cow::Borrowed(tidy(start)),
                _ => Cow::Owned(tidy(&format!("{start}{replacement}")).to_owned()),
            };
        }
    }
    Cow::Borrowed(tidy(word))
}

/// "planning" leaves "plann": the doubled letter goes. "calculat" and "calculate" meet here too.
fn tidy(mut stem: &str) -> &str {
    if let [.., a, b] = stem.as_bytes()
        && a == b
        && stem.len() > 3
        && !b"aeiou".contains(a)
    {
        stem = &stem[..stem.len() - 1];
    }
    if stem.len() > 3 {
        stem = match stem.strip_suffix(['e', 'y']) {
            Some(rest) => rest.strip_suffix('i').unwrap_or(rest),
            None => stem,
        };
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn inflections_meet() {
        for family in [
            ["calculate", "calculates", "calculated", "calculating"],
            ["plan", "plans", "planned", "planning"],
            ["verify", "verifies", "verified", "verifying"],
            ["class", "class", "classes", "classes"],
            ["compute", "computes", "computed", "computing"],
        ] {
            let stems: HashSet<Cow<'_, str>> = family.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{family:?} gives {stems:?}");
        }
        // Short words keep their endings: "is", "red" and "sing" have none.
        assert_eq!(["is", "red", "sing"].map(stem), ["is", "red", "sing"]);
        assert_ne!(stem("v1s"), stem("v1"));
    }

    /// The same by writing every step out.
    fn stem_written_out(word: &str) -> String {
        let vowel = |start: &&str| start.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        let cut = ENDINGS.iter().find_map(|(ending, replacement)| {
            let enough = if ["s", "e"].contains(ending) { 2 } else { 3 };
            let start = word.strip_suffix(ending).filter(|start| start.len() >= enough).filter(vowel)?;
            Some(start.to_owned() + replacement)
        });
        let mut letters: Vec<char> = cut.unwrap_or_else(|| word.to_owned()).chars().collect();
        if letters.len() > 3
            && letters[letters.len() - 1] == letters[letters.len() - 2]
            && !"aeiou".contains(letters[letters.len() - 1])
        {
            letters.pop();
        }
        if letters.len() > 3 && ['e', 'y'].contains(&letters[letters.len() - 1]) {
            letters.pop();
            if letters.last() == Some(&'i') {
                letters.pop();
            }
        }
        letters.into_iter().collect()
    }

    proptest! {
        #[test]
        fn cutting_in_place_leaves_the_same(start in "[a-z]{0,6}", ending in prop::sample::select(ENDINGS)) {
            let word = format!("{start}{}", ending.0);
            prop_assert_eq!(stem(&word), stem_written_out(&word));
        }
    }

    #[test]
    fn function_words_can_be_searched_for() {
        assert!(FUNCTION_WORDS.is_sorted());
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
