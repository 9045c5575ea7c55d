//! The one matrix product everything else is made of.
//!
//! A weight matrix is packed once, when the model is loaded, into panels of [`WIDTH`] columns, so that the inner
//! loop reads it in order. Each element of the product is a sum over the inner dimension, taken in order, with a
//! rounded product and a rounded sum (no fused multiply-add). The processor's wider registers only change how many
//! elements are worked on at a time. So an embedding is the same, to the last bit, on every machine, at every
//! register width, and whatever else is in its batch: it can be cached and compared.

use fearless_simd::{Level, dispatch};

/// Columns per panel.
const WIDTH: usize = 16;
/// Rows worked on together. With 16 columns their sums fit the registers; of 2, 4, 6 and 8 rows by 8, 16 and 32
/// columns this was the fastest, three times as fast as without the wider registers.
const HEIGHT: usize = 4;

/// The right-hand side of a product: `inner` rows, `columns` columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Packed {
    inner: usize,
    columns: usize,
    panels: Vec<f32>,
}

impl Packed {
    /// From a matrix with one row per input: `values[i * columns + j]`.
    pub(crate) fn from_rows(inner: usize, columns: usize, values: &[f32]) -> Self {
        debug_assert_eq!(values.len(), inner * columns);
        Self::from_fn(inner, columns, |i, j| values[i * columns + j])
    }

    /// From a matrix with one row per output, the way linear layers are stored: `values[j * inner + i]`.
    pub(crate) fn from_columns(inner: usize, columns: usize, values: &[f32]) -> Self {
        debug_assert_eq!(values.len(), inner * columns);
        Self::from_fn(inner, columns, |i, j| values[j * inner + i])
    }

    /// From any source of elements by row and column.
    pub(crate) fn from_fn(inner: usize, columns: usize, element: impl Fn(usize, usize) -> f32) -> Self {
        let panels = columns.div_ceil(WIDTH);
        // The last panel is filled up with zeros; what they give is not written out.
        let mut packed = vec![0.0; panels * inner * WIDTH];
        for (p, panel) in packed.chunks_exact_mut((inner * WIDTH).max(1)).enumerate() {
            let first = p * WIDTH;
            let width = WIDTH.min(columns - first);
            for (i, row) in panel.chunks_exact_mut(WIDTH).enumerate() {
                for (c, slot) in row[..width].iter_mut().enumerate() {
                    *slot = element(i, first + c);
                }
            }
        }
        Self { inner, columns, panels: packed }
    }

    /// `left` (rows of `inner` elements) times this matrix, written over `out`.
    pub(crate) fn multiply(&self, left: &[f32], out: &mut [f32]) {
        self.multiply_at(Level::new(), left, out);
    }

    /// As [`multiply`](Self::multiply), into a new vector.
    pub(crate) fn product(&self, left: &[f32]) -> Vec<f32> {
        let rows = left.len().checked_div(self.inner).unwrap_or(0);
        let mut out = vec![0.0; rows * self.columns];
        self.multiply(left, &mut out);
        out
    }

    fn multiply_at(&self, level: Level, left: &[f32], out: &mut [f32]) {
        if self.inner == 0 || self.columns == 0 {
            out.fill(0.0);
            return;
        }
        let rows = left.len() / self.inner;
        debug_assert_eq!(left.len(), rows * self.inner);
        debug_assert_eq!(out.len(), rows * self.columns);
        dispatch!(level, _simd => self.multiply_panels(left, rows, out));
    }

    #[inline(always)]
    fn multiply_panels(&self, left: &[f32], rows: usize, out: &mut [f32]) {
        for (p, panel) in self.panels.chunks_exact(self.inner * WIDTH).enumerate() {
            let mut row = 0;
            while row + HEIGHT <= rows {
                self.block::<HEIGHT>(left, row, panel, p * WIDTH, out);
                row += HEIGHT;
            }
            match rows - row {
                0 => {}
                1 => self.block::<1>(left, row, panel, p * WIDTH, out),
                2 => self.block::<2>(left, row, panel, p * WIDTH, out),
                _ => self.block::<3>(left, row, panel, p * WIDTH, out),
            }
        }
    }

    /// `R` rows of the product from `row` on, in the columns of one panel.
    #[inline(always)]
    fn block<const R: usize>(&self, left: &[f32], row: usize, panel: &[f32], column: usize, out: &mut [f32]) {
        let lefts: [&[f32]; R] = std::array::from_fn(|r| {
            let start = (row + r) * self.inner;
            &left[start..start + self.inner]
        });
        let mut sums = [[0.0f32; WIDTH]; R];
        let (weights, _) = panel.as_chunks::<WIDTH>();
        for (i, weights) in weights.iter().enumerate() {
            for (sums, left) in sums.iter_mut().zip(&lefts) {
                let x = left[i];
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += x * weight;
                }
            }
        }
        let width = WIDTH.min(self.columns - column);
        for (r, sums) in sums.iter().enumerate() {
            let start = (row + r) * self.columns + column;
            out[start..start + width].copy_from_slice(&sums[..width]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(n: usize, seed: u32) -> Vec<f32> {
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        (0..n)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / (1 << 23) as f32 - 1.0
            })
            .collect()
    }

    proptest! {
        #[test]
        fn equals_the_definition(rows in 0usize..11, inner in 1usize..40, columns in 1usize..40, seed: u32) {
            let left = numbers(rows * inner, seed);
            let right = numbers(inner * columns, !seed);
            let mut expected = vec![0.0f32; rows * columns];
            for r in 0..rows {
                for c in 0..columns {
                    for i in 0..inner {
                        expected[r * columns + c] += left[r * inner + i] * right[i * columns + c];
                    }
                }
            }
            // Equal to the last bit: the order of the sums is part of the promise.
            prop_assert_eq!(Packed::from_rows(inner, columns, &right).product(&left), expected.clone());
            let turned: Vec<f32> =
                (0..columns * inner).map(|n| right[(n % inner) * columns + n / inner]).collect();
            prop_assert_eq!(Packed::from_columns(inner, columns, &turned).product(&left), expected);
        }
    }

    #[test]
    fn every_register_width_gives_the_same_bits() {
        let (rows, inner, columns) = (13, 300, 77);
        let left = numbers(rows * inner, 1);
        let packed = Packed::from_rows(inner, columns, &numbers(inner * columns, 2));
        let mut narrow = vec![0.0; rows * columns];
        packed.multiply_at(Level::baseline(), &left, &mut narrow);
        let mut wide = vec![0.0; rows * columns];
        packed.multiply_at(Level::new(), &left, &mut wide);
        assert_eq!(narrow, wide);
    }

    #[test]
    fn a_row_does_not_depend_on_its_neighbours() {
        let (inner, columns) = (64, 48);
        let packed = Packed::from_rows(inner, columns, &numbers(inner * columns, 3));
        let left = numbers(9 * inner, 4);
        let together = packed.product(&left);
        for row in 0..9 {
            let alone = packed.product(&left[row * inner..(row + 1) * inner]);
            assert_eq!(alone, together[row * columns..(row + 1) * columns]);
        }
    }
}
