//! The eleven benchmarks of a case: what is counted from labels, from likeness, and from the closed fields.

use super::call::{Call, Matched, items as list, text};
use super::likeness::Likeness;
use super::metrics::{Section, Task, benchmarks, binary_name};
use super::tasks::entity;
use super::tasks::text::{spoken_text, summary_text, support};
use super::tasks::{Read, percent_with, put, rate, rate_with};
use assize_core::{Bounds, Judgment, Method, Metric, Rating};
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

/// By words and numbers, as for summaries. Reasoning, which only reasons have, and instructions need a reader.
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
    let steps = if call.task == Task::Qa && !output.is_empty() { Value::Null } else { json!([]) };
    json!({
        "claims": claims, "expected_facts": facts, "pieces_used": pieces(&output_words),
        "pieces_needed": pieces(&expected_words), "steps": steps, "instructions": null, "claimed": [],
    })
}

pub(super) fn score(call: &Call<'_>, read: Read<'_>, likeness: &Likeness, judgment: &mut Judgment) {
    let method = read.method();
    let label = |item: &Value, key: &str, wanted: &str| item.get(key).and_then(Value::as_str) == Some(wanted);
    let (claims, undecided): (Vec<&Value>, Vec<&Value>) =
        read.list("claims").iter().partition(|claim| claim.get("support").is_some_and(Value::is_string));
    let unsupported = claims.iter().filter(|claim| label(claim, "support", "neither")).count();
    let is_fact = |claim: &&&Value| claim.get("is_fact").and_then(Value::as_bool) == Some(true);
    let facts: Vec<&&Value> = claims.iter().filter(is_fact).collect();
    let hallucinated = facts.iter().filter(|claim| label(claim, "support", "neither")).count();
    // Where nobody listed the claims, there may be some.
    let unread = usize::from(!read.has_list("claims"));
    let open_facts = undecided.iter().filter(is_fact).count() + unread;
    put(
        judgment,
        "benchmark.faithfulness",
        rate_with(claims.len() - unsupported, claims.len(), undecided.len() + unread, method),
    );
    put(judgment, "benchmark.hallucination_rate", percent_with(hallucinated, facts.len(), open_facts, method));
    score_likeness(call, &claims, read, likeness, judgment);
    let pieces = |key: &str| -> BTreeSet<u64> {
        let most = call.transcript.pieces.len() as u64;
        read.list(key).iter().filter_map(Value::as_u64).filter(|item| (1..=most).contains(item)).collect()
    };
    let (used, needed) = (pieces("pieces_used"), pieces("pieces_needed"));
    let both = used.intersection(&needed).count();
    let unread = usize::from(!read.has_list("pieces_used") || !read.has_list("pieces_needed"));
    let (precision, recall) =
        (rate_with(both, used.len(), unread, method), rate_with(both, needed.len(), unread, method));
    let relevancy = precision.range().zip(recall.range()).map(|(precision, recall)| {
        Metric::between(Bounds((precision.0 + recall.0) / 2.0, (precision.1 + recall.1) / 2.0), method)
    });
    put(judgment, "benchmark.contextual_precision", precision);
    put(judgment, "benchmark.contextual_recall", recall);
    put(judgment, "benchmark.contextual_relevancy", relevancy.unwrap_or_else(|| Metric::score(None, method)));
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
    let (sound, unread) = (steps.iter().sum::<f64>(), if read.has_list("steps") { 0.0 } else { 1.0 });
    let arguments = Metric::rate_between(sound, sound + unread, steps.len() as f64 + unread, method);
    put(judgment, "benchmark.argument_correctness", arguments);
    let given = call.case.inputs.contains_key("instructions") || call.config("instructions").is_some();
    let followed: Vec<bool> = read
        .list("instructions")
        .iter()
        .filter(|_| given)
        .filter_map(|instruction| instruction.get("followed").and_then(Value::as_bool))
        .collect();
    let kept = followed.iter().filter(|followed| **followed).count();
    let unread = usize::from(given && !read.has_list("instructions"));
    put(judgment, "benchmark.instruction_following", rate_with(kept, followed.len(), unread, method));
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
    // Letters say how alike two texts are, not whether one answers the other.
    let relevancy = relevancy.map(|cosine| match cosine {
        Ok(cosine) if likeness.method() == Method::Embedding => Metric::score(Some(cosine), likeness.method()),
        _ => Metric::between(Bounds(0.0, 1.0), likeness.method()),
    });
    put(judgment, "benchmark.answer_relevancy", relevancy.unwrap_or_else(|| Metric::score(None, likeness.method())));
    let expected_facts = read.list("expected_facts");
    let right = expected_facts.iter().filter(|fact| label(fact, "stated", "correct")).count();
    let lacking = expected_facts.len() - right;
    let wrong = claims
        .iter()
        .filter(|claim| label(claim, "agreement", "contradicts") || label(claim, "support", "neither"))
        .count();
    let unread = usize::from(!read.has_list("expected_facts"));
    let f1 = rate_with(2 * right, 2 * right + lacking + wrong, unread, read.method());
    let semantic = semantic.map_or(Bounds(0.0, 1.0), |cosine| Bounds(cosine, cosine));
    let method = read.method().max(likeness.method());
    let correctness = f1.range().map_or_else(
        || Metric::score(None, method),
        |f1| Metric::between(Bounds(0.5 * f1.0 + 0.5 * semantic.0, 0.5 * f1.1 + 0.5 * semantic.1), method),
    );
    put(judgment, "benchmark.answer_correctness", correctness);
    let counted = json!({"f1": f1.value, "semantic_similarity": semantic.settled()});
    judgment.labels.insert("answer_correctness".into(), counted);
}

/// Marks, labels and terms that must be as expected to the letter: how many are, and of how many. What is copied from the
/// input, such as the highest mark of a question, is not the model's to decide and does not count. What the output has
/// beyond the expected outcome counts as a prediction that does not match.
fn exact_matches(call: &Call<'_>) -> (usize, usize) {
    let output = call.output();
    let fields: (&str, &[&str], &[&str]) = match call.task {
        Task::Qa => ("questions", &["question_id", "id"], &["score"]),
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
        Task::Entity => {
            let (given, expected) = (entity::exact_names(output), entity::exact_names(call.expected));
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
    let (mut passed, mut applicable, mut undecided, mut method) = (0, 0, 0, Method::Code);
    for row in benchmarks() {
        let Some(metric) = judgment.metrics.get(row.name) else { continue };
        let method_of_this = metric.method;
        let passes = metric.range().map(|range| {
            let passes = |value: f64| f64::from(u8::from(row.rating(value) == Some(Rating::Good)));
            Bounds(passes(range.0), passes(range.1))
        });
        if let Some(Bounds(worst, best)) = passes {
            method = method.max(method_of_this);
            match worst == best {
                true => applicable += 1,
                false => undecided += 1,
            }
            passed += usize::from(worst > 0.0);
        }
        let binary = passes
            .map_or_else(|| Metric::score(None, method_of_this), |passes| Metric::between(passes, method_of_this));
        put(judgment, &binary_name(row.name), binary);
    }
    put(judgment, Section::Benchmark.score(), rate_with(passed, applicable, undecided, method));
}
