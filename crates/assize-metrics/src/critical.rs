//! Critical differences between two texts: a small change of words that changes what is said.
//!
//! "Should not take" for "should take", 50 days for 15, milligrams for micrograms, left for right, Monday for Sunday, one name
//! for another. Word error rates count such a slip as one word; here it is found in the alignment and named.
//! Only what changed is looked at, place by place, and spellings of the same thing ("thirty five dollars", "$35") are one.
//! A place where many words in a row differ is not a slip but another text, and is left to the error rates.

use crate::alignment::EditKind;
use crate::error_rate::WordComparison;
use serde::Serialize;
use std::collections::BTreeSet;

/// More words than this in a row, on either side, are not one slip.
const LONGEST: usize = 12;

/// More words than this, gone or added with a negation among them, are a clause and not a negation.
const LONGEST_DROPPED: usize = 3;

/// What kind of thing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CriticalKind {
    /// A negation that was dropped or added.
    Negation,
    /// Another number.
    Number,
    /// Another unit.
    Unit,
    /// Left for right.
    Side,
    /// Another day or month.
    Date,
    /// Another name.
    Name,
}

/// A small change of words that changes what is said, with the words and one on either side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CriticalDifference {
    /// What was changed.
    pub kind: CriticalKind,
    /// The words of the reference.
    pub reference: String,
    /// The words of the hypothesis.
    pub hypothesis: String,
}

/// The critical differences of two texts that were compared word by word. `reference` is the text as written: which of its
/// words are names shows in their capitals.
///
/// ```
/// use assize_metrics::critical::{CriticalKind, critical_differences};
/// use assize_metrics::error_rate::compare_words;
/// use assize_metrics::text::Normalisation;
///
/// let reference = "You should not take it.";
/// let words = compare_words(reference, "You should take it.", &Normalisation::default())?;
/// let found = critical_differences(reference, &words);
/// assert_eq!((found[0].kind, found[0].reference.as_str()), (CriticalKind::Negation, "should not take"));
/// # Ok::<(), assize_metrics::alignment::TooLong>(())
/// ```
pub fn critical_differences(reference: &str, words: &WordComparison) -> Vec<CriticalDifference> {
    let names = names(reference);
    let mut found = Vec::new();
    for place in places(words) {
        let texts =
            Texts { reference: &words.reference[place.0.clone()], hypothesis: &words.hypothesis[place.1.clone()] };
        if texts.reference.len() > LONGEST || texts.hypothesis.len() > LONGEST {
            continue;
        }
        let shown = around(words, &place);
        for kind in texts.changed(&names, &shown) {
            found.push(CriticalDifference {
                kind,
                reference: shown.reference.join(" "),
                hypothesis: shown.hypothesis.join(" "),
            });
        }
    }
    found
}

type Place = (std::ops::Range<usize>, std::ops::Range<usize>);

/// The words of one place in both texts.
struct Texts<'w> {
    reference: &'w [String],
    hypothesis: &'w [String],
}

/// The stretches that differ, each with the numbers and negations beside it that are the same in both: "one hundred thirty"
/// and "one hundred fifty" are two numbers, not one number and a change.
fn places(words: &WordComparison) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut open = false;
    for run in &words.alignment.runs {
        if run.kind != EditKind::Equal {
            match places.last_mut() {
                Some(place) if open => (place.0.end, place.1.end) = (run.reference.end, run.hypothesis.end),
                _ => places.push((run.reference.clone(), run.hypothesis.clone())),
            }
            open = true;
            continue;
        }
        let length = run.reference.len();
        let sticks = |offset: usize| is_sticky(&words.reference[run.reference.start + offset]);
        let after = (0..length).take_while(|offset| open && sticks(*offset)).count();
        if let Some(place) = places.last_mut().filter(|_| open) {
            (place.0.end, place.1.end) = (run.reference.start + after, run.hypothesis.start + after);
        }
        open &= after == length;
        if !open {
            let before = (0..length - after).take_while(|back| sticks(length - 1 - back)).count();
            if before > 0 {
                places.push((
                    run.reference.end - before..run.reference.end,
                    run.hypothesis.end - before..run.hypothesis.end,
                ));
                open = true;
            }
        }
    }
    // A stretch of sticky words that nothing different follows.
    let same = |place: &Place| words.reference[place.0.clone()] == words.hypothesis[place.1.clone()];
    places.retain(|place| !same(place));
    places
}

fn is_sticky(word: &str) -> bool {
    is_negation(word) || quantity(word).is_some()
}

/// A place with one more word on either side.
fn around<'w>(words: &'w WordComparison, place: &Place) -> Texts<'w> {
    let wider = |words: &'w [String], range: &std::ops::Range<usize>| {
        &words[range.start.saturating_sub(1)..(range.end + 1).min(words.len())]
    };
    Texts { reference: wider(&words.reference, &place.0), hypothesis: wider(&words.hypothesis, &place.1) }
}

impl Texts<'_> {
    /// What was changed here.
    fn changed(&self, names: &BTreeSet<String>, around: &Texts<'_>) -> Vec<CriticalKind> {
        let mut kinds = Vec::new();
        if self.negated(around) {
            kinds.push(CriticalKind::Negation);
        }
        let (reference, hypothesis) = (Items::of(self.reference), Items::of(self.hypothesis));
        let changes = [
            (CriticalKind::Number, differ(&reference.numbers, &hypothesis.numbers)),
            (CriticalKind::Unit, differ(&reference.units, &hypothesis.units)),
            (CriticalKind::Side, differ(&reference.sides, &hypothesis.sides)),
            (CriticalKind::Date, differ(&reference.dates, &hypothesis.dates)),
        ];
        kinds.extend(changes.into_iter().filter(|(_, changed)| *changed).map(|(kind, _)| kind));
        if kinds.is_empty() && self.renamed(names) {
            kinds.push(CriticalKind::Name);
        }
        kinds
    }

    /// Whether one of the two has a negation and the other has none.
    fn negated(&self, around: &Texts<'_>) -> bool {
        let joined = |words: &[String]| NEGATIONS_WITHIN.iter().any(|part| words.concat().contains(part));
        let has = |words: &[String], around: &[String]| words.iter().any(|word| is_negation(word)) || joined(around);
        let prefixed = match (self.reference, self.hypothesis) {
            ([one], [other]) => is_opposite(one, other) || is_opposite(other, one),
            _ => false,
        };
        // A whole clause that is gone, with a negation in it, is an omission.
        let slip = self.reference.len().abs_diff(self.hypothesis.len()) <= LONGEST_DROPPED;
        prefixed || slip && has(self.reference, around.reference) != has(self.hypothesis, around.hypothesis)
    }

    /// Whether a name has other letters in its place.
    fn renamed(&self, names: &BTreeSet<String>) -> bool {
        let letters = |words: &[String]| -> String {
            words.iter().flat_map(|word| word.chars()).filter(|c| c.is_alphanumeric()).collect()
        };
        let heard = letters(self.hypothesis);
        !heard.is_empty()
            && self
                .reference
                .iter()
                .any(|word| names.contains(word) && !heard.contains(&letters(std::slice::from_ref(word))))
    }
}

/// Whether something of one kind was replaced by another of its kind.
fn differ(reference: &[BTreeSet<String>], hypothesis: &[BTreeSet<String>]) -> bool {
    let unmatched = |ours: &[BTreeSet<String>], theirs: &[BTreeSet<String>]| {
        ours.iter().any(|one| !theirs.iter().any(|other| !one.is_disjoint(other)))
    };
    unmatched(reference, hypothesis) && unmatched(hypothesis, reference)
}

/// What can be critical in some words; each thing by all the ways to read it.
#[derive(Default)]
struct Items {
    numbers: Vec<BTreeSet<String>>,
    units: Vec<BTreeSet<String>>,
    sides: Vec<BTreeSet<String>>,
    dates: Vec<BTreeSet<String>>,
}

impl Items {
    fn of(words: &[String]) -> Self {
        let mut items = Self::default();
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            if let Some((readings, taken)) = clock(rest).or_else(|| money(rest)).or_else(|| number(rest)) {
                items.numbers.push(readings);
                let written = words[at..at + taken].iter();
                items
                    .units
                    .extend(written.filter_map(|word| split_number(word)?.1).map(|unit| [unit.to_owned()].into()));
                at += taken;
                continue;
            }
            let entry = |table| lookup(table, &words[at]).map(|name| [name.to_owned()].into());
            items.units.extend(entry(UNITS));
            items.sides.extend(entry(SIDES));
            items.dates.extend(entry(DATES));
            at += 1;
        }
        items
    }
}

/// The thing that a word is a name of.
fn lookup(table: &'static [(&str, &str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(_, spellings)| spellings.split(' ').any(|spelling| spelling == word)).map(|(name, _)| *name)
}

/// "Eighteen dollars and forty cents" is 18.40.
fn money(words: &[String]) -> Option<(BTreeSet<String>, usize)> {
    let (whole, taken) = number(words)?;
    lookup(UNITS, words.get(taken)?).filter(|unit| ["$", "€", "£", "₹"].contains(unit))?;
    let joint = usize::from(words.get(taken + 1).is_some_and(|word| word == "and"));
    let (cents, more) = number(words.get(taken + 1 + joint..)?)?;
    let end = taken + 1 + joint + more;
    let minor = lookup(UNITS, words.get(end)?) == Some("cent");
    let joined = |whole: &String, cents: &String| {
        let amount = format!("{whole}.{cents:0>2}");
        amount.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let amounts = whole.iter().flat_map(|whole| cents.iter().map(move |cents| joined(whole, cents)));
    minor.then(|| (amounts.collect(), end + 1))
}

/// A number as one word gives it.
#[derive(Clone)]
enum Quantity {
    /// A number in digits or a word.
    Plain(String),
    /// A word that multiplies: hundred, thousand.
    Scale(u64),
}

fn quantity(word: &str) -> Option<Quantity> {
    if let Some((digits, _)) = split_number(word) {
        return Some(Quantity::Plain(digits));
    }
    let find =
        |(value, spellings): &&(u64, &str)| spellings.split(' ').any(|spelling| spelling == word).then_some(*value);
    if let Some(scale) = SCALES.iter().find_map(|entry| find(&entry)) {
        return Some(Quantity::Scale(scale));
    }
    NUMBERS.iter().find_map(|entry| find(&entry)).map(|value| Quantity::Plain(value.to_string()))
}

/// `$35`, `20%`, `500mg`, `9th`, `1,500.50`: the digits without separators, and the unit that is written on them.
fn split_number(word: &str) -> Option<(String, Option<&'static str>)> {
    let body = word.trim_start_matches(['$', '€', '£', '¥', '₹', '-', '+']);
    let end = body.find(|c: char| !(c.is_numeric() || c == '.' || c == ',')).unwrap_or(body.len());
    let (digits, tail) = body.split_at(end);
    if !digits.starts_with(|c: char| c.is_numeric()) {
        return None;
    }
    let numbers = crate::lookup::numbers(digits);
    let [number] = numbers.as_slice() else { return None };
    let tail = tail.trim_start_matches('-');
    let ordinal = ["", "st", "nd", "rd", "th"].contains(&tail);
    let sign = word.strip_suffix(body).map(|sign| sign.trim_matches(['-', '+'])).filter(|sign| !sign.is_empty());
    let unit = |written: &str| {
        UNITS
            .iter()
            .find(|(name, spellings)| *name == written || spellings.split(' ').any(|s| s == written))
            .map(|(name, _)| *name)
    };
    match sign.or(Some(tail)).filter(|_| sign.is_some() || !ordinal) {
        None => Some((number.clone(), None)),
        Some(written) => unit(written).map(|unit| (number.clone(), Some(unit))),
    }
}

/// A number at the start of some words, by all its readings, and how many words it takes.
fn number(words: &[String]) -> Option<(BTreeSet<String>, usize)> {
    let mut parts = Vec::new();
    let mut taken = 0;
    let mut point = None;
    while let Some(word) = words.get(taken) {
        let next = words.get(taken + 1).and_then(|word| quantity(word));
        match quantity(word) {
            Some(part) => parts.push(part),
            None if word == "and" && matches!(parts.last(), Some(Quantity::Scale(_))) && next.is_some() => {}
            None if word == "point" && !parts.is_empty() && next.is_some() && point.is_none() => {
                point = Some(parts.len())
            }
            None => break,
        }
        taken += 1;
    }
    if parts.is_empty() {
        return None;
    }
    let mut readings = BTreeSet::new();
    let (whole, fraction) = parts.split_at(point.unwrap_or(parts.len()));
    let digits = |parts: &[Quantity]| -> Option<String> {
        parts.iter().map(|part| if let Quantity::Plain(digits) = part { Some(digits.as_str()) } else { None }).collect()
    };
    let mut add = |whole: String| {
        let half = words[taken..].starts_with(&["and".to_owned(), "a".to_owned(), "half".to_owned()]);
        readings.insert(match digits(fraction).filter(|fraction| !fraction.is_empty()) {
            Some(fraction) => format!("{whole}.{fraction}"),
            None if half => format!("{whole}.5"),
            None => whole,
        });
    };
    if let Some(value) = sum(whole) {
        add(value.to_string());
    }
    // "four two two", "twenty twenty four": digit by digit, or by tens.
    for spelled in [digits(whole), digits(&by_tens(whole))].into_iter().flatten() {
        add(spelled);
    }
    if words[taken..].starts_with(&["and".to_owned(), "a".to_owned(), "half".to_owned()]) {
        taken += 3;
    }
    Some((readings, taken))
}

/// "Twenty", "four" as 24; the rest as it is.
fn by_tens(parts: &[Quantity]) -> Vec<Quantity> {
    let value = |part: &Quantity| if let Quantity::Plain(digits) = part { digits.parse::<u64>().ok() } else { None };
    let mut grouped: Vec<Quantity> = Vec::new();
    for part in parts {
        let ten = grouped.last().and_then(value).filter(|ten| (20..100).contains(ten) && ten % 10 == 0);
        match ten.zip(value(part).filter(|unit| (1..10).contains(unit))) {
            Some((ten, unit)) => {
                grouped.pop();
                grouped.push(Quantity::Plain((ten + unit).to_string()));
            }
            None => grouped.push(part.clone()),
        }
    }
    grouped
}

/// "Two thousand five hundred thirty five" as one number.
fn sum(parts: &[Quantity]) -> Option<u64> {
    let (mut total, mut group) = (0_u64, 0_u64);
    for part in parts {
        match part {
            Quantity::Scale(100) => group = group.max(1).checked_mul(100)?,
            Quantity::Scale(scale) => {
                total = total.checked_add(group.max(1).checked_mul(*scale)?)?;
                group = 0;
            }
            Quantity::Plain(digits) => {
                let value: u64 = digits.parse().ok()?;
                let room = match group {
                    0 => u64::MAX,
                    _ if group % 100 == 0 => 100,
                    _ if group % 10 == 0 && group % 100 >= 20 => 10,
                    _ => return None,
                };
                if value >= room {
                    return None;
                }
                group = group.checked_add(value)?;
            }
        }
    }
    total.checked_add(group)
}

/// "Quarter past three" is 3:15, whose colon is gone by now: 315.
fn clock(words: &[String]) -> Option<(BTreeSet<String>, usize)> {
    let (part, rest) = words.split_first()?;
    let (to, rest) = rest.split_first()?;
    let hour: u64 = match quantity(rest.first()?)? {
        Quantity::Plain(digits) => digits.parse().ok()?,
        Quantity::Scale(_) => return None,
    };
    let reading = match (part.as_str(), to.as_str()) {
        ("quarter", "past" | "after") => format!("{hour}15"),
        ("half", "past") => format!("{hour}30"),
        ("quarter", "to" | "of") => format!("{}45", if hour == 1 { 12 } else { hour.checked_sub(1)? }),
        _ => return None,
    };
    Some(([reading].into(), 3))
}

/// The words that the reference writes with a capital inside a sentence, without case. German writes every noun so, and
/// there it says nothing.
fn names(reference: &str) -> BTreeSet<String> {
    let (mut names, mut common) = (BTreeSet::new(), BTreeSet::new());
    let mut starts = true;
    // A line begins like a sentence.
    let tokens = reference.lines().flat_map(|line| line.split_whitespace().enumerate());
    for (position, token) in tokens {
        starts |= position == 0;
        for word in token.split(['-', '/', '–']) {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let capital = word.chars().next().is_some_and(char::is_uppercase);
            let folded: String = word.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
            let first_person = folded == "i" || word.starts_with("I'") || word.starts_with("I’");
            if capital && !starts && !first_person && !TITLES.contains(&folded.as_str()) {
                names.insert(folded);
            } else if !capital {
                common.insert(folded);
            }
            starts = false;
        }
        let abbreviated = TITLES.contains(&token.trim_end_matches('.').to_lowercase().as_str());
        starts |= token.ends_with(['.', '!', '?', ':', '"', '”', '।', '。']) && !abbreviated;
    }
    if GERMAN.iter().filter(|word| common.contains(**word)).count() >= 2 {
        return BTreeSet::new();
    }
    names.retain(|name| !common.contains(name) && quantity(name).is_none() && lookup(DATES, name).is_none());
    names
}

fn is_negation(word: &str) -> bool {
    let plain: String = word.chars().filter(|c| !"'’".contains(*c)).collect();
    NEGATIONS.contains(&plain.as_str())
}

/// "Unsafe" against "safe".
fn is_opposite(word: &str, other: &str) -> bool {
    let prefixes: &[(&str, usize)] = &[("un", 3), ("non", 3), ("dis", 4), ("in", 5), ("im", 5), ("ir", 5), ("il", 5)];
    prefixes.iter().any(|(prefix, least)| other.chars().count() >= *least && word.strip_prefix(prefix) == Some(other))
}

/// Words that negate, in the languages of the data.
const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "none",
    "nobody",
    "nothing",
    "nowhere",
    "neither",
    "nor",
    "without",
    "cannot",
    "aint",
    "arent",
    "cant",
    "couldnt",
    "didnt",
    "doesnt",
    "dont",
    "hadnt",
    "hasnt",
    "havent",
    "isnt",
    "mustnt",
    "neednt",
    "shouldnt",
    "wasnt",
    "werent",
    "wont",
    "wouldnt",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "keines",
    "nie",
    "niemals",
    "nichts",
    "niemand",
    "ohne",
    "nunca",
    "jamás",
    "ningún",
    "ninguna",
    "ninguno",
    "nada",
    "nadie",
    "sin",
    "tampoco",
    "ne",
    "pas",
    "jamais",
    "aucun",
    "aucune",
    "rien",
    "sans",
    "non",
    "नहीं",
    "मत",
    "बिना",
    "не",
    "нет",
    "никогда",
    "без",
];

/// Parts of words that negate where words are not parted by spaces.
const NEGATIONS_WITHIN: &[&str] = &["ない", "ません", "なかっ", "不", "没", "沒"];

const TITLES: &[&str] = &["mr", "mrs", "ms", "miss", "dr", "doctor", "prof", "professor", "sir", "madam", "st"];

const GERMAN: &[&str] =
    &["und", "der", "die", "das", "ich", "ist", "nicht", "für", "ein", "eine", "wir", "mit", "auf", "den"];

const SIDES: &[(&str, &str)] = &[
    ("left", "left links linke linken linker izquierda izquierdo gauche बाएं बायां 左"),
    ("right", "right rechts rechte rechten rechter derecha derecho droite droit दाएं दायां 右"),
];

const DATES: &[(&str, &str)] = &[
    ("monday", "monday mon montag lunes lundi सोमवार"),
    ("tuesday", "tuesday tue tues dienstag martes mardi मंगलवार"),
    ("wednesday", "wednesday wed mittwoch miércoles mercredi बुधवार"),
    ("thursday", "thursday thu thurs donnerstag jueves jeudi गुरुवार"),
    ("friday", "friday fri freitag viernes vendredi शुक्रवार"),
    ("saturday", "saturday sat samstag sábado samedi शनिवार"),
    ("sunday", "sunday sonntag domingo dimanche रविवार"),
    ("january", "january jan januar enero janvier जनवरी"),
    ("february", "february feb februar febrero février फरवरी"),
    ("march", "march märz marzo mars मार्च"),
    ("april", "april apr abril avril अप्रैल"),
    ("may", "may mai mayo मई"),
    ("june", "june jun juni junio juin जून"),
    ("july", "july jul juli julio juillet जुलाई"),
    ("august", "august aug agosto août अगस्त"),
    ("september", "september sept septiembre septembre सितंबर"),
    ("october", "october oct oktober octubre octobre अक्टूबर"),
    ("november", "november nov noviembre novembre नवंबर"),
    ("december", "december dec dezember diciembre décembre दिसंबर"),
    ("today", "today heute hoy आज"),
    ("tomorrow", "tomorrow morgen mañana demain 明日"),
    ("yesterday", "yesterday gestern ayer hier 昨日"),
];

const UNITS: &[(&str, &str)] = &[
    ("mg", "mg milligram milligrams milligramm miligramos milligrammes मिलीग्राम"),
    ("mcg", "mcg µg μg microgram micrograms mikrogramm microgramos microgrammes माइक्रोग्राम"),
    ("g", "g gram grams gramm gramos grammes ग्राम"),
    ("kg", "kg kilo kilos kilogram kilograms kilogramm किलो किलोग्राम"),
    ("lb", "lb lbs"),
    ("oz", "oz ounce ounces"),
    ("ml", "ml milliliter milliliters millilitre millilitres"),
    ("l", "liter liters litre litres"),
    ("mm", "mm millimeter millimeters millimetre millimetres"),
    ("cm", "cm centimeter centimeters centimetre centimetres"),
    ("m", "meter meters metre metres"),
    ("km", "km kilometer kilometers kilometre kilometres"),
    ("mile", "mile miles"),
    ("foot", "ft foot feet"),
    ("inch", "inch inches"),
    ("minute", "minute minutes min mins minuten minutos मिनट"),
    ("hour", "hour hours hr hrs stunde stunden hora horas heure heures घंटा घंटे"),
    ("day", "day days tag tage tagen día días jour jours दिन"),
    ("week", "week weeks woche wochen semana semanas semaine semaines हफ्ते सप्ताह"),
    ("month", "month months monat monate monaten mes meses mois महीने"),
    ("year", "year years jahr jahre jahren año años an ans साल"),
    ("$", "$ usd dollar dollars buck bucks"),
    ("cent", "cents ¢ pence paise"),
    ("€", "€ eur euro euros"),
    ("£", "£ gbp pound pounds quid"),
    ("₹", "₹ inr rupee rupees रुपये रुपए"),
    ("¥", "¥ yen 円"),
    ("percent", "% percent prozent"),
];

const SCALES: &[(u64, &str)] = &[
    (100, "hundred hundert cien ciento cent सौ 百"),
    (1_000, "thousand tausend mil mille हज़ार हजार 千"),
    (100_000, "lakh lakhs लाख"),
    (1_000_000, "million millions millionen millones"),
    (10_000_000, "crore crores करोड़"),
    (1_000_000_000, "billion billions"),
];

const NUMBERS: &[(u64, &str)] = &[
    (0, "zero oh null cero zéro शून्य 〇"),
    (1, "one first eins एक 一"),
    (2, "two zwei zweite dos deux दो 二"),
    (3, "three third drei dritte tres trois तीन 三"),
    (4, "four fourth vier vierte cuatro quatre चार 四"),
    (5, "five fifth fünf fünfte cinco cinq पाँच पांच 五"),
    (6, "six sixth sechs sechste seis छह 六"),
    (7, "seven seventh sieben siebte siete sept सात 七"),
    (8, "eight eighth acht achte ocho huit आठ 八"),
    (9, "nine ninth neun neunte nueve neuf नौ 九"),
    (10, "ten tenth zehn zehnte diez dix दस 十"),
    (11, "eleven eleventh elf once onze ग्यारह"),
    (12, "twelve twelfth zwölf doce douze बारह"),
    (13, "thirteen thirteenth dreizehn trece treize तेरह"),
    (14, "fourteen fourteenth vierzehn catorce quatorze चौदह"),
    (15, "fifteen fifteenth fünfzehn quince quinze पंद्रह"),
    (16, "sixteen sixteenth sechzehn seize सोलह"),
    (17, "seventeen seventeenth siebzehn सत्रह"),
    (18, "eighteen eighteenth achtzehn अठारह"),
    (19, "nineteen nineteenth neunzehn उन्नीस"),
    (20, "twenty twentieth zwanzig veinte vingt बीस"),
    (30, "thirty thirtieth dreißig dreissig treinta trente तीस"),
    (40, "forty fortieth vierzig cuarenta quarante चालीस"),
    (50, "fifty fiftieth fünfzig cincuenta cinquante पचास"),
    (60, "sixty sechzig sesenta soixante साठ"),
    (70, "seventy siebzig setenta सत्तर"),
    (80, "eighty achtzig ochenta अस्सी"),
    (90, "ninety neunzig noventa नब्बे"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_rate::compare_words;
    use crate::text::Normalisation;
    use CriticalKind::{Date, Name, Negation, Number, Side, Unit};
    use proptest::prelude::*;

    fn kinds(reference: &str, hypothesis: &str) -> Vec<CriticalKind> {
        let words = compare_words(reference, hypothesis, &Normalisation::default()).expect("short texts");
        critical_differences(reference, &words).iter().map(|difference| difference.kind).collect()
    }

    #[test]
    fn what_changes_the_meaning() {
        for (reference, hypothesis, kind) in [
            ("You should not take the ibuprofen.", "You should take the ibuprofen.", Negation),
            ("You can take it.", "You can't take it.", Negation),
            ("I don't have any pain.", "I do have any pain.", Negation),
            ("It is safe.", "It is unsafe.", Negation),
            ("Take it without food.", "Take it with food.", Negation),
            ("Ich nehme das nicht.", "Ich nehme das.", Negation),
            ("No tengo dolor.", "Tengo dolor.", Negation),
            ("मुझे दर्द नहीं है", "मुझे दर्द है", Negation),
            ("電話番号は変わっていません。", "電話番号は変わっています。", Negation),
            ("within fifteen days", "within 50 days", Number),
            ("one hundred thirty dollars", "one hundred fifty dollars", Number),
            ("my pin is four two two", "my pin is 122", Number),
            ("It costs $35.", "It costs $3.50.", Number),
            ("at a quarter past three", "at 3:45", Number),
            ("ten milligrams", "ten micrograms", Unit),
            ("10mg daily", "10 mcg daily", Unit),
            ("for two days", "for two weeks", Unit),
            ("thirty five dollars", "€35", Unit),
            ("in the left knee", "in the right knee", Side),
            ("It burst on Sunday night.", "It burst on Monday night.", Date),
            ("from the ninth of March", "from the ninth of May", Date),
            ("Please ask for Doctor Szymanski today.", "Please ask for Doctor Shimmer Ski today.", Name),
        ] {
            assert_eq!(kinds(reference, hypothesis), [kind], "{reference} / {hypothesis}");
        }
    }

    #[test]
    fn what_does_not() {
        for (reference, hypothesis) in [
            ("I can refund thirty five dollars.", "I can refund $35."),
            ("within fifteen days", "within 15 days"),
            ("one thousand two hundred and thirty four", "1,234"),
            ("my pin is four two two", "my pin is 422"),
            ("in twenty twenty four", "in 2024"),
            ("three point five", "3.5"),
            ("two and a half hours", "2.5 hours"),
            ("at a quarter past three", "at 3:15"),
            ("on the ninth of March", "on 9th March"),
            ("ten milligrams", "10mg"),
            ("twenty percent", "20%"),
            ("two hundred and eighteen dollars and forty cents", "$218.40"),
            ("It came on Monday.", "It came on t."),
            ("do not go", "don't go"),
            ("I cannot come", "I can not come"),
            ("no no no thanks", "no no thanks"),
            ("while you're on the warfarin", "while your on the warfarin"),
            ("Good morning, Priyanka.", "good morning priyanka"),
            ("ask Mrs. Oyelaran-Whitcombe", "ask Mrs Oyelaran Whitcombe"),
            (
                "Ich gehe zur Vorsorgeuntersuchung und nehme das Mittel",
                "ich gehe zur Vorsorge Untersuchung und nehme das Mittel",
            ),
            ("please pay thirty five dollars today", "please pay dollars today"),
            ("That is all right.", "That is alright."),
            ("Driver: I can leave it\nCustomer: No, thanks.", "Driver: I can leave it no thanks."),
            ("I'm at twelve, but nobody is answering the bell today", "I'm at twelve today"),
            ("hello there", ""),
            ("", "hello there"),
        ] {
            assert_eq!(kinds(reference, hypothesis), [], "{reference} / {hypothesis}");
        }
    }

    proptest! {
        #[test]
        fn a_text_is_not_critically_different_from_itself(text in "[a-zA-Z0-9 .,$%]{0,80}") {
            prop_assert_eq!(kinds(&text, &text), []);
        }

        #[test]
        fn two_numbers_are_the_same_or_critical(one in 0u32..100_000, other in 0u32..100_000) {
            let found = kinds(&format!("it is {one} today"), &format!("it is {other} today"));
            prop_assert_eq!(found.is_empty(), one == other);
        }

        #[test]
        fn no_text_breaks_it(reference in any::<String>(), hypothesis in any::<String>()) {
            kinds(&reference, &hypothesis);
        }
    }
}
