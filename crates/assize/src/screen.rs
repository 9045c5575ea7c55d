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
    text.lines().map(|line| wrap_line(line, width)).collect::<Vec<_>>().join("\n")
}

fn wrap_line(line: &str, width: usize) -> String {
    if visible_length(line) <= width {
        return line.to_owned();
    }
    let (mut wrapped, mut room) = (String::new(), width);
    for word in line.split_inclusive(' ') {
        let length = visible_length(word.trim_end());
        if length > room && room < width {
            wrapped.truncate(wrapped.trim_end().len());
            wrapped.push_str("\n    ");
            room = width.saturating_sub(4);
        }
        wrapped.push_str(word);
        room = room.saturating_sub(visible_length(word));
    }
    wrapped
}

/// Characters that take room on a screen: all but those of escape codes.
fn visible_length(text: &str) -> usize {
    let mut escaped = false;
    text.chars()
        .filter(|c| {
            let hidden = escaped || *c == '\u{1b}';
            escaped = hidden && *c != 'm';
            !hidden
        })
        .count()
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
    }

    #[test]
    fn escape_codes_from_outside_are_shown_and_not_obeyed() {
        assert_eq!(harmless("a\u{1b}[2Jb\tc"), "a\\u{1b}[2Jb\tc");
        assert_eq!(harmless("plain ü"), "plain ü");
    }
}
