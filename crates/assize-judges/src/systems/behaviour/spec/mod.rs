//! What the user writes beside the prompt files: benchmarks, rubrics, and the tree they make.
//!
//! A tree is a folder with `rubrics/*.yaml`, `benchmarks/**/*.yaml` and the prompt files they name. [`TreeFiles`] is the
//! folder as written, [`Tree`] is one that holds together: every code known and unique, no cycle, every prompt there.

mod benchmark;
mod formula;
mod rubric;
mod tree;

pub use benchmark::{Benchmark, Criticality, EvaluatorType, Example, ScoringScale};
pub use formula::Formula;
pub use rubric::{Aggregation, Rubric, RubricRef};
pub use tree::{Tree, TreeFiles, root_of, root_of_folder, roots};

use assize_core::document::{Fields, Node, NodeValue, Problems, Span};
use assize_core::suite::Placed;
use serde_json::Value;

/// A field that has no meaning here. It is kept for the tools that know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Unused {
    /// Where it is, such as `evaluator_config.llm_judge.temperature`.
    pub path: String,
    /// What it holds.
    pub value: Value,
    /// The place of its key.
    pub span: Span,
}

/// Takes what nobody asked for out of a mapping that stands at `path`.
fn keep_unused(fields: Fields<'_>, path: &str, unused: &mut Vec<Unused>, problems: &mut Problems) {
    for (key, node) in fields.finish_keeping(problems) {
        unused.push(Unused { path: format!("{path}{}", key.name), value: node.to_value(), span: key.span });
    }
}

/// The code of a file that names none: the file's own name.
fn code_of_file(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Placed<String>> {
    if let Some(node) = fields.take("code") {
        return placed(node, "code", problems);
    }
    let name = problems.file().rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or_default().to_owned();
    if stem.is_empty() {
        return fields.require("code", problems).and_then(|node| placed(node, "code", problems));
    }
    Some(Placed { value: stem, span: fields.span() })
}

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
