//! The eleven benchmarks of a case: what is counted from labels, from likeness, and from the closed fields.

use super::call::{Call, Matched, items as list, text};
use super::likeness::Likeness;
use super::metrics::{Section, Task, benchmarks, binary_name};
use super::tasks::text::{spoken_text, summary_text, support};
use super::tasks::{Read, percent, put, rate};
use assize_core::{Judgment, Method, Metric, Rating};
use assize_metrics::lookup::Searchable;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What the judge is given to point at: the pieces of the call, numbered.
pub(super) fn items(call: &Call<'_>) -> Value {
    let pieces: Vec<Value> = call
        .transcript
        .pieces
        .iter()
        .enumerate()
        .map(|(index, piece)| json!({"item": index + 1, "piece": piece}))
        .collect();
    json!({"pieces": pieces})
}

pub(super) fn violations(call: &Call<'_>, answer: &Value) -> Vec<String> {
    let pieces = call.transcript.pieces.len() as u64;
    let mut violations = Vec::new();
    for key in ["pieces_used", "pieces_needed"] {
        for number in list(answer, key).iter().filter_map(Value::as_u64).filter(|number| *number > pieces) {
            violations.push(format!("`{key}` names piece {number}, and there are only {pieces}."));
        }
    }
    violations
}

/// An output or an expected outcome as one text: what it says, without the keys and the ids.
fn as_text(task: Task, value: &Value) -> String {
    match task {
        Task::Qa => {
            let reasons: Vec<&str> = list(value, "questions").iter().filter_map(|item| text(item, "reason")).collect();
            reasons.join("\n")
        }
        Task::Text => summary_text(value),
        Task::Translation => {
            let sentences: Vec<&str> =
                list(value, "sentence_translations").iter().filter_map(|item| text(item, "translated_text")).collect();
            if sentences.is_empty() {
                text(value, "full_translation").unwrap_or_default().to_owned()
            } else {
                sentences.join("\n")
            }
        }
        _ => {
            let fields = value.as_object().into_iter().flatten();
            let detected = fields.filter(|(key, _)| key.contains("keyword") || key.contains("topic"));
            detected.map(|(_, value)| spoken_text(value)).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The pairs of texts to be compared in meaning: the output with the question asked, and with the expected outcome.
pub(super) fn pairs(call: &Call<'_>) -> Vec<(String, String)> {
    let (output, expected) = (as_text(call.task, call.output()), as_text(call.task, call.expected));
    if output.trim().is_empty() {
        return Vec::new();
    }
    let question = call.case.optional_text("question").map(|question| (output.clone(), question.to_owned()));
    question.into_iter().chain([(output.clone(), expected)]).collect()
}

/// By words and numbers, as for summaries. Reasoning and instructions need a reader: there the lists stay empty.
pub(super) fn rules(call: &Call<'_>) -> Value {
    let (output, expected) = (as_text(call.task, call.output()), as_text(call.task, call.expected));
    let (output_words, expected_words) = (Searchable::new(&output), Searchable::new(&expected));
    let claims: Vec<Value> = output
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let support = support(line, call.transcript.words(), &expected_words);
            let near = expected_words.share_of(line).is_some_and(|share| share >= 0.5);
            let agreement = match (near, expected_words.has_numbers_of(line)) {
                (true, true) => "agrees",
                (true, false) => "contradicts",
                (false, _) => "not_covered",
            };
            json!({"claim": line, "support": support, "is_fact": true, "agreement": agreement})
        })
        .collect();
    let facts: Vec<Value> = expected
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let there = output_words.share_of(line).is_some_and(|share| share >= 0.6);
            let stated = match (there, output_words.has_numbers_of(line)) {
                (true, true) => "correct",
                (true, false) => "wrong",
                (false, _) => "missing",
            };
            json!({"fact": line, "stated": stated})
        })
        .collect();
    let pieces = |words: &Searchable| -> Vec<usize> {
        let pieces = call.transcript.pieces.iter().enumerate();
        pieces
            .filter(|(_, piece)| words.share_of(piece).is_some_and(|share| share >= 0.5))
            .map(|(index, _)| index + 1)
            .collect()
    };
    json!({
        "claims": claims, "expected_facts": facts, "pieces_used": pieces(&output_words),
        "pieces_needed": pieces(&expected_words), "steps": [], "instructions": [], "claimed": [],
    })
}

pub(super) fn score(call: &Call<'_>, read: Read<'_>, likeness: &Likeness, judgment: &mut Judgment) {
    let method = read.method();
    let label = |item: &Value, key: &str, wanted: &str| item.get(key).and_then(Value::as_str) == Some(wanted);
    let claims: Vec<&Value> =
        read.list("claims").iter().filter(|claim| claim.get("support").is_some_and(Value::is_string)).collect();
    let unsupported = claims.iter().filter(|claim| label(claim, "support", "neither")).count();
    put(judgment, "benchmark.faithfulness", rate(claims.len() - unsupported, claims.len(), method));
    let facts: Vec<&&Value> =
        claims.iter().filter(|claim| claim.get("is_fact").and_then(Value::as_bool) == Some(true)).collect();
    let hallucinated = facts.iter().filter(|claim| label(claim, "support", "neither")).count();
    put(judgment, "benchmark.hallucination_rate", percent(hallucinated, facts.len(), method));
    score_likeness(call, &claims, read, likeness, judgment);
    let pieces = |key: &str| -> BTreeSet<u64> {
        let most = call.transcript.pieces.len() as u64;
        read.list(key).iter().filter_map(Value::as_u64).filter(|item| (1..=most).contains(item)).collect()
    };
    let (used, needed) = (pieces("pieces_used"), pieces("pieces_needed"));
    let both = used.intersection(&needed).count();
    let (precision, recall) = (rate(both, used.len(), method), rate(both, needed.len(), method));
    let relevancy = precision.value.zip(recall.value).map(|(precision, recall)| (precision + recall) / 2.0);
    put(judgment, "benchmark.contextual_precision", precision);
    put(judgment, "benchmark.contextual_recall", recall);
    put(judgment, "benchmark.contextual_relevancy", Metric::score(relevancy, method));
    let steps: Vec<f64> = read
        .list("steps")
        .iter()
        .filter_map(|step| match step.get("soundness").and_then(Value::as_str)? {
            "sound" => Some(1.0),
            "partial" => Some(0.5),
            "wrong" => Some(0.0),
            _ => None,
        })
        .collect();
    put(judgment, "benchmark.argument_correctness", Metric::rate(steps.iter().sum(), steps.len() as f64, method));
    let given = call.case.inputs.contains_key("instructions") || call.config("instructions").is_some();
    let followed: Vec<bool> = read
        .list("instructions")
        .iter()
        .filter(|_| given)
        .filter_map(|instruction| instruction.get("followed").and_then(Value::as_bool))
        .collect();
    let kept = followed.iter().filter(|followed| **followed).count();
    put(judgment, "benchmark.instruction_following", rate(kept, followed.len(), method));
    let (exact, of) = exact_matches(call);
    put(judgment, "benchmark.exact_match", rate(exact, of, Method::Code));
    if let Some(labels) = read.labels {
        let mut said = labels.clone();
        if let Some(fields) = said.as_object_mut() {
            fields.shift_remove("claimed");
        }
        judgment.labels.insert("benchmarks".into(), said);
    }
    score_binaries(judgment);
}

/// Relevancy and correctness, which need the likeness of whole texts.
fn score_likeness(call: &Call<'_>, claims: &[&Value], read: Read<'_>, likeness: &Likeness, judgment: &mut Judgment) {
    let label = |item: &Value, key: &str, wanted: &str| item.get(key).and_then(Value::as_str) == Some(wanted);
    let (output, expected) = (as_text(call.task, call.output()), as_text(call.task, call.expected));
    let relevancy = call.case.optional_text("question").map(|question| likeness.between(&output, question));
    let semantic = likeness.between(&output, &expected);
    likeness.note(relevancy.into_iter().chain([semantic]).filter_map(Result::err), judgment);
    let relevancy = relevancy.and_then(Result::ok);
    put(judgment, "benchmark.answer_relevancy", Metric::score(relevancy, likeness.method()));
    let expected_facts = read.list("expected_facts");
    let right = expected_facts.iter().filter(|fact| label(fact, "stated", "correct")).count();
    let lacking = expected_facts.len() - right;
    let wrong = claims
        .iter()
        .filter(|claim| label(claim, "agreement", "contradicts") || label(claim, "support", "neither"))
        .count();
    let f1 = rate(2 * right, 2 * right + lacking + wrong, read.method()).value;
    let semantic = semantic.ok();
    let correctness = f1.zip(semantic).map(|(f1, semantic)| 0.5 * f1 + 0.5 * semantic);
    let method = read.method().max(likeness.method());
    put(judgment, "benchmark.answer_correctness", Metric::score(correctness, method));
    judgment.labels.insert("answer_correctness".into(), json!({"f1": f1, "semantic_similarity": semantic}));
}

/// Marks, labels and terms that must be as expected to the letter: how many are, and of how many. What the output has beyond
/// the expected outcome counts as a prediction that does not match.
fn exact_matches(call: &Call<'_>) -> (usize, usize) {
    let output = call.output();
    let fields: (&str, &[&str], &[&str]) = match call.task {
        Task::Qa => ("questions", &["question_id", "id"], &["score", "max_score", "type"]),
        Task::Text => ("sentiment", &["sentence_id", "id"], &["label"]),
        Task::Translation => {
            let mut total = (0, 0);
            for (key, id) in [("domain_terms_handled", "term"), ("named_entities_handled", "entity")] {
                let matched = Matched::by_id(list(call.expected, key), list(output, key), &[id]);
                let (exact, of) = count_exact(&matched, &["handled_as"]);
                total = (total.0 + exact, total.1 + of);
            }
            return total;
        }
        _ => {
            let texts = |value: &Value| -> BTreeSet<String> {
                as_text(call.task, value).lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
            };
            let (given, expected) = (texts(output), texts(call.expected));
            return (given.intersection(&expected).count(), given.union(&expected).count());
        }
    };
    let matched = Matched::by_id(list(call.expected, fields.0), list(output, fields.0), fields.1);
    count_exact(&matched, fields.2)
}

fn count_exact(matched: &Matched<'_>, keys: &[&str]) -> (usize, usize) {
    let (mut exact, mut of) = (0, matched.unknown.len() + matched.without_id);
    for (_, expected, found) in &matched.pairs {
        for key in keys {
            let Some(expected) = expected.get(key).filter(|value| !value.is_null()) else { continue };
            of += 1;
            let same = match (found.and_then(|item| item.get(key)), expected) {
                (Some(Value::Number(given)), Value::Number(expected)) => given.as_f64() == expected.as_f64(),
                (given, expected) => given == Some(expected),
            };
            exact += usize::from(same);
        }
    }
    (exact, of)
}

/// The binaries by the thresholds, and the share of those that apply.
fn score_binaries(judgment: &mut Judgment) {
    let (mut passed, mut applicable, mut method) = (0, 0, Method::Code);
    for row in benchmarks() {
        let Some(metric) = judgment.metrics.get(row.name) else { continue };
        let binary = metric.value.map(|value| row.rating(value) == Some(Rating::Good));
        if let Some(pass) = binary {
            applicable += 1;
            passed += usize::from(pass);
            method = method.max(metric.method);
        }
        let binary = Metric::score(binary.map(|pass| f64::from(u8::from(pass))), metric.method);
        put(judgment, &binary_name(row.name), binary);
    }
    put(judgment, Section::Benchmark.score(), rate(passed, applicable, method));
}
