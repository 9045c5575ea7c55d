//! Recorded answers: JSON lines, exported from a run or written by hand, that stand in for the model.
//!
//! A line is either `{"question": "<fingerprint>", "raw": "…"}`, which answers exactly that question, or
//! `{"case": "c1", "answer": {…}}`, with `model` (the system under test), `run` (which repetition) and `name` (the judge's
//! question) where one case has several. What is recorded goes through the same reading and validation as a live reply.

use crate::client::Violations;
use crate::reading::{self, Validators};
use assize_core::answer::Source;
use assize_core::{Answer, Case, Failure, FailureKind, Fingerprint, Provenance, Question};
use serde_json::{Map, Number, Value, json};
use std::collections::HashMap;
use std::fmt;

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayProblem {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ReplayProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// What a hand-written line answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    case: String,
    model: Option<String>,
    /// As a text, in which 2 and 2.0 are the same.
    run: Option<String>,
    name: Option<String>,
}

/// Recorded answers, ready to be found.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    by_question: HashMap<String, String>,
    by_place: HashMap<Place, String>,
}

/// Keys of an exported line beyond `question` and `raw`, which say where the answer came from and are not needed here.
const KEYS: [&str; 7] = ["case", "model", "run", "name", "answer", "question", "raw"];

impl Recorded {
    /// Reads recorded answers; names every line that cannot be used.
    pub fn read(text: &str) -> Result<Self, Vec<ReplayProblem>> {
        let mut recorded = Self::default();
        let mut problems = Vec::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            if let Err(message) = recorded.add(line) {
                problems.push(ReplayProblem { line: index + 1, message });
            }
        }
        if problems.is_empty() { Ok(recorded) } else { Err(problems) }
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.by_question.len() + self.by_place.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The reply to a question about a case of a model: the one recorded for exactly this question, else the one
    /// written for the case, the more exactly placed the better.
    pub fn find(&self, case: &Case, question: &Question) -> Option<&str> {
        if let Some(raw) = self.by_question.get(question.fingerprint().as_str()) {
            return Some(raw);
        }
        let repetition = case.repetition().map(run_text);
        let runs = if repetition.is_some() { vec![repetition, None] } else { vec![None] };
        let (model, name) = (Some(case.model.to_string()), Some(&question.name));
        for run in runs {
            for (model, name) in [(model.clone(), name), (None, name), (model.clone(), None), (None, None)] {
                let name = name.cloned();
                let place = Place { case: case.id.clone(), model, run: run.clone(), name };
                if let Some(raw) = self.by_place.get(&place) {
                    return Some(raw);
                }
            }
        }
        None
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let record: Map<String, Value> = match serde_json::from_str(line) {
            Ok(Value::Object(record)) => record,
            Ok(_) => return Err("expected an object".to_owned()),
            Err(error) => return Err(format!("not JSON: {error}")),
        };
        let text = |key: &str| match record.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
            Some(other) => Err(format!("`{key}` must be a text, found {other}")),
        };
        let reply = match (record.get("raw"), record.get("answer")) {
            (Some(Value::String(raw)), _) => raw.clone(),
            (None, Some(answer @ Value::Object(_))) => answer.to_string(),
            (Some(other), _) => return Err(format!("`raw` must be a text, found {other}")),
            (None, Some(other)) => return Err(format!("`answer` must be an object, found {other}")),
            (None, None) => return Err("neither `raw` nor `answer` is there".to_owned()),
        };
        // An exported line may carry the case beside the question; the question says more.
        let twice = if let Some(question) = text("question")? {
            self.by_question.insert(question, reply.clone()).filter(|earlier| *earlier != reply).is_some()
        } else if let Some(case) = text("case")? {
            if let Some(unknown) = record.keys().find(|key| !KEYS.contains(&key.as_str())) {
                return Err(format!("unknown key `{unknown}`; known: {}", KEYS.join(", ")));
            }
            let run = match record.get("run") {
                None | Some(Value::Null) => None,
                Some(Value::Number(run)) => Some(run_text(run)),
                Some(other) => return Err(format!("`run` must be a number, found {other}")),
            };
            let place = Place { case, model: text("model")?, run, name: text("name")? };
            self.by_place.insert(place, reply.clone()).filter(|earlier| *earlier != reply).is_some()
        } else {
            return Err("neither `question` nor `case` says what is answered".to_owned());
        };
        if twice { Err("the same question was answered differently on an earlier line".to_owned()) } else { Ok(()) }
    }
}

fn run_text(run: &Number) -> String {
    run.as_f64().map_or_else(|| run.to_string(), |run| run.to_string())
}

/// Recorded answers in a model's place.
#[derive(Debug)]
pub struct ReplayClient {
    asked: String,
    recorded: Recorded,
    validators: Validators,
}

impl ReplayClient {
    /// Stands in for a model; `asked` is what the suite calls it (`replay:FILE`).
    pub fn new(asked: impl Into<String>, recorded: Recorded) -> Self {
        Self { asked: asked.into(), recorded, validators: Validators::default() }
    }

    /// Names what was recorded for a question; never the same as a live question's key.
    pub fn key(&self, question: &Question) -> Fingerprint {
        Fingerprint::of(&json!({"replay": question.fingerprint()}))
    }

    /// The recorded answer, read and held against the schema as a live one would be; there is nobody to send an
    /// invalid one back to.
    pub fn answer(&self, case: &Case, question: &Question, violations: Violations<'_>) -> Result<Answer, Failure> {
        let raw = self.recorded.find(case, question).ok_or_else(|| {
            let message = format!("{} holds no answer to `{}` about case {}", self.asked, question.name, case.id);
            Failure::new(FailureKind::NotRecorded, message)
        })?;
        let invalid = |wrong: Vec<String>| {
            let message = format!("the recorded reply is invalid: {}", wrong.join("; "));
            Failure::new(FailureKind::InvalidReply, message).with_raw(raw)
        };
        let validator = self.validators.get(&question.schema.schema);
        let validator = validator.map_err(|message| Failure::new(FailureKind::BadRequest, message))?;
        let found = reading::read(raw, &validator).map_err(|unreadable| invalid(unreadable.violations))?;
        let wrong = violations(&found.value);
        if !wrong.is_empty() {
            return Err(invalid(wrong));
        }
        let key = self.key(question);
        Ok(Answer {
            id: Answer::id_of(&key, raw),
            key,
            source: Source::Replay,
            value: found.value,
            raw: raw.to_owned(),
            provenance: Provenance {
                asked: self.asked.clone(),
                cost_usd: Some(0.0),
                reading: found.reading,
                ..Provenance::default()
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::{AnswerSchema, Message, Reading};

    fn question(name: &str) -> Question {
        Question {
            name: name.to_owned(),
            messages: vec![Message::user(format!("about {name}"))],
            schema: AnswerSchema { name: "answer".to_owned(), schema: json!({"type": "object"}) },
            sample: 0,
        }
    }

    fn case(id: &str, model: &str, run: Option<f64>) -> Case {
        Case {
            id: id.to_owned(),
            model: model.into(),
            tags: Vec::new(),
            inputs: run.map(|run| ("run".to_owned(), json!(run))).into_iter().collect(),
            metadata: Map::new(),
        }
    }

    #[test]
    fn the_more_exact_place_wins() {
        let exact = question("exact");
        let lines = [
            json!({"case": "c1", "answer": {"n": 1}}),
            json!({"case": "c1", "model": "A", "answer": {"n": 2}}),
            json!({"case": "c1", "name": "second", "answer": {"n": 3}}),
            json!({"case": "c1", "model": "A", "name": "second", "raw": "four"}),
            json!({"question": exact.fingerprint(), "raw": "five", "case": "c9", "latency_ms": 12}),
        ];
        let text = lines.map(|line| line.to_string()).join("\n\n");
        let recorded = Recorded::read(&text).unwrap();
        assert_eq!(recorded.len(), 5);
        let find = |id, model, name| recorded.find(&case(id, model, None), &question(name)).map(str::to_owned);
        assert_eq!(find("c1", "B", "first").as_deref(), Some(r#"{"n":1}"#));
        assert_eq!(find("c1", "A", "first").as_deref(), Some(r#"{"n":2}"#));
        assert_eq!(find("c1", "B", "second").as_deref(), Some(r#"{"n":3}"#));
        assert_eq!(find("c1", "A", "second").as_deref(), Some("four"));
        assert_eq!(find("any", "any", "exact").as_deref(), Some("five"));
        assert_eq!(find("c2", "A", "first"), None);
    }

    #[test]
    fn each_repetition_of_a_case_has_its_own_answer_or_the_one_of_all() {
        let lines = [
            json!({"case": "c1", "model": "A", "name": "q", "answer": {"n": 1}}),
            json!({"case": "c1", "run": 2, "answer": {"n": 2}}),
        ];
        let recorded = Recorded::read(&lines.map(|line| line.to_string()).join("\n")).unwrap();
        let find = |run: Option<f64>| recorded.find(&case("c1", "A", run), &question("q")).map(str::to_owned);
        assert_eq!(find(None).as_deref(), Some(r#"{"n":1}"#));
        assert_eq!(find(Some(1.0)).as_deref(), Some(r#"{"n":1}"#));
        assert_eq!(find(Some(2.0)).as_deref(), Some(r#"{"n":2}"#));
        assert!(Recorded::read(r#"{"case": "c1", "run": "two", "answer": {}}"#).is_err());
    }

    #[test]
    fn every_bad_line_is_named() {
        let text = concat!(
            "{\"case\": \"c1\", \"answer\": {\"n\": 1}}\n",
            "not json\n\n[1]\n",
            "{\"case\": \"c1\"}\n",
            "{\"answer\": {}}\n",
            "{\"case\": 7, \"answer\": {}}\n",
            "{\"case\": \"c2\", \"answer\": \"yes\"}\n",
            "{\"case\": \"c1\", \"answer\": {\"n\": 2}}\n",
            "{\"case\": \"c3\", \"anwser\": {}, \"answer\": {}}\n",
        );
        let problems = Recorded::read(text).unwrap_err();
        insta::assert_snapshot!(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn what_is_recorded_is_read_like_a_live_reply() {
        let mut asked = question("q");
        asked.schema.schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
        let lines = [
            json!({"case": "good", "answer": {"n": 1}}),
            json!({"case": "fenced", "raw": "```\n{\"n\": 1}\n```"}),
            json!({"case": "bad", "answer": {"n": "1"}}),
            json!({"case": "disliked", "answer": {"n": 13}}),
        ];
        let recorded = Recorded::read(&lines.map(|line| line.to_string()).join("\n")).unwrap();
        let client = ReplayClient::new("replay:a.jsonl", recorded);
        let answer = |id: &str| {
            let dislike = |value: &Value| if value["n"] == 13 { vec!["unlucky".to_owned()] } else { Vec::new() };
            client.answer(&case(id, "default", None), &asked, &dislike)
        };
        let good = answer("good").unwrap();
        assert_eq!((good.source, good.provenance.reading), (Source::Replay, Reading::Exact));
        assert_eq!((good.provenance.cost_usd, good.provenance.calls), (Some(0.0), 0));
        assert_eq!(answer("fenced").unwrap().provenance.reading, Reading::Extracted);
        assert_eq!(answer("bad").unwrap_err().kind, FailureKind::InvalidReply);
        assert_eq!(answer("disliked").unwrap_err().kind, FailureKind::InvalidReply);
        assert_eq!(answer("absent").unwrap_err().kind, FailureKind::NotRecorded);
    }
}
