//! Pure measurement of text, numbers and samples.
//!
//! Everything here is a function of its arguments: no files, no clock, no threads, and randomness
//! only from a seed that the caller gives. The crate knows nothing of what is judged or why.

pub mod alignment;
pub mod answer;
pub mod arithmetic;
pub mod critical;
pub mod error_rate;
pub mod lookup;
pub mod script;
pub mod similarity;
pub mod statistics;
pub mod text;
pub mod toon;
pub mod values;
