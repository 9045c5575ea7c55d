//! The call-intelligence judge, ready to judge.

use super::call::Call;
use super::likeness::Likeness;
use super::metrics::{self, Section, Task};
use super::question::{self, Asked, BENCHMARKS};
use super::score::{self, Readings};
use super::settings::Settings;
use super::tasks::{Findings, Read, translation};
use super::{benchmarks, summary};
use assize_core::suite::Placed;
use assize_core::{
    Answers, Case, ExtraSummary, Failure, InputKind, InputSpec, Judge, JudgeSpec, OpenCase, Outcome, Parsed, Question,
    Step,
};
use serde_json::Value;

/// The judge with its settings, and what follows from them for every case.
pub(super) struct CallsJudge {
    settings: Settings,
    spec: JudgeSpec,
    tasks: [Asked; 4],
    benchmarks: Asked,
}

impl CallsJudge {
    pub(super) fn new(settings: Settings) -> Self {
        let tasks = Task::ALL.map(|task| question::asked(task.section()));
        let benchmarks = question::asked(Section::Benchmark);
        let parts = (inputs(), metrics::specs(settings.benchmarks), Section::Final.score());
        let spec = JudgeSpec::new(super::NAME, parts, &(&tasks, &benchmarks), &settings);
        Self { settings, spec, tasks, benchmarks }
    }
}

fn inputs() -> Vec<InputSpec> {
    let required = InputSpec::required;
    let optional = InputSpec::optional;
    vec![
        required("task", InputKind::Text, "`qa`, `entity`, `text` or `translation`"),
        required("transcript", InputKind::Any, "the call: a text, or a list of {id, speaker, text, start?, end?}"),
        required(
            "model_output",
            InputKind::Output,
            "what the model wrote: JSON, or a text that holds it, fenced or in TOON",
        ),
        required(
            "expected_outcome",
            InputKind::Any,
            "what people have verified as right, in the structure the output must have",
        ),
        optional(
            "config",
            InputKind::Object,
            "what the model was configured with: keywords, topics, questions, critical facts",
        ),
        InputSpec::run(),
        optional("question", InputKind::Text, "what the model was asked, for answer relevancy"),
        optional("instructions", InputKind::Any, "what the model was told to do, for instruction following"),
        optional("cost_usd", InputKind::Number, "US dollars this call cost the model under test"),
    ]
}

impl Judge for CallsJudge {
    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn open<'c>(&'c self, case: &'c Case, parsed: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome> {
        let call = Call::read(case, parsed, &self.settings).map_err(|reason| Outcome::Skipped { reason })?;
        let findings = Findings::of(&call, &self.settings);
        Ok(Box::new(OpenCall { judge: self, call, findings }))
    }

    fn case_problems(&self, case: &Case) -> Vec<String> {
        super::call::problems(case, &self.settings)
    }

    fn gold(&self, case: &Case) -> Option<Case> {
        let expected = case.inputs.get("expected_outcome")?.clone();
        let mut gold = case.clone();
        gold.inputs.insert("model_output".to_owned(), expected);
        // What it cost and which repetition it is says nothing about what is right.
        for key in ["cost_usd", "run"] {
            gold.inputs.shift_remove(key);
        }
        Some(gold)
    }

    fn models_named(&self) -> &[Placed<String>] {
        &self.settings.models_named
    }

    fn extra_summary(&self) -> Option<Box<dyn ExtraSummary>> {
        Some(summary::new(&self.settings))
    }
}

/// A call with what code finds in it.
struct OpenCall<'c> {
    judge: &'c CallsJudge,
    call: Call<'c>,
    findings: Findings<'c>,
}

impl OpenCase for OpenCall<'_> {
    /// Asks what is still to be read: something for the task, and the benchmarks. An output without the right structure is
    /// not scored, so nothing is read of it.
    fn step(&self, answers: &Answers) -> Step {
        let (task, settings) = (self.call.task.key(), &self.judge.settings);
        let unanswered = |name: &str| self.call.is_sound() && answers.get(name).is_none();
        let mut questions = Vec::new();
        if unanswered(task) && self.findings.needs_reading() {
            questions.push(task.to_owned());
        }
        if settings.benchmarks && unanswered(BENCHMARKS) {
            questions.push(BENCHMARKS.to_owned());
        }
        if !questions.is_empty() {
            return Step::Ask(questions);
        }
        let readings = Readings {
            task: Read::of(answers.get(task)),
            benchmarks: Read::of(answers.get(BENCHMARKS)),
            likeness: Likeness::of(|| self.pairs_to_embed(), answers),
        };
        Step::Done(score::judgment(&self.call, &self.findings, settings, &readings).into())
    }

    fn question(&self, name: &str) -> Question {
        if name == BENCHMARKS {
            return question::question(&self.judge.benchmarks, name, &self.call, benchmarks::items(&self.call));
        }
        let [qa, entity, text, translation] = &self.judge.tasks;
        let asked = match self.call.task {
            Task::Qa => qa,
            Task::Entity => entity,
            Task::Text => text,
            Task::Translation => translation,
        };
        question::question(asked, name, &self.call, self.findings.items())
    }

    fn violations(&self, question: &str, answer: &Value) -> Vec<String> {
        if question == BENCHMARKS {
            benchmarks::violations(&self.call, answer)
        } else {
            self.findings.violations(answer)
        }
    }

    fn stand_in(&self, question: &str) -> Result<Value, Failure> {
        Ok(if question == BENCHMARKS { benchmarks::rules(&self.call) } else { self.findings.rules(&self.call) })
    }

    fn pairs_to_embed(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        if !self.call.is_sound() {
            return pairs;
        }
        if let Findings::Translation(found) = &self.findings {
            pairs = translation::pairs(found);
        }
        if self.judge.settings.benchmarks {
            pairs.extend(benchmarks::pairs(&self.call));
        }
        pairs
    }
}
