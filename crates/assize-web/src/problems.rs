//! What is wrong with a suite, its cases or a request, with the place and the line it stands on.

use super::failure::{Failure, PlacedProblem, PlacedSource};
use super::folder::Folder;
use assize_core::document::{Problem, Problems, Severity};
use assize_engine::files::{SourceLine, source_line};

/// The problems in the order in which somebody would mend them.
pub(super) fn placed(problems: &Problems, folder: &Folder) -> Vec<PlacedProblem> {
    problems.in_order().into_iter().map(|problem| place(problem, folder)).collect()
}

fn place(problem: &Problem, folder: &Folder) -> PlacedProblem {
    // Only what lies in the served folder is shown; problems of bundled files and requests have no line to show.
    let source = problem.span.zip(folder.find(&problem.file).ok()).and_then(|(span, path)| source_line(&path, span));
    PlacedProblem {
        file: problem.file.clone(),
        line: problem.span.map(|span| span.line),
        column: problem.span.map(|span| span.column),
        severity: match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: problem.message.clone(),
        help: problem.help.clone().unwrap_or_default(),
        source: source.and_then(|line| PlacedSource::of(&line)),
    }
}

impl PlacedSource {
    fn of(line: &SourceLine) -> Option<Self> {
        let part = |range: std::ops::Range<usize>| line.text.get(range).map(str::to_owned);
        Some(Self {
            before: part(0..line.range.start)?,
            marked: part(line.range.clone())?,
            after: part(line.range.end..line.text.len())?,
        })
    }
}

/// Bad input, with everything that is wrong with it.
pub(super) fn failure(problems: &Problems, folder: &Folder) -> Failure {
    let count = problems.count();
    let message = match count {
        1 => "There is a problem; nothing was asked.".to_owned(),
        _ => format!("There are {count} problems; nothing was asked."),
    };
    Failure::bad(message).with_problems(placed(problems, folder))
}

/// Where the problems of a request are.
pub(super) const REQUEST: &str = "the request";

/// Bad input in a request, as sentences.
pub(super) fn in_request(sentences: Vec<String>) -> Problems {
    let mut problems = Problems::of(REQUEST);
    sentences.into_iter().for_each(|sentence| problems.report(None, sentence));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::document::Span;

    #[test]
    fn a_problem_comes_with_its_line_unless_the_file_is_outside() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("served");
        std::fs::create_dir(&root).expect("made");
        std::fs::write(root.join("suite.yaml"), "name: x\nkäse: [é, ü]\n").expect("written");
        std::fs::write(outer.path().join("secret.yaml"), "secret\n").expect("written");
        let folder = Folder::open(&root).expect("there");
        let mut problems = Problems::of("../secret.yaml");
        problems.report(Span::at(1, 1), "outside");
        problems.enter("suite.yaml");
        problems.report(Span { line: 2, column: 8, length: 1 }, "second");
        problems.report(Span { line: 1, column: 1, length: 4 }, "first");
        let placed = placed(&problems, &folder);
        let told: Vec<_> = placed.iter().map(|problem| (problem.message.as_str(), problem.source.clone())).collect();
        let source = |before: &str, marked: &str, after: &str| {
            Some(PlacedSource { before: before.into(), marked: marked.into(), after: after.into() })
        };
        let expected =
            [("outside", None), ("first", source("", "name", ": x")), ("second", source("käse: [", "é", ", ü]"))];
        assert_eq!(told, expected);
    }
}
