//! Sentiment of every sentence, a summary, and the emotions of the call.

use super::super::call::{Call, Matched, at, items as list, text};
use super::super::compared::ComparedSentence;
use super::super::settings::Settings;
use super::{Read, coverage, note_matching, object, percent_with, put, rate, rate_with};
use assize_core::{Bounds, Judgment, Method, Metric};
use assize_metrics::lookup::Searchable;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The classes of sentiment, in the order of the formula.
pub(in super::super) const CLASSES: [&str; 3] = ["positive", "neutral", "negative"];

/// The count names of a class: labelled rightly, labelled so at all, expected.
pub(in super::super) const CLASS_COUNTS: [[&str; 3]; 3] = [
    ["positive_correct", "positive_predicted", "positive_expected"],
    ["neutral_correct", "neutral_predicted", "neutral_expected"],
    ["negative_correct", "negative_predicted", "negative_expected"],
];

/// Words that stand in most call purposes and tell none from another.
const COMMON_WORDS: [&str; 9] =
    ["customer", "caller", "client", "agent", "call", "calling", "called", "about", "regarding"];

pub(in super::super) struct Text<'c> {
    sentences: Matched<'c>,
    /// Expected class, and the class given or why it is none.
    labels: Vec<(String, usize, Given)>,
    purpose: Option<&'c str>,
    expected_purpose: Option<&'c str>,
    highlights: Vec<&'c str>,
    expected_highlights: Vec<&'c str>,
    fields: Vec<(String, bool)>,
    has_summary: bool,
    statements: Vec<String>,
    emotion: Option<(BTreeSet<String>, BTreeSet<String>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Class(usize),
    /// A label that is none of the three.
    Other,
    Missing,
}

pub(in super::super) fn find<'c>(call: &Call<'c>, settings: &Settings) -> Text<'c> {
    let output = call.output();
    let sentences = Matched::by_id(list(call.expected, "sentiment"), list(output, "sentiment"), &["sentence_id", "id"]);
    let labels = sentences
        .pairs
        .iter()
        .filter_map(|(id, expected, found)| {
            let class = class(text(expected, "label")?)?;
            let given = match found.and_then(|item| text(item, "label")) {
                None => Given::Missing,
                Some(label) => self::class(label).map_or(Given::Other, Given::Class),
            };
            Some((id.clone(), class, given))
        })
        .collect();
    let nothing = &Value::Null;
    let (expected_summary, summary) =
        (call.expected.get("summary").unwrap_or(nothing), output.get("summary").unwrap_or(nothing));
    let texts = |value: &'c Value| -> Vec<&'c str> {
        list(value, "highlights")
            .iter()
            .filter_map(Value::as_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .collect()
    };
    let info = |value: &'c Value| value.get("call_extracted_info").and_then(Value::as_object);
    let fields = info(expected_summary)
        .into_iter()
        .flatten()
        .filter(|(_, value)| is_filled(value, settings))
        .map(|(key, _)| {
            let filled = info(summary).and_then(|info| info.get(key)).is_some_and(|value| is_filled(value, settings));
            (key.clone(), filled)
        })
        .collect();
    let purpose = text(summary, "call_purpose");
    let highlights = texts(summary);
    let mut statements: Vec<String> =
        purpose.into_iter().chain(highlights.iter().copied()).map(str::to_owned).collect();
    for (key, value) in info(summary).into_iter().flatten().filter(|(_, value)| is_filled(value, settings)) {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        statements.push(format!("{}: {value}", key.replace('_', " ")));
    }
    Text {
        labels,
        purpose,
        expected_purpose: text(expected_summary, "call_purpose"),
        highlights,
        expected_highlights: texts(expected_summary),
        fields,
        has_summary: expected_summary.is_object(),
        statements,
        emotion: call
            .expected
            .get("emotion")
            .map(|expected| (strongest(expected), strongest(output.get("emotion").unwrap_or(nothing)))),
        sentences,
    }
}

/// The sentiment of every sentence side by side.
pub(in super::super) fn compared(call: &Call<'_>) -> Vec<ComparedSentence> {
    let sentences =
        Matched::by_id(list(call.expected, "sentiment"), list(call.output(), "sentiment"), &["sentence_id", "id"]);
    let label = |item: &Value| text(item, "label").map(str::to_owned);
    let compared = sentences.pairs.into_iter().map(|(id, expected, found)| ComparedSentence {
        id,
        source: text(expected, "text").map(str::to_owned),
        expected: label(expected),
        given: found.and_then(label),
    });
    compared.collect()
}

fn class(label: &str) -> Option<usize> {
    CLASSES.iter().position(|class| class.eq_ignore_ascii_case(label.trim()))
}

fn is_filled(value: &Value, settings: &Settings) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => {
            let text = text.trim().to_lowercase();
            !text.is_empty() && !settings.empty_values.contains(&text)
        }
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// The emotions with the highest value, over all speakers where the map is nested, each with whose it is. None where nothing
/// is above zero.
fn strongest(emotions: &Value) -> BTreeSet<String> {
    fn walk(value: &Value, whose: &str, found: &mut Vec<(String, f64)>) {
        for (name, value) in value.as_object().into_iter().flatten() {
            let name = format!("{whose}{}", name.trim().to_lowercase());
            match value {
                Value::Number(number) => found.push((name, number.as_f64().unwrap_or_default())),
                Value::Object(_) => walk(value, &format!("{name}: "), found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(emotions, "", &mut found);
    let highest = found.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    found.into_iter().filter(|(_, value)| highest > 0.0 && *value == highest).map(|(name, _)| name).collect()
}

pub(in super::super) fn needs_reading(found: &Text<'_>) -> bool {
    found.has_summary
}

pub(in super::super) fn items(found: &Text<'_>) -> Value {
    let numbered = |texts: &[&str]| -> Vec<Value> {
        texts.iter().enumerate().map(|(index, text)| json!({"item": index + 1, "highlight": text})).collect()
    };
    json!({
        "call_purpose": {"output": found.purpose, "expected": found.expected_purpose},
        "highlights": numbered(&found.highlights), "expected_highlights": numbered(&found.expected_highlights),
    })
}

pub(in super::super) fn violations(found: &Text<'_>, answer: &Value) -> Vec<String> {
    let mut violations = coverage(answer, "highlights", found.highlights.len());
    let expected = found.expected_highlights.len() as u64;
    for label in answer.get("highlights").and_then(Value::as_array).into_iter().flatten() {
        if let Some(link) = label.get("expected_item").and_then(Value::as_u64).filter(|link| *link > expected) {
            violations.push(format!("`highlights` links to expected highlight {link}, and there are only {expected}."));
        }
    }
    violations
}

/// By words and numbers: a purpose with most words of the expected one is equivalent, with some partial; with none, only
/// reading can say. A highlight is linked to the expected one it shares most words with, and is accurate where its numbers
/// are those of the call or of the expected outcome. A statement whose numbers are nowhere is fabricated; one whose words
/// are half there is supported; the rest stays open.
pub(in super::super) fn rules(found: &Text<'_>, call: &Call<'_>) -> Value {
    let intent = found.purpose.zip(found.expected_purpose).and_then(|(purpose, expected)| {
        let (purpose, expected) = (telling(purpose), telling(expected));
        let share = Searchable::new(&purpose).share_of(&expected)?.min(Searchable::new(&expected).share_of(&purpose)?);
        match share {
            share if share >= 0.6 => Some("equivalent"),
            share if share > 0.0 => Some("partial"),
            _ => None,
        }
    });
    // Only what the summary says: ids and percentages elsewhere are numbers too, and support nothing.
    let expected_outcome = Searchable::new(&summary_text(call.expected));
    let sources = [call.transcript.words(), &expected_outcome];
    let highlights: Vec<Value> = found
        .highlights
        .iter()
        .enumerate()
        .map(|(index, highlight)| {
            let words = Searchable::new(highlight);
            let best = found
                .expected_highlights
                .iter()
                .enumerate()
                .filter_map(|(position, expected)| Some((words.share_of(expected)?, position + 1)))
                .filter(|(share, _)| *share >= 0.5)
                .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
            let numbers = match best {
                Some((_, link)) => Searchable::new(found.expected_highlights[link - 1]).has_numbers_of(highlight)
                    || call.transcript.words().has_numbers_of(highlight),
                None => sources.iter().any(|source| source.has_numbers_of(highlight)),
            };
            let grounded = best.is_some() || sources.iter().any(|source| source.share_of(highlight).is_some_and(|share| share >= 0.6));
            json!({"item": index + 1, "note": "", "expected_item": best.map_or(0, |(_, link)| link), "accurate": grounded && numbers})
        })
        .collect();
    let facts: Vec<Value> = found.statements.iter().map(|statement| {
        json!({"fact": statement, "support": support(statement, call.transcript.words(), &expected_outcome)})
    }).collect();
    object([
        ("intent_note", json!("")),
        ("intent", json!(intent)),
        ("highlights", Value::Array(highlights)),
        ("facts", Value::Array(facts)),
        ("claimed", json!([])),
    ])
}

fn telling(purpose: &str) -> String {
    let kept: Vec<&str> = purpose
        .split_whitespace()
        .filter(|word| {
            !COMMON_WORDS
                .contains(&word.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase().as_str())
        })
        .collect();
    kept.join(" ")
}

/// Where a statement's words and numbers are: in the transcript, in the expected outcome, in neither, or not to be said.
pub(in super::super) fn support(
    statement: &str,
    transcript: &Searchable,
    expected: &Searchable,
) -> Option<&'static str> {
    let share = |source: &Searchable| source.share_of(statement).unwrap_or_default();
    let (in_transcript, in_expected) = (share(transcript), share(expected));
    let (transcript_numbers, expected_numbers) =
        (transcript.has_numbers_of(statement), expected.has_numbers_of(statement));
    match () {
        () if in_transcript >= 0.5 && transcript_numbers => Some("transcript"),
        () if in_expected >= 0.5 && expected_numbers => Some("expected"),
        () if !transcript_numbers && !expected_numbers => Some("neither"),
        () if in_transcript.max(in_expected) < 0.2 => Some("neither"),
        () => None,
    }
}

/// All texts of a value, one to a line.
pub(in super::super) fn spoken_text(value: &Value) -> String {
    fn walk(value: &Value, text: &mut String) {
        match value {
            Value::String(part) => {
                text.push_str(part);
                text.push('\n');
            }
            Value::Number(number) => {
                text.push_str(&number.to_string());
                text.push('\n');
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, text)),
            Value::Object(fields) => fields.values().for_each(|value| walk(value, text)),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut text = String::new();
    walk(value, &mut text);
    text
}

pub(in super::super) fn score(found: &Text<'_>, read: Read<'_>, judgment: &mut Judgment) {
    note_matching(judgment, "sentence", &found.sentences);
    score_sentiment(found, judgment);
    score_summary(found, read, judgment);
    let emotion = found.emotion.as_ref().filter(|(expected, _)| !expected.is_empty());
    let correct = emotion.map(|(expected, given)| f64::from(u8::from(expected == given)));
    put(judgment, "text.dominant_emotion_correctness", Metric::score(correct, Method::Code));
    if let Some((expected, given)) = emotion {
        judgment.labels.insert("emotion".into(), json!({"expected": expected, "given": given}));
    }
}

fn score_sentiment(found: &Text<'_>, judgment: &mut Judgment) {
    let correct = found.labels.iter().filter(|(_, expected, given)| *given == Given::Class(*expected)).count();
    put(judgment, "text.sentiment_accuracy", rate(correct, found.labels.len(), Method::Code));
    let mut counts = [[0u64; 3]; 3];
    for (_, expected, given) in &found.labels {
        counts[*expected][2] += 1;
        if let Given::Class(given) = given {
            counts[*given][1] += 1;
            counts[*given][0] += u64::from(given == expected);
        }
    }
    let flat = counts.map(|class| class.map(|count| count as f64));
    let named = CLASS_COUNTS.iter().flatten().copied().zip(counts.into_iter().flatten());
    let macro_f1 = Metric::score(macro_f1(&flat), Method::Code).out_of(found.labels.len() as u64).with_counts(named);
    put(judgment, "text.sentiment_macro_f1", macro_f1);
    let ids = |wanted: Given| -> Vec<&str> {
        found.labels.iter().filter(|(_, _, given)| *given == wanted).map(|(id, _, _)| id.as_str()).collect()
    };
    let (missing, other) = (ids(Given::Missing), ids(Given::Other));
    let value = (!found.labels.is_empty()).then_some(missing.len() as f64);
    let count = Metric::score(value, Method::Code)
        .out_of(found.labels.len() as u64)
        .with_counts([("missing", missing.len() as u64)]);
    put(judgment, "text.missing_label_count", count);
    for (flag, ids) in [("labels_left_out", missing), ("unknown_labels", other)] {
        if !ids.is_empty() {
            judgment.labels.insert(flag.to_owned(), json!(ids));
            judgment.flag(flag);
        }
    }
}

/// The mean F1 of the classes, from `[correct, predicted, expected]` for each. A class that is neither expected nor predicted
/// has F1 0/0 and is left out.
pub(in super::super) fn macro_f1(counts: &[[f64; 3]; 3]) -> Option<f64> {
    let scores: Vec<f64> = counts
        .iter()
        .filter(|[_, predicted, expected]| predicted + expected > 0.0)
        .map(|[correct, predicted, expected]| 2.0 * correct / (predicted + expected))
        .collect();
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
}

fn score_summary(found: &Text<'_>, read: Read<'_>, judgment: &mut Judgment) {
    let method = read.method();
    let label = read.get("intent").and_then(Value::as_str);
    let intent = match (found.expected_purpose, found.purpose) {
        (None, _) => Metric::score(None, Method::Code),
        // No purpose at all is the wrong purpose, and no reading is needed for that.
        (Some(_), None) => Metric::score(Some(0.0), Method::Code),
        (Some(_), Some(_)) => match label {
            Some("equivalent") => Metric::score(Some(1.0), method),
            Some("partial") => Metric::score(Some(0.5), method),
            Some("wrong") => Metric::score(Some(0.0), method),
            _ => Metric::between(Bounds(0.0, 1.0), method),
        },
    };
    put(judgment, "text.call_intent_match", intent);
    if found.expected_purpose.is_some() {
        judgment.labels.insert(
            "call_intent".into(),
            json!({"label": label, "note": read.get("intent_note"), "given": found.purpose, "expected": found.expected_purpose}),
        );
    }
    score_highlights(found, read, judgment);
    let filled = found.fields.iter().filter(|(_, filled)| *filled).count();
    put(judgment, "text.required_field_presence", rate(filled, found.fields.len(), Method::Code));
    let empty: Vec<&str> = found.fields.iter().filter(|(_, filled)| !filled).map(|(key, _)| key.as_str()).collect();
    if !empty.is_empty() {
        judgment.labels.insert("fields_empty".into(), json!(empty));
    }
    let facts = read.list("facts");
    let labelled: Vec<(&Value, &str)> =
        facts.iter().filter_map(|fact| Some((fact, fact.get("support").and_then(Value::as_str)?))).collect();
    let fabricated = labelled.iter().filter(|(_, support)| *support == "neither").count();
    let counts = [("facts", labelled.len() as u64), ("fabricated", fabricated as u64)];
    // Where nobody listed the facts, every statement may be one.
    let undecided = if read.has_list("facts") { facts.len() - labelled.len() } else { found.statements.len() };
    let free = rate_with(labelled.len() - fabricated, labelled.len(), undecided, method);
    put(judgment, "text.fabrication_free_rate", free.with_counts(counts));
    let hallucinated = percent_with(fabricated, labelled.len(), undecided, method);
    put(judgment, "text.hallucination_rate", hallucinated.with_counts(counts));
    judgment.labels.insert("facts".into(), Value::Array(facts.to_vec()));
    if undecided > 0 {
        judgment.flag("labels_missing");
    }
}

fn score_highlights(found: &Text<'_>, read: Read<'_>, judgment: &mut Judgment) {
    let method = if found.highlights.is_empty() { Method::Code } else { read.method() };
    let labels = read.by_item("highlights");
    let expected = found.expected_highlights.len();
    let (mut linked, mut accurate, mut labelled) = (BTreeSet::new(), 0, 0);
    let mut listed = Vec::new();
    for (index, highlight) in found.highlights.iter().enumerate() {
        let label = labels.get(&(index + 1)).copied().unwrap_or(&Value::Null);
        let link = label.get("expected_item").and_then(Value::as_u64).and_then(|link| usize::try_from(link).ok());
        let link = link.filter(|link| (1..=expected).contains(link));
        linked.extend(link);
        match label.get("accurate").and_then(Value::as_bool) {
            Some(yes) => {
                labelled += 1;
                accurate += usize::from(yes);
            }
            None => judgment.flag("labels_missing"),
        }
        let partner = link.map(|link| found.expected_highlights[link - 1]);
        listed.push(json!({"highlight": highlight, "expected": partner, "accurate": label.get("accurate"), "note": label.get("note")}));
    }
    // A highlight that nobody read could be any of those that seem to be missed.
    let unread = (1..=found.highlights.len()).filter(|item| !labels.contains_key(item)).count();
    let most = (linked.len() + unread).min(expected);
    let recall = Metric::rate_between(linked.len() as f64, most as f64, expected as f64, method);
    put(judgment, "text.highlight_recall", recall);
    let correctness = rate_with(accurate, labelled, found.highlights.len() - labelled, method);
    put(judgment, "text.highlight_correctness", correctness);
    if found.has_summary {
        judgment.labels.insert("highlights".into(), Value::Array(listed));
        let missed: Vec<&str> = (1..=expected)
            .filter(|item| !linked.contains(item))
            .map(|item| found.expected_highlights[item - 1])
            .collect();
        judgment.labels.insert("highlights_missed".into(), json!(missed));
    }
}

/// The value of the summary's purpose, for whoever wants the output as one text.
pub(in super::super) fn summary_text(output: &Value) -> String {
    at(output, &["summary"]).map(spoken_text).unwrap_or_default()
}
