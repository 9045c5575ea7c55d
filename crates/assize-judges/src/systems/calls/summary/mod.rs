//! From judgments to scorecards: pooled figures, task scores, blockers with their cases, the final score, cost and rank.
//!
//! Rates pool their numerators and denominators over a model's cases, judged scores are means, and a task score is
//! composed from the pooled figures. `sums` keeps what that needs in bounded memory, `finals` weighs the tasks and ranks the
//! models by cost.

mod finals;
mod model;
mod sums;

use super::call::Call;
use super::score::{self, Readings};
use super::settings::Settings;
use super::table::table;
use super::tasks::Findings;
use assize_core::table::SECTION;
use assize_core::{Case, CaseStatus, ExtraSummary, Judgment, Parsed, Summary};
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

    fn add_unjudged(&mut self, case: &Case, status: CaseStatus) {
        if status != CaseStatus::Failed {
            return;
        }
        let parsed = Parsed::default();
        if let Ok(call) = Call::read(case, &parsed, &self.settings) {
            let known = score::judgment(&call, &Findings::of(&call, &self.settings), &self.settings, &Readings::NONE);
            self.models.entry(case.model.to_string()).or_default().add_failed(case, &known);
        }
    }

    fn complete(self: Box<Self>, summary: &mut Summary) {
        let mut scores = BTreeMap::new();
        for (name, model) in &self.models {
            let (card, of_sections) = model.scorecard(&self.settings);
            summary.models.insert(name.clone(), card);
            scores.insert(name.clone(), (of_sections, model.cost(name, &self.settings)));
        }
        finals::add(&mut summary.models, &scores, &self.settings);
        let table = serde_json::to_value(table(summary)).expect("a table has text keys only");
        summary.sections.insert(SECTION.into(), table);
    }
}
