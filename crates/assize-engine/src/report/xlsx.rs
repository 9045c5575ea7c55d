//! A run as a workbook: the scorecard, the cases, the blockers and the run itself, a sheet each.
//!
//! Text is written as text, so nothing in it is a formula; ratings have a colour and a word. The same run gives the same
//! file.

use super::{CaseRow, Cases, ReportError, scorecard};
use crate::records::RunDocument;
use assize_core::table::Row;
use assize_core::{Rating, Table, Unit};
use rust_xlsxwriter::{Color, DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::borrow::Cow;
use std::io::Write;

/// The longest text a cell holds.
const LONGEST: usize = 32_767;

/// The most rows a sheet holds, the header among them.
const MOST_ROWS: u32 = 1_048_576;

/// Writes the workbook of a run.
pub fn write(document: &RunDocument, cases: &Cases<'_>, output: &mut dyn Write) -> Result<(), ReportError> {
    let formats = Formats::new();
    let mut workbook = Workbook::new();
    // Otherwise the file would hold the time at which it was written.
    let started = document.timings.started.split('.').next().unwrap_or_default();
    if let Ok(started) = ExcelDateTime::parse_from_str(started.trim_end_matches('Z')) {
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&started));
    }
    write_scorecard(workbook.add_worksheet().set_name("Scorecard")?, &scorecard(document), &formats)?;
    write_cases(workbook.add_worksheet_with_constant_memory()?.set_name("Cases")?, document, cases, &formats)?;
    write_blockers(workbook.add_worksheet().set_name("Blockers")?, document, &formats)?;
    write_run(workbook.add_worksheet().set_name("Run")?, document, &formats)?;
    output.write_all(&workbook.save_to_buffer()?)?;
    Ok(())
}

/// How cells look.
struct Formats {
    plain: Format,
    head: Format,
    section: Format,
    score: Format,
    ratings: [(Rating, Format); 4],
}

impl Formats {
    fn new() -> Self {
        let coloured = |fill: u32, text: u32| {
            Format::new().set_background_color(Color::RGB(fill)).set_font_color(Color::RGB(text))
        };
        Self {
            plain: Format::new(),
            head: Format::new().set_bold().set_text_wrap(),
            section: Format::new().set_bold().set_background_color(Color::RGB(0x00E7_E6E6)),
            score: Format::new().set_bold(),
            ratings: [
                (Rating::Good, coloured(0x00C6_EFCE, 0x0000_6100)),
                (Rating::Acceptable, coloured(0x00FF_EB9C, 0x007F_6000)),
                (Rating::Fail, coloured(0x00FF_C7CE, 0x009C_0006)),
                (Rating::Blocker, coloured(0x009C_0006, 0x00FF_FFFF).set_bold()),
            ],
        }
    }

    /// How a figure with this rating looks.
    fn of(&self, rating: Option<Rating>, unit: Unit) -> Format {
        let rated = self.ratings.iter().find(|(known, _)| Some(*known) == rating);
        rated.map_or(&self.plain, |(_, format)| format).clone().set_num_format(number_format(unit))
    }
}

/// How a spreadsheet shows figures in a unit, as the terminal does. Numbers stay what they are.
fn number_format(unit: Unit) -> &'static str {
    match unit {
        Unit::Score => "0.000",
        Unit::Percent => "0.00\"%\"",
        Unit::Count => "#,##0.##",
        Unit::Rank => "0",
        Unit::Dollars => "$#,##0.00####",
    }
}

/// Writes the cells of one row, from left to right.
struct Line<'s> {
    sheet: &'s mut Worksheet,
    row: u32,
    column: u16,
}

impl<'s> Line<'s> {
    fn new(sheet: &'s mut Worksheet, row: u32) -> Self {
        Self { sheet, row, column: 0 }
    }

    fn text(&mut self, text: &str, format: &Format) -> Result<&mut Self, XlsxError> {
        if !text.is_empty() {
            self.sheet.write_string_with_format(self.row, self.column, shortened(text), format)?;
        }
        self.column += 1;
        Ok(self)
    }

    fn number(&mut self, number: Option<f64>, format: &Format) -> Result<&mut Self, XlsxError> {
        if let Some(number) = number {
            self.sheet.write_number_with_format(self.row, self.column, number, format)?;
        }
        self.column += 1;
        Ok(self)
    }
}

/// The header, which stays where it is while the rest moves.
fn write_head(sheet: &mut Worksheet, names: &[String], widths: &[f64], formats: &Formats) -> Result<(), XlsxError> {
    sheet.set_freeze_panes(1, 1)?;
    for (column, width) in (0..).zip(widths) {
        sheet.set_column_width(column, *width)?;
    }
    let mut line = Line::new(sheet, 0);
    for name in names {
        line.text(name, &formats.head)?;
    }
    Ok(())
}

fn write_scorecard(sheet: &mut Worksheet, table: &Table, formats: &Formats) -> Result<(), XlsxError> {
    let mut head = vec!["metric".to_owned(), "threshold".to_owned()];
    for model in &table.models {
        head.extend(["", " low", " high", " n", " rating", " by"].map(|what| format!("{model}{what}")));
    }
    write_head(sheet, &head, &[38.0, 26.0], formats)?;
    for (row, content) in (1..).zip(&table.rows) {
        let mut line = Line::new(sheet, row);
        let figure = match content {
            Row::Section { title } => {
                line.text(title, &formats.section)?;
                continue;
            }
            Row::Figure(figure) => figure,
        };
        let title = if figure.score { &formats.score } else { &formats.plain };
        line.text(&figure.marked_title(), title)?.text(&figure.threshold, &formats.plain)?;
        for cell in &figure.cells {
            let (format, bound) = (&formats.of(cell.rating, figure.unit), &formats.of(None, figure.unit));
            match cell.stand_in() {
                Some(word) => line.text(word, format)?,
                None => line.number(cell.value, format)?,
            };
            line.number(cell.ends().map(|ends| ends.0), bound)?
                .number(cell.ends().map(|ends| ends.1), bound)?
                .number(cell.n.map(|n| n as f64), &formats.plain)?
                .text(cell.rating.map_or("", Rating::name), format)?
                .text(cell.method.map_or("", |method| method.name()), &formats.plain)?;
        }
    }
    let mut below = Line::new(sheet, u32::try_from(table.rows.len()).unwrap_or(MOST_ROWS) + 2);
    for note in &table.notes {
        below.text(note, &formats.plain)?;
        below = Line::new(below.sheet, below.row + 1);
    }
    Ok(())
}

fn write_cases(
    sheet: &mut Worksheet,
    document: &RunDocument,
    cases: &Cases<'_>,
    formats: &Formats,
) -> Result<(), ReportError> {
    let metrics: Vec<(&String, Unit)> =
        cases.metrics().iter().map(|metric| (metric, document.judge.unit(metric))).collect();
    write_head(sheet, &cases.columns(), &[24.0, 16.0], formats)?;
    for (row, case) in (1..).zip(cases.rows()) {
        if row >= MOST_ROWS {
            let most = MOST_ROWS - 1;
            return Err(ReportError::Format(format!("a sheet of a workbook holds {most} cases, and there are more")));
        }
        write_case(&mut Line::new(sheet, row), &case?, &metrics, formats)?;
    }
    Ok(())
}

fn write_case(
    line: &mut Line<'_>,
    row: &CaseRow,
    metrics: &[(&String, Unit)],
    formats: &Formats,
) -> Result<(), XlsxError> {
    let (written, plain) = (&row.line, &formats.plain);
    line.text(&written.case, plain)?
        .text(&written.model, plain)?
        .number(row.repetition, plain)?
        .text(written.status.name(), plain)?
        .text(written.verdict.as_deref().unwrap_or_default(), plain)?;
    for (metric, unit) in metrics {
        let found = written.metrics.get(*metric);
        line.number(found.and_then(|found| found.value), &formats.of(found.and_then(|found| found.rating), *unit))?;
    }
    line.text(&written.flags.join(", "), plain)?
        .text(written.reason.as_deref().unwrap_or_default(), plain)?
        .text(&row.error().unwrap_or_default(), plain)?;
    Ok(())
}

fn write_blockers(sheet: &mut Worksheet, document: &RunDocument, formats: &Formats) -> Result<(), XlsxError> {
    let head = ["model", "metric", "value", "must be", "case"].map(str::to_owned);
    write_head(sheet, &head, &[24.0, 38.0, 10.0, 10.0, 30.0], formats)?;
    let mut row = 1;
    for (model, card) in &document.models {
        for blocker in &card.blockers {
            let nobody = [String::new()];
            let cases = if blocker.cases.is_empty() { nobody.as_slice() } else { blocker.cases.as_slice() };
            for case in cases {
                Line::new(sheet, row)
                    .text(model, &formats.plain)?
                    .text(&blocker.metric, &formats.plain)?
                    .number(blocker.value, &formats.of(Some(Rating::Blocker), document.judge.unit(&blocker.metric)))?
                    .text(&blocker.limit, &formats.plain)?
                    .text(case, &formats.plain)?;
                row += 1;
            }
        }
    }
    Ok(())
}

fn write_run(sheet: &mut Worksheet, document: &RunDocument, formats: &Formats) -> Result<(), XlsxError> {
    write_head(sheet, &["what".to_owned(), "value".to_owned()], &[28.0, 60.0], formats)?;
    for (row, (what, value)) in (1..).zip(particulars(document)) {
        Line::new(sheet, row).text(&what, &formats.plain)?.text(&value, &formats.plain)?;
    }
    Ok(())
}

/// What there is to know of a run beside its figures.
fn particulars(document: &RunDocument) -> Vec<(String, String)> {
    let RunDocument { judge, cases, usage, timings, .. } = document;
    let model = judge.model.as_str().map_or_else(|| judge.model.to_string(), str::to_owned);
    let mut rows: Vec<(String, String)> = [
        ("run", document.run_id.clone()),
        ("suite", document.suite.clone()),
        ("status", document.status.name().to_owned()),
        ("started", timings.started.clone()),
        ("finished", timings.finished.clone()),
        ("judge", judge.judge_use.clone()),
        ("judge model", model),
        ("judge fingerprint", judge.fingerprint.clone()),
        ("profile", judge.profile.clone().unwrap_or_default()),
        ("calibration", judge.calibration.to_string()),
        ("cases", cases.total.to_string()),
        ("judged", cases.judged.to_string()),
        ("failed", cases.failed.to_string()),
        ("skipped", cases.skipped.to_string()),
        ("questions", usage.questions.to_string()),
        ("calls", usage.calls.to_string()),
        ("cached", usage.cached.to_string()),
        ("cost in US dollars", usage.cost_usd.map_or_else(|| "not known".to_owned(), |cost| cost.to_string())),
        ("gate", if document.gate.passed { "holds" } else { "fails" }.to_owned()),
    ]
    .map(|(what, value)| (what.to_owned(), value))
    .to_vec();
    for check in &document.gate.checks {
        let found = check.value.map_or_else(|| "undefined".to_owned(), |value| value.to_string());
        let word = if check.passed { "holds" } else { "fails" };
        rows.push((format!("gate: {} ({})", check.check, check.model), format!("{word}: {found}")));
    }
    let counted = |what: &str, (name, count): (&String, &u64)| (format!("{what}: {name}"), count.to_string());
    rows.extend(document.failures.iter().map(|entry| counted("failure", entry)));
    rows.extend(document.flags.iter().map(|entry| counted("flag", entry)));
    rows
}

/// A text that fits a cell, which counts as the program that opens it does.
fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST || text.encode_utf16().count() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let mut room = LONGEST - 1;
    let kept = text.chars().take_while(|c| {
        let fits = room >= c.len_utf16();
        room = room.saturating_sub(c.len_utf16());
        fits
    });
    Cow::Owned(kept.chain(['…']).collect())
}

impl From<XlsxError> for ReportError {
    fn from(error: XlsxError) -> Self {
        Self::Format(error.to_string())
    }
}
