//! `assize runs`: what has been run.

use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render;
use crate::screen;
use clap::Args;

/// List the runs, newest first.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize runs
  assize runs --limit 5
  assize runs --json | jq -r '.[].run_id'")]
pub(super) struct Runs {
    /// As many as this
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    /// Print the runs' documents as one JSON list
    #[arg(long)]
    json: bool,
}

impl Runs {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let store = place.open_existing()?;
        let runs = store.runs(self.limit).map_err(|error| fail(&error, error.hint()))?;
        if self.json {
            let documents: Vec<_> = runs.into_iter().map(|run| run.document).collect();
            screen::raw(&format!("{}\n", serde_json::Value::Array(documents)));
        } else if runs.is_empty() {
            screen::line("There is no run in this store yet. `assize run SUITE` or `assize demo` makes one.");
        } else {
            screen::line(render::runs::draw(&runs, screen::width()));
        }
        Ok(Exit::Done)
    }
}
