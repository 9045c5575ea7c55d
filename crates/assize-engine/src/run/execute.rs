//! Executing a run.

use super::document::{CaseOutcome, ResultLine};
use super::drive::{Driven, drive};
use super::{CaseCounts, GateReport, JudgeHead, Prepared, RUN_SCHEMA, RunDocument, RunStatus, Timings, gate};
use crate::answering::{Answering, Juror, UsageTotals};
use crate::event::{Event, Listener, StopReason};
use crate::listing::Gathering;
use crate::stop::Stop;
use crate::store::{NewResult, Store, StoreError};
use assize_core::document::{Node, Problem};
use assize_core::{Case, Fingerprint, Scorecard, Summarise};
use futures_util::StreamExt;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// As many cases under way for each request at a time: enough that one slow case does not hold up the rest.
const WINDOW_PER_REQUEST: usize = 8;

/// What a run is executed with.
pub struct Execution<'e> {
    /// Where everything is kept.
    pub store: Store,
    /// Turned to end the run early.
    pub stop: Stop,
    /// Who hears of events.
    pub listener: Listener,
    /// Where result lines go, in the order of the cases.
    pub results: Option<&'e mut (dyn Write + Send)>,
}

/// Why a run broke off. What had been answered by then is in the store.
#[derive(Debug)]
pub enum ExecuteError {
    /// The store gave up.
    Store(StoreError),
    /// The result lines could not be written.
    Results(std::io::Error),
    /// A case file changed between the check and the run.
    CasesChanged(Vec<Problem>),
}

impl std::fmt::Display for ExecuteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store(error) => write!(f, "{error}"),
            Self::Results(error) => write!(f, "the results cannot be written: {error}"),
            Self::CasesChanged(problems) => match problems.first() {
                Some(problem) => write!(f, "the cases changed while they were being judged: {problem}"),
                None => write!(f, "the cases changed while they were being judged"),
            },
        }
    }
}

impl std::error::Error for ExecuteError {}

impl From<StoreError> for ExecuteError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What has become of the cases so far.
struct Progress {
    counts: CaseCounts,
    failures: IndexMap<String, u64>,
    flags: IndexMap<String, u64>,
    summary: Box<dyn Summarise>,
    position: u32,
    content: blake3::Hasher,
    gathering: Gathering,
}

impl Prepared {
    /// Judges every case and keeps what follows.
    pub async fn execute(self, execution: Execution<'_>) -> Result<RunDocument, ExecuteError> {
        let Execution { store, stop, listener, mut results } = execution;
        let (began, started) = (Instant::now(), jiff::Timestamp::now());
        let run: Arc<str> = run_id(started).into();
        let mut document = self.empty_document(&run, started);
        store.begin_run(&run, &self.suite.name, &document.timings.started, to_json(&document)).await?;
        listener(&Event::Started { total: self.total });

        let concurrency = self.options.concurrency.max(1);
        let answering = Arc::new(Answering::new(
            store.clone(),
            self.options.cache,
            concurrency,
            self.options.max_cost,
            stop.clone(),
            listener.clone(),
        ));
        let jurors: Arc<[(String, Juror)]> = self.jurors.clone().into();
        let mut progress = Progress {
            counts: CaseCounts { total: u64::from(self.total), ..CaseCounts::default() },
            failures: IndexMap::new(),
            flags: IndexMap::new(),
            summary: self.judge.summarise(),
            position: 0,
            content: blake3::Hasher::new(),
            gathering: Gathering::default(),
        };
        let mut cases = read_ahead(self.selected(), stop.clone());
        let stream = futures_util::stream::poll_fn(move |context| cases.poll_recv(context));
        let driven = stream.map(|case| {
            let (judge, jurors, answering) = (self.judge.clone(), jurors.clone(), answering.clone());
            let meaning = self.meaning.clone();
            async move {
                let case = case.map_err(ExecuteError::CasesChanged)?;
                match tokio::spawn(drive(judge, jurors, answering, meaning, case)).await {
                    Ok(driven) => driven.map_err(ExecuteError::Store),
                    Err(panic) => std::panic::resume_unwind(panic.into_panic()),
                }
            }
        });
        let mut driven = std::pin::pin!(driven.buffered(concurrency * WINDOW_PER_REQUEST));
        while let Some(driven) = driven.next().await {
            self.take(driven?, &run, &store, &listener, &mut results, &mut progress)?;
        }
        if let Some(results) = &mut results {
            results.flush().map_err(ExecuteError::Results)?;
        }
        if let Some(stretch) = progress.gathering.take() {
            store.add_stretch(&run, stretch)?;
        }
        let content = Fingerprint::of_bytes(progress.content.finalize().as_bytes());
        if stop.reason().is_none() && content != self.inputs {
            return Err(ExecuteError::CasesChanged(Vec::new()));
        }
        self.finish(&mut document, progress, answering.usage(), stop.reason());
        document.timings.finished = jiff::Timestamp::now().to_string();
        document.timings.wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        store.finish_run(&run, document.status.name(), to_json(&document)).await?;
        Ok(document)
    }

    /// Takes the outcome of the next case in order.
    fn take(
        &self,
        driven: Driven,
        run: &Arc<str>,
        store: &Store,
        listener: &Listener,
        results: &mut Option<&mut (dyn Write + Send)>,
        progress: &mut Progress,
    ) -> Result<(), ExecuteError> {
        let Driven { case, outcome, answers } = driven;
        let (json, content) = case.content();
        progress.content.update(content.as_str().as_bytes());
        let mut failure = None;
        match &outcome {
            CaseOutcome::NotReached => return Ok(()),
            CaseOutcome::Judged(judgment) => {
                progress.counts.judged += 1;
                progress.summary.add(&case, judgment);
                for flag in &judgment.flags {
                    *progress.flags.entry(flag.clone()).or_default() += 1;
                }
            }
            CaseOutcome::Failed(failed) => {
                progress.counts.failed += 1;
                *progress.failures.entry(failed.kind.name().to_owned()).or_default() += 1;
                failure = Some(failed.kind);
            }
            CaseOutcome::Skipped(_) => progress.counts.skipped += 1,
        }
        if let Some(line) = ResultLine::of(&case, outcome, answers) {
            let text = to_json(&line);
            if let Some(results) = results {
                writeln!(results, "{text}").map_err(ExecuteError::Results)?;
            }
            let status = status_name(&line);
            let (case_id, model) = (case.id.clone(), case.model.clone());
            let content = content.to_string();
            let result =
                NewResult { position: progress.position, case_id, model, status, content, case: json, line: text };
            store.add_result(run, result)?;
            progress.position += 1;
            if let Some(stretch) = progress.gathering.add(&case, &line) {
                store.add_stretch(run, stretch)?;
            }
        }
        listener(&Event::Finished { failure });
        Ok(())
    }

    fn empty_document(&self, run: &str, started: jiff::Timestamp) -> RunDocument {
        let names: Vec<&str> = self.jurors.iter().map(|(name, _)| name.as_str()).collect();
        let offline = self.jurors.iter().all(|(_, juror)| matches!(juror, Juror::Rules));
        let model = if let [name] = names.as_slice() { json!(name) } else { json!(names) };
        let embedder = self.meaning.as_ref().map(|meaning| meaning.fingerprint());
        let fingerprint = Fingerprint::of(&(self.judge.fingerprint(), &model, &self.suite.parameters, embedder));
        RunDocument {
            schema: RUN_SCHEMA.into(),
            run_id: run.into(),
            suite: self.suite.name.clone(),
            judge: JudgeHead {
                judge_use: self.suite.judge_use.value.clone(),
                model,
                embedder: self.meaning.as_ref().map(|_| self.suite.embedder.value.to_string()),
                fingerprint: fingerprint.to_string(),
                profile: self.profile.clone(),
                settings: self.suite.settings.as_ref().map_or(Value::Null, Node::to_value),
                calibration: if offline { "rules" } else { "uncalibrated" }.into(),
                headline: self.judge.headline().to_owned(),
                metrics: self.judge.metrics().to_vec(),
            },
            status: RunStatus::Running,
            cases: CaseCounts { total: u64::from(self.total), ..CaseCounts::default() },
            failures: IndexMap::new(),
            flags: IndexMap::new(),
            models: IndexMap::<String, Scorecard>::new(),
            usage: UsageTotals::default(),
            gate: GateReport::default(),
            inputs: self.inputs.to_string(),
            timings: Timings { started: started.to_string(), ..Timings::default() },
            sections: Map::new(),
        }
    }

    fn finish(&self, document: &mut RunDocument, progress: Progress, usage: UsageTotals, stopped: Option<&StopReason>) {
        let summary = progress.summary.finish();
        document.cases = progress.counts;
        document.failures = progress.failures;
        document.flags = progress.flags;
        document.flags.sort_by(|a, x, b, y| y.cmp(x).then(a.cmp(b)));
        document.models = summary.models;
        document.sections = summary.sections;
        document.usage = usage;
        // What a judge decided without asking belongs with what was asked.
        let saved = document.sections.shift_remove("saved_calls");
        document.usage.saved_calls = saved.and_then(|saved| saved.as_u64()).unwrap_or_default();
        document.gate = gate::report(&self.suite.gate, &document.models);
        let reached = document.cases.judged + document.cases.failed + document.cases.skipped;
        document.status = match stopped {
            // Stopped when everything was done already is not stopped.
            _ if reached == document.cases.total => RunStatus::Complete,
            Some(StopReason::OverBudget) => RunStatus::OverBudget,
            Some(StopReason::Hopeless(_)) => RunStatus::Stopped,
            Some(StopReason::Interrupted) | None => RunStatus::Interrupted,
        };
    }
}

/// Reads cases on a thread of their own, as far ahead as they are needed, until the run is stopped.
fn read_ahead(
    cases: impl Iterator<Item = Result<Case, Vec<Problem>>> + Send + 'static,
    stop: Stop,
) -> tokio::sync::mpsc::Receiver<Result<Case, Vec<Problem>>> {
    let (sender, receiver) = tokio::sync::mpsc::channel(64);
    tokio::task::spawn_blocking(move || {
        for case in cases {
            if stop.reason().is_some() || sender.blocking_send(case).is_err() {
                return;
            }
        }
    });
    receiver
}

fn status_name(line: &ResultLine) -> &'static str {
    match line.status.as_str() {
        "judged" => "judged",
        "failed" => "failed",
        _ => "skipped",
    }
}

/// A name that sorts by time and that people can read out.
fn run_id(started: jiff::Timestamp) -> String {
    let unique = Fingerprint::of(&(started.as_nanosecond().to_string(), std::process::id()));
    format!("{}-{}", started.strftime("%Y%m%d-%H%M%S"), &unique.as_str()[..4])
}

fn to_json<T: serde::Serialize>(value: &T) -> String {
    // Documents and lines have text keys only, so they always have a JSON form.
    serde_json::to_string(value).unwrap_or_else(|error| Value::String(error.to_string()).to_string())
}
