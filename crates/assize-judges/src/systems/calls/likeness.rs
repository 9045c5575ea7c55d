//! How alike two texts are in meaning: from an embedder where one was asked, by letters otherwise.
//!
//! A judge performs no call, so it says which pairs it would like compared ([`Judge::pairs_to_embed`]) and finds the cosines
//! among the answers under the name [`EMBEDDINGS`], in the order of the pairs, with the reason where there is none. Where no
//! such answer is there, the cosine of character trigrams stands in, marked `rules`; between different scripts it is undefined.
//!
//! The label `likeness` says of every case who measured and what could not be measured, so that the scorecard can.
//!
//! [`Judge::pairs_to_embed`]: assize_core::Judge::pairs_to_embed

use assize_core::{Answers, Judgment, Method};
use assize_metrics::script::main_script;
use assize_metrics::similarity::trigram_cosine;
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The name under which the answers hold the cosines.
pub const EMBEDDINGS: &str = "embeddings";

/// The label that says who measured.
const LABEL: &str = "likeness";

const BY_LETTERS: &str = "letters";
const LETTERS_CAVEAT: &str = "character trigrams are no multilingual model; they see spelling, not meaning, and say nothing between different scripts";
const SCRIPTS_DIFFER: &str = "their scripts differ, and letters compare within one script only";
const NOTHING_TO_COMPARE: &str = "one of the texts has nothing to compare";
const UNMEASURED: &str = "the case could not be judged";
const NO_REASON: &str = "the embedder gave no figure and no reason";

/// A source of cosines.
pub(super) enum Likeness {
    /// Character trigrams.
    Letters,
    /// Nothing was measured.
    Unmeasured,
    /// What an embedder measured.
    Measured { by: String, caveat: Option<String>, pairs: HashMap<(String, String), Result<f64, String>> },
}

impl Likeness {
    /// The cosines among the answers, for the pairs that were put.
    pub(super) fn of(pairs: impl FnOnce() -> Vec<(String, String)>, answers: &Answers) -> Self {
        let Some(given) = answers.get(EMBEDDINGS).map(|answer| &answer.value) else { return Self::Letters };
        let Some(cosines) = given.get("cosines").and_then(Value::as_array) else { return Self::Letters };
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let reasons = given.get("reasons").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let measured = cosines.iter().enumerate().map(|(index, cosine)| {
            let cosine = cosine.as_f64().filter(|cosine| cosine.is_finite());
            cosine.ok_or_else(|| text(reasons.get(index)).unwrap_or_else(|| NO_REASON.to_owned()))
        });
        Self::Measured {
            by: text(given.get("embedder")).unwrap_or_else(|| EMBEDDINGS.to_owned()),
            caveat: text(given.get("caveat")),
            pairs: pairs().into_iter().zip(measured).collect(),
        }
    }

    /// The cosine of two texts, no less than 0, or why there is none.
    pub(super) fn between(&self, one: &str, other: &str) -> Result<f64, &str> {
        match self {
            Self::Measured { pairs, .. } => match pairs.get(&(one.to_owned(), other.to_owned())) {
                Some(measured) => measured.as_ref().map(|cosine| cosine.clamp(0.0, 1.0)).map_err(String::as_str),
                None => Err(NO_REASON),
            },
            Self::Unmeasured => Err(UNMEASURED),
            Self::Letters => trigram_cosine(one, other).ok_or_else(|| match (main_script(one), main_script(other)) {
                (Some(one), Some(other)) if one != other => SCRIPTS_DIFFER,
                _ => NOTHING_TO_COMPARE,
            }),
        }
    }

    /// Where its figures come from.
    pub(super) fn method(&self) -> Method {
        match self {
            Self::Letters => Method::Rules,
            Self::Unmeasured => Method::Code,
            Self::Measured { .. } => Method::Embedding,
        }
    }

    /// Notes in a judgment who measured, and why some pairs of texts could not be.
    pub(super) fn note<'r>(&self, unmeasured: impl IntoIterator<Item = &'r str>, judgment: &mut Judgment) {
        let (by, caveat) = match self {
            Self::Unmeasured => return,
            Self::Letters => (BY_LETTERS, Some(LETTERS_CAVEAT)),
            Self::Measured { by, caveat, .. } => (by.as_str(), caveat.as_deref()),
        };
        let label =
            judgment.labels.entry(LABEL).or_insert_with(|| json!({"by": by, "caveat": caveat, "unmeasured": {}}));
        for reason in unmeasured {
            let times = label["unmeasured"][reason].as_u64().unwrap_or_default();
            label["unmeasured"][reason] = json!(times + 1);
        }
    }
}

/// Who measured likeness over many cases, and what could not be measured.
#[derive(Default)]
pub(super) struct LikenessTally {
    caveats: IndexMap<String, Option<String>>,
    unmeasured: IndexMap<String, u64>,
}

impl LikenessTally {
    /// Adds a case.
    pub(super) fn add(&mut self, judgment: &Judgment) {
        // All jurors have the same cosines, so the first speaks for the others.
        let first_juror = || judgment.labels.get("jury")?.as_object()?.values().next()?.get("labels")?.get(LABEL);
        let Some(label) = judgment.labels.get(LABEL).or_else(first_juror) else { return };
        let text = |key: &str| label.get(key).and_then(Value::as_str).map(str::to_owned);
        self.caveats.entry(text("by").unwrap_or_default()).or_insert_with(|| text("caveat"));
        for (reason, times) in label.get("unmeasured").and_then(Value::as_object).into_iter().flatten() {
            *self.unmeasured.entry(reason.clone()).or_default() += times.as_u64().unwrap_or_default();
        }
    }

    /// What a reader of the scorecard must know.
    pub(super) fn notes(&self) -> Vec<String> {
        let measured = self.caveats.iter().map(|(by, caveat)| {
            let caveat = caveat.as_ref().map(|caveat| format!(": {caveat}")).unwrap_or_default();
            format!("Likeness in meaning was measured by {by}{caveat}.")
        });
        let unmeasured = self.unmeasured.iter().map(|(reason, times)| match times {
            1 => format!("One pair of texts has no likeness: {reason}."),
            times => format!("{times} pairs of texts have no likeness: {reason}."),
        });
        measured.chain(unmeasured).collect()
    }
}
