//! The fact judge, ready to judge.

use super::fact::CaseFacts;
use super::matcher::label_facts;
use super::question::{self, LABEL};
use super::result::JudgeResult;
use super::settings::Settings;
use super::{score, summary};
use assize_core::{
    AnswerSchema, Answers, Case, Fingerprint, InputKind, InputSpec, Judge, MetricSpec, Question, Step, Summarise,
};
use serde_json::{Value, json};

/// So many violations are sent back to the model; a reply with more of them is as wrong.
const MOST_VIOLATIONS: usize = 40;

pub(super) struct FactJudge {
    settings: Settings,
    instructions: String,
    schema: AnswerSchema,
    inputs: Vec<InputSpec>,
    metrics: Vec<MetricSpec>,
}

impl FactJudge {
    pub(super) fn new(settings: Settings) -> Self {
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
        ];
        let metrics = score::metrics(&settings);
        Self { settings, instructions: question::system_prompt(), schema: question::schema(), inputs, metrics }
    }
}

impl Judge for FactJudge {
    fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    fn metrics(&self) -> &[MetricSpec] {
        &self.metrics
    }

    fn headline(&self) -> &str {
        "f1"
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&("fact-extraction", &self.instructions, &self.schema, &self.settings))
    }

    fn step(&self, case: &Case, answers: &Answers) -> Step {
        let facts = match CaseFacts::of(&case.inputs) {
            Ok(facts) => facts,
            // Such a case is refused when it is read; should one come here, nothing is asked and nothing paid about it.
            Err(wrong) => return Step::Skip { reason: wrong.join("; ") },
        };
        match answers.get(LABEL) {
            None => Step::Ask(vec![question::question(&self.instructions, &self.schema, &self.settings.config, case)]),
            Some(answer) => Step::Done(Box::new(score::judgment(&self.settings, &facts, answer))),
        }
    }

    fn violations(&self, case: &Case, _: &Question, answer: &Value) -> Vec<String> {
        let Ok(facts) = CaseFacts::of(&case.inputs) else { return Vec::new() };
        let result: JudgeResult = match serde_json::from_value(answer.clone()) {
            Ok(result) => result,
            Err(error) => return vec![format!("the answer is no JudgeResult: {error}")],
        };
        let found = result.violations(&facts, &self.settings.config);
        let more = found.len().saturating_sub(MOST_VIOLATIONS);
        let mut sentences: Vec<String> = found.iter().take(MOST_VIOLATIONS).map(ToString::to_string).collect();
        if more > 0 {
            sentences.push(format!("and {more} more of these kinds"));
        }
        sentences
    }

    /// Rules cannot read a transcript: without gold facts there is nothing to hold the predictions against.
    fn case_problems(&self, case: &Case) -> Vec<String> {
        CaseFacts::of(&case.inputs).err().unwrap_or_default()
    }

    fn why_no_stand_in(&self, _: &Case) -> String {
        "the case has no `gold_facts`, and only a model can derive them from the transcript: add them to the case, or name \
         a model in the suite's `judge.model` or with --model"
            .to_owned()
    }

    fn stand_in(&self, case: &Case, _: &Question) -> Option<Value> {
        let facts = CaseFacts::of(&case.inputs).ok()?;
        let gold = facts.gold?;
        Some(json!(label_facts(&facts.predicted, &gold, &self.settings.config, self.settings.reading)))
    }

    fn summarise(&self) -> Box<dyn Summarise> {
        summary::new(&self.settings)
    }
}
