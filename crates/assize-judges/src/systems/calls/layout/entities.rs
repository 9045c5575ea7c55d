//! Keywords and topics: found, missed, invented, and where the call has them.

use super::super::compared::ComparedEntity;
use super::Task;
use assize_core::layout::{Block, Column, Grid, GridRow, Line, Notes, Piece};
use assize_core::{Rating, ShownCase};

pub(super) fn task(shown: &ShownCase<'_>, entities: &[ComparedEntity]) -> Task {
    let fabricated = shown.texts("fabricated");
    let mut sorted: Vec<&ComparedEntity> = entities.iter().collect();
    sorted.sort_by_key(|entity| entity.expected && entity.detected);
    let rows = sorted.iter().map(|entity| row(entity, fabricated.contains(&entity.name.as_str()))).collect();
    let count = |wanted: fn(&ComparedEntity) -> bool| entities.iter().filter(|entity| wanted(entity)).count();
    let legend = format!(
        "{} found, {} missed, {} not expected",
        count(|entity| entity.expected && entity.detected),
        count(|entity| entity.expected && !entity.detected),
        count(|entity| !entity.expected)
    );
    let table = Grid {
        title: "Entities".to_owned(),
        columns: ["Entity", "Outcome", "In the call", "Configured"].map(Column::words).to_vec(),
        rows,
        ..Grid::default()
    };
    Task {
        findings: vec![Block::Notes(Notes::lines("", [Line::plain(legend)])), Block::Table(table)],
        marks: Vec::new(),
        labels: &["missed", "unexpected", "not_configured", "fabricated"],
    }
}

fn row(entity: &ComparedEntity, fabricated: bool) -> GridRow {
    let said = entity.heard_as.clone().unwrap_or_else(|| entity.name.replace('_', " "));
    let outcome = match (entity.expected, entity.detected) {
        (true, true) => Piece::chip("found", Rating::Good),
        (true, false) => Piece::chip("missed", Rating::Fail),
        (false, _) if fabricated => Piece::chip("fabricated", Rating::Blocker),
        (false, _) => Piece::chip("not expected", Rating::Fail),
    };
    let phrase =
        Piece::Phrase { text: said.clone(), searched: vec![said], absent: Some("not in these words".to_owned()) };
    let mut place = vec![Line::of([phrase])];
    place.extend(entity.heard_as.is_some().then(|| Line::small([Piece::faint("heard in another script")])));
    let configured = match entity.configured {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    };
    let name = vec![Line::of([Piece::strong(&entity.name)]), Line::small([Piece::faint(entity.kind)])];
    GridRow { link: String::new(), cells: vec![name, vec![Line::of([outcome])], place, vec![Line::plain(configured)]] }
}
