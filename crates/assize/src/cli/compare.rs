//! `assize compare`: two runs, or two models of one run, on the cases they share.

use super::show::{document, find};
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::compare as render;
use crate::screen;
use assize_engine::compare::{Comparing, ModelPair, pair_models};
use assize_engine::records::RunDocument;
use clap::{Args, ValueEnum};

/// Compare two runs, or two models of one run, on the cases they share.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize compare 20260131-1015 last                what the last run does better and worse
  assize compare last --models gpt-4o gpt-4o-mini  two models of one run
  assize compare A B --model-a old --model-b new   two models of two runs
  assize compare A B --format markdown             for a page or a comment
  assize compare A B --flips 100                   more of the cases that came out otherwise

B is called better or worse only where that can be told on these cases: McNemar's exact test where every case
passes or fails, a paired bootstrap otherwise, both corrected for how many figures were tested.")]
pub(super) struct Compare {
    /// The first run: its id, the beginning of it, or `last`
    a: String,

    /// The second run; if left out, two models of the first are compared
    b: Option<String>,

    /// The model of the first run
    #[arg(long, value_name = "MODEL")]
    model_a: Option<String>,

    /// The model of the second run
    #[arg(long, value_name = "MODEL")]
    model_b: Option<String>,

    /// Both models at once
    #[arg(long, num_args = 2, value_names = ["MODEL_A", "MODEL_B"], conflicts_with_all = ["model_a", "model_b"])]
    models: Vec<String>,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: CompareFormat,

    /// As many of the cases that came out otherwise
    #[arg(long, value_name = "N", default_value_t = 10)]
    flips: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    /// For the terminal
    #[default]
    Table,
    /// One JSON document, for other programs
    Json,
    /// For a page or a comment
    Markdown,
}

impl Compare {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let store = place.open_existing()?;
        let a = document(&find(&store, &self.a)?)?;
        let b = match &self.b {
            Some(b) => document(&find(&store, b)?)?,
            None => a.clone(),
        };
        let pairs = self.pairs(&a, &b)?;
        let comparison = Comparing::new(&store, &a, &b, &pairs)
            .and_then(|comparing| comparing.compare(self.flips))
            .map_err(|error| fail(&error, error.hint()))?;
        match self.format {
            CompareFormat::Table => screen::line(render::drawn(&comparison, screen::width())),
            CompareFormat::Json => screen::raw(&format!("{}\n", serde_json::json!(comparison))),
            CompareFormat::Markdown => screen::raw(&render::markdown(&comparison)),
        }
        Ok(Exit::Done)
    }

    fn pairs(&self, a: &RunDocument, b: &RunDocument) -> Result<Vec<ModelPair>, Exit> {
        let mut chosen = (self.model_a.as_deref(), self.model_b.as_deref());
        if let [one, other] = self.models.as_slice() {
            chosen = (Some(one), Some(other));
        }
        // Runs of pairs cannot be compared at all, whichever models are meant; that is said below.
        if self.b.is_none() && !a.judge.side_by_side && (chosen.0.is_none() || chosen.1.is_none()) {
            // Which two are meant is plain where there are two.
            let models: Vec<&str> = a.models.keys().map(String::as_str).collect();
            let [one, other] = models.as_slice() else {
                let problem = format!("which models of the run {} are meant? It has: {}", a.run_id, models.join(", "));
                return Err(fail(problem, "name two with --models MODEL_A MODEL_B, or a second run"));
            };
            chosen = (Some(one), Some(other));
        }
        pair_models(a, b, chosen).map_err(|error| fail(&error, error.hint()))
    }
}
