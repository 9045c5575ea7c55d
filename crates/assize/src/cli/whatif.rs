//! `assize whatif`: what other settings of the fact judge would give, by its rules, on the cases of a run. No model is asked.

use super::show::{document, find};
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::{problems, table};
use crate::screen::{self, Style, styled};
use assize_core::number::{count, figure};
use assize_judges::systems::facts::settings::{self, Settings};
use assize_judges::systems::facts::whatif::{Change, ModelFigures, WhatIfCase, change, read_range, sweep};
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;

/// As many flipped pairs as are listed.
const LISTED: usize = 20;

/// Recompute the fact judge's rules with other settings on the cases of a run.
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

    /// A setting of the fact judge: KEY=VALUE; can be given several times
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
        if document.judge.judge_use != "fact-extraction" {
            return Err(fail(
                format!("the run {} was not judged by fact-extraction", head.id),
                "`assize runs` lists the others",
            ));
        }
        let before = settings::read_recorded(&document.judge.settings, &document.run_id)
            .map_err(|found| problems::draw(&found))?;
        let mut cases = Vec::new();
        for result in store.all_results(&head.id) {
            cases.extend(WhatIfCase::of(&result.map_err(|error| fail(&error, error.hint()))?.case, before.reading));
        }
        let mut after = before.clone();
        for change in &self.set {
            let (key, value) = split(change)?;
            after.config = after.config.with(key, value).map_err(|error| fail(error, ""))?;
        }
        match &self.sweep {
            Some(range) => self.show_sweep(range, &cases, &after),
            None => self.show_change(&cases, &before, &after),
        }
    }

    fn show_sweep(&self, written: &str, cases: &[WhatIfCase], settings: &Settings) -> Outcome {
        let (key, range) = split(written)?;
        let values = read_range(range).map_err(|error| fail(error, ""))?;
        let points = sweep(cases, &settings.config, key, &values).map_err(|error| fail(error, ""))?;
        if self.json {
            screen::raw(&format!("{}\n", json!({"setting": key, "points": points})));
            return Ok(Exit::Done);
        }
        let models: Vec<&String> = points.first().map(|point| point.models.keys().collect()).unwrap_or_default();
        let header = std::iter::once(key).chain(models.iter().map(|model| model.as_str()));
        let mut curve = table::new(header, screen::width());
        for point in &points {
            let mut row = vec![point.value.to_string()];
            row.extend(point.models.values().map(|model| bar(model.overall.f1)));
            curve.add_row(row);
        }
        screen::line("F1 by rules");
        screen::line(table::drawn(&curve));
        Ok(Exit::Done)
    }

    fn show_change(&self, cases: &[WhatIfCase], before: &Settings, after: &Settings) -> Outcome {
        let Change { before: old, after: new, flips: flipped } =
            change((cases, &before.config), (cases, &after.config));
        if self.json {
            let differences: Vec<_> = before
                .config
                .differences(&after.config)
                .into_iter()
                .map(|(key, from, to)| json!({"key": key, "from": from, "to": to}))
                .collect();
            screen::raw(&format!(
                "{}\n",
                json!({"changed": differences, "before": old, "after": new, "flips": flipped})
            ));
            return Ok(Exit::Done);
        }
        for (key, from, to) in before.config.differences(&after.config) {
            screen::line(format!("{key}: {from} → {}", styled(Style::Bold, to)));
        }
        screen::line(table::drawn(&compared(&old, &new)));
        screen::line(format!("{} pairs flipped", count(flipped.len() as u64)));
        for flip in flipped.iter().take(LISTED) {
            let (mark, style) = if flip.linked { ("now linked", Style::Good) } else { ("no longer", Style::Bad) };
            let text = format!(
                "{} {}: {} with {}",
                screen::harmless(&flip.case),
                screen::harmless(&flip.model),
                screen::harmless(&flip.predicted_id),
                screen::harmless(&flip.gold_id)
            );
            screen::line(format!("  {} {text}", styled(style, mark)));
        }
        if flipped.len() > LISTED {
            screen::line(styled(Style::Faint, format!("  … and {} more; --json lists them", flipped.len() - LISTED)));
        }
        Ok(Exit::Done)
    }
}

fn split(change: &str) -> Result<(&str, &str), Exit> {
    change.split_once('=').map(|(key, value)| (key.trim(), value.trim())).ok_or_else(|| {
        fail(format!("`{change}` is no setting"), "write KEY=VALUE, such as numeric_tolerance_percent=5")
    })
}

fn compared(old: &BTreeMap<String, ModelFigures>, new: &BTreeMap<String, ModelFigures>) -> comfy_table::Table {
    let mut table = table::new(["model", "precision", "recall", "f1"], screen::width());
    for (model, after) in new {
        let before = old.get(model);
        let change = |pick: fn(&ModelFigures) -> Option<f64>| {
            format!("{} → {}", figure(before.and_then(pick)), figure(pick(after)))
        };
        table.add_row([
            screen::harmless(model),
            change(|model| model.overall.precision),
            change(|model| model.overall.recall),
            change(|model| model.overall.f1),
        ]);
    }
    table
}

/// A figure with a bar beside it.
fn bar(value: Option<f64>) -> String {
    const LONGEST: f64 = 16.0;
    let length = (value.unwrap_or(0.0).clamp(0.0, 1.0) * LONGEST).round() as usize;
    format!("{} {}", figure(value), "█".repeat(length))
}
