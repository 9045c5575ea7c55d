//! Scorecards for the terminal: the run in a line or two, its figures, and what must be known beside them.

mod figures;
mod notes;

use super::rubrics;
use crate::screen::{self, Style, styled};
use assize_core::number::{count, plural};
use assize_engine::records::{RunDocument, RunStatus};
use assize_engine::report::scorecard;

/// How much of a scorecard is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Every metric.
    Full,
    /// Of a long scorecard, the scores and what is too low.
    Brief,
}

/// A run's scorecards, its gate and what it used.
pub(crate) fn drawn(document: &RunDocument, width: usize, detail: Detail) -> String {
    let table = scorecard(document);
    let mut parts = vec![head(document, width)];
    if table.models.is_empty() {
        parts.push("no case was judged, so there is no scorecard".to_owned());
    } else {
        parts.push(figures::drawn(&table, &document.run_id, width, detail));
    }
    parts.extend(rubrics::drawn(document));
    parts.extend(notes::drawn(document, &table));
    screen::wrap(&parts.join("\n"), width)
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
    let judge =
        [screen::harmless(&judge.judge_use), screen::harmless(&model), judge.calibration.to_string()].join(" · ");
    // Two lines where one would not fit.
    let length = [&title, &judge, &counts].iter().map(|part| screen::columns(part)).sum::<usize>();
    let between = if length + 5 > width { "\n" } else { " · " };
    format!("{title}  {judge}{between}{counts}")
}
