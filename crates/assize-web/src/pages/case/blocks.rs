//! The blocks of a layout, drawn.

use super::marks::marked;
use super::pane::{self, Whole};
use crate::shown::count;
use crate::visible::visible;
use assize_core::Rating;
use assize_core::layout::{
    Block, Card, Cards, Field, Grid, Line, LineStyle, ListStyle, MarkKind, Notes, Notice, Piece, Section, Tone,
};
use maud::{Markup, html};

/// As many particulars of a notice as are shown at once.
const FIRST: usize = 8;

/// As many rows of cards as are shown without being asked for all.
const MOST_CARDS: usize = 200;

/// Findings and the texts they were made in.
pub(super) fn section(section: &Section, whole: &Whole) -> Markup {
    let compared = section.texts.iter().flat_map(|pane| &pane.marks).any(|mark| mark.kind <= MarkKind::Changed);
    let texts = html! { @for pane in &section.texts { (pane::draw(pane, whole)) } };
    let findings = html! { @for block in &section.findings { (draw(block, compared, whole)) } };
    html! {
        @if section.beside {
            div.beside-texts { div { (findings) } div.texts-column { (texts) } }
        } @else {
            (findings)
            @if !section.texts.is_empty() { div.texts { (texts) } }
        }
    }
}

fn draw(block: &Block, compared: bool, whole: &Whole) -> Markup {
    match block {
        Block::Notice(notice) => self::notice(notice),
        Block::Notes(notes) => self::notes(notes, compared),
        Block::Fields { title, fields } => html! {
            h3 { (visible(title)) }
            dl.criteria { @for field in fields { (self::field(field)) } }
        },
        Block::Table(grid) => table(grid),
        Block::Cards(cards) => self::cards(cards, whole),
    }
}

fn notice(notice: &Notice) -> Markup {
    let items = |items: &[Line]| html! { ul { @for item in items { li { (line(item)) } } } };
    let (first, more) = notice.items.split_at(notice.items.len().min(FIRST));
    html! {
        div.notice data-kind=(if notice.is_error { "error" } else { "warning" }) {
            @for said in &notice.lines { p { (line(said)) } }
            @if !first.is_empty() { (items(first)) }
            @if !more.is_empty() { details { summary { (more.len()) " more" } (items(more)) } }
            @if notice.not_listed > 0 { p { "and " (count(notice.not_listed)) " that are not listed" } }
        }
    }
}

/// Lines without a heading say what the texts or the table below hold; `compared` texts are walked through by keys.
fn notes(notes: &Notes, compared: bool) -> Markup {
    let legend = notes.title.is_empty();
    let keys = html! { " " span.faint { "· " kbd { "n" } " and " kbd { "p" } " go from one to the next" } };
    let item = |item: &[Line]| html! { li { (lines(item)) } };
    html! {
        @if !legend { h3 { (visible(&notes.title)) } }
        @for said in &notes.lines { p.legend[legend] { (line(said)) @if legend && compared { (keys) } } }
        @match notes.style {
            _ if notes.items.is_empty() => {},
            ListStyle::Bullets => ul { @for one in &notes.items { (item(one)) } },
            ListStyle::Plain => ul.plain { @for one in &notes.items { (item(one)) } },
            ListStyle::Apart => {
                @for one in &notes.items { article.sentence { @for said in one { p { (line(said)) } } } }
            },
        }
    }
}

fn field(field: &Field) -> Markup {
    html! {
        dt { (visible(&field.name)) @if !field.note.is_empty() { span.faint { " " (visible(&field.note)) } } }
        dd { (line(&field.value)) }
    }
}

fn table(grid: &Grid) -> Markup {
    html! {
        @if grid.headed { h3 { (visible(&grid.title)) } }
        div.scroll tabindex="0" role="region" aria-label=(visible(&grid.title)) { table.rulings {
            thead { tr { @for column in &grid.columns { th.number[column.is_number] { (visible(&column.title)) } } } }
            tbody {
                @for row in &grid.rows {
                    tr data-link=[link(&row.link)] {
                        @for (column, cell) in grid.columns.iter().zip(&row.cells) {
                            td.number[column.is_number] { (lines(cell)) }
                        }
                    }
                }
            }
        } }
    }
}

fn cards(cards: &Cards, whole: &Whole) -> Markup {
    let most = if whole.wanted { cards.rows.len() } else { MOST_CARDS };
    html! {
        div.pairs {
            @for title in &cards.titles { h3 { (line(title)) } }
            @for row in cards.rows.iter().take(most) {
                @for (side, absent) in row.iter().zip(&cards.absent) {
                    div.side { @for card in side { (self::card(card)) } @if side.is_empty() { p.faint { (visible(absent)) } } }
                }
            }
        }
        @if cards.rows.len() > most { p.small { "The first " (most) " of " (cards.rows.len()) " rows. " a href=(whole.address) { "Show all" } } }
    }
}

fn card(card: &Card) -> Markup {
    html! {
        article.fact data-link=[link(&card.link)] tabindex="0" aria-label=(format!("{}, {}", visible(&card.name), visible(&card.outcome))) {
            div.fact-head {
                span { b { (visible(&card.name)) } " " span.faint { (visible(&card.kind)) } }
                (chip(&card.outcome, card.rating))
            }
            dl.fields { @for one in &card.fields { (field(one)) } }
            @if !card.note.is_empty() { p.faint.small { (visible(&card.note)) } }
        }
    }
}

/// Lines of a cell or an item: the first as it is, the others each below it.
fn lines(lines: &[Line]) -> Markup {
    html! {
        @for (at, said) in lines.iter().enumerate() {
            @match &said.style {
                LineStyle::Folded(title) => details.small { summary { (visible(title)) } (line(said)) },
                LineStyle::Small => div.small { (line(said)) },
                LineStyle::Normal if at == 0 => (line(said)),
                LineStyle::Normal => div { (line(said)) },
            }
        }
    }
}

fn line(line: &Line) -> Markup {
    html! { @for one in &line.pieces { (piece(one)) } }
}

/// A piece of a line.
pub(super) fn piece(piece: &Piece) -> Markup {
    match piece {
        Piece::Text { text, tone } => match tone {
            Tone::Plain => html! { (visible(text)) },
            Tone::Strong => html! { b { (visible(text)) } },
            Tone::Faint => html! { span.faint { (visible(text)) } },
            Tone::Code => html! { code { (visible(text)) } },
        },
        Piece::Marked { text, marks } => marked(text, marks),
        Piece::Quoting { text } | Piece::Phrase { text, .. } => html! { (visible(text)) },
        Piece::Chip { text, rating } => chip(text, *rating),
        Piece::Check { holds, text } => {
            html! { span.why data-equal=(holds) { (if *holds { "✓ " } else { "✗ " }) (visible(text)) } }
        }
        Piece::Meter { name, value } => {
            html! { meter min="0" max="1" low="0.5" high="0.7" optimum="1" value=(value) aria-label=(visible(name)) {} }
        }
    }
}

fn chip(text: &str, rating: Option<Rating>) -> Markup {
    html! { span.rating data-rating=(rating.map_or("", Rating::name)) { (visible(text)) } }
}

fn link(link: &str) -> Option<&str> {
    (!link.is_empty()).then_some(link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::layout::{Column, GridRow};

    #[test]
    fn text_is_text_wherever_it_stands() {
        let sly = "<b>\u{202e}";
        let pieces = [
            Piece::plain(sly),
            Piece::strong(sly),
            Piece::faint(sly),
            Piece::code(sly),
            Piece::quoting(sly),
            Piece::chip(sly, None),
            Piece::Check { holds: false, text: sly.to_owned() },
            Piece::Meter { name: sly.to_owned(), value: 0.5 },
        ];
        // A link joins a row and a mark; it is not shown, and only has to be escaped.
        let row = GridRow { link: "<b>".to_owned(), cells: vec![vec![Line::of(pieces), Line::folded(sly, [])]] };
        let grid = Grid { title: sly.to_owned(), headed: true, columns: vec![Column::numbers(sly)], rows: vec![row] };
        let drawn = table(&grid).into_string();
        assert!(!drawn.contains('\u{202e}') && !drawn.contains(r#"="<b>"#), "{drawn}");
        // One is our own: what stands out.
        assert_eq!(drawn.matches("<b>").count(), 1, "{drawn}");
        assert!(drawn.contains(r#"<tr data-link="&lt;b&gt;"#), "{drawn}");
    }

    #[test]
    fn the_first_line_of_a_cell_is_the_cell() {
        let cell = [Line::plain("one"), Line::plain("two"), Line::small([Piece::plain("three")])];
        assert_eq!(lines(&cell).into_string(), r#"one<div>two</div><div class="small">three</div>"#);
    }
}
