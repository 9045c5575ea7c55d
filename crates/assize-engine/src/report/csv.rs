//! CSV for spreadsheets: the scorecard with the models side by side, or the cases with a line each.
//!
//! No cell is a formula for the program that opens it: a text that would be one gets an apostrophe in front, which is what
//! spreadsheets themselves write to say that a cell is text.

use super::{CaseRow, Cases, ReportError};
use assize_core::Table;
use std::borrow::Cow;
use std::io::Write;

/// Writes the scorecard: a line for each figure, and for each model its value, interval, `n`, rating and method.
pub fn write_scorecard(table: &Table, output: impl Write) -> Result<(), ReportError> {
    let mut sheet = sheet(output);
    let mut head: Vec<String> = ["section", "metric", "title", "blocker", "threshold"].map(str::to_owned).to_vec();
    for model in &table.models {
        head.extend(["", " low", " high", " n", " rating", " method"].map(|what| format!("{model}{what}")));
    }
    sheet.write_record(head.iter().map(|name| harmless(name).into_owned()))?;
    for (section, figure) in table.figures() {
        let blocker = if figure.blocker { "yes" } else { "no" };
        let mut row: Vec<String> =
            [section, &figure.metric, &figure.title, blocker, &figure.threshold].map(str::to_owned).to_vec();
        for cell in &figure.cells {
            row.extend([
                cell.stand_in().map_or_else(|| number(cell.value), str::to_owned),
                number(cell.ends().map(|ends| ends.0)),
                number(cell.ends().map(|ends| ends.1)),
                cell.n.map(|n| n.to_string()).unwrap_or_default(),
                cell.rating.map(|rating| rating.name().to_owned()).unwrap_or_default(),
                cell.method.map(|method| method.name().to_owned()).unwrap_or_default(),
            ]);
        }
        sheet.write_record(row.iter().map(|field| harmless(field).into_owned()))?;
    }
    sheet.flush()?;
    Ok(())
}

/// Writes the cases, a line each, as they come from the store.
pub fn write_cases(cases: &Cases<'_>, output: impl Write) -> Result<(), ReportError> {
    let mut sheet = sheet(output);
    let mut write = |row: &[String]| sheet.write_record(row.iter().map(|field| harmless(field).into_owned()));
    write(&cases.columns())?;
    for row in cases.rows() {
        write(&fields(&row?, cases.metrics()))?;
    }
    sheet.flush()?;
    Ok(())
}

fn fields(row: &CaseRow, metrics: &[String]) -> Vec<String> {
    let line = &row.line;
    let verdict = line.verdict.clone().unwrap_or_default();
    let before = [line.case.clone(), line.model.to_string(), number(row.repetition), line.status.to_string(), verdict];
    let reason = line.reason.clone().unwrap_or_default();
    let behind = [line.flags.join(", "), reason, row.error().unwrap_or_default()];
    before.into_iter().chain(metrics.iter().map(|metric| number(row.value(metric)))).chain(behind).collect()
}

fn number(number: Option<f64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

fn sheet<W: Write>(output: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(output)
}

/// A field that no spreadsheet takes for a formula. Numbers stay numbers.
fn harmless(field: &str) -> Cow<'_, str> {
    let number = || field.parse::<f64>().is_ok_and(f64::is_finite);
    if field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && !number() {
        Cow::Owned(format!("'{field}"))
    } else {
        Cow::Borrowed(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::table::{Cell, Figure, Row};
    use assize_core::{Interval, Method, Rating};

    fn lines(table: &Table) -> Vec<String> {
        let mut written = Vec::new();
        write_scorecard(table, &mut written).expect("written");
        String::from_utf8(written).expect("text").split_terminator("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn models_stand_side_by_side_and_nothing_is_a_formula() {
        let good = Cell {
            text: "0.947".into(),
            value: Some(0.947),
            bounds: None,
            n: Some(20),
            rating: Some(Rating::Good),
            method: Some(Method::Code),
            interval: Some(Interval(-0.25, 1.0)),
            cases: Vec::new(),
        };
        let figure = Figure {
            metric: "qa.score".into(),
            title: "@SUM(A1)".into(),
            threshold: ">= 0.9, \"or\" so".into(),
            cells: vec![good, Cell::default()],
            ..Figure::default()
        };
        let table = Table {
            models: vec!["=evil|'m'".into(), "b,c".into()],
            rows: vec![Row::Section { title: "+1\r\n-2".into() }, Row::Figure(figure)],
            notes: Vec::new(),
        };
        assert_eq!(
            lines(&table)[0],
            "section,metric,title,blocker,threshold,'=evil|'m','=evil|'m' low,'=evil|'m' high,'=evil|'m' n,\
             '=evil|'m' rating,'=evil|'m' method,\"b,c\",\"b,c low\",\"b,c high\",\"b,c n\",\"b,c rating\",\"b,c method\""
        );
        assert_eq!(
            lines(&table)[1..].join("\r\n"),
            "\"'+1\r\n-2\",qa.score,'@SUM(A1),no,\">= 0.9, \"\"or\"\" so\",0.947,-0.25,1,20,good,code,,,,,,"
        );
    }

    #[test]
    fn numbers_stay_numbers() {
        for (field, written) in [
            ("-1.5", "-1.5"),
            ("+2e-3", "+2e-3"),
            ("-1+2", "'-1+2"),
            ("-inf", "'-inf"),
            ("=1", "'=1"),
            ("\tx", "'\tx"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            assert_eq!(harmless(field), written);
        }
    }
}
