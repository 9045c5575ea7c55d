//! `assize runs`: what has been run.

use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render;
use crate::screen;
use assize_engine::store::RunList;
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
        let list = RunList::read(&runs);
        if self.json {
            let readable = runs.iter().filter(|head| list.unreadable.iter().all(|run| run.run != head.id));
            let documents: Vec<&str> = readable.map(|head| head.record.as_str()).collect();
            screen::raw(&format!("[{}]\n", documents.join(",")));
        } else if runs.is_empty() {
            screen::line("There is no run in this store yet. `assize run SUITE` or `assize demo` makes one.");
        } else {
            screen::line(render::runs::draw(&list.runs, screen::width()));
        }
        for run in &list.unreadable {
            screen::say(format!("warning: {run}\n   help: {}", run.hint()));
        }
        Ok(Exit::Done)
    }
}
