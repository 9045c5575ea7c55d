//! The alignment of two sequences: which items were kept, replaced, added or left out.
//!
//! The distance is Levenshtein's. Several alignments can have the same distance, and they split it
//! differently between substitutions, insertions and deletions, so the choice among them is fixed:
//! it is the one RapidFuzz makes, and with it the counts are those of jiwer.
//! `tokens` numbers the items, `sweep` fills the distance matrix 64 cells at a time, and `trace`
//! walks back through it, splitting long pairs so that memory stays bounded.

mod sweep;
mod tokens;
mod trace;

use std::fmt;
use std::hash::Hash;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use trace::Step;

/// The most cells of the distance matrix that [`align`] will fill: the product of the two lengths,
/// after the common beginning and the common end are taken away.
///
/// It is 100,000 items against 100,000: one to two seconds of work. Beyond it hostile input could
/// burn minutes.
pub const CELL_LIMIT: u128 = 10_000_000_000;

/// What happened to a run of items on the way from the reference to the hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    /// The items are in both.
    Equal,
    /// The items of the reference were replaced, one for one.
    Substitute,
    /// The items are only in the hypothesis.
    Insert,
    /// The items are only in the reference.
    Delete,
}

/// Neighbouring items with the same fate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Run {
    /// What happened to them.
    pub kind: EditKind,
    /// Where they are in the reference; empty, at the place of the insertion, for an insertion.
    pub reference: Range<usize>,
    /// Where they are in the hypothesis; empty, at the place of the deletion, for a deletion.
    pub hypothesis: Range<usize>,
}

/// How many items were kept, replaced, added and left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EditCounts {
    /// Items in both.
    pub hits: usize,
    /// Items of the reference replaced by another.
    pub substitutions: usize,
    /// Items only in the hypothesis.
    pub insertions: usize,
    /// Items only in the reference.
    pub deletions: usize,
}

impl EditCounts {
    /// The edit distance: substitutions, insertions and deletions together.
    pub fn distance(&self) -> usize {
        self.substitutions + self.insertions + self.deletions
    }

    /// The length of the reference.
    pub fn reference_length(&self) -> usize {
        self.hits + self.substitutions + self.deletions
    }

    /// The length of the hypothesis.
    pub fn hypothesis_length(&self) -> usize {
        self.hits + self.substitutions + self.insertions
    }
}

impl std::ops::Add for EditCounts {
    type Output = Self;

    /// The counts of two pairs together, for a rate pooled over pairs.
    fn add(self, other: Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            substitutions: self.substitutions + other.substitutions,
            insertions: self.insertions + other.insertions,
            deletions: self.deletions + other.deletions,
        }
    }
}

/// The way from a reference to a hypothesis: the counts, and the runs in order, which together
/// cover both sequences without gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alignment {
    /// The totals over the runs.
    pub counts: EditCounts,
    /// The runs, from the beginning to the end.
    pub runs: Vec<Run>,
}

/// The two sequences are too long to be aligned; see [`CELL_LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Items of the reference that remain without the common beginning and end.
    pub reference: usize,
    /// Items of the hypothesis that remain without the common beginning and end.
    pub hypothesis: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "aligning {} items with {} needs more than {CELL_LIMIT} cells",
            self.reference, self.hypothesis
        )
    }
}

impl std::error::Error for TooLong {}

/// Aligns two sequences with the fewest edits.
///
/// # Errors
///
/// [`TooLong`] where the work would exceed [`CELL_LIMIT`].
///
/// ```
/// use assize_metrics::alignment::align;
///
/// let alignment = align(&["a", "b", "c"], &["a", "x", "c", "d"])?;
/// assert_eq!(alignment.counts.hits, 2);
/// assert_eq!(alignment.counts.substitutions, 1);
/// assert_eq!(alignment.counts.insertions, 1);
/// # Ok::<(), assize_metrics::alignment::TooLong>(())
/// ```
pub fn align<T: Eq + Hash>(reference: &[T], hypothesis: &[T]) -> Result<Alignment, TooLong> {
    let numbered = tokens::number(reference, hypothesis);
    let steps = trace::steps(&numbered)?;
    Ok(gather(&steps))
}

/// Joins the steps into runs and counts them.
fn gather(steps: &[Step]) -> Alignment {
    let mut alignment = Alignment::default();
    let (mut reference, mut hypothesis) = (0, 0);
    for step in steps {
        let Step { kind, length } = *step;
        if length == 0 {
            continue;
        }
        let (from_reference, from_hypothesis) = match kind {
            EditKind::Equal | EditKind::Substitute => (length, length),
            EditKind::Insert => (0, length),
            EditKind::Delete => (length, 0),
        };
        let counts = &mut alignment.counts;
        match kind {
            EditKind::Equal => counts.hits += length,
            EditKind::Substitute => counts.substitutions += length,
            EditKind::Insert => counts.insertions += length,
            EditKind::Delete => counts.deletions += length,
        }
        let (reference_end, hypothesis_end) = (reference + from_reference, hypothesis + from_hypothesis);
        match alignment.runs.last_mut() {
            Some(run) if run.kind == kind => {
                run.reference.end = reference_end;
                run.hypothesis.end = hypothesis_end;
            }
            _ => alignment.runs.push(Run {
                kind,
                reference: reference..reference_end,
                hypothesis: hypothesis..hypothesis_end,
            }),
        }
        (reference, hypothesis) = (reference_end, hypothesis_end);
    }
    alignment
}

#[cfg(test)]
mod tests;
