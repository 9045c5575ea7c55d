//! The figures of a scorecard, as wide as the screen: a row a figure, a column a model.
//!
//! Where there is room, a figure is one line. Where there is not, it is two: the value with its rating, and below it the
//! interval and the `n`, with the threshold and the method below the title. Models that do not fit beside each other even so
//! follow below in blocks.

use super::Detail;
use crate::render::table;
use crate::screen;
use assize_core::number::count;
use assize_core::table::{Cell as Figured, Figure, Row, UNDECIDED};
use assize_core::{Interval, Method, Rating, Table, Unit};
use comfy_table::{Attribute, Cell, Color, ColumnConstraint};
use std::ops::Range;

/// More figures than this are a long scorecard.
const LONG: usize = 15;

/// The narrowest that titles are broken to before models move into another block.
const NARROWEST_TITLE: usize = 24;

/// What lines that belong to the one above are set in by.
const INDENT: &str = "  ";

/// A space at which no line is broken.
const UNBROKEN: char = '\u{a0}';

/// The longest name of a model that is not broken.
const LONGEST_NAME: usize = 30;

/// The ways to lay out a row, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Title, method, `value [low, high] n=… rating` for each model, threshold.
    OneLine,
    /// `value rating`, and below it `[low, high] n=…`.
    TwoLines,
    /// The same with titles broken, and with intervals as short as they can be written: `.91–.98`.
    Tight,
}

/// The figures. A brief scorecard with many of them has the scores and what is too low.
pub(super) fn drawn(table: &Table, run: &str, width: usize, detail: Detail) -> String {
    let figures = table.figures().count();
    let brief = detail == Detail::Brief && figures > LONG;
    let rows = shown(table, brief);
    let left_out = figures - rows.iter().filter(|row| matches!(row, Row::Figure(_))).count();
    let layouts = [Layout::OneLine, Layout::TwoLines, Layout::Tight];
    let layout = layouts.into_iter().find(|layout| layout.fits(table, &rows, width)).unwrap_or(Layout::Tight);
    let at_once = layout.models_at_once(table, &rows, width);
    let blocks = (0..table.models.len()).step_by(at_once);
    let mut drawn: Vec<String> =
        blocks.map(|from| layout.draw(table, &rows, from..(from + at_once).min(table.models.len()), width)).collect();
    if left_out > 0 {
        drawn.push(format!(" … {left_out} more: assize show {run}"));
    }
    drawn.join("\n")
}

/// The rows to show; headings with nothing below them are left out.
fn shown(table: &Table, brief: bool) -> Vec<&Row> {
    let mut rows: Vec<&Row> = Vec::new();
    for row in &table.rows {
        match row {
            Row::Figure(figure) if brief && !matters(figure) => continue,
            Row::Section { .. } if matches!(rows.last(), Some(Row::Section { .. })) => {
                rows.pop();
            }
            _ => {}
        }
        rows.push(row);
    }
    if matches!(rows.last(), Some(Row::Section { .. })) {
        rows.pop();
    }
    rows
}

/// Whether a figure is worth a row on a short scorecard: it is a score or a final word, or too low for somebody.
fn matters(figure: &Figure) -> bool {
    figure.score || figure.is_low() || figure.unit == Unit::Rank || !figure.metric.contains('.')
}

impl Layout {
    /// Whether all models fit beside each other.
    fn fits(self, table: &Table, rows: &[&Row], width: usize) -> bool {
        self.models_at_once(table, rows, width) >= table.models.len()
    }

    fn models_at_once(self, table: &Table, rows: &[&Row], width: usize) -> usize {
        let longest = |text: &dyn Fn(&Figure) -> usize| figures(rows).map(text).max().unwrap_or(0);
        let titles = longest(&|figure| screen::columns(&figure.marked_title()));
        let beside = match self {
            Self::OneLine => {
                let by = longest(&|figure| screen::columns(method(figure)));
                let threshold = longest(&|figure| screen::columns(&figure.threshold));
                titles + 2 + by + 2 + if threshold > 0 { threshold + 2 } else { 0 }
            }
            Self::TwoLines => titles + 2,
            Self::Tight => titles.min(NARROWEST_TITLE) + 2,
        };
        let widths: Vec<usize> = (0..table.models.len()).map(|model| self.model_width(table, rows, model)).collect();
        let room = width.saturating_sub(beside);
        if widths.iter().sum::<usize>() <= room {
            return widths.len().max(1);
        }
        (room / widths.iter().max().copied().unwrap_or(1)).max(1)
    }

    /// The width of a model's column, with the spaces beside it.
    fn model_width(self, table: &Table, rows: &[&Row], model: usize) -> usize {
        let cells = figures(rows).filter_map(|figure| Some((figure, figure.cells.get(model)?)));
        let lines = cells.flat_map(|(figure, cell)| self.lines(figure, cell));
        let name = table.models.get(model).map_or(0, |name| screen::columns(name).min(LONGEST_NAME));
        lines.map(|line| screen::columns(&line)).max().unwrap_or(0).max(name) + if self == Self::Tight { 1 } else { 2 }
    }

    /// What stands in a cell, line by line.
    fn lines(self, figure: &Figure, cell: &Figured) -> Vec<String> {
        let undecided = cell.bounds.filter(|_| cell.value.is_none());
        let interval = match (undecided, cell.interval) {
            (Some(_), _) => Some(UNDECIDED.to_owned()),
            (None, Some(interval)) if self == Self::Tight => tight(interval),
            (None, Some(interval)) => {
                Some(format!("[{}, {}]", bound(figure.unit, interval.0), bound(figure.unit, interval.1)))
            }
            (None, None) => None,
        };
        let n = cell.n.map(|n| format!("n={}", count(n)));
        // A word says it all.
        let rating = cell.rating.map(rating).filter(|_| cell.word().is_none());
        let value = match undecided {
            Some(bounds) if self == Self::Tight && cell.text == figure.unit.show_bounds(bounds) => {
                // Ends that differ are written so that they do.
                Some(tight_ends(bounds.0, bounds.1, " … ")).filter(|text| !text.is_empty()).or(Some(cell.text.clone()))
            }
            _ => Some(screen::harmless(&cell.text)).filter(|text| !text.is_empty()),
        };
        match self {
            Self::OneLine => vec![joined([value, interval, n, rating])],
            Self::TwoLines | Self::Tight => vec![joined([value, rating]), joined([interval, n])],
        }
    }

    fn draw(self, scorecard: &Table, rows: &[&Row], models: Range<usize>, width: usize) -> String {
        let names: Vec<String> = scorecard.models[models.clone()].iter().map(|name| screen::harmless(name)).collect();
        let thresholds = self == Self::OneLine && figures(rows).any(|figure| !figure.threshold.is_empty());
        let taken: usize = models.clone().map(|model| self.model_width(scorecard, rows, model)).sum();
        let room = width.saturating_sub(taken + 2);
        let mut header = vec!["metric"];
        header.extend((self == Self::OneLine).then_some("by"));
        header.extend(names.iter().map(String::as_str));
        header.extend(thresholds.then_some("threshold"));
        let columns = header.len();
        let mut table = table::new(header, width);
        for row in rows {
            match row {
                Row::Section { title } => {
                    for line in screen::wrap(title, if self == Self::Tight { room } else { width }).lines() {
                        let mut cells = vec![Cell::new(line).add_attribute(Attribute::Bold)];
                        cells.resize(columns, Cell::new(""));
                        table.add_row(cells);
                    }
                }
                Row::Figure(figure) if self == Self::OneLine => {
                    let mut cells = vec![title(figure, &figure.marked_title()), table::faint(method(figure))];
                    cells.extend(figure.cells[models.clone()].iter().map(|cell| self.cell(figure, cell, 0)));
                    cells.extend(thresholds.then(|| table::faint(&figure.threshold)));
                    table.add_row(cells);
                }
                Row::Figure(figure) => self.add_lines(figure, models.clone(), room, &mut table),
            }
        }
        for column in table.column_iter_mut().skip(1) {
            // Figures stay whole.
            column.set_constraint(ColumnConstraint::ContentWidth);
            if self == Self::Tight {
                column.set_padding((0, 1));
            }
        }
        table::drawn(&table)
    }

    /// Adds a figure over several lines: its title, then what belongs to it.
    fn add_lines(self, figure: &Figure, models: Range<usize>, room: usize, table: &mut comfy_table::Table) {
        let cells = &figure.cells[models];
        let label = self.label(figure, room);
        let lines =
            cells.iter().flat_map(|cell| self.lines(figure, cell).into_iter().rposition(|line| !line.is_empty())).max();
        for at in 0..label.len().max(lines.map_or(0, |last| last + 1)) {
            let (text, is_title) = label.get(at).map_or(("", false), |(text, is_title)| (text, *is_title));
            let first = if is_title { title(figure, text) } else { table::faint(text) };
            table.add_row(
                std::iter::once(first).chain(cells.iter().map(|cell| self.cell(figure, cell, at))).collect::<Vec<_>>(),
            );
        }
    }

    /// The title and, below it, the threshold and the method, as lines; each with whether it belongs to the title.
    fn label(self, figure: &Figure, room: usize) -> Vec<(String, bool)> {
        // Where every character counts, what was computed exactly needs no word.
        let method = Some(method(figure)).filter(|method| self != Self::Tight || *method != Method::Code.name());
        let below = [Some(figure.threshold.as_str()), method].into_iter().flatten().filter(|text| !text.is_empty());
        // A line never ends with the dot.
        let below = below.collect::<Vec<_>>().join(&format!(" ·{UNBROKEN}"));
        let mut lines: Vec<(String, bool)> =
            wrapped(&figure.marked_title(), room, "").map(|line| (line, true)).collect();
        if below.is_empty() {
            return lines;
        }
        match lines.last_mut().filter(|(last, _)| last.starts_with(INDENT)) {
            // A title that was broken leaves room behind it.
            Some((last, _)) if screen::columns(last) + 3 + screen::columns(&below) <= room => {
                last.push_str(" · ");
                last.push_str(&below.replace(UNBROKEN, " "));
            }
            _ => lines.extend(wrapped(&below, room, INDENT).map(|line| (line, false))),
        }
        lines
    }

    /// A line of a cell: the value in the colour of its rating, what belongs to it faint.
    fn cell(self, figure: &Figure, cell: &Figured, at: usize) -> Cell {
        let text = self.lines(figure, cell).into_iter().nth(at).unwrap_or_default();
        if at > 0 {
            return table::faint(&text);
        }
        match cell.rating {
            Some(Rating::Good) => Cell::new(text).fg(Color::Green),
            Some(Rating::Acceptable) => Cell::new(text).fg(Color::Yellow),
            Some(Rating::Fail | Rating::Blocker) => Cell::new(text).fg(Color::Red),
            None => Cell::new(text),
        }
    }
}

fn figures<'r>(rows: &'r [&Row]) -> impl Iterator<Item = &'r Figure> {
    rows.iter().filter_map(|row| if let Row::Figure(figure) = row { Some(figure) } else { None })
}

fn title(figure: &Figure, text: &str) -> Cell {
    if figure.score { Cell::new(text).add_attribute(Attribute::Bold) } else { Cell::new(text) }
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A text in lines of this width at most, those after the first set in.
fn wrapped(text: &str, room: usize, first: &str) -> impl Iterator<Item = String> + use<> {
    screen::broken(text, room, first, INDENT).into_iter().map(|line| line.replace(UNBROKEN, " "))
}

/// By what method the figures of a row came about, as far as one word can say it.
fn method(figure: &Figure) -> &'static str {
    figure.method().map_or("", |method| method.name())
}

/// A rating in words; one that disqualifies stands out without colour too.
fn rating(rating: Rating) -> String {
    if rating == Rating::Blocker { "BLOCKER".to_owned() } else { rating.name().to_owned() }
}

/// The end of an interval; of a score, as many decimals as an interval is worth.
fn bound(unit: Unit, value: f64) -> String {
    if unit == Unit::Score { format!("{value:.2}") } else { unit.show(value) }
}

/// An interval without the zero before the point and without decimals that say nothing: `.91–.98`, `0–.04`, `.5–1`. One
/// without any width says no more than the figure itself.
fn tight(interval: Interval) -> Option<String> {
    (interval.0 < interval.1).then(|| format!("{}–{}", short(interval.0), short(interval.1)))
}

/// Two ends in short; nothing where they would look the same.
fn tight_ends(one: f64, other: f64, between: &str) -> String {
    let (one, other) = (short(one), short(other));
    if one == other { String::new() } else { format!("{one}{between}{other}") }
}

fn short(value: f64) -> String {
    let text = if value.abs() < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") };
    let text = text.strip_suffix(".00").map_or(text.clone(), str::to_owned);
    match text.strip_prefix("0.") {
        Some(decimals) => format!(".{decimals}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_short_and_say_the_same() {
        let written =
            [(0.914, 0.98), (0.0, 0.04), (0.5, 1.0), (0.996, 0.999), (5.556, 5.556), (0.78, 11.96), (-0.2, 0.1)]
                .map(|(low, high)| tight(Interval(low, high)).unwrap_or_default());
        assert_eq!(written, [".91–.98", "0–.04", ".50–1", "1–1", "", ".78–12", "-0.20–.10"]);
    }

    /// A scorecard whose names and titles are twice as wide as they are long.
    fn japanese() -> Table {
        let cell = |value: f64| Figured {
            text: format!("{value:.3}"),
            value: Some(value),
            rating: Some(Rating::Good),
            method: Some(Method::Code),
            ..Figured::default()
        };
        let figure = |title: &str, values: [f64; 2]| {
            Row::Figure(Figure {
                metric: title.to_owned(),
                title: title.to_owned(),
                threshold: "≥ 0.80".to_owned(),
                cells: values.map(cell).to_vec(),
                ..Figure::default()
            })
        };
        Table {
            models: vec!["東京の大きな言語モデル".to_owned(), "大阪の小さな言語模型".to_owned()],
            rows: vec![
                Row::Section { title: "回答の品質".to_owned() },
                figure("回答の正確さと根拠の明確さ", [0.912, 0.871]),
                figure("accuracy", [0.5, 0.6]),
            ],
            notes: Vec::new(),
        }
    }

    /// In one line a figure would take 88 columns: 28 for the title, 46 for the models, 14 for method and threshold.
    #[test]
    fn columns_line_up_where_characters_are_wide() {
        let lines = [
            (" metric", "東京の大きな言語モデル", "大阪の小さな言語模型"),
            (" 回答の品質", "", ""),
            (" 回答の正確さと根拠の明確さ", "0.912 good", "0.871 good"),
            ("   ≥ 0.80 · code", "", ""),
            (" accuracy", "0.500 good", "0.600 good"),
            ("   ≥ 0.80 · code", "", ""),
        ];
        let expected: Vec<String> = lines
            .into_iter()
            .map(|(title, first, second)| {
                let line = format!("{}{}{second}", screen::padded(title, 29), screen::padded(first, 24));
                line.trim_end().to_owned()
            })
            .collect();
        assert_eq!(drawn(&japanese(), "r1", 80, Detail::Full).lines().collect::<Vec<_>>(), expected);
    }
}
