//! How a case is best read, as data: what was found, block by block, and the texts it was found in.
//!
//! A judge makes the layout of its own cases ([`crate::JudgeSystem::layout`]); the page, the terminal and the API draw it
//! without knowing the judge. Quotations are looked up and linked by whoever shows the layout: a judge says that a sentence
//! quotes ([`Piece::quoting`]) and not where.

mod inputs;
mod line;
mod text;

pub use inputs::{Inputs, ShownInput};
pub use line::{Line, LineStyle, Piece, Tone};
pub use text::{Mark, MarkKind, Pane};

use crate::{Case, Metric, Rating};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};

/// A judged case as it was recorded: all that a layout is made of. The judge itself need not be built for it.
#[derive(Clone, Copy, Debug)]
pub struct ShownCase<'s> {
    /// The case.
    pub case: &'s Case,
    /// The labels of the judgment; of a jury, those of the juror that is looked at.
    pub labels: &'s Map<String, Value>,
    /// The figures.
    pub metrics: &'s IndexMap<String, Metric>,
    /// The verdict.
    pub verdict: Option<&'s str>,
    /// Why.
    pub reason: Option<&'s str>,
    /// What a reader should know.
    pub flags: &'s [String],
    /// What the model itself stated.
    pub claimed: &'s Map<String, Value>,
    /// The settings of the judge, as recorded with the run.
    pub settings: &'s Value,
}

impl<'s> ShownCase<'s> {
    /// The items of a list among the labels.
    pub fn list(&self, label: &str) -> &'s [Value] {
        self.labels.get(label).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The texts of a list among the labels.
    pub fn texts(&self, label: &str) -> Vec<&'s str> {
        self.list(label).iter().filter_map(Value::as_str).collect()
    }

    /// Whether a flag was raised.
    pub fn is_flagged(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag == name)
    }
}

/// The layout of a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Layout {
    /// What there is to read, in this order.
    pub sections: Vec<Section>,
    /// Inputs in another form than the one they were written in, by name.
    pub rewritten: IndexMap<String, String>,
    /// The inputs in which quotations are looked for; `None` for all of them. A reason that is itself part of an input
    /// proves nothing by being there.
    pub evidence: Option<Vec<String>>,
    /// Inputs that need no other place: the layout shows what matters of them.
    pub inputs: Vec<String>,
    /// Labels that need no other place.
    pub labels: Vec<String>,
    /// What the model stated, beside what was computed, by the name of the claim. A claim that is not here is one of the
    /// figure or the verdict that has its name.
    pub claims: IndexMap<String, Vec<Claim>>,
}

/// Findings, and the texts they were made in.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// What was found.
    pub findings: Vec<Block>,
    /// The texts.
    pub texts: Vec<Pane>,
    /// Whether the texts are beside the findings, not below them.
    pub beside: bool,
}

/// One finding, in the form that suits it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Something to know before anything else.
    Notice(Notice),
    /// Sentences and lists.
    Notes(Notes),
    /// Names with a value each.
    Fields {
        /// The heading.
        title: String,
        /// The fields.
        fields: Vec<Field>,
    },
    /// Rows of cells.
    Table(Grid),
    /// Two sides with cards on each; what belongs together is in one row.
    Cards(Cards),
}

/// Something to know before anything else.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Notice {
    /// Whether it is an error or a warning.
    pub is_error: bool,
    /// What it says.
    pub lines: Vec<Line>,
    /// The particulars.
    pub items: Vec<Line>,
    /// How many particulars are not listed.
    pub not_listed: u64,
}

/// How the items of a list are set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ListStyle {
    /// With bullets.
    #[default]
    Bullets,
    /// Without: each begins with a word of its own.
    Plain,
    /// Apart from each other, several lines each.
    Apart,
}

/// Sentences and lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Notes {
    /// The heading; empty for none.
    pub title: String,
    /// A line each.
    pub lines: Vec<Line>,
    /// A list below them.
    pub items: Vec<Vec<Line>>,
    /// How the list is set.
    pub style: ListStyle,
}

/// A name with a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// The name.
    pub name: String,
    /// What to know of the name; empty for nothing.
    pub note: String,
    /// The value.
    pub value: Line,
}

/// Rows of cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grid {
    /// What it shows; a heading if `headed`.
    pub title: String,
    /// Whether the title is a heading and not only a name.
    pub headed: bool,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<GridRow>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// Whether it holds numbers.
    pub is_number: bool,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GridRow {
    /// What lights up together with it; empty for nothing.
    pub link: String,
    /// A cell for each column, of one line or more.
    pub cells: Vec<Vec<Line>>,
}

/// Two sides with cards on each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cards {
    /// The heading of each side.
    pub titles: [Line; 2],
    /// What an empty side says.
    pub absent: [String; 2],
    /// Cards that belong together, on each side.
    pub rows: Vec<[Vec<Card>; 2]>,
}

/// A card.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// What became of it.
    pub outcome: String,
    /// How good that is.
    pub rating: Option<Rating>,
    /// What lights up together with it.
    pub link: String,
    /// What it says.
    pub fields: Vec<Field>,
    /// What to know beside it; empty for nothing.
    pub note: String,
}

/// A statement of the model about something that code computes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What it is about.
    pub name: String,
    /// What the model stated.
    pub claimed: Value,
    /// What was computed.
    pub computed: Option<Value>,
}

impl Column {
    /// A column of words.
    pub fn words(title: &str) -> Self {
        Self { title: title.to_owned(), is_number: false }
    }

    /// A column of numbers.
    pub fn numbers(title: &str) -> Self {
        Self { title: title.to_owned(), is_number: true }
    }
}

impl Notes {
    /// Lines below a heading; an empty heading is none.
    pub fn lines(title: &str, lines: impl IntoIterator<Item = Line>) -> Self {
        Self { title: title.to_owned(), lines: lines.into_iter().collect(), ..Self::default() }
    }

    /// A list below a heading.
    pub fn list(title: &str, style: ListStyle, items: Vec<Vec<Line>>) -> Self {
        Self { title: title.to_owned(), items, style, ..Self::default() }
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.items.is_empty()
    }
}

impl Layout {
    /// Every line that is there to be read, in order.
    pub fn lines_mut(&mut self) -> impl Iterator<Item = &mut Line> {
        self.sections.iter_mut().flat_map(|section| &mut section.findings).flat_map(Block::lines_mut)
    }

    /// Every text.
    pub fn panes_mut(&mut self) -> impl Iterator<Item = &mut Pane> {
        self.sections.iter_mut().flat_map(|section| &mut section.texts)
    }

    /// The inputs that it shows or makes unnecessary.
    pub fn shown_inputs(&self) -> impl Iterator<Item = &str> {
        let panes = self.sections.iter().flat_map(|section| &section.texts);
        self.inputs.iter().map(String::as_str).chain(panes.filter_map(|pane| pane.input.as_deref()))
    }
}

impl Block {
    fn lines_mut(&mut self) -> Box<dyn Iterator<Item = &mut Line> + '_> {
        match self {
            Self::Notice(notice) => Box::new(notice.lines.iter_mut().chain(&mut notice.items)),
            Self::Notes(notes) => Box::new(notes.lines.iter_mut().chain(notes.items.iter_mut().flatten())),
            Self::Fields { fields, .. } => Box::new(fields.iter_mut().map(|field| &mut field.value)),
            Self::Table(grid) => Box::new(grid.rows.iter_mut().flat_map(|row| &mut row.cells).flatten()),
            Self::Cards(cards) => {
                let cards = cards.rows.iter_mut().flatten().flatten();
                Box::new(cards.flat_map(|card| &mut card.fields).map(|field| &mut field.value))
            }
        }
    }
}
