//! Putting columns aside while results come in.

use crate::records::{Column, ResultLine, Stretch};
use assize_core::Case;
use indexmap::IndexMap;
use std::collections::HashMap;

/// As many cases as one stretch covers: few enough to hold in memory beside a run, enough that a long run has few stretches.
pub(crate) const STRETCH: usize = 2048;

/// As much of a reason as can be searched.
const SEARCHED: usize = 240;

/// Between the items of a list that is kept as one word. No name holds it: it is a control character.
pub(super) const BETWEEN: char = '\u{1f}';

/// Names of columns that are no metric. A metric's column has the metric's name behind [`METRIC`].
pub(super) const STATUS: &str = "status";
pub(super) const MODEL: &str = "model";
pub(super) const VERDICT: &str = "verdict";
pub(super) const FLAGS: &str = "flags";
pub(super) const TAGS: &str = "tags";
pub(super) const ID: &str = "id";
pub(super) const TEXT: &str = "text";
pub(super) const METRIC: &str = "=";

/// A stretch in the making.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    first: u32,
    length: usize,
    status: WordsColumn,
    model: WordsColumn,
    verdict: WordsColumn,
    flags: WordsColumn,
    tags: WordsColumn,
    ids: (String, Vec<u32>),
    text: (String, Vec<u32>),
    metrics: IndexMap<String, Vec<f64>>,
}

impl Gathering {
    /// Adds the next case; gives the stretch when it is full.
    pub(crate) fn add(&mut self, case: &Case, line: &ResultLine) -> Option<Stretch> {
        self.status.push(line.status.name());
        self.model.push(&line.model);
        self.verdict.push(line.verdict.as_deref().unwrap_or_default());
        self.flags.push(&joined(&line.flags));
        self.tags.push(&joined(&case.tags));
        let name = case.name();
        push_text(&mut self.ids, &name);
        let reason =
            line.reason.as_deref().or(line.error.as_ref().map(|error| error.message.as_str())).unwrap_or_default();
        let searched = format!("{name}\n{}", reason.chars().take(SEARCHED).collect::<String>());
        push_text(&mut self.text, &searched.to_lowercase());
        for (name, metric) in &line.metrics {
            if let Some(value) = metric.value {
                let figures = self.metrics.entry(name.clone()).or_default();
                figures.resize(self.length, f64::NAN);
                figures.push(value);
            }
        }
        self.length += 1;
        (self.length == STRETCH).then(|| self.take()).flatten()
    }

    /// What has been gathered since the last stretch.
    pub(crate) fn take(&mut self) -> Option<Stretch> {
        let next = Self { first: self.first + self.length as u32, ..Self::default() };
        let gathered = std::mem::replace(self, next);
        if gathered.length == 0 {
            return None;
        }
        let text = |(text, ends)| Column::Texts { text, ends };
        let mut columns = vec![
            (STATUS.to_owned(), gathered.status.finish()),
            (MODEL.to_owned(), gathered.model.finish()),
            (VERDICT.to_owned(), gathered.verdict.finish()),
            (FLAGS.to_owned(), gathered.flags.finish()),
            (TAGS.to_owned(), gathered.tags.finish()),
            (ID.to_owned(), text(gathered.ids)),
            (TEXT.to_owned(), text(gathered.text)),
        ];
        columns.extend(gathered.metrics.into_iter().map(|(name, mut figures)| {
            figures.resize(gathered.length, f64::NAN);
            (format!("{METRIC}{name}"), Column::Figures(figures))
        }));
        Some(Stretch { first: gathered.first, columns })
    }

    /// Begins at a position: what comes before is in stretches already.
    pub(super) fn from(first: u32) -> Self {
        Self { first, ..Self::default() }
    }
}

fn push_text((text, ends): &mut (String, Vec<u32>), more: &str) {
    text.push_str(more);
    // A stretch of 2048 cases with short texts stays far below four gigabytes.
    ends.push(text.len() as u32);
}

fn joined(items: &[String]) -> String {
    items.join(BETWEEN.encode_utf8(&mut [0; 4]))
}

/// Words in the making.
#[derive(Debug, Default)]
struct WordsColumn {
    codes_by_word: HashMap<String, u32>,
    words: Vec<String>,
    codes: Vec<u32>,
}

impl WordsColumn {
    fn push(&mut self, word: &str) {
        let code = match self.codes_by_word.get(word) {
            Some(code) => *code,
            None => {
                let code = self.words.len() as u32;
                self.words.push(word.to_owned());
                self.codes_by_word.insert(word.to_owned(), code);
                code
            }
        };
        self.codes.push(code);
    }

    fn finish(self) -> Column {
        Column::Words { words: self.words, codes: self.codes }
    }
}
