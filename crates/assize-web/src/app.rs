//! What every request can reach: the store, the served folder, and who may change things.

use super::failure::Failure;
use super::jobs::{Jobs, Progress};
use super::rubrics::Memory;
use super::served::Served;
use super::sessions::Sessions;
use super::whatif::CaseSets;
use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// As many suites are read through at a time.
const CHECKS: usize = 2;

/// The server's state; clones are the same.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    served: Served,
    address: SocketAddr,
    /// Who has it may do everything: programs send it as a bearer token, and people can sign in with it.
    secret: String,
    /// Who is signed in.
    sessions: Sessions,
    /// Is told the link for the next sign-in whenever the one before was used.
    next_link: Box<dyn Fn(&str) + Send + Sync>,
    /// What is wrong with the rubric files of the folder, as far as that was looked up.
    looked_over: Memory,
    /// The cases that other settings were tried on last.
    case_sets: CaseSets,
    /// Runs under way.
    jobs: Jobs,
    /// Reading through a suite takes a processor: a few at a time are enough.
    checks: Arc<Semaphore>,
}

impl App {
    /// The state of a server at an address.
    pub fn new(
        served: Served,
        address: SocketAddr,
        secret: String,
        next_link: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Inner {
            case_sets: CaseSets::of(served.clone()),
            served,
            address,
            secret,
            sessions: Sessions::new(),
            next_link: Box::new(next_link),
            looked_over: Memory::default(),
            jobs: Jobs::default(),
            checks: Arc::new(Semaphore::new(CHECKS)),
        }))
    }

    /// What is wrong with rubric files.
    pub(super) fn looked_over(&self) -> &Memory {
        &self.0.looked_over
    }

    /// The cases that other settings were tried on last.
    pub(super) fn case_sets(&self) -> &CaseSets {
        &self.0.case_sets
    }

    /// Where it listens.
    pub(super) fn address(&self) -> SocketAddr {
        self.0.address
    }

    /// The secret.
    pub(super) fn secret(&self) -> &str {
        &self.0.secret
    }

    /// Who is signed in.
    pub(super) fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    /// The link that signs somebody in, once.
    pub fn sign_in_link(&self) -> String {
        format!("http://{}/?code={}", self.0.address, self.0.sessions.code())
    }

    /// Signs somebody in who has the code of that link.
    pub(super) fn sign_in_with(&self, code: &str) -> Option<String> {
        let session = self.0.sessions.begin_with(code)?;
        (self.0.next_link)(&self.sign_in_link());
        Some(session)
    }

    /// Runs under way.
    pub(super) fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }

    /// Starts nothing more, and interrupts the runs under way. Says whether there is something to wait for.
    pub fn close(&self) -> bool {
        self.jobs().close()
    }

    /// Does work that reads through a whole suite, a few at a time.
    pub(super) async fn check<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        // The semaphore is never closed.
        let permit = self.0.checks.clone().acquire_owned().await.map_err(|_| Failure::ending())?;
        // Whoever asked may go away; the work goes on to its end, and keeps its place until then.
        self.blocking(move |app| {
            let _permit = permit;
            work(app)
        })
        .await
    }

    /// Does work that waits for the disk, away from the tasks that answer requests.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let app = self.clone();
        match tokio::task::spawn_blocking(move || work(&app)).await {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }

    /// How a run is getting on, from this server or from its record.
    pub(super) fn progress(&self, id: &str) -> Result<Progress, Failure> {
        let head = self.find_run(id)?;
        if let Some(job) = self.jobs().get(&head.id) {
            return Ok(job.progress());
        }
        let document = self.run_document(&head.id)?;
        let max_cost = self.store().run_request(&head.id)?.and_then(|request| request.max_cost);
        Ok(Progress::of_record(&document, self.store().results_so_far(&head.id)?, max_cost))
    }
}

/// Whoever has the server has what it serves.
impl Deref for App {
    type Target = Served;

    fn deref(&self) -> &Served {
        &self.0.served
    }
}
