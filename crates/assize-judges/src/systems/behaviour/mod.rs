//! Behaviours: one yes-or-no question per prompt file, benchmarks that say when and how it is asked, and rubrics that
//! add the answers up to a release decision.
//!
//! [`prompt_file`] reads `*_prompt.md`, [`spec`] the YAML beside them, [`checks`] what code can decide alone. The judge asks
//! one question per behaviour; `score` turns answers into rulings, `summary` rulings into gates. [`lint`] looks over the
//! files before any of that; [`migrate`] rewrites old ones, [`new_behaviour`] and [`Interview`] start new ones,
//! [`labelled_examples`] are what they are tested with, [`inventory`] lists them, and [`export_pydantic_evals`] takes them
//! elsewhere. See `docs/behaviours.md` and `docs/lint.md`.

mod answer_key;
mod build;
pub mod checks;
mod diff;
mod draft;
mod export;
mod interview;
mod inventory;
mod judge;
mod labelled;
mod layout;
pub mod lint;
mod migrate;
pub mod prompt_file;
mod question;
mod rules;
mod scaffold;
mod score;
mod sentence;
pub mod spec;
mod summary;
#[cfg(test)]
mod tests;
mod unsent;

pub use build::{BenchmarkSystem, PromptFileSystem, TreeSystem};
pub use diff::unified as unified_diff;
pub use export::{Export, export_pydantic_evals};
pub use interview::{Interview, JudgedExample};
pub use inventory::{InventoryEntry, inventory};
pub use judge::{PASS_RATE, inputs};
pub use labelled::{LabelledExample, LabelledExamples, labelled_examples};
pub use layout::{RulingLabel, rulings};
pub use migrate::{Migration, is_behaviour_prompt, migrate};
pub use scaffold::{NewPrompt, Reading, new_behaviour};
pub use unsent::{benchmark_lines, kept_as_comments};

/// The inputs of a case, in the order in which a judge is shown them.
pub const INPUTS: [&str; 3] = ["ground_truth", "source_narrative", "candidate_output"];
