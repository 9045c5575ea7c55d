//! A line of a layout: pieces of text that follow one another, each with what it says beside its words.

use super::text::{Mark, MarkKind};
use crate::{Rating, number};
use serde::Serialize;
use serde_json::Value;

/// As many characters of a value as are shown in a line.
const LONGEST_VALUE: usize = 300;

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// As it is.
    Plain,
    /// It stands out.
    Strong,
    /// It steps back.
    Faint,
    /// It is code: a path, a key.
    Code,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Words.
    Text {
        /// The words.
        text: String,
        /// How they are set.
        tone: Tone,
    },
    /// Words with marks in them.
    Marked {
        /// The words.
        text: String,
        /// The marks.
        marks: Vec<Mark>,
    },
    /// What somebody said of the case: its quotations are looked up in the texts.
    Quoting {
        /// The words.
        text: String,
    },
    /// A word or phrase that the texts may hold: it is linked to where one of them does.
    Phrase {
        /// As shown.
        text: String,
        /// What is looked up; the first that is found counts.
        searched: Vec<String>,
        /// What is shown where no text has it; `None` for the text itself.
        absent: Option<String>,
    },
    /// An outcome in a word.
    Chip {
        /// The word.
        text: String,
        /// How good it is.
        rating: Option<Rating>,
    },
    /// Whether something holds, and why.
    Check {
        /// Whether.
        holds: bool,
        /// Why.
        text: String,
    },
    /// A figure between 0 and 1 as a bar.
    Meter {
        /// What it measures.
        name: String,
        /// The figure.
        value: f64,
    },
}

impl Piece {
    /// Words as they are.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), tone: Tone::Plain }
    }

    /// Words that stand out.
    pub fn strong(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), tone: Tone::Strong }
    }

    /// Words that step back.
    pub fn faint(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), tone: Tone::Faint }
    }

    /// Code.
    pub fn code(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), tone: Tone::Code }
    }

    /// What somebody said of the case, with its quotations.
    pub fn quoting(text: impl Into<String>) -> Self {
        Self::Quoting { text: text.into() }
    }

    /// An outcome in a word.
    pub fn chip(text: impl Into<String>, rating: impl Into<Option<Rating>>) -> Self {
        Self::Chip { text: text.into(), rating: rating.into() }
    }

    /// Yes, no or undecided, in these words.
    pub fn verdict(holds: Option<bool>, yes: &str, no: &str, undecided: &str) -> Self {
        match holds {
            Some(true) => Self::chip(yes, Rating::Good),
            Some(false) => Self::chip(no, Rating::Fail),
            None => Self::chip(undecided, Rating::Acceptable),
        }
    }

    /// Words that are marked as a whole.
    pub fn marked(text: impl Into<String>, kind: MarkKind, link: impl Into<String>, title: impl Into<String>) -> Self {
        let text = text.into();
        let marks = vec![Mark::new(0..text.len(), kind, link, title)];
        Self::Marked { text, marks }
    }

    /// A value in a line: as long as fits, and faint where there is nothing to see.
    pub fn value(value: &Value) -> Self {
        match value {
            Value::Null => Self::faint("–"),
            Value::String(text) if text.is_empty() => Self::faint("empty"),
            Value::String(text) => Self::plain(beginning(text)),
            Value::Number(given) if given.is_f64() => {
                Self::plain(given.as_f64().map_or_else(String::new, number::short))
            }
            other => Self::plain(beginning(&other.to_string())),
        }
    }

    /// Its words.
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text, .. }
            | Self::Marked { text, .. }
            | Self::Quoting { text }
            | Self::Phrase { text, .. }
            | Self::Chip { text, .. }
            | Self::Check { text, .. } => text,
            Self::Meter { .. } => "",
        }
    }
}

/// The beginning of a text that is too long for a line.
fn beginning(text: &str) -> String {
    let mut characters = text.chars();
    let begun: String = characters.by_ref().take(LONGEST_VALUE).collect();
    if characters.next().is_some() { format!("{begun}…") } else { begun }
}

/// How a line is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineStyle {
    /// As it is.
    #[default]
    Normal,
    /// In small letters: it belongs to the line above.
    Small,
    /// Not seen before it is unfolded, by this title.
    Folded(String),
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// What it says; spaces are part of the pieces.
    pub pieces: Vec<Piece>,
    /// How it is set.
    pub style: LineStyle,
}

impl Line {
    /// A line.
    pub fn of(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self { pieces: pieces.into_iter().collect(), style: LineStyle::Normal }
    }

    /// A line of words alone.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::of([Piece::plain(text)])
    }

    /// A line that belongs to the one above.
    pub fn small(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self { style: LineStyle::Small, ..Self::of(pieces) }
    }

    /// A line that has to be unfolded.
    pub fn folded(title: &str, pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self { style: LineStyle::Folded(title.to_owned()), ..Self::of(pieces) }
    }

    /// Adds a piece after a space.
    pub fn then(mut self, piece: Piece) -> Self {
        self.pieces.extend([Piece::plain(" "), piece]);
        self
    }

    /// Its words.
    pub fn text(&self) -> String {
        self.pieces.iter().map(Piece::text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_fit_into_a_line() {
        assert_eq!(Piece::value(&json!(null)), Piece::faint("–"));
        assert_eq!(Piece::value(&json!("")), Piece::faint("empty"));
        assert_eq!(Piece::value(&json!(0.5)).text(), "0.5");
        assert_eq!(Piece::value(&json!([1, "a"])).text(), r#"[1,"a"]"#);
        let long = Piece::value(&json!("é".repeat(301)));
        assert_eq!((long.text().chars().count(), long.text().ends_with("é…")), (301, true));
    }

    #[test]
    fn a_line_reads_as_its_words() {
        let line = Line::of([Piece::plain("Given: "), Piece::strong("42")]).then(Piece::verdict(
            Some(true),
            "same",
            "other",
            "",
        ));
        assert_eq!(line.text(), "Given: 42 same");
        assert_eq!(
            serde_json::to_value(&line.pieces[3]).expect("JSON"),
            json!({"chip": {"text": "same", "rating": "good"}})
        );
    }
}
