//! What the user writes beside the prompt files: benchmarks, rubrics, and the tree they make.
//!
//! A tree is a folder with `rubrics/*.yaml`, `benchmarks/**/*.yaml` and the prompt files they name. [`TreeFiles`] is the
//! folder as written, [`Tree`] is one that holds together: every code known and unique, no cycle, every prompt there.

mod benchmark;
mod rubric;
mod tree;

pub use benchmark::{Benchmark, Criticality, EvaluatorType, Example, Normalisation, ScoringScale};
pub use rubric::{Aggregation, Rubric, RubricRef};
pub use tree::{Tree, TreeFiles, root_of, root_of_folder, roots};

use assize_core::document::{Node, NodeValue, Problems};
use assize_core::suite::Placed;

/// A text that is not empty, with its place.
fn placed(node: &Node, what: &str, problems: &mut Problems) -> Option<Placed<String>> {
    let value = node.filled_text(what, problems)?.trim().to_owned();
    Some(Placed { value, span: node.span })
}

/// A text, or a list of texts that makes one with a line for each.
fn text_or_lines(node: &Node, what: &str, problems: &mut Problems) -> Option<Placed<String>> {
    let NodeValue::List(items) = &node.kind else { return placed(node, what, problems) };
    let lines: Vec<&str> = items.iter().filter_map(|item| item.filled_text(what, problems)).collect();
    (lines.len() == items.len()).then(|| Placed { value: lines.join("\n"), span: node.span })
}
