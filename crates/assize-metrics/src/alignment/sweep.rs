//! The distance matrix, 64 cells at a time (Myers 1999, in the form of Hyyrö 2003).
//!
//! Columns are items of the reference, rows items of the hypothesis. A block is 64 columns; going
//! down a block row by row, one word holds where the distance rises from one column to the next
//! and one where it falls. What leaves a block on the right enters the next as a carry per row, so
//! the memory is one carry per row, whatever the width.
//!
//! Where an upper bound of the distance is known, only cells near the diagonal are visited. Cells
//! outside the band count as too far; a cell on any best path has its exact value.

use std::ops::RangeInclusive;

/// Columns in a block.
pub(super) const BLOCK: usize = 64;

/// The horizontal differences of one block in one row: bit `i` of `rises` is set where the distance
/// is one more at column `i + 1` than at column `i`, of `falls` where it is one less.
#[derive(Clone, Copy)]
pub(super) struct Differences {
    pub(super) rises: u64,
    pub(super) falls: u64,
}

/// How the distance changes from one row to the next at the border between two blocks.
#[derive(Clone, Copy)]
struct Carry {
    rises: u64,
    falls: u64,
}

const RISING: Carry = Carry { rises: 1, falls: 0 };

/// A table for the block masks, reused from sweep to sweep.
pub(super) struct Masks(Vec<u64>);

impl Masks {
    pub(super) fn new(alphabet: usize) -> Self {
        Self(vec![0; alphabet])
    }
}

/// The rows (counted from 1) of a block that lie within `bound` of the diagonal.
///
/// A path that strays further has more than `bound` insertions or deletions.
pub(super) fn rows_of_block(block: usize, rows: usize, bound: usize) -> RangeInclusive<usize> {
    let first_column = block * BLOCK;
    let first = first_column.saturating_sub(bound).max(1);
    let last = first_column.saturating_add(BLOCK).saturating_add(bound).min(rows);
    first..=last
}

/// Visits the matrix block by block, each from its first row to its last.
///
/// `visit(block, row, differences, border)` is called for every row of the band; `border` is the
/// distance at the block's left border in that row.
pub(super) fn sweep(
    reference: &[u32],
    hypothesis: &[u32],
    bound: usize,
    masks: &mut Masks,
    mut visit: impl FnMut(usize, usize, Differences, usize),
) {
    let masks = &mut masks.0;
    // Rising until a block says otherwise: rows below the band of the block on the left are bounded
    // by one more per row.
    let mut carries = vec![RISING; hypothesis.len()];
    // The distance at the left border of the block, in the row above its first.
    let mut border_above = 0;
    let mut previous_first = 1;

    for (block, columns) in reference.chunks(BLOCK).enumerate() {
        let band = rows_of_block(block, hypothesis.len(), bound);
        let (first, last) = (*band.start(), *band.end());
        if first > last {
            return;
        }
        for row in previous_first..first {
            border_above = after(border_above, carries[row - 1]);
        }
        previous_first = first;

        for (column, &item) in columns.iter().enumerate() {
            masks[item as usize] |= 1 << column;
        }
        let mut rises = u64::MAX;
        let mut falls = 0;
        let mut border = border_above;
        for row in first..=last {
            let carry = carries[row - 1];
            border = after(border, carry);
            let equal = masks[hypothesis[row - 1] as usize] | carry.falls;
            let diagonal = ((equal & rises).wrapping_add(rises) ^ rises) | equal | falls;
            let down_rises = falls | !(diagonal | rises);
            let down_falls = diagonal & rises;
            carries[row - 1] = Carry { rises: down_rises >> (BLOCK - 1), falls: down_falls >> (BLOCK - 1) };
            let down_rises = (down_rises << 1) | carry.rises;
            let down_falls = (down_falls << 1) | carry.falls;
            rises = down_falls | !(diagonal | down_rises);
            falls = down_rises & diagonal;
            visit(block, row, Differences { rises, falls }, border);
        }
        border_above += BLOCK;
        for &item in columns {
            masks[item as usize] = 0;
        }
    }
}

fn after(distance: usize, carry: Carry) -> usize {
    if carry.rises == 1 {
        distance + 1
    } else {
        // A distance of zero cannot fall.
        distance - usize::from(carry.falls == 1)
    }
}

/// The distances in the last row, from column 0 to the last, `None` outside the band.
pub(super) fn last_row(reference: &[u32], hypothesis: &[u32], bound: usize, masks: &mut Masks) -> Vec<Option<usize>> {
    let rows = hypothesis.len();
    let mut distances = vec![None; reference.len() + 1];
    let width = reference.len();
    sweep(reference, hypothesis, bound, masks, |block, row, differences, border| {
        if row != rows {
            return;
        }
        let first_column = block * BLOCK;
        // The border belongs to the block on the left where that reaches this row.
        if distances[first_column].is_none() {
            distances[first_column] = Some(border);
        }
        let mut distance = border;
        for column in 0..BLOCK.min(width - first_column) {
            distance += usize::from(differences.rises >> column & 1 == 1);
            distance -= usize::from(differences.falls >> column & 1 == 1);
            distances[first_column + column + 1] = Some(distance);
        }
    });
    distances
}
