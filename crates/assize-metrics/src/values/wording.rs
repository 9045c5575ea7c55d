//! Texts with the differences taken away that carry no meaning: punctuation, articles, abbreviations, accents, the order of
//! a list or of a name, small slips of the pen. A digit is never such a difference.
//!
//! Words that hold a digit, and number words, are compared exactly and in their order; so are words with marks that are part
//! of them (`C#`, `a.b@x.com`). What is forgiven elsewhere is narrow on purpose: one slip inside a longer word that leaves its
//! first letter and its ending alone and makes a word of one that is none, so that `prescribed` and `proscribed`, `secured` and
//! `unsecured`, `Martin` and `Martina` stay different.

use super::{FieldKind, dictionary, number_words, numeral};
use crate::text::{Normalisation, normalise, words};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The words of a text, made comparable.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wording {
    tokens: Vec<Token>,
    /// The items of a list, which may come in any order.
    items: Vec<Vec<Token>>,
    /// The list is one of alternatives.
    alternatives: bool,
    /// `Smith, John` as `John Smith`, `pension (company)` as `company pension`.
    turned: Vec<Token>,
    /// The name of a person.
    name: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    text: String,
    folded: String,
    numeric: bool,
    /// It holds marks that are part of it, and is compared as it is.
    marked: bool,
}

/// What two wordings have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same words.
    Same,
    /// The same words in another order that says nothing, or with small slips.
    Near,
    /// Other digits or number words.
    OtherDigits,
    /// Other words.
    Other,
}

const ARTICLES: &[&str] = &["a", "an", "the"];

/// Words that give the order of what follows a meaning: what is denied, what comes first.
const ORDERING: &[&str] = &["no", "not", "never", "without", "then", "from", "to", "before", "after", "between"];

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
    pub(super) fn of(text: &str, kind: FieldKind) -> Self {
        let tokens = tokens(text);
        let ordered = tokens.iter().any(|token| ORDERING.contains(&token.folded.as_str()));
        let (items, alternatives) = if ordered { (Vec::new(), false) } else { items(text) };
        let turned = match text.split_once([',', '(']) {
            Some((last, first)) if !ordered && !first.contains(',') && (2..=4).contains(&tokens.len()) => {
                self::tokens(&format!("{first} {last}"))
            }
            _ => Vec::new(),
        };
        Self { tokens, items, alternatives, turned, name: kind == FieldKind::Name }
    }

    /// Whether there is nothing to compare.
    pub(super) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The words.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// What this wording has in common with another.
    pub(super) fn likeness(&self, other: &Self, ignore_case: bool) -> Likeness {
        let same = |one: &[Token], other: &[Token]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.same(other, ignore_case))
        };
        if same(&self.tokens, &other.tokens) {
            return Likeness::Same;
        }
        let turned = |one: &Self, other: &Self| !one.turned.is_empty() && same(&one.turned, &other.tokens);
        if self.is_the_same_list(other, ignore_case) || turned(self, other) || turned(other, self) {
            return Likeness::Near;
        }
        if !numbers(&self.tokens).eq(numbers(&other.tokens)) {
            return Likeness::OtherDigits;
        }
        let named = self.name && other.name && any_order(&self.tokens, &other.tokens, ignore_case);
        if named || self.near(other, ignore_case) || self.joined(ignore_case) == other.joined(ignore_case) {
            return Likeness::Near;
        }
        Likeness::Other
    }

    /// All words in one, for those who write `checkbook` and those who write `check book`.
    fn joined(&self, ignore_case: bool) -> String {
        self.tokens.iter().map(|token| token.spelling(ignore_case)).collect()
    }

    /// The same items in any order.
    fn is_the_same_list(&self, other: &Self, ignore_case: bool) -> bool {
        if self.items.len() < 2 || self.items.len() != other.items.len() || self.alternatives != other.alternatives {
            return false;
        }
        let mut left: Vec<&Vec<Token>> = other.items.iter().collect();
        self.items.iter().all(|item| {
            let same = |candidate: &Vec<Token>| {
                item.len() == candidate.len()
                    && item.iter().zip(candidate).all(|(one, other)| one.same(other, ignore_case))
            };
            left.iter().position(|candidate| same(candidate)).map(|place| left.swap_remove(place)).is_some()
        })
    }

    fn near(&self, other: &Self, ignore_case: bool) -> bool {
        if self.tokens.len() != other.tokens.len() || self.tokens.is_empty() {
            return false;
        }
        let forgiven = (self.tokens.len() / 3).max(1);
        let mut slips = 0;
        self.tokens.iter().zip(&other.tokens).all(|(one, other)| {
            one.same(other, ignore_case)
                || one.same_but_accents(other, ignore_case)
                // A name that is one letter off is another name.
                || (!self.name && one.is_plural_of(other, ignore_case))
                || (!self.name && one.slipped(other, ignore_case) && {
                    slips += 1;
                    slips <= forgiven
                })
        })
    }
}

fn numbers(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter(|token| token.numeric).map(|token| token.folded.as_str())
}

fn any_order(one: &[Token], other: &[Token], ignore_case: bool) -> bool {
    let mut left: Vec<&Token> = other.iter().collect();
    one.len() == other.len()
        && one.iter().all(|token| {
            let place = left.iter().position(|candidate| {
                token.same(candidate, ignore_case) || token.same_but_accents(candidate, ignore_case)
            });
            place.map(|place| left.swap_remove(place)).is_some()
        })
}

/// The items of a text that reads as a list, and whether they are alternatives.
fn items(text: &str) -> (Vec<Vec<Token>>, bool) {
    if !text.contains([',', ';', '&']) && !text.contains(" and ") && !text.contains(" or ") {
        return (Vec::new(), false);
    }
    let joint = |word: &str| matches!(word, "and" | "or" | "&" | "+");
    let mut items: Vec<Vec<&str>> = vec![Vec::new()];
    let mut alternatives = false;
    for chunk in text.split_whitespace() {
        if joint(chunk) {
            alternatives |= chunk == "or";
            items.push(Vec::new());
            continue;
        }
        if let Some(item) = items.last_mut() {
            item.push(chunk);
        }
        if chunk.ends_with([',', ';']) {
            items.push(Vec::new());
        }
    }
    let items = items.into_iter().map(|item| tokens(&item.join(" "))).filter(|item| !item.is_empty()).collect();
    (items, alternatives)
}

/// The words of a text: abbreviations written out, articles left out, numbers as digits.
fn tokens(text: &str) -> Vec<Token> {
    // The signs are punctuation and the words are not.
    let text = text.replace('&', " and ").replace('%', " percent ");
    let mut tokens = Vec::new();
    let mut plain = String::new();
    for chunk in text.split_whitespace() {
        match marked(chunk) {
            Some(word) => {
                plain_tokens(&plain, &mut tokens);
                plain.clear();
                tokens.push(Token { text: word.to_owned(), folded: fold(word), numeric: false, marked: true });
            }
            None => {
                plain.push_str(&written_out(chunk));
                plain.push(' ');
            }
        }
    }
    plain_tokens(&plain, &mut tokens);
    tokens
}

/// A chunk whose marks are part of it, without the punctuation around it: `C#`, `.NET`, `a.b@x.com`, `O+`, `mg/ml`.
fn marked(chunk: &str) -> Option<&str> {
    let punctuation =
        |c: char| matches!(c, ',' | ';' | ':' | '!' | '?' | '"' | '\'' | '(' | ')' | '[' | ']' | '“' | '”' | '…');
    let word = chunk.trim_matches(punctuation).trim_end_matches('.');
    if !word.contains(char::is_alphabetic) {
        return None;
    }
    let sign = word.contains(['@', '#', '_', '\\', '/', '=', '~', '^', '*', '+']);
    let graded = word.strip_suffix('-').is_some_and(|grade| (1..=2).contains(&grade.chars().count()));
    // `U.S.` and `Ph.D.` are abbreviations, `x.com` is not; `3.5` is a number.
    let segments = || word.split('.').filter(|segment| !segment.is_empty());
    let dotted = word.contains('.')
        && segments().any(|segment| segment.chars().filter(|c| c.is_alphabetic()).count() > 2)
        && (word.starts_with('.') || segments().count() > 1);
    (sign || graded || dotted).then_some(word)
}

/// `don't` as `do not`.
fn written_out(chunk: &str) -> String {
    let straight = chunk.replace('’', "'");
    let lower = straight.to_lowercase();
    let whole = match lower.trim_end_matches(['.', ',', ';', '!', '?']) {
        "can't" | "cannot" => Some("can not"),
        "won't" => Some("will not"),
        "shan't" => Some("shall not"),
        _ => None,
    };
    match (whole, straight.to_lowercase().find("n't")) {
        (Some(words), _) => words.to_owned(),
        (None, Some(at)) => {
            format!("{} not{}", &straight[..at.min(straight.len())], straight.get(at + 3..).unwrap_or_default())
        }
        (None, None) => chunk.to_owned(),
    }
}

fn plain_tokens(text: &str, tokens: &mut Vec<Token>) {
    let normal = normalise(text, &Normalisation { fold_case: false, ..Normalisation::default() });
    let mut pieces: Vec<String> = words(&normal).into_iter().flat_map(split_digits).collect();
    join_tens(&mut pieces);
    for (place, piece) in pieces.iter().enumerate() {
        let folded = fold(piece);
        if let Some(number) = numeric(&folded) {
            tokens.push(Token { text: number.clone(), folded: number, numeric: true, marked: false });
            continue;
        }
        // The A of "Flat A" and of "hepatitis A vaccine" is no article.
        let last = place + 1 == pieces.len();
        if ARTICLES.contains(&folded.as_str()) && !last && (place == 0 || *piece == folded) {
            continue;
        }
        let before_zip =
            pieces.get(place + 1).is_some_and(|next| next.len() == 5 && next.bytes().all(|byte| byte.is_ascii_digit()));
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
                marked: false,
            })),
            None => tokens.push(Token { text: piece.clone(), folded, numeric: false, marked: false }),
        }
    }
}

impl Token {
    /// The word as it is written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The word in lower case.
    pub(super) fn folded(&self) -> &str {
        &self.folded
    }

    /// Whether it is a number.
    pub(super) fn is_numeric(&self) -> bool {
        self.numeric
    }

    fn spelling(&self, ignore_case: bool) -> &str {
        if ignore_case { &self.folded } else { &self.text }
    }

    fn same(&self, other: &Self, ignore_case: bool) -> bool {
        // Expanded abbreviations are folded already, so a folded spelling on either side stands for both.
        self.spelling(ignore_case) == other.spelling(ignore_case)
            || (!ignore_case
                && self.folded == other.folded
                && (self.text == self.folded && self.is_expansion()
                    || other.text == other.folded && other.is_expansion()))
    }

    fn is_expansion(&self) -> bool {
        let word = self.folded.as_str();
        ABBREVIATIONS.iter().chain(STATES).any(|(_, long)| long.split(' ').any(|part| part == word))
    }

    /// Whether it is only a word: no number, and no marks.
    fn is_plain(&self) -> bool {
        !self.numeric && !self.marked
    }

    /// `Müller` is `Mueller` and `Muller`. Elsewhere than in names an accent may be all that two words differ in.
    fn same_but_accents(&self, other: &Self, ignore_case: bool) -> bool {
        let (one, another) = (self.spelling(ignore_case), other.spelling(ignore_case));
        if !(self.is_plain() && other.is_plain()) || (one.is_ascii() && another.is_ascii()) {
            return false;
        }
        if transcribed(one) == transcribed(another) {
            return true;
        }
        let dropped = without_accents(one);
        let capital = |token: &Self| token.text.starts_with(char::is_uppercase);
        dropped == without_accents(another) && (capital(self) || capital(other) || dictionary::has(&dropped))
    }

    /// One has an s at its end that the other has not.
    fn is_plural_of(&self, other: &Self, ignore_case: bool) -> bool {
        const SHORTEST: usize = 4;
        let (one, another) = (self.spelling(ignore_case), other.spelling(ignore_case));
        let plural = |long: &str, short: &str| short.len() >= SHORTEST && long.strip_suffix('s') == Some(short);
        self.is_plain() && other.is_plain() && (plural(one, another) || plural(another, one))
    }

    /// Whether one is a slip of the pen for the other: one letter off, and only one of the two is a word.
    fn slipped(&self, other: &Self, ignore_case: bool) -> bool {
        let (one, another) = (self.spelling(ignore_case), other.spelling(ignore_case));
        self.is_plain()
            && other.is_plain()
            && one_slip(one, another)
            && dictionary::has(one) != dictionary::has(another)
    }
}

/// The word with German and Scandinavian letters written as two.
fn transcribed(word: &str) -> String {
    let two = |letter: char| match letter {
        'ä' | 'æ' => Some("ae"),
        'ö' | 'ø' | 'œ' => Some("oe"),
        'ü' => Some("ue"),
        'å' => Some("aa"),
        'ß' => Some("ss"),
        'Ä' | 'Æ' => Some("Ae"),
        'Ö' | 'Ø' | 'Œ' => Some("Oe"),
        'Ü' => Some("Ue"),
        'Å' => Some("Aa"),
        _ => None,
    };
    let letters: String =
        word.chars().map(|letter| two(letter).map_or_else(|| letter.to_string(), str::to_owned)).collect();
    without_accents(&letters)
}

/// The word with its letters alone.
fn without_accents(word: &str) -> String {
    let plain = |letter: char| match letter {
        'ł' => 'l',
        'Ł' => 'L',
        'ø' => 'o',
        'Ø' => 'O',
        'đ' | 'ð' => 'd',
        'Đ' => 'D',
        'ı' => 'i',
        _ => letter,
    };
    word.replace('ß', "ss").nfd().filter(|c| !is_combining_mark(*c)).map(plain).collect()
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
            rest_agrees && !at_end && long.len() >= 6
        }
        _ => false,
    }
}
