//! What is asked: the prompt's own instructions and rubric on the system side, the case as fenced data on the user's.
//!
//! Nothing of a case reaches the system side, so that no output can add to the rubric it is judged by.

use super::INPUTS;
use super::labelled;
use super::prompt_file::{BehaviourPrompt, Part, SectionKind};
use super::spec::{Benchmark, Example, ScoringScale};
use assize_core::prompt::{DATA_NOTICE, fence};
use assize_core::{AnswerSchema, Case, Message, Question};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What the judge is told where a prompt has no system block.
const DEFAULT_SYSTEM: &str = "You are a neutral evaluator. You decide whether one behaviour is satisfied, using the rubric \
provided. Be strict and literal about the rubric. Use only the information in the inputs. If the evidence does not show \
that all conditions are met, the behaviour is not satisfied.";

const ANSWER: &str = include_str!("prompt.md");

/// What a behaviour's questions have in common, made once.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Template {
    system: String,
    /// The cases that the system text shows with their verdicts, and the text without them.
    shown: Vec<Map<String, Value>>,
    without_examples: String,
    /// Judged examples to show before the case, as many as `most`: the case and the answer.
    few_shot: Vec<(Map<String, Value>, String)>,
    most: usize,
    schema: AnswerSchema,
}

impl Template {
    pub(super) fn new(code: &str, prompt: &BehaviourPrompt, benchmark: Option<&Benchmark>) -> Self {
        let scale = benchmark.and_then(|benchmark| benchmark.scale.as_ref());
        let asks_applicable = benchmark.is_some_and(|benchmark| benchmark.asks_applicable);
        let mut bare = prompt.clone();
        bare.parts.retain(|part| !matches!(part, Part::Section(section) if section.kind == SectionKind::Examples));
        let examples = benchmark.map(|benchmark| &benchmark.examples[..]).unwrap_or_default();
        // A prompt with examples of its own has said what it wants to show.
        let own = prompt.section(SectionKind::Examples).is_some();
        let answered = |(inputs, pass, reason): (&Map<String, Value>, bool, &str)| {
            let mut answer = Map::new();
            answer.insert("reason".into(), reason.into());
            if asks_applicable {
                answer.insert("applicable".into(), true.into());
            }
            answer.insert("pass".into(), pass.into());
            if let Some(scale) = scale {
                answer.insert("score".into(), json!(end_of(scale, pass)));
            }
            (inputs.clone(), Value::Object(answer).to_string())
        };
        Self {
            system: system_text(prompt, benchmark, scale, asks_applicable),
            shown: labelled::of_prompt(prompt).into_iter().map(|(inputs, ..)| inputs).collect(),
            without_examples: system_text(&bare, benchmark, scale, asks_applicable),
            few_shot: judged(examples).filter(|_| !own).map(answered).collect(),
            most: benchmark.map_or(0, |benchmark| benchmark.few_shot),
            schema: schema(code, scale, asks_applicable),
        }
    }

    /// The question about a case. An example that is this very case is not shown with it: the judge would be told the answer.
    pub(super) fn ask(&self, name: &str, case: &Case) -> Question {
        let told = self.shown.iter().any(|inputs| is_of(case, inputs));
        let system = if told { &self.without_examples } else { &self.system };
        let mut messages = vec![Message::system(system.clone())];
        for (inputs, answer) in self.few_shot.iter().filter(|(inputs, _)| !is_of(case, inputs)).take(self.most) {
            messages.push(Message::user(case_text(system, |input| inputs.get(input).cloned())));
            messages.push(Message::assistant(answer.clone()));
        }
        messages.push(Message::user(case_text(system, |input| case.inputs.get(input).cloned())));
        Question { name: name.to_owned(), messages, schema: self.schema.clone(), sample: 0 }
    }
}

/// Whether a case has the inputs of an example; one that is empty is none.
fn is_of(case: &Case, example: &Map<String, Value>) -> bool {
    let filled = |value: Option<&Value>| value.filter(|value| !value.is_null() && *value != "").cloned();
    INPUTS.iter().any(|input| filled(example.get(*input)).is_some())
        && INPUTS.iter().all(|input| filled(case.inputs.get(*input)) == filled(example.get(*input)))
}

fn judged(examples: &[Example]) -> impl Iterator<Item = (&Map<String, Value>, bool, &str)> {
    examples.iter().filter_map(|example| match example {
        Example::Judged { inputs, pass, reason } => Some((inputs, *pass, reason.as_str())),
        Example::Text(_) => None,
    })
}

/// The end of a scale that a clear pass or a clear fail gets.
pub(super) fn end_of(scale: &ScoringScale, pass: bool) -> f64 {
    let rises = scale.normalise(scale.max) >= scale.normalise(scale.min);
    if rises == pass { scale.max } else { scale.min }
}

fn system_text(
    prompt: &BehaviourPrompt,
    benchmark: Option<&Benchmark>,
    scale: Option<&ScoringScale>,
    asks_applicable: bool,
) -> String {
    let mut text = prompt.system().unwrap_or_else(|| DEFAULT_SYSTEM.to_owned());
    text.push_str("\n\n---\n\n");
    let rubric = prompt.rubric_text();
    text.push_str(rubric.trim_end());
    let notes: Vec<&str> = benchmark
        .iter()
        .flat_map(|benchmark| &benchmark.examples)
        .filter_map(|example| match example {
            Example::Text(text) => Some(text.as_str()),
            Example::Judged { .. } => None,
        })
        // A prompt made from its benchmark has them already.
        .filter(|note| !rubric.contains(note))
        .collect();
    if !notes.is_empty() {
        text.push_str("\n\nExamples:");
        for note in notes {
            text.push_str("\n- ");
            text.push_str(note);
        }
    }
    text.push_str("\n\n---\n\n");
    text.push_str(ANSWER.trim_end());
    if let Some(scale) = scale {
        text.push_str(&format!("\n- `score`: a number from {} to {}.", scale.min, scale.max));
        for (score, meaning) in &scale.descriptions {
            text.push_str(&format!("\n  - {score}: {meaning}"));
        }
    }
    if asks_applicable {
        text.push_str(
            "\n- `applicable`: false if the case is not one for this behaviour; then `pass` is false as well.",
        );
        if let Some(excluded) = benchmark.and_then(|benchmark| benchmark.exclusion_criteria.as_ref()) {
            text.push_str(" What rules a case out: ");
            text.push_str(&excluded.value);
        }
    }
    text.push_str("\n\n");
    text.push_str(DATA_NOTICE);
    text
}

/// The three inputs as one JSON object between two markers; one that a case does not have is `null`.
fn case_text(system: &str, input: impl Fn(&str) -> Option<Value>) -> String {
    let data: Map<String, Value> =
        INPUTS.iter().map(|name| ((*name).to_owned(), input(name).unwrap_or(Value::Null))).collect();
    format!(
        "INPUTS\n\n{}\n\nJudge the candidate_output by the rubric. Reply with the JSON object only.",
        fence(system, &data)
    )
}

/// `reason` stands before `pass`: the evidence first, then the verdict.
fn schema(code: &str, scale: Option<&ScoringScale>, asks_applicable: bool) -> AnswerSchema {
    let mut properties = Map::new();
    let mut required = vec!["reason"];
    properties.insert(
        "reason".into(),
        json!({"type": "string", "description": "The evidence for the verdict, in 50 to 200 characters."}),
    );
    if asks_applicable {
        properties.insert("applicable".into(), json!({"type": "boolean"}));
        required.push("applicable");
    }
    properties.insert("uncertain".into(), json!({"type": "boolean"}));
    properties.insert("confidence".into(), json!({"type": "string", "enum": ["high", "medium", "low"]}));
    properties.insert("pass".into(), json!({"type": "boolean"}));
    required.push("pass");
    if let Some(scale) = scale {
        properties.insert("score".into(), json!({"type": "number", "minimum": scale.min, "maximum": scale.max}));
        required.push("score");
    }
    let name: String = code.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(48).collect();
    AnswerSchema {
        name: format!("behaviour_{name}"),
        schema: json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}),
    }
}
