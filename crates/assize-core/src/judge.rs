//! The contract between a judge and everything that drives it.
//!
//! A [`JudgeSystem`] is one entry in the list of systems: its card, and how to build a judge from what the user wrote. A
//! [`Judge`] opens a case, and an [`OpenCase`] is stepped: given what was answered so far, it says what to ask next or what
//! became of the case. Judges never await. Live calls, the cache, recorded answers, workers and unit tests drive the same
//! code, through [`by_rules`] and [`concluded`].

use crate::document::{Node, Problems};
use crate::flag::FlagSpec;
use crate::suite::Placed;
use crate::what_if::WhatIf;
use crate::{Answer, Answers, Case, CaseStatus, Failure, FailureKind, Fingerprint, InputSpec, Judgment, MetricSpec};
use crate::{Layout, Outcome, Question, Scorecard, ShownCase, settings};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// A file that was read for a judge: a criteria file, a prompt, a part of a rubric tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path as the user would write it, relative to the suite.
    pub path: String,
    /// The content.
    pub text: String,
}

/// What `judge.use` named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeSource {
    /// A built-in system, by name.
    BuiltIn(String),
    /// A single file.
    File(SourceFile),
    /// A folder, with all files in it that a judge may be made of.
    Folder {
        /// The folder as the user wrote it.
        path: String,
        /// Its files, in the order of their paths.
        files: Vec<SourceFile>,
    },
}

/// What a system is known by.
#[derive(Debug)]
pub struct Card {
    /// The name that `judge.use` takes, or a name for the kind of file.
    pub name: &'static str,
    /// One line on what it judges.
    pub summary: &'static str,
    /// How to use it, in Markdown: inputs, settings, metrics, an example.
    pub guide: &'static str,
    /// The folder under `examples/` that shows it.
    pub example: &'static str,
    /// The flags its judgments may have, beside those in [`crate::flag::COMMON`].
    pub flags: &'static [FlagSpec],
}

/// One system of judging: an entry of the list that the command line, the page, the docs and the tests loop over.
pub trait JudgeSystem: Sync {
    /// What it is known by.
    fn card(&self) -> &Card;

    /// Its name, as on its card.
    fn name(&self) -> &'static str {
        self.card().name
    }

    /// Whether it is the one that `judge.use` means.
    fn takes(&self, source: &JudgeSource) -> bool {
        matches!(source, JudgeSource::BuiltIn(name) if name == self.name())
    }

    /// What a suite can set, as a JSON Schema: every key with a description and, where there is one, its default. Forms are
    /// drawn from it, and settings are checked against it before [`JudgeSystem::build`] sees them.
    fn settings_schema(&self) -> Value;

    /// What a profile holds, as a JSON Schema: all that a suite can set, or less. Forms are drawn from it.
    fn profile_schema(&self) -> Value {
        self.settings_schema()
    }

    /// The profiles that come with the judge: settings by name, the default first.
    fn profiles(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Reads settings that are to be kept under a name, and gives them as they are kept. Everything that is wrong with them
    /// is reported, as far as that can be known without the files of the judge; `None` is returned only if something was.
    fn read_profile(&self, settings: &Node, problems: &mut Problems) -> Option<Value> {
        let before = problems.count();
        let built_in = JudgeSource::BuiltIn(self.name().to_owned());
        settings::check(&self.settings_schema(), settings, problems);
        if problems.count() == before && self.takes(&built_in) {
            self.build(&built_in, Some(settings), problems);
        }
        (problems.count() == before).then(|| settings.to_value())
    }

    /// The schemas of what other programs write for the judge or read from it, beside its settings.
    fn schemas(&self) -> Vec<NamedSchema> {
        Vec::new()
    }

    /// What other settings would give, where the judge can say that with no model.
    fn what_if(&self) -> Option<&dyn WhatIf> {
        None
    }

    /// Builds the judge. Everything that is wrong with the files or the settings is reported, all at once; `None` is
    /// returned only if something was.
    fn build(&self, source: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>>;

    /// The folder that a file named in `judge.use` is part of, where the judge needs the whole of it: the path of the
    /// folder, as the file's own begins.
    fn folder_of<'p>(&self, _file: &'p str) -> Option<&'p str> {
        None
    }

    /// How a judged case is best read. `None` where inputs, figures and labels say it all.
    fn layout(&self, _shown: &ShownCase<'_>) -> Option<Layout> {
        None
    }
}

/// A schema that a judge system offers.
#[derive(Clone, Debug)]
pub struct NamedSchema {
    /// The name that `assize schema` takes.
    pub name: &'static str,
    /// One line on what it describes.
    pub about: &'static str,
    /// The JSON Schema.
    pub schema: Value,
}

/// What a judge says of itself once it is built: everything that holds for all cases.
#[derive(Clone, Debug)]
pub struct JudgeSpec {
    /// What it needs of a case.
    pub inputs: Vec<InputSpec>,
    /// The figures it gives, in the order in which they are shown.
    pub metrics: Vec<MetricSpec>,
    /// The figure to show where there is room for one.
    pub headline: String,
    /// Changes when the prompt, the schema or a setting does.
    pub fingerprint: Fingerprint,
    /// What of the judge's files no model is told, and why.
    pub unsent: Vec<Unsent>,
    /// Whether a case is about several systems under test, so that its figures belong to none of them alone.
    pub side_by_side: bool,
}

impl JudgeSpec {
    /// The spec of a judge. `asked` is everything of its questions that does not come from the case (instructions, schemas);
    /// `settings` is everything else that its judgments depend on.
    pub fn new(
        system: &str,
        (inputs, metrics, headline): (Vec<InputSpec>, Vec<MetricSpec>, impl Into<String>),
        asked: &impl Serialize,
        settings: &impl Serialize,
    ) -> Self {
        // The order of a schema's keys is the order in which the model writes, so what is asked goes in as text.
        let asked = serde_json::to_string(asked).expect("questions have text keys only");
        let fingerprint = Fingerprint::of(&(system, asked, settings));
        Self { inputs, metrics, headline: headline.into(), fingerprint, unsent: Vec::new(), side_by_side: false }
    }
}

/// Something in a file of the judge that no model is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unsent {
    /// The file, as the user would write it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is written there.
    pub text: String,
    /// Why it is not sent.
    pub reason: String,
}

/// What a judge wants next.
#[derive(Debug)]
pub enum Step {
    /// Answers to these questions, by name and in any order. Their texts are written by [`OpenCase::question`], and only
    /// where somebody is going to read them.
    Ask(Vec<String>),
    /// Nothing: this is what became of the case.
    Done(Outcome),
}

/// More rounds of questions than any judge has; a judge that never comes to an end is a defect, not an endless bill.
pub const MOST_ROUNDS: usize = 16;

impl Failure {
    /// The failure of a judge that asked more than [`MOST_ROUNDS`].
    pub fn too_many_rounds() -> Self {
        let message = format!("the judge asked more than {MOST_ROUNDS} rounds of questions");
        Self::new(FailureKind::InvalidReply, message)
    }

    /// The failure of a case that only a model can judge.
    pub fn no_rule() -> Self {
        let message = "no rule can stand in for a model here: name one in the suite's `judge.model` or with --model";
        Self::new(FailureKind::NoRule, message)
    }
}

/// Where a judge keeps what it had to parse out of a case, so that the rest of its work can borrow it.
#[derive(Debug, Default)]
pub struct Parsed {
    value: OnceLock<Value>,
    next: OnceLock<Box<Parsed>>,
}

impl Parsed {
    /// Keeps a value for as long as the case is open.
    pub fn keep(&self, value: Value) -> &Value {
        match self.value.set(value) {
            Ok(()) => self.value.get().expect("it was set just now"),
            Err(value) => self.next.get_or_init(Box::default).keep(value),
        }
    }
}

/// A judge, ready to judge.
pub trait Judge: Send + Sync {
    /// What it says of itself.
    fn spec(&self) -> &JudgeSpec;

    /// Reads a case once. What cannot be judged at all has its outcome here.
    fn open<'c>(&'c self, case: &'c Case, parsed: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome>;

    /// What is wrong with a case beyond the kinds of its inputs, as sentences for whoever wrote it. Reported with the
    /// case's place before anything is asked.
    fn case_problems(&self, _case: &Case) -> Vec<String> {
        Vec::new()
    }

    /// What the judge learns from all cases of a suite before it judges the first, where it learns anything.
    fn survey(&self) -> Option<Box<dyn Survey>> {
        None
    }

    /// The case with what is right in the place of what the model under test wrote; `None` where nothing says what is right.
    /// It must come out perfect: see [`self_test`].
    fn gold(&self, _case: &Case) -> Option<Case> {
        None
    }

    /// The models under test that the settings name, each with its place. A run reports those that no case has.
    fn models_named(&self) -> &[Placed<String>] {
        &[]
    }

    /// How rows of the case files become cases, where a row is not a case by itself.
    fn assembly(&self) -> Option<&dyn Assembly> {
        None
    }

    /// What the judge adds to the summary that follows from its figures.
    fn extra_summary(&self) -> Option<Box<dyn ExtraSummary>> {
        None
    }
}

/// A look at all cases of a suite, before anything is asked.
pub trait Survey: Send {
    /// Takes a case in.
    fn see(&mut self, case: &Case);

    /// What follows.
    fn finish(self: Box<Self>) -> Surveyed;
}

/// What follows from all cases of a suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surveyed {
    /// Settings that follow from the cases, in place of the suite's own: the judge is built again with them, and the run
    /// records them.
    pub settings: Map<String, Value>,
    /// What is probably not meant, in sentences.
    pub warnings: Vec<String>,
}

/// Makes cases of rows: a judge of pairs makes them from rows with one output each.
pub trait Assembly: Sync {
    /// The cases that follow from all rows, in an order that depends on nothing else, or what is wrong with them.
    fn assemble(&self, rows: Vec<Case>) -> Result<Vec<Case>, Vec<String>>;
}

/// A case that has been read by its judge.
pub trait OpenCase: Send + Sync {
    /// From the answers so far: what to ask next, or what became of the case.
    fn step(&self, answers: &Answers) -> Step;

    /// The text of a question that [`OpenCase::step`] asked for.
    fn question(&self, name: &str) -> Question;

    /// What is wrong with an answer beyond its schema, as sentences for the model to mend it by.
    fn violations(&self, _question: &str, _answer: &Value) -> Vec<String> {
        Vec::new()
    }

    /// What the judge's own rules answer in the model's place, or why no rule can.
    fn stand_in(&self, _question: &str) -> Result<Value, Failure> {
        Err(Failure::no_rule())
    }

    /// Whether the case can be judged without the answer to this question. Its failure is then among the answers.
    fn does_without(&self, _question: &str) -> bool {
        false
    }

    /// The pairs of texts whose likeness in meaning the judge would use. An embedder's cosines, where there is one, are among
    /// the answers under the name `embeddings`, in the order of the pairs, with the reason where there is none:
    /// `{"embedder": "muse", "caveat": null, "cosines": [0.93, null], "reasons": [null, "the model does not know Hindi"]}`.
    fn pairs_to_embed(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// The questions that a judge asks about a case first, or what becomes of the case without a question.
pub fn first_questions(judge: &dyn Judge, case: &Case) -> Result<Vec<Question>, Outcome> {
    let parsed = Parsed::default();
    let open = judge.open(case, &parsed)?;
    match open.step(&Answers::none()) {
        Step::Ask(names) => Ok(names.iter().map(|name| open.question(name)).collect()),
        Step::Done(outcome) => Err(outcome),
    }
}

/// What becomes of a case with the rules in the model's place, and with the answers that are there already.
pub fn by_rules(open: &dyn OpenCase, mut answers: Answers) -> Outcome {
    for _ in 0..MOST_ROUNDS {
        let questions = match open.step(&answers) {
            Step::Done(outcome) => return concluded(outcome, &answers),
            Step::Ask(questions) => questions,
        };
        for question in questions {
            match open.stand_in(&question) {
                Ok(value) => {
                    let answer = Answer::from_rules(&question, value);
                    answers.insert(question, answer);
                }
                Err(failure) if open.does_without(&question) => answers.fail(question, failure),
                Err(failure) => return failure.into(),
            }
        }
    }
    Failure::too_many_rounds().into()
}

/// What is not perfect where what is right is judged by the same rules, as sentences. What the rules leave undecided is
/// not reported: it may be perfect.
pub fn self_test(judge: &dyn Judge, gold: &Case) -> Vec<String> {
    let parsed = Parsed::default();
    let outcome = match judge.open(gold, &parsed) {
        Ok(open) => by_rules(&*open, Answers::none()),
        Err(outcome) => outcome,
    };
    let Outcome::Judged(judgment) = outcome else { return Vec::new() };
    let imperfect = judge.spec().metrics.iter().filter_map(|spec| {
        let (perfect, value) = (spec.perfect()?, judgment.value(&spec.name)?);
        ((value - perfect).abs() > 1e-9).then(|| format!("`{}` is {}", spec.name, spec.unit.show(value)))
    });
    let imperfect: Vec<String> = imperfect.collect();
    if imperfect.is_empty() {
        return imperfect;
    }
    let why = if judgment.flags.is_empty() { String::new() } else { format!(" ({})", judgment.flags.join(", ")) };
    imperfect.into_iter().map(|figure| format!("{figure}{why}")).collect()
}

/// An outcome with the flags that the way of reading its answers raises; they come before the judge's own.
pub fn concluded(outcome: Outcome, answers: &Answers) -> Outcome {
    let Outcome::Judged(mut judgment) = outcome else { return outcome };
    let own = std::mem::take(&mut judgment.flags);
    answers.iter().flat_map(|(_, answer)| answer.flags()).for_each(|flag| judgment.flag(flag));
    own.into_iter().for_each(|flag| judgment.flag(flag));
    Outcome::Judged(judgment)
}

/// Scorecards in the making.
pub trait Summarise: Send {
    /// Adds the judgment of one case.
    fn add(&mut self, case: &Case, judgment: &Judgment);

    /// Counts a case that was reached and not judged: failed or skipped.
    fn add_unjudged(&mut self, case: &Case, status: CaseStatus);

    /// The scorecards.
    fn finish(self: Box<Self>) -> Summary;
}

/// What only the judge itself can add to scorecards: figures made of other figures, ratings, blockers, sections.
pub trait ExtraSummary: Send {
    /// Takes in the judgment of one case.
    fn add(&mut self, case: &Case, judgment: &Judgment);

    /// Takes in a case that was reached and not judged: failed or skipped.
    fn add_unjudged(&mut self, _case: &Case, _status: CaseStatus) {}

    /// Completes the summary, which has a card for every model with the figures that follow by their kind. Figures are
    /// put into the judge's order afterwards.
    fn complete(self: Box<Self>, summary: &mut Summary);
}

/// What follows for a whole run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// A scorecard for each model, in the order of their names.
    pub models: IndexMap<String, Scorecard>,
    /// Questions that code decided, so that no model had to be asked.
    pub saved_calls: u64,
    /// What else the judge has to say of the run, by key in the run's document.
    pub sections: Map<String, Value>,
}
