//! From a valid `JudgeResult` to the judgment of a case: figures, labels, reasons, audit.

use super::audit::audit;
use super::config::JudgeConfig;
use super::fact::{CaseFacts, Fact};
use super::matcher::{compare_facts, match_facts};
use super::measure::{Counts, measure};
use super::result::{JudgeResult, LinkAnswer, PredictedLabel};
use assize_core::{Answer, Failure, FailureKind, Judgment, Method, Metric, MetricSpec};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The share of facts whose labels contradict the config, by the rules.
pub(super) const AUDIT_RATE: &str = "audit_contradiction_rate";

/// Links that rest on one of two readings of a value.
const AMBIGUOUS: &str = "ambiguous_matches";

/// The figures every run has, in order. Those by fact type, such as `precision.assets`, follow them.
pub(super) fn metrics(config: &JudgeConfig) -> Vec<MetricSpec> {
    let audited = "of the facts a model labelled, the share whose label contradicts the settings";
    let mut metrics = vec![
        MetricSpec::derived("f1", "harmonic mean of precision and recall"),
        MetricSpec::rate("precision", "of the predicted facts, the share that states a gold fact"),
        MetricSpec::rate("recall", "of the gold facts, the share that a prediction states"),
        MetricSpec::rate("hallucination_rate", "of the predicted facts, the share that states no gold fact")
            .lower_is_better(),
        MetricSpec::rate("coverage", "recall by its other name"),
        MetricSpec::count("tp", "predicted facts that state a gold fact"),
        MetricSpec::count("fp", "predicted facts that state none").lower_is_better(),
        MetricSpec::count("fn", "gold facts that no prediction states").lower_is_better(),
        MetricSpec::rate(AUDIT_RATE, audited).lower_is_better(),
        MetricSpec::count(AMBIGUOUS, "links that rest on one of two readings of a number, a date or a time")
            .lower_is_better(),
    ];
    for fact_type in &config.fact_types_in_scope {
        let name = super::measure::metric_type(fact_type);
        for figure in BY_TYPE {
            metrics.push(MetricSpec::derived(format!("{figure}.{name}"), format!("{figure} on {fact_type} alone")));
        }
    }
    metrics
}

/// The figures given for each fact type.
pub(super) const BY_TYPE: [&str; 3] = ["f1", "precision", "recall"];

/// The judgment of a case, given the answer to its one question. The answer has passed [`LinkAnswer::violations`].
pub(super) fn judgment(config: &JudgeConfig, facts: &CaseFacts, answer: &Answer) -> Result<Judgment, Failure> {
    let mut judgment = Judgment::default();
    let links: LinkAnswer = serde_json::from_value(answer.value.clone()).map_err(|error| {
        let message = format!("the answer does not have the asked shape: {error}");
        Failure::new(FailureKind::InvalidReply, message).with_raw(answer.raw.clone())
    })?;
    let result = links.result(facts, config);
    let method = answer.method();
    let measured = measure(&result);
    add_figures(&mut judgment, "", measured.overall, method);
    let audited = if method == Method::Rules { None } else { Some(audit(&result, config)) };
    let (contradicted, looked_at) = audited.as_ref().map_or((0, 0), |audit| (audit.contradicted, audit.audited));
    judgment.metrics.insert(AUDIT_RATE.into(), Metric::rate(contradicted as f64, looked_at as f64, Method::Code));
    for (name, counts) in &measured.by_type {
        add_figures(&mut judgment, &format!(".{name}"), *counts, method);
    }
    let ambiguous = ambiguous_links(&result, config);
    let linked = result.predicted_facts.iter().map(|label| label.matched_gold_ids.len() as u64).sum();
    judgment.metrics.insert(AMBIGUOUS.into(), Metric::score(Some(ambiguous as f64), Method::Code).out_of(linked));
    if ambiguous > 0 {
        judgment.flag("ambiguous_match");
    }
    let derived = facts.gold.is_none();
    if derived {
        judgment.flag("gold_derived");
    }
    judgment.labels.insert("predicted_facts".into(), json!(result.predicted_facts));
    judgment.labels.insert("gold_facts".into(), gold_labels(&result, derived));
    match audited {
        Some(audit) => {
            if !audit.contradictions.is_empty() {
                judgment.flag("audit_contradiction");
            }
            judgment.labels.insert("audit".into(), json!(audit.contradictions));
        }
        None => {
            let gold = facts.gold.as_deref().unwrap_or_default();
            let matching = match_facts(&facts.predicted, gold, config);
            judgment.labels.insert("reasons".into(), json!(matching));
        }
    }
    judgment.reason = result.notes.filter(|notes| !notes.trim().is_empty());
    Ok(judgment)
}

/// How many links rest on one of two readings of a value.
fn ambiguous_links(result: &JudgeResult, config: &JudgeConfig) -> usize {
    let gold: HashMap<&str, Fact> = result.gold_facts.iter().map(|label| (label.id.as_str(), label.fact())).collect();
    let links =
        result.predicted_facts.iter().flat_map(|label| label.matched_gold_ids.iter().map(move |to| (label, to)));
    let ambiguous = |predicted: &PredictedLabel, to: &str| {
        let fields = gold.get(to).map(|gold| compare_facts(&predicted.fact(), gold, config)).unwrap_or_default();
        fields.iter().any(|field| field.reason.is_ambiguous())
    };
    links.filter(|(label, to)| ambiguous(label, to)).count()
}

fn gold_labels(result: &JudgeResult, derived: bool) -> Value {
    let mut labels = json!(result.gold_facts);
    for label in labels.as_array_mut().into_iter().flatten() {
        if derived {
            label["derived"] = json!(true);
        }
    }
    labels
}

fn add_figures(judgment: &mut Judgment, suffix: &str, counts: Counts, method: Method) {
    let Counts { tp_predicted, fp, tp_gold, fn_ } = counts;
    let (predictions, gold) = ((tp_predicted + fp) as f64, (tp_gold + fn_) as f64);
    let of_predictions = [("tp", tp_predicted), ("fp", fp)];
    let of_gold = [("tp", tp_gold), ("fn", fn_)];
    let mut add = |name: &str, metric: Metric| judgment.metrics.insert(format!("{name}{suffix}"), metric);
    let all = [("tp_predicted", tp_predicted), ("fp", fp), ("tp_gold", tp_gold), ("fn", fn_)];
    add("f1", Metric::score(counts.f1(), method).out_of(tp_predicted + fp + tp_gold + fn_).with_counts(all));
    add("precision", Metric::rate(tp_predicted as f64, predictions, method).with_counts(of_predictions));
    add("recall", Metric::rate(tp_gold as f64, gold, method).with_counts(of_gold));
    if !suffix.is_empty() {
        return;
    }
    add("hallucination_rate", Metric::rate(fp as f64, predictions, method).with_counts(of_predictions));
    add("coverage", Metric::rate(tp_gold as f64, gold, method).with_counts(of_gold));
    add("tp", Metric::score(Some(tp_predicted as f64), method).out_of(tp_predicted + fp));
    add("fp", Metric::score(Some(fp as f64), method).out_of(tp_predicted + fp));
    add("fn", Metric::score(Some(fn_ as f64), method).out_of(tp_gold + fn_));
}
