//! The judge systems: a question out, a judgment in.
//!
//! [`SYSTEMS`] is the list of them; the command line, the docs and the conformance tests loop over it. A system lives in
//! one folder under `systems/` and performs no call itself. What several systems need to make scorecards is in
//! [`summary`]; where the texts of a case hold what a reason quotes is found in [`evidence`].

pub mod evidence;
pub mod examples;
mod reason;
pub mod registry;
pub mod summary;
pub mod systems;

pub use registry::{SYSTEMS, build, system_for, system_named};
