//! From the matrix to the edits: the walk back, and the split of pairs too long for one matrix.
//!
//! Ties are broken as RapidFuzz breaks them. The common beginning and end are kept as hits. In the
//! walk back from the end a deletion is taken where it is on a best path, else an insertion where
//! the cell above is less than the cell diagonally above, else the diagonal. A pair whose matrix
//! would reach [`MATRIX_BYTES`] is halved in the hypothesis, at the first best column of the
//! reference (Hirschberg 1975), and each half starts over.

use super::sweep::{BLOCK, Differences, Masks, last_row, rows_of_block, sweep};
use super::tokens::Numbered;
use super::{CELL_LIMIT, EditKind, TooLong};

/// Two bits per cell of the band may take this many bytes before a pair is halved. Part of the
/// tie-breaking: another figure gives other, equally short alignments.
const MATRIX_BYTES: usize = 1024 * 1024;

/// References below this length are never halved.
const SHORT_REFERENCE: usize = 65;

/// Hypotheses below this length are never halved.
const SHORT_HYPOTHESIS: usize = 10;

/// Some neighbouring items with the same fate; a run may be several of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) kind: EditKind,
    pub(super) length: usize,
}

/// The steps from the reference to the hypothesis, in order.
pub(super) fn steps(pair: &Numbered) -> Result<Vec<Step>, TooLong> {
    let mut tracer = Tracer { masks: Masks::new(pair.alphabet), steps: Vec::new() };
    let (reference, hypothesis) = (&pair.reference[..], &pair.hypothesis[..]);
    let bare = strip_common_ends(reference, hypothesis);
    if bare.reference.len() as u128 * bare.hypothesis.len() as u128 > CELL_LIMIT {
        return Err(TooLong { reference: bare.reference.len(), hypothesis: bare.hypothesis.len() });
    }
    tracer.align(reference, hypothesis, usize::MAX);
    Ok(tracer.steps)
}

struct Tracer {
    masks: Masks,
    steps: Vec<Step>,
}

impl Tracer {
    /// Adds the steps of a pair whose distance is at most `bound`.
    fn align(&mut self, reference: &[u32], hypothesis: &[u32], bound: usize) {
        let Bare { prefix, suffix, reference, hypothesis } = strip_common_ends(reference, hypothesis);
        let bound = bound.min(reference.len().max(hypothesis.len()));
        let band = reference.len().min(2 * bound + 1);
        let bytes = 2 * band * hypothesis.len() / 8;

        self.push(EditKind::Equal, prefix);
        if bytes < MATRIX_BYTES || reference.len() < SHORT_REFERENCE || hypothesis.len() < SHORT_HYPOTHESIS {
            self.align_in_one(reference, hypothesis, bound);
        } else {
            let split = self.split(reference, hypothesis, bound);
            let (reference_left, reference_right) = reference.split_at(split.column);
            let (hypothesis_left, hypothesis_right) = hypothesis.split_at(split.row);
            self.align(reference_left, hypothesis_left, split.distance_left);
            self.align(reference_right, hypothesis_right, split.distance_right);
        }
        self.push(EditKind::Equal, suffix);
    }

    fn push(&mut self, kind: EditKind, length: usize) {
        if length > 0 {
            self.steps.push(Step { kind, length });
        }
    }

    fn align_in_one(&mut self, reference: &[u32], hypothesis: &[u32], bound: usize) {
        if reference.is_empty() || hypothesis.is_empty() {
            self.push(EditKind::Delete, reference.len());
            self.push(EditKind::Insert, hypothesis.len());
            return;
        }
        let matrix = Matrix::fill(reference, hypothesis, bound, &mut self.masks);
        let start = self.steps.len();
        let (mut column, mut row) = (reference.len(), hypothesis.len());
        while row > 0 && column > 0 {
            let kind = if matrix.rises(row, column) {
                EditKind::Delete
            } else if row > 1 && matrix.falls(row - 1, column) {
                EditKind::Insert
            } else if reference[column - 1] == hypothesis[row - 1] {
                EditKind::Equal
            } else {
                EditKind::Substitute
            };
            column -= usize::from(kind != EditKind::Insert);
            row -= usize::from(kind != EditKind::Delete);
            self.push(kind, 1);
        }
        self.push(EditKind::Delete, column);
        self.push(EditKind::Insert, row);
        self.steps[start..].reverse();
    }

    /// The first best place to cut the reference when the hypothesis is cut in half.
    fn split(&mut self, reference: &[u32], hypothesis: &[u32], bound: usize) -> Split {
        let row = hypothesis.len() / 2;
        let left = last_row(reference, &hypothesis[..row], bound, &mut self.masks);
        let reference_reversed: Vec<u32> = reference.iter().rev().copied().collect();
        let hypothesis_reversed: Vec<u32> = hypothesis[row..].iter().rev().copied().collect();
        let right = last_row(&reference_reversed, &hypothesis_reversed, bound, &mut self.masks);

        let mut best: Option<Split> = None;
        for (column, (left, right)) in left.iter().zip(right.iter().rev()).enumerate() {
            let (Some(distance_left), Some(distance_right)) = (*left, *right) else {
                continue;
            };
            if best.as_ref().is_none_or(|best| distance_left + distance_right < best.distance()) {
                best = Some(Split { column, row, distance_left, distance_right });
            }
        }
        // The band holds every best path, so it meets the middle row somewhere.
        best.unwrap_or(Split {
            column: 0,
            row,
            distance_left: row,
            distance_right: reference.len().max(hypothesis.len() - row),
        })
    }
}

struct Split {
    column: usize,
    row: usize,
    distance_left: usize,
    distance_right: usize,
}

impl Split {
    fn distance(&self) -> usize {
        self.distance_left + self.distance_right
    }
}

/// A pair without its common beginning and end.
struct Bare<'a> {
    prefix: usize,
    suffix: usize,
    reference: &'a [u32],
    hypothesis: &'a [u32],
}

fn strip_common_ends<'a>(reference: &'a [u32], hypothesis: &'a [u32]) -> Bare<'a> {
    let prefix = reference.iter().zip(hypothesis).take_while(|(a, b)| a == b).count();
    let (reference, hypothesis) = (&reference[prefix..], &hypothesis[prefix..]);
    let suffix = reference.iter().rev().zip(hypothesis.iter().rev()).take_while(|(a, b)| a == b).count();
    Bare {
        prefix,
        suffix,
        reference: &reference[..reference.len() - suffix],
        hypothesis: &hypothesis[..hypothesis.len() - suffix],
    }
}

/// The differences of the whole band, two bits per cell.
struct Matrix {
    blocks: Vec<MatrixBlock>,
}

struct MatrixBlock {
    first_row: usize,
    rows: Vec<Differences>,
}

impl Matrix {
    fn fill(reference: &[u32], hypothesis: &[u32], bound: usize, masks: &mut Masks) -> Self {
        let mut blocks: Vec<MatrixBlock> = (0..reference.len().div_ceil(BLOCK))
            .map(|block| {
                let band = rows_of_block(block, hypothesis.len(), bound);
                MatrixBlock {
                    first_row: *band.start(),
                    rows: Vec::with_capacity((band.end() + 1).saturating_sub(*band.start())),
                }
            })
            .collect();
        sweep(reference, hypothesis, bound, masks, |block, _, differences, _| blocks[block].rows.push(differences));
        Self { blocks }
    }

    /// Whether the distance is one more here than one column before; rows and columns from 1.
    fn rises(&self, row: usize, column: usize) -> bool {
        self.at(row, column).is_some_and(|differences| differences.rises >> ((column - 1) % BLOCK) & 1 == 1)
    }

    /// Whether the distance is one less here than one column before; rows and columns from 1.
    fn falls(&self, row: usize, column: usize) -> bool {
        self.at(row, column).is_some_and(|differences| differences.falls >> ((column - 1) % BLOCK) & 1 == 1)
    }

    fn at(&self, row: usize, column: usize) -> Option<Differences> {
        let block = &self.blocks[(column - 1) / BLOCK];
        let index = row.checked_sub(block.first_row)?;
        block.rows.get(index).copied()
    }
}
