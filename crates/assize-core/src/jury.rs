//! A jury: several judge models on one case, and what follows from them together.
//!
//! Figures are means over the jurors, a verdict needs a majority, and what each juror said stays visible under the label
//! `jury`. A figure that one juror leaves undefined is undefined for the jury, and one that a juror leaves undecided is
//! undecided.

use crate::judgment::{Parts, tidy};
use crate::{Bounds, Judgment, Metric};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Joins the judgments of several jurors, each with the juror's name, into one.
pub fn join(mut jurors: Vec<(String, Judgment)>) -> Judgment {
    if jurors.len() < 2 {
        return jurors.pop().expect("a jury has at least one juror").1;
    }
    let mut joined = Judgment::default();
    for name in jurors[0].1.metrics.keys() {
        let metrics: Vec<&Metric> = jurors.iter().filter_map(|(_, judgment)| judgment.metrics.get(name)).collect();
        joined.metrics.insert(name.clone(), mean(&metrics, jurors.len()));
    }
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for verdict in jurors.iter().filter_map(|(_, judgment)| judgment.verdict.as_deref()) {
        *votes.entry(verdict).or_default() += 1;
    }
    let majority = votes.iter().find(|(_, count)| **count * 2 > jurors.len()).map(|(verdict, _)| (*verdict).to_owned());
    if votes.len() > 1 || votes.values().sum::<usize>() < jurors.len() && !votes.is_empty() {
        joined.flag(if majority.is_some() { "jury_disagrees" } else { "jury_split" });
    }
    joined.verdict = majority;
    let mut said = Map::new();
    for (name, judgment) in &jurors {
        for flag in &judgment.flags {
            joined.flag(flag.as_str());
        }
        let metrics: Map<String, Value> =
            judgment.metrics.iter().map(|(name, metric)| (name.clone(), json!(metric.value))).collect();
        said.insert(
            name.clone(),
            json!({
                "verdict": judgment.verdict, "reason": judgment.reason, "metrics": metrics,
                "labels": judgment.labels, "flags": judgment.flags, "claimed": judgment.claimed,
            }),
        );
    }
    // The reason of the first juror who is with the majority speaks for the jury.
    joined.reason = jurors
        .iter()
        .find(|(_, judgment)| judgment.verdict == joined.verdict)
        .and_then(|(_, judgment)| judgment.reason.clone());
    joined.labels.insert("jury".into(), Value::Object(said));
    joined
}

fn mean(metrics: &[&Metric], jurors: usize) -> Metric {
    let first = metrics[0];
    let whole = metrics.len() == jurors;
    let average = |pick: &dyn Fn(&Metric) -> Option<f64>| -> Option<f64> {
        let values: Option<Vec<f64>> = metrics.iter().map(|metric| pick(metric)).collect();
        values.filter(|_| whole).map(|values| tidy(values.iter().sum::<f64>() / values.len() as f64))
    };
    let parts = average(&|metric| metric.parts.map(|parts| parts.numerator))
        .zip(average(&|metric| metric.parts.map(|parts| parts.denominator)))
        .map(|(numerator, denominator)| Parts { numerator, denominator });
    let end = |pick: fn(Bounds) -> f64| average(&|metric| metric.range().map(pick));
    let bounds = end(|bounds| bounds.0).zip(end(|bounds| bounds.1)).map(|(worst, best)| Bounds(worst, best));
    let value = bounds.and_then(Bounds::settled);
    let same_counts = metrics.iter().all(|metric| metric.counts == first.counts);
    Metric {
        value,
        bounds: bounds.filter(|_| value.is_none()),
        n: metrics.iter().map(|metric| metric.n).min().unwrap_or_default(),
        rating: None,
        method: metrics.iter().map(|metric| metric.method).max().unwrap_or(first.method),
        raw: average(&|metric| metric.raw),
        parts,
        counts: if same_counts { first.counts.clone() } else { Default::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;

    fn juror(name: &str, score: Option<f64>, verdict: &str) -> (String, Judgment) {
        let mut judgment = Judgment { verdict: Some(verdict.into()), reason: Some(name.into()), ..Judgment::default() };
        judgment.metrics.insert("score".into(), Metric::score(score, Method::Llm));
        (name.into(), judgment)
    }

    #[test]
    fn figures_are_means_and_the_majority_decides() {
        let joined = join(vec![
            juror("a", Some(1.0), "reject"),
            juror("b", Some(0.5), "approve"),
            juror("c", Some(0.6), "approve"),
        ]);
        assert_eq!(joined.value("score"), Some(0.7));
        assert_eq!((joined.verdict.as_deref(), joined.reason.as_deref()), (Some("approve"), Some("b")));
        assert_eq!(joined.flags, ["jury_disagrees"]);
        assert_eq!(joined.labels["jury"]["a"]["verdict"], "reject");
    }

    #[test]
    fn what_one_juror_leaves_undecided_is_undecided() {
        let mut open = juror("a", None, "approve");
        open.1.metrics.insert("score".into(), Metric::between(Bounds(0.25, 0.75), Method::Llm));
        let joined = join(vec![open, juror("b", Some(0.5), "approve")]);
        assert_eq!((joined.value("score"), joined.metrics["score"].bounds), (None, Some(Bounds(0.375, 0.625))));
    }

    #[test]
    fn a_tie_has_no_verdict_and_an_undefined_figure_stays_undefined() {
        let joined = join(vec![juror("a", None, "reject"), juror("b", Some(0.5), "approve")]);
        assert_eq!((joined.value("score"), joined.verdict), (None, None));
        assert_eq!(joined.flags, ["jury_split"]);
    }
}
