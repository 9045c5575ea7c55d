//! From judgments to scorecards: means of the criteria, pooled error rates, and the share of each verdict.

use super::judge::CriteriaJudge;
use super::spec::CriteriaSpec;
use crate::summary::{Tally, share};
use assize_core::{Case, Judgment, Method, MetricSpec, Summarise, Summary};

/// The figures of a criteria judge, in order: the composite first.
pub(super) fn metrics(spec: &CriteriaSpec) -> Vec<MetricSpec> {
    let metric = |name: &str, about: &str, run_only| MetricSpec {
        name: name.to_owned(),
        about: about.to_owned(),
        run_only,
        lower_is_better: false,
    };
    let mut metrics = vec![metric(&spec.composite.name, &spec.composite.about, false)];
    metrics.extend(spec.criteria.iter().map(|criterion| metric(&criterion.name, &criterion.about, false)));
    metrics.extend(spec.verdicts.iter().map(|rule| {
        metric(&rate_name(&rule.verdict), &format!("share of the judged cases with the verdict {}", rule.verdict), true)
    }));
    metrics.extend(spec.measures.iter().flat_map(super::measure::Measure::metrics));
    metrics
}

fn rate_name(verdict: &str) -> String {
    format!("{verdict}_rate")
}

struct CriteriaSummary {
    tally: Tally,
    composite: String,
    verdicts: Vec<String>,
}

pub(super) fn new(judge: &CriteriaJudge) -> Box<dyn Summarise> {
    Box::new(CriteriaSummary {
        tally: Tally::new(metrics(&judge.spec)),
        composite: judge.spec.composite.name.clone(),
        verdicts: judge.spec.verdicts.iter().map(|rule| rule.verdict.clone()).collect(),
    })
}

impl Summarise for CriteriaSummary {
    fn add(&mut self, case: &Case, judgment: &Judgment) {
        self.tally.add(case, judgment);
    }

    fn finish(self: Box<Self>) -> Summary {
        let Self { tally, composite, verdicts } = *self;
        tally.finish(|model, card| {
            let method = card.metrics.get(&composite).map_or(Method::Code, |metric| metric.method);
            for verdict in &verdicts {
                // Out of all judged cases: one whose verdict stayed open is not an approval.
                let count = model.verdicts.get(verdict).copied().unwrap_or_default();
                card.metrics.insert(rate_name(verdict), share(count, model.judged, method));
            }
        })
    }
}
