//! `assize inventory`: every behaviour, what has come of it, and what it lacks.

use super::{Outcome, Place, fail, rubric_files};
use crate::exit::Exit;
use crate::render::examples::{EXPECTED, SUITE};
use crate::render::inventory::{self, Row, Status};
use crate::screen;
use assize_core::Scorecard;
use assize_engine::records::RunDocument;
use assize_engine::store::{RunList, Store, StoreError};
use assize_judges::systems::behaviour::{self, InventoryEntry};
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

/// List every behaviour with its rubric, its status, its last result and what it lacks.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize inventory rubrics
  assize inventory rubrics --format markdown > INVENTORY.md
  assize inventory rubrics prompts --format json

Status: unused (nothing names it), draft (lint finds errors, or it was never tried), tested (a model
judged all its examples right, and it has not changed since), examined (a person has looked at its
verdicts in a run and said whether they are right).")]
pub(super) struct Inventory {
    /// Trees, or folders and files with prompts
    #[arg(required = true)]
    rubrics: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: InventoryFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum InventoryFormat {
    /// For the terminal
    #[default]
    Table,
    /// For a page or a comment
    Markdown,
    /// One JSON document, for other programs
    Json,
}

/// As many runs as are looked through.
const RUNS: usize = 500;

impl Inventory {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let entries = behaviour::inventory(&rubric_files::read(&self.rubrics)?);
        if entries.is_empty() {
            return Err(fail("there is no behaviour among these files", "`assize new behavior` writes a first one"));
        }
        let history = match place.open_existing_quietly()? {
            None => History::default(),
            Some(store) => History::read(&store, &entries).map_err(|error| fail(&error, error.hint()))?,
        };
        let rows: Vec<Row> = entries.into_iter().map(|entry| history.row(entry)).collect();
        match self.format {
            InventoryFormat::Table => screen::line(inventory::table(&rows, screen::width())),
            InventoryFormat::Markdown => screen::raw(&inventory::markdown(&rows)),
            InventoryFormat::Json => screen::raw(&format!("{}\n", inventory::json(&rows))),
        }
        Ok(Exit::Done)
    }
}

/// What the store knows of behaviours, by their codes.
#[derive(Default)]
struct History {
    /// The figures of the last run, by model.
    last: HashMap<String, Vec<(String, Option<f64>)>>,
    /// Whether the last test was right throughout, and of which version.
    tested: HashMap<String, (bool, String)>,
    /// Those that a person has looked at.
    examined: HashMap<String, bool>,
}

impl History {
    fn read(store: &Store, entries: &[InventoryEntry]) -> Result<Self, StoreError> {
        let mut history = Self::default();
        // What cannot be read is told of by `assize runs`.
        for run in RunList::read(&store.runs(RUNS)?).runs {
            if run.suite.starts_with(SUITE) {
                history.add_test(store, &run)?;
                continue;
            }
            for entry in entries {
                let figures = figures(&run, &format!("behaviour.{}", entry.code));
                if figures.is_empty() {
                    continue;
                }
                if !history.examined.contains_key(&entry.code) && is_examined(store, &run.run_id, &entry.code)? {
                    history.examined.insert(entry.code.clone(), true);
                }
                // Runs come newest first.
                history.last.entry(entry.code.clone()).or_insert(figures);
            }
        }
        Ok(history)
    }

    /// Takes over what a test said of behaviours of which no newer one says anything.
    fn add_test(&mut self, store: &Store, run: &RunDocument) -> Result<(), StoreError> {
        let mut found: HashMap<String, (bool, String)> = HashMap::new();
        for result in store.all_results(&run.run_id) {
            let result = result?;
            let Some(code) = result.case.tags.first() else { continue };
            let label = result.line.labels.get("behaviours").map_or(&Value::Null, |labels| &labels[code]);
            // What the offline rules say is no test.
            if label["decided_by"] == "rules" {
                continue;
            }
            let right = label["pass"].is_boolean() && Some(&label["pass"]) == result.case.metadata.get(EXPECTED);
            let rubric = result.case.metadata.get("rubric").and_then(Value::as_str).unwrap_or_default().to_owned();
            let entry = found.entry(code.clone()).or_insert((true, rubric));
            entry.0 &= right;
        }
        for (code, outcome) in found {
            self.tested.entry(code).or_insert(outcome);
        }
        Ok(())
    }

    fn row(&self, entry: InventoryEntry) -> Row {
        let tested = self.tested.get(&entry.code).filter(|(_, rubric)| *rubric == entry.fingerprint);
        let status = if !entry.used {
            Status::Unused
        } else if !entry.sound {
            Status::Draft
        } else if self.examined.contains_key(&entry.code) {
            Status::Examined
        } else if tested.is_some_and(|(right, _)| *right) {
            Status::Tested
        } else {
            Status::Draft
        };
        let last = self.last.get(&entry.code).cloned().unwrap_or_default();
        let mut missing = entry.missing.clone();
        if tested.is_some_and(|(right, _)| !right) {
            missing.push("examples that are all judged right: see `assize test`".into());
        } else if entry.examples > 0 && tested.is_none() {
            missing.push("a test of its examples: `assize test`".into());
        }
        Row { entry, status, last, missing }
    }
}

fn figures(run: &RunDocument, metric: &str) -> Vec<(String, Option<f64>)> {
    let figure = |(model, card): (&String, &Scorecard)| Some((model.clone(), card.metrics.get(metric)?.value));
    run.models.iter().filter_map(figure).collect()
}

/// Whether a person has said of a verdict on this behaviour that it is right or wrong.
fn is_examined(store: &Store, run: &str, code: &str) -> Result<bool, StoreError> {
    for (position, _) in store.labelled(run)? {
        let labels = store.labels_of(run, position)?;
        let about = |item: &str| item == "judgment" || item == code || item.ends_with(&format!(".{code}"));
        if labels.iter().any(|label| label.withdrawn.is_none() && about(&label.item)) {
            return Ok(true);
        }
    }
    Ok(false)
}
