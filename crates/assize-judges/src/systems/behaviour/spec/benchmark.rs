//! A benchmark: when a behaviour is asked about, how it is decided, and what it counts for.

use super::super::checks::Check;
use super::formula::{Formula, in_range};
use super::{Unused, code_of_file, keep_unused, placed, text_or_lines};
use assize_core::document::{Fields, Node, NodeValue, Problems, Span};
use assize_core::judgment::tidy;
use assize_core::suite::Placed;
use serde_json::{Map, Value};
use strum::{EnumIter, IntoStaticStr};

/// What follows when a benchmark fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Criticality {
    /// Its rubric fails, and everything above it, whatever the average.
    HardGate,
    /// It counts in its rubric's score by its weight.
    ThresholdGate,
    /// It is reported, and gates nothing.
    ImprovementSignal,
}

impl Criticality {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum EvaluatorType {
    /// The deterministic checks alone.
    Code,
    /// A judge model.
    LlmJudge,
    /// The checks first, a judge model where they do not decide.
    Hybrid,
    /// A person.
    ManualSme,
}

impl EvaluatorType {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether a judge model may be asked.
    pub fn may_ask(self) -> bool {
        matches!(self, Self::LlmJudge | Self::Hybrid)
    }
}

/// A scale other than pass and fail.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoringScale {
    /// The lowest score.
    pub min: f64,
    /// The highest score.
    pub max: f64,
    /// How it becomes a score from 0 to 1.
    pub formula: Formula,
    /// What the scores mean, as `score: meaning` lines.
    pub descriptions: Vec<(String, String)>,
}

impl ScoringScale {
    /// The score from 0 to 1; `None` for a score that is not on the scale.
    pub fn normalise(&self, score: f64) -> Option<f64> {
        (self.min..=self.max)
            .contains(&score)
            .then(|| in_range(self.formula.value(score, self.min, self.max)))
            .flatten()
    }
}

/// A few-shot example.
#[derive(Clone, Debug, PartialEq)]
pub enum Example {
    /// A case with its verdict.
    Judged {
        /// The inputs of the case, by name.
        inputs: Map<String, Value>,
        /// The verdict.
        pass: bool,
        /// Why.
        reason: String,
    },
    /// Free words.
    Text(String),
}

/// A benchmark.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// The file it was read from, as the user would write it.
    pub file: String,
    /// Its code, unique in the tree.
    pub code: Placed<String>,
    /// The rubric it belongs to.
    pub parent_rubric: Option<Placed<String>>,
    /// Its name for people.
    pub label: Option<String>,
    /// What it is about, in a sentence.
    pub concept: Option<Placed<String>>,
    /// What it counts for in its rubric.
    pub weight: Option<Placed<f64>>,
    /// The score from which it passes; 1 for a hard gate and 0.8 otherwise, where none is written.
    pub threshold: f64,
    /// What follows when it fails.
    pub criticality: Criticality,
    /// A scale other than pass and fail.
    pub scale: Option<ScoringScale>,
    /// "Apply when …. Flag if …."
    pub inclusion_criteria: Option<Placed<String>>,
    /// What rules a case out, or is no fault.
    pub exclusion_criteria: Option<Placed<String>>,
    /// Few-shot examples.
    pub examples: Vec<Example>,
    /// Who decides.
    pub evaluator: EvaluatorType,
    /// The prompt file, relative to the tree's root.
    pub prompt_file: Option<Placed<String>>,
    /// The deterministic checks.
    pub checks: Vec<Check>,
    /// Whether the judge may answer that the case is not one for this benchmark.
    pub asks_applicable: bool,
    /// As many judged examples as are shown to the judge.
    pub few_shot: usize,
    /// The older name under which the verdict is also reported.
    pub result_key: Option<String>,
    /// Fields that have no meaning here.
    pub unused: Vec<Unused>,
    /// Where the benchmark stands.
    pub span: Span,
    /// The file as it was written, for the fingerprint.
    pub written: Value,
}

impl Benchmark {
    /// As many examples as are shown where the benchmark does not say.
    pub const FEW_SHOT: usize = 2;

    /// Whether a YAML text is meant as a benchmark, and not as some other file.
    pub fn is_meant_by(text: &str) -> bool {
        text.lines().any(|line| {
            ["evaluator_type:", "llm_prompt_file:", "evaluator_config:"].iter().any(|key| line.starts_with(key))
        })
    }

    /// Reads a benchmark from its document.
    pub fn read(document: &Node, problems: &mut Problems) -> Option<Self> {
        let before = problems.count();
        let mut fields = Fields::open(document, "the benchmark", problems)?;
        let code = code_of_file(&mut fields, problems);
        let mut unused = Vec::new();
        let parent_rubric = fields.take("parent_rubric").and_then(|node| placed(node, "parent_rubric", problems));
        let label = fields.take("label").and_then(|node| placed(node, "label", problems));
        let concept = fields.take("concept").and_then(|node| text_or_lines(node, "concept", problems));
        let weight = fields.take("weight").and_then(|node| {
            let value = node.number("weight", 0.0..=f64::INFINITY, problems)?;
            Some(Placed { value, span: node.span })
        });
        let threshold = fields.take("threshold").and_then(|node| node.number("threshold", 0.0..=1.0, problems));
        let criticality = fields
            .take("criticality")
            .map_or(Some(Criticality::ThresholdGate), |node| node.variant("criticality", problems));
        let scale = fields.take("scoring_scale").and_then(|node| read_scale(node, &mut unused, problems));
        let inclusion =
            fields.take("inclusion_criteria").and_then(|node| text_or_lines(node, "inclusion_criteria", problems));
        let exclusion =
            fields.take("exclusion_criteria").and_then(|node| text_or_lines(node, "exclusion_criteria", problems));
        let examples =
            fields.take("examples").map(|node| read_examples(node, &mut unused, problems)).unwrap_or_default();
        let evaluator: Option<EvaluatorType> =
            fields.require("evaluator_type", problems).and_then(|node| node.variant("evaluator_type", problems));
        let mut prompt_file = fields.take("llm_prompt_file").and_then(|node| placed(node, "llm_prompt_file", problems));
        let config =
            fields.take("evaluator_config").map(|node| read_config(node, &mut unused, problems)).unwrap_or_default();
        let result_key = fields.take("result_key").and_then(|node| placed(node, "result_key", problems));
        keep_unused(fields, "", &mut unused, problems);
        let (code, evaluator, criticality) = (code?, evaluator?, criticality?);
        match (&prompt_file, config.prompt_file) {
            (Some(one), Some(other)) if one.value != other.value => {
                let message = format!("`prompt_file` is not the file that `llm_prompt_file` names, `{}`", one.value);
                problems.report_with_help(other.span, message, "name the prompt in one place");
            }
            (None, other) => prompt_file = other,
            _ => {}
        }
        if evaluator.may_ask() && prompt_file.is_none() {
            let message = format!("a benchmark of type `{}` must name its `llm_prompt_file`", evaluator.name());
            problems.report(document.span, message);
        }
        if evaluator == EvaluatorType::Code && !config.lists_checks {
            problems.report_with_help(
                document.span,
                "a benchmark of type `code` must list its checks",
                "write them under `evaluator_config: {deterministic: [...]}`",
            );
        }
        if problems.count() > before {
            return None;
        }
        let default = if criticality == Criticality::HardGate { 1.0 } else { 0.8 };
        Some(Self {
            file: problems.file().to_owned(),
            written: document.to_value(),
            code,
            parent_rubric,
            label: label.map(|label| label.value),
            concept,
            weight,
            threshold: threshold.unwrap_or(default),
            criticality,
            scale,
            inclusion_criteria: inclusion,
            exclusion_criteria: exclusion,
            examples,
            evaluator,
            prompt_file,
            checks: config.checks,
            asks_applicable: config.asks_applicable,
            few_shot: config.few_shot.unwrap_or(Self::FEW_SHOT),
            result_key: result_key.map(|key| key.value),
            unused,
            span: document.span,
        })
    }
}

fn read_scale(node: &Node, unused: &mut Vec<Unused>, problems: &mut Problems) -> Option<ScoringScale> {
    let mut fields = Fields::open(node, "scoring_scale", problems)?;
    let everything = f64::NEG_INFINITY..=f64::INFINITY;
    let min = fields.take("min_value").map_or(Some(0.0), |node| node.number("min_value", everything.clone(), problems));
    let max = fields.take("max_value").map_or(Some(1.0), |node| node.number("max_value", everything, problems));
    let written = fields.take("normalization_formula");
    let formula = written.map_or_else(|| Some(Formula::linear()), |node| Formula::read(node, problems));
    let descriptions = fields.take("descriptions").map(|node| read_descriptions(node, problems)).unwrap_or_default();
    keep_unused(fields, "scoring_scale.", unused, problems);
    let (min, max, formula) = (min?, max?, formula?);
    if min >= max {
        problems.report(node.span, format!("`min_value` ({min}) must be less than `max_value` ({max})"));
        return None;
    }
    let levels = descriptions.iter().filter_map(|(level, _)| level.parse().ok());
    if let Some((score, value)) = formula.counterexample(min, max, levels) {
        let becomes = if value.is_finite() { format!("becomes {}", tidy(value)) } else { "divides by zero".to_owned() };
        let message =
            format!("`{}` does not stay from 0 to 1: a score of {} {becomes}", formula.written(), tidy(score));
        let help = format!("on a scale from {min} to {max}, `linear` is `(x - min) / (max - min)`");
        problems.report_with_help(written.map_or(node.span, |node| node.span), message, help);
        return None;
    }
    Some(ScoringScale { min, max, formula, descriptions })
}

fn read_descriptions(node: &Node, problems: &mut Problems) -> Vec<(String, String)> {
    match &node.kind {
        NodeValue::Map(entries) => entries
            .iter()
            .filter_map(|(key, value)| Some((key.name.clone(), value.text("descriptions", problems)?.to_owned())))
            .collect(),
        NodeValue::List(items) => items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| Some((index.to_string(), item.text("descriptions", problems)?.to_owned())))
            .collect(),
        _ => {
            node.expected("descriptions", "a mapping from a score to what it means", problems);
            Vec::new()
        }
    }
}

fn read_examples(node: &Node, unused: &mut Vec<Unused>, problems: &mut Problems) -> Vec<Example> {
    if matches!(node.kind, NodeValue::Text(_)) {
        return read_example(node, 0, unused, problems).into_iter().collect();
    }
    let Some(items) = node.list("examples", problems) else { return Vec::new() };
    items.iter().enumerate().filter_map(|(index, item)| read_example(item, index, unused, problems)).collect()
}

fn read_example(node: &Node, index: usize, unused: &mut Vec<Unused>, problems: &mut Problems) -> Option<Example> {
    if let NodeValue::Text(text) = &node.kind {
        return Some(Example::Text(text.trim().to_owned()));
    }
    let mut fields = Fields::open(node, "the example", problems)?;
    let mut inputs = Map::new();
    for name in super::super::INPUTS {
        if let Some(value) = fields.take(name) {
            inputs.insert(name.to_owned(), value.to_value());
        }
    }
    let pass = fields.require("pass", problems).and_then(|node| node.bool("pass", problems));
    let reason = fields.require("reason", problems).and_then(|node| node.filled_text("reason", problems));
    let span = fields.span();
    keep_unused(fields, &format!("examples[{index}]."), unused, problems);
    if inputs.is_empty() {
        problems.report(span, "the example has none of `ground_truth`, `source_narrative` and `candidate_output`");
    }
    Some(Example::Judged { inputs, pass: pass?, reason: reason?.trim().to_owned() })
}

#[derive(Default)]
struct Config {
    /// The checks that could be read.
    checks: Vec<Check>,
    /// Whether any is written, readable or not.
    lists_checks: bool,
    prompt_file: Option<Placed<String>>,
    asks_applicable: bool,
    few_shot: Option<usize>,
}

fn read_config(node: &Node, unused: &mut Vec<Unused>, problems: &mut Problems) -> Config {
    let mut config = Config::default();
    let Some(mut fields) = Fields::open(node, "evaluator_config", problems) else { return config };
    if let Some(node) = fields.take("deterministic") {
        let list = node.list("deterministic", problems);
        config.lists_checks = list.is_none_or(|list| !list.is_empty());
        config.checks = list.into_iter().flatten().filter_map(|item| Check::read(item, problems)).collect();
    }
    if let Some(mut judge) = fields.take("llm_judge").and_then(|node| Fields::open(node, "llm_judge", problems)) {
        config.prompt_file = judge.take("prompt_file").and_then(|node| placed(node, "prompt_file", problems));
        config.asks_applicable =
            judge.take("applicable").and_then(|node| node.bool("applicable", problems)).unwrap_or(false);
        config.few_shot = judge
            .take("few_shot")
            .and_then(|node| node.integer("few_shot", 0..=10, problems))
            .map(|count| count as usize);
        keep_unused(judge, "evaluator_config.llm_judge.", unused, problems);
    }
    keep_unused(fields, "evaluator_config.", unused, problems);
    config
}
