//! Scorecards for the terminal: a row a metric, a column a model, with intervals and `n`.

use super::number::{count, dollars, figure, plural};
use super::{rubrics, table};
use crate::screen::{self, Style, styled};
use assize_core::{Method, Rating, ScoreMetric, Scorecard};
use assize_engine::run::{RunDocument, RunStatus};
use comfy_table::{Cell, Color};
use indexmap::IndexMap;

/// How much of a scorecard is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Every metric.
    Full,
    /// Of a long scorecard, the scores and what is too low.
    Brief,
}

/// More metrics than this are a long scorecard.
const LONG: usize = 15;

/// A run's scorecards, its gate and what it used.
pub(crate) fn drawn(document: &RunDocument, width: usize, detail: Detail) -> String {
    let mut parts = vec![head(document, width)];
    let names: Vec<&String> = document.models.keys().collect();
    let at_once = models_at_once(document, width);
    for some in names.chunks(at_once) {
        parts.push(figures(document, some, width, detail));
    }
    if names.is_empty() {
        parts.push("no case was judged, so there is no scorecard".to_owned());
    }
    parts.extend(rubrics::drawn(document));
    parts.extend(notes(document));
    screen::wrap(&parts.join("\n"), width)
}

/// As many models as fit beside each other with their figures whole.
fn models_at_once(document: &RunDocument, width: usize) -> usize {
    /// What comfortable columns have on both sides, and the column that says by what method.
    const PADDING: usize = 2;
    const METHOD: usize = 9;
    let metrics = || document.models.values().flat_map(|card| &card.metrics);
    let name = metrics().map(|(name, _)| name.chars().count()).max().unwrap_or(0) + PADDING;
    let figures = metrics().map(|(_, metric)| text(metric).chars().count()).max().unwrap_or(0);
    let model =
        document.models.keys().map(|name| name.chars().count().min(30)).max().unwrap_or(0).max(figures) + PADDING;
    (width.saturating_sub(name + METHOD) / model).max(1)
}

fn head(document: &RunDocument, width: usize) -> String {
    let judge = &document.judge;
    let model = match judge.model.as_str() {
        Some(name) => name.to_owned(),
        None => format!("a jury of {}", judge.model.as_array().map_or(0, Vec::len)),
    };
    let cases = &document.cases;
    let mut counts = vec![format!("{} judged", count(cases.judged))];
    if cases.failed > 0 {
        counts.push(styled(Style::Bad, format!("{} failed", count(cases.failed))));
    }
    if cases.skipped > 0 {
        counts.push(format!("{} skipped", count(cases.skipped)));
    }
    let title = styled(Style::Bold, screen::harmless(&document.suite));
    let mut counts = format!("{}: {}", plural(cases.total, "case"), counts.join(", "));
    if document.status != RunStatus::Complete {
        counts.push_str(&format!(" · {}", styled(Style::Middling, document.status.name())));
    }
    let judge = [screen::harmless(&judge.judge_use), screen::harmless(&model), judge.calibration.clone()].join(" · ");
    // Two lines where one would not fit.
    let length = [&document.suite, &judge, &counts].iter().map(|part| part.chars().count()).sum::<usize>();
    let between = if length + 5 > width { "\n" } else { " · " };
    format!("{title}  {judge}{between}{counts}")
}

fn figures(document: &RunDocument, models: &[&String], width: usize, detail: Detail) -> String {
    let names: Vec<String> = models.iter().map(|name| screen::harmless(name)).collect();
    let mut table = table::new(["metric", "by"].into_iter().chain(names.iter().map(String::as_str)), width);
    let cards: Vec<&Scorecard> = models.iter().filter_map(|name| document.models.get(*name)).collect();
    let names = metric_names(&cards);
    let brief = detail == Detail::Brief && names.len() > LONG;
    let all = names.len();
    let shown: Vec<&String> =
        names.into_iter().filter(|name| !brief || matters(name, &cards, &document.judge.headline)).collect();
    let left_out = all - shown.len();
    for name in shown {
        let found: Vec<Option<&ScoreMetric>> = cards.iter().map(|card| card.metrics.get(name)).collect();
        let methods = found.iter().flatten().map(|metric| metric.method).max().map_or("", Method::name);
        let mut row = vec![Cell::new(name), table::faint(methods)];
        row.extend(found.into_iter().map(|metric| metric.map_or_else(|| Cell::new(""), cell)));
        table.add_row(row);
    }
    let more =
        if left_out > 0 { format!("\n … {left_out} more: assize show {}", document.run_id) } else { String::new() };
    table::drawn(&table) + &more
}

/// Whether a metric is worth a row on a short scorecard: it is a score, or too low for somebody.
fn matters(name: &str, cards: &[&Scorecard], headline: &str) -> bool {
    let low = |card: &&Scorecard| {
        let rating = card.metrics.get(name).and_then(|metric| metric.rating);
        matches!(rating, Some(Rating::Fail | Rating::Blocker))
    };
    name == headline
        || name.ends_with(".score")
        || name.ends_with("rank")
        || !name.contains('.')
        || cards.iter().any(low)
}

/// The metrics of some scorecards, in the order of the first that has them.
fn metric_names<'c>(cards: &[&'c Scorecard]) -> Vec<&'c String> {
    let mut names: Vec<&String> = Vec::new();
    for name in cards.iter().flat_map(|card| card.metrics.keys()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn text(metric: &ScoreMetric) -> String {
    let interval =
        metric.interval.map(|interval| format!(" [{:.2}, {:.2}]", interval.0, interval.1)).unwrap_or_default();
    let rating = metric.rating.map(|rating| format!(" {}", rating.name())).unwrap_or_default();
    format!("{}{interval} n={}{rating}", figure(metric.value), count(metric.n))
}

fn cell(metric: &ScoreMetric) -> Cell {
    let cell = Cell::new(text(metric));
    match metric.rating {
        Some(Rating::Good) => cell.fg(Color::Green),
        Some(Rating::Acceptable) => cell.fg(Color::Yellow),
        Some(Rating::Fail | Rating::Blocker) => cell.fg(Color::Red),
        None => cell,
    }
}

/// What goes below the table: blockers, flags, failures, the gate, the usage, and how far to trust it.
fn notes(document: &RunDocument) -> Vec<String> {
    let mut notes = Vec::new();
    for (model, card) in &document.models {
        for blocker in &card.blockers {
            let cases: Vec<String> = blocker.cases.iter().take(5).map(|case| screen::harmless(case)).collect();
            let text = format!(
                "blocker: {} {} is {}, must be {} (cases: {})",
                screen::harmless(model),
                blocker.metric,
                figure(blocker.value),
                blocker.limit,
                cases.join(", ")
            );
            notes.push(styled(Style::Bad, text));
        }
    }
    if !document.failures.is_empty() {
        notes.push(styled(Style::Bad, format!("failed: {}", words(&document.failures))));
    }
    if !document.flags.is_empty() {
        notes.push(format!("flags: {}", words(&document.flags)));
    }
    for outcome in &document.gate.checks {
        let (mark, style) = if outcome.passed { ("holds", Style::Good) } else { ("fails", Style::Bad) };
        notes.push(format!(
            "gate {}: {} ({} {})",
            styled(style, mark),
            outcome.check,
            screen::harmless(&outcome.model),
            figure(outcome.value)
        ));
    }
    let usage = &document.usage;
    if usage.questions > 0 {
        let mut words = vec![
            plural(usage.questions, "question"),
            plural(usage.calls, "call"),
            format!("{} cached", count(usage.cached)),
        ];
        if usage.saved_calls > 0 {
            words.push(format!("{} saved by code", count(usage.saved_calls)));
        }
        if usage.retries > 0 {
            words.push(plural(usage.retries, "retry").replace("retrys", "retries"));
        }
        words.push(format!("{} tokens in, {} out", count(usage.input_tokens), count(usage.output_tokens)));
        words.push(dollars(usage.cost_usd));
        notes.push(words.join(" · "));
    }
    if document.judge.calibration == "uncalibrated" {
        notes.push(styled(Style::Faint, "uncalibrated: nobody has compared this judge with people's labels yet"));
    }
    notes.push(styled(Style::Faint, format!("run {}", document.run_id)));
    notes
}

/// Counts by name, in words.
fn words(counts: &IndexMap<String, u64>) -> String {
    let words: Vec<String> = counts.iter().map(|(name, number)| format!("{name} {}", count(*number))).collect();
    words.join(", ")
}
