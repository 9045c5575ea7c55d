//! The layout of a case, drawn for the terminal: findings as lines and tables, texts with signs where they are marked.

use super::table;
use crate::screen::{self, Style, styled};
use assize_core::Rating;
use assize_core::layout::{
    Block, Card, Cards, Grid, Line, LineStyle, Mark, MarkKind, Notes, Notice, Pane, Piece, Tone,
};
use comfy_table::{Cell, Color};

/// As many characters of a text as are shown.
const LONGEST: usize = 1500;

/// As many rows of cards as are shown.
const MOST_CARDS: usize = 50;

/// A text with its marks, below its title.
pub(super) fn pane(pane: &Pane, width: usize) -> String {
    let text = if pane.text.is_empty() { styled(Style::Faint, "(empty)") } else { shortened(&pane.text, &pane.marks) };
    format!("{}\n{}", styled(Style::Faint, screen::harmless(&pane.title)), screen::wrap(&text, width))
}

/// One finding.
pub(super) fn block(block: &Block, width: usize) -> String {
    match block {
        Block::Notice(notice) => self::notice(notice, width),
        Block::Notes(notes) => self::notes(notes, width),
        Block::Fields { title, fields } => {
            let longest = fields.iter().map(|field| field.name.chars().count()).max().unwrap_or(0);
            let row = |name: &str, value: &Line| format!("{:<longest$}  {}", screen::harmless(name), line(value));
            let rows: Vec<String> = fields.iter().map(|field| row(&field.name, &field.value)).collect();
            format!("{}\n{}", heading(title), screen::wrap(&rows.join("\n"), width))
        }
        Block::Table(grid) => self::grid(grid, width),
        Block::Cards(cards) => self::cards(cards, width),
    }
}

/// A text with the differences and faults in it marked, in colour and in signs: `[-left out-]`, `{+added+}`,
/// `[~replaced~]`, `[!wrong!]`, and `‸` where the other text has something.
pub(super) fn marked(text: &str, marks: &[Mark]) -> String {
    let mut marks: Vec<&Mark> = marks.iter().filter(|mark| mark.kind <= MarkKind::Wrong).collect();
    marks.sort_by_key(|mark| (mark.place.start, mark.kind));
    let (mut drawn, mut at) = (String::new(), 0);
    for mark in marks {
        let (Some(before), Some(words)) = (text.get(at..mark.place.start), text.get(mark.place.clone())) else {
            continue;
        };
        drawn.push_str(&screen::harmless(before));
        let words = screen::harmless(words);
        drawn.push_str(&match mark.kind {
            MarkKind::Removed => styled(Style::Bad, format!("[-{words}-]")),
            MarkKind::Added => styled(Style::Good, format!("{{+{words}+}}")),
            MarkKind::Changed => styled(Style::Middling, format!("[~{words}~]")),
            MarkKind::Gap => styled(Style::Bad, "‸"),
            _ => styled(Style::Bad, format!("[!{words}!]")),
        });
        at = mark.place.end;
    }
    drawn.push_str(&screen::harmless(text.get(at..).unwrap_or_default()));
    drawn
}

/// The beginning of a marked text, and how much more there is.
fn shortened(text: &str, marks: &[Mark]) -> String {
    match text.char_indices().nth(LONGEST) {
        None => marked(text, marks),
        Some((end, _)) => {
            let more = text[end..].chars().count();
            format!("{}{}", marked(&text[..end], marks), styled(Style::Faint, format!(" … {more} more characters")))
        }
    }
}

fn heading(title: &str) -> String {
    styled(Style::Bold, screen::harmless(title))
}

fn notice(notice: &Notice, width: usize) -> String {
    let style = if notice.is_error { Style::Bad } else { Style::Middling };
    let mut rows: Vec<String> = notice.lines.iter().map(|said| styled(style, said.text())).collect();
    rows.extend(notice.items.iter().map(|item| format!("- {}", line(item))));
    if notice.not_listed > 0 {
        rows.push(format!("and {} that are not listed", notice.not_listed));
    }
    screen::wrap(&rows.join("\n"), width)
}

fn notes(notes: &Notes, width: usize) -> String {
    let mut rows: Vec<String> = (!notes.title.is_empty()).then(|| heading(&notes.title)).into_iter().collect();
    rows.extend(notes.lines.iter().map(line));
    for item in &notes.items {
        let mut lines = item.iter().filter(|line| !matches!(line.style, LineStyle::Folded(_))).map(line);
        rows.extend(lines.next().map(|first| format!("- {first}")));
        rows.extend(lines.map(|more| format!("  {more}")));
    }
    screen::wrap(&rows.join("\n"), width)
}

fn grid(grid: &Grid, width: usize) -> String {
    let mut drawn = table::new(grid.columns.iter().map(|column| column.title.as_str()), width);
    for row in &grid.rows {
        drawn.add_row(row.cells.iter().map(|lines| cell(lines)).collect::<Vec<_>>());
    }
    let drawn = table::drawn(&drawn);
    if grid.headed { format!("{}\n{drawn}", heading(&grid.title)) } else { drawn }
}

/// A cell in the colour of its first outcome.
fn cell(lines: &[Line]) -> Cell {
    let shown = lines.iter().filter(|line| !matches!(line.style, LineStyle::Folded(_)));
    let text: Vec<String> = shown.map(plain).collect();
    let rating = lines.iter().flat_map(|line| &line.pieces).find_map(|piece| match piece {
        Piece::Chip { rating, .. } => *rating,
        _ => None,
    });
    coloured(Cell::new(text.join("\n")), rating)
}

fn coloured(cell: Cell, rating: Option<Rating>) -> Cell {
    match rating {
        Some(Rating::Good) => cell.fg(Color::Green),
        Some(Rating::Acceptable) => cell.fg(Color::Yellow),
        Some(Rating::Fail | Rating::Blocker) => cell.fg(Color::Red),
        None => cell,
    }
}

fn cards(cards: &Cards, width: usize) -> String {
    let titles: Vec<String> = cards.titles.iter().map(Line::text).collect();
    let mut drawn = table::new(titles.iter().map(String::as_str), width);
    for row in cards.rows.iter().take(MOST_CARDS) {
        let longest = row.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..longest {
            let side = |(side, absent): (&Vec<Card>, &String)| match side.get(at) {
                Some(card) => coloured(Cell::new(self::card(card)), card.rating),
                None if side.is_empty() => table::faint(absent),
                None => Cell::new(""),
            };
            drawn.add_row(row.iter().zip(&cards.absent).map(side).collect::<Vec<_>>());
        }
    }
    let more = cards.rows.len().saturating_sub(MOST_CARDS);
    let more = if more > 0 { format!("\n… {more} more rows") } else { String::new() };
    format!("{}{more}", table::drawn(&drawn))
}

fn card(card: &Card) -> String {
    let mut lines = vec![screen::harmless(&format!("{} {} [{}]", card.name, card.kind, card.outcome))];
    lines.extend(
        card.fields.iter().map(|field| format!("  {}: {}", screen::harmless(&field.name), plain(&field.value))),
    );
    if !card.note.is_empty() {
        lines.push(format!("  {}", screen::harmless(&card.note)));
    }
    lines.join("\n")
}

/// A line in colours.
fn line(line: &Line) -> String {
    line.pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    let text = screen::harmless(piece.text());
    match piece {
        Piece::Text { tone: Tone::Strong, .. } => styled(Style::Bold, text),
        Piece::Text { tone: Tone::Faint, .. } => styled(Style::Faint, text),
        Piece::Marked { text, marks } => marked(text, marks),
        Piece::Chip { rating, .. } => match rating {
            Some(Rating::Good) => styled(Style::Good, format!("[{text}]")),
            Some(Rating::Acceptable) => styled(Style::Middling, format!("[{text}]")),
            Some(Rating::Fail | Rating::Blocker) => styled(Style::Bad, format!("[{text}]")),
            None => format!("[{text}]"),
        },
        Piece::Check { holds: true, .. } => styled(Style::Good, format!("✓ {text}")),
        Piece::Check { holds: false, .. } => styled(Style::Bad, format!("✗ {text}")),
        Piece::Text { .. } | Piece::Quoting { .. } | Piece::Phrase { .. } | Piece::Meter { .. } => text,
    }
}

/// A line without colours, for a cell that has one of its own.
fn plain(line: &Line) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Chip { text, .. } => format!("[{text}]"),
        Piece::Check { holds, text } => format!("{} {text}", if *holds { "✓" } else { "✗" }),
        other => other.text().to_owned(),
    };
    screen::harmless(&line.pieces.iter().map(piece).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::layout::{Column, GridRow, Section};

    fn without_colours(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn differences_have_signs_beside_their_colours() {
        let mark = |place: std::ops::Range<usize>, kind| Mark::new(place, kind, "w", "");
        let marks = [
            mark(12..15, MarkKind::Wrong),
            mark(0..3, MarkKind::Removed),
            mark(4..7, MarkKind::Changed),
            mark(8..8, MarkKind::Gap),
            mark(8..11, MarkKind::Added),
            mark(0..15, MarkKind::Cited),
        ];
        let drawn = marked("not now the sky\u{1b}", &marks);
        assert_eq!(without_colours(&drawn), "[-not-] [~now~] ‸{+the+} [!sky!]\\u{1b}");
        // What overlaps something that is marked already, or lies outside, is left out.
        let marks = [mark(0..5, MarkKind::Wrong), mark(3..7, MarkKind::Added), mark(90..99, MarkKind::Added)];
        assert_eq!(without_colours(&marked("not now", &marks)), "[!not n!]ow");
    }

    #[test]
    fn a_table_fits_the_screen() {
        let long = "a reason of some length that goes on and on ".repeat(4);
        let row = |word: &str, rating| GridRow {
            link: String::new(),
            cells: vec![
                vec![Line::of([Piece::strong("B1")])],
                vec![Line::of([Piece::chip(word, rating)]), Line::folded("more", [Piece::plain("hidden")])],
                vec![Line::of([Piece::quoting(&long)])],
            ],
        };
        let grid = Grid {
            title: "Behaviours".to_owned(),
            headed: true,
            columns: ["Behaviour", "Outcome", "Why"].map(Column::words).to_vec(),
            rows: vec![row("pass", Rating::Good), row("fail", Rating::Fail)],
        };
        let section = Section { findings: vec![Block::Table(grid)], ..Section::default() };
        let drawn = without_colours(&block(&section.findings[0], 80));
        assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{drawn}");
        assert!(drawn.contains("[pass]") && drawn.contains("[fail]") && !drawn.contains("hidden"), "{drawn}");
    }
}
