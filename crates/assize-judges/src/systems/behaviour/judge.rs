//! The judge: which behaviours a case is judged by, what is still to be asked, and the judgment.

use super::checks::{Check, Decides};
use super::question::Template;
use super::rules;
use super::score::{self, Ruling};
use super::spec::{Benchmark, Criticality, EvaluatorType, ScoringScale, Tree};
use super::summary::Tallies;
use assize_core::{Answers, Case, Fingerprint, InputKind, InputSpec, Judge, MetricSpec, Question, Step, Summarise};
use serde_json::{Value, json};
use std::sync::Arc;

/// One behaviour, ready to be asked about.
#[derive(Clone, Debug)]
pub(super) struct Behaviour {
    /// The benchmark's code, or the behaviour's id where there is no benchmark: the name of the question.
    pub(super) code: String,
    /// The behaviour's id, as in its prompt.
    pub(super) id: String,
    pub(super) label: Option<String>,
    pub(super) evaluator: EvaluatorType,
    pub(super) criticality: Criticality,
    pub(super) threshold: f64,
    pub(super) checks: Vec<Check>,
    pub(super) scale: Option<ScoringScale>,
    pub(super) asks_applicable: bool,
    pub(super) result_key: Option<String>,
    pub(super) tags: TagFilter,
    /// The words that say what the behaviour is about, for the rules that stand in for a model.
    pub(super) focus: rules::Focus,
    pub(super) template: Option<Template>,
    /// The prompt's path and the checks as written, for the fingerprint.
    pub(super) identity: Value,
}

/// Which cases a behaviour is asked about, by their tags.
#[derive(Clone, Debug, Default)]
pub(super) struct TagFilter {
    /// A case must have one of these, unless there are none.
    pub(super) only: Vec<String>,
    /// A case must have none of these.
    pub(super) skip: Vec<String>,
}

impl TagFilter {
    pub(super) fn admits(&self, case: &Case) -> bool {
        let has = |tag: &String| case.tags.contains(tag);
        (self.only.is_empty() || self.only.iter().any(has)) && !self.skip.iter().any(has)
    }
}

/// A judge of one behaviour or of a whole tree of them.
pub(super) struct BehaviourJudge {
    shared: Arc<Shared>,
    inputs: Vec<InputSpec>,
    metrics: Vec<MetricSpec>,
    headline: String,
    fingerprint: Fingerprint,
}

/// What judge and summary both need.
pub(super) struct Shared {
    pub(super) behaviours: Vec<Behaviour>,
    pub(super) tree: Option<Tree>,
}

impl BehaviourJudge {
    pub(super) fn new(behaviours: Vec<Behaviour>, tree: Option<Tree>) -> Self {
        let metrics = metric_specs(&behaviours, tree.as_ref());
        let headline = match (&tree, behaviours.as_slice()) {
            (_, [only]) => metric_of(&only.code),
            (Some(tree), _) if tree.roots.len() == 1 => rubric_metric_of(&tree.roots[0]),
            _ => PASS_RATE.to_owned(),
        };
        let identity: Vec<Value> = behaviours
            .iter()
            .map(|behaviour| {
                json!({
                    "code": behaviour.code,
                    "question": behaviour.template.as_ref().map(Template::identity),
                    "evaluator": behaviour.evaluator.name(),
                    "tags": [behaviour.tags.only, behaviour.tags.skip],
                    "written": behaviour.identity,
                })
            })
            .collect();
        let rubrics: Vec<Value> = tree
            .iter()
            .flat_map(|tree| tree.rubrics.values())
            .map(|rubric| {
                json!([
                    rubric.code.value,
                    rubric.aggregation.name(),
                    rubric.passing_threshold,
                    rubric.hard_gate,
                    rubric.weight.as_ref().map(|weight| weight.value)
                ])
            })
            .collect();
        Self {
            fingerprint: Fingerprint::of(&json!([identity, rubrics])),
            shared: Arc::new(Shared { behaviours, tree }),
            inputs: inputs(),
            metrics,
            headline,
        }
    }
}

/// What every judge of behaviours needs of a case.
pub fn inputs() -> Vec<InputSpec> {
    vec![
        InputSpec::required("ground_truth", InputKind::Any, "what was expected, as text or JSON"),
        InputSpec::optional("source_narrative", InputKind::Any, "what the output was made from, as text or JSON"),
        InputSpec::required("candidate_output", InputKind::Any, "what the system under test wrote, as text or JSON"),
    ]
}

/// The share of behaviours that pass.
pub(super) const PASS_RATE: &str = "behaviours.pass_rate";
/// The share of the top rubrics that pass.
pub(super) const RUBRICS_PASSED: &str = "rubrics.passed";
/// The share of cases that a person should look at.
pub(super) const REVIEW_RATE: &str = "review.rate";

/// The metric of a benchmark.
pub(super) fn metric_of(code: &str) -> String {
    format!("behaviour.{code}")
}

/// The metric of a rubric.
pub(super) fn rubric_metric_of(code: &str) -> String {
    format!("rubric.{code}")
}

fn metric_specs(behaviours: &[Behaviour], tree: Option<&Tree>) -> Vec<MetricSpec> {
    let spec = |name: String, about: String, run_only: bool, lower_is_better: bool| MetricSpec {
        name,
        about,
        run_only,
        lower_is_better,
    };
    let mut specs: Vec<MetricSpec> = tree
        .iter()
        .flat_map(|tree| tree.rubrics.values())
        .map(|rubric| {
            let label = rubric.label.as_ref().unwrap_or(&rubric.code.value);
            spec(rubric_metric_of(&rubric.code.value), format!("Score of the rubric: {label}"), true, false)
        })
        .collect();
    if tree.is_some_and(|tree| !tree.rubrics.is_empty()) {
        specs.push(spec(
            RUBRICS_PASSED.into(),
            "Share of the top rubrics that pass; 1 is a release".into(),
            true,
            false,
        ));
    }
    for behaviour in behaviours {
        let label = behaviour.label.as_ref().unwrap_or(&behaviour.id);
        specs.push(spec(metric_of(&behaviour.code), format!("Mean score: {label}"), false, false));
    }
    specs.push(spec(PASS_RATE.into(), "Share of the judged behaviours that pass".into(), false, false));
    specs.push(spec(REVIEW_RATE.into(), "Share of the cases in the review queue".into(), true, true));
    specs
}

impl Judge for BehaviourJudge {
    fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    fn metrics(&self) -> &[MetricSpec] {
        &self.metrics
    }

    fn headline(&self) -> &str {
        &self.headline
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint.clone()
    }

    fn step(&self, case: &Case, answers: &Answers) -> Step {
        let mut rulings = Vec::with_capacity(self.shared.behaviours.len());
        let mut questions = Vec::new();
        for behaviour in &self.shared.behaviours {
            match behaviour.rule(case, answers) {
                Next::Ruled(ruling) => rulings.push((behaviour, *ruling)),
                Next::Ask(question) => questions.push(*question),
            }
        }
        if !questions.is_empty() {
            return Step::Ask(questions);
        }
        score::judgment(&rulings)
    }

    fn stand_in(&self, case: &Case, question: &Question) -> Option<Value> {
        let behaviour = self.shared.behaviours.iter().find(|behaviour| behaviour.code == question.name)?;
        Some(rules::stand_in(behaviour, case))
    }

    fn summarise(&self) -> Box<dyn Summarise> {
        Box::new(Tallies::new(self.shared.clone()))
    }
}

/// What comes next for one behaviour of a case.
enum Next {
    Ruled(Box<Ruling>),
    Ask(Box<Question>),
}

impl From<Ruling> for Next {
    fn from(ruling: Ruling) -> Self {
        Self::Ruled(Box::new(ruling))
    }
}

impl Behaviour {
    /// The ruling on a case, or the question that is still to be asked.
    fn rule(&self, case: &Case, answers: &Answers) -> Next {
        if !self.tags.admits(case) {
            return Ruling::skipped("its tags").into();
        }
        if self.evaluator == EvaluatorType::ManualSme {
            return Ruling::for_a_person().into();
        }
        let outcomes: Vec<_> = self.checks.iter().map(|check| (check, check.run(case))).collect();
        if self.evaluator == EvaluatorType::Code {
            return Ruling::by_checks(&outcomes).into();
        }
        let settled = outcomes.iter().find(|(check, outcome)| match check.decides {
            Decides::Pass => outcome.holds,
            Decides::Fail => !outcome.holds,
            Decides::Both => true,
        });
        if let Some((check, outcome)) = settled {
            return Ruling::settled(check, outcome).into();
        }
        match answers.get(&self.code) {
            Some(answer) => Ruling::by_answer(self, answer).into(),
            None => match self.question(case) {
                Some(question) => Next::Ask(Box::new(question)),
                None => Ruling::for_a_person().into(),
            },
        }
    }

    pub(super) fn of_benchmark(
        benchmark: &Benchmark,
        prompt: Option<&super::prompt_file::BehaviourPrompt>,
        tags: TagFilter,
    ) -> Self {
        let code = benchmark.code.value.clone();
        let id = prompt.and_then(|prompt| prompt.behaviour_id()).unwrap_or(&code).to_owned();
        let focus = rules::Focus::of(&id, prompt, benchmark.concept.as_ref().map(|concept| concept.value.as_str()));
        let template = prompt
            .filter(|_| benchmark.evaluator.may_ask())
            .map(|prompt| Template::new(&code, prompt, Some(benchmark)));
        Self {
            id,
            label: benchmark.label.clone().or_else(|| benchmark.concept.as_ref().map(|concept| concept.value.clone())),
            evaluator: benchmark.evaluator,
            criticality: benchmark.criticality,
            threshold: benchmark.threshold,
            checks: benchmark.checks.clone(),
            scale: benchmark.scale.clone(),
            asks_applicable: benchmark.asks_applicable,
            result_key: benchmark.result_key.clone(),
            tags,
            focus,
            template,
            identity: json!([
                format!("{:?}", benchmark.checks),
                benchmark.threshold,
                benchmark.criticality.name(),
                benchmark.weight.as_ref().map(|weight| weight.value),
                benchmark.result_key
            ]),
            code,
        }
    }

    pub(super) fn of_prompt(prompt: &super::prompt_file::BehaviourPrompt, result_key: Option<String>) -> Self {
        let id = prompt.behaviour_id().unwrap_or("behaviour").to_owned();
        Self {
            code: id.clone(),
            label: prompt.description(),
            evaluator: EvaluatorType::LlmJudge,
            criticality: Criticality::ThresholdGate,
            threshold: 0.8,
            checks: Vec::new(),
            scale: None,
            asks_applicable: false,
            identity: json!(result_key),
            result_key,
            tags: TagFilter::default(),
            focus: rules::Focus::of(&id, Some(prompt), None),
            template: Some(Template::new(&id, prompt, None)),
            id,
        }
    }
}
