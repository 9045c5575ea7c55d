//! What a run would ask and cost, with nothing asked.

use super::Prepared;
use crate::answering::{CachePolicy, Juror};
use crate::store::{Store, StoreError};
use assize_core::{Answers, Question, Step};
use schemars::JsonSchema;
use serde::Serialize;

/// What a run would ask.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Estimate {
    /// Cases.
    pub cases: u32,
    /// Questions in the first round; a judge may ask more once it has seen the answers.
    pub questions: u64,
    /// Of these, those whose answer is in the store.
    pub cached: u64,
    /// Tokens that would be sent, by estimate.
    pub input_tokens: u64,
    /// US dollars for what would be sent and a typical reply, by estimate; `None` where a price is not known.
    pub cost_usd: Option<f64>,
    /// The first question, to look at.
    pub first: Option<Question>,
}

impl Prepared {
    /// What executing this would ask.
    pub fn estimate(&self, store: Option<&Store>) -> Result<Estimate, StoreError> {
        let mut estimate = Estimate { cost_usd: Some(0.0), ..Estimate::default() };
        for case in self.selected().flatten() {
            estimate.cases += 1;
            let Step::Ask(questions) = self.judge.step(&case, &Answers::none()) else { continue };
            for question in &questions {
                for (_, juror) in &self.jurors {
                    let Juror::Model(client) = juror else { continue };
                    estimate.questions += 1;
                    let known = match store {
                        Some(store) if self.options.cache == CachePolicy::Use => {
                            store.find_answer(&client.key(question))?.is_some()
                        }
                        _ => false,
                    };
                    if known {
                        estimate.cached += 1;
                        continue;
                    }
                    let expected = client.estimate(question);
                    estimate.input_tokens += expected.input_tokens;
                    estimate.cost_usd = estimate.cost_usd.zip(expected.cost_usd).map(|(so_far, more)| so_far + more);
                }
            }
            if estimate.first.is_none() {
                estimate.first = questions.into_iter().next();
            }
        }
        Ok(estimate)
    }
}
