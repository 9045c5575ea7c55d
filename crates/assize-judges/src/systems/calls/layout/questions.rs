//! Questions about the call: the mark that was expected, the one that was given, and whether the reason holds.

use super::super::compared::{Compared, ComparedQuestion};
use super::{Task, note, text};
use assize_core::layout::{Block, Column, Grid, GridRow, Line, Mark, MarkKind, Notes, Piece};
use assize_core::number::figure;
use assize_core::{Rating, ShownCase};
use serde_json::Value;

pub(super) fn task(shown: &ShownCase<'_>, call: &Compared, questions: &[ComparedQuestion]) -> Task {
    let labels = shown.list("reasons");
    let mut marks = Vec::new();
    let mut rows = Vec::with_capacity(questions.len());
    for (number, question) in questions.iter().enumerate() {
        let label =
            labels.iter().find(|label| text(label, "question_id") == Some(&question.id)).unwrap_or(&Value::Null);
        let moments = label.pointer("/cited/moments").and_then(Value::as_array);
        let places: Vec<_> = moments
            .into_iter()
            .flatten()
            .filter_map(|moment| moment.get("seconds").and_then(Value::as_f64))
            .filter_map(|seconds| call.place_of(seconds))
            .collect();
        let link = if places.is_empty() { String::new() } else { format!("m{number}") };
        let title = format!("the moment that the reason for {} names", question.id);
        marks.extend(places.into_iter().map(|place| Mark::new(place, MarkKind::Pointed, link.clone(), title.clone())));
        rows.push(row(question, label, link));
    }
    let wrong = questions.iter().filter(|question| question.expected.is_some() && !question.correct).count();
    let verdict = if wrong == 0 { "all marks right".to_owned() } else { format!("{wrong} marks wrong") };
    let legend = Line::plain(format!("{} questions, {verdict}", questions.len()));
    let columns = vec![
        Column::words("Question"),
        Column::numbers("Expected"),
        Column::numbers("Given"),
        Column::numbers("Gap"),
        Column::words("Reason"),
    ];
    let table = Grid { title: "Questions".to_owned(), columns, rows, ..Grid::default() };
    Task {
        findings: vec![Block::Notes(Notes::lines("", [legend])), Block::Table(table)],
        marks,
        labels: &["reasons", "wrong_scores", "false_passes"],
    }
}

fn row(question: &ComparedQuestion, label: &Value, link: String) -> GridRow {
    let mark = |mark: Option<f64>| mark.map_or_else(|| "–".to_owned(), |mark| mark.to_string());
    let mut asked = vec![Line::of([Piece::strong(&question.id)])];
    if let Some(words) = &question.asked {
        asked = vec![Line::of([Piece::strong(&question.id)]).then(Piece::plain(words))];
    }
    asked.extend(question.pass_fail.then(|| Line::small([Piece::faint("pass or fail")])));
    let mut expected = vec![Piece::plain(mark(question.expected))];
    expected.extend(question.maximum.map(|maximum| Piece::faint(format!(" of {maximum}"))));
    let mut given = vec![Line::plain(mark(question.given))];
    let right = Piece::verdict(Some(question.correct), "right", "wrong", "");
    given.extend(question.expected.is_some().then(|| Line::of([right])));
    given.extend(question.false_pass.then(|| Line::of([Piece::chip("false pass", Rating::Blocker)])));
    GridRow {
        link,
        cells: vec![
            asked,
            vec![Line::of(expected)],
            given,
            vec![Line::plain(figure(question.gap))],
            reason(question, label),
        ],
    }
}

/// The reason with what was found of it.
fn reason(question: &ComparedQuestion, label: &Value) -> Vec<Line> {
    let flag = |key: &str| label.get(key).and_then(Value::as_bool);
    let said = match &question.reason {
        Some(reason) => Piece::quoting(reason),
        None => Piece::faint("no reason given"),
    };
    let mut found = Line::small([]);
    if !label.is_null() {
        found.pieces.push(Piece::verdict(flag("has_evidence"), "evidence", "no evidence", "evidence open"));
        found = found.then(Piece::verdict(flag("factual"), "factual", "not factual", "facts open"));
        if flag("mismatch") == Some(true) {
            found = found.then(Piece::chip("the look-up disagrees", Rating::Fail));
        }
    }
    if let Some(note) = note(label) {
        found = found.then(Piece::faint(note));
    }
    let mut lines = vec![Line::of([said]), found];
    if !question.expected_reason.is_empty() {
        lines.push(Line::folded("expected reason", [Piece::plain(&question.expected_reason)]));
    }
    lines.retain(|line| !line.pieces.is_empty());
    lines
}
