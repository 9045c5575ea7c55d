//! Whether the gate holds.

use crate::records::{GateLimit, GateOutcome, GateReport};
use assize_core::Scorecard;
use assize_core::suite::GateCheck;
use indexmap::IndexMap;

/// Every check for every model. With no model judged, no check holds.
pub(super) fn report(checks: &[GateCheck], models: &IndexMap<String, Scorecard>) -> GateReport {
    let outcomes: Vec<GateOutcome> = checks
        .iter()
        .flat_map(|check| {
            models.iter().map(move |(model, card)| {
                let value = if check.metric == GateCheck::BLOCKERS {
                    Some(card.blockers.len() as f64)
                } else {
                    card.metrics.get(&check.metric).and_then(|metric| metric.value)
                };
                GateOutcome {
                    check: check.to_string(),
                    limit: Some(GateLimit::from(check)),
                    model: model.clone(),
                    value,
                    passed: check.holds(value),
                }
            })
        })
        .collect();
    let nothing_judged = !checks.is_empty() && models.is_empty();
    GateReport { passed: !nothing_judged && outcomes.iter().all(|outcome| outcome.passed), checks: outcomes }
}
