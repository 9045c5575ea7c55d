//! What a suite can set on a criteria judge: the weights, what a critical difference costs, and how texts are normalised
//! before they are compared.

use super::spec::CriteriaSpec;
use assize_core::document::{Fields, Node, NodeValue, Problems, closest};
use assize_core::settings::{object, schema, setting, switch};
use assize_metrics::text::Normalisation;
use serde::Serialize;
use serde_json::{Value, json};

/// The settings of a criteria judge.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Settings {
    /// One for each criterion, in their order.
    pub(super) weights: Vec<f64>,
    pub(super) normalisation: Normalisation,
    /// The share of the composite that critical differences cost.
    pub(super) critical_weight: f64,
}

/// A dropped "not" costs half of the composite.
const CRITICAL_WEIGHT: f64 = 0.5;

/// What a suite can set; with a file, its criteria by name.
pub(super) fn settings_schema(name: &str, spec: Option<&CriteriaSpec>) -> Value {
    let weight = || json!({"type": "number", "minimum": 0});
    let about = "How much each criterion counts in the composite; the weights need not add up to 1.";
    let weights = match spec {
        Some(spec) => {
            let weights = spec.criteria.iter().map(|criterion| {
                (criterion.name.as_str(), setting(weight(), &criterion.about, json!(criterion.weight)))
            });
            object(about, &weights.collect::<Vec<_>>())
        }
        None => setting(json!({"type": "object", "additionalProperties": weight()}), about, json!({})),
    };
    let normalisation = [
        ("unicode", switch("Take compatibility forms as one: full-width letters, ligatures, accents.", true)),
        ("case", switch("Ignore upper and lower case.", true)),
        ("punctuation", switch("Ignore punctuation.", true)),
        ("whitespace", switch("Take runs of white space as one space.", true)),
        ("drop_annotations", switch("Leave out annotations such as [noise], <unk> and {cough}.", false)),
    ];
    let normalisation = object("What is taken away from texts before they are compared word by word.", &normalisation);
    let mut settings = vec![("weights", weights), ("normalisation", normalisation)];
    if spec.is_none_or(CriteriaSpec::aligns) {
        let about = "The share of the composite that critical differences cost: a dropped or added negation, another number, \
                     unit, side, date or name.";
        let weight = setting(json!({"type": "number", "minimum": 0, "maximum": 1}), about, json!(CRITICAL_WEIGHT));
        settings.push(("critical_weight", weight));
    }
    schema(name, &format!("The settings of the {name} judge."), &settings)
}

pub(super) fn read(node: Option<&Node>, spec: &CriteriaSpec, problems: &mut Problems) -> Option<Settings> {
    let mut settings = Settings {
        weights: spec.criteria.iter().map(|criterion| criterion.weight).collect(),
        normalisation: Normalisation::default(),
        critical_weight: CRITICAL_WEIGHT,
    };
    let before = problems.count();
    if let Some(node) = node {
        let mut fields = Fields::open(node, "settings", problems)?;
        if let Some(node) = fields.take("weights") {
            read_weights(node, spec, &mut settings.weights, problems);
        }
        if let Some(node) = fields.take("normalisation") {
            read_normalisation(node, &mut settings.normalisation, problems);
        }
        let weight = fields.take("critical_weight");
        if let Some(weight) = weight.and_then(|node| node.number("critical_weight", 0.0..=1.0, problems)) {
            settings.critical_weight = weight;
        }
        fields.finish(problems);
    }
    if problems.count() == before && settings.weights.iter().sum::<f64>() <= 0.0 {
        let span = node.map(|node| node.get("weights").unwrap_or(node).span);
        problems.report(span, "the weights add up to zero: at least one criterion must count");
    }
    (problems.count() == before).then_some(settings)
}

fn read_weights(node: &Node, spec: &CriteriaSpec, weights: &mut [f64], problems: &mut Problems) {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("weights", "a mapping from a criterion to its weight", problems);
        return;
    };
    for (key, weight) in entries {
        let names = || spec.criteria.iter().map(|criterion| criterion.name.as_str());
        match names().position(|name| name == key.name) {
            Some(position) => {
                if let Some(value) = weight.number(&key.name, 0.0..=f64::MAX, problems) {
                    weights[position] = value;
                }
            }
            None => {
                let help = match closest(&key.name, names()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("criteria: {}", names().collect::<Vec<_>>().join(", ")),
                };
                problems.report_with_help(key.span, format!("`{}` is no criterion of this judge", key.name), help);
            }
        }
    }
}

fn read_normalisation(node: &Node, normalisation: &mut Normalisation, problems: &mut Problems) {
    let Some(mut fields) = Fields::open(node, "normalisation", problems) else { return };
    let switches = [
        ("unicode", &mut normalisation.unicode_nfkc),
        ("case", &mut normalisation.fold_case),
        ("punctuation", &mut normalisation.strip_punctuation),
        ("whitespace", &mut normalisation.collapse_whitespace),
        ("drop_annotations", &mut normalisation.drop_annotations),
    ];
    for (name, switch) in switches {
        if let Some(value) = fields.take(name).and_then(|node| node.bool(name, problems)) {
            *switch = value;
        }
    }
    fields.finish(problems);
}
