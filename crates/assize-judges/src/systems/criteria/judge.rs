//! A criteria judge, ready to judge.

use super::measure::Findings;
use super::question::{self, SCORE};
use super::settings::Settings;
use super::spec::CriteriaSpec;
use super::{rules, score, summary};
use assize_core::{AnswerSchema, Answers, Case, Failure, Judge, JudgeSpec, OpenCase, Outcome, Parsed, Question, Step};
use serde_json::Value;

/// A spec with its settings, and what follows from them for every case.
pub(super) struct CriteriaJudge {
    pub(super) spec: CriteriaSpec,
    pub(super) settings: Settings,
    instructions: String,
    schema: AnswerSchema,
    described: JudgeSpec,
}

impl CriteriaJudge {
    pub(super) fn new(spec: CriteriaSpec, settings: Settings) -> Self {
        let (instructions, schema) = (question::instructions(&spec, &settings.weights), question::schema(&spec));
        let parts = (spec.case_inputs(), summary::metrics(&spec), spec.composite.name.clone());
        let described = JudgeSpec::new(&spec.name, parts, &(&instructions, &schema), &(&settings, &spec.written));
        Self { spec, settings, instructions, schema, described }
    }
}

impl Judge for CriteriaJudge {
    fn spec(&self) -> &JudgeSpec {
        &self.described
    }

    fn open<'c>(&'c self, case: &'c Case, _: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome> {
        let findings = Findings::of(&self.spec.measures, case, &self.settings.normalisation);
        Ok(Box::new(OpenCriteria { judge: self, case, findings }))
    }
}

/// A case with what code finds in it.
struct OpenCriteria<'c> {
    judge: &'c CriteriaJudge,
    case: &'c Case,
    findings: Findings<'c>,
}

impl OpenCase for OpenCriteria<'_> {
    fn step(&self, answers: &Answers) -> Step {
        match answers.get(SCORE) {
            None => Step::Ask(vec![SCORE.to_owned()]),
            Some(answer) => Step::Done(score::judgment(self.judge, &self.findings, answer).into()),
        }
    }

    fn question(&self, _: &str) -> Question {
        question::question(&self.judge.instructions, &self.judge.schema, &self.judge.spec, self.case)
    }

    fn stand_in(&self, _: &str) -> Result<Value, Failure> {
        rules::answer(&self.judge.spec, &self.findings).ok_or_else(Failure::no_rule)
    }
}
