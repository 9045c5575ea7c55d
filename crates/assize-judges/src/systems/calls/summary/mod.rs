//! From judgments to scorecards: pooled figures, task scores, blockers with their cases, the final score, cost and rank.
//!
//! Rates pool their numerators and denominators over a model's cases, judged scores are means, and a task score is
//! composed from the pooled figures. `sums` keeps what that needs in bounded memory, `finals` weighs the tasks and ranks the
//! models by cost.

mod finals;
mod model;
mod sums;

use super::settings::Settings;
use super::table::table;
use assize_core::table::SECTION;
use assize_core::{Case, ExtraSummary, Judgment, Summary};
use model::ModelSummary;
use std::collections::BTreeMap;

struct CallsSummary {
    settings: Settings,
    models: BTreeMap<String, ModelSummary>,
}

pub(super) fn new(settings: &Settings) -> Box<dyn ExtraSummary> {
    Box::new(CallsSummary { settings: settings.clone(), models: BTreeMap::new() })
}

impl ExtraSummary for CallsSummary {
    fn add(&mut self, case: &Case, judgment: &Judgment) {
        self.models.entry(case.model.to_string()).or_default().add(case, judgment);
    }

    fn complete(self: Box<Self>, summary: &mut Summary) {
        for (name, model) in &self.models {
            summary.models.insert(name.clone(), model.scorecard(&self.settings));
        }
        let costs = self.models.iter().map(|(name, model)| (name.clone(), model.cost(name, &self.settings))).collect();
        finals::add(&mut summary.models, &costs, &self.settings);
        let table = serde_json::to_value(table(summary)).expect("a table has text keys only");
        summary.sections.insert(SECTION.into(), table);
    }
}
