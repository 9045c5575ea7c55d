//! What is asked: one question per case, for all criteria at once.

use super::spec::{CriteriaSpec, Criterion, VerdictRule};
use super::spec_answer::TextKind;
use assize_core::prompt::{DATA_NOTICE, fence};
use assize_core::{AnswerSchema, Case, InputSpec, Message, Question};
use serde_json::{Map, Value, json};

/// The name of the one question.
pub(super) const SCORE: &str = "score";

/// The instructions, which are the same for every case of a judge.
pub(super) fn instructions(spec: &CriteriaSpec, weights: &[f64]) -> String {
    fill(include_str!("prompt.md").trim_end(), |name| match name {
        "task" => spec.task.clone(),
        "criteria" => spec.criteria.iter().map(criterion_text).collect(),
        "inputs" => spec.inputs.iter().map(input_text).collect(),
        "claims" if spec.answer.claims => claims_text(spec, weights),
        "claims" => String::new(),
        "texts" => spec.answer.texts.iter().map(|text| format!("\n- {}: {}", text.name, text.about)).collect(),
        "notice" => DATA_NOTICE.to_owned(),
        other => unreachable!("prompt.md names {other}, which is no part of the instructions"),
    })
}

/// Puts values in the place of the `{{ names }}` in a template. What is in a value is not looked at.
fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{ ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" }}").expect("prompt.md closes every name it opens");
        text.push_str(&value(name));
        text.push_str(rest);
    }
    text
}

fn criterion_text(criterion: &Criterion) -> String {
    let (low, high) = (plain(criterion.low), plain(criterion.high));
    let step = criterion.step.map(|step| format!(", in steps of {}", plain(step))).unwrap_or_default();
    let better = if criterion.lower_is_better { "lower" } else { "higher" };
    let anchors: String = criterion.anchors.iter().map(|(at, text)| format!("\n- {}: {text}", plain(*at))).collect();
    format!("\n{} ({low} to {high}{step}; {better} is better): {}{anchors}\n", criterion.name, criterion.about)
}

fn input_text(input: &InputSpec) -> String {
    let given = if input.required { "" } else { ", where it is given" };
    format!("\n- {}: {}{given}", input.name, input.about)
}

/// What the model may state beside its scores, and how that follows from them.
fn claims_text(spec: &CriteriaSpec, weights: &[f64]) -> String {
    let composite = &spec.composite.name;
    let plain_scale = |one: &Criterion| one.low == 0.0 && one.high == 1.0 && !one.lower_is_better;
    let scaled = match spec.criteria.iter().all(plain_scale) {
        true => "",
        false => ", each first brought to a scale from 0 (worst) to 1 (best)",
    };
    let weighted = match weights.iter().all(|weight| *weight == weights[0]) {
        true => String::new(),
        false => {
            let told =
                spec.criteria.iter().zip(weights).map(|(one, weight)| format!("{} {}", one.name, plain(*weight)));
            format!(", with the weights {}", told.collect::<Vec<_>>().join(", "))
        }
    };
    let verdicts = match spec.verdicts.is_empty() {
        true => String::new(),
        false => {
            let rules: String = spec.verdicts.iter().map(|rule| verdict_text(rule, spec)).collect();
            format!("\n- verdict: the first of these that holds{rules}")
        }
    };
    format!(
        "You may also state what follows from your scores:\n- {composite}: the mean of your scores{scaled}{weighted}{verdicts}\n\n"
    )
}

fn verdict_text(rule: &VerdictRule, spec: &CriteriaSpec) -> String {
    let conditions: Vec<String> = rule.when.iter().map(|condition| condition.told(spec)).collect();
    let when = if conditions.is_empty() { "otherwise".to_owned() } else { conditions.join(" and ") };
    format!("\n  - {}: {when}", rule.verdict)
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
            properties.insert(key.clone(), object(scores, &[]));
        }
        None => properties.extend(scores),
    }
    let mut optional = Vec::new();
    if spec.answer.claims {
        optional = vec![spec.composite.name.as_str(), "verdict"];
        let composite = json!({"type": "number", "minimum": 0, "maximum": 1, "description": spec.composite.about});
        properties.insert(spec.composite.name.clone(), composite);
        if !spec.verdicts.is_empty() {
            let verdicts: Vec<&str> = spec.verdicts.iter().map(|rule| rule.verdict.as_str()).collect();
            properties.insert("verdict".into(), json!({"type": "string", "enum": verdicts}));
        }
    }
    AnswerSchema { name: spec.name.replace('-', "_"), schema: object(properties, &optional) }
}

fn object(properties: Map<String, Value>, optional: &[&str]) -> Value {
    let required: Vec<&String> = properties.keys().filter(|name| !optional.contains(&name.as_str())).collect();
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
