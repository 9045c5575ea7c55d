//! What a run has used so far.

use crate::records::UsageTotals;
use assize_llm::Spent;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(super) struct UsageCounter(Mutex<UsageTotals>);

impl UsageCounter {
    /// An answer was there already.
    pub(super) fn found(&self) {
        let mut totals = self.lock();
        totals.questions += 1;
        totals.cached += 1;
    }

    /// A model was asked.
    pub(super) fn asked(&self, spent: &Spent) {
        let mut totals = self.lock();
        totals.questions += 1;
        add(&mut totals, spent);
    }

    /// Vectors of so many texts were there already.
    pub(super) fn found_texts(&self, texts: usize) {
        self.lock().texts_cached += texts as u64;
    }

    /// A model was asked for vectors, and gave those of so many texts.
    pub(super) fn embedded(&self, texts: usize, spent: &Spent) {
        let mut totals = self.lock();
        totals.texts_embedded += texts as u64;
        add(&mut totals, spent);
    }

    pub(super) fn totals(&self) -> UsageTotals {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, UsageTotals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(totals: &mut UsageTotals, spent: &Spent) {
    totals.calls += u64::from(spent.calls);
    totals.retries += u64::from(spent.retries);
    totals.input_tokens += spent.usage.input_tokens;
    totals.cached_input_tokens += spent.usage.cached_input_tokens;
    totals.output_tokens += spent.usage.output_tokens;
    totals.cost_usd = totals.cost_usd.zip(spent.cost_usd).map(|(so_far, now)| so_far + now);
}
