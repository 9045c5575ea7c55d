//! Answers: from a record, from the store, or from a model, in one place.
//!
//! This is the only part of a run that touches the world. Whatever comes from a model is on disk before it is handed on;
//! whatever is on disk is not asked again.

mod budget;
mod embedding;
mod gate;
mod in_flight;
mod usage;
mod vectors;

pub(crate) use embedding::{EMBEDDINGS, RunEmbedder};
pub(crate) use vectors::text_key;

use crate::control::Control;
use crate::event::{Event, Listener, StopReason};
use crate::records::{CachePolicy, UsageTotals};
use crate::store::{Keep, Store, StoreError};
use assize_core::{Answer, Case, Failure, Fingerprint, OpenCase, Question};
use assize_llm::{ModelClient, ReplayClient};
use budget::Budget;
use gate::RunGate;
use in_flight::InFlight;
use std::sync::Arc;
use tokio::sync::{Mutex, Semaphore};
use usage::UsageCounter;

/// Who judges beside the judge's code.
#[derive(Clone)]
pub enum Juror {
    /// The judge's own rules.
    Rules,
    /// Somebody who answers questions.
    Reader(Reader),
}

/// Who answers questions.
#[derive(Clone)]
pub enum Reader {
    /// A file of recorded answers.
    Replay(Arc<ReplayClient>),
    /// A model.
    Model(Arc<ModelClient>),
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// It was tried.
    Failed(Failure),
    /// The run was stopped before it was asked.
    NotAsked,
    /// The store gave up: nothing more can be kept, so nothing more may be asked.
    Store(StoreError),
}

/// Gets answers for a run.
pub(crate) struct Answering {
    store: Store,
    policy: CachePolicy,
    permits: Semaphore,
    /// Held while a model on this machine works.
    local_model: Mutex<()>,
    budget: Budget,
    in_flight: InFlight,
    usage: UsageCounter,
    control: Control,
    listener: Listener,
}

impl Answering {
    pub(crate) fn new(
        store: Store,
        policy: CachePolicy,
        concurrency: usize,
        max_cost: Option<f64>,
        control: Control,
        listener: Listener,
    ) -> Self {
        Self {
            store,
            policy,
            permits: Semaphore::new(concurrency.max(1)),
            local_model: Mutex::new(()),
            budget: Budget::new(max_cost),
            in_flight: InFlight::default(),
            usage: UsageCounter::default(),
            control,
            listener,
        }
    }

    pub(crate) fn usage(&self) -> UsageTotals {
        self.usage.totals()
    }

    /// Waits while the run is paused. What needs no asking is answered also after a stop, so that cases under way come to their
    /// end.
    pub(crate) async fn go_ahead(&self) {
        self.control.go_ahead().await;
    }

    /// Answers a question about a case; while the run is paused, it waits with that.
    pub(crate) async fn answer(
        &self,
        reader: &Reader,
        open: &dyn OpenCase,
        case: &Case,
        question: &Question,
    ) -> Result<Answer, Unanswered> {
        self.go_ahead().await;
        match reader {
            Reader::Replay(client) => self.replay(client, open, case, question).await,
            Reader::Model(client) => self.ask(client, open, question).await,
        }
    }

    async fn replay(
        &self,
        client: &ReplayClient,
        open: &dyn OpenCase,
        case: &Case,
        question: &Question,
    ) -> Result<Answer, Unanswered> {
        let answer = client
            .answer(case, question, &|value| open.violations(&question.name, value))
            .map_err(Unanswered::Failed)?;
        self.usage.found();
        self.keep(&answer, question, Keep::ForThisRun).await?;
        Ok(answer)
    }

    async fn ask(&self, client: &ModelClient, open: &dyn OpenCase, question: &Question) -> Result<Answer, Unanswered> {
        let key = client.key(question);
        // Held until the answer is in the store, so that whoever comes next with the same question finds it there.
        let _turn = match self.policy {
            CachePolicy::Use => {
                let turn = self.in_flight.turn(&key).await;
                if let Some(answer) = self.find(&key)? {
                    return Ok(answer);
                }
                Some(turn)
            }
            CachePolicy::Refresh | CachePolicy::Ignore => None,
        };
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await.map_err(|_| Unanswered::NotAsked)?;
        // The last look before money is spent: the wait for a place may have been long.
        if !self.control.go_ahead().await {
            return Err(Unanswered::NotAsked);
        }
        // Another process may have had it answered in the meantime.
        if self.policy == CachePolicy::Use
            && let Some(answer) = self.find(&key)?
        {
            return Ok(answer);
        }
        let gate = RunGate::new(self);
        let asked = client.ask_through(question, &|value| open.violations(&question.name, value), &gate).await;
        self.usage.asked(&asked.spent);
        // An answer that came is kept, whatever became of the run.
        if gate.gave_up() && asked.outcome.is_err() {
            return Err(Unanswered::NotAsked);
        }
        let (cost_usd, retries) = (asked.spent.cost_usd, asked.spent.retries);
        (self.listener)(&Event::Answered { cached: false, cost_usd, retries });
        match asked.outcome {
            Ok(answer) => {
                let keep = if self.policy == CachePolicy::Ignore { Keep::ForThisRun } else { Keep::AsCurrent };
                self.keep(&answer, question, keep).await?;
                Ok(answer)
            }
            Err(failure) => Err(self.failed(failure)),
        }
    }

    /// The answer that is in the store.
    fn find(&self, key: &Fingerprint) -> Result<Option<Answer>, Unanswered> {
        let found = self.store.find_answer(key).map_err(Unanswered::Store)?;
        if found.is_some() {
            self.usage.found();
            (self.listener)(&Event::Answered { cached: true, cost_usd: Some(0.0), retries: 0 });
        }
        Ok(found)
    }

    /// Takes note of a failure: one that every further question would meet ends the run.
    fn failed(&self, failure: Failure) -> Unanswered {
        if failure.kind.ends_the_run() {
            self.end(StopReason::Hopeless(failure.message.clone()));
        }
        Unanswered::Failed(failure)
    }

    async fn keep(&self, answer: &Answer, question: &Question, keep: Keep) -> Result<(), Unanswered> {
        self.store.keep_answer(answer, question, keep).await.map_err(Unanswered::Store)
    }

    fn end(&self, reason: StopReason) {
        if self.control.stop(reason.clone()) {
            (self.listener)(&Event::Stopping(reason));
        }
    }
}
