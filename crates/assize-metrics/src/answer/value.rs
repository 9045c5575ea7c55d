//! What an answer is: a number, a choice, yes or no, a list, or text.

use super::closed;
use crate::arithmetic::{Rational, measure};
use crate::text::{Normalisation, normalise};

/// Lists longer than this are text.
const LIST_LIMIT: usize = 100;

/// An answer as read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Number(Number),
    /// A closed form with a root or π in it, by its value.
    Closed(f64),
    /// A multiple-choice letter, in upper case, with the text after it.
    Choice(char, String),
    /// Yes and true, no and false.
    Truth(bool),
    /// Several values; a set has no order.
    List {
        items: Vec<Value>,
        ordered: bool,
    },
    Text(String),
}

/// A number with its unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    pub(super) value: Rational,
    pub(super) decimals: Option<u32>,
    pub(super) percent: bool,
    pub(super) currency: Option<String>,
    pub(super) unit: Option<String>,
}

/// The answer without the marks around it: `$…$`, bold, quotes, `\text{…}`, the closing full stop.
pub(super) fn tidy(text: &str) -> String {
    let mut text = text.trim().replace("**", "").replace("\\!", "");
    for command in ["\\text{", "\\mathrm{", "\\textbf{", "\\mathbf{"] {
        while let Some(start) = text.find(command) {
            let inside = start + command.len();
            let Some(length) = text[inside..].find('}') else {
                break;
            };
            let content = text[inside..inside + length].to_owned();
            text.replace_range(start..=inside + length, &content);
        }
    }
    loop {
        let before = text.len();
        text = text.trim().to_owned();
        for (open, close) in [("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("`", "`"), ("\"", "\""), ("“", "”")] {
            if let Some(inside) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
                text = inside.trim().to_owned();
            }
        }
        // A dollar sign at both ends borders a formula; one at the start is money.
        if text.len() > 1 && text.ends_with('$') {
            text.pop();
            if text.starts_with('$') {
                text.remove(0);
            }
        }
        if text.ends_with(['.', ',', ';', '!']) {
            text.pop();
        }
        if text.len() == before {
            return text;
        }
    }
}

/// Reads a tidy answer.
pub(super) fn read(text: &str) -> Value {
    let text = without_name(text.trim());
    truth(text)
        .or_else(|| quantity(text))
        .or_else(|| choice(text))
        .or_else(|| list(text))
        .unwrap_or_else(|| Value::Text(text.to_owned()))
}

/// A number or a closed form.
fn quantity(text: &str) -> Option<Value> {
    number(text).map(Value::Number).or_else(|| closed::value(text).map(Value::Closed))
}

/// "x = 5" is 5.
fn without_name(text: &str) -> &str {
    match text.split_once('=') {
        Some((name, value)) if name.trim().len() == 1 && name.trim().bytes().all(|b| b.is_ascii_alphabetic()) => {
            value.trim()
        }
        _ => text,
    }
}

fn truth(text: &str) -> Option<Value> {
    let first = text.split([',', '.', ';']).next()?;
    match first.trim().to_lowercase().as_str() {
        "yes" | "true" | "correct" => Some(Value::Truth(true)),
        "no" | "false" | "incorrect" => Some(Value::Truth(false)),
        _ => None,
    }
}

/// Whole numbers in words, as far as answers use them.
const NUMBER_WORDS: &[(&str, i128)] = &[
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];

fn number(text: &str) -> Option<Number> {
    let lower = text.to_lowercase();
    if let Some((_, value)) = NUMBER_WORDS.iter().find(|(word, _)| *word == lower) {
        return Some(Number {
            value: Rational::new(*value, 1)?,
            decimals: Some(0),
            percent: false,
            currency: None,
            unit: None,
        });
    }
    // "3 or -3" is two numbers, not a difference of threes called "or".
    if lower.split_whitespace().any(|word| ["and", "or"].contains(&word)) {
        return None;
    }
    if let Some(measured) = measure(text) {
        return with_units(measured.value, measured.decimals, measured.percent, measured.units);
    }
    // "5 square metres", "50 percent": the number, and words that are its unit.
    let split = text.find(|c: char| c.is_alphabetic())?;
    let (head, tail) = text.split_at(split);
    let measured = measure(head.trim_end())?;
    let unit_like = tail.chars().all(|c| c.is_alphabetic() || " /^²³-".contains(c) || c.is_ascii_digit())
        && tail.split_whitespace().count() <= 4;
    if !unit_like || split == 0 {
        return None;
    }
    if matches!(tail.trim(), "percent" | "per cent") {
        let value = measured.value.divided_by(Rational::new(100, 1)?)?;
        return with_units(value, measured.decimals, true, measured.units);
    }
    let mut units = measured.units;
    units.push(tail.trim().to_owned());
    // "3 million", "5 or 6": not a unit.
    let first = tail.split_whitespace().next()?.to_lowercase();
    let changes_value = ["and", "billion", "dozen", "hundred", "million", "or", "thousand", "to", "trillion", "x"];
    if changes_value.contains(&first.as_str()) {
        return None;
    }
    with_units(measured.value, measured.decimals, measured.percent, units)
}

fn with_units(value: Rational, decimals: Option<u32>, percent: bool, units: Vec<String>) -> Option<Number> {
    const CURRENCIES: &[(&str, &str)] = &[
        ("$", "$"),
        ("dollar", "$"),
        ("dollars", "$"),
        ("usd", "$"),
        ("€", "€"),
        ("euro", "€"),
        ("euros", "€"),
        ("eur", "€"),
        ("£", "£"),
        ("pound sterling", "£"),
        ("gbp", "£"),
        ("¥", "¥"),
        ("yen", "¥"),
        ("₹", "₹"),
        ("rupee", "₹"),
        ("rupees", "₹"),
    ];
    let (mut currency, mut unit) = (None, None);
    for name in units {
        let name = name.to_lowercase();
        match CURRENCIES.iter().find(|(spelling, _)| *spelling == name) {
            Some((_, sign)) => currency = Some((*sign).to_owned()),
            None if unit.is_some() => return None,
            None => unit = Some(same_unit(&name)),
        }
    }
    Some(Number { value, decimals, percent, currency, unit })
}

/// One spelling per unit.
fn same_unit(name: &str) -> String {
    const SPELLINGS: &[(&str, &[&str])] = &[
        ("m", &["meter", "metre", "meters", "metres"]),
        ("km", &["kilometer", "kilometre", "kilometers", "kilometres", "kms"]),
        ("cm", &["centimeter", "centimetre", "centimeters", "centimetres", "cms"]),
        ("mm", &["millimeter", "millimetre", "millimeters", "millimetres"]),
        ("kg", &["kilogram", "kilograms", "kilo", "kilos", "kgs"]),
        ("g", &["gram", "grams", "gramme", "grammes"]),
        ("mg", &["milligram", "milligrams"]),
        ("l", &["liter", "litre", "liters", "litres"]),
        ("ml", &["milliliter", "millilitre", "milliliters", "millilitres"]),
        ("h", &["hour", "hours", "hr", "hrs"]),
        ("min", &["minute", "minutes", "mins"]),
        ("s", &["second", "seconds", "sec", "secs"]),
        ("km/h", &["kph", "kmh", "kilometers per hour", "kilometres per hour", "km per hour"]),
        ("mph", &["miles per hour"]),
        ("mi", &["mile", "miles"]),
        ("ft", &["foot", "feet"]),
        ("in", &["inch", "inches", "inche"]),
        ("lb", &["pound", "pounds", "lbs"]),
        ("m²", &["m^2", "m2", "square meters", "square metres", "square meter", "square metre", "sq m"]),
        ("cm²", &["cm^2", "cm2", "square centimeters", "square centimetres"]),
        ("°", &["degree", "degrees"]),
    ];
    for (unit, spellings) in SPELLINGS {
        if *unit == name || spellings.contains(&name) {
            return (*unit).to_owned();
        }
    }
    match name.strip_suffix('s') {
        Some(singular) if singular.len() > 2 && !singular.ends_with('s') => singular.to_owned(),
        _ => name.to_owned(),
    }
}

/// "(B)", "B)", "b.", "B: Paris", "option B".
fn choice(text: &str) -> Option<Value> {
    let lower = text.to_lowercase();
    let named =
        ["option ", "choice ", "answer "].iter().find(|word| lower.starts_with(**word)).map_or(0, |word| word.len());
    let text = text.get(named..)?.trim_start();
    let bracketed = text.strip_prefix('(').and_then(|inside| {
        let letter = inside.chars().next()?;
        let rest = inside[letter.len_utf8()..].strip_prefix(')')?;
        Some((letter, rest))
    });
    let (letter, rest) = match bracketed {
        Some(found) => found,
        None => {
            let letter = text.chars().next()?;
            let rest = &text[letter.len_utf8()..];
            let separated = rest.strip_prefix([')', '.', ':']);
            match separated {
                Some(rest) if rest.is_empty() || rest.starts_with(' ') => (letter, rest),
                _ if rest.is_empty() => (letter, rest),
                _ => return None,
            }
        }
    };
    let letter = letter.to_ascii_uppercase();
    ('A'..='J').contains(&letter).then(|| Value::Choice(letter, rest.trim().to_owned()))
}

/// "(1, 2)", "[1, 2]", "{1, 2}", "1, 2 and 3", "1 or -1", "±1".
fn list(text: &str) -> Option<Value> {
    let bracketed = |open, close| text.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    let (inside, ordered) = if let Some(inside) = bracketed("\\{", "\\}").or_else(|| bracketed("{", "}")) {
        (inside, false)
    } else if let Some(inside) = bracketed("(", ")").or_else(|| bracketed("[", "]")) {
        (inside, true)
    } else {
        (text, false)
    };
    let mut joined = inside.replace("\\pm", "±").replace(';', ",");
    for word in [", and ", ", or ", " and ", " or "] {
        joined = joined.replace(word, ",");
    }
    // "1 ± √2" is two values.
    let signed = |part: &str| match part.split_once('±') {
        Some((before, after)) if before.trim().is_empty() => {
            vec![after.trim().to_owned(), format!("-{}", after.trim())]
        }
        Some((before, after)) => vec![format!("{before}+{after}"), format!("{before}-{after}")],
        None => vec![part.to_owned()],
    };
    let parts: Vec<String> = joined.split(',').map(str::trim).flat_map(signed).collect();
    if parts.len() < 2 || parts.len() > LIST_LIMIT || parts.iter().any(|part| part.is_empty()) {
        return None;
    }
    let items: Vec<Value> =
        parts.iter().map(|part| quantity(without_name(part)).unwrap_or_else(|| Value::Text(part.clone()))).collect();
    // Brackets inside brackets are more than a list.
    if items.iter().any(|item| matches!(item, Value::Text(text) if text.contains(['(', '[', '{']))) {
        return None;
    }
    let bare = inside.len() == text.len();
    // A sentence with a comma is no list.
    if bare && items.iter().any(|item| matches!(item, Value::Text(text) if text.contains(' '))) {
        return None;
    }
    Some(Value::List { items, ordered })
}

/// A text for comparing: words without case, punctuation and articles, or, where signs carry
/// meaning, all signs without the spaces.
pub(super) fn comparable(text: &str) -> String {
    let formula = text.contains(|c: char| c.is_ascii_digit() || "^*/+-=<>\\_".contains(c));
    if formula {
        return text.split_whitespace().collect::<String>().to_lowercase();
    }
    let normal = normalise(text, &Normalisation::default());
    let words: Vec<&str> = normal.split(' ').filter(|word| !["a", "an", "the"].contains(word)).collect();
    if words.is_empty() { normal } else { words.join(" ") }
}
