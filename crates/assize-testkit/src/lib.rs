//! What the tests of Assize stand on: a model server that misbehaves on request, and the conformance tests every judge
//! system goes through, and [`outside`], which counts what cannot be tested here as skipped. A dev-dependency only.
//!
//! The server is a real one, on loopback, so that tests go through the real HTTP path: [`ModelServer`] answers by a
//! [`Script`], which sees each request and says what to reply, be it an answer, a delay, a failure or a lie.

pub mod conformance;
pub mod drive;
mod fill;
mod format;
mod gate;
pub mod outside;
mod script;
mod server;

pub use fill::fill;
pub use format::{Format, bag_of_words};
pub use script::{Faults, Received, Reply, Script, Slip};
pub use server::{Behaviour, ModelServer, Stats};
