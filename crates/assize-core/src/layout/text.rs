//! A text of a case with what is to be seen in it.

use serde::Serialize;
use std::ops::Range;

/// What a mark says of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// They are only here.
    Added,
    /// They are missing on the other side.
    Removed,
    /// The other side has other words.
    Changed,
    /// The other side has something that is not here; a mark without words.
    Gap,
    /// They are wrong in themselves.
    Wrong,
    /// Somebody quotes them.
    Cited,
    /// Somebody points at them without a quotation: seen only when what points is.
    Pointed,
}

/// A mark in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Bytes of the text.
    pub place: Range<usize>,
    /// What it says of them.
    pub kind: MarkKind,
    /// What lights up together with it: one name, or several with spaces between; empty for nothing.
    pub link: String,
    /// What it says to those who point at it.
    pub title: String,
}

impl Mark {
    /// A mark.
    pub fn new(place: Range<usize>, kind: MarkKind, link: impl Into<String>, title: impl Into<String>) -> Self {
        Self { place, kind, link: link.into(), title: title.into() }
    }
}

/// A text with its marks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pane {
    /// What is above it.
    pub title: String,
    /// The input it is, where it is one: what is quoted of that input is marked here.
    pub input: Option<String>,
    /// The text.
    pub text: String,
    /// What is to be seen in it.
    pub marks: Vec<Mark>,
    /// Whether its paragraphs are numbered.
    pub steps: bool,
    /// Whether it is code or JSON, in which letters have the same width.
    pub code: bool,
}

impl Pane {
    /// The pane of an input, titled by its name.
    pub fn of_input(name: &str, text: impl Into<String>) -> Self {
        Self { title: name.replace('_', " "), input: Some(name.to_owned()), text: text.into(), ..Self::default() }
    }
}
