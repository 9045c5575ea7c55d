//! A translation, sentence by sentence, with its terms, names and facts.

use super::super::call::{Call, Matched, items as list, text};
use super::super::compared::ComparedSentence;
use super::super::likeness::Likeness;
use super::{Read, note_matching, object, put, rate, rate_with};
use assize_core::{Bounds, Judgment, Method, Metric};
use assize_metrics::lookup::numbers;
use assize_metrics::text::{Normalisation, normalise};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// As many of the least alike sentences are listed.
const WORST: usize = 10;

/// Fluency labels and their values.
pub(in super::super) const FLUENCY: [(&str, f64); 5] = [
    ("native", 1.0),
    ("minor_issues", 0.75),
    ("noticeable_errors", 0.5),
    ("significant_issues", 0.25),
    ("incomprehensible", 0.0),
];

struct Sentence<'c> {
    id: String,
    expected: &'c str,
    /// The translation, where it is one.
    given: Option<&'c str>,
    numbers: OnceLock<(Vec<String>, Vec<String>)>,
}

impl Sentence<'_> {
    /// The numbers of the given translation and of the expected one.
    fn numbers(&self) -> &(Vec<String>, Vec<String>) {
        self.numbers.get_or_init(|| (numbers(self.given.unwrap_or_default()), numbers(self.expected)))
    }
}

struct Term<'c> {
    term: &'c str,
    expected: &'c str,
    handled_as: Option<&'c str>,
    occurs: bool,
}

pub(in super::super) struct Translation<'c> {
    matched: Matched<'c>,
    sentences: Vec<Sentence<'c>>,
    untranslated: Vec<String>,
    terms: Vec<Term<'c>>,
    names: Vec<Term<'c>>,
    configured_facts: Vec<&'c str>,
}

pub(in super::super) fn find<'c>(call: &Call<'c>) -> Translation<'c> {
    let output = call.output();
    let matched = Matched::by_id(
        list(call.expected, "sentence_translations"),
        list(output, "sentence_translations"),
        &["source_id", "sentence_id", "id"],
    );
    let mut untranslated = Vec::new();
    let sentences: Vec<Sentence<'_>> = matched
        .pairs
        .iter()
        .map(|(id, expected, found)| {
            let (source, reference) =
                (text(expected, "source_text"), text(expected, "translated_text").unwrap_or_default());
            let given = found.and_then(|item| text(item, "translated_text"));
            // A sentence left as it was is not a translation, unless that is what is expected.
            let copied =
                given.zip(source).is_some_and(|(given, source)| same(given, source) && !same(reference, source));
            if found.is_some() && (given.is_none() || copied) {
                untranslated.push(id.clone());
            }
            Sentence { id: id.clone(), expected: reference, given: given.filter(|_| !copied), numbers: OnceLock::new() }
        })
        .collect();
    let mut written = text(output, "full_translation").unwrap_or_default().to_owned();
    for item in list(output, "sentence_translations") {
        written.push('\n');
        written.push_str(text(item, "translated_text").unwrap_or_default());
    }
    let written = folded(&written);
    let terms = |list_key: &str, term_key: &str| handled(call, &written, list_key, term_key);
    let configured_facts = call.config("critical_facts").and_then(Value::as_array);
    Translation {
        terms: terms("domain_terms_handled", "term"),
        names: terms("named_entities_handled", "entity"),
        configured_facts: configured_facts.into_iter().flatten().filter_map(Value::as_str).collect(),
        matched,
        sentences,
        untranslated,
    }
}

/// The translations of every sentence side by side.
pub(in super::super) fn compared(call: &Call<'_>) -> Vec<ComparedSentence> {
    let found = find(call);
    let compared = found.matched.pairs.iter().map(|(id, expected, given)| ComparedSentence {
        id: id.clone(),
        source: text(expected, "source_text").map(str::to_owned),
        expected: text(expected, "translated_text").map(str::to_owned),
        given: given.and_then(|item| text(item, "translated_text")).map(str::to_owned),
    });
    compared.collect()
}

fn handled<'c>(call: &Call<'c>, written: &str, list_key: &str, term_key: &str) -> Vec<Term<'c>> {
    let output = list(call.output(), list_key);
    list(call.expected, list_key)
        .iter()
        .filter_map(|item| {
            let (term, expected) = (text(item, term_key)?, text(item, "handled_as")?);
            let found = output.iter().find(|other| text(other, term_key).is_some_and(|other| same(other, term)));
            let handled_as = found.and_then(|other| text(other, "handled_as"));
            Some(Term {
                term,
                expected,
                handled_as,
                occurs: handled_as.is_some_and(|form| written.contains(&folded(form))),
            })
        })
        .collect()
}

fn folded(text: &str) -> String {
    normalise(text, &Normalisation { strip_punctuation: false, ..Normalisation::default() })
}

/// Equal but for compatibility forms, case and spaces.
fn same(one: &str, other: &str) -> bool {
    one == other || folded(one) == folded(other)
}

impl Term<'_> {
    /// As expected to the letter, case included, and really in the translation.
    fn is_preserved(&self) -> bool {
        let exact = Normalisation { fold_case: false, strip_punctuation: false, ..Normalisation::default() };
        self.occurs && self.handled_as.is_some_and(|form| normalise(form, &exact) == normalise(self.expected, &exact))
    }
}

pub(in super::super) fn needs_reading(found: &Translation<'_>) -> bool {
    !found.sentences.is_empty()
}

pub(in super::super) fn items(found: &Translation<'_>) -> Value {
    let facts: Vec<Value> = found
        .configured_facts
        .iter()
        .enumerate()
        .map(|(index, fact)| json!({"item": index + 1, "fact": fact}))
        .collect();
    json!({"critical_facts": facts})
}

pub(in super::super) fn violations(found: &Translation<'_>, answer: &Value) -> Vec<String> {
    let facts = answer.get("facts").and_then(Value::as_array).map_or(0, Vec::len);
    let wanted = found.configured_facts.len();
    if wanted > 0 && facts != wanted {
        return vec![format!("`facts` has {facts} entries for the {wanted} critical facts that are given.")];
    }
    Vec::new()
}

/// The facts are the numbers of the expected translation, sentence by sentence; where there is none, only reading can say
/// what the facts are. Letters cannot say how fluent a text is.
pub(in super::super) fn rules(found: &Translation<'_>) -> Value {
    let mut facts = Vec::new();
    for sentence in &found.sentences {
        let (given, expected) = sentence.numbers();
        for number in expected {
            let status = match () {
                () if given.contains(number) => "kept",
                () if given.is_empty() => "dropped",
                () => "changed",
            };
            facts.push(json!({"fact": format!("{number} (sentence {})", sentence.id), "observed": given.join(", "), "status": status}));
        }
    }
    let facts = if facts.is_empty() { Value::Null } else { Value::Array(facts) };
    let nothing = || json!([]);
    object([
        ("fluency_note", json!("")),
        ("fluency", Value::Null),
        ("facts", facts),
        ("added", nothing()),
        ("claimed", nothing()),
    ])
}

/// The pairs of sentences to be compared in meaning.
pub(in super::super) fn pairs(found: &Translation<'_>) -> Vec<(String, String)> {
    found
        .sentences
        .iter()
        .filter_map(|sentence| Some((sentence.given?.to_owned(), sentence.expected.to_owned())))
        .collect()
}

pub(in super::super) fn score(
    found: &Translation<'_>,
    _: &Call<'_>,
    read: Read<'_>,
    likeness: &Likeness,
    judgment: &mut Judgment,
) {
    note_matching(judgment, "sentence", &found.matched);
    let translated = found.sentences.iter().filter(|sentence| sentence.given.is_some()).count();
    put(judgment, "translation.completeness_rate", rate(translated, found.sentences.len(), Method::Code));
    if !found.untranslated.is_empty() {
        judgment.labels.insert("sentences_untranslated".into(), json!(found.untranslated));
        judgment.flag("sentences_untranslated");
    }
    score_meaning(found, likeness, judgment);
    let label = read.get("fluency").and_then(Value::as_str);
    let fluency = match FLUENCY.iter().find(|(name, _)| Some(*name) == label) {
        Some((_, value)) => Metric::score(Some(*value), read.method()),
        None if found.sentences.is_empty() => Metric::score(None, read.method()),
        None => Metric::between(Bounds(0.0, 1.0), read.method()),
    };
    put(judgment, "translation.fluency", fluency);
    judgment.labels.insert("fluency".into(), json!({"label": label, "note": read.get("fluency_note")}));
    for (name, terms, key) in [
        ("translation.domain_term_preservation", &found.terms, "domain_terms"),
        ("translation.proper_noun_preservation", &found.names, "proper_nouns"),
    ] {
        let preserved = terms.iter().filter(|term| term.is_preserved()).count();
        put(judgment, name, rate(preserved, terms.len(), Method::Code));
        let listed: Vec<Value> = terms
            .iter()
            .map(|term| {
                json!({"term": term.term, "expected": term.expected, "handled_as": term.handled_as, "in_translation": term.occurs, "preserved": term.is_preserved()})
            })
            .collect();
        judgment.labels.insert(key.to_owned(), Value::Array(listed));
    }
    score_facts(found, read, judgment);
}

fn score_meaning(found: &Translation<'_>, likeness: &Likeness, judgment: &mut Judgment) {
    let (mut sum, mut count, mut undecided) = (0.0, 0usize, Vec::new());
    let mut compared: Vec<(f64, &Sentence<'_>)> = Vec::new();
    for sentence in &found.sentences {
        let cosine = match sentence.given {
            None => Ok(0.0),
            Some(given) => likeness.between(given, sentence.expected),
        };
        match cosine {
            Ok(cosine) => {
                sum += cosine;
                count += 1;
                compared.push((cosine, sentence));
            }
            Err(reason) => undecided.push((sentence.id.as_str(), reason)),
        }
    }
    likeness.note(undecided.iter().map(|(_, reason)| *reason), judgment);
    let open = undecided.len() as f64;
    let meaning = Metric::rate_between(sum, sum + open, count as f64 + open, likeness.method());
    put(judgment, "translation.meaning_accuracy", meaning);
    compared.sort_by(|one, other| one.0.total_cmp(&other.0));
    let worst: Vec<Value> = compared
        .iter()
        .take(WORST)
        .map(|(cosine, sentence)| {
            json!({"source_id": sentence.id, "likeness": assize_core::judgment::tidy(*cosine), "given": sentence.given, "expected": sentence.expected})
        })
        .collect();
    judgment.labels.insert("least_alike".into(), Value::Array(worst));
    if !undecided.is_empty() {
        let named = undecided.iter().map(|(id, reason)| json!({"source_id": id, "reason": reason}));
        judgment.labels.insert("meaning_undecided".into(), Value::Array(named.collect()));
        judgment.flag("meaning_undecided");
    }
}

fn score_facts(found: &Translation<'_>, read: Read<'_>, judgment: &mut Judgment) {
    let (facts, added) = (read.list("facts"), read.list("added"));
    let status = |fact: &Value, wanted: &[&str]| {
        fact.get("status").and_then(Value::as_str).is_some_and(|status| wanted.contains(&status))
    };
    let known = facts.iter().filter(|fact| status(fact, &["kept", "changed", "dropped"])).count();
    let kept = facts.iter().filter(|fact| status(fact, &["kept"])).count();
    let drifted = (known - kept + added.len()).min(known);
    // Where nobody listed the facts, there may be some.
    let undecided = if read.has_list("facts") { facts.len() - known } else { usize::from(!found.sentences.is_empty()) };
    let metric = rate_with(known - drifted, known, undecided, read.method()).with_counts([
        ("facts", known as u64),
        ("drifted", (known - kept) as u64),
        ("added", added.len() as u64),
    ]);
    put(judgment, "translation.critical_fact_preservation", metric);
    let listed = [("facts", facts), ("added", added)].map(|(key, list)| (key, Value::Array(list.to_vec())));
    judgment.labels.insert("critical_facts".into(), object(listed));
    let differing: Vec<Value> = found
        .sentences
        .iter()
        .filter(|sentence| sentence.given.is_some())
        .filter_map(|sentence| {
            let (mut given, mut expected) = sentence.numbers().clone();
            given.sort();
            expected.sort();
            (given != expected).then(|| json!({"source_id": sentence.id, "given": given, "expected": expected}))
        })
        .collect();
    if !differing.is_empty() {
        judgment.labels.insert("numbers_differ".into(), Value::Array(differing));
        judgment.flag("numbers_differ");
        if known > 0 && drifted == 0 && read.method() != Method::Rules {
            judgment.flag("facts_mismatch");
        }
    }
}
