//! Texts that contradict each other: one denies what the other says, names the other side, another unit or another dose.

use super::units::{self, Unit};
use super::wording::{Token, Wording};
use super::{Decimal, Reason};

const NEGATIONS: &[&str] = &[
    "no", "not", "never", "without", "none", "neither", "nor", "denies", "denied", "deny", "denying", "absent",
    "lacks", "kein", "keine", "nicht", "ohne", "sin", "sans", "pas", "nunca", "jamais",
];

/// Words that are each other's opposite.
const OPPOSITES: &[(&str, &str)] = &[
    ("positive", "negative"),
    ("benign", "malignant"),
    ("present", "absent"),
    ("with", "without"),
    ("increased", "decreased"),
    ("increase", "decrease"),
    ("alive", "dead"),
    ("alive", "deceased"),
    ("start", "stop"),
    ("started", "stopped"),
    ("high", "low"),
    ("accepted", "rejected"),
    ("approved", "denied"),
    ("approved", "rejected"),
    ("allowed", "forbidden"),
    ("male", "female"),
    ("always", "never"),
    ("before", "after"),
    ("acute", "chronic"),
    ("enabled", "disabled"),
    ("on", "off"),
    ("open", "closed"),
];

const SIDES: &[&[&str]] = &[
    &["left", "right", "bilateral"],
    &["upper", "lower"],
    &["anterior", "posterior"],
    &["medial", "lateral"],
    &["proximal", "distal"],
    &["inner", "outer"],
];

/// Prefixes that turn a word into its opposite.
const PREFIXES: &[&str] = &["un", "non", "in", "im", "ir", "dis", "a"];

/// How two texts that are not the same contradict each other, if they do.
pub(super) fn between(one: &Wording, other: &Wording) -> Option<Reason> {
    let (ones, others) = (words(one), words(other));
    for sides in SIDES {
        let named = |words: &[&str]| -> Vec<bool> { sides.iter().map(|side| words.contains(side)).collect() };
        let (given, expected) = (named(&ones), named(&others));
        if given != expected && given.contains(&true) && expected.contains(&true) && share_words(&ones, &others) {
            return Some(Reason::OtherSide);
        }
    }
    let denials = |words: &[&str]| words.iter().filter(|word| NEGATIONS.contains(word)).count();
    let denied = denials(&ones) % 2 != denials(&others) % 2;
    if (denied && share_words(&ones, &others)) || differ_by_opposites(&ones, &others) {
        return Some(Reason::OtherTruth);
    }
    measures(one.tokens(), other.tokens())
}

/// The words, with `L` and `R` for sides.
fn words(wording: &Wording) -> Vec<&str> {
    let side = |token: &Token| match token.text() {
        "L" => Some("left"),
        "R" => Some("right"),
        _ => None,
    };
    wording.tokens().iter().map(|token| side(token).unwrap_or(token.folded())).collect()
}

/// Whether the two are about the same: at least half of the words that the shorter one is about are in the other.
fn share_words(one: &[&str], other: &[&str]) -> bool {
    let about = |words: &[&str]| -> Vec<String> {
        let telling = |word: &&&str| !NEGATIONS.contains(word) && !SIDES.iter().any(|sides| sides.contains(word));
        words.iter().filter(telling).map(|word| (*word).to_owned()).collect()
    };
    let (one, other) = (about(one), about(other));
    let shared = one.iter().filter(|word| other.contains(word)).count();
    shared > 0 && shared * 2 >= one.len().min(other.len())
}

/// Whether exactly one word of each is left over, and they are opposites.
fn differ_by_opposites(one: &[&str], other: &[&str]) -> bool {
    let mut left: Vec<&str> = other.to_vec();
    let mut own = Vec::new();
    for word in one {
        match left.iter().position(|candidate| candidate == word) {
            Some(place) => drop(left.remove(place)),
            None => own.push(*word),
        }
    }
    let ([own], [left]) = (own.as_slice(), left.as_slice()) else { return false };
    let listed = OPPOSITES.iter().any(|pair| *pair == (*own, *left) || *pair == (*left, *own));
    let prefixed = |word: &str, longer: &str| PREFIXES.iter().any(|prefix| longer.strip_prefix(prefix) == Some(word));
    let scaled = |one: &str, other: &str| {
        one.strip_prefix("hyper").is_some_and(|rest| rest.len() > 2 && other.strip_prefix("hypo") == Some(rest))
    };
    listed
        || (own.len().min(left.len()) > 3 && (prefixed(own, left) || prefixed(left, own)))
        || scaled(own, left)
        || scaled(left, own)
}

/// Numbers in the text that are measured in other units, or are other doses.
fn measures(one: &[Token], other: &[Token]) -> Option<Reason> {
    let measured = |tokens: &[Token]| -> Vec<(String, Option<Unit>)> {
        let places = (0..tokens.len()).filter(|place| tokens[*place].is_numeric());
        places
            .map(|place| {
                let unit = tokens.get(place + 1).and_then(|next| units::unit(next.folded()));
                (tokens[place].folded().to_owned(), unit)
            })
            .collect()
    };
    let (ones, others) = (measured(one), measured(other));
    if ones.len() != others.len() {
        return None;
    }
    ones.iter().zip(&others).find_map(|((number, unit), (other_number, other_unit))| {
        if number == other_number {
            let differ = unit.zip(*other_unit).is_some_and(|(one, other)| one != other);
            return differ.then_some(Reason::OtherUnit);
        }
        let dose = unit.is_some_and(|unit| unit.dose) && other_unit.is_some_and(|unit| unit.dose);
        let same = unit.zip(*other_unit).is_some_and(|(unit, other_unit)| {
            let converted = |unit: Unit, number: &str| Decimal::of_json(number).and_then(|value| unit.convert(value));
            unit.measures == other_unit.measures && converted(unit, number) == converted(other_unit, other_number)
        });
        (dose && !same).then_some(Reason::OtherDose)
    })
}
