//! Whether the gate holds.

use crate::records::{GateLimit, GateOutcome, GateReport};
use assize_core::suite::GateCheck;
use assize_core::{Bounds, Scorecard};
use indexmap::IndexMap;

/// Every check for every model. With no model judged, no check holds.
pub(super) fn report(checks: &[GateCheck], models: &IndexMap<String, Scorecard>) -> GateReport {
    let outcomes: Vec<GateOutcome> = checks
        .iter()
        .flat_map(|check| {
            models.iter().map(move |(model, card)| {
                let metric = card.metrics.get(&check.metric);
                let (value, bounds) = if check.metric == GateCheck::BLOCKERS {
                    (Some(card.blockers.len() as f64), None)
                } else {
                    (metric.and_then(|metric| metric.value), metric.and_then(|metric| metric.bounds))
                };
                // An undecided figure holds a check only if it holds it however it is decided.
                let certain = bounds.is_some_and(|Bounds(worst, best)| {
                    value.is_none() && check.holds(Some(worst)) && check.holds(Some(best))
                });
                GateOutcome {
                    check: check.to_string(),
                    limit: Some(GateLimit::from(check)),
                    model: model.clone(),
                    value,
                    bounds,
                    passed: check.holds(value) || certain,
                }
            })
        })
        .collect();
    let nothing_judged = !checks.is_empty() && models.is_empty();
    GateReport { passed: !nothing_judged && outcomes.iter().all(|outcome| outcome.passed), checks: outcomes }
}
