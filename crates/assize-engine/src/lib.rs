//! Runs: from a suite on disk to scorecards.
//!
//! The engine is where the pure side meets the world. It reads suites and cases, drives judges, gets answers from the
//! cache or a model, keeps everything in one store, and tells whoever listens what happens. It draws nothing.

pub mod answering;
pub mod cases;
pub mod compare;
pub mod control;
pub mod environment;
pub mod event;
pub mod files;
pub mod listing;
pub mod permits;
pub mod profiles;
pub mod records;
pub mod report;
pub mod run;
pub mod store;

#[cfg(test)]
mod trial;
