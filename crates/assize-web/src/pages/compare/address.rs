//! A comparison in an address: which runs, which models, which of their cases.

use crate::failure::Failure;
use crate::links;
use assize_engine::compare::{ModelPair, Wanted, pair_models};
use assize_engine::records::RunDocument;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;

/// What is compared, and which cases are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct CompareAddress {
    /// The first run: its id, the beginning of it, or `last`.
    pub(crate) a: String,
    /// The second run.
    pub(crate) b: String,
    /// The model of the first run; empty for all that both have.
    pub(crate) model_a: String,
    /// The model of the second run.
    pub(crate) model_b: String,
    /// Which cases: `flipped` (the default), or `better` or `worse` by `metric`.
    pub(crate) show: String,
    /// The metric by which cases are better or worse.
    pub(crate) metric: String,
    /// The case behind which the page begins.
    pub(crate) behind: String,
}

impl CompareAddress {
    /// With only one run, the other is the one before it of the same suite, or the same run where it has two models.
    pub(super) fn completed(mut self, runs: &[RunDocument]) -> Self {
        if self.a.is_empty() || !self.b.is_empty() {
            return self;
        }
        let Some(at) = runs.iter().position(|run| run.run_id == self.a) else { return self };
        let suite = &runs[at].suite;
        if let Some(before) = runs[at + 1..].iter().find(|run| run.suite == *suite) {
            // The newer one is B: what it does better is what one wants to know.
            self.b = std::mem::replace(&mut self.a, before.run_id.clone());
        } else if let [one, other, ..] = runs[at].models.keys().collect::<Vec<_>>().as_slice() {
            (self.b, self.model_a, self.model_b) = (self.a.clone(), (*one).clone(), (*other).clone());
        }
        self
    }

    /// The models to compare.
    pub(crate) fn pairs(&self, a: &RunDocument, b: &RunDocument) -> Result<Vec<ModelPair>, Failure> {
        let chosen = |model: &'_ str| Some(model.to_owned()).filter(|model| !model.is_empty());
        let (one, other) = (chosen(&self.model_a), chosen(&self.model_b));
        pair_models(a, b, (one.as_deref(), other.as_deref()))
            .map_err(|error| Failure::bad(format!("{error}.")).with_way_on("Choose a model of each run."))
    }

    /// The cases that are listed.
    pub(crate) fn wanted(&self) -> Wanted {
        match self.show.as_str() {
            "better" => Wanted::Better(self.metric.clone()),
            "worse" => Wanted::Worse(self.metric.clone()),
            _ => Wanted::Flipped,
        }
    }

    /// Where the page of cases begins.
    pub(crate) fn behind(&self) -> Option<&str> {
        Some(self.behind.as_str()).filter(|case| !case.is_empty())
    }

    /// The same runs with other cases listed, from the beginning.
    pub(super) fn listing(&self, show: &str, metric: &str) -> Self {
        Self { show: show.to_owned(), metric: metric.to_owned(), behind: String::new(), ..self.clone() }
    }

    /// The other way round.
    pub(super) fn swapped(&self) -> Self {
        Self {
            a: self.b.clone(),
            b: self.a.clone(),
            model_a: self.model_b.clone(),
            model_b: self.model_a.clone(),
            ..Self::default()
        }
    }
}

impl fmt::Display for CompareAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, b, model_a, model_b, show, metric, behind } = self;
        let parts = [
            ("a", a),
            ("b", b),
            ("model_a", model_a),
            ("model_b", model_b),
            ("show", show),
            ("metric", metric),
            ("behind", behind),
        ];
        f.write_str(&links::with_query("/compare", parts.map(|(name, value)| (name, value.clone()))))
    }
}
