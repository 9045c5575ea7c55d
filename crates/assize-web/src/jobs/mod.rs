//! Runs under way: those this server has started, and what can be done with them.
//!
//! A run goes on whoever watches, and ends only by itself, by somebody's word, or with the server; then it is
//! interrupted, what is under way is finished and kept, and the server waits for that.

mod feed;
mod job;
mod progress;

pub(super) use feed::Numbered;
pub(super) use job::Job;
pub(super) use progress::{JobState, Progress, RecentCase};

use super::failure::Failure;
use assize_engine::event::{Event, Listener};
use assize_engine::records::{RunDocument, RunStatus};
use assize_engine::run::{Execution, Ready};
use assize_engine::store::Store;
use indexmap::IndexMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinError;

/// As many runs at a time as one server runs.
const MOST_RUNNING: usize = 16;

/// As many ended runs as are remembered; of older ones the store knows everything that matters.
const MOST_ENDED: usize = 32;

/// The runs of this server; clones are the same.
#[derive(Clone, Default)]
pub(super) struct Jobs(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// By run id, in the order in which they began.
    jobs: Mutex<IndexMap<String, Arc<Job>>>,
    closing: AtomicBool,
    /// How many pieces of work are under way that the server waits for when it ends.
    under_way: watch::Sender<usize>,
}

/// A piece of work that the server waits for.
struct Work(Jobs);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.0.under_way.send_modify(|count| *count -= 1);
    }
}

impl Jobs {
    /// Starts a run. Gives its id as soon as it is on record.
    pub(super) async fn start(&self, store: Store, ready: Ready) -> Result<String, Failure> {
        let work = self.begin()?;
        if self.jobs().values().filter(|job| !job.has_ended()).count() >= MOST_RUNNING {
            let message = format!("{MOST_RUNNING} runs are under way, which is as many as this server runs at a time.");
            return Err(Failure::conflict(message).with_way_on("Wait for one of them to end, or cancel one."));
        }
        let job = Arc::new(Job::new(&ready));
        let (began, begun) = oneshot::channel();
        let began = Arc::new(Mutex::new(Some(began)));
        let execution =
            Execution { store, control: job.control().clone(), listener: self.listener(&job, &began), results: None };
        tokio::spawn(async move {
            let _work = work;
            let executed = tokio::spawn(ready.execute(execution));
            let (outcome, ()) = tokio::join!(
                async {
                    let outcome = ending(executed.await);
                    job.end(outcome.0, outcome.1.clone());
                    outcome
                },
                job.tell()
            );
            // Still there only if the run came to its end before it began.
            if let Some(began) = taken(&began) {
                let _ = began.send(Err(outcome.1.unwrap_or_default()));
            }
        });
        match begun.await {
            Ok(Ok(run)) => Ok(run),
            Ok(Err(why)) => Err(Failure::broken(format!("The run could not be started: {why}"))),
            Err(_) => Err(Failure::broken("The run could not be started.")),
        }
    }

    /// Hears the run's events. The run is known here from the moment it is on record, whoever asked for it.
    fn listener(&self, job: &Arc<Job>, began: &Arc<Mutex<Option<Began>>>) -> Listener {
        let (jobs, job, began) = (self.clone(), job.clone(), began.clone());
        Arc::new(move |event| {
            job.hear(event);
            if let Event::Started { run, .. } = event {
                jobs.add(run, job.clone());
                if let Some(began) = taken(&began) {
                    // Whoever asked may have gone away; the run goes on.
                    let _ = began.send(Ok(run.to_string()));
                }
            }
        })
    }

    fn add(&self, run: &str, job: Arc<Job>) {
        let mut jobs = self.jobs();
        let ended: Vec<String> = jobs.iter().filter(|(_, job)| job.has_ended()).map(|(run, _)| run.clone()).collect();
        for run in ended.iter().take(ended.len().saturating_sub(MOST_ENDED - 1)) {
            jobs.shift_remove(run);
        }
        jobs.insert(run.to_owned(), job.clone());
        drop(jobs);
        if self.is_closing() {
            job.cancel();
        }
    }

    /// The run of an id, if this server runs it or has run it lately.
    pub(super) fn get(&self, run: &str) -> Option<Arc<Job>> {
        self.jobs().get(run).cloned()
    }

    /// Pauses a run.
    pub(super) fn pause(&self, run: &str) -> Result<Progress, Failure> {
        self.control(run, Job::pause, "It cannot be paused")
    }

    /// Lets a paused run go on.
    pub(super) fn resume(&self, run: &str) -> Result<Progress, Failure> {
        self.control(run, Job::resume, "The run is not paused")
    }

    /// Ends a run after what is under way.
    pub(super) fn cancel(&self, run: &str) -> Result<Progress, Failure> {
        self.control(run, Job::cancel, "It cannot be cancelled")
    }

    fn control(&self, run: &str, change: fn(&Job) -> bool, cannot: &str) -> Result<Progress, Failure> {
        let Some(job) = self.get(run) else {
            let message = format!("{cannot}: this server does not run {run}.");
            return Err(
                Failure::conflict(message).with_way_on("Only runs that were started from here can be controlled.")
            );
        };
        if change(&job) {
            return Ok(job.progress());
        }
        let state = match job.progress().state {
            JobState::Running => "it is running",
            JobState::Paused => "it is paused already",
            JobState::Stopping => "it is stopping already",
            JobState::Ended | JobState::Unattended => "it has ended",
        };
        Err(Failure::conflict(format!("{cannot}: {state}.")))
    }

    /// Does work that goes on if whoever asked for it goes away, and that the server waits for.
    pub(super) async fn complete<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Failure> {
        let guard = self.begin()?;
        let done = tokio::spawn(async move {
            let _work = guard;
            work.await
        });
        match done.await {
            Ok(done) => Ok(done),
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }

    fn begin(&self) -> Result<Work, Failure> {
        self.0.under_way.send_modify(|count| *count += 1);
        let work = Work(self.clone());
        if self.is_closing() { Err(Failure::ending()) } else { Ok(work) }
    }

    /// Starts nothing more, and interrupts what runs. Says whether there is something to wait for.
    pub(super) fn close(&self) -> bool {
        self.0.closing.store(true, Ordering::SeqCst);
        self.jobs().values().for_each(|job| _ = job.cancel());
        *self.0.under_way.borrow() > 0
    }

    /// Returns once everything that was under way is finished and kept.
    pub(super) async fn finished(&self) {
        // The sender is `self`, so it cannot be gone.
        let _ = self.0.under_way.subscribe().wait_for(|count| *count == 0).await;
    }

    fn is_closing(&self) -> bool {
        self.0.closing.load(Ordering::SeqCst)
    }

    fn jobs(&self) -> MutexGuard<'_, IndexMap<String, Arc<Job>>> {
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells whoever asked for a run that it is on record, or why it is not.
type Began = oneshot::Sender<Result<String, String>>;

fn taken(began: &Mutex<Option<Began>>) -> Option<Began> {
    began.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// How a run ended, and what there is to say of it.
fn ending(
    executed: Result<Result<RunDocument, assize_engine::run::ExecuteError>, JoinError>,
) -> (RunStatus, Option<String>) {
    match executed {
        Ok(Ok(document)) => (document.status, None),
        Ok(Err(error)) => (RunStatus::Interrupted, Some(error.to_string())),
        Err(_) => (RunStatus::Interrupted, Some("a defect in Assize ended it; every answer so far is kept".to_owned())),
    }
}
