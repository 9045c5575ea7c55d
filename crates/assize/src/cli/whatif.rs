//! `assize whatif`: what other settings of a judge would give, on the cases of a run. No model is asked.

use super::show::{document, find};
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::{problems, table};
use crate::screen::{self, Style, styled};
use assize_core::document::Problems;
use assize_core::number::plural;
use assize_core::settings::{Difference, differences};
use assize_core::what_if::{ByModel, Change, Column, Direction, Flip, Terms, read_range};
use assize_core::{JudgeSystem, OpenWhatIf, Unit, WhatIf as Offered, settings};
use assize_engine::profiles::{read_settings, whole};
use assize_engine::records::ResultLine;
use assize_engine::store::Store;
use assize_judges::registry::system_named;
use clap::Args;
use serde_json::{Value, json};

/// As many flips as are listed.
const LISTED: usize = 20;

/// Recompute a judge's figures with other settings on the cases of a run.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize whatif last --set numeric_tolerance_percent=5
  assize whatif last --set date_granularity=month --set allow_partial_matches=true
  assize whatif last --sweep numeric_tolerance_percent=0..10
  assize whatif last --sweep numeric_tolerance_percent=0..10:2.5 --json")]
pub(super) struct WhatIf {
    /// The run: its id, the beginning of it, or `last`
    run: String,

    /// A setting of the judge: KEY=VALUE; can be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// A curve over one numeric setting: KEY=LOW..HIGH or KEY=LOW..HIGH:STEP
    #[arg(long, value_name = "KEY=RANGE")]
    sweep: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WhatIf {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let store = place.open_existing()?;
        let head = find(&store, &self.run)?;
        let document = document(&head)?;
        let Some((system, offered)) = offered(&document.judge.judge_use) else {
            let problem = format!("{} cannot tell what other settings would give", document.judge.judge_use);
            return Err(fail(problem, "`assize runs` lists runs by other judges"));
        };
        let mut wrong = Problems::of(format!("the settings of run {}", document.run_id));
        let opened = offered.open(&document.judge.settings, &mut wrong);
        let mut opened = wrong.into_result(opened).map_err(|found| problems::draw(&found))?;
        take_all(&store, &head.id, &mut *opened, offered.needs_judgments())?;
        let before = opened.settings().clone();
        let mut after = before.clone();
        for change in &self.set {
            let (key, value) = split(change)?;
            after = changed(system, &after, key, value)?;
        }
        match &self.sweep {
            Some(range) => self.show_sweep(range, system, &*opened, &after, &offered.terms()),
            None => {
                let listed = if self.json { usize::MAX } else { LISTED };
                let change = opened.change(&before, &after, listed).map_err(|error| fail(error, ""))?;
                self.show_change(&change, &differences(&before, &after), &offered.terms());
                Ok(Exit::Done)
            }
        }
    }

    fn show_sweep(
        &self,
        written: &str,
        system: &dyn JudgeSystem,
        opened: &dyn OpenWhatIf,
        settings: &Value,
        terms: &Terms,
    ) -> Outcome {
        let (key, range) = split(written)?;
        let values = read_range(range).map_err(|error| fail(error, ""))?;
        let steps = values
            .into_iter()
            .map(|value| Ok((value, changed(system, settings, key, &value.to_string())?)))
            .collect::<Result<Vec<_>, Exit>>()?;
        let points = opened.sweep(&steps).map_err(|error| fail(error, ""))?;
        if self.json {
            screen::raw(&format!("{}\n", json!({"setting": key, "points": points})));
            return Ok(Exit::Done);
        }
        let headline = terms.headline().expect("a what-if names one of its figures");
        let models = points.first().into_iter().flat_map(|point| point.models.keys());
        let models: Vec<String> = models.map(|model| screen::harmless(model)).collect();
        let header = std::iter::once(key).chain(models.iter().map(String::as_str));
        let mut curve = table::new(header, screen::width());
        for point in &points {
            let mut row = vec![point.value.to_string()];
            row.extend(point.models.values().map(|model| bar(headline, model.value(&headline.name))));
            curve.add_row(row);
        }
        screen::line(&headline.label);
        screen::line(table::drawn(&curve));
        Ok(Exit::Done)
    }

    fn show_change(&self, change: &Change, differences: &[Difference], terms: &Terms) {
        let Change { before, after, flips, flipped } = change;
        if self.json {
            let found = json!({"changed": differences, "before": before, "after": after, "flips": flips});
            return screen::raw(&format!("{found}\n"));
        }
        for difference in differences {
            let Difference { key, from, to } = difference;
            screen::line(format!("{key}: {from} → {}", styled(Style::Bold, to)));
        }
        screen::line(table::drawn(&compared(before, after, &terms.columns)));
        screen::line(format!("{} flipped", plural(flipped.total(), terms.flipping)));
        for flip in flips {
            screen::line(format!("  {}", told(flip, terms)));
        }
        let more = flipped.total() - flips.len() as u64;
        if more > 0 {
            screen::line(styled(Style::Faint, format!("  … and {more} more; --json lists them")));
        }
    }
}

/// The judge of a run, and what it offers.
fn offered(judge: &str) -> Option<(&'static dyn JudgeSystem, &'static dyn Offered)> {
    let system = system_named(judge)?;
    Some((system, system.what_if()?))
}

fn take_all(store: &Store, run: &str, opened: &mut dyn OpenWhatIf, judgments: bool) -> Result<(), Exit> {
    for result in store.all_results(run) {
        let result = result.map_err(|error| fail(&error, error.hint()))?;
        let line = judgments.then(|| result.line.clone());
        let judgment = line.and_then(ResultLine::into_judgment);
        // A stored case was read when it was judged; one that this version cannot read is left out like one that lacks
        // what is needed.
        _ = opened.take(&result.case, judgment.as_ref());
    }
    Ok(())
}

/// Settings with one changed, checked by their judge.
fn changed(system: &dyn JudgeSystem, settings: &Value, key: &str, value: &str) -> Result<Value, Exit> {
    let changed = settings::with(&system.profile_schema(), settings, key, value).map_err(|error| fail(error, ""))?;
    let read = read_settings(system, &changed.to_string(), "settings");
    read.map(|read| whole(system, &read)).map_err(|found| {
        let wrong: Vec<String> = found.iter().map(|problem| problem.message.clone()).collect();
        fail(wrong.join("; "), "")
    })
}

fn split(change: &str) -> Result<(&str, &str), Exit> {
    change
        .split_once('=')
        .map(|(key, value)| (key.trim(), value.trim()))
        .ok_or_else(|| fail(format!("`{change}` is no setting"), "write KEY=VALUE"))
}

/// A flip in a line.
fn told(flip: &Flip, terms: &Terms) -> String {
    let mark = match flip.direction {
        Direction::Gained => styled(Style::Good, terms.gained).to_string(),
        Direction::Lost => styled(Style::Bad, terms.lost).to_string(),
        Direction::Other => format!("{} → {}", screen::harmless(&flip.from), screen::harmless(&flip.to)),
    };
    let place = format!("{} {}", screen::harmless(&flip.case), screen::harmless(&flip.model));
    if flip.item.is_empty() {
        format!("{mark} {place}")
    } else {
        format!("{mark} {place}: {}", screen::harmless(&flip.item))
    }
}

/// The figures before and after; counts are left to --json.
fn compared(before: &ByModel, after: &ByModel, columns: &[Column]) -> comfy_table::Table {
    let columns: Vec<&Column> = columns.iter().filter(|column| column.unit != Unit::Count).collect();
    let header = std::iter::once("model").chain(columns.iter().map(|column| column.name.as_str()));
    let mut table = table::new(header, screen::width());
    for (model, figures) in after {
        let mut row = vec![screen::harmless(model)];
        row.extend(columns.iter().map(|column| {
            let old = before.get(model).and_then(|figures| figures.value(&column.name));
            format!("{} → {}", shown(column, old), shown(column, figures.value(&column.name)))
        }));
        table.add_row(row);
    }
    table
}

fn shown(column: &Column, value: Option<f64>) -> String {
    value.map_or_else(|| assize_core::number::figure(None), |value| column.unit.show(value))
}

/// A figure with a bar beside it.
fn bar(column: &Column, value: Option<f64>) -> String {
    const LONGEST: f64 = 16.0;
    let length = (value.unwrap_or(0.0).clamp(0.0, 1.0) * LONGEST).round() as usize;
    format!("{} {}", shown(column, value), "█".repeat(length))
}
