//! Texts with the differences taken away that carry no meaning: punctuation, articles, abbreviations, the order of
//! words, small slips of the pen. A digit is never such a difference.
//!
//! Words that hold a digit, and number words, are compared exactly and in their order. What is forgiven elsewhere is
//! narrow on purpose: one slip inside a longer word that leaves its first letter and its ending alone, so that `secured`
//! and `unsecured`, `employer` and `employee`, `Martin` and `Martina` stay different.

use super::{number_words, numeral};
use crate::text::{Normalisation, normalise, words};

/// The words of a text, made comparable.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wording {
    tokens: Vec<Token>,
    numeric: usize,
    /// The order of the words says who does what to whom.
    ordered: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Token {
    text: String,
    folded: String,
    numeric: bool,
}

/// What two wordings have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same words.
    Same,
    /// The same words in another order, or with small slips.
    Near,
    /// Other digits or number words.
    OtherDigits,
    /// Other words.
    Other,
}

const ARTICLES: &[&str] = &["a", "an", "the"];

/// Words between which the order matters.
const DIRECTIONS: &[&str] = &[
    "from", "to", "into", "by", "before", "after", "than", "over", "under", "between", "minus", "owes", "owed", "lent",
    "lends", "pays", "paid", "gave", "gives", "sold", "sells", "bought", "versus", "vs", "not", "no", "and", "or",
    "but",
];

const ABBREVIATIONS: &[(&str, &str)] = &[
    ("st", "street"),
    ("str", "street"),
    ("ave", "avenue"),
    ("av", "avenue"),
    ("rd", "road"),
    ("blvd", "boulevard"),
    ("ln", "lane"),
    ("hwy", "highway"),
    ("sq", "square"),
    ("apt", "apartment"),
    ("bldg", "building"),
    ("fl", "floor"),
    ("ste", "suite"),
    ("ltd", "limited"),
    ("inc", "incorporated"),
    ("corp", "corporation"),
    ("co", "company"),
    ("bros", "brothers"),
    ("intl", "international"),
    ("assoc", "association"),
    ("dept", "department"),
    ("univ", "university"),
    ("govt", "government"),
    ("acct", "account"),
    ("accts", "accounts"),
    ("cc", "credit card"),
    ("mgmt", "management"),
    ("ins", "insurance"),
    ("yr", "year"),
    ("yrs", "years"),
    ("mth", "month"),
    ("mths", "months"),
    ("approx", "approximately"),
    ("+", "and"),
    ("mon", "monday"),
    ("tue", "tuesday"),
    ("tues", "tuesday"),
    ("wed", "wednesday"),
    ("thu", "thursday"),
    ("thurs", "thursday"),
    ("fri", "friday"),
    ("sat", "saturday"),
    ("sun", "sunday"),
    ("uk", "united kingdom"),
    ("usa", "united states"),
];

const STATES: &[(&str, &str)] = &[
    ("al", "alabama"),
    ("ak", "alaska"),
    ("az", "arizona"),
    ("ar", "arkansas"),
    ("ca", "california"),
    ("co", "colorado"),
    ("ct", "connecticut"),
    ("de", "delaware"),
    ("fl", "florida"),
    ("ga", "georgia"),
    ("hi", "hawaii"),
    ("id", "idaho"),
    ("il", "illinois"),
    ("in", "indiana"),
    ("ia", "iowa"),
    ("ks", "kansas"),
    ("ky", "kentucky"),
    ("la", "louisiana"),
    ("me", "maine"),
    ("md", "maryland"),
    ("ma", "massachusetts"),
    ("mi", "michigan"),
    ("mn", "minnesota"),
    ("ms", "mississippi"),
    ("mo", "missouri"),
    ("mt", "montana"),
    ("ne", "nebraska"),
    ("nv", "nevada"),
    ("nh", "new hampshire"),
    ("nj", "new jersey"),
    ("nm", "new mexico"),
    ("ny", "new york"),
    ("nc", "north carolina"),
    ("nd", "north dakota"),
    ("oh", "ohio"),
    ("ok", "oklahoma"),
    ("or", "oregon"),
    ("pa", "pennsylvania"),
    ("ri", "rhode island"),
    ("sc", "south carolina"),
    ("sd", "south dakota"),
    ("tn", "tennessee"),
    ("tx", "texas"),
    ("ut", "utah"),
    ("vt", "vermont"),
    ("va", "virginia"),
    ("wa", "washington"),
    ("wv", "west virginia"),
    ("wi", "wisconsin"),
    ("wy", "wyoming"),
    ("dc", "district of columbia"),
];

impl Wording {
    pub(super) fn of(text: &str) -> Self {
        // The sign is punctuation and the word is not.
        let text = text.replace('&', " and ");
        let normal = normalise(&text, &Normalisation { fold_case: false, ..Normalisation::default() });
        let mut pieces: Vec<String> = words(&normal).into_iter().flat_map(split_digits).collect();
        join_tens(&mut pieces);
        let mut tokens = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            let folded = fold(piece);
            if let Some(number) = numeric(&folded) {
                tokens.push(Token { text: number.clone(), folded: number, numeric: true });
                continue;
            }
            // The A of "Flat A" and of "hepatitis A vaccine" is no article.
            let last = place + 1 == pieces.len();
            if ARTICLES.contains(&folded.as_str()) && !last && (place == 0 || *piece == folded) {
                continue;
            }
            let before_zip = pieces
                .get(place + 1)
                .is_some_and(|next| next.len() == 5 && next.bytes().all(|byte| byte.is_ascii_digit()));
            let shouted =
                pieces.len() > 1 && piece.chars().all(char::is_uppercase) && normal.chars().any(char::is_lowercase);
            let long = STATES
                .iter()
                .find(|(short, _)| *short == folded && (before_zip || shouted) && place > 0)
                .or_else(|| ABBREVIATIONS.iter().find(|(short, _)| *short == folded))
                .map(|(_, long)| *long);
            match long {
                // An abbreviation has no case of its own: "CA" is "California" and "california".
                Some(long) => tokens.extend(long.split(' ').map(|word| Token {
                    text: word.to_owned(),
                    folded: word.to_owned(),
                    numeric: false,
                })),
                None => tokens.push(Token { text: piece.clone(), folded, numeric: false }),
            }
        }
        let numeric = tokens.iter().filter(|token| token.numeric).count();
        let ordered = numeric > 1 || tokens.iter().any(|token| DIRECTIONS.contains(&token.folded.as_str()));
        Self { tokens, numeric, ordered }
    }

    /// Whether there is nothing to compare.
    pub(super) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// What this wording has in common with another.
    pub(super) fn likeness(&self, other: &Self, ignore_case: bool) -> Likeness {
        if self.numeric != other.numeric || !self.numbers().eq(other.numbers()) {
            return Likeness::OtherDigits;
        }
        let same = |one: &Token, other: &Token| one.same(other, ignore_case);
        if self.tokens.len() == other.tokens.len()
            && self.tokens.iter().zip(&other.tokens).all(|(one, other)| same(one, other))
        {
            return Likeness::Same;
        }
        if self.near(other, ignore_case) || self.joined(ignore_case) == other.joined(ignore_case) {
            return Likeness::Near;
        }
        Likeness::Other
    }

    fn numbers(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter(|token| token.numeric).map(|token| token.folded.as_str())
    }

    /// All words in one, for those who write `checkbook` and those who write `check book`.
    fn joined(&self, ignore_case: bool) -> String {
        self.tokens.iter().map(|token| if ignore_case { token.folded.as_str() } else { token.text.as_str() }).collect()
    }

    fn near(&self, other: &Self, ignore_case: bool) -> bool {
        if self.tokens.len() != other.tokens.len() || self.tokens.is_empty() {
            return false;
        }
        let forgiven = (self.tokens.len() / 3).max(1);
        let mut slips = 0;
        if self.ordered || other.ordered {
            return self.tokens.iter().zip(&other.tokens).all(|(one, other)| {
                one.same(other, ignore_case)
                    || (one.slipped(other, ignore_case) && {
                        slips += 1;
                        slips <= forgiven
                    })
            });
        }
        let mut left: Vec<&Token> = other.tokens.iter().collect();
        let mut unmatched = Vec::new();
        for token in &self.tokens {
            match left.iter().position(|candidate| token.same(candidate, ignore_case)) {
                Some(place) => drop(left.swap_remove(place)),
                None => unmatched.push(token),
            }
        }
        unmatched.len() <= forgiven
            && unmatched.iter().all(|token| {
                match left.iter().position(|candidate| token.slipped(candidate, ignore_case)) {
                    Some(place) => {
                        left.swap_remove(place);
                        true
                    }
                    None => false,
                }
            })
    }
}

impl Token {
    fn same(&self, other: &Self, ignore_case: bool) -> bool {
        // Expanded abbreviations are folded already, so a folded spelling on either side stands for both.
        if ignore_case {
            self.folded == other.folded
        } else {
            self.text == other.text
                || (self.folded == other.folded
                    && (self.text == self.folded && self.is_expansion()
                        || other.text == other.folded && other.is_expansion()))
        }
    }

    fn is_expansion(&self) -> bool {
        let word = self.folded.as_str();
        ABBREVIATIONS.iter().chain(STATES).any(|(_, long)| long.split(' ').any(|part| part == word))
    }

    fn slipped(&self, other: &Self, ignore_case: bool) -> bool {
        if self.numeric || other.numeric {
            return false;
        }
        if ignore_case { one_slip(&self.folded, &other.folded) } else { one_slip(&self.text, &other.text) }
    }
}

fn fold(text: &str) -> String {
    normalise(text, &Normalisation { strip_punctuation: false, ..Normalisation::default() })
}

/// `8am` is two pieces, `1st` is one, `12B` is two.
fn split_digits(word: &str) -> Vec<String> {
    let lower = word.to_lowercase();
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && matches!(&lower[digits..], "st" | "nd" | "rd" | "th") {
        return vec![format!("{}th", &lower[..digits])];
    }
    let mut pieces: Vec<String> = Vec::new();
    let mut was_number = None;
    for character in word.chars() {
        let number = character.is_numeric() || (was_number == Some(true) && matches!(character, '.' | ','));
        match pieces.last_mut() {
            Some(piece) if was_number == Some(number) => piece.push(character),
            _ => pieces.push(character.to_string()),
        }
        was_number = Some(number);
    }
    pieces
}

/// `twenty five` becomes 25.
fn join_tens(pieces: &mut Vec<String>) {
    let mut place = 0;
    while place + 1 < pieces.len() {
        let value = |piece: &String| number_words::small(&piece.to_lowercase());
        if let (Some(tens @ 20..), Some(unit @ 1..=9)) = (value(&pieces[place]), value(&pieces[place + 1])) {
            pieces[place] = (tens + unit).to_string();
            pieces.remove(place + 1);
        }
        place += 1;
    }
}

/// The spelling under which a number is compared: digits with no group commas; number words as digits.
fn numeric(folded: &str) -> Option<String> {
    if let Some(value) = number_words::small(folded) {
        return Some(value.to_string());
    }
    if let Some(value) = number_words::ordinal(folded).filter(|_| folded != "second") {
        return Some(format!("{value}th"));
    }
    if number_words::scale(folded).is_some() && folded.len() > 2 {
        return Some(folded.trim_end_matches('s').to_owned());
    }
    if !folded.chars().any(char::is_numeric) {
        return None;
    }
    if folded.contains(',') && !folded.contains('.') {
        return Some(numeral::grouped(folded, ',').unwrap_or_else(|| folded.to_owned()));
    }
    Some(folded.to_owned())
}

/// Whether one slip of the pen inside a longer word makes one of the other.
fn one_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    if short.first() != long.first() || !long.iter().chain(short).all(|c| c.is_alphabetic()) {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        0 => {
            let end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
            let differing = short.len().saturating_sub(start + end);
            let swapped = differing == 2 && short[start] == long[start + 1] && short[start + 1] == long[start];
            (swapped && long.len() >= 5) || (differing == 1 && long.len() >= 8 && end > 0)
        }
        1 => {
            let rest_agrees = short[start..] == long[start + 1..];
            let at_end = start == short.len();
            rest_agrees && if at_end { long[start] == 's' && long.len() >= 4 } else { long.len() >= 6 }
        }
        _ => false,
    }
}
