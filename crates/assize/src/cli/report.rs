//! `assize report`: a run as a file for other people and other programs.

use super::output::OutputFile;
use super::show::{document, find};
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::Format;
use crate::screen;
use assize_engine::records::RunDocument;
use assize_engine::report::{Cases, ReportError, csv, scorecard};
use assize_engine::store::Store;
use assize_web::report_html;
use clap::{Args, ValueEnum};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;

/// Write a run as HTML, Markdown, JSON, CSV, JUnit, XLSX or Parquet.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize report last                          Markdown, for a page or a comment
  assize report last -o run.html              one file for a browser, to send or to keep
  assize report last -o scorecard.csv         the models side by side, for a spreadsheet
  assize report last --format csv --table cases > cases.csv     a line per case
  assize report last -o run.xlsx              a workbook: scorecard, cases, blockers, run
  assize report last -o cases.parquet         a row per case, with typed columns
  assize report 20260131 --format json | jq .gate")]
pub(super) struct Report {
    /// The run: its id, the beginning of it, or `last`
    #[arg(default_value = "last")]
    run: String,

    /// The format; if left out, what the file's ending says, else Markdown
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,

    /// What of the run, as CSV
    #[arg(long, value_enum, value_name = "TABLE")]
    table: Option<ReportTable>,

    /// The file to write; standard output if left out
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// One file that needs nothing else, for a browser
    Html,
    /// For a page or a comment
    Markdown,
    /// The run's document, for other programs
    Json,
    /// For a spreadsheet
    Csv,
    /// For CI servers that read test reports
    Junit,
    /// A workbook: scorecard, cases, blockers, the run
    Xlsx,
    /// The cases with typed columns, for a notebook
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportTable {
    /// A line per figure, the models side by side
    Scorecard,
    /// A line per case
    Cases,
}

impl ReportFormat {
    fn of_ending(path: &std::path::Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" => Some(Self::Html),
            "md" | "markdown" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            "xml" => Some(Self::Junit),
            "xlsx" => Some(Self::Xlsx),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// The cargo feature it needs, whether this build has it, and what to call it.
    fn feature(self) -> Option<(&'static str, bool, &'static str)> {
        match self {
            Self::Xlsx => Some(("xlsx", cfg!(feature = "xlsx"), "a workbook")),
            Self::Parquet => Some(("parquet", cfg!(feature = "parquet"), "Parquet")),
            _ => None,
        }
    }
}

impl Report {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let format = self.checked_format()?;
        let store = place.open_existing()?;
        let document = document(&find(&store, &self.run)?)?;
        let table = self.table.unwrap_or(ReportTable::Scorecard);
        let Some(path) = &self.output else {
            let mut output = BufWriter::new(std::io::stdout());
            let written = write(format, table, &document, &store, &mut output).and_then(|()| Ok(output.flush()?));
            return match written {
                // A reader that has gone away has seen enough.
                Err(ReportError::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Exit::Done),
                Err(error) => Err(fail(&error, error.hint())),
                Ok(()) => Ok(Exit::Done),
            };
        };
        let mut file = OutputFile::create(path)?;
        if let Err(error) = write(format, table, &document, &store, file.writer()) {
            file.abandon();
            return Err(fail(&error, error.hint()));
        }
        file.finish().map_err(|error| fail(error, ""))?;
        screen::say(format!("wrote {}", path.display()));
        Ok(Exit::Done)
    }

    /// The format that was asked for, if this build has it and what was asked beside it fits.
    fn checked_format(&self) -> Result<ReportFormat, Exit> {
        let told = self.output.as_deref().and_then(ReportFormat::of_ending);
        let format = self.format.or(told).unwrap_or(ReportFormat::Markdown);
        if let Some((feature, false, what)) = format.feature() {
            let hint = format!("build one with `cargo install --path crates/assize --features {feature}`");
            return Err(fail(format!("this build of Assize cannot write {what}"), &hint));
        }
        let fits = matches!(
            (format, self.table),
            (_, None) | (ReportFormat::Csv, _) | (ReportFormat::Parquet, Some(ReportTable::Cases))
        );
        if !fits {
            return Err(fail("--table chooses what is written as CSV", "leave it out, or add --format csv"));
        }
        let binary = format.feature().is_some();
        if binary && self.output.is_none() && std::io::stdout().is_terminal() {
            return Err(fail(
                "this format is not for a screen",
                "name a file with -o FILE, or send standard output to one",
            ));
        }
        Ok(format)
    }
}

fn write(
    format: ReportFormat,
    table: ReportTable,
    document: &RunDocument,
    store: &Store,
    output: &mut (dyn Write + Send),
) -> Result<(), ReportError> {
    let text =
        |format: Format, output: &mut (dyn Write + Send)| Ok(output.write_all(format.text(document).as_bytes())?);
    match (format, table) {
        (ReportFormat::Html, _) => Ok(output.write_all(report_html(store, document)?.as_bytes())?),
        (ReportFormat::Markdown, _) => text(Format::Markdown, output),
        (ReportFormat::Json, _) => text(Format::Json, output),
        (ReportFormat::Junit, _) => text(Format::Junit, output),
        (ReportFormat::Csv, ReportTable::Scorecard) => csv::write_scorecard(&scorecard(document), output),
        (ReportFormat::Csv, ReportTable::Cases) => csv::write_cases(&Cases::of(store, document)?, output),
        #[cfg(feature = "xlsx")]
        (ReportFormat::Xlsx, _) => assize_engine::report::xlsx::write(document, &Cases::of(store, document)?, output),
        #[cfg(feature = "parquet")]
        (ReportFormat::Parquet, _) => assize_engine::report::parquet::write(&Cases::of(store, document)?, output),
        // The format was checked against what this build has.
        #[cfg(not(feature = "xlsx"))]
        (ReportFormat::Xlsx, _) => Err(ReportError::Format("this build has no workbooks".to_owned())),
        #[cfg(not(feature = "parquet"))]
        (ReportFormat::Parquet, _) => Err(ReportError::Format("this build has no Parquet".to_owned())),
    }
}
