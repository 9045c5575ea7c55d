//! From a valid `JudgeResult` to the judgment of a case: figures, labels, reasons, audit.

use super::audit::audit;
use super::fact::CaseFacts;
use super::matcher::match_facts;
use super::measure::{Counts, measure};
use super::result::JudgeResult;
use super::settings::Settings;
use assize_core::{Answer, Failure, FailureKind, Judgment, Method, Metric, MetricSpec};
use serde_json::{Value, json};

/// The share of facts whose labels contradict the config, by the rules.
pub(super) const AUDIT_RATE: &str = "audit_contradiction_rate";

/// The figures every run has, in order. Those by fact type, such as `precision.assets`, follow them.
pub(super) fn metrics(settings: &Settings) -> Vec<MetricSpec> {
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
    ];
    for fact_type in &settings.config.fact_types_in_scope {
        let name = super::measure::metric_type(fact_type);
        for figure in BY_TYPE {
            metrics.push(MetricSpec::derived(format!("{figure}.{name}"), format!("{figure} on {fact_type} alone")));
        }
    }
    metrics
}

/// The figures given for each fact type.
pub(super) const BY_TYPE: [&str; 3] = ["f1", "precision", "recall"];

/// The judgment of a case, given the answer to its one question. The answer has passed [`JudgeResult::violations`].
pub(super) fn judgment(settings: &Settings, facts: &CaseFacts, answer: &Answer) -> Result<Judgment, Failure> {
    let mut judgment = Judgment::default();
    let mut result: JudgeResult = serde_json::from_value(answer.value.clone()).map_err(|error| {
        let message = format!("the answer is not a JudgeResult: {error}");
        Failure::new(FailureKind::InvalidReply, message).with_raw(answer.raw.clone())
    })?;
    result.restore(facts);
    let method = answer.method();
    let measured = measure(&result);
    add_figures(&mut judgment, "", measured.overall, method);
    let audited = if method == Method::Rules { None } else { Some(audit(&result, &settings.config, settings.reading)) };
    let (contradicted, looked_at) = audited.as_ref().map_or((0, 0), |audit| (audit.contradicted, audit.audited));
    judgment.metrics.insert(AUDIT_RATE.into(), Metric::rate(contradicted as f64, looked_at as f64, Method::Code));
    for (name, counts) in &measured.by_type {
        add_figures(&mut judgment, &format!(".{name}"), *counts, method);
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
            let matching = match_facts(&facts.predicted, gold, &settings.config, settings.reading);
            judgment.labels.insert("reasons".into(), json!(matching));
        }
    }
    judgment.reason = result.notes.filter(|notes| !notes.trim().is_empty());
    Ok(judgment)
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
