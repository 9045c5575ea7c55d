//! A judgment: what follows for one case. Metrics with their method and their `n`, labels, verdict, reason, flags.
//!
//! An undefined figure is `None` and is written as `null`; it is never zero. What the model itself states about numbers
//! the code computes stands under `claimed` and is used nowhere.

use crate::Bounds;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{EnumIter, EnumString, IntoStaticStr};

/// How a figure came about.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Method {
    /// Exactly, in code.
    Code,
    /// From sentence embeddings.
    Embedding,
    /// From labels a judge model gave.
    Llm,
    /// From rules that stand in for a judge model.
    Rules,
}

impl Method {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How good a figure is by the judge's own thresholds.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Rating {
    /// At or beyond the aim.
    Good,
    /// Short of the aim, still usable.
    Acceptable,
    /// Too low.
    Fail,
    /// So low that the model is disqualified.
    Blocker,
}

impl Rating {
    /// The name used in files and on the screen.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Away with the dust of binary fractions: 0.8 + 0.04 is 0.84, and a mean of exactly 0.85 meets a threshold of 0.85.
pub fn tidy(value: f64) -> f64 {
    let scaled = value * 1e12;
    if scaled.is_finite() { scaled.round() / 1e12 } else { value }
}

/// One figure of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metric {
    /// The figure; `None` where it is undefined or undecided.
    pub value: Option<f64>,
    /// The bounds of a figure that is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// What it is out of.
    pub n: u64,
    /// How good it is, where the judge has thresholds for it.
    pub rating: Option<Rating>,
    /// How it came about.
    pub method: Method,
    /// The figure on the scale on which it was given, before normalising.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<f64>,
    /// What a rate is made of, so that rates can be pooled over cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// The counts behind the figure, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub counts: IndexMap<String, u64>,
}

/// Numerator and denominator of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Parts {
    /// What is counted.
    pub numerator: f64,
    /// What it is out of.
    pub denominator: f64,
}

impl Metric {
    /// A score: one figure for the case as a whole.
    pub fn score(value: Option<f64>, method: Method) -> Self {
        Self {
            value,
            bounds: None,
            n: u64::from(value.is_some()),
            rating: None,
            method,
            raw: None,
            parts: None,
            counts: IndexMap::new(),
        }
    }

    /// A rate: a numerator over a denominator. 0/0 is undefined.
    pub fn rate(numerator: f64, denominator: f64, method: Method) -> Self {
        let value = (denominator > 0.0).then(|| numerator / denominator);
        Self {
            n: denominator.max(0.0) as u64,
            parts: Some(Parts { numerator, denominator }),
            ..Self::score(value, method)
        }
    }

    /// A score that may still come to anything between these bounds.
    pub fn between(bounds: Bounds, method: Method) -> Self {
        let score = Self::score(bounds.settled(), method);
        Self { bounds: score.value.is_none().then_some(bounds), ..score }
    }

    /// A rate whose numerator may still come to anything between two values, the worse first.
    pub fn rate_between(worst: f64, best: f64, denominator: f64, method: Method) -> Self {
        let rate = Self::rate(worst, denominator, method);
        if worst == best || denominator <= 0.0 {
            return rate;
        }
        Self { value: None, bounds: Some(Bounds(worst / denominator, best / denominator)), ..rate }
    }

    /// The worst and the best that the figure can come to; both are the figure where it is decided. `None` where it is
    /// undefined.
    pub fn range(&self) -> Option<Bounds> {
        self.bounds.or(self.value.map(|value| Bounds(value, value)))
    }

    /// The same figure with what was given before normalising.
    pub fn with_raw(mut self, raw: f64) -> Self {
        self.raw = Some(raw);
        self
    }

    /// The same figure with another count of what it is out of.
    pub fn out_of(mut self, n: u64) -> Self {
        self.n = n;
        self
    }

    /// The same figure with the counts behind it.
    pub fn with_counts<'a>(mut self, counts: impl IntoIterator<Item = (&'a str, u64)>) -> Self {
        self.counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        self
    }
}

/// What follows for one case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgment {
    /// The figures, in the judge's order.
    pub metrics: IndexMap<String, Metric>,
    /// What was decided by reading: the model's labels and lists, and what code found beside them.
    #[serde(default)]
    pub labels: Map<String, Value>,
    /// The verdict that follows from the figures, where the judge has verdicts.
    #[serde(default)]
    pub verdict: Option<String>,
    /// Why, in the judge's words.
    #[serde(default)]
    pub reason: Option<String>,
    /// What a reader should know about this judgment.
    #[serde(default)]
    pub flags: Vec<String>,
    /// What the model itself stated about figures that code computes.
    #[serde(default)]
    pub claimed: Map<String, Value>,
}

impl Judgment {
    /// Raises a flag, once.
    pub fn flag(&mut self, flag: impl Into<String>) {
        let flag = flag.into();
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    /// The value of a metric, where it is there and defined.
    pub fn value(&self, metric: &str) -> Option<f64> {
        self.metrics.get(metric).and_then(|metric| metric.value)
    }
}
