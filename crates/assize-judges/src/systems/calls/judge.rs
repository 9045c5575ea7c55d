//! The call-intelligence judge, ready to judge.

use super::call::Call;
use super::likeness::Likeness;
use super::metrics::{self, Section};
use super::question::{self, Asked, BENCHMARKS};
use super::score::{self, Answered};
use super::settings::Settings;
use super::tasks::{Findings, translation};
use super::{benchmarks, summary};
use assize_core::{Answers, Case, Fingerprint, InputKind, InputSpec, Judge, MetricSpec, Question, Step, Summarise};
use serde_json::Value;

/// The judge with its settings, and what follows from them for every case.
pub(super) struct CallsJudge {
    settings: Settings,
    inputs: Vec<InputSpec>,
    metrics: Vec<MetricSpec>,
    tasks: [Asked; 4],
    benchmarks: Asked,
}

impl CallsJudge {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            inputs: inputs(),
            metrics: metrics::specs(settings.benchmarks),
            tasks: Section::TASKS.map(question::asked),
            benchmarks: question::asked(Section::Benchmark),
            settings,
        }
    }

    fn asked(&self, task: Section) -> &Asked {
        let position = Section::TASKS.iter().position(|known| *known == task).unwrap_or_default();
        &self.tasks[position]
    }

    /// The questions about a case. An output without the right structure is not scored, so nothing is asked about it.
    fn questions(&self, call: &Call<'_>, findings: &Findings<'_>, answers: &Answers) -> Vec<Question> {
        let mut questions = Vec::new();
        if !call.is_sound() {
            return questions;
        }
        if answers.get(call.task.key()).is_none()
            && let Some(items) = findings.items()
        {
            questions.push(question::question(self.asked(call.task), call.task.key(), call, items));
        }
        if self.settings.benchmarks && answers.get(BENCHMARKS).is_none() {
            questions.push(question::question(&self.benchmarks, BENCHMARKS, call, benchmarks::items(call)));
        }
        questions
    }

    fn pairs(&self, call: &Call<'_>) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        if !call.is_sound() {
            return pairs;
        }
        if let Findings::Translation(found) = Findings::of(call, &self.settings) {
            pairs = translation::pairs(&found);
        }
        if self.settings.benchmarks {
            pairs.extend(benchmarks::pairs(call));
        }
        pairs
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
            InputKind::Any,
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
        optional("run", InputKind::Number, "which repetition on the same input this is"),
        optional("question", InputKind::Text, "what the model was asked, for answer relevancy"),
        optional("instructions", InputKind::Any, "what the model was told to do, for instruction following"),
        optional("cost_usd", InputKind::Number, "US dollars this call cost the model under test"),
    ]
}

impl Judge for CallsJudge {
    fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    fn metrics(&self) -> &[MetricSpec] {
        &self.metrics
    }

    fn headline(&self) -> &str {
        Section::Final.score()
    }

    fn fingerprint(&self) -> Fingerprint {
        let asked: Vec<(&str, &Value)> = self
            .tasks
            .iter()
            .chain([&self.benchmarks])
            .map(|asked| (asked.instructions.as_str(), &asked.schema.schema))
            .collect();
        Fingerprint::of(&(super::NAME, asked, &self.settings))
    }

    fn case_problems(&self, case: &Case) -> Vec<String> {
        Call::read(case).err().into_iter().collect()
    }

    fn step(&self, case: &Case, answers: &Answers) -> Step {
        let call = match Call::read(case) {
            Ok(call) => call,
            Err(reason) => return Step::Skip { reason },
        };
        let findings = Findings::of(&call, &self.settings);
        let open = self.questions(&call, &findings, answers);
        if !open.is_empty() {
            return Step::Ask(open);
        }
        let answered = Answered {
            task: answers.get(call.task.key()),
            benchmarks: answers.get(BENCHMARKS),
            likeness: Likeness::of(|| self.pairs(&call), answers),
        };
        Step::Done(Box::new(score::judgment(&call, &findings, &self.settings, &answered)))
    }

    fn pairs_to_embed(&self, case: &Case) -> Vec<(String, String)> {
        Call::read(case).map(|call| self.pairs(&call)).unwrap_or_default()
    }

    fn violations(&self, case: &Case, question: &Question, answer: &Value) -> Vec<String> {
        let Ok(call) = Call::read(case) else { return Vec::new() };
        if question.name == BENCHMARKS {
            return benchmarks::violations(&call, answer);
        }
        Findings::of(&call, &self.settings).violations(answer)
    }

    fn stand_in(&self, case: &Case, question: &Question) -> Option<Value> {
        let call = Call::read(case).ok()?;
        if question.name == BENCHMARKS {
            return Some(benchmarks::rules(&call));
        }
        Some(Findings::of(&call, &self.settings).rules(&call))
    }

    fn summarise(&self) -> Box<dyn Summarise> {
        summary::new(&self.settings)
    }
}
