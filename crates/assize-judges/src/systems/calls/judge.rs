//! The call-intelligence judge, ready to judge.

use super::call::Call;
use super::likeness::Likeness;
use super::metrics::{self, Section};
use super::question::{self, Asked, BENCHMARKS};
use super::score::{self, Readings};
use super::settings::Settings;
use super::tasks::{Findings, Read, translation};
use super::{benchmarks, summary};
use assize_core::{
    Answer, Answers, Case, Fingerprint, InputKind, InputSpec, Judge, Judgment, MetricSpec, Question, Ruling, Step,
    Summarise,
};
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

    /// What is still to be read of a case: something for its task, and the benchmarks. An output without the right structure
    /// is not scored, so nothing is read of it.
    fn open(&self, call: &Call<'_>, findings: &Findings<'_>, answers: &Answers) -> (bool, bool) {
        let unanswered = |name: &str| call.is_sound() && answers.get(name).is_none();
        let task = unanswered(call.task.key()) && findings.needs_reading();
        (task, self.settings.benchmarks && unanswered(BENCHMARKS))
    }

    fn questions(&self, call: &Call<'_>, findings: &Findings<'_>, (task, benchmarks): (bool, bool)) -> Vec<Question> {
        let task = task.then(|| question::question(self.asked(call.task), call.task.key(), call, findings.items()));
        let benchmarks =
            benchmarks.then(|| question::question(&self.benchmarks, BENCHMARKS, call, benchmarks::items(call)));
        task.into_iter().chain(benchmarks).collect()
    }

    /// The judgment, from what was answered and from what the rules found where nobody was asked.
    fn judgment(
        &self,
        call: &Call<'_>,
        findings: &Findings<'_>,
        answers: &Answers,
        (task, benchmarks): (Option<&Value>, Option<&Value>),
    ) -> Box<Judgment> {
        let answered = [call.task.key(), BENCHMARKS].map(|name| answers.get(name));
        let readings = Readings {
            task: Read::of(task, answered[0]),
            benchmarks: Read::of(benchmarks, answered[1]),
            flags: answered.into_iter().flatten().flat_map(Answer::flags).collect(),
            likeness: Likeness::of(|| self.pairs(call, findings), answers),
        };
        Box::new(score::judgment(call, findings, &self.settings, &readings))
    }

    fn pairs(&self, call: &Call<'_>, findings: &Findings<'_>) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        if !call.is_sound() {
            return pairs;
        }
        if let Findings::Translation(found) = findings {
            pairs = translation::pairs(found);
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
        Call::read_expected(case).err().into_iter().collect()
    }

    fn step(&self, case: &Case, answers: &Answers) -> Step {
        let call = match Call::read(case) {
            Ok(call) => call,
            Err(reason) => return Step::Skip { reason },
        };
        let findings = Findings::of(&call, &self.settings);
        let open = self.open(&call, &findings, answers);
        if open != (false, false) {
            return Step::Ask(self.questions(&call, &findings, open));
        }
        Step::Done(self.judgment(&call, &findings, answers, (None, None)))
    }

    /// Reads the case once, where asking and answering would read it three times and write out questions for nobody.
    fn rule(&self, case: &Case, answers: Answers) -> Ruling {
        let call = match Call::read(case) {
            Ok(call) => call,
            Err(reason) => return Ruling::Skipped { reason },
        };
        let findings = Findings::of(&call, &self.settings);
        let (task, benchmarks) = self.open(&call, &findings, &answers);
        let (task, benchmarks) = (task.then(|| findings.rules(&call)), benchmarks.then(|| benchmarks::rules(&call)));
        Ruling::Judged(self.judgment(&call, &findings, &answers, (task.as_ref(), benchmarks.as_ref())))
    }

    fn pairs_to_embed(&self, case: &Case) -> Vec<(String, String)> {
        Call::read(case).map(|call| self.pairs(&call, &Findings::of(&call, &self.settings))).unwrap_or_default()
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
