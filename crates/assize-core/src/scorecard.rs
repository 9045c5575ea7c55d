//! A scorecard: what follows for one model over all its cases.

use crate::judgment::tidy;
use crate::{Method, Rating};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A confidence interval at 95 %, written as `[low, high]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval(pub f64, pub f64);

/// The worst and the best that a figure can come to while some of what it rests on is undecided, written as `[worst, best]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds(pub f64, pub f64);

impl Bounds {
    /// The figure, where the worst is the best.
    pub fn settled(self) -> Option<f64> {
        (self.0 == self.1).then_some(self.1)
    }

    /// What holds at both ends; `None` where they do not agree.
    pub fn both<T: PartialEq>(self, at: impl Fn(f64) -> T) -> Option<T> {
        let (worst, best) = (at(self.0), at(self.1));
        (worst == best).then_some(best)
    }
}

/// One figure over all cases of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreMetric {
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
    /// How far it can be trusted as far as the number of cases goes.
    pub interval: Option<Interval>,
    /// The counts behind the figure, by name, summed over the cases.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub counts: IndexMap<String, u64>,
}

impl ScoreMetric {
    /// Sets the figure from how far it can go: its value where both ends are one, else its bounds, and then without an
    /// interval.
    pub fn settle(&mut self, range: Option<Bounds>) {
        let range = range.map(|Bounds(worst, best)| Bounds(tidy(worst), tidy(best)));
        self.value = range.and_then(Bounds::settled);
        self.bounds = range.filter(|_| self.value.is_none());
        self.interval = self.interval.filter(|_| self.value.is_some());
    }
}

/// A figure so bad that the model is disqualified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blocker {
    /// Which figure.
    pub metric: String,
    /// Its value.
    pub value: Option<f64>,
    /// The limit it breaches, such as `<= 3`.
    pub limit: String,
    /// The cases that caused it.
    pub cases: Vec<String>,
}

/// What follows for one model over all its cases.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scorecard {
    /// The figures, in the judge's order.
    pub metrics: IndexMap<String, ScoreMetric>,
    /// The breaches.
    pub blockers: Vec<Blocker>,
    /// Whether there is a breach.
    pub disqualified: bool,
    /// What else the judge has to say of this model.
    #[serde(flatten)]
    pub sections: Map<String, Value>,
}
