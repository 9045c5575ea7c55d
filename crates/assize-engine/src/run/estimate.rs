//! What a run would ask and cost, with nothing asked.

use super::Prepared;
use crate::answering::{Juror, Reader, RunEmbedder, text_key};
use crate::records::CachePolicy;
use crate::store::{Store, StoreError};
use assize_core::{Answers, Fingerprint, OpenCase, Parsed, Question, Step, Unsent};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// What a run would ask.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Estimate {
    /// Cases.
    pub cases: u32,
    /// Questions in the first round; a judge may ask more once it has seen the answers.
    pub questions: u64,
    /// Of these, those whose answer is in the store.
    pub cached: u64,
    /// Texts to embed for likeness in embedder; none where the embedder is `lexical`.
    pub texts: u64,
    /// Of these, those whose vector is in the store.
    pub cached_texts: u64,
    /// Tokens that would be sent, by estimate.
    pub input_tokens: u64,
    /// US dollars for what would be sent and a typical reply, by estimate; `None` where a price is not known.
    pub cost_usd: Option<f64>,
    /// What of the judge's files no model is told, and why.
    pub not_sent: Vec<Unsent>,
    /// The first question, to look at.
    pub first: Option<Question>,
}

impl Prepared {
    /// What executing this would ask.
    pub fn estimate(&self, store: Option<&Store>) -> Result<Estimate, StoreError> {
        let not_sent = self.judge.spec().unsent.clone();
        let mut estimate = Estimate { cost_usd: Some(0.0), not_sent, ..Estimate::default() };
        let store = store.filter(|_| self.options.cache() == CachePolicy::Use);
        let mut seen = HashSet::new();
        for case in self.selected().flatten() {
            estimate.cases += 1;
            let parsed = Parsed::default();
            let Ok(open) = self.judge.open(&case, &parsed) else { continue };
            if let Some(embedder) = &self.embedder {
                self.estimate_texts(embedder, &*open, store, &mut seen, &mut estimate)?;
            }
            let Step::Ask(names) = open.step(&Answers::none()) else { continue };
            let questions: Vec<Question> = names.iter().map(|name| open.question(name)).collect();
            for question in &questions {
                for (_, juror) in &self.jurors {
                    let Juror::Reader(Reader::Model(client)) = juror else { continue };
                    estimate.questions += 1;
                    let known = match store {
                        Some(store) => store.find_answer(&client.key(question))?.is_some(),
                        None => false,
                    };
                    if known {
                        estimate.cached += 1;
                        continue;
                    }
                    let expected = client.estimate(question);
                    estimate.add(expected.input_tokens, expected.cost_usd);
                }
            }
            if estimate.first.is_none() {
                estimate.first = questions.into_iter().next();
            }
        }
        Ok(estimate)
    }

    /// Adds the texts a case has embedded.
    fn estimate_texts(
        &self,
        embedder: &RunEmbedder,
        open: &dyn OpenCase,
        store: Option<&Store>,
        seen: &mut HashSet<Fingerprint>,
        estimate: &mut Estimate,
    ) -> Result<(), StoreError> {
        let texts = embedder.texts(open);
        let keyed = texts.iter().map(|text| (text_key(text), text.as_str()));
        // Where nothing is looked up, what two cases share is embedded for each of them.
        let again = self.options.cache() != CachePolicy::Use;
        let new: Vec<(Fingerprint, &str)> = keyed.filter(|(key, _)| seen.insert(key.clone()) || again).collect();
        let keys: Vec<&Fingerprint> = new.iter().map(|(key, _)| key).collect();
        let known = match store {
            Some(store) => store.find_vectors(&embedder.fingerprint(), &keys)?,
            None => HashMap::new(),
        };
        estimate.texts += new.len() as u64;
        estimate.cached_texts += known.len() as u64;
        let open: Vec<&str> = new.iter().filter(|(key, _)| !known.contains_key(key)).map(|(_, text)| *text).collect();
        let expected = embedder.estimate(&open);
        estimate.add(expected.input_tokens, expected.cost_usd);
        Ok(())
    }
}

impl Estimate {
    fn add(&mut self, input_tokens: u64, cost_usd: Option<f64>) {
        self.input_tokens += input_tokens;
        self.cost_usd = self.cost_usd.zip(cost_usd).map(|(so_far, more)| so_far + more);
    }
}
