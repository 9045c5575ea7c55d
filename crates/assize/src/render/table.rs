//! Tables without lines, as wide as the screen.

use crate::screen;
use comfy_table::{Cell, Color, ContentArrangement, Table, presets};

/// An empty table with a faint header.
pub(crate) fn new<'h>(header: impl IntoIterator<Item = &'h str>, width: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    if screen::has_colours() {
        table.enforce_styling()
    } else {
        table.force_no_tty()
    };
    table.set_header(header.into_iter().map(faint));
    table
}

/// A cell that stands back.
pub(crate) fn faint(text: &str) -> Cell {
    Cell::new(text).fg(Color::DarkGrey)
}

/// The table as text, without spaces at the ends of lines.
pub(crate) fn drawn(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
