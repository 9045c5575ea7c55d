//! From the judgments of many cases to scorecards: what every system needs.
//!
//! A [`Tally`] takes judgments one at a time and keeps, for each model and metric, what the figure and its interval need:
//! rates pool their numerators and denominators, scores are means. Its memory is bounded: up to [`KEPT`] cases the interval is
//! a BCa bootstrap over the cases; beyond that, where the two agree, it is the normal one from running sums.

mod figure;

pub use figure::{Figure, KEPT, share};

use assize_core::{Case, Judgment, MetricSpec, Scorecard, Summary};
use std::collections::BTreeMap;

/// Judgments of many cases, by model.
pub struct Tally {
    metrics: Vec<MetricSpec>,
    models: BTreeMap<String, ModelTally>,
}

/// Judgments of many cases of one model.
#[derive(Default)]
pub struct ModelTally {
    /// Cases judged.
    pub judged: u64,
    /// Cases by verdict.
    pub verdicts: BTreeMap<String, u64>,
    figures: BTreeMap<String, Figure>,
}

impl Tally {
    /// A tally of the given metrics; those that exist only over a run are not looked for in judgments.
    pub fn new(metrics: Vec<MetricSpec>) -> Self {
        Self { metrics, models: BTreeMap::new() }
    }

    /// Adds the judgment of one case.
    pub fn add(&mut self, case: &Case, judgment: &Judgment) {
        let model = self.models.entry(case.model.clone()).or_default();
        model.judged += 1;
        if let Some(verdict) = &judgment.verdict {
            *model.verdicts.entry(verdict.clone()).or_default() += 1;
        }
        for spec in self.metrics.iter().filter(|spec| !spec.run_only) {
            if let Some(metric) = judgment.metrics.get(&spec.name) {
                model.figures.entry(spec.name.clone()).or_default().add(metric);
            }
        }
    }

    /// The scorecards, in the order of the models' names; `complete` adds what only the system itself knows.
    pub fn finish(self, complete: impl Fn(&ModelTally, &mut Scorecard)) -> Summary {
        let mut summary = Summary::default();
        for (name, model) in &self.models {
            let mut card = Scorecard::default();
            for spec in &self.metrics {
                if let Some(figure) = model.figures.get(&spec.name) {
                    card.metrics.insert(spec.name.clone(), figure.finish());
                }
            }
            complete(model, &mut card);
            // What was added last stands where the judge lists it.
            let place = |name: &String| self.metrics.iter().position(|spec| spec.name == *name);
            card.metrics.sort_by_cached_key(|name, _| place(name));
            summary.models.insert(name.clone(), card);
        }
        summary
    }
}
