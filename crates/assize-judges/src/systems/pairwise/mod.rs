//! Pairwise: two candidates for one prompt, asked about in both orders.
//!
//! A verdict counts only if both orders agree; a judge that goes by the place of an answer is `inconsistent`. `assembly`
//! makes pairs of rows with one output each, `score` reads the two answers, `summary` makes win rates, Bradley–Terry
//! strengths and a ranking that says which neighbours cannot be told apart. See `docs/judges/pairwise.md`.

mod assembly;
mod judge;
mod layout;
mod question;
mod score;
mod spec;
mod summary;

#[cfg(test)]
mod tests;

use assize_core::document::{Node, Problems};
use assize_core::flag::{contradicted, note};
use assize_core::{Card, FlagSpec, Judge, JudgeSource, JudgeSystem, Layout, ShownCase};
use serde_json::Value;

/// What judgments of pairs may flag.
const FLAGS: &[FlagSpec] = &[
    contradicted(
        "order_decides",
        "The judge chose another answer when the order was swapped, so the pair counts for nobody.",
    ),
    note("same_text", "Both outputs are the same text, so it is a tie and nobody was asked."),
];

/// The pairwise judge as a system.
pub struct Pairwise;

impl JudgeSystem for Pairwise {
    fn card(&self) -> &Card {
        &Card {
            name: "pairwise",
            summary: "two answers to one prompt, asked about in both orders: win rates, position bias, a ranking",
            guide: include_str!("../../../guides/pairwise.md"),
            example: "pairwise",
            flags: FLAGS,
        }
    }

    fn settings_schema(&self) -> Value {
        spec::settings_schema()
    }

    fn build(&self, _: &JudgeSource, settings: Option<&Node>, _: &mut Problems) -> Option<Box<dyn Judge>> {
        Some(Box::new(judge::PairwiseJudge::new(spec::Settings::of(settings))))
    }

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout::layout(shown)
    }
}
