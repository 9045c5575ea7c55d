//! What rules can say in a model's place, and no more.
//!
//! Word overlap is no judgement, so the rules decide only where something can be compared: the fields or sentences of the
//! ground truth that the behaviour's own words name, looked up in the output. Where nothing can be compared they say
//! so, and the behaviour stays undecided.

use super::checks::{as_json, as_text, brief};
use super::judge::Behaviour;
use super::prompt_file::{BehaviourPrompt, SectionKind};
use super::question::end_of;
use assize_core::Case;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// The share of the words of an expected text that must occur in the output for it to count as there.
const ENOUGH: f64 = 0.75;
/// Below this share the expected text counts as missing.
const HARDLY: f64 = 0.34;

/// The words that say what a behaviour is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Focus {
    words: HashSet<String>,
}

impl Focus {
    pub(super) fn of(id: &str, prompt: Option<&BehaviourPrompt>, concept: Option<&str>) -> Self {
        let mut words: HashSet<String> = content_words(id).collect();
        words.extend(content_words(concept.unwrap_or_default()));
        for item in prompt.iter().flat_map(|prompt| prompt.items(SectionKind::Include)) {
            words.extend(content_words(&item.text.joined()));
        }
        Self { words }
    }

    /// Whether a field is one that the behaviour is about: all the words of its own name, or of one it is within, are the
    /// behaviour's. `date_of_loss` is not the cause of the loss, though they share a word.
    fn names_field(&self, path: &str) -> bool {
        path.split('.').any(|name| {
            let mut words = content_words(name).peekable();
            words.peek().is_some() && words.all(|word| self.words.contains(&word))
        })
    }

    /// Whether a sentence is about the behaviour: one shared word may be chance.
    fn names_sentence(&self, sentence: &str) -> bool {
        let shared: HashSet<String> = content_words(sentence).filter(|word| self.words.contains(word)).collect();
        shared.len() >= self.words.len().min(2) && !shared.is_empty()
    }
}

/// The answer of the rules to a behaviour's question.
pub(super) fn stand_in(behaviour: &Behaviour, case: &Case) -> Value {
    let null = Value::Null;
    let truth = as_json(case.inputs.get("ground_truth").unwrap_or(&null));
    let output = as_json(case.inputs.get("candidate_output").unwrap_or(&null));
    let expected = expected(&truth, &behaviour.focus);
    let mut found = FieldAgreement::default();
    let words = WordsOf::read(&as_text(&output));
    for (path, value) in &expected {
        found.compare(path, value, &output, &words);
    }
    answer(behaviour, &found)
}

/// What a rule can look for: the leaves of a JSON ground truth, or the sentences of a text, that the behaviour names.
fn expected<'v>(truth: &'v Value, focus: &Focus) -> Vec<(String, std::borrow::Cow<'v, Value>)> {
    use std::borrow::Cow;
    match truth {
        Value::Object(_) | Value::Array(_) => {
            let mut leaves = Vec::new();
            collect(truth, String::new(), &mut leaves);
            leaves
                .into_iter()
                .filter(|(path, _)| focus.names_field(path))
                .map(|(path, value)| (path, Cow::Borrowed(value)))
                .collect()
        }
        Value::String(text) => text
            .split_inclusive(['.', '\n', ';'])
            .map(str::trim)
            .filter(|sentence| focus.names_sentence(sentence))
            .map(|sentence| (String::new(), Cow::Owned(Value::String(sentence.to_owned()))))
            .collect(),
        _ => Vec::new(),
    }
}

fn collect<'v>(value: &'v Value, path: String, leaves: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(value, path, leaves);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, path.clone(), leaves)),
        leaf => leaves.push((path, leaf)),
    }
}

#[derive(Default)]
struct FieldAgreement {
    agree: Vec<String>,
    differ: Vec<String>,
    unclear: Vec<String>,
}

impl FieldAgreement {
    fn compare(&mut self, path: &str, expected: &Value, output: &Value, words: &WordsOf) {
        let name = if path.is_empty() { brief(expected) } else { path.to_owned() };
        // "Not known" and yes-or-no cannot be looked up in prose.
        if matches!(expected, Value::Null | Value::Bool(_)) && !output.is_object() {
            return self.unclear.push(name);
        }
        if output.is_object() || output.is_array() {
            let mut leaves = Vec::new();
            collect(output, String::new(), &mut leaves);
            let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_lowercase();
            let same_key: Vec<&Value> =
                leaves.iter().filter(|(other, _)| last(other) == last(path)).map(|(_, value)| *value).collect();
            if same_key.iter().any(|value| alike(expected, value)) {
                // The values of a list have one name.
                if !self.agree.contains(&name) {
                    self.agree.push(name);
                }
            } else if same_key.iter().any(|value| may_be_reworded(expected, value)) {
                self.unclear.push(name);
            } else if let [value] = same_key[..] {
                self.differ.push(format!("{name} is {}, expected {}", brief(value), brief(expected)));
            } else if !same_key.is_empty() {
                self.differ.push(format!("{name} lacks {}", brief(expected)));
            } else {
                self.differ.push(format!("{name} is missing, expected {}", brief(expected)));
            }
            return;
        }
        match words.holds(&as_text(expected)) {
            Some(true) => self.agree.push(name),
            Some(false) => self.differ.push(format!("expected {} is not in the output", brief(expected))),
            None => self.unclear.push(name),
        }
    }
}

fn alike(expected: &Value, found: &Value) -> bool {
    if super::checks::same(expected, found) {
        return true;
    }
    let plain = |value: &Value| -> Vec<String> { tokens(&as_text(value)).collect() };
    !matches!(expected, Value::Null) && plain(expected) == plain(found)
}

/// Two texts with the same numbers that share a word may say the same; only a reader can tell.
fn may_be_reworded(expected: &Value, found: &Value) -> bool {
    let (Value::String(expected), Value::String(found)) = (expected, found) else { return false };
    let split = |text: &str| -> (HashSet<String>, HashSet<String>) {
        tokens(text).filter(|token| token.len() > 3 || is_number(token)).partition(|token| is_number(token))
    };
    let ((numbers, words), (other_numbers, other_words)) = (split(expected), split(found));
    numbers == other_numbers && !words.is_disjoint(&other_words)
}

/// The words and numbers of an output.
struct WordsOf {
    words: HashSet<String>,
}

impl WordsOf {
    fn read(text: &str) -> Self {
        Self { words: tokens(text).collect() }
    }

    /// Whether an expected text is there: all its numbers, and most of its words. `None` where that is not clear.
    fn holds(&self, expected: &str) -> Option<bool> {
        let tokens: Vec<String> = tokens(expected).filter(|token| token.len() > 2 || is_number(token)).collect();
        let (numbers, words): (Vec<&String>, Vec<&String>) = tokens.iter().partition(|token| is_number(token));
        if tokens.is_empty() {
            return None;
        }
        if numbers.iter().any(|number| !self.words.contains(*number)) {
            return Some(false);
        }
        if words.is_empty() {
            return Some(true);
        }
        let there = words.iter().filter(|word| self.words.contains(**word)).count();
        let share = there as f64 / words.len() as f64;
        match share {
            _ if share >= ENOUGH => Some(true),
            _ if share <= HARDLY && numbers.is_empty() => Some(false),
            _ => None,
        }
    }
}

fn is_number(token: &str) -> bool {
    token.bytes().any(|byte| byte.is_ascii_digit())
}

/// Words in lower case without plural endings; numbers without thousands separators and trailing zeros.
fn tokens(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|character: char| !(character.is_alphanumeric() || matches!(character, '.' | ',')))
        .map(|token| token.trim_matches(['.', ',']))
        .filter(|token| !token.is_empty())
        .flat_map(|token| {
            if is_number(token) {
                let plain = token.replace(',', "");
                let plain = match plain.split_once('.') {
                    Some((whole, rest)) if rest.bytes().all(|byte| byte == b'0') => whole.to_owned(),
                    _ => plain,
                };
                vec![plain.to_lowercase()]
            } else {
                token.split(['.', ',']).filter(|word| !word.is_empty()).map(stemmed).collect()
            }
        })
}

fn stemmed(word: &str) -> String {
    let word = word.to_lowercase();
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 3 && !stem.ends_with('s') => stem.to_owned(),
        _ => word,
    }
}

fn content_words(text: &str) -> impl Iterator<Item = String> + '_ {
    const COMMON: [&str; 34] = [
        "the",
        "and",
        "for",
        "with",
        "that",
        "this",
        "note",
        "output",
        "ground",
        "truth",
        "source",
        "narrative",
        "claim",
        "candidate",
        "correct",
        "correctly",
        "stated",
        "named",
        "given",
        "whether",
        "from",
        "are",
        "any",
        "each",
        "every",
        "its",
        "has",
        "was",
        "were",
        "not",
        "which",
        "matche",
        "match",
        "prompt",
    ];
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.len() > 2)
        .map(stemmed)
        .filter(|word| !COMMON.contains(&word.as_str()))
}

fn answer(behaviour: &Behaviour, found: &FieldAgreement) -> Value {
    let verdict = if !found.differ.is_empty() {
        Some(false)
    } else if !found.agree.is_empty() && found.unclear.is_empty() {
        Some(true)
    } else {
        None
    };
    let reason = match verdict {
        Some(false) => format!("Rules, not a reading: {}", found.differ.join("; ")),
        Some(true) => {
            format!("Rules, not a reading: what the ground truth gives for {} is in the output", found.agree.join(", "))
        }
        None if found.unclear.is_empty() => {
            "Rules cannot decide this: nothing in the ground truth that it speaks of can be looked up in the output"
                .to_owned()
        }
        None => format!(
            "Rules cannot decide this: {} may be there in other words, which takes a reader",
            found.unclear.join(", ")
        ),
    };
    let mut answer = Map::new();
    answer.insert("reason".into(), fitted(&reason).into());
    if behaviour.asks_applicable {
        answer.insert("applicable".into(), true.into());
    }
    match verdict {
        Some(_) => answer.insert("confidence".into(), "medium".into()),
        None => answer.insert("uncertain".into(), true.into()),
    };
    answer.insert("pass".into(), (verdict == Some(true)).into());
    if let Some(scale) = &behaviour.scale {
        answer.insert("score".into(), json!(end_of(scale, verdict == Some(true))));
    }
    Value::Object(answer)
}

/// A reason of 50 to 200 characters.
fn fitted(reason: &str) -> String {
    let length = reason.chars().count();
    if length > 200 {
        reason.chars().take(197).chain("...".chars()).collect()
    } else if length < 50 {
        format!("{reason} (compared by rules, without a model)")
    } else {
        reason.to_owned()
    }
}
