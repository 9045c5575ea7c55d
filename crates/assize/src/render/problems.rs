//! Problems, drawn with the line they are on.

use crate::exit::Exit;
use crate::screen;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use assize_core::document::{Problem, Problems, Severity};
use assize_core::number::plural;
use assize_engine::files::source_line;
use std::path::Path;

/// Draws all problems and gives the exit code that goes with them.
pub(crate) fn draw(problems: &Problems) -> Exit {
    let shown: Vec<String> = problems.in_order().into_iter().map(|problem| drawn(problem, None)).collect();
    screen::say(shown.join("\n\n"));
    let more = match problems.not_listed() {
        0 => String::new(),
        more => format!(" ({more} of them not shown)"),
    };
    screen::say(format!("\n{}{more}; nothing was asked.", plural(problems.count() as u64, "problem")));
    Exit::BadInput
}

/// As many warnings are drawn; the rest is counted.
const WARNED: usize = 10;

/// Draws warnings, which keep nothing from going on.
pub(crate) fn warn(warnings: &Problems) {
    for warning in warnings.in_order().into_iter().take(WARNED) {
        screen::say(format!("{}\n", drawn(warning, None)));
    }
    let more = warnings.count().saturating_sub(WARNED);
    if more > 0 {
        screen::say(format!("{} more; --strict makes them errors.\n", plural(more as u64, "warning")));
    }
}

/// One problem, with its source line where there is one, and the rule that found it.
pub(crate) fn drawn(problem: &Problem, rule: Option<&str>) -> String {
    let message = screen::harmless(&problem.message);
    let line = problem.span.and_then(|span| source_line(Path::new(&problem.file), span));
    let path = screen::harmless(&problem.file);
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
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
