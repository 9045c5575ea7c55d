//! Executing a run.

use super::drive::{Driven, drive};
use super::name::run_id;
use super::{Ready, gate};
use crate::answering::{Answering, Juror};
use crate::control::Control;
use crate::event::{Event, FinishedCase, Listener, StopReason};
use crate::listing::Gathering;
use crate::records::{
    Calibration, CaseCounts, GateReport, JudgeHead, RUN_SCHEMA, ResultLine, RunDocument, RunStatus, Timings,
    UsageTotals,
};
use crate::store::{NewResult, Store, StoreError};
use assize_core::document::{Node, Problem};
use assize_core::{Case, CaseStatus, Fingerprint, Outcome, Scorecard, Summarise};
use assize_judges::summary::summary_of;
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
    /// Pauses the run, or ends it early.
    pub control: Control,
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

/// A run under way: where its outcomes go, and what has become of the cases so far.
struct Underway<'e> {
    run: Arc<str>,
    store: Store,
    listener: Listener,
    results: Option<&'e mut (dyn Write + Send)>,
    counts: CaseCounts,
    failures: IndexMap<String, u64>,
    flags: IndexMap<String, u64>,
    summary: Box<dyn Summarise>,
    position: u32,
    content: blake3::Hasher,
    gathering: Gathering,
}

impl Ready {
    /// Judges every case and keeps what follows.
    pub async fn execute(self, execution: Execution<'_>) -> Result<RunDocument, ExecuteError> {
        let Execution { store, control, listener, results } = execution;
        let (began, started) = (Instant::now(), jiff::Timestamp::now());
        let run: Arc<str> = run_id(started).into();
        let mut document = self.empty_document(&run, started);
        store.begin_run(&document, &self.request).await?;
        listener(&Event::Started { run: &run, total: self.total });
        let answering = Arc::new(Answering::new(
            store.clone(),
            self.options.cache(),
            self.options.concurrency(),
            self.options.max_cost(),
            control.clone(),
            listener.clone(),
        ));
        let mut underway = Underway {
            run: run.clone(),
            store: store.clone(),
            listener,
            results,
            counts: CaseCounts { total: u64::from(self.total), ..CaseCounts::default() },
            failures: IndexMap::new(),
            flags: IndexMap::new(),
            summary: summary_of(&*self.judge),
            position: 0,
            content: blake3::Hasher::new(),
            gathering: Gathering::default(),
        };
        let judged = self.judge_all(&control, &answering, &mut underway).await;
        if let Err(ExecuteError::Store(error)) = judged {
            return Err(error.into());
        }
        if let Some(stretch) = underway.gathering.take() {
            store.add_stretch(&run, stretch)?;
        }
        self.finish(&mut document, underway, answering.usage(), control.stopped());
        if judged.is_err() {
            document.status = RunStatus::Interrupted;
        }
        document.timings.finished = jiff::Timestamp::now().to_string();
        document.timings.wall_ms = u64::try_from(began.elapsed().as_millis()).expect("no run takes 500 million years");
        store.finish_run(&document).await?;
        judged.map(|()| document)
    }

    /// Judges case after case, a window of them at a time.
    async fn judge_all(
        &self,
        control: &Control,
        answering: &Arc<Answering>,
        underway: &mut Underway<'_>,
    ) -> Result<(), ExecuteError> {
        let jurors: Arc<[(String, Juror)]> = self.jurors.clone().into();
        let listener = underway.listener.clone();
        let mut cases = read_ahead(self.selected(), control.clone());
        let stream = futures_util::stream::poll_fn(move |context| cases.poll_recv(context));
        let driven = stream.map(|case| {
            let (judge, jurors, answering) = (self.judge.clone(), jurors.clone(), answering.clone());
            let (embedder, listener) = (self.embedder.clone(), listener.clone());
            async move {
                let case = case.map_err(ExecuteError::CasesChanged)?;
                let driving = tokio::spawn(drive(judge, jurors, answering, embedder, case));
                let driven = match driving.await {
                    Ok(driven) => driven.map_err(ExecuteError::Store)?,
                    Err(panic) => std::panic::resume_unwind(panic.into_panic()),
                };
                if driven.outcome != Outcome::NotReached {
                    listener(&Event::Decided(&driven.outcome));
                }
                Ok::<_, ExecuteError>(driven)
            }
        });
        let window = self.options.concurrency() * WINDOW_PER_REQUEST;
        let mut driven = std::pin::pin!(driven.buffered(window));
        while let Some(driven) = driven.next().await {
            self.take(driven?, underway)?;
        }
        if let Some(results) = &mut underway.results {
            results.flush().map_err(ExecuteError::Results)?;
        }
        let content = Fingerprint::of_bytes(underway.content.finalize().as_bytes());
        if control.stopped().is_none() && content != self.inputs {
            return Err(ExecuteError::CasesChanged(Vec::new()));
        }
        Ok(())
    }

    /// Takes the outcome of the next case in order.
    fn take(&self, driven: Driven, underway: &mut Underway<'_>) -> Result<(), ExecuteError> {
        let Driven { case, outcome, answers } = driven;
        let (json, content) = case.content();
        underway.content.update(content.as_str().as_bytes());
        match &outcome {
            Outcome::NotReached => return Ok(()),
            Outcome::Judged(judgment) => {
                underway.counts.judged += 1;
                underway.summary.add(&case, judgment);
                for flag in &judgment.flags {
                    *underway.flags.entry(flag.clone()).or_default() += 1;
                }
            }
            Outcome::Failed(failed) => {
                underway.counts.failed += 1;
                underway.summary.add_unjudged(&case, CaseStatus::Failed);
                *underway.failures.entry(failed.kind.name().to_owned()).or_default() += 1;
            }
            Outcome::Skipped { .. } => {
                underway.counts.skipped += 1;
                underway.summary.add_unjudged(&case, CaseStatus::Skipped);
            }
        }
        let headline = outcome.judgment().and_then(|judgment| judgment.value(&self.judge.spec().headline));
        let Some(line) = ResultLine::of(&case, outcome, answers) else { return Ok(()) };
        let text = serde_json::to_string(&line).expect("a line has text keys only, so it has a JSON form");
        if let Some(results) = &mut underway.results {
            writeln!(results, "{text}").map_err(ExecuteError::Results)?;
        }
        let position = underway.position;
        let result = NewResult {
            position,
            case_id: case.id.clone(),
            model: case.model.to_string(),
            status: line.status,
            content: content.to_string(),
            case: json,
            line: text,
        };
        underway.store.add_result(&underway.run, result)?;
        underway.position += 1;
        if let Some(stretch) = underway.gathering.add(&case, &line) {
            underway.store.add_stretch(&underway.run, stretch)?;
        }
        (underway.listener)(&Event::Finished(FinishedCase { position, line: &line, headline }));
        Ok(())
    }

    fn empty_document(&self, run: &str, started: jiff::Timestamp) -> RunDocument {
        let names: Vec<&str> = self.jurors.iter().map(|(name, _)| name.as_str()).collect();
        let offline = self.jurors.iter().all(|(_, juror)| matches!(juror, Juror::Rules));
        let model = if let [name] = names.as_slice() { json!(name) } else { json!(names) };
        let embedder = self.embedder.as_ref().map(|embedder| embedder.fingerprint());
        let fingerprint = Fingerprint::of(&(&self.judge.spec().fingerprint, &model, &self.suite.parameters, embedder));
        RunDocument {
            schema: RUN_SCHEMA.into(),
            run_id: run.into(),
            suite: self.suite.name.clone(),
            judge: JudgeHead {
                judge_use: self.suite.judge_use.value.clone(),
                system: self.system.name().to_owned(),
                side_by_side: self.judge.spec().side_by_side,
                model,
                embedder: self.embedder.as_ref().map(|_| self.suite.embedder.value.to_string()),
                fingerprint: fingerprint.to_string(),
                profile: self.profile.clone(),
                settings: self.suite.settings.as_ref().map_or(Value::Null, Node::to_value),
                calibration: if offline { Calibration::Rules } else { Calibration::Uncalibrated },
                headline: self.judge.spec().headline.clone(),
                metrics: self.judge.spec().metrics.clone(),
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

    fn finish(
        &self,
        document: &mut RunDocument,
        underway: Underway<'_>,
        usage: UsageTotals,
        stopped: Option<StopReason>,
    ) {
        let summary = underway.summary.finish();
        document.cases = underway.counts;
        document.failures = underway.failures;
        document.flags = underway.flags;
        document.flags.sort_by(|a, x, b, y| y.cmp(x).then(a.cmp(b)));
        document.models = summary.models;
        document.sections = summary.sections;
        document.usage = UsageTotals { saved_calls: summary.saved_calls, ..usage };
        document.gate = gate::report(&self.suite.gate, &document.models);
        document.status = match stopped {
            // Stopped when everything was done already is not stopped.
            _ if document.cases.reached() == document.cases.total => RunStatus::Complete,
            Some(StopReason::OverBudget) => RunStatus::OverBudget,
            Some(StopReason::Hopeless(_)) => RunStatus::Stopped,
            Some(StopReason::Interrupted) | None => RunStatus::Interrupted,
        };
    }
}

/// Reads cases on a thread of their own, as far ahead as they are needed, until the run is stopped.
fn read_ahead(
    cases: impl Iterator<Item = Result<Case, Vec<Problem>>> + Send + 'static,
    control: Control,
) -> tokio::sync::mpsc::Receiver<Result<Case, Vec<Problem>>> {
    let (sender, receiver) = tokio::sync::mpsc::channel(64);
    tokio::task::spawn_blocking(move || {
        for case in cases {
            if control.stopped().is_some() || sender.blocking_send(case).is_err() {
                return;
            }
        }
    });
    receiver
}
