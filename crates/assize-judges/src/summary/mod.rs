//! From the judgments of many cases to scorecards, by what the judge says of its figures.
//!
//! [`summary_of`] keeps, for each model and figure, what the figure and its interval need: rates pool their numerators and
//! denominators, scores are means, counts are sums, and verdicts are counted. Its memory is bounded: up to [`KEPT`] cases the
//! interval is a BCa bootstrap over the cases; beyond that, where the two agree, it is the normal one from running sums. What
//! only the judge itself knows is added by its [`ExtraSummary`].

mod figure;

pub use figure::{Figure, KEPT, share};

use assize_core::judgment::tidy;
use assize_core::{
    Case, CaseStatus, ExtraSummary, FigureKind, Judge, Judgment, Method, MetricSpec, ScoreMetric, Scorecard, Summarise,
    Summary,
};
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// A summary to add the judgments of a judge to, in the order of the cases.
pub fn summary_of(judge: &dyn Judge) -> Box<dyn Summarise> {
    let spec = judge.spec();
    Box::new(ByKind {
        metrics: spec.metrics.clone(),
        headline: spec.headline.clone(),
        models: BTreeMap::new(),
        extra: judge.extra_summary(),
    })
}

/// Scorecards whose figures follow from their kinds.
struct ByKind {
    metrics: Vec<MetricSpec>,
    headline: String,
    models: BTreeMap<String, OfModel>,
    extra: Option<Box<dyn ExtraSummary>>,
}

/// The judgments of one model's cases.
#[derive(Default)]
struct OfModel {
    judged: u64,
    verdicts: BTreeMap<String, u64>,
    figures: BTreeMap<String, Figure>,
    sums: BTreeMap<String, Sum>,
}

/// A count or an amount in the making.
#[derive(Default)]
struct Sum {
    total: f64,
    n: u64,
    method: Option<Method>,
}

impl ByKind {
    fn card(&self, model: &OfModel) -> Scorecard {
        let mut card = Scorecard::default();
        let method = model.figures.get(&self.headline).and_then(Figure::method).unwrap_or(Method::Code);
        for spec in &self.metrics {
            let figure = match &spec.kind {
                FigureKind::Mean | FigureKind::Rate => model.figures.get(&spec.name).map(Figure::finish),
                // Out of all judged cases: one whose verdict stayed open is not an approval.
                FigureKind::Share { verdict } => {
                    Some(share(model.verdicts.get(verdict).copied().unwrap_or_default(), model.judged, method))
                }
                FigureKind::Count | FigureKind::Cost => model.sums.get(&spec.name).map(Sum::finish),
                FigureKind::Derived => None,
            };
            if let Some(figure) = figure {
                card.metrics.insert(spec.name.clone(), figure);
            }
        }
        card
    }
}

impl Summarise for ByKind {
    fn add(&mut self, case: &Case, judgment: &Judgment) {
        for name in case.model.names() {
            let model = self.models.entry(name.to_owned()).or_default();
            model.judged += 1;
            if let Some(verdict) = &judgment.verdict {
                *model.verdicts.entry(verdict.clone()).or_default() += 1;
            }
            for spec in &self.metrics {
                let Some(metric) = judgment.metrics.get(&spec.name) else { continue };
                match spec.kind {
                    FigureKind::Mean | FigureKind::Rate => {
                        model.figures.entry(spec.name.clone()).or_default().add(metric);
                    }
                    FigureKind::Count | FigureKind::Cost => {
                        let sum = model.sums.entry(spec.name.clone()).or_default();
                        sum.total += metric.value.unwrap_or(0.0);
                        sum.n += metric.n;
                        sum.method = sum.method.max(Some(metric.method));
                    }
                    FigureKind::Share { .. } | FigureKind::Derived => {}
                }
            }
        }
        if let Some(extra) = &mut self.extra {
            extra.add(case, judgment);
        }
    }

    fn add_unjudged(&mut self, case: &Case, status: CaseStatus) {
        if let Some(extra) = &mut self.extra {
            extra.add_unjudged(case, status);
        }
    }

    fn finish(mut self: Box<Self>) -> Summary {
        let cards = self.models.iter().map(|(name, model)| (name.clone(), self.card(model)));
        let mut summary = Summary { models: cards.collect(), ..Summary::default() };
        if let Some(extra) = self.extra.take() {
            extra.complete(&mut summary);
        }
        // What was added last belongs where the judge lists it; what it does not list, such as a figure by type, comes last.
        let place =
            |name: &String| self.metrics.iter().position(|spec| spec.name == *name).unwrap_or(self.metrics.len());
        for card in summary.models.values_mut() {
            card.metrics.sort_by_cached_key(|name, _| place(name));
        }
        summary
    }
}

impl Sum {
    fn finish(&self) -> ScoreMetric {
        ScoreMetric {
            value: Some(tidy(self.total)),
            n: self.n,
            bounds: None,
            rating: None,
            method: self.method.unwrap_or(Method::Code),
            interval: None,
            counts: IndexMap::new(),
        }
    }
}
