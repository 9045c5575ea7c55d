//! What is wanted of a list of cases. It has one form in an address, so that a link shows the same list again.

use assize_core::FlagMark;
use assize_judges::registry::flags_marked;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// Which cases, in which order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseQuery {
    /// Part of an id or of a reason.
    pub search: String,
    /// Any of these statuses.
    pub statuses: Vec<String>,
    /// Any of these models.
    pub models: Vec<String>,
    /// Any of these verdicts.
    pub verdicts: Vec<String>,
    /// Any of these flags.
    pub flags: Vec<String>,
    /// Any of these tags.
    pub tags: Vec<String>,
    /// All of these.
    pub marks: Vec<Mark>,
    /// In which order.
    pub sort: Sort,
    /// The other way round.
    pub descending: bool,
}

/// Something about a case that is worth a filter of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Mark {
    /// It carries a flag.
    Flagged,
    /// The judge was not sure.
    Uncertain,
    /// The rules contradict what the model labelled.
    Contradicted,
    /// A figure of the gate is close to its limit.
    #[strum(serialize = "near")]
    NearThreshold,
    /// A person says that the judge is wrong.
    Disputed,
}

impl Mark {
    /// The name in an address.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it says on a chip.
    pub fn title(self) -> &'static str {
        match self {
            Self::Flagged => "flagged",
            Self::Uncertain => "uncertain",
            Self::Contradicted => "contradicted",
            Self::NearThreshold => "near a threshold",
            Self::Disputed => "human ≠ judge",
        }
    }

    /// The flags that mean it, where flags do.
    pub(super) fn flags(self) -> Vec<&'static str> {
        match self {
            Self::Uncertain => flags_marked(FlagMark::Uncertain),
            Self::Contradicted => flags_marked(FlagMark::Contradicted),
            Self::Flagged | Self::NearThreshold | Self::Disputed => Vec::new(),
        }
    }
}

/// The order of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Sort {
    /// As the cases stand in their files.
    #[default]
    Position,
    /// By id.
    Id,
    /// By model.
    Model,
    /// By verdict.
    Verdict,
    /// By a metric; undefined ones come last.
    Metric(String),
}

impl Sort {
    /// Reads the name of an order; a metric's name begins with `=`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "" | "position" => Some(Self::Position),
            "id" => Some(Self::Id),
            "model" => Some(Self::Model),
            "verdict" => Some(Self::Verdict),
            _ => name.strip_prefix('=').map(|metric| Self::Metric(metric.to_owned())),
        }
    }

    /// Its name in an address.
    pub fn name(&self) -> String {
        match self {
            Self::Position => String::new(),
            Self::Id => "id".into(),
            Self::Model => "model".into(),
            Self::Verdict => "verdict".into(),
            Self::Metric(metric) => format!("={metric}"),
        }
    }
}

/// A figure this close to a limit might as well be on the other side: a twentieth, of the limit itself where that is large.
pub(super) fn is_near(value: f64, limit: f64) -> bool {
    (value - limit).abs() <= 0.05 * limit.abs().max(1.0)
}
