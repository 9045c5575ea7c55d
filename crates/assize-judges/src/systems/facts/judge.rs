//! The fact judge, ready to judge.

use super::config::JudgeConfig;
use super::fact::CaseFacts;
use super::matcher::label_facts;
use super::question::{self, LABEL};
use super::result::LinkAnswer;
use super::score;
use super::summary::FactsSummary;
use super::survey::FactSurvey;
use assize_core::{
    Answers, Case, ExtraSummary, Failure, FailureKind, InputKind, InputSpec, Judge, JudgeSpec, OpenCase, Outcome,
    Parsed, Question, Step, Survey,
};
use serde_json::{Value, json};

/// So many violations are sent back to the model; a reply with more of them is as wrong.
const MOST_VIOLATIONS: usize = 40;

pub(super) struct FactJudge {
    config: JudgeConfig,
    instructions: String,
    spec: JudgeSpec,
}

impl FactJudge {
    pub(super) fn new(config: JudgeConfig) -> Self {
        let inputs = vec![
            InputSpec::required("transcript", InputKind::Any, "the conversation the facts were extracted from"),
            InputSpec::required(
                "predicted_facts",
                InputKind::List,
                "what was extracted: a list of {id, fact_type, fields}",
            ),
            InputSpec::optional(
                "gold_facts",
                InputKind::List,
                "what is true, in the same shape; a judge model derives it where it is absent",
            ),
            InputSpec::run(),
        ];
        let (instructions, schema) = (question::system_prompt(), question::schema(&CaseFacts::default(), &config));
        let parts = (inputs, score::metrics(&config), "f1");
        let spec = JudgeSpec::new(super::NAME, parts, &(&instructions, &schema), &config);
        Self { config, instructions, spec }
    }
}

impl Judge for FactJudge {
    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn open<'c>(&'c self, case: &'c Case, _: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome> {
        match CaseFacts::of(&case.inputs) {
            Ok(facts) => Ok(Box::new(OpenFacts { judge: self, case, facts })),
            // Such a case is refused when it is read; should one come here, nothing is asked and nothing paid about it.
            Err(wrong) => Err(Outcome::Skipped { reason: wrong.join("; ") }),
        }
    }

    fn case_problems(&self, case: &Case) -> Vec<String> {
        CaseFacts::of(&case.inputs).err().unwrap_or_default()
    }

    fn survey(&self) -> Option<Box<dyn Survey>> {
        Some(Box::new(FactSurvey::new(&self.config)))
    }

    fn extra_summary(&self) -> Option<Box<dyn ExtraSummary>> {
        Some(Box::new(FactsSummary::new(self.config.reading)))
    }
}

/// A case with its facts.
struct OpenFacts<'c> {
    judge: &'c FactJudge,
    case: &'c Case,
    facts: CaseFacts,
}

impl OpenCase for OpenFacts<'_> {
    fn step(&self, answers: &Answers) -> Step {
        match answers.get(LABEL) {
            None => Step::Ask(vec![LABEL.to_owned()]),
            Some(answer) => Step::Done(match score::judgment(&self.judge.config, &self.facts, answer) {
                Ok(judgment) => judgment.into(),
                Err(failure) => failure.into(),
            }),
        }
    }

    fn question(&self, _: &str) -> Question {
        let FactJudge { instructions, config, .. } = self.judge;
        question::question(instructions, question::schema(&self.facts, config), config, self.case)
    }

    fn violations(&self, _: &str, answer: &Value) -> Vec<String> {
        let answer: LinkAnswer = match serde_json::from_value(answer.clone()) {
            Ok(answer) => answer,
            Err(error) => return vec![format!("the answer does not have the asked shape: {error}")],
        };
        let found = answer.violations(&self.facts, &self.judge.config);
        let more = found.len().saturating_sub(MOST_VIOLATIONS);
        let mut sentences: Vec<String> = found.iter().take(MOST_VIOLATIONS).map(ToString::to_string).collect();
        if more > 0 {
            sentences.push(format!("and {more} more of these kinds"));
        }
        sentences
    }

    /// Rules cannot read a transcript: without gold facts there is nothing to hold the predictions against.
    fn stand_in(&self, _: &str) -> Result<Value, Failure> {
        let config = &self.judge.config;
        match &self.facts.gold {
            Some(gold) => Ok(json!(LinkAnswer::of(&label_facts(&self.facts.predicted, gold, config)))),
            None => Err(Failure::new(
                FailureKind::NoRule,
                "the case has no `gold_facts`, and only a model can derive them from the transcript: add them to the \
                 case, or name a model in the suite's `judge.model` or with --model",
            )),
        }
    }
}
