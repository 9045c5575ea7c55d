//! The rules that stand in for the model, by name.
//!
//! Each gives a figure from 0 to 1, with 1 as the best, from what code can find out about a case, or nothing where
//! that is not enough. They are no substitute for reading; every figure that rests on them is marked `rules`.

use super::measure::Findings;
use super::spec::CriteriaSpec;
use assize_core::document::{Node, NodeValue, Problems, closest};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// A rule that stands in for the model on one criterion.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its name in a criteria file.
    pub(super) name: &'static str,
    /// What it looks at, in a line.
    pub(super) about: &'static str,
    /// The figure, from 0 to 1 with 1 as the best.
    value: fn(&Findings<'_>) -> Option<f64>,
}

impl Rule {
    /// What code leaves a model to say on this criterion, and the flag where it says something else; nothing where only
    /// reading can tell.
    pub(super) fn leaves(&self, findings: &Findings<'_>) -> Option<(RangeInclusive<f64>, &'static str)> {
        let left = match self.name {
            "equations_hold" => {
                let wrong = findings.equations()?.iter().any(|equation| !equation.holds);
                return wrong.then_some((0.0..=0.95, "arithmetic_contradicted"));
            }
            "words_kept" | "words_missing" | "words_added" | "words_usable" => aligned(self.name, findings)?,
            _ => return None,
        };
        Some((left, "alignment_contradicts"))
    }
}

/// What an alignment leaves to say. Only where it is certain: the same text, no text, a text of half the length, a text with
/// hardly a word added or missing. Whether words that differ mean the same needs reading.
fn aligned(rule: &str, findings: &Findings<'_>) -> Option<RangeInclusive<f64>> {
    /// Shorter texts may lose half of their words to digits: "one hundred thirty five" is 135.
    const LONG: usize = 10;
    let words = findings.words()?;
    let counts = words.error_rate.counts;
    let (reference, hypothesis) = (counts.reference_length(), counts.hypothesis_length());
    let (good, bad, flawed) = (Some(0.8..=1.0), Some(0.0..=0.2), Some(0.0..=0.95));
    if reference == 0 {
        return if rule == "words_added" && hypothesis > 0 { bad } else { None };
    }
    if counts.distance() == 0 {
        return good;
    }
    if hypothesis == 0 {
        return if rule == "words_added" { good } else { bad };
    }
    let close = words.error_rate.rate.is_some_and(|rate| rate <= 0.1).then_some(0.4..=1.0);
    match rule {
        "words_missing" if reference >= LONG && hypothesis * 2 <= reference => flawed,
        "words_added" if hypothesis >= LONG && reference * 2 <= hypothesis => flawed,
        "words_missing" | "words_added" => close,
        _ => None,
    }
}

/// Every rule, in the order in which they are listed.
pub(super) const RULES: &[Rule] = &[
    Rule { name: "words_kept", about: "share of the reference's words that the hypothesis has", value: words_kept },
    Rule {
        name: "words_missing",
        about: "share of the reference's words that the hypothesis left out",
        value: words_missing,
    },
    Rule { name: "words_added", about: "share of the hypothesis' words that were added", value: words_added },
    Rule { name: "words_usable", about: "one minus the word error rate", value: words_usable },
    Rule {
        name: "components_mentioned",
        about: "share of the expected components that the response mentions",
        value: components_mentioned,
    },
    Rule {
        name: "equations_hold",
        about: "1 where every equation in the text holds, at most 0.5 where one does not",
        value: equations_hold,
    },
    Rule {
        name: "chain_unbroken",
        about: "share of the equations before the first that does not hold",
        value: chain_unbroken,
    },
    Rule {
        name: "answer_matches",
        about: "1 where the final answer is the expected one, 0 where it is another",
        value: answer_matches,
    },
    Rule {
        name: "plainly_laid_out",
        about: "a stated result, and sentences short enough to follow",
        value: plainly_laid_out,
    },
];

pub(super) fn read(node: &Node, problems: &mut Problems) -> Option<&'static Rule> {
    if let NodeValue::Text(text) = &node.kind
        && let Some(rule) = RULES.iter().find(|rule| rule.name == text)
    {
        return Some(rule);
    }
    let found = node.describe();
    let help = match &node.kind {
        NodeValue::Text(text) => {
            closest(text, RULES.iter().map(|rule| rule.name)).map(|name| format!("did you mean `{name}`?"))
        }
        _ => None,
    };
    let list = || RULES.iter().map(|rule| format!("{} ({})", rule.name, rule.about)).collect::<Vec<_>>().join("; ");
    problems.report_with_help(
        node.span,
        format!("`offline` must name a rule, found {found}"),
        help.unwrap_or_else(list),
    );
    None
}

/// What the rules answer in the model's place: the scores, and nothing where no rule can tell.
pub(super) fn answer(spec: &CriteriaSpec, findings: &Findings<'_>) -> Option<Value> {
    let mut scores = Map::new();
    for criterion in &spec.criteria {
        let value = criterion.offline.and_then(|rule| (rule.value)(findings));
        scores.insert(criterion.name.clone(), json!(value.map(|value| criterion.denormalise(value))));
    }
    // Where no criterion has a rule at all, there is nothing to stand in with; where rules came up empty, that is a finding.
    if spec.criteria.iter().all(|criterion| criterion.offline.is_none()) {
        return None;
    }
    Some(match &spec.answer.scores_in {
        Some(key) => json!({ key: scores }),
        None => Value::Object(scores),
    })
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn words_kept(findings: &Findings<'_>) -> Option<f64> {
    let counts = findings.words()?.error_rate.counts;
    share(counts.hits, counts.reference_length())
}

fn words_missing(findings: &Findings<'_>) -> Option<f64> {
    let counts = findings.words()?.error_rate.counts;
    share(counts.deletions, counts.reference_length()).map(|share| 1.0 - share)
}

fn words_added(findings: &Findings<'_>) -> Option<f64> {
    let counts = findings.words()?.error_rate.counts;
    // An empty hypothesis has added nothing to a reference that is not empty.
    let whole =
        if counts.reference_length() > 0 { counts.hypothesis_length().max(1) } else { counts.hypothesis_length() };
    share(counts.insertions, whole).map(|share| 1.0 - share)
}

fn words_usable(findings: &Findings<'_>) -> Option<f64> {
    findings.words()?.error_rate.rate.map(|rate| (1.0 - rate).max(0.0))
}

fn components_mentioned(findings: &Findings<'_>) -> Option<f64> {
    let components = findings.components()?;
    // Where nothing particular was expected, whether anything is missing needs reading; an empty response has nothing at all.
    if findings.response_is_empty() {
        return Some(0.0);
    }
    share(components.iter().filter(|component| component.mentioned).count(), components.len())
}

fn equations_hold(findings: &Findings<'_>) -> Option<f64> {
    let equations = findings.equations()?;
    let right = equations.iter().filter(|equation| equation.holds).count();
    if right < equations.len() { share(right, equations.len()).map(|share| share / 2.0) } else { share(right, right) }
}

fn chain_unbroken(findings: &Findings<'_>) -> Option<f64> {
    let equations = findings.equations()?;
    let before = equations.iter().position(|equation| !equation.holds).unwrap_or(equations.len());
    share(before, equations.len())
}

fn answer_matches(findings: &Findings<'_>) -> Option<f64> {
    findings.answer_is_expected().map(|same| if same { 1.0 } else { 0.0 })
}

fn plainly_laid_out(findings: &Findings<'_>) -> Option<f64> {
    /// Longer sentences than this lose their reader.
    const LONG: usize = 60;
    let text = findings.response()?;
    if text.trim().is_empty() {
        return Some(0.0);
    }
    let longest = text.split(['.', '!', '?', '\n', '。']).map(|sentence| sentence.split_whitespace().count()).max();
    let stated = if findings.states_an_answer() { 0.25 } else { 0.0 };
    let short = if longest.unwrap_or(0) <= LONG { 0.25 } else { 0.0 };
    Some(0.5 + stated + short)
}
