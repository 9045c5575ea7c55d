//! Where output goes: standard output for what was asked for, standard error for everything said beside it.
//!
//! Colours are dropped where they cannot be seen (`NO_COLOR`, a pipe). Writing to a reader that has gone away is no error
//! worth a word: `assize runs | head` just ends.

use std::fmt::Display;
use std::io::{IsTerminal, Write};

/// The narrowest screen that is drawn for, and the width where there is no screen.
const NARROWEST: usize = 40;
const NO_SCREEN: usize = 100;

/// Prints a line to standard output.
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(anstream::stdout().lock(), "{text}");
}

/// Prints a text to standard output as it is, without touching escape codes.
pub(crate) fn raw(text: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// Says something beside the output.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// The width to draw for.
pub(crate) fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    let seen = || std::io::stdout().is_terminal().then(|| usize::from(console::Term::stdout().size().1));
    told.or_else(seen).unwrap_or(NO_SCREEN).max(NARROWEST)
}

/// Whether somebody watches standard error.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether standard output shows colours.
pub(crate) fn has_colours() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Text in a style; the escape codes are dropped on the way out where they cannot be seen.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    let code = match style {
        Style::Bold => "1",
        Style::Faint => "2",
        Style::Good => "32",
        Style::Middling => "33",
        Style::Bad => "31",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

/// Breaks lines that are too long between words, and sets what follows in by four spaces. Escape codes take no room.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    text.lines().flat_map(|line| broken(line, width, "", "    ")).collect::<Vec<_>>().join("\n")
}

/// A line in lines of this width at most, the first set in by `first`, those after it by `others`. A word that is longer
/// stays whole.
pub(crate) fn broken(line: &str, width: usize, first: &str, others: &str) -> Vec<String> {
    let options = textwrap::Options::new(width)
        .initial_indent(first)
        .subsequent_indent(others)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(line, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// The columns a text takes on a screen: two for a wide character, none for an accent that combines or an escape code.
pub(crate) fn columns(text: &str) -> usize {
    console::measure_text_width(text)
}

/// A text in at most so many columns; what is cut off leaves `…`.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    console::truncate_str(text, columns, "…").into_owned()
}

/// A text with spaces behind it up to so many columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    console::pad_str(text, columns, console::Alignment::Left, None).into_owned()
}

/// How a text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Bold,
    Faint,
    Good,
    Middling,
    Bad,
}

/// Text that came from outside, made harmless for a terminal: control characters are shown, not obeyed.
pub(crate) fn harmless(text: &str) -> String {
    if !text.chars().any(is_harmful) {
        return text.to_owned();
    }
    text.chars().map(|c| if is_harmful(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

fn is_harmful(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_between_words() {
        assert_eq!(wrap("one two three four", 9), "one two\n    three\n    four");
        let red = styled(Style::Bad, "one two");
        assert_eq!(wrap(&red, 7), red, "escape codes take no room");
        assert_eq!(wrap("anunbreakableword", 5), "anunbreakableword");
        assert_eq!(wrap("  set in\n\nnext", 20), "  set in\n\nnext");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("日本語 e\u{301}"), 8);
        assert_eq!(columns(&styled(Style::Bad, "日本")), 4);
        assert_eq!(wrap("日本 日本 日本", 9), "日本 日本\n    日本");
        assert_eq!(wrap("日本 日本 日本", 8), "日本\n    日本\n    日本");
        assert_eq!(shortened("日本語の", 8), "日本語の");
        assert_eq!(shortened("日本語の", 7), "日本語…");
        assert_eq!(shortened("日本語の", 6), "日本…");
        assert_eq!(padded("日本", 6), "日本  ");
    }

    #[test]
    fn escape_codes_from_outside_are_shown_and_not_obeyed() {
        assert_eq!(harmless("a\u{1b}[2Jb\tc"), "a\\u{1b}[2Jb\tc");
        assert_eq!(harmless("plain ü"), "plain ü");
    }
}
