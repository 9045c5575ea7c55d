//! What people say of judgments.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The judgment as a whole, as the item of a label.
pub const JUDGMENT: &str = "judgment";

/// Whether a person agrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabelValue {
    /// The judge is right.
    Right,
    /// The judge is wrong.
    Wrong,
}

impl LabelValue {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
        }
    }

    /// The value of a name; `None` for a name that no value has.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Right, Self::Wrong].into_iter().find(|value| value.name() == name)
    }
}

/// Something to be said of a judgment.
#[derive(Clone, Debug)]
pub struct NewLabel {
    /// What of the judgment it is about, such as [`JUDGMENT`].
    pub item: String,
    /// Whether the judge is right about it.
    pub value: LabelValue,
    /// What it should have been.
    pub corrected: Option<String>,
    /// Why.
    pub note: String,
    /// Who says so.
    pub by_whom: String,
}

/// What somebody said of a judgment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Label {
    /// Its name.
    pub id: String,
    /// The run.
    pub run: String,
    /// The case's place in the run.
    pub position: u32,
    /// The fingerprint of the case's content.
    pub content: String,
    /// The judge, as the suite names it.
    pub judge_use: String,
    /// What of the judgment it is about; `judgment` for all of it.
    pub item: String,
    /// Whether the judge is right about it.
    pub value: LabelValue,
    /// What it should have been.
    pub corrected: Option<String>,
    /// Why.
    pub note: String,
    /// Who said so.
    pub by_whom: String,
    /// When, in UTC.
    pub at: String,
    /// When it was taken back, in UTC.
    pub withdrawn: Option<String>,
}
