//! Two runs side by side, for the terminal and as Markdown: in words first, then in figures.

use super::{markdown, table};
use crate::screen::{self, Style, styled};
use assize_core::Unit;
use assize_core::number::{count, plural};
use assize_core::table::UNDEFINED;
use assize_engine::compare::{
    CasePair, Change, Comparison, Finding, MetricComparison, ModelComparison, NamedCases, RunSide, VerdictCount,
};
use comfy_table::{Attribute, Cell, Color};
use std::fmt::Write as _;

/// As many cases as are named in a line, and as many figures of a flip.
const NAMED: usize = 5;

/// The longest reason that is shown of a flip.
const LONGEST: usize = 240;

/// A comparison for the terminal.
pub(crate) fn drawn(comparison: &Comparison, width: usize) -> String {
    let mut parts = if comparison.a == comparison.b {
        vec![side("A, B", &comparison.a)]
    } else {
        vec![side("A", &comparison.a), side("B", &comparison.b)]
    };
    parts.extend([comparison.subject.words().to_owned(), shared(comparison)]);
    let warnings = comparison.warnings.iter();
    parts.extend(
        warnings.map(|warning| format!("{} {}", styled(Style::Middling, "warning:"), screen::harmless(warning))),
    );
    for model in &comparison.models {
        parts.push(String::new());
        let name = styled(Style::Bold, screen::harmless(&title(model)));
        parts.push(format!("{name}, {}: {}", plural(model.shared, "case"), summed_up(model)));
        parts.push(figures(model, width));
        parts.extend(same(model));
        parts.extend(verdicts(&model.verdicts));
    }
    parts.extend(flips(comparison));
    screen::wrap(&parts.join("\n"), width)
}

fn side(name: &str, side: &RunSide) -> String {
    format!("{} {}", styled(Style::Bold, name), screen::harmless(&particulars(side)))
}

fn particulars(side: &RunSide) -> String {
    let model = side.judge.model.as_str().map_or_else(|| "a jury".to_owned(), str::to_owned);
    format!(
        "{}  {} · {} · {model} · {}/{} judged",
        side.run_id,
        side.suite,
        side.judge.judge_use,
        count(side.cases.judged),
        count(side.cases.total)
    )
}

/// The models' name, or both where they differ.
fn title(model: &ModelComparison) -> String {
    if model.a == model.b { model.a.clone() } else { format!("{} (A) against {} (B)", model.a, model.b) }
}

/// All figures in a sentence.
fn summed_up(model: &ModelComparison) -> String {
    let figures = |finding: Finding| model.metrics.iter().filter(|metric| metric.finding == finding).count();
    format!(
        "of {} B is better in {}, worse in {}, not distinguishable on these cases in {}, the same in {}",
        plural(model.metrics.len() as u64, "figure"),
        figures(Finding::Better),
        figures(Finding::Worse),
        figures(Finding::NotDistinguishable),
        figures(Finding::Same)
    )
}

/// How many cases could be compared, and which could not.
fn shared(comparison: &Comparison) -> String {
    let mut words = vec![format!("{} judged in both", plural(comparison.shared, "case"))];
    let others = [
        (&comparison.only_a, "only in A"),
        (&comparison.only_b, "only in B"),
        (&comparison.not_judged, "not judged in both"),
    ];
    words.extend(
        others
            .into_iter()
            .filter(|(cases, _)| cases.count > 0)
            .map(|(cases, what)| format!("{} {what} ({})", count(cases.count), names(cases))),
    );
    words.join("; ")
}

fn names(cases: &NamedCases) -> String {
    let mut names: Vec<String> = cases.cases.iter().take(NAMED).map(|name| screen::harmless(&name.case)).collect();
    let more = cases.count.saturating_sub(names.len() as u64);
    if more > 0 {
        names.push(format!("and {} more", count(more)));
    }
    names.join(", ")
}

/// The figures that differ in some case, two lines each.
fn figures(model: &ModelComparison, width: usize) -> String {
    let differing: Vec<&MetricComparison> =
        model.metrics.iter().filter(|metric| metric.finding != Finding::Same).collect();
    if differing.is_empty() {
        return "no figure differs in any case".to_owned();
    }
    let mut table = table::new(["metric", "A → B, difference [95 % interval]"], width);
    for metric in differing {
        let values = format!("{} → {}  {}", metric.unit.show(metric.a), metric.unit.show(metric.b), difference(metric));
        table.add_row([Cell::new(screen::harmless(&metric.metric)), Cell::new(values)]);
        let counts =
            format!("{} better, {} worse, {} same", count(metric.better), count(metric.worse), count(metric.same));
        let finding = Cell::new(format!("  {}", finding(metric)));
        let finding = match metric.finding {
            Finding::Better => finding.fg(Color::Green).add_attribute(Attribute::Bold),
            Finding::Worse => finding.fg(Color::Red).add_attribute(Attribute::Bold),
            _ => finding.fg(Color::DarkGrey),
        };
        table.add_row([finding, table::faint(&counts)]);
    }
    table::drawn(&table)
}

/// The difference with its interval, both with their signs.
fn difference(metric: &MetricComparison) -> String {
    // Over many cases a difference can be certain and tiny.
    let tiny = metric.unit == Unit::Score && metric.difference != 0.0 && metric.difference.abs() < 0.0005;
    let signed = |value: f64| if tiny { format!("{value:+.6}") } else { metric.unit.show_difference(value) };
    let interval = metric.interval.map(|interval| format!(" [{}, {}]", signed(interval.0), signed(interval.1)));
    format!("{}{}", signed(metric.difference), interval.unwrap_or_default())
}

/// What follows, with the p-value that counts.
fn finding(metric: &MetricComparison) -> String {
    let p = match metric.p_corrected {
        Some(p) if p < 0.001 => ", p < 0.001".to_owned(),
        Some(p) => format!(", p {p:.3}"),
        None => String::new(),
    };
    format!("{}{p}", metric.finding.words())
}

fn same(model: &ModelComparison) -> Option<String> {
    let same =
        model.metrics.iter().filter(|metric| metric.finding == Finding::Same).map(|metric| metric.metric.as_str());
    let same: Vec<&str> = same.collect();
    (!same.is_empty()).then(|| styled(Style::Faint, format!("the same in every case: {}", same.join(", "))))
}

fn verdicts(verdicts: &[VerdictCount]) -> Option<String> {
    let changed: Vec<String> = verdicts
        .iter()
        .filter(|verdict| verdict.a != verdict.b)
        .map(|verdict| format!("{} {}", change(&verdict.a, &verdict.b), count(verdict.cases)))
        .collect();
    let unchanged: u64 = verdicts.iter().filter(|verdict| verdict.a == verdict.b).map(|verdict| verdict.cases).sum();
    let changed = if changed.is_empty() { "none changed".to_owned() } else { changed.join(", ") };
    (!verdicts.is_empty()).then(|| format!("verdicts: {changed}; {} unchanged", count(unchanged)))
}

fn change(a: &Option<String>, b: &Option<String>) -> String {
    let word = |verdict: &Option<String>| verdict.as_deref().map_or_else(|| UNDEFINED.to_owned(), screen::harmless);
    format!("{} → {}", word(a), word(b))
}

fn flips(comparison: &Comparison) -> Vec<String> {
    if comparison.flipped == 0 {
        return Vec::new();
    }
    let mut lines = vec![String::new(), styled(Style::Bold, format!("{} flipped", plural(comparison.flipped, "case")))];
    for flip in &comparison.flips.listed {
        let model = if comparison.models.len() > 1 { format!(" ({})", flip.model_b) } else { String::new() };
        let verdict = flip.verdict.as_ref().map(|verdict| format!("  {}", change(&verdict.a, &verdict.b)));
        let name = format!("{}{}", screen::harmless(&name(flip)), screen::harmless(&model));
        lines.push(format!("{}{}", styled(Style::Bold, name), verdict.unwrap_or_default()));
        lines.extend(figures_of(flip).into_iter().map(|line| format!("  {line}")));
        let Change { a, b } = &flip.reason;
        if a != b {
            lines.extend(
                [("A", a), ("B", b)].into_iter().filter_map(|(side, reason)| {
                    reason.as_ref().map(|reason| format!("  {side}: {}", shortened(reason)))
                }),
            );
        }
    }
    let more = comparison.flipped.saturating_sub(comparison.flips.listed.len() as u64);
    if more > 0 {
        lines.push(styled(Style::Faint, format!("… and {} more; --flips N shows more of them", count(more))));
    }
    lines
}

fn name(flip: &CasePair) -> String {
    flip.run.map_or_else(|| flip.case.clone(), |run| format!("{} run {run}", flip.case))
}

/// The figures that flipped: those with reasons of their own a line each, the others together.
fn figures_of(flip: &CasePair) -> Vec<String> {
    let (mut lines, mut others) = (Vec::new(), Vec::new());
    for figure in &flip.figures {
        let word = match figure.better {
            Some(true) => " better",
            Some(false) => " worse",
            None => "",
        };
        // Figures flip between yes and no, which have no decimals.
        let value = |value: f64| if figure.unit == Unit::Score { value.to_string() } else { figure.unit.show(value) };
        let values =
            format!("{} {} → {}{word}", screen::harmless(&figure.metric), value(figure.value.a), value(figure.value.b));
        match (&figure.reason.a, &figure.reason.b) {
            (Some(a), Some(b)) if a != b && lines.len() < NAMED => {
                lines.push(format!("{values}: {} → {}", shortened(a), shortened(b)));
            }
            _ => others.push(values),
        }
    }
    if !others.is_empty() {
        let more = others.len().saturating_sub(NAMED);
        others.truncate(NAMED);
        if more > 0 {
            others.push(format!("and {more} more"));
        }
        lines.push(others.join(", "));
    }
    lines
}

fn shortened(text: &str) -> String {
    let words = screen::harmless(text).split_whitespace().collect::<Vec<_>>().join(" ");
    screen::shortened(&words, LONGEST + 1)
}

/// A comparison as Markdown.
pub(crate) fn markdown(comparison: &Comparison) -> String {
    let escape = markdown::escape;
    let mut text = format!("## {} against {}\n\n", comparison.a.run_id, comparison.b.run_id);
    // Writing to a String cannot fail.
    for (name, side) in [("A", &comparison.a), ("B", &comparison.b)] {
        let _ = writeln!(text, "- {name}: {}", escape(&particulars(side)));
    }
    let _ = writeln!(text, "\n{}. {}.\n", sentence(comparison.subject.words()), escape(&shared(comparison)));
    for warning in &comparison.warnings {
        let _ = writeln!(text, "**Warning:** {}\n", escape(warning));
    }
    for model in &comparison.models {
        let _ = writeln!(
            text,
            "### {}\n\n{}.\n\n| Metric | A | B | B − A (95 %) | Better | Worse | Same | B is |\n| --- | ---: | ---: | --- | ---: | ---: | ---: | --- |",
            escape(&title(model)),
            sentence(&summed_up(model))
        );
        for metric in &model.metrics {
            let strong = if matches!(metric.finding, Finding::Better | Finding::Worse) { "**" } else { "" };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {strong}{}{strong} |",
                escape(&metric.metric),
                metric.unit.show(metric.a),
                metric.unit.show(metric.b),
                escape(&difference(metric)),
                metric.better,
                metric.worse,
                metric.same,
                escape(&finding(metric))
            );
        }
        text.push('\n');
        if let Some(verdicts) = verdicts(&model.verdicts) {
            let _ = writeln!(text, "{}.\n", escape(&sentence(&verdicts)));
        }
    }
    if comparison.flipped > 0 {
        let _ = writeln!(text, "### {} flipped\n", plural(comparison.flipped, "case"));
        for flip in &comparison.flips.listed {
            let verdict = flip.verdict.as_ref().map(|verdict| format!(": {}", change(&verdict.a, &verdict.b)));
            let _ = writeln!(text, "- **{}**{}", escape(&name(flip)), escape(&verdict.unwrap_or_default()));
            for line in figures_of(flip) {
                let _ = writeln!(text, "  - {}", escape(&line));
            }
            for (side, reason) in [("A", &flip.reason.a), ("B", &flip.reason.b)] {
                if let Some(reason) = reason.as_ref().filter(|_| flip.reason.a != flip.reason.b) {
                    let _ = writeln!(text, "  - {side}: {}", escape(&shortened(reason)));
                }
            }
        }
        let more = comparison.flipped.saturating_sub(comparison.flips.listed.len() as u64);
        if more > 0 {
            let _ = writeln!(text, "- … and {more} more");
        }
    }
    text
}

/// Words with a capital letter in front.
fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
