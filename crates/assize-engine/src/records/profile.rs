//! Saved profiles: named settings of a judge, every version of them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A version of a profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SavedProfile {
    /// The profile's name.
    pub name: String,
    /// The judge it is for.
    pub judge: String,
    /// Which version, from 1.
    pub version: u32,
    /// The settings.
    pub settings: Value,
    /// When it was saved, in UTC.
    pub saved: String,
    /// Whether it was deleted.
    pub hidden: bool,
}
