//! Behaviours: one yes-or-no question per prompt file, benchmarks that say when and how it is asked, and rubrics that
//! add the answers up to a release decision.
//!
//! [`prompt_file`] reads `*_prompt.md` files. See `docs/behaviours.md` and `docs/lint.md`.

mod answer_key;
pub mod checks;
pub mod lint;
pub mod prompt_file;
pub mod spec;

/// The inputs of a case, in the order in which a judge is shown them.
pub const INPUTS: [&str; 3] = ["ground_truth", "source_narrative", "candidate_output"];
