//! The figures of a criteria judge: means of the criteria, pooled error rates, and the share of each verdict.

use super::condition::Condition;
use super::score::CONTRADICTIONS;
use super::spec::{CriteriaSpec, VerdictRule};
use assize_core::MetricSpec;
use std::collections::BTreeSet;

/// The figures of a criteria judge, in order: the composite first.
pub(super) fn metrics(spec: &CriteriaSpec) -> Vec<MetricSpec> {
    let mut metrics = vec![MetricSpec::mean(&spec.composite.name, &spec.composite.about)];
    metrics.extend(spec.criteria.iter().map(|criterion| MetricSpec::mean(&criterion.name, &criterion.about)));
    metrics.extend((0..spec.verdicts.len()).map(|position| verdict_rate(&spec.verdicts, position)));
    metrics.extend(spec.measures.iter().flat_map(super::measure::Measure::metrics));
    if !spec.measures.is_empty() {
        metrics.push(MetricSpec::count(CONTRADICTIONS, "scores of the model that code refutes").lower_is_better());
    }
    metrics
}

/// The share of a verdict. If the first asks for high figures, more of it is better and less of the last; between them, and
/// where the first does not tell, neither is.
fn verdict_rate(verdicts: &[VerdictRule], position: usize) -> MetricSpec {
    let rate = MetricSpec::share(&verdicts[position].verdict);
    let leanings: BTreeSet<Option<bool>> = verdicts[0].when.iter().map(Condition::asks_for_more).collect();
    let first_is_best = match Vec::from_iter(leanings).as_slice() {
        [Some(more)] => *more,
        _ => return rate.neutral(),
    };
    match position {
        0 if first_is_best => rate,
        0 => rate.lower_is_better(),
        _ if position + 1 < verdicts.len() => rate.neutral(),
        _ if first_is_best => rate.lower_is_better(),
        _ => rate,
    }
}
