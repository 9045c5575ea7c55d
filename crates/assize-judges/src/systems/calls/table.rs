//! The scorecard of the models in its fixed order, with its titles and thresholds.

use super::metrics::{self, METRICS, Row as Metric, Section, binary_name};
use assize_core::table::{Cell, Figure, Row, UNDECIDED, UNDEFINED};
use assize_core::{Bounds, Rating, Scorecard, Summary, Table, Unit};
use serde::Deserialize;
use serde_json::{Value, json};

/// What stands for a section that no case of the model tests.
const NOT_TESTED: &str = "not tested";
/// What stands for a figure where nothing that it counts occurs in any case.
const NOT_APPLICABLE: &str = "not applicable";
/// What stands for a figure whose outputs could not be scored.
const INVALID: &str = "invalid";
/// What stands for the rank of a model that has none.
const DISQUALIFIED: &str = "disqualified";

/// The table of a run: the ranked models first, those that are disqualified last.
pub(super) fn table(summary: &Summary) -> Table {
    let mut models: Vec<(&String, &Scorecard)> = summary.models.iter().collect();
    let rank = |card: &Scorecard| card.metrics.get("final.rank").and_then(|rank| rank.value).unwrap_or(f64::INFINITY);
    models.sort_by(|(_, one), (_, other)| {
        one.disqualified.cmp(&other.disqualified).then(rank(one).total_cmp(&rank(other)))
    });
    let cards: Vec<&Scorecard> = models.iter().map(|(_, card)| *card).collect();
    let mut table = Table { models: models.iter().map(|(name, _)| (*name).clone()).collect(), ..Table::default() };
    let mut section = None;
    for row in METRICS.iter().filter(|row| row.on_scorecard) {
        if section != Some(row.section) {
            section = Some(row.section);
            table.rows.push(Row::Section { title: row.section.title().to_owned() });
            if row.section == Section::Final {
                table.rows.extend(final_scores(&cards));
            }
        }
        table.rows.push(Row::Figure(Figure {
            metric: row.name.to_owned(),
            title: row.title.to_owned(),
            score: row.name == row.section.score(),
            blocker: row.is_blocker(),
            threshold: row.threshold.to_owned(),
            cells: cards.iter().map(|card| cell(card, row)).collect(),
            ..Figure::default()
        }));
    }
    table.rows.push(any_blocker(&cards));
    table.notes = notes(summary);
    table
}

/// The notes on all scorecards, each once; one that does not hold for all models names those it holds for.
fn notes(summary: &Summary) -> Vec<String> {
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (model, card) in &summary.models {
        let own = card.sections.get("notes").and_then(Value::as_array).into_iter().flatten();
        for note in own.filter_map(Value::as_str) {
            match notes.iter_mut().find(|(known, _)| *known == note) {
                Some((_, models)) => models.push(model),
                None => notes.push((note, vec![model])),
            }
        }
    }
    let said = |(note, models): (&str, Vec<&str>)| {
        if models.len() == summary.models.len() { note.to_owned() } else { format!("{}: {note}", models.join(", ")) }
    };
    notes.into_iter().map(said).collect()
}

fn cell(card: &Scorecard, row: &Metric) -> Cell {
    let Some(metric) = card.metrics.get(row.name) else {
        let is_score = row.name == row.section.score();
        return Cell { text: if is_score { NOT_TESTED } else { "" }.to_owned(), ..Cell::default() };
    };
    let shown = match (metric.value, metric.bounds) {
        (Some(value), _) => row.unit.show(value),
        (None, Some(bounds)) => row.unit.show_bounds(bounds),
        (None, None) => without_figure(card, row),
    };
    // A benchmark is shown by its binary, with what it was measured from.
    let binary = metrics::benchmarks().any(|benchmark| benchmark.name == row.name);
    let text = match card.metrics.get(&binary_name(row.name)).and_then(|metric| metric.value).filter(|_| binary) {
        Some(pass) => format!("{pass} ({shown})"),
        None => shown,
    };
    let cases = card.blockers.iter().find(|blocker| blocker.metric == row.name).map(|blocker| blocker.cases.clone());
    let known = metric.value.is_some() || metric.bounds.is_some();
    Cell {
        text,
        value: metric.value,
        bounds: metric.bounds,
        n: known.then_some(metric.n),
        rating: metric.rating,
        method: known.then_some(metric.method),
        interval: metric.interval,
        cases: cases.unwrap_or_default(),
    }
}

/// The word for a figure that is neither decided nor between bounds.
fn without_figure(card: &Scorecard, row: &Metric) -> String {
    let task = card.sections.get("tasks").and_then(|tasks| tasks.get(row.section.key()));
    let of_task = |key: &str| task.and_then(|task| task.get(key));
    let reason = of_task("score_is_null").and_then(Value::as_str).unwrap_or_default();
    let word = match row.section {
        Section::Final if row.unit == Unit::Rank && card.disqualified => DISQUALIFIED,
        Section::Final if row.unit == Unit::Rank && is_undecided(card) => UNDECIDED,
        Section::Final => UNDEFINED,
        _ if of_task("scored").and_then(Value::as_u64) == Some(0) => INVALID,
        _ if row.name == row.section.score() && reason.starts_with(INVALID) => INVALID,
        _ => NOT_APPLICABLE,
    };
    word.to_owned()
}

const WITH_BENCHMARKS: &str = "with_benchmarks";

fn final_scores(cards: &[&Scorecard]) -> [Row; 2] {
    let row = |key: &str, title: &str, threshold: &str| {
        Row::Figure(Figure {
            metric: format!("final.{key}"),
            title: title.to_owned(),
            score: true,
            threshold: threshold.to_owned(),
            cells: cards.iter().map(|card| final_score(card, key)).collect(),
            ..Figure::default()
        })
    };
    [
        row(WITH_BENCHMARKS, "Final Score (with benchmarks)", "Option A"),
        row("without_benchmarks", "Final Score (without benchmarks)", "Option B"),
    ]
}

fn final_score(card: &Scorecard, key: &str) -> Cell {
    let section = card.sections.get("final");
    let of = |key: &str| section.and_then(|section| section.get(key));
    let value = of(key).and_then(Value::as_f64);
    let bounds = of("bounds").and_then(|bounds| Bounds::deserialize(bounds.get(key)?).ok());
    let known = value.is_some() || bounds.is_some();
    let method = card.metrics.get(Section::Final.score()).map(|metric| metric.method).filter(|_| known);
    let invalid = of("invalid").and_then(Value::as_array).is_some_and(|tasks| !tasks.is_empty());
    let text = match (value, bounds) {
        (Some(value), _) => Unit::Score.show(value),
        (None, Some(bounds)) => Unit::Score.show_bounds(bounds),
        (None, None) if key == WITH_BENCHMARKS && of("option") != Some(&json!("A")) => NOT_TESTED.to_owned(),
        (None, None) if invalid => INVALID.to_owned(),
        (None, None) => NOT_APPLICABLE.to_owned(),
    };
    Cell { text, value, bounds, method, ..Cell::default() }
}

/// Whether it is open that something disqualifies the model.
fn is_undecided(card: &Scorecard) -> bool {
    card.sections.get("undecided_blockers").and_then(Value::as_array).is_some_and(|names| !names.is_empty())
}

fn any_blocker(cards: &[&Scorecard]) -> Row {
    let cell = |card: &&Scorecard| Cell {
        text: match () {
            () if card.disqualified => "Yes",
            () if is_undecided(card) => "Undecided",
            () => "No",
        }
        .to_owned(),
        rating: card.disqualified.then_some(Rating::Blocker),
        ..Cell::default()
    };
    Row::Figure(Figure {
        metric: "blockers".into(),
        title: "Any Blocker Triggered?".into(),
        threshold: "Yes / No".into(),
        cells: cards.iter().map(cell).collect(),
        ..Figure::default()
    })
}
