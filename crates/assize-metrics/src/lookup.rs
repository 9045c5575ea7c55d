//! Looking things up in a text that was spoken: a term in any of its inflections, a term heard in another script, a
//! quotation that is nearly right, the numbers.
//!
//! A [`Searchable`] is a text made ready once and searched many times. None of the searches reads: a term that is
//! there may be denied in the same breath, and a synonym is not found.

use crate::script::{Script, Sound, main_script};
use crate::text::{FUNCTION_WORDS, Normalisation, normalise, stem, words};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The share of a quotation's words that must agree for it to be found.
pub const QUOTE_AGREES: f64 = 0.75;

/// A quotation longer than this is cut before it is looked up.
const LONGEST_QUOTE: usize = 200;

/// A text, ready to be searched.
#[derive(Debug, Clone, Default)]
pub struct Searchable {
    words: Vec<String>,
    /// The words as numbers, equal where the words are, for alignment.
    word_numbers: Vec<u32>,
    known: HashMap<String, u32>,
    stems: HashSet<String>,
    numbers: HashSet<String>,
    /// Words in other scripts than Latin, with their place and sound.
    other_scripts: Vec<(usize, Script, Sound)>,
}

/// Where a quotation was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quoted {
    /// The share of its words that agree.
    pub agreement: f64,
    /// The word of the text it begins at.
    pub start: usize,
    /// The word of the text it ends before.
    pub end: usize,
}

impl Searchable {
    /// Makes a text ready.
    pub fn new(text: &str) -> Self {
        let spoken = normalise(text, &Normalisation::default());
        let words: Vec<String> = words(&spoken).into_iter().map(str::to_owned).collect();
        let mut known: HashMap<String, u32> = HashMap::new();
        let word_numbers: Vec<u32> = words
            .iter()
            .map(|word| match known.get(word) {
                Some(number) => *number,
                None => {
                    let number = known.len() as u32;
                    known.insert(word.clone(), number);
                    number
                }
            })
            .collect();
        let stems = known.keys().map(|word| stem(word)).collect();
        let other_scripts = words
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.is_ascii())
            .filter_map(|(at, word)| {
                let script = main_script(word).filter(|script| *script != Script::Latin)?;
                Some((at, script, Sound::of(word)?))
            })
            .collect();
        Self { stems, numbers: numbers(text).into_iter().collect(), words, word_numbers, known, other_scripts }
    }

    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether the term is there, in any inflection: its words in their order, next to each other. Underscores are spaces.
    pub fn contains(&self, term: &str) -> bool {
        self.place_of(term).is_some()
    }

    /// The words of the text by which a term is first there, in any inflection.
    pub fn place_of(&self, term: &str) -> Option<Range<usize>> {
        let term = spaced(term);
        let wanted = words(&term);
        if wanted.is_empty() {
            return None;
        }
        let wanted: Vec<(&str, String)> = wanted.into_iter().map(|word| (word, stem(word))).collect();
        if wanted.iter().all(|(word, stem)| word.is_ascii() && word.len() < 6 && !self.stems.contains(stem)) {
            return None;
        }
        let mut windows = self.words.windows(wanted.len());
        let here =
            |window: &[String]| window.iter().zip(&wanted).all(|(found, (word, stem))| same_word(found, word, stem));
        windows.position(here).map(|at| at..at + wanted.len())
    }

    /// The words by which a term is there in another script than its own, where it is.
    pub fn heard(&self, term: &str) -> Option<String> {
        let term = spaced(term);
        let (length, own, sound) = (words(&term).len(), main_script(&term)?, Sound::of(&term)?);
        if own != Script::Latin {
            // The other way round: a term in its own script, spoken in Latin letters or in a third script.
            return self.words.windows(length).find_map(|window| {
                let window = window.join(" ");
                let other = main_script(&window)?;
                (other != own && sound.is_like(&Sound::of(&window)?)).then_some(window)
            });
        }
        self.other_scripts.windows(length).find_map(|window| {
            let adjacent = window[length - 1].0 - window[0].0 == length - 1;
            let heard = match window {
                [(_, _, only)] => sound.is_like(only),
                _ => adjacent && sound.is_like(&Sound::joined(window.iter().map(|(_, _, sound)| sound))),
            };
            heard.then(|| self.words[window[0].0..=window[length - 1].0].join(" "))
        })
    }

    /// The best place of a quotation, if at least [`QUOTE_AGREES`] of its words agree there.
    ///
    /// The alignment is Levenshtein's over words, with what stands before and after in the text left out for nothing
    /// (Sellers 1980).
    pub fn quoted(&self, quotation: &str) -> Option<Quoted> {
        let quotation = normalise(quotation, &Normalisation::default());
        // A word that is nowhere in the text has a number that no word has.
        let number = |word: &str| self.known.get(word).copied().unwrap_or(u32::MAX);
        let mut wanted: Vec<u32> = words(&quotation).into_iter().map(number).collect();
        wanted.truncate(LONGEST_QUOTE);
        let nowhere = wanted.iter().filter(|number| **number == u32::MAX).count();
        if nowhere as f64 > (1.0 - QUOTE_AGREES) * wanted.len() as f64 {
            return None;
        }
        if wanted.is_empty() || self.words.is_empty() {
            return None;
        }
        // Most quotations are exact, and finding that costs one pass.
        if let Some(start) = self.word_numbers.windows(wanted.len()).position(|window| window == wanted) {
            return Some(Quoted { agreement: 1.0, start, end: start + wanted.len() });
        }
        // Each cell has its distance and the word of the text at which its alignment begins.
        let mut column: Vec<(usize, usize)> = (0..=wanted.len()).map(|row| (row, 0)).collect();
        let mut best = Quoted { agreement: 0.0, start: 0, end: 0 };
        for (at, word) in self.word_numbers.iter().enumerate() {
            let mut diagonal = (0, at);
            column[0] = (0, at + 1);
            for (row, quoted) in wanted.iter().enumerate() {
                let replaced = (diagonal.0 + usize::from(word != quoted), diagonal.1);
                let left_out = (column[row].0 + 1, column[row].1);
                let added = (column[row + 1].0 + 1, column[row + 1].1);
                diagonal = column[row + 1];
                // Of equals the first: what agrees is kept together.
                let here = if replaced.0 <= left_out.0.min(added.0) {
                    replaced
                } else if added.0 <= left_out.0 {
                    added
                } else {
                    left_out
                };
                column[row + 1] = here;
            }
            let (distance, start) = column[wanted.len()];
            let agreement = 1.0 - distance as f64 / wanted.len() as f64;
            if agreement > best.agreement {
                best = Quoted { agreement, start, end: at + 1 };
            }
        }
        (best.agreement >= QUOTE_AGREES).then_some(best)
    }

    /// The share of a phrase's content words that are there in any inflection; `None` where it has none.
    pub fn share_of(&self, phrase: &str) -> Option<f64> {
        let phrase = spaced(phrase);
        let content: Vec<&str> = words(&phrase).into_iter().filter(|word| !FUNCTION_WORDS.contains(word)).collect();
        if content.is_empty() {
            return None;
        }
        let found = content.iter().filter(|word| {
            let stem = stem(word);
            self.stems.contains(&stem)
                || (!word.is_ascii() && self.words.iter().any(|other| same_word(other, word, &stem)))
        });
        Some(found.count() as f64 / content.len() as f64)
    }

    /// Whether all numbers of a phrase are there. A phrase without numbers has all of them there.
    pub fn has_numbers_of(&self, phrase: &str) -> bool {
        numbers(phrase).iter().all(|number| self.numbers.contains(number))
    }
}

/// Normalised, with underscores as spaces.
fn spaced(term: &str) -> String {
    normalise(&term.replace('_', " "), &Normalisation::default())
}

/// Equal, equal without their endings, or equal up to two letters at the end of a long enough beginning.
fn same_word(found: &str, word: &str, word_stem: &str) -> bool {
    if found == word {
        return true;
    }
    if found.is_ascii() && word.is_ascii() {
        if found.len().abs_diff(word.len()) > 4 || found.as_bytes().first() != word.as_bytes().first() {
            return false;
        }
        if stem(found) == word_stem {
            return true;
        }
    }
    let shared = found.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
    let enough = if word.is_ascii() { 6 } else { 4 };
    shared >= enough && found.chars().count() <= shared + 2 && word.chars().count() <= shared + 2
}

/// The numbers of a text in ASCII digits, without thousands separators and without `.0` at the end, in order.
///
/// ```
/// use assize_metrics::lookup::numbers;
///
/// assert_eq!(numbers("₹1,00,000 in 3–5 days, account ९९८७, 49.50"), ["100000", "3", "5", "9987", "49.5"]);
/// ```
pub fn numbers(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().map(ascii_digit).collect();
    let mut found = Vec::new();
    let mut position = 0;
    while position < characters.len() {
        if !characters[position].is_ascii_digit() {
            position += 1;
            continue;
        }
        let mut number = String::new();
        while position < characters.len() {
            let (here, next) = (characters[position], characters.get(position + 1).is_some_and(char::is_ascii_digit));
            match here {
                '0'..='9' => number.push(here),
                ',' if next && groups(&characters[position + 1..]) => {}
                '.' if next && !number.contains('.') => number.push('.'),
                _ => break,
            }
            position += 1;
        }
        if number.contains('.') {
            number = number.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        found.push(number);
    }
    found
}

/// Whether two or three digits follow and then no further one: a group behind a thousands separator.
fn groups(rest: &[char]) -> bool {
    matches!(rest.iter().take_while(|character| character.is_ascii_digit()).count(), 2 | 3)
}

/// Decimal digits of the scripts of India, of Arabic and of full-width writing as ASCII.
fn ascii_digit(character: char) -> char {
    let code = character as u32;
    let digit = match code {
        0x660..=0x669 => code - 0x660,
        0x6f0..=0x6f9 => code - 0x6f0,
        0x900..=0xd7f if (0x66..=0x6f).contains(&(code % 0x80)) => code % 0x80 - 0x66,
        0xff10..=0xff19 => code - 0xff10,
        _ => return character,
    };
    char::from_digit(digit, 10).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> Searchable {
        Searchable::new(
            "Agent: Good morning, how can I help you today? Customer: I was charged twice, my refunds of $49.00 never came. मेरा पेमेंट फेल हो गया।",
        )
    }

    #[test]
    fn terms_are_found_in_their_inflections_and_not_in_other_words() {
        let call = call();
        for term in ["refund", "charge", "good_morning", "HELP", "पेमेंट"] {
            assert!(call.contains(term), "{term}");
        }
        for term in ["insurance", "morning good", "refund policy", "plan", "", "_"] {
            assert!(!call.contains(term), "{term}");
        }
        // agent good morning how can i help you today customer i was charged twice my refunds …
        assert_eq!([call.place_of("refund"), call.place_of("good_morning")], [Some(15..16), Some(1..3)]);
        assert!(Searchable::new("Meine Rechnungen").contains("Rechnung"));
        assert!(Searchable::new("返金をお願いします").contains("返金"));
    }

    #[test]
    fn a_term_is_heard_in_another_script() {
        let call = call();
        assert_eq!(call.heard("payment").as_deref(), Some("पेमेंट"));
        assert_eq!(call.heard("refund"), None);
        assert_eq!(Searchable::new("please do the KYC").heard("केवाईसी").as_deref(), Some("kyc"));
    }

    #[test]
    fn quotations_may_be_slightly_wrong() {
        let call = call();
        assert_eq!(call.quoted("Good morning, how can I help?").map(|found| found.agreement), Some(1.0));
        assert!(call.quoted("good morning how may I help you").is_some());
        assert!(call.quoted("I will transfer you to my supervisor").is_none());
        assert!(call.quoted("").is_none() && Searchable::new("").quoted("hello").is_none());
        // agent good morning how can i help you today customer i was charged twice …
        let place = |quotation: &str| call.quoted(quotation).map(|found| (found.start, found.end));
        assert_eq!(place("how can I help you"), Some((3, 8)));
        assert_eq!(place("good morning how may I help you"), Some((1, 8)));
        assert_eq!(place("you today customer I have been was charged twice my"), Some((7, 15)));
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let call = call();
        assert!(call.has_numbers_of("a refund of 49 dollars") && !call.has_numbers_of("99 dollars"));
        assert!(call.has_numbers_of("no number"));
        assert_eq!(numbers("00:12 and 1,5 or 1,000,000.50"), ["00", "12", "1", "5", "1000000.5"]);
    }

    #[test]
    fn shares_of_content_words() {
        assert_eq!(call().share_of("the customer was charged twice"), Some(1.0));
        assert_eq!(call().share_of("supervisor escalation"), Some(0.0));
        assert_eq!(call().share_of("of the"), None);
    }
}
