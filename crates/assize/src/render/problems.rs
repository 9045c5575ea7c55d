//! Problems, drawn with the line they are on.

use crate::exit::Exit;
use crate::render::number::plural;
use crate::screen;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use assize_core::document::{Problem, Problems, Severity, Span};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The longest stretch of a line that is shown.
const LONGEST: usize = 160;

/// Draws all problems and gives the exit code that goes with them.
pub(crate) fn draw(problems: &Problems) -> Exit {
    let shown: Vec<String> = in_order(problems).into_iter().map(|problem| drawn(problem, None)).collect();
    screen::say(shown.join("\n\n"));
    let more = match problems.not_listed() {
        0 => String::new(),
        more => format!(" ({more} of them not shown)"),
    };
    screen::say(format!("\n{}{more}; nothing was asked.", plural(problems.count() as u64, "problem")));
    Exit::BadInput
}

/// In the order of the files, and within a file from top to bottom, as somebody would mend them.
pub(crate) fn in_order(problems: &Problems) -> Vec<&Problem> {
    let files: Vec<&str> = problems.iter().map(|problem| problem.file.as_str()).collect();
    let place = |file: &str| files.iter().position(|other| *other == file);
    let mut ordered: Vec<&Problem> = problems.iter().collect();
    ordered.sort_by_key(|problem| (place(&problem.file), problem.span));
    ordered
}

/// One problem, with its source line where there is one, and the rule that found it.
pub(crate) fn drawn(problem: &Problem, rule: Option<&str>) -> String {
    let message = screen::harmless(&problem.message);
    let line = problem.span.and_then(|span| source_line(Path::new(&problem.file), span));
    let path = screen::harmless(&problem.file);
    let level = if problem.severity == Severity::Error { Level::ERROR } else { Level::WARNING };
    let mut title = level.primary_title(message.as_str());
    if let Some(rule) = rule {
        title = title.id(rule);
    }
    let help = problem.help.as_deref().filter(|help| !help.is_empty()).map(screen::harmless);
    let mut group = match (problem.span, &line) {
        (Some(span), Some(line)) => title.element(
            Snippet::source(line.text.as_str())
                .line_start(span.line as usize)
                .path(path.as_str())
                .annotation(AnnotationKind::Primary.span(line.range.clone())),
        ),
        (span, _) => {
            let place = Origin::path(path.as_str());
            title.element(match span {
                Some(span) => place.line(span.line as usize).char_column(span.column as usize),
                None => place,
            })
        }
    };
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::styled().render(&[group])
}

/// A line of a file, with the part of it that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceLine {
    pub(crate) text: String,
    /// In bytes.
    pub(crate) range: std::ops::Range<usize>,
}

/// The line a problem is on, cut to what fits, with the part to underline in bytes.
pub(crate) fn source_line(file: &Path, span: Span) -> Option<SourceLine> {
    let mut reader = BufReader::new(std::fs::File::open(file).ok()?);
    // Tables in files of bytes have rows, and no lines that could be shown.
    if reader.fill_buf().ok()?.contains(&0) {
        return None;
    }
    let line = reader.split(b'\n').nth(span.line.checked_sub(1)? as usize)?.ok()?;
    let text = String::from_utf8_lossy(&line);
    let column = (span.column as usize).saturating_sub(1);
    let from = column.saturating_sub(LONGEST / 2);
    let cut: Vec<char> = text.trim_end().chars().skip(from).take(LONGEST).collect();
    let start = (column - from).min(cut.len());
    let end = (start + span.length as usize).min(cut.len());
    // Control characters would move the cursor; each becomes one visible character, so that columns stay right.
    let visible = |c: &char| if c.is_control() && *c != '\t' { '\u{fffd}' } else { *c };
    let bytes = |upto: usize| cut[..upto].iter().map(visible).map(char::len_utf8).sum();
    let range = bytes(start)..bytes(end);
    Some(SourceLine { text: cut.iter().map(visible).collect(), range })
}
