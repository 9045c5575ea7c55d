//! The inventory of behaviours, as a table, as Markdown and as JSON.

use super::table;
use crate::screen::{self, Style, styled};
use assize_core::number::plural;
use assize_core::table::UNDEFINED;
use assize_judges::systems::behaviour::InventoryEntry;
use serde_json::{Value, json};

/// How far a behaviour has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It has errors, or was never tried.
    Draft,
    /// A model judged all its examples right.
    Tested,
    /// A person has looked at its verdicts.
    Examined,
    /// Nothing names it.
    Unused,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Tested => "tested",
            Self::Examined => "examined",
            Self::Unused => "unused",
        }
    }
}

/// A behaviour with what has come of it.
pub(crate) struct Row {
    pub(crate) entry: InventoryEntry,
    pub(crate) status: Status,
    /// The figures of the last run, by model.
    pub(crate) last: Vec<(String, Option<f64>)>,
    pub(crate) missing: Vec<String>,
}

impl Row {
    fn weight(&self) -> String {
        self.entry.weight.map_or_else(|| UNDEFINED.to_owned(), |weight| format!("{weight}"))
    }

    fn gate(&self) -> String {
        self.entry.gate.trim_end_matches("_gate").replace('_', " ")
    }

    /// The figures of the last run: the worst and the best of several models.
    fn last(&self) -> String {
        let mut values: Vec<f64> = self.last.iter().filter_map(|(_, value)| *value).collect();
        values.sort_by(f64::total_cmp);
        match values[..] {
            [] if self.last.is_empty() => UNDEFINED.to_owned(),
            [] => "undecided".to_owned(),
            [first, .., last] if first != last => format!("{first:.2}…{last:.2}"),
            [first, ..] => format!("{first:.2}"),
        }
    }
}

const HEADER: [&str; 7] = ["behaviour", "rubric", "type", "weight", "gate", "status", "last"];

fn cells(row: &Row) -> [String; 7] {
    let rubric = row.entry.rubric.clone().unwrap_or_else(|| UNDEFINED.to_owned());
    let kind = row.entry.evaluator.replace('_', " ");
    [row.entry.code.clone(), rubric, kind, row.weight(), row.gate(), row.status.name().to_owned(), row.last()]
}

/// The inventory for a terminal of this width, with what is missing below.
pub(crate) fn table(rows: &[Row], width: usize) -> String {
    let mut table = table::new(HEADER, width);
    for row in rows {
        table.add_row(cells(row).map(|cell| screen::harmless(&cell)));
    }
    let mut lines = vec![table::drawn(&table), String::new()];
    let lacking: Vec<&Row> = rows.iter().filter(|row| !row.missing.is_empty()).collect();
    if !lacking.is_empty() {
        lines.push(styled(Style::Bold, "Missing"));
    }
    for row in lacking {
        let text = format!("{}: {}", screen::harmless(&row.entry.code), screen::harmless(&row.missing.join("; ")));
        lines.extend(screen::broken(&text, width, "  ", "    "));
    }
    let count = |status: Status| rows.iter().filter(|row| row.status == status).count();
    let all = [Status::Draft, Status::Tested, Status::Examined, Status::Unused];
    let counted: Vec<String> = all
        .into_iter()
        .filter(|status| count(*status) > 0)
        .map(|status| format!("{} {}", count(status), status.name()))
        .collect();
    lines.push(format!("{}: {}", plural(rows.len() as u64, "behaviour"), counted.join(", ")));
    lines.join("\n")
}

/// The inventory as a Markdown table.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let plain = |text: &str| text.replace('|', "\\|").replace(['\n', '\r'], " ");
    let line =
        |cells: &[String]| format!("| {} |\n", cells.iter().map(|cell| plain(cell)).collect::<Vec<_>>().join(" | "));
    let header: Vec<String> = HEADER.iter().chain(&["missing"]).map(|name| (*name).to_owned()).collect();
    let mut out = line(&header);
    out.push_str(&format!("|{}\n", " --- |".repeat(header.len())));
    for row in rows {
        let mut written = cells(row).to_vec();
        written.push(row.missing.join("; "));
        out.push_str(&line(&written));
    }
    out
}

/// The inventory for other programs.
pub(crate) fn json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let entry = &row.entry;
        let last: serde_json::Map<String, Value> =
            row.last.iter().map(|(model, value)| (model.clone(), json!(value))).collect();
        json!({
            "code": entry.code, "behaviour": entry.behaviour, "rubric": entry.rubric, "benchmark": entry.benchmark,
            "prompt": entry.prompt, "type": entry.evaluator, "weight": entry.weight, "gate": entry.gate,
            "status": row.status.name(), "examples": entry.examples, "last": last, "missing": row.missing,
        })
    };
    json!({"schema": "assize.inventory/1", "behaviours": rows.iter().map(row).collect::<Vec<_>>()})
}
