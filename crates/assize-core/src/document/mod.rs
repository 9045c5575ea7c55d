//! Files people write, with the position of every part, and all their mistakes at once.
//!
//! A YAML (or JSON) text becomes a [`Node`] tree that remembers lines and columns. Readers of a particular file walk it
//! with [`Fields`] and report into [`Problems`] instead of stopping at the first mistake. Nothing here opens a file.

mod fields;
mod node;
mod problem;
mod suggest;
mod yaml;

pub use fields::Fields;
pub use node::{Key, Node, NodeValue};
pub use problem::{Problem, Problems, Severity, Span};
pub use suggest::closest;
pub use yaml::parse;
