//! The contract between a judge and everything that drives it.
//!
//! A judge never awaits. Given a case and what was answered so far, [`Judge::step`] says what to ask next or gives the
//! judgment. Live calls, the cache, recorded answers, workers and unit tests drive the same code. A [`JudgeSystem`] is
//! one entry in the list of systems: its name, its documentation and how to build a judge from what the user wrote.

use crate::document::{Node, Problems};
use crate::settings;
use crate::{Answer, Answers, Case, Failure, FailureKind, Fingerprint, InputSpec, Judgment, Question, Scorecard};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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

/// One system of judging: an entry of the list that the command line, the docs and the tests loop over.
pub trait JudgeSystem: Sync {
    /// The name that `judge.use` takes, or a name for the kind of file.
    fn name(&self) -> &'static str;

    /// One line on what it judges.
    fn summary(&self) -> &'static str;

    /// How to use it, in Markdown: inputs, settings, metrics, an example.
    fn guide(&self) -> &'static str;

    /// Whether it is the one that `judge.use` means.
    fn takes(&self, source: &JudgeSource) -> bool;

    /// What a suite can set, as a JSON Schema: every key with a description and, where there is one, its default. Forms are
    /// drawn from it.
    fn settings_schema(&self) -> Value;

    /// The profiles that come with the judge: settings by name.
    fn profiles(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Reads settings that are to be kept under a name, and gives them as they are kept. Everything that is wrong with them
    /// is reported, as far as that can be known without the files of the judge; `None` is returned only if something was.
    fn read_profile(&self, settings: &Node, problems: &mut Problems) -> Option<Value> {
        let before = problems.count();
        let built_in = JudgeSource::BuiltIn(self.name().to_owned());
        if self.takes(&built_in) {
            self.build(&built_in, Some(settings), problems);
        } else {
            settings::check(&self.settings_schema(), settings, problems);
        }
        (problems.count() == before).then(|| settings.to_value())
    }

    /// Builds the judge. Everything that is wrong with the files or the settings is reported, all at once; `None` is
    /// returned only if something was.
    fn build(&self, source: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>>;
}

/// A figure a judge can give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetricSpec {
    /// Its name, as in results and gates.
    pub name: String,
    /// One line on what it is.
    pub about: String,
    /// Whether it exists only over a run, not for a single case.
    pub run_only: bool,
    /// Whether less is better.
    pub lower_is_better: bool,
}

/// What a judge wants next.
#[derive(Debug)]
pub enum Step {
    /// These questions, in any order.
    Ask(Vec<Question>),
    /// Nothing: this is the judgment.
    Done(Box<Judgment>),
    /// Nothing: the case is not one for this judge.
    Skip {
        /// Why, in a sentence.
        reason: String,
    },
}

/// What a judge comes to by its own rules.
#[derive(Debug, PartialEq)]
pub enum Ruling {
    /// The judgment.
    Judged(Box<Judgment>),
    /// The case is not one for this judge.
    Skipped {
        /// Why, in a sentence.
        reason: String,
    },
    /// No rule can stand in for a model here.
    Failed(Failure),
}

/// More rounds of questions than any judge has; a judge that never comes to an end is a defect, not an endless bill.
pub const MOST_ROUNDS: usize = 16;

impl Failure {
    /// The failure of a judge that asked more than [`MOST_ROUNDS`].
    pub fn too_many_rounds() -> Self {
        let message = format!("the judge asked more than {MOST_ROUNDS} rounds of questions");
        Self::new(FailureKind::InvalidReply, message)
    }
}

/// A judge, ready to judge.
pub trait Judge: Send + Sync {
    /// What it needs of a case.
    fn inputs(&self) -> &[InputSpec];

    /// The figures it gives, in the order in which they are shown.
    fn metrics(&self) -> &[MetricSpec];

    /// The figure to show where there is room for one.
    fn headline(&self) -> &str;

    /// Changes when the prompt, the schema or a setting does.
    fn fingerprint(&self) -> Fingerprint;

    /// From a case and the answers so far: what to ask next, or the judgment.
    fn step(&self, case: &Case, answers: &Answers) -> Step;

    /// What is wrong with a case beyond the kinds of its inputs, as sentences for whoever wrote it. Reported with the
    /// case's place before anything is asked.
    fn case_problems(&self, _case: &Case) -> Vec<String> {
        Vec::new()
    }

    /// The pairs of texts whose likeness in meaning the judge would use. An embedder's cosines, where there is one, are among
    /// the answers under the name `embeddings`, in the order of the pairs, with the reason where there is none:
    /// `{"embedder": "muse", "caveat": null, "cosines": [0.93, null], "reasons": [null, "the model does not know Hindi"]}`.
    fn pairs_to_embed(&self, _case: &Case) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What is wrong with an answer beyond its schema, as sentences for the model to mend it by.
    fn violations(&self, _case: &Case, _question: &Question, _answer: &Value) -> Vec<String> {
        Vec::new()
    }

    /// What the judge's own rules answer in the model's place; `None` where no rule can.
    fn stand_in(&self, case: &Case, question: &Question) -> Option<Value>;

    /// Why no rule can stand in for a model here, and what to do about it.
    fn why_no_stand_in(&self, _case: &Case) -> String {
        "no rule can stand in for a model here: name one in the suite's `judge.model` or with --model".to_owned()
    }

    /// The case judged with the rules in the model's place, and with the answers that are there already.
    ///
    /// It is what [`Judge::step`] and [`Judge::stand_in`] come to in turn. A judge to which reading a case is work may come
    /// to the same in one go; that it is the same is a matter of the conformance tests.
    fn rule(&self, case: &Case, answers: Answers) -> Ruling {
        rule_in_turn(self, case, answers)
    }

    /// A summary to add judgments to, in the order of the cases.
    fn summarise(&self) -> Box<dyn Summarise>;
}

/// Judges a case by rules, question by question; see [`Judge::rule`].
pub fn rule_in_turn<J: Judge + ?Sized>(judge: &J, case: &Case, mut answers: Answers) -> Ruling {
    for _ in 0..MOST_ROUNDS {
        let questions = match judge.step(case, &answers) {
            Step::Done(judgment) => return Ruling::Judged(judgment),
            Step::Skip { reason } => return Ruling::Skipped { reason },
            Step::Ask(questions) => questions,
        };
        for question in questions {
            let Some(value) = judge.stand_in(case, &question) else {
                return Ruling::Failed(Failure::new(FailureKind::NoRule, judge.why_no_stand_in(case)));
            };
            let answer = Answer::from_rules(&question, value);
            answers.insert(question.name, answer);
        }
    }
    Ruling::Failed(Failure::too_many_rounds())
}

/// Scorecards in the making.
pub trait Summarise: Send {
    /// Adds the judgment of one case.
    fn add(&mut self, case: &Case, judgment: &Judgment);

    /// The scorecards.
    fn finish(self: Box<Self>) -> Summary;
}

/// What follows for a whole run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// A scorecard for each model, in the order of their names.
    pub models: IndexMap<String, Scorecard>,
    /// What else the judge has to say of the run, by key in the run's document.
    pub sections: Map<String, Value>,
    /// Questions that code decided, so that no model had to be asked.
    pub saved_calls: u64,
}
