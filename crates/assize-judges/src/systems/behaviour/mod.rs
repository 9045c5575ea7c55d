//! Behaviours: one yes-or-no question per prompt file, benchmarks that say when and how it is asked, and rubrics that
//! add the answers up to a release decision.
//!
//! [`prompt_file`] reads `*_prompt.md`, [`spec`] the YAML beside them, [`checks`] what code can decide alone. The judge asks
//! one question per behaviour; `score` turns answers into rulings, `summary` rulings into gates. [`lint`] looks over the
//! files before any of that; [`migrate`] rewrites old ones, [`new_behaviour`] starts new ones, [`export_pydantic_evals`] takes
//! them elsewhere. See `docs/behaviours.md` and `docs/lint.md`.

mod answer_key;
mod build;
pub mod checks;
mod diff;
mod export;
mod judge;
mod layout;
pub mod lint;
mod migrate;
pub mod prompt_file;
mod question;
mod rules;
mod scaffold;
mod score;
pub mod spec;
mod summary;
#[cfg(test)]
mod tests;
mod unsent;

pub use build::{BenchmarkSystem, PromptFileSystem, TreeSystem};
pub use diff::unified as unified_diff;
pub use export::{ExportedBehaviour, export_pydantic_evals, exported_behaviours};
pub use judge::{PASS_RATE, inputs};
pub use layout::{RulingLabel, rulings};
pub use migrate::{Migration, migrate};
pub use scaffold::new_behaviour;
pub use unsent::{benchmark_lines, kept_as_comments};

/// The inputs of a case, in the order in which a judge is shown them.
pub const INPUTS: [&str; 3] = ["ground_truth", "source_narrative", "candidate_output"];
