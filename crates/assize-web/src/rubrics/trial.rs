//! Trying out a text that is not saved: it is judged in memory, through the engine's own path, beside the file on the disk.

use super::suites::providers;
use super::{Address, RubricFileKind, RubricFiles, Tried};
use crate::failure::Failure;
use crate::served::Served;
use assize_core::document::{Problems, Span};
use assize_core::judge::first_questions;
use assize_core::number::sentence;
use assize_core::suite::{ColumnMap, JudgeModel, Placed, ProviderEntry};
use assize_core::{Case, Outcome, Question, Suite};
use assize_engine::event::StopReason;
use assize_engine::files::Files;
use assize_engine::profiles::Profiles;
use assize_engine::records::RunRequest;
use assize_engine::run::{Estimate, Prepared, RunOptions, SuiteSource, prepare};
use assize_engine::store::Store;
use assize_judges::systems::behaviour::spec::TreeFiles;
use assize_llm::KeyPermits;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// What the trial's own suite and cases are called; no rubric has this name.
const TRIAL: &str = ".trial";

/// A way to judge by a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Way {
    /// What a suite would name as its judge.
    #[serde(rename = "use")]
    pub(crate) judge_use: String,
    /// The same in words.
    pub(crate) label: String,
}

/// The ways to judge by a file, the one a run would take first.
pub(crate) fn ways(files: &RubricFiles, path: &str, kind: RubricFileKind) -> Vec<Way> {
    let way = |judge_use: &str, label: String| Way { judge_use: judge_use.to_owned(), label };
    match (kind, files.root_of(path)) {
        (RubricFileKind::Prompt, Some(root)) => {
            let sources = files.sources();
            let tree = TreeFiles::read(root, &sources, &mut Problems::default());
            let users = tree.benchmarks.iter().filter(|benchmark| {
                benchmark.evaluator.may_ask() && tree.prompt_of(benchmark).is_some_and(|prompt| prompt.path == path)
            });
            let named = users.map(|benchmark| {
                let checks = if benchmark.checks.is_empty() { "" } else { ", its checks first" };
                way(&benchmark.file, format!("as benchmark {}{checks}", benchmark.code.value))
            });
            named.chain([way(path, "the prompt alone".into())]).collect()
        }
        (RubricFileKind::Rubric, Some(root)) => {
            vec![way(if root.is_empty() { "." } else { root }, "the whole tree".into())]
        }
        (RubricFileKind::Benchmark, _) => vec![way(path, "this benchmark".into())],
        _ => vec![way(path, "this file".into())],
    }
}

/// What is to be tried.
pub(crate) struct Attempt {
    pub(crate) judge_use: String,
    pub(crate) model: JudgeModel,
    pub(crate) cases: Vec<Case>,
    /// Servers beyond the built-in providers.
    providers: IndexMap<String, ProviderEntry>,
    permits: KeyPermits,
}

impl Attempt {
    /// An attempt with a model that is named as in a suite.
    pub(crate) fn new(
        served: &Served,
        address: &Address,
        judge_use: String,
        model: &str,
        cases: Vec<Case>,
    ) -> Result<Self, Failure> {
        let model = JudgeModel::parse(model.trim()).map_err(Failure::bad)?;
        let providers = match &model {
            JudgeModel::Offline => IndexMap::new(),
            JudgeModel::Remote { .. } => providers(served, &address.path),
            JudgeModel::Replay { .. } => {
                return Err(Failure::bad("Recorded answers fit the questions they were given to, not a new text.")
                    .with_way_on("Choose offline, or a model such as openai:gpt-4o-mini."));
            }
        };
        Ok(Self { judge_use, model, cases, providers, permits: served.permits()? })
    }

    /// Everything read and checked, with the texts of rubric files.
    fn prepared(&self, files: &RubricFiles) -> Result<Prepared, Failure> {
        let span = Span::at(1, 1);
        let suite = Suite {
            models: vec![Placed { value: self.model.clone(), span }],
            // What the judge does not know of a case is none of its business.
            columns: ColumnMap { drop_others: true, ..ColumnMap::default() },
            providers: self.providers.clone(),
            ..Suite::of_judge("trial", Placed { value: self.judge_use.clone(), span })
        };
        let files = Files::Held(files.sources().into_iter().map(|file| (file.path, file.text)).collect());
        let source = SuiteSource::given(suite, self.cases.iter().map(record).collect(), &files, TRIAL);
        // Somebody waits for it.
        let request = RunRequest { timeout: 60, retries: 2, ..RunRequest::of_suite(TRIAL) };
        let options = RunOptions::try_from(request).expect("within the bounds").with_permits(self.permits.clone());
        let environment = |name: &str| std::env::var(name).ok();
        prepare(source, options, &Profiles::default(), &environment).map_err(|found| unprepared(&found))
    }

    /// What it would ask and cost.
    pub(crate) fn estimate(&self, files: &RubricFiles, store: &Store) -> Result<Estimate, Failure> {
        Ok(self.prepared(files)?.estimate(Some(store))?)
    }

    /// Judges the cases by the texts of rubric files.
    pub(crate) async fn judge(&self, files: &RubricFiles, store: &Store) -> Result<Tried, Failure> {
        let ready = self.prepared(files)?.ready().map_err(|found| unprepared(&found))?;
        let headline = ready.judge().spec().headline.clone();
        let trial = ready.try_out(store).await.map_err(|error| Failure::broken(error.to_string()))?;
        if let Some(StopReason::Hopeless(why)) = &trial.stopped {
            return Err(Failure::bad(format!("The model cannot be asked: {why}.")));
        }
        Ok(Tried { trial, headline })
    }
}

/// The questions a case leads to, or why none is asked.
pub(crate) fn question(attempt: &Attempt, files: &RubricFiles) -> Result<Result<Vec<Question>, String>, Failure> {
    let prepared = attempt.prepared(files)?;
    let Some(case) = prepared.cases().next() else { return Err(Failure::missing("There is no such case.")) };
    Ok(first_questions(prepared.judge(), &case).map_err(|outcome| match outcome {
        Outcome::Judged(judgment) => format!("Code decides this case: {}.", judgment.reason.unwrap_or_default()),
        Outcome::Skipped { reason } => format!("The case is skipped: {reason}."),
        Outcome::Failed(failure) => format!("The case cannot be judged: {}.", failure.message),
        Outcome::NotReached => "The case is not judged.".to_owned(),
    }))
}

fn unprepared(problems: &Problems) -> Failure {
    let Some(problem) = problems.iter().next() else { return Failure::bad("This cannot be judged.") };
    let place = problem.span.map(|span| format!(" (line {})", span.line)).unwrap_or_default();
    let place = if problem.file == TRIAL { String::new() } else { format!("{}{place}: ", problem.file) };
    let more = match problems.count() {
        1 => String::new(),
        count => format!(" There are {} more problems.", count - 1),
    };
    Failure::bad(format!("This cannot be judged: {place}{}.{more}", problem.message))
        .with_way_on(problem.help.as_deref().map(sentence).unwrap_or_default())
}

/// A case as a line of a case file.
fn record(case: &Case) -> Map<String, Value> {
    let mut record = case.inputs.clone();
    record.insert("id".into(), case.id.clone().into());
    record.insert("model".into(), serde_json::json!(case.model));
    record.insert("tags".into(), json!(case.tags));
    record.insert("metadata".into(), case.metadata.clone().into());
    record
}

/// The codes of the top rubrics of the tree that a file is in, in order.
pub(crate) fn top_codes(files: &RubricFiles, path: &str) -> Vec<String> {
    let Some(root) = files.root_of(path) else { return Vec::new() };
    let sources = files.sources();
    let tree = TreeFiles::read(root, &sources, &mut Problems::default());
    let below =
        |code: &str| tree.rubrics.iter().flat_map(|rubric| &rubric.sub_rubrics).any(|below| below.code().value == code);
    let codes = tree.rubrics.iter().map(|rubric| &rubric.code.value);
    let top: BTreeSet<String> = codes.filter(|code| !below(code)).cloned().collect();
    top.into_iter().collect()
}
