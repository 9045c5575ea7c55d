//! A rubric: how benchmarks, or rubrics below it, add up.

use super::{Unused, code_of_file, keep_unused, placed};
use assize_core::document::{Fields, Node, NodeValue, Problems, Span};
use assize_core::suite::Placed;
use serde_json::Value;
use strum::{EnumIter, IntoStaticStr};

/// How the parts of a rubric make its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Aggregation {
    /// The mean by weight.
    WeightedAverage,
    /// The worst part.
    Minimum,
    /// The best part.
    Maximum,
}

impl Aggregation {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The score of parts with their weights; `None` where there is no part.
    pub fn score(self, parts: &[(f64, f64)]) -> Option<f64> {
        let scores = parts.iter().map(|(score, _)| *score);
        match self {
            Self::Minimum => scores.min_by(f64::total_cmp),
            Self::Maximum => scores.max_by(f64::total_cmp),
            Self::WeightedAverage => {
                let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
                (total > 0.0).then(|| parts.iter().map(|(score, weight)| score * weight).sum::<f64>() / total)
            }
        }
    }
}

/// A rubric.
#[derive(Clone, Debug)]
pub struct Rubric {
    /// The file it was read from, as the user would write it.
    pub file: String,
    /// Its code, unique in the tree.
    pub code: Placed<String>,
    /// Its name for people.
    pub label: Option<String>,
    /// What it counts for in the rubric above it.
    pub weight: Option<Placed<f64>>,
    /// How its parts make its score.
    pub aggregation: Aggregation,
    /// The score from which it passes.
    pub passing_threshold: f64,
    /// Whether everything above it fails with it.
    pub hard_gate: bool,
    /// What a reader should know, as text or as any structure.
    pub guidelines: Option<Value>,
    /// The codes of its benchmarks, as listed; `None` where the benchmarks themselves name it.
    pub benchmarks: Option<Vec<Placed<String>>>,
    /// The rubrics below it.
    pub sub_rubrics: Vec<RubricRef>,
    /// Fields that have no meaning here.
    pub unused: Vec<Unused>,
    /// Where it stands.
    pub span: Span,
    /// The file as it was written, for the fingerprint.
    pub written: Value,
}

/// A rubric below another.
#[derive(Clone, Debug)]
pub enum RubricRef {
    /// One in a file of its own, by its code.
    Code(Placed<String>),
    /// One written out in place.
    Inline(Box<Rubric>),
}

impl RubricRef {
    /// The code of the rubric.
    pub fn code(&self) -> &Placed<String> {
        match self {
            Self::Code(code) => code,
            Self::Inline(rubric) => &rubric.code,
        }
    }
}

impl Rubric {
    /// The score from which a rubric passes that does not say.
    pub const PASSING: f64 = 0.8;

    /// Reads a rubric from its document.
    pub fn read(document: &Node, problems: &mut Problems) -> Option<Self> {
        Self::read_with(document, code_of_file, problems)
    }

    /// Reads a rubric that is written out in another, and so has no file to be named by.
    fn read_inline(node: &Node, problems: &mut Problems) -> Option<Self> {
        let code = |fields: &mut Fields<'_>, problems: &mut Problems| {
            fields.require("code", problems).and_then(|node| placed(node, "code", problems))
        };
        Self::read_with(node, code, problems)
    }

    fn read_with(
        document: &Node,
        code: impl FnOnce(&mut Fields<'_>, &mut Problems) -> Option<Placed<String>>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let before = problems.count();
        let mut fields = Fields::open(document, "the rubric", problems)?;
        let code = code(&mut fields, problems);
        let label = fields.take("label").and_then(|node| placed(node, "label", problems));
        let weight = fields.take("weight").and_then(|node| {
            let value = node.number("weight", 0.0..=f64::INFINITY, problems)?;
            Some(Placed { value, span: node.span })
        });
        let aggregation = fields
            .take("aggregation_method")
            .map_or(Some(Aggregation::WeightedAverage), |node| node.variant("aggregation_method", problems));
        let threshold = fields
            .take("passing_threshold")
            .map_or(Some(Self::PASSING), |node| node.number("passing_threshold", 0.0..=1.0, problems));
        let hard_gate = fields.take("hard_gate").and_then(|node| node.bool("hard_gate", problems)).unwrap_or(false);
        let guidelines = fields.take("evaluation_guidelines").map(Node::to_value);
        let benchmarks = fields.take("benchmarks").and_then(|node| read_codes(node, problems));
        let sub_rubrics = fields.take("sub_rubrics").map(|node| read_below(node, problems)).unwrap_or_default();
        let mut unused = Vec::new();
        keep_unused(fields, "", &mut unused, problems);
        if problems.count() > before {
            return None;
        }
        Some(Self {
            file: problems.file().to_owned(),
            written: document.to_value(),
            code: code?,
            label: label.map(|label| label.value),
            weight,
            aggregation: aggregation?,
            passing_threshold: threshold?,
            hard_gate,
            guidelines,
            unused,
            benchmarks,
            sub_rubrics,
            span: document.span,
        })
    }
}

fn read_codes(node: &Node, problems: &mut Problems) -> Option<Vec<Placed<String>>> {
    let items = node.list("benchmarks", problems)?;
    Some(items.iter().filter_map(|item| placed(item, "benchmarks", problems)).collect())
}

fn read_below(node: &Node, problems: &mut Problems) -> Vec<RubricRef> {
    let Some(items) = node.list("sub_rubrics", problems) else { return Vec::new() };
    items
        .iter()
        .filter_map(|item| match &item.kind {
            NodeValue::Map(_) => Rubric::read_inline(item, problems).map(|rubric| RubricRef::Inline(Box::new(rubric))),
            _ => placed(item, "sub_rubrics", problems).map(RubricRef::Code),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Criticality, EvaluatorType};
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn words_are_spelt_as_the_files_have_them() {
        assert_eq!(
            Criticality::iter().map(Criticality::name).collect::<Vec<_>>(),
            ["hard_gate", "threshold_gate", "improvement_signal"]
        );
        assert_eq!(
            EvaluatorType::iter().map(EvaluatorType::name).collect::<Vec<_>>(),
            ["code", "llm_judge", "hybrid", "manual_sme"]
        );
        assert_eq!(
            Aggregation::iter().map(Aggregation::name).collect::<Vec<_>>(),
            ["WEIGHTED_AVERAGE", "MINIMUM", "MAXIMUM"]
        );
    }
}
