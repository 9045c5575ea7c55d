//! Records: what a run is asked for with, what it comes to, and what people say of it.
//!
//! They are the shapes that the store keeps and that other programs rely on, so they are the engine's ground floor: the
//! store knows them and nothing above them. They hold values and no behaviour but reading and naming themselves.

mod column;
mod document;
mod gate;
mod label;
mod line;
mod profile;
mod request;
mod usage;

pub(crate) use column::{Column, Stretch};
pub use document::{Calibration, CaseCounts, JudgeHead, RUN_SCHEMA, RunDocument, RunStatus, Timings};
pub use gate::{GateLimit, GateOutcome, GateReport};
pub use label::{JUDGMENT, Label, LabelValue, NewLabel};
pub use line::ResultLine;
pub use profile::SavedProfile;
pub use request::{CachePolicy, Parameter, RunRequest};
pub use usage::UsageTotals;
