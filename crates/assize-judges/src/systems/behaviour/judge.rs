//! The judge: which behaviours a case is judged by, what is still to be asked, and the judgment.

use super::checks::{Check, Decides};
use super::question::Template;
use super::rules;
use super::score::{self, Ruling};
use super::spec::{Benchmark, Criticality, EvaluatorType, ScoringScale, Tree};
use super::summary::BehaviourSummary;
use super::unsent;
use assize_core::{
    Answers, Case, ExtraSummary, Failure, InputKind, InputSpec, Judge, JudgeSpec, MetricSpec, OpenCase, Outcome,
    Parsed, Question, Step, Unsent,
};
use serde::Serialize;
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
    /// What was written beside the prompt, for the fingerprint.
    pub(super) written: Value,
}

/// Which cases a behaviour is asked about, by their tags.
#[derive(Clone, Debug, Default, Serialize)]
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
    spec: JudgeSpec,
}

/// What judge and summary both need.
pub(super) struct Shared {
    pub(super) behaviours: Vec<Behaviour>,
    pub(super) tree: Option<Tree>,
    /// What to say of the fields that have no meaning here; nothing where there are none.
    pub(super) unused_note: Option<String>,
}

impl BehaviourJudge {
    pub(super) fn new(behaviours: Vec<Behaviour>, tree: Option<Tree>, unsent: Vec<Unsent>) -> Self {
        let metrics = metric_specs(&behaviours, tree.as_ref());
        let headline = match (&tree, behaviours.as_slice()) {
            (_, [only]) => metric_of(&only.code),
            (Some(tree), _) if tree.roots.len() == 1 => rubric_metric_of(&tree.roots[0]),
            _ => PASS_RATE.to_owned(),
        };
        let asked: Vec<_> = behaviours.iter().map(|behaviour| (&behaviour.code, &behaviour.template)).collect();
        let written: Vec<_> = behaviours.iter().map(|behaviour| (&behaviour.written, &behaviour.tags)).collect();
        let rubrics: Vec<&Value> =
            tree.iter().flat_map(|tree| tree.rubrics.values()).map(|rubric| &rubric.written).collect();
        let mut spec = JudgeSpec::new("behaviours", (inputs(), metrics, headline), &asked, &(written, rubrics));
        let unused_note = unsent::unused_note(&unsent);
        spec.unsent = unsent;
        Self { shared: Arc::new(Shared { behaviours, tree, unused_note }), spec }
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
pub const PASS_RATE: &str = "behaviours.pass_rate";
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
    let mut specs: Vec<MetricSpec> = tree
        .iter()
        .flat_map(|tree| tree.rubrics.values())
        .map(|rubric| {
            let label = rubric.label.as_ref().unwrap_or(&rubric.code.value);
            MetricSpec::derived(rubric_metric_of(&rubric.code.value), format!("Score of the rubric: {label}"))
                .run_only()
        })
        .collect();
    if tree.is_some_and(|tree| !tree.rubrics.is_empty()) {
        let about = "Share of the top rubrics that pass; 1 is a release";
        specs.push(MetricSpec::derived(RUBRICS_PASSED, about).run_only());
    }
    for behaviour in behaviours {
        let label = behaviour.label.as_ref().unwrap_or(&behaviour.id);
        specs.push(MetricSpec::derived(metric_of(&behaviour.code), format!("Mean score: {label}")));
    }
    specs.push(MetricSpec::rate(PASS_RATE, "Share of the judged behaviours that pass"));
    specs.push(MetricSpec::derived(REVIEW_RATE, "Share of the cases in the review queue").run_only().lower_is_better());
    specs
}

impl Judge for BehaviourJudge {
    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn open<'c>(&'c self, case: &'c Case, _: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome> {
        let decided = |behaviour: &'c Behaviour| (behaviour, behaviour.without_asking(case));
        Ok(Box::new(OpenBehaviours { case, decided: self.shared.behaviours.iter().map(decided).collect() }))
    }

    fn extra_summary(&self) -> Option<Box<dyn ExtraSummary>> {
        Some(Box::new(BehaviourSummary::new(self.shared.clone())))
    }
}

/// A case with what is decided about each behaviour before anybody is asked.
struct OpenBehaviours<'c> {
    case: &'c Case,
    decided: Vec<(&'c Behaviour, Option<Ruling>)>,
}

impl OpenBehaviours<'_> {
    fn behaviour(&self, question: &str) -> &Behaviour {
        let found = self.decided.iter().find(|(behaviour, _)| behaviour.code == question);
        found.map(|(behaviour, _)| *behaviour).expect("only behaviours of this judge are asked about")
    }
}

impl OpenCase for OpenBehaviours<'_> {
    fn step(&self, answers: &Answers) -> Step {
        let mut rulings = Vec::with_capacity(self.decided.len());
        let (mut questions, mut failures) = (Vec::new(), Vec::new());
        for (behaviour, decided) in &self.decided {
            let (answer, failure) = (answers.get(&behaviour.code), answers.failure(&behaviour.code));
            match (decided, answer, failure) {
                (Some(ruling), _, _) => rulings.push((*behaviour, ruling.clone())),
                (None, Some(answer), _) => rulings.push((*behaviour, Ruling::by_answer(behaviour, answer))),
                (None, None, Some(failure)) => {
                    rulings.push((*behaviour, Ruling::failed(failure)));
                    failures.push(failure.clone());
                }
                (None, None, None) => questions.push(behaviour.code.clone()),
            }
        }
        if !questions.is_empty() {
            return Step::Ask(questions);
        }
        // A case of which nothing else is known could not be judged.
        let nothing = rulings.iter().all(|(_, ruling)| ruling.is_nothing());
        match failures.into_iter().next().filter(|_| nothing) {
            Some(failure) => Step::Done(failure.into()),
            None => Step::Done(score::outcome(&rulings)),
        }
    }

    /// One question that fails leaves its own behaviour undecided, not the others.
    fn does_without(&self, _question: &str) -> bool {
        true
    }

    fn question(&self, name: &str) -> Question {
        let behaviour = self.behaviour(name);
        let template = behaviour.template.as_ref().expect("a behaviour without a prompt is not asked about");
        template.ask(name, self.case)
    }

    fn stand_in(&self, question: &str) -> Result<Value, Failure> {
        Ok(rules::stand_in(self.behaviour(question), self.case))
    }
}

impl Behaviour {
    /// The ruling on a case that needs nobody to be asked; `None` where a model is to decide.
    fn without_asking(&self, case: &Case) -> Option<Ruling> {
        if !self.tags.admits(case) {
            return Some(Ruling::skipped("its tags"));
        }
        if self.evaluator == EvaluatorType::ManualSme {
            return Some(Ruling::for_a_person());
        }
        let outcomes: Vec<_> = self.checks.iter().map(|check| (check, check.run(case))).collect();
        if self.evaluator == EvaluatorType::Code {
            return Some(Ruling::by_checks(&outcomes));
        }
        let settled = outcomes.iter().find(|(check, outcome)| match check.decides {
            Decides::Pass => outcome.holds,
            Decides::Fail => !outcome.holds,
            Decides::Both => true,
        });
        if let Some((check, outcome)) = settled {
            return Some(Ruling::settled(check, outcome));
        }
        self.template.is_none().then(Ruling::for_a_person)
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
            written: benchmark.written.clone(),
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
            written: json!(result_key),
            result_key,
            tags: TagFilter::default(),
            focus: rules::Focus::of(&id, Some(prompt), None),
            template: Some(Template::new(&id, prompt, None)),
            id,
        }
    }
}
