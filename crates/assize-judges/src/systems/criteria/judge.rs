//! A criteria judge, ready to judge.

use super::measure::Findings;
use super::question::{self, SCORE};
use super::settings::Settings;
use super::spec::CriteriaSpec;
use super::{rules, score, summary};
use assize_core::{AnswerSchema, Answers, Case, Fingerprint, InputSpec, Judge, MetricSpec, Question, Step, Summarise};
use serde_json::Value;

/// A spec with its settings, and what follows from them for every case.
pub(super) struct CriteriaJudge {
    pub(super) spec: CriteriaSpec,
    pub(super) settings: Settings,
    instructions: String,
    schema: AnswerSchema,
    metrics: Vec<MetricSpec>,
}

impl CriteriaJudge {
    pub(super) fn new(spec: CriteriaSpec, settings: Settings) -> Self {
        let (instructions, schema) = (question::instructions(&spec), question::schema(&spec));
        let metrics = summary::metrics(&spec);
        Self { spec, settings, instructions, schema, metrics }
    }
}

impl Judge for CriteriaJudge {
    fn inputs(&self) -> &[InputSpec] {
        &self.spec.inputs
    }

    fn metrics(&self) -> &[MetricSpec] {
        &self.metrics
    }

    fn headline(&self) -> &str {
        &self.spec.composite.name
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&(&self.spec.name, &self.instructions, &self.schema, &self.settings))
    }

    fn step(&self, case: &Case, answers: &Answers) -> Step {
        match answers.get(SCORE) {
            None => Step::Ask(vec![question::question(&self.instructions, &self.schema, &self.spec, case)]),
            Some(answer) => Step::Done(Box::new(score::judgment(self, case, answer))),
        }
    }

    fn stand_in(&self, case: &Case, _: &Question) -> Option<Value> {
        rules::answer(&self.spec, &Findings::of(&self.spec.measures, case, &self.settings.normalisation))
    }

    fn summarise(&self) -> Box<dyn Summarise> {
        summary::new(self)
    }
}
