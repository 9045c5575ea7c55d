//! The figures of a criteria judge: means of the criteria, pooled error rates, and the share of each verdict.

use super::spec::CriteriaSpec;
use assize_core::MetricSpec;

/// The figures of a criteria judge, in order: the composite first.
pub(super) fn metrics(spec: &CriteriaSpec) -> Vec<MetricSpec> {
    let mut metrics = vec![MetricSpec::mean(&spec.composite.name, &spec.composite.about)];
    metrics.extend(spec.criteria.iter().map(|criterion| MetricSpec::mean(&criterion.name, &criterion.about)));
    metrics.extend(spec.verdicts.iter().map(|rule| MetricSpec::share(&rule.verdict)));
    metrics.extend(spec.measures.iter().flat_map(super::measure::Measure::metrics));
    metrics
}
