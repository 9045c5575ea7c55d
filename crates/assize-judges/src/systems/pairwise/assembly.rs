//! From rows to pairs: a row is a pair already, or one system's output to a prompt.

use super::judge::PairwiseJudge;
use super::spec::{MODEL_A, MODEL_B, PROMPT, REFERENCE, RESPONSE, RESPONSE_A, RESPONSE_B};
use assize_core::{Assembly, Case, UnderTest};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::HashSet;

impl Assembly for PairwiseJudge {
    /// Rows that hold a pair become that pair. Of the others, those with the same id are paired, every system with every
    /// other or with the baseline, in the order of the systems' names.
    fn assemble(&self, rows: Vec<Case>) -> Result<Vec<Case>, Vec<String>> {
        let (mut cases, mut wrong) = (Vec::new(), Vec::new());
        let mut outputs: IndexMap<String, Vec<Case>> = IndexMap::new();
        for row in rows {
            match has(&row, RESPONSE) {
                true => outputs.entry(row.id.clone()).or_default().push(row),
                false => cases.push(named_pair(row)),
            }
        }
        let baseline = self.settings.baseline.as_deref();
        if let Some(name) = baseline
            && !outputs.is_empty()
            && !outputs.values().flatten().any(|row| row.model == name)
        {
            wrong.push(format!("the baseline `{name}` is not among the systems of the cases"));
            return Err(wrong);
        }
        let pairs: usize = outputs.values().map(|rows| rows.len() * rows.len().saturating_sub(1) / 2).sum();
        if baseline.is_none() && pairs > MOST_PAIRS {
            wrong.push(format!(
                "these rows make {pairs} pairs, each asked about twice, and at most {MOST_PAIRS} are taken: set `baseline` to \
                 compare every system with one"
            ));
            return Err(wrong);
        }
        for (id, mut rows) in outputs {
            rows.sort_by(|one, other| one.model.cmp(&other.model));
            if let Some(message) = mismatch(&id, &rows, baseline) {
                wrong.push(message);
                continue;
            }
            for (at, one) in rows.iter().enumerate() {
                for other in &rows[at + 1..] {
                    if baseline.is_none_or(|name| one.model == name || other.model == name) {
                        cases.push(pair(one, other));
                    }
                }
            }
        }
        let mut known = HashSet::new();
        for case in &cases {
            if !known.insert((&case.id, &case.model)) {
                wrong.push(format!("`{}` has the pair {} more than once", case.id, case.model));
            }
        }
        if wrong.is_empty() { Ok(cases) } else { Err(wrong) }
    }
}

fn has(row: &Case, input: &str) -> bool {
    row.inputs.contains_key(input)
}

/// What is wrong with a row by itself.
pub(super) fn row_problems(row: &Case) -> Vec<String> {
    let whole = has(row, RESPONSE_A) && has(row, RESPONSE_B);
    let part = has(row, RESPONSE_A) || has(row, RESPONSE_B);
    let (named, given) = (has(row, MODEL_A) || has(row, MODEL_B), row.model.names().count());
    let message = match (has(row, RESPONSE), part) {
        (true, true) => "a case has either `response`, or `response_a` and `response_b`, and not all of them",
        (true, false) if row.model.names().count() > 1 => {
            "one `response` is that of one system, so `model` is one name"
        }
        (false, false) => "a case needs `response` (one output a row), or `response_a` and `response_b` (a pair a row)",
        (false, true) if !whole => "a pair needs both `response_a` and `response_b`",
        (false, true) if named && given == 2 => "a pair's systems are named by `model`, or by `model_a` and `model_b`",
        (false, true) if given > 2 => "a pair has two systems, and `model` names more",
        (false, true) if given == 1 && row.model != Case::DEFAULT_MODEL => {
            "a pair has two systems: name both, as `model: [A, B]` or as `model_a` and `model_b`"
        }
        (false, true) if names(row).0 == names(row).1 => "the two systems of a pair need different names",
        _ if systems(row).iter().any(|name| RESERVED.contains(&name.trim())) => {
            "a system cannot be called `tie` or `inconsistent`, which are verdicts, nor have an empty name"
        }
        _ => return Vec::new(),
    };
    vec![message.to_owned()]
}

/// What no system can be called: a verdict of a pair is its winner's name, or one of these.
const RESERVED: [&str; 3] = ["tie", "inconsistent", ""];

/// More pairs than anybody means to pay for; they are all held in memory.
const MOST_PAIRS: usize = 500_000;

/// The names of all systems of a row.
fn systems(row: &Case) -> Vec<String> {
    if has(row, RESPONSE) {
        return row.model.names().map(str::to_owned).collect();
    }
    let (first, second) = names(row);
    vec![first, second]
}

/// The systems of a row that holds a pair: as the row names them, or else by its `model`.
fn names(row: &Case) -> (String, String) {
    let mut listed = row.model.names().map(str::to_owned).collect::<Vec<_>>().into_iter();
    let (first, second) = match (listed.next(), listed.next()) {
        (Some(first), Some(second)) => (first, second),
        _ => ("a".to_owned(), "b".to_owned()),
    };
    let named = |input: &str, otherwise: String| row.optional_text(input).map_or(otherwise, str::to_owned);
    (named(MODEL_A, first), named(MODEL_B, second))
}

fn named_pair(mut row: Case) -> Case {
    let (first, second) = names(&row);
    row.model = UnderTest::several(vec![first, second]);
    row.inputs.shift_remove(MODEL_A);
    row.inputs.shift_remove(MODEL_B);
    row
}

/// Why the outputs of a prompt cannot be paired.
fn mismatch(id: &str, rows: &[Case], baseline: Option<&str>) -> Option<String> {
    let first = rows.first()?;
    for input in [PROMPT, REFERENCE] {
        if let Some(other) = rows.iter().find(|row| row.inputs.get(input) != first.inputs.get(input)) {
            let (one, other) = (&first.model, &other.model);
            return Some(format!(
                "`{id}` has one `{input}` for {one} and another for {other}; outputs to one prompt share it"
            ));
        }
    }
    if rows.len() < 2 {
        return Some(format!("`{id}` has an output of {} only; a pair takes two", first.model));
    }
    let missing = baseline.filter(|name| !rows.iter().any(|row| row.model == *name));
    missing.map(|name| format!("`{id}` has no output of the baseline `{name}`"))
}

fn pair(one: &Case, other: &Case) -> Case {
    let mut inputs = Map::new();
    for input in [PROMPT, REFERENCE] {
        if let Some(value) = one.inputs.get(input) {
            inputs.insert(input.to_owned(), value.clone());
        }
    }
    let response = |row: &Case| row.inputs.get(RESPONSE).cloned().unwrap_or(Value::Null);
    inputs.insert(RESPONSE_A.to_owned(), response(one));
    inputs.insert(RESPONSE_B.to_owned(), response(other));
    let mut tags = one.tags.clone();
    tags.extend(other.tags.iter().filter(|tag| !one.tags.contains(tag)).cloned());
    Case {
        id: one.id.clone(),
        model: UnderTest::several(vec![one.model.to_string(), other.model.to_string()]),
        tags,
        inputs,
        metadata: one.metadata.clone(),
    }
}
