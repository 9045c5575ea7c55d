//! What is asked: one question per case, for all criteria at once.

use super::spec::CriteriaSpec;
use super::spec_answer::TextKind;
use assize_core::prompt::{DATA_NOTICE, fence};
use assize_core::{AnswerSchema, Case, Message, Question};
use minijinja::{Environment, UndefinedBehavior, context};
use serde_json::{Map, Value, json};

/// The name of the one question.
pub(super) const SCORE: &str = "score";

/// The instructions, which are the same for every case of a judge.
pub(super) fn instructions(spec: &CriteriaSpec) -> String {
    let criteria: Vec<_> = spec
        .criteria
        .iter()
        .map(|criterion| {
            context! {
                name => &criterion.name, about => &criterion.about, low => plain(criterion.low), high => plain(criterion.high),
                step => criterion.step.map(plain), direction => if criterion.lower_is_better { "lower" } else { "higher" },
                anchors => criterion.anchors.iter().map(|(at, text)| context! { at => plain(*at), text }).collect::<Vec<_>>(),
            }
        })
        .collect();
    let verdicts: Vec<_> =
        if spec.answer.claims { spec.verdicts.iter().map(verdict_rule).collect() } else { Vec::new() };
    let texts: Vec<_> =
        spec.answer.texts.iter().map(|text| context! { name => &text.name, about => &text.about }).collect();
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let template = include_str!("prompt.md");
    let values = context! { task => &spec.task, criteria, verdicts, texts, notice => DATA_NOTICE };
    environment.render_str(template, values).expect("the template is part of the program and every value is given")
}

fn verdict_rule(rule: &super::spec::VerdictRule) -> minijinja::Value {
    let conditions: Vec<&str> = rule.when.iter().map(|condition| condition.written.as_str()).collect();
    let text = if conditions.is_empty() { "otherwise".to_owned() } else { conditions.join(" and ") };
    context! { name => &rule.verdict, rule => text }
}

/// A number as people write it: 5, not 5.0.
fn plain(number: f64) -> String {
    number.to_string()
}

/// A number as JSON, whole where it is whole.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// The schema of the answer. Texts stand first, so that the model gives reasons before figures.
pub(super) fn schema(spec: &CriteriaSpec) -> AnswerSchema {
    let mut properties = Map::new();
    for text in &spec.answer.texts {
        let property = match text.kind {
            TextKind::Text => json!({"type": "string", "description": text.about}),
            TextKind::Texts => json!({"type": "array", "items": {"type": "string"}, "description": text.about}),
        };
        properties.insert(text.name.clone(), property);
    }
    let mut scores = Map::new();
    for criterion in &spec.criteria {
        let mut property = match criterion.points() {
            // Every strict mode enforces an enumeration; hardly any enforces steps.
            Some(points) => json!({"type": "number", "enum": points.into_iter().map(number).collect::<Vec<_>>()}),
            None => json!({"type": "number", "minimum": criterion.low, "maximum": criterion.high}),
        };
        property["description"] = json!(criterion.about);
        scores.insert(criterion.name.clone(), property);
    }
    match &spec.answer.scores_in {
        Some(key) => {
            properties.insert(key.clone(), object(scores));
        }
        None => properties.extend(scores),
    }
    if spec.answer.claims {
        let composite = json!({"type": "number", "minimum": 0, "maximum": 1, "description": spec.composite.about});
        properties.insert(spec.composite.name.clone(), composite);
        if !spec.verdicts.is_empty() {
            let verdicts: Vec<&str> = spec.verdicts.iter().map(|rule| rule.verdict.as_str()).collect();
            properties.insert("verdict".into(), json!({"type": "string", "enum": verdicts}));
        }
    }
    AnswerSchema { name: spec.name.replace('-', "_"), schema: object(properties) }
}

fn object(properties: Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

/// The question about a case.
pub(super) fn question(instructions: &str, schema: &AnswerSchema, spec: &CriteriaSpec, case: &Case) -> Question {
    let data: Map<String, Value> = spec
        .inputs
        .iter()
        .filter_map(|input| case.inputs.get(&input.name).map(|value| (input.name.clone(), value.clone())))
        .collect();
    Question {
        name: SCORE.into(),
        messages: vec![Message::system(instructions), Message::user(fence(instructions, &data))],
        schema: schema.clone(),
        sample: 0,
    }
}
