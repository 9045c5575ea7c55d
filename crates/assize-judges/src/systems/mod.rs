//! The systems, one folder each.

pub mod behaviour;
