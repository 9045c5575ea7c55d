//! Behaviours: one yes-or-no question per prompt file, benchmarks that say when and how it is asked, and rubrics that
//! add the answers up to a release decision.
//!
//! [`prompt_file`] reads `*_prompt.md` files. See `docs/behaviours.md` and `docs/lint.md`.

pub mod lint;
pub mod prompt_file;
