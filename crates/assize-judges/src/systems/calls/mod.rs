//! Call intelligence: four tasks on call-centre conversations, eleven benchmarks, one scorecard of models.
//!
//! [`metrics::METRICS`] is the list of figures that everything loops over. A case is read in `call` (with `output`,
//! `transcript` and `structure`), `tasks` finds what code can find and asks for the rest, `benchmarks` is the second layer,
//! `score` makes the judgment, `summary` the scorecards, and `table` the scorecard of the models side by side.
//! See `docs/judges/call-intelligence.md`.

mod benchmarks;
mod call;
mod compared;
mod compose;
mod flags;
mod judge;
mod layout;
mod likeness;
pub mod metrics;
mod names;
mod output;
mod question;
mod score;
mod settings;
mod structure;
mod summary;
mod table;
mod tasks;
mod transcript;

#[cfg(test)]
mod tests;

pub use likeness::EMBEDDINGS;

use assize_core::document::{Node, Problems};
use assize_core::{Card, Judge, JudgeSource, JudgeSystem, Layout, ShownCase};
use serde_json::Value;

/// The name that `judge.use` takes.
pub const NAME: &str = "call-intelligence";

/// The call-intelligence system.
pub struct CallIntelligence;

impl JudgeSystem for CallIntelligence {
    fn card(&self) -> &Card {
        &Card {
            name: NAME,
            summary: "call-centre tasks (QA, entities, text, translation): scores, blockers, benchmarks, models side by side",
            guide: include_str!("../../../guides/call-intelligence.md"),
            example: NAME,
            flags: flags::FLAGS,
        }
    }

    fn settings_schema(&self) -> Value {
        settings::settings_schema()
    }

    fn build(&self, _: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        Some(Box::new(judge::CallsJudge::new(settings::read(settings, problems)?)))
    }

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout::layout(shown)
    }
}
