//! Looking things up in a text that was spoken: a term in any of its inflections, a term heard in another script, a
//! quotation that is nearly right, the numbers.
//!
//! A [`Searchable`] is a text made ready once and searched many times. None of the searches reads: a term that is
//! there may be denied in the same breath, and a synonym is not found.

mod number_words;
mod numbers;
#[cfg(test)]
mod tests;

pub use numbers::numbers;

use crate::script::{Script, Sound, main_script};
use crate::text::{Normalisation, is_function_word, normalise, stem, words};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The share of a quotation's words that must agree for it to be found.
pub const QUOTE_AGREES: f64 = 0.75;

/// A quotation longer than this is cut before it is looked up.
const LONGEST_QUOTE: usize = 200;

/// A text, ready to be searched.
#[derive(Debug, Clone, Default)]
pub struct Searchable {
    /// The different words, in the order in which they first occur.
    vocabulary: Vec<String>,
    /// Where a word is in the vocabulary.
    known: HashMap<String, u32>,
    /// The text, each word by its place in the vocabulary.
    words: Vec<u32>,
    stems: HashSet<String>,
    numbers: HashSet<String>,
    /// Words in other scripts than Latin, with their place and sound.
    other_scripts: Vec<(usize, Sound)>,
}

/// Words of a text that sound like a term of another script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The words, as they stand.
    pub words: String,
    /// Whether they are the term itself, letter by letter.
    pub exact: bool,
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
        let (mut vocabulary, mut known) = (Vec::new(), HashMap::new());
        let mut number_of = |word: &str| match known.get(word) {
            Some(number) => *number,
            None => {
                let number = vocabulary.len() as u32;
                vocabulary.push(word.to_owned());
                known.insert(word.to_owned(), number);
                number
            }
        };
        let words: Vec<u32> = words(&spoken).into_iter().map(&mut number_of).collect();
        let sounds: Vec<Option<Sound>> = vocabulary.iter().map(|word| other_sound(word)).collect();
        let other_scripts =
            words.iter().enumerate().filter_map(|(at, word)| Some((at, sounds[*word as usize].clone()?))).collect();
        let stems = vocabulary.iter().map(|word| stem(word).into_owned()).collect();
        Self { vocabulary, known, words, stems, numbers: numbers(text).into_iter().collect(), other_scripts }
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
        let wanted: Vec<(&str, Cow<'_, str>)> = wanted.into_iter().map(|word| (word, stem(word))).collect();
        if wanted.iter().all(|(word, stem)| word.is_ascii() && word.len() < 6 && !self.stems.contains(&**stem)) {
            return None;
        }
        // A word that occurs a hundred times is compared once.
        let alike: Vec<Vec<bool>> = wanted
            .iter()
            .map(|(word, stem)| self.vocabulary.iter().map(|found| same_word(found, word, stem)).collect())
            .collect();
        let here = |window: &[u32]| window.iter().zip(&alike).all(|(word, alike)| alike[*word as usize]);
        self.words.windows(wanted.len()).position(here).map(|at| at..at + wanted.len())
    }

    /// Whether the text has a word in another script than a term's, in which the term could be said.
    pub fn has_other_script_than(&self, term: &str) -> bool {
        let own = main_script(term);
        own.is_some() && self.vocabulary.iter().filter_map(|word| main_script(word)).any(|script| Some(script) != own)
    }

    /// The words that sound like a term in another script than its own, where there are any. They are a guess, unless they
    /// are its exact transliteration.
    pub fn heard(&self, term: &str) -> Option<Heard> {
        let term = spaced(term);
        let (length, own, sound) = (words(&term).len(), main_script(&term)?, Sound::of(&term)?);
        let matched = |other: &Sound, words: &[u32]| {
            sound.is_like(other).then(|| Heard { words: self.spoken(words), exact: sound.is_exactly(other) })
        };
        if own != Script::Latin {
            // The other way round: a term in its own script, spoken in Latin letters or in a third script.
            return self.words.windows(length).find_map(|window| {
                let spoken = self.spoken(window);
                let other = main_script(&spoken)?;
                (other != own).then(|| matched(&Sound::of(&spoken)?, window)).flatten()
            });
        }
        // What is two words here may be one there: クレジットカード.
        (1..=length).rev().find_map(|length| {
            self.other_scripts.windows(length).find_map(|window| {
                let (first, last) = (window[0].0, window[length - 1].0);
                let words = &self.words[first..=last];
                match window {
                    [(_, only)] => matched(only, words),
                    _ if last - first == length - 1 => {
                        matched(&Sound::joined(window.iter().map(|(_, sound)| sound))?, words)
                    }
                    _ => None,
                }
            })
        })
    }

    /// Words of the text, written out.
    fn spoken(&self, words: &[u32]) -> String {
        words.iter().map(|word| self.vocabulary[*word as usize].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The best place of a quotation, if at least [`QUOTE_AGREES`] of its words agree there.
    ///
    /// The alignment is Levenshtein's over words, with what stands before and after in the text left out for nothing
    /// (Sellers 1980). Of each column only the rows are kept that can still lead to enough agreement (Ukkonen 1985).
    pub fn quoted(&self, quotation: &str) -> Option<Quoted> {
        let quotation = normalise(quotation, &Normalisation::default());
        // A word that is nowhere in the text has a number that no word has.
        let number = |word: &str| self.known.get(word).copied().unwrap_or(u32::MAX);
        let mut wanted: Vec<u32> = words(&quotation).into_iter().map(number).collect();
        wanted.truncate(LONGEST_QUOTE);
        let first = *wanted.first()?;
        // Most quotations are exact, and finding that costs one pass.
        let exact = |window: &[u32]| window[0] == first && window == wanted;
        if let Some(start) = self.words.windows(wanted.len()).position(exact) {
            return Some(Quoted { agreement: 1.0, start, end: start + wanted.len() });
        }
        let agreement = |errors: usize| 1.0 - errors as f64 / wanted.len() as f64;
        let most = (0..wanted.len()).take_while(|errors| agreement(*errors) >= QUOTE_AGREES).last()?;
        if wanted.iter().filter(|number| **number == u32::MAX).count() > most {
            return None;
        }
        // Row r of a column: the errors of the first r words of the quotation where it ends here, and the word of the text at
        // which it then begins. From row `kept` on there are more errors than may be.
        let too_many = (most + 1, 0);
        let mut column: Vec<(usize, usize)> = (0..=wanted.len()).map(|row| (row, 0)).collect();
        let mut kept = most + 1;
        let mut best: Option<(usize, Quoted)> = None;
        for (at, word) in self.words.iter().enumerate() {
            let mut diagonal = (0, at);
            column[0] = (0, at + 1);
            let rows = (kept + 1).min(column.len());
            for row in 1..rows {
                let before = if row < kept { column[row] } else { too_many };
                let replaced = (diagonal.0 + usize::from(*word != wanted[row - 1]), diagonal.1);
                let left_out = (column[row - 1].0 + 1, column[row - 1].1);
                let added = (before.0 + 1, before.1);
                diagonal = before;
                // Of equals the first: what agrees is kept together.
                column[row] = if replaced.0 <= left_out.0.min(added.0) {
                    replaced
                } else if added.0 <= left_out.0 {
                    added
                } else {
                    left_out
                };
            }
            kept = (0..rows).rev().find(|row| column[*row].0 <= most).map_or(1, |row| row + 1);
            let (errors, start) = column[wanted.len()];
            if kept == column.len() && best.is_none_or(|(fewest, _)| errors < fewest) {
                best = Some((errors, Quoted { agreement: agreement(errors), start, end: at + 1 }));
            }
        }
        best.map(|(_, quoted)| quoted)
    }

    /// The share of a phrase's content words that are there in any inflection; `None` where it has none.
    pub fn share_of(&self, phrase: &str) -> Option<f64> {
        let phrase = spaced(phrase);
        let content: Vec<&str> = words(&phrase).into_iter().filter(|word| !is_function_word(word)).collect();
        if content.is_empty() {
            return None;
        }
        let found = content.iter().filter(|word| {
            let stem = stem(word);
            self.stems.contains(&*stem)
                || (!word.is_ascii() && self.vocabulary.iter().any(|other| same_word(other, word, &stem)))
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

/// How a word sounds that is not written in Latin letters.
fn other_sound(word: &str) -> Option<Sound> {
    if word.is_ascii() {
        return None;
    }
    main_script(word).filter(|script| *script != Script::Latin)?;
    Sound::of(word)
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
