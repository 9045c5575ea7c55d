//! Which models are compared, and which case with which.

use crate::records::RunDocument;
use crate::report::{CaseRow, ReportError};
use crate::store::Store;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// A model of the first run, and the model of the second run that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelPair {
    /// The model of the first run.
    pub a: String,
    /// The model of the second run.
    pub b: String,
}

/// Why no models can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// A run has no such model.
    NoSuchModel {
        /// As it was asked for.
        model: String,
        /// The run.
        run: String,
        /// Those it has.
        has: Vec<String>,
    },
    /// The cases of a run are about several systems each, so that no figure of a case belongs to one of them.
    SideBySide {
        /// The run.
        run: String,
    },
    /// The runs share none, and which is meant is not clear.
    NothingShared {
        /// The models of the first run.
        a: Vec<String>,
        /// The models of the second run.
        b: Vec<String>,
    },
}

impl PairingError {
    /// What to do.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::SideBySide { .. } => "its scorecard has who won and by how much: assize show RUN",
            Self::NoSuchModel { .. } | Self::NothingShared { .. } => {
                "name one of each run: --model-a MODEL --model-b MODEL"
            }
        }
    }
}

impl fmt::Display for PairingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |models: &[String]| if models.is_empty() { "none".to_owned() } else { models.join(", ") };
        match self {
            Self::NoSuchModel { model, run, has } => {
                write!(f, "the run {run} has no model `{model}`; it has: {}", listed(has))
            }
            Self::SideBySide { run } => {
                write!(
                    f,
                    "the cases of run {run} compare systems with each other, so there are no two systems left to compare"
                )
            }
            Self::NothingShared { a, b } => {
                write!(f, "the runs have no model in common: {} against {}", listed(a), listed(b))
            }
        }
    }
}

impl std::error::Error for PairingError {}

/// The models to compare: those that were chosen, else those that both runs have, else the only one of each.
pub fn pair_models(
    a: &RunDocument,
    b: &RunDocument,
    (chosen_a, chosen_b): (Option<&str>, Option<&str>),
) -> Result<Vec<ModelPair>, PairingError> {
    if let Some(run) = [a, b].into_iter().find(|run| run.judge.side_by_side) {
        return Err(PairingError::SideBySide { run: run.run_id.clone() });
    }
    for (chosen, run) in [(chosen_a, a), (chosen_b, b)] {
        if let Some(model) = chosen.filter(|model| !run.models.contains_key(*model)) {
            let has = run.models.keys().cloned().collect();
            return Err(PairingError::NoSuchModel { model: model.to_owned(), run: run.run_id.clone(), has });
        }
    }
    let only = |run: &RunDocument| match run.models.keys().collect::<Vec<_>>().as_slice() {
        [one] => Some((*one).clone()),
        _ => None,
    };
    // The partner of a model that was chosen alone has the same name, or is the only one.
    let partner =
        |model: &str, run: &RunDocument| run.models.get_key_value(model).map(|(name, _)| name.clone()).or(only(run));
    let pair = match (chosen_a, chosen_b) {
        (Some(one), Some(other)) => Some((one.to_owned(), other.to_owned())),
        (Some(one), None) => partner(one, b).map(|other| (one.to_owned(), other)),
        (None, Some(other)) => partner(other, a).map(|one| (one, other.to_owned())),
        (None, None) => {
            let shared: Vec<ModelPair> = a
                .models
                .keys()
                .filter(|model| b.models.contains_key(*model))
                .map(|model| ModelPair { a: model.clone(), b: model.clone() })
                .collect();
            if !shared.is_empty() {
                return Ok(shared);
            }
            only(a).zip(only(b))
        }
    };
    let models = |run: &RunDocument| run.models.keys().cloned().collect();
    pair.map(|(a, b)| vec![ModelPair { a, b }])
        .ok_or_else(|| PairingError::NothingShared { a: models(a), b: models(b) })
}

/// What both runs have of one case: its models and repetitions.
pub(super) struct Group {
    a: Vec<CaseRow>,
    b: Vec<CaseRow>,
}

impl Group {
    /// The rows of two models that belong together, by repetition; one is missing where a run has no such case.
    pub(super) fn pairs<'g>(
        &'g self,
        models: &'g ModelPair,
    ) -> impl Iterator<Item = (Option<&'g CaseRow>, Option<&'g CaseRow>)> {
        let of = |rows: &'g [CaseRow], model: &'g str| rows.iter().filter(move |row| row.line.model == model);
        let find = move |rows: &'g [CaseRow], model: &'g str, wanted: &CaseRow| {
            of(rows, model).find(|row| row.repetition == wanted.repetition)
        };
        let from_a = of(&self.a, &models.a).map(move |row| (Some(row), find(&self.b, &models.b, row)));
        let only_b = of(&self.b, &models.b).filter(move |row| find(&self.a, &models.a, row).is_none());
        from_a.chain(only_b.map(|row| (None, Some(row))))
    }
}

/// The cases of both runs, by id.
pub(super) fn merged<'s>(
    store: &'s Store,
    a: &'s str,
    b: &'s str,
    behind: Option<&'s str>,
) -> impl Iterator<Item = Result<Group, ReportError>> + 's {
    let rows = |run| store.outcomes_by_case(run, behind).map(|outcome| CaseRow::read(outcome?));
    let (mut a, mut b) = (rows(a).peekable(), rows(b).peekable());
    std::iter::from_fn(move || {
        let case = match (a.peek(), b.peek()) {
            (None, None) => return None,
            (Some(Ok(one)), Some(Ok(other))) => match one.line.case.cmp(&other.line.case) {
                Ordering::Greater => other.line.case.clone(),
                _ => one.line.case.clone(),
            },
            (Some(Ok(row)), None) | (None, Some(Ok(row))) => row.line.case.clone(),
            (Some(Err(_)), _) => return a.next().and_then(Result::err).map(Err),
            (_, Some(Err(_))) => return b.next().and_then(Result::err).map(Err),
        };
        Some(Ok(Group { a: take(&mut a, &case), b: take(&mut b, &case) }))
    })
}

/// The next rows as long as they are of the case. An error stays where it is, and is met when the next case is sought.
fn take(
    rows: &mut std::iter::Peekable<impl Iterator<Item = Result<CaseRow, ReportError>>>,
    case: &str,
) -> Vec<CaseRow> {
    let mut taken = Vec::new();
    while let Some(Ok(row)) = rows.next_if(|row| row.as_ref().is_ok_and(|row| row.line.case == case)) {
        taken.push(row);
    }
    taken
}
