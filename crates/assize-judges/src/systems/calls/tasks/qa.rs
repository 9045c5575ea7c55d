//! Quality assurance: marks for questions about the call, and a reason for each.

use super::super::call::{Call, Matched, items as list, text};
use super::super::compared::ComparedQuestion;
use super::evidence::{Citations, LookUp};
use super::{Read, coverage, note_matching, object, percent, put, rate, rate_with};
use assize_core::{Judgment, Method, Metric};
use assize_metrics::lookup::Searchable;
use assize_metrics::similarity::trigram_cosine;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// How far a mark may be off on a question with partial marks, as a share of its maximum: 0.5 on a scale of 5.
const MARGIN: f64 = 0.1;

/// The share of a reason's words that the offline rule wants to find in the call or in the expected reason.
const GROUNDED: f64 = 0.5;

/// How like the expected reason one must be for the offline rule to take it for the same.
const AS_EXPECTED: f64 = 0.8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum QuestionType {
    PassFail,
    Score,
}

struct Question<'c> {
    id: String,
    asked: Option<&'c str>,
    /// As it is written.
    type_name: Option<&'c str>,
    /// The strict one where it is not known.
    kind: QuestionType,
    maximum: Option<f64>,
    expected: Option<f64>,
    expected_reason: &'c str,
    answered: bool,
    given: Option<f64>,
    reason: Option<&'c str>,
    /// What the reason cites; looked up when it is first asked for.
    citations: OnceLock<Citations>,
}

pub(in super::super) struct Qa<'c> {
    matched: Matched<'c>,
    questions: Vec<Question<'c>>,
}

/// The questions of a case side by side.
pub(in super::super) fn compared(call: &Call<'_>) -> Vec<ComparedQuestion> {
    let found = find(call);
    let compared = found.questions.iter().map(|question| ComparedQuestion {
        asked: question.asked.map(str::to_owned),
        pass_fail: question.kind == QuestionType::PassFail,
        maximum: question.maximum,
        expected: question.expected,
        given: question.given,
        gap: question.gap(),
        correct: question.is_correct(),
        false_pass: question.is_false_pass(),
        expected_reason: question.expected_reason.to_owned(),
        reason: question.reason.map(str::to_owned),
        id: question.id.clone(),
    });
    compared.collect()
}

pub(in super::super) fn find<'c>(call: &Call<'c>) -> Qa<'c> {
    let matched =
        Matched::by_id(list(call.expected, "questions"), list(call.output(), "questions"), &["question_id", "id"]);
    let configured = call.config("questions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let questions = matched
        .pairs
        .iter()
        .map(|(id, expected, output)| {
            let number = |item: &Value, key: &str| item.get(key).and_then(Value::as_f64);
            let configured = configured.iter().find(|item| {
                ["question_id", "id"].iter().any(|key| super::super::call::id(item.get(key)).as_ref() == Some(id))
            });
            let maximum =
                number(expected, "max_score").or_else(|| configured.and_then(|item| number(item, "max_score")));
            let type_name = text(expected, "type").or_else(|| configured.and_then(|item| text(item, "type")));
            let reason = output.and_then(|item| text(item, "reason"));
            Question {
                id: id.clone(),
                asked: configured.and_then(|item| text(item, "text").or_else(|| text(item, "question"))),
                type_name,
                kind: type_name.and_then(QuestionType::named).unwrap_or(QuestionType::PassFail),
                maximum: maximum.filter(|maximum| *maximum > 0.0),
                expected: number(expected, "score"),
                expected_reason: text(expected, "reason").unwrap_or_default(),
                answered: output.is_some(),
                given: output.and_then(|item| number(item, "score")),
                reason,
                citations: OnceLock::new(),
            }
        })
        .collect();
    Qa { matched, questions }
}

impl QuestionType {
    /// The type that a name means, however it is written: `PASS_FAIL`, `pass/fail`.
    fn named(name: &str) -> Option<Self> {
        match name.chars().filter(|character| character.is_alphabetic()).collect::<String>().to_lowercase().as_str() {
            "passfail" => Some(Self::PassFail),
            "score" => Some(Self::Score),
            _ => None,
        }
    }
}

/// What is wrong with the expected questions: without its type, nobody knows whether a mark passes the agent.
pub(in super::super) fn problems(call: &Call<'_>) -> Vec<String> {
    let untyped = find(call).questions.into_iter().filter_map(|question| match question.type_name {
        None => Some((question.id, "has no `type`".to_owned())),
        Some(name) => QuestionType::named(name).is_none().then(|| (question.id, format!("has the type `{name}`"))),
    });
    let said = untyped.map(|(id, problem)| {
        format!("the question `{id}` of `expected_outcome` {problem}: write `PASS_FAIL` or `SCORE`, there or in `config.questions`")
    });
    said.collect()
}

impl Question<'_> {
    /// What the reason cites, looked up.
    fn citations(&self, call: &Call<'_>) -> &Citations {
        let look_up = || self.reason.map(|reason| Citations::of(reason, &call.transcript)).unwrap_or_default();
        self.citations.get_or_init(look_up)
    }

    /// Full marks, none, or something between, which a PASS_FAIL question does not have.
    fn clamped(&self, score: f64) -> Option<bool> {
        match self.maximum {
            _ if score <= 0.0 => Some(false),
            Some(maximum) if score >= maximum => Some(true),
            Some(_) => None,
            None => Some(true),
        }
    }

    fn is_correct(&self) -> bool {
        let (Some(given), Some(expected)) = (self.given, self.expected) else { return false };
        match self.kind {
            QuestionType::PassFail => self.clamped(given).is_some() && self.clamped(given) == self.clamped(expected),
            QuestionType::Score => {
                let margin = self.maximum.map_or(0.0, |maximum| maximum * MARGIN);
                (given - expected).abs() <= margin + 1e-9
            }
        }
    }

    /// The distance as a share of the maximum, at most 1; 1 where there is no mark. `None` where no maximum is known.
    fn gap(&self) -> Option<f64> {
        let (maximum, expected) = (self.maximum?, self.expected?);
        Some(self.given.map_or(1.0, |given| ((given - expected).abs() / maximum).min(1.0)))
    }

    /// Any mark above zero passes the agent where none may.
    fn is_false_pass(&self) -> bool {
        self.kind == QuestionType::PassFail
            && self.expected.is_some_and(|expected| expected <= 0.0)
            && self.given.is_some_and(|given| given > 0.0)
    }
}

impl<'c> Qa<'c> {
    /// The questions with a reason, which are the ones to label, in order.
    fn reasons(&self) -> impl Iterator<Item = (&Question<'c>, &'c str)> {
        self.questions.iter().filter_map(|question| question.reason.map(|reason| (question, reason)))
    }
}

pub(in super::super) fn needs_reading(found: &Qa<'_>) -> bool {
    found.reasons().next().is_some()
}

pub(in super::super) fn items(found: &Qa<'_>) -> Value {
    let items: Vec<Value> = found
        .reasons()
        .enumerate()
        .map(|(index, (question, reason))| {
            json!({"item": index + 1, "question_id": question.id, "score": question.given, "reason": reason,
                   "expected_reason": question.expected_reason})
        })
        .collect();
    object([("reasons", Value::Array(items))])
}

pub(in super::super) fn violations(found: &Qa<'_>, answer: &Value) -> Vec<String> {
    coverage(answer, "reasons", found.reasons().count())
}

/// A reason has evidence where it cites something, and is factual where all it cites is there. One that says what the
/// expected reason says is as good as that. Of others that cite nothing, one is factual where its words are those of the call
/// or of the expected reason; where neither is in its language, nothing can be said.
pub(in super::super) fn rules(found: &Qa<'_>, call: &Call<'_>) -> Value {
    let reasons: Vec<Value> = found
        .reasons()
        .enumerate()
        .map(|(index, (question, reason))| {
            let citations = question.citations(call);
            let as_expected =
                || trigram_cosine(reason, question.expected_reason).is_some_and(|likeness| likeness >= AS_EXPECTED);
            let factual = match citations.look_up() {
                LookUp::Found => Some(true),
                LookUp::NotFound => Some(false),
                LookUp::Nothing if as_expected() => Some(true),
                LookUp::Nothing => is_grounded(reason, question, call),
            };
            json!({"item": index + 1, "note": "", "has_evidence": citations.cites() || as_expected(), "factual": factual})
        })
        .collect();
    object([("reasons", Value::Array(reasons)), ("claimed", json!([]))])
}

/// Whether enough of a reason's words are those of the call or of the expected reason; `None` where none is.
fn is_grounded(reason: &str, question: &Question<'_>, call: &Call<'_>) -> Option<bool> {
    let expected = Searchable::new(question.expected_reason);
    let sources = [call.transcript.words(), &expected];
    let share = sources.into_iter().filter_map(|text| text.share_of(reason)).fold(0.0, f64::max);
    (share > 0.0).then_some(share >= GROUNDED)
}

pub(in super::super) fn score(found: &Qa<'_>, call: &Call<'_>, read: Read<'_>, judgment: &mut Judgment) {
    note_matching(judgment, "question", &found.matched);
    let questions = &found.questions;
    let known: Vec<&Question<'_>> = questions.iter().filter(|question| question.expected.is_some()).collect();
    let correct = questions.iter().filter(|question| question.is_correct()).count();
    put(judgment, "qa.question_score_accuracy", rate(correct, known.len(), Method::Code));
    let gaps: Vec<f64> = questions.iter().filter_map(Question::gap).collect();
    let gap_accuracy = Metric::rate(gaps.iter().map(|gap| 1.0 - gap).sum(), gaps.len() as f64, Method::Code);
    put(judgment, "qa.score_gap_accuracy", gap_accuracy);
    let pass_fail = known.iter().filter(|question| question.kind == QuestionType::PassFail).count();
    let passed: Vec<&Question<'_>> = questions.iter().filter(|question| question.is_false_pass()).collect();
    let false_passes =
        percent(passed.len(), pass_fail, Method::Code).with_counts([("false_passes", passed.len() as u64)]);
    put(judgment, "qa.false_pass_rate", false_passes);
    score_reasons(found, call, read, judgment);
    if !passed.is_empty() {
        let listed: Vec<Value> = passed
            .iter()
            .map(|question| {
                json!({"question_id": question.id, "score": question.given, "max_score": question.maximum, "expected": 0})
            })
            .collect();
        judgment.labels.insert("false_passes".into(), Value::Array(listed));
    }
    let wrong: Vec<Value> = questions
        .iter()
        .filter(|question| question.expected.is_some() && !question.is_correct())
        .map(|question| json!({"question_id": question.id, "score": question.given, "expected": question.expected}))
        .collect();
    judgment.labels.insert("wrong_scores".into(), Value::Array(wrong));
    raise_flags(questions, judgment);
}

fn raise_flags(questions: &[Question<'_>], judgment: &mut Judgment) {
    let ids = |wanted: &dyn Fn(&Question<'_>) -> bool| -> Vec<&str> {
        questions.iter().filter(|question| wanted(question)).map(|question| question.id.as_str()).collect()
    };
    let noted = [
        (
            "partial_mark_on_pass_fail",
            ids(&|question| {
                question.kind == QuestionType::PassFail
                    && question.given.is_some_and(|given| question.clamped(given).is_none())
            }),
        ),
        (
            "score_out_of_range",
            ids(&|question| {
                question
                    .given
                    .is_some_and(|given| given < 0.0 || question.maximum.is_some_and(|maximum| given > maximum))
            }),
        ),
        ("maximum_unknown", ids(&|question| question.maximum.is_none())),
        ("scores_missing", ids(&|question| question.answered && question.given.is_none())),
        ("expected_scores_missing", ids(&|question| question.expected.is_none())),
    ];
    for (flag, ids) in noted {
        if !ids.is_empty() {
            judgment.labels.insert(flag.to_owned(), json!(ids));
            judgment.flag(flag);
        }
    }
}

/// Every answered question has a reason or lacks one; one that lacks it has neither evidence nor facts, unless none is
/// expected either. A label that was not given is undecided.
fn score_reasons(found: &Qa<'_>, call: &Call<'_>, read: Read<'_>, judgment: &mut Judgment) {
    let labels = read.by_item("reasons");
    let (mut with_evidence, mut factual, mut halves, mut undecided) = (0usize, 0usize, 0usize, 0usize);
    let (mut listed, mut item) = (Vec::new(), 0);
    for question in found.questions.iter().filter(|question| question.answered) {
        if question.reason.is_none() {
            if question.expected_reason.is_empty() {
                continue;
            }
            halves += 2;
            listed.push(
                json!({"question_id": question.id, "has_evidence": false, "factual": false, "note": "no reason given"}),
            );
            continue;
        }
        item += 1;
        let label = labels.get(&item).copied().unwrap_or(&Value::Null);
        let flag = |key: &str| label.get(key).and_then(Value::as_bool);
        let (has_evidence, is_factual) = (flag("has_evidence"), flag("factual"));
        for (label, count) in [(has_evidence, &mut with_evidence), (is_factual, &mut factual)] {
            match label {
                Some(yes) => {
                    halves += 1;
                    *count += usize::from(yes);
                }
                None => {
                    undecided += 1;
                    judgment.flag("labels_missing");
                }
            }
        }
        let citations = question.citations(call);
        let look_up = citations.look_up();
        let mismatch = match look_up {
            LookUp::NotFound => is_factual == Some(true),
            LookUp::Found => has_evidence == Some(false),
            LookUp::Nothing => false,
        };
        if mismatch && read.method() != Method::Rules {
            judgment.flag("evidence_mismatch");
        }
        let mut entry = json!({
            "question_id": question.id, "has_evidence": has_evidence, "factual": is_factual,
            "note": label.get("note"),
        });
        if citations.cites() {
            entry["cited"] = citations.to_value();
        }
        if mismatch && read.method() != Method::Rules {
            entry["mismatch"] = json!(true);
        }
        listed.push(entry);
    }
    let metric = rate_with(with_evidence + factual, halves, undecided, read.method())
        .with_counts([("with_evidence", with_evidence as u64), ("factual", factual as u64)]);
    put(judgment, "qa.evidence_backed_reasoning", metric);
    judgment.labels.insert("reasons".into(), Value::Array(listed));
}
