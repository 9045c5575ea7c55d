//! Judging a few cases without making a run of it: what a rubric still being written would say.
//!
//! Answers are kept like those of a run, so that nothing is paid twice; nothing else is.

use super::drive::drive;
use super::{ExecuteError, Ready};
use crate::answering::{Answering, Juror};
use crate::control::Control;
use crate::event::StopReason;
use crate::records::{ResultLine, UsageTotals};
use crate::store::Store;
use assize_core::{Outcome, Summary};
use assize_judges::summary::summary_of;
use futures_util::StreamExt;
use std::sync::Arc;

/// What a trial came to.
#[derive(Debug)]
pub struct Trial {
    /// A line for every case that was reached, in the order of the cases.
    pub lines: Vec<ResultLine>,
    /// The scorecards.
    pub summary: Summary,
    /// What was used.
    pub usage: UsageTotals,
    /// Why it ended before its last case, if it did.
    pub stopped: Option<StopReason>,
}

impl Ready {
    /// Judges every case and records no run.
    pub async fn try_out(&self, store: &Store) -> Result<Trial, ExecuteError> {
        let control = Control::default();
        let concurrency = self.options.concurrency();
        let answering = Arc::new(Answering::new(
            store.clone(),
            self.options.cache(),
            concurrency,
            self.options.max_cost(),
            control.clone(),
            Arc::new(|_| {}),
        ));
        let jurors: Arc<[(String, Juror)]> = self.jurors.clone().into();
        let driven = futures_util::stream::iter(self.selected()).map(|case| {
            let (judge, jurors, answering) = (self.judge.clone(), jurors.clone(), answering.clone());
            let embedder = self.embedder.clone();
            async move {
                let case = case.map_err(ExecuteError::CasesChanged)?;
                drive(judge, jurors, answering, embedder, case).await.map_err(ExecuteError::Store)
            }
        });
        let mut driven = std::pin::pin!(driven.buffered(concurrency));
        let (mut lines, mut summary) = (Vec::new(), summary_of(&*self.judge));
        while let Some(driven) = driven.next().await {
            let driven = driven?;
            match (&driven.outcome, driven.outcome.status()) {
                (Outcome::Judged(judgment), _) => summary.add(&driven.case, judgment),
                (_, Some(status)) => summary.add_unjudged(&driven.case, status),
                (_, None) => {}
            }
            lines.extend(ResultLine::of(&driven.case, driven.outcome, driven.answers));
        }
        Ok(Trial { lines, summary: summary.finish(), usage: answering.usage(), stopped: control.stopped() })
    }
}
