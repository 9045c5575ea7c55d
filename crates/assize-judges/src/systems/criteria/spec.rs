//! What a criteria file says, valid by construction.

use super::condition::{self, Condition};
use super::measure::{self, Measure};
use super::rules::{self, Rule};
use super::spec_answer::{self, AnswerSpec, TextKind};
use assize_core::document::{Fields, Node, NodeValue, Problems};
use assize_core::judgment::tidy;
use assize_core::{InputKind, InputSpec};
use serde_json::Value;

/// A whole criteria file.
#[derive(Debug)]
pub(super) struct CriteriaSpec {
    pub(super) name: String,
    pub(super) task: String,
    pub(super) inputs: Vec<InputSpec>,
    pub(super) criteria: Vec<Criterion>,
    pub(super) composite: Composite,
    pub(super) verdicts: Vec<VerdictRule>,
    pub(super) answer: AnswerSpec,
    pub(super) measures: Vec<Measure>,
    /// The file as it was written, for the fingerprint: not everything in it is asked.
    pub(super) written: Value,
}

/// One thing that is scored.
#[derive(Debug)]
pub(super) struct Criterion {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Only multiples of this are allowed.
    pub(super) step: Option<f64>,
    pub(super) lower_is_better: bool,
    pub(super) weight: f64,
    /// Points of the scale, in the order written.
    pub(super) anchors: Vec<(f64, String)>,
    /// The rule that stands in for the model.
    pub(super) offline: Option<&'static Rule>,
}

impl Criterion {
    /// The points of the scale, where it has steps.
    pub(super) fn points(&self) -> Option<Vec<f64>> {
        let step = self.step?;
        let count = ((self.high - self.low) / step + 1e-9).floor() as usize;
        Some((0..=count).map(|position| tidy(self.low + step * position as f64)).collect())
    }

    /// From the scale on which it was given to 0..1 with 1 as the best.
    pub(super) fn normalise(&self, raw: f64) -> f64 {
        let share = (raw - self.low) / (self.high - self.low);
        tidy(if self.lower_is_better { 1.0 - share } else { share })
    }

    /// From 0..1 with 1 as the best to the scale.
    pub(super) fn on_scale(&self, value: f64) -> f64 {
        let share = if self.lower_is_better { 1.0 - value } else { value };
        tidy(self.low + share * (self.high - self.low))
    }

    /// From 0..1 with 1 as the best to the scale, on the nearest allowed point that does not flatter.
    pub(super) fn denormalise(&self, value: f64) -> f64 {
        let raw = self.on_scale(value);
        let Some(step) = self.step else { return tidy(raw) };
        let steps = tidy((raw - self.low) / step);
        tidy(self.low + step * if self.lower_is_better { steps.ceil() } else { steps.floor() })
    }
}

/// A scale with more steps than this is one without steps.
const MOST_STEPS: f64 = 100.0;

/// The figure that joins the criteria.
#[derive(Debug)]
pub(super) struct Composite {
    pub(super) name: String,
    pub(super) about: String,
}

/// A verdict and when it is given. The first whose conditions all hold is the case's.
#[derive(Debug)]
pub(super) struct VerdictRule {
    pub(super) verdict: String,
    /// All must hold; none means "otherwise".
    pub(super) when: Vec<Condition>,
    /// Texts that should not be empty with this verdict, and the flag that says that one is.
    pub(super) expects: Vec<(String, String)>,
}

impl CriteriaSpec {
    /// Reads a criteria file.
    pub(super) fn read(document: &Node, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(document, "the criteria file", problems)?;
        let name = fields.require("name", problems).and_then(|node| read_name(node, "name", problems));
        // Shown in lists of judges; the judge itself does not use it.
        let _about = fields.take("about").and_then(|node| node.text("about", problems));
        let task = fields.require("task", problems).and_then(|node| node.filled_text("task", problems));
        let inputs = fields.require("inputs", problems).and_then(|node| read_inputs(node, problems));
        let criteria = fields.require("criteria", problems).and_then(|node| read_criteria(node, problems));
        let composite = match fields.take("composite") {
            Some(node) => read_composite(node, problems),
            None => {
                Some(Composite { name: "composite".into(), about: "the criteria together, by their weights".into() })
            }
        };
        let answer = match fields.take("answer") {
            Some(node) => spec_answer::read(node, problems),
            None => Some(AnswerSpec::default()),
        };
        let verdicts = fields.take("verdicts");
        let measures = fields.take("measures");
        fields.finish(problems);
        let (criteria, composite, mut answer, inputs) = (criteria?, composite?, answer?, inputs?);
        answer.ask_for_a_reason(|name| name == composite.name || criteria.iter().any(|one| one.name == name));
        check_names(document, &criteria, &composite, &answer, problems);
        let verdicts =
            verdicts.map_or(Some(Vec::new()), |node| read_verdicts(node, &criteria, &composite, &answer, problems));
        let measures =
            measures.map_or(Some(Vec::new()), |node| measure::read_all(node, &inputs, &criteria, &answer, problems));
        Some(Self {
            name: name?,
            task: task?.trim_end().to_owned(),
            inputs,
            criteria,
            composite,
            verdicts: verdicts?,
            answer,
            measures: measures?,
            written: document.to_value(),
        })
    }

    /// Whether two texts are compared word by word.
    pub(super) fn aligns(&self) -> bool {
        self.measures.iter().any(|measure| matches!(measure, Measure::ErrorRates { .. }))
    }

    /// What a case has: what the file says, and which repetition it is.
    pub(super) fn case_inputs(&self) -> Vec<InputSpec> {
        self.inputs.iter().cloned().chain([InputSpec::run()]).collect()
    }
}

/// A name that can be a key in JSON, in a gate and in a prompt.
pub(super) fn read_name(node: &Node, what: &str, problems: &mut Problems) -> Option<String> {
    let text = node.filled_text(what, problems)?;
    if is_name(text) {
        return Some(text.to_owned());
    }
    node.expected(what, "a name of letters, digits, `_` and `-`", problems);
    None
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn read_inputs(node: &Node, problems: &mut Problems) -> Option<Vec<InputSpec>> {
    const KINDS: [(&str, InputKind); 4] = [
        ("text", InputKind::Text),
        ("texts", InputKind::Texts),
        ("number", InputKind::Number),
        ("any", InputKind::Any),
    ];
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("inputs", "a mapping from an input's name to what it is", problems);
        return None;
    };
    let mut inputs = Vec::new();
    for (key, entry) in entries {
        let taken = assize_core::case::COMMON_KEYS.contains(&key.name.as_str()) || key.name == InputSpec::RUN;
        if taken {
            let message = format!("`{}` cannot be the name of an input: it is a key of every case", key.name);
            problems.report(key.span, message);
            continue;
        }
        if !is_name(&key.name) {
            problems.report(key.span, format!("`{}` cannot be the name of an input", key.name));
            continue;
        }
        let Some(mut fields) = Fields::open(entry, format!("inputs.{}", key.name), problems) else { continue };
        let kind = fields.take("kind").map_or(Some(InputKind::Text), |node| node.one_of("kind", &KINDS, problems));
        let required = fields.take("required").map_or(Some(false), |node| node.bool("required", problems));
        let about = fields.require("about", problems).and_then(|node| node.filled_text("about", problems));
        fields.finish(problems);
        let (Some(kind), Some(required), Some(about)) = (kind, required, about) else { continue };
        inputs.push(InputSpec { name: key.name.clone(), kind, required, about: about.to_owned() });
    }
    (inputs.len() == entries.len()).then_some(inputs)
}

fn read_criteria(node: &Node, problems: &mut Problems) -> Option<Vec<Criterion>> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("criteria", "a mapping from a criterion's name to what it is", problems);
        return None;
    };
    if entries.is_empty() {
        problems.report(node.span, "`criteria` is empty: a judge needs at least one");
        return None;
    }
    let mut criteria = Vec::new();
    for (key, entry) in entries {
        if !is_name(&key.name) {
            problems.report(key.span, format!("`{}` cannot be the name of a criterion", key.name));
            continue;
        }
        criteria.extend(read_criterion(&key.name, entry, problems));
    }
    (criteria.len() == entries.len()).then_some(criteria)
}

fn read_criterion(name: &str, node: &Node, problems: &mut Problems) -> Option<Criterion> {
    let mut fields = Fields::open(node, format!("criteria.{name}"), problems)?;
    let about = fields.require("about", problems).and_then(|node| node.filled_text("about", problems));
    let scale = fields.require("scale", problems).and_then(|node| read_scale(node, problems));
    let step = match fields.take("step") {
        None => Some(None),
        Some(node) => node.number("step", 1e-6..=f64::MAX, problems).map(Some),
    };
    let lower_is_better = fields
        .take("better")
        .map_or(Some(false), |node| node.one_of("better", &[("higher", false), ("lower", true)], problems));
    let weight = fields.take("weight").map_or(Some(1.0), |node| node.number("weight", 0.0..=f64::MAX, problems));
    let offline = match fields.take("offline") {
        None => Some(None),
        Some(node) => rules::read(node, problems).map(Some),
    };
    let anchors = fields.take("anchors");
    fields.finish(problems);
    let (low, high) = scale?;
    if let Some(step) = step.flatten()
        && (high - low) / step > MOST_STEPS
    {
        let message = format!(
            "`step` cuts the scale of {name} into more than {MOST_STEPS} parts; leave it out for a scale without steps"
        );
        problems.report(node.get("step").map_or(node.span, |node| node.span), message);
        return None;
    }
    let anchors = anchors.map_or(Some(Vec::new()), |node| read_anchors(node, low, high, problems));
    Some(Criterion {
        name: name.to_owned(),
        about: about?.to_owned(),
        low,
        high,
        step: step?,
        lower_is_better: lower_is_better?,
        weight: weight?,
        anchors: anchors?,
        offline: offline?,
    })
}

fn read_scale(node: &Node, problems: &mut Problems) -> Option<(f64, f64)> {
    if let NodeValue::List(ends) = &node.kind
        && let [low, high] = ends.as_slice()
    {
        let low = low.number("scale", -1e9..=1e9, problems)?;
        let high = high.number("scale", -1e9..=1e9, problems)?;
        if low < high {
            return Some((low, high));
        }
    }
    node.expected("scale", "its two ends, such as [0, 5]", problems);
    None
}

fn read_anchors(node: &Node, low: f64, high: f64, problems: &mut Problems) -> Option<Vec<(f64, String)>> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("anchors", "a mapping from a point of the scale to what it means", problems);
        return None;
    };
    let mut anchors = Vec::new();
    for (key, entry) in entries {
        let text = entry.filled_text("anchors", problems);
        match key.name.parse::<f64>() {
            Ok(at) if (low..=high).contains(&at) => anchors.extend(text.map(|text| (at, text.to_owned()))),
            _ => problems.report(key.span, format!("the anchor `{}` is no point between {low} and {high}", key.name)),
        }
    }
    (anchors.len() == entries.len()).then_some(anchors)
}

fn read_composite(node: &Node, problems: &mut Problems) -> Option<Composite> {
    let mut fields = Fields::open(node, "composite", problems)?;
    let name = fields.require("name", problems).and_then(|node| read_name(node, "name", problems));
    let about = fields
        .take("about")
        .map_or(Some("the criteria together, by their weights"), |node| node.filled_text("about", problems));
    fields.finish(problems);
    Some(Composite { name: name?, about: about?.to_owned() })
}

fn read_verdicts(
    node: &Node,
    criteria: &[Criterion],
    composite: &Composite,
    answer: &AnswerSpec,
    problems: &mut Problems,
) -> Option<Vec<VerdictRule>> {
    let items = node.list("verdicts", problems)?;
    let mut rules: Vec<VerdictRule> = Vec::new();
    for (position, item) in items.iter().enumerate() {
        let Some(mut fields) = Fields::open(item, "verdicts", problems) else { continue };
        let verdict = fields.require("verdict", problems).and_then(|node| read_name(node, "verdict", problems));
        let when = fields
            .take("when")
            .map_or(Some(Vec::new()), |node| condition::read_all(node, criteria, composite, problems));
        let expects = fields.take("expects").map_or(Some(Vec::new()), |node| read_expects(node, answer, problems));
        fields.finish(problems);
        let (Some(verdict), Some(when), Some(expects)) = (verdict, when, expects) else { continue };
        if when.is_empty() && position + 1 < items.len() {
            problems.report(item.span, format!("`{verdict}` has no `when`, so the verdicts after it are never given"));
        }
        if rules.iter().any(|rule| rule.verdict == verdict) {
            problems.report(item.span, format!("the verdict `{verdict}` stands twice"));
        }
        rules.push(VerdictRule { verdict, when, expects });
    }
    (rules.len() == items.len()).then_some(rules)
}

fn read_expects(node: &Node, answer: &AnswerSpec, problems: &mut Problems) -> Option<Vec<(String, String)>> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("expects", "a mapping from a text to the flag that says it is empty", problems);
        return None;
    };
    let mut expects = Vec::new();
    for (key, flag) in entries {
        if answer.texts.iter().all(|text| text.name != key.name) {
            problems.report(key.span, format!("`expects` names `{}`, which is none of the answer's texts", key.name));
            continue;
        }
        expects.extend(read_name(flag, "expects", problems).map(|flag| (key.name.clone(), flag)));
    }
    (expects.len() == entries.len()).then_some(expects)
}

/// Every key of the answer, and every figure, must have a name of its own.
fn check_names(
    document: &Node,
    criteria: &[Criterion],
    composite: &Composite,
    answer: &AnswerSpec,
    problems: &mut Problems,
) {
    let place = |key: &str| document.get(key).map_or(document.span, |node| node.span);
    if criteria.iter().any(|criterion| criterion.name == composite.name) {
        problems.report(place("composite"), format!("`{}` is already the name of a criterion", composite.name));
    }
    let mut taken: Vec<&str> = vec!["verdict", composite.name.as_str()];
    match &answer.scores_in {
        Some(key) => taken.push(key),
        None => taken.extend(criteria.iter().map(|criterion| criterion.name.as_str())),
    }
    for text in &answer.texts {
        if taken.contains(&text.name.as_str()) {
            problems.report(place("answer"), format!("`{}` stands twice in the answer", text.name));
        }
        taken.push(&text.name);
    }
    let reason_is_text =
        |reason: &String| answer.texts.iter().any(|text| text.name == *reason && text.kind == TextKind::Text);
    if answer.reason.as_ref().is_some_and(|reason| !reason_is_text(reason)) {
        problems.report(place("answer"), "`reason` must name one of the answer's texts of kind `text`");
    }
}
