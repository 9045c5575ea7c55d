//! From pieces to a vector: a few convolutions over neighbouring tokens, a sum over the text, a small head.
//!
//! Memory does not grow with a text's length. A long text is worked on in stretches of [`STRETCH`] tokens, each with
//! as many neighbours on both sides as its tokens' features depend on, so the result is that of the whole.

use std::ops::Range;

use super::weights::{BRANCH, BRANCHES, FEATURES, WIDTH, Weights, Window};
use crate::tensor::functions::{add, add_bias, layer_norm, relu, tanh};
use crate::workers::{runs, spread};

/// Tokens worked on together: enough to read each weight rarely, few enough to stay in the cache.
const BATCH: usize = 384;
const STRETCH: usize = 384;
/// Two convolutions that each look at most two tokens aside.
const REACH: usize = 4;
/// Texts whose heads are worked on together.
const HEADS: usize = 64;

/// Part of a text: the tokens whose features are summed, and those around them that are looked at.
#[derive(Debug, Clone)]
struct Stretch {
    text: usize,
    summed: Range<usize>,
    seen: Range<usize>,
}

impl Weights {
    /// One vector per text.
    pub(super) fn encode(&self, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let stretches: Vec<Stretch> =
            texts.iter().enumerate().flat_map(|(text, tokens)| stretches(text, tokens.len())).collect();
        let batches = runs(stretches.iter().map(|stretch| stretch.seen.len()), BATCH);
        let sums = spread(&batches, |batch| self.sums(texts, &stretches[batch.clone()]));
        let mut totals = vec![vec![0.0f64; FEATURES]; texts.len()];
        for (stretch, sum) in stretches.iter().zip(sums.into_iter().flatten()) {
            for (total, x) in totals[stretch.text].iter_mut().zip(sum) {
                *total += x;
            }
        }
        let rows: Vec<(Vec<f64>, usize)> = totals.into_iter().zip(texts.iter().map(Vec::len)).collect();
        let groups: Vec<&[(Vec<f64>, usize)]> = rows.chunks(HEADS).collect();
        spread(&groups, |group| self.head(group)).into_iter().flatten().collect()
    }

    /// The sum of the tokens' features in each stretch.
    fn sums(&self, texts: &[Vec<u32>], stretches: &[Stretch]) -> Vec<Vec<f64>> {
        let tokens: Vec<u32> =
            stretches.iter().flat_map(|stretch| &texts[stretch.text][stretch.seen.clone()]).copied().collect();
        let lengths: Vec<usize> = stretches.iter().map(|stretch| stretch.seen.len()).collect();
        let features = self.features(&tokens, &lengths);
        let mut start = 0;
        let mut sums = Vec::with_capacity(stretches.len());
        for stretch in stretches {
            let first = start + stretch.summed.start - stretch.seen.start;
            let mut sum = vec![0.0f64; FEATURES];
            for row in features[first * FEATURES..(first + stretch.summed.len()) * FEATURES].chunks_exact(FEATURES) {
                for (total, &x) in sum.iter_mut().zip(row) {
                    *total += f64::from(x);
                }
            }
            sums.push(sum);
            start += stretch.seen.len();
        }
        sums
    }

    /// A row of features per token; `lengths` says where one text ends and the next begins.
    fn features(&self, tokens: &[u32], lengths: &[usize]) -> Vec<f32> {
        let mut vectors = vec![0.0; tokens.len() * WIDTH];
        for (row, &token) in vectors.chunks_exact_mut(WIDTH).zip(tokens) {
            self.piece(token, row);
        }
        let mut projected = self.projection.product(&vectors);
        add_bias(&mut projected, &self.projection_bias);
        layer_norm(&mut projected, &self.projection_norm.gain, &self.projection_norm.shift, self.epsilon);

        let mut features = vec![0.0; tokens.len() * FEATURES];
        for (row, vector) in features.chunks_exact_mut(FEATURES).zip(vectors.chunks_exact(WIDTH)) {
            row[..WIDTH].copy_from_slice(vector);
        }
        for (n, (branch, window)) in self.branches.iter().zip(BRANCHES).enumerate() {
            let own: Vec<f32> = projected
                .chunks_exact(BRANCHES.len() * BRANCH)
                .flat_map(|row| &row[n * BRANCH..(n + 1) * BRANCH])
                .copied()
                .collect();
            let mut first = branch.first.product(&neighbours(&own, lengths, window));
            add_bias(&mut first, &branch.first_bias);
            relu(&mut first);
            add(&mut first, &own);
            let mut second = branch.second.product(&neighbours(&first, lengths, window));
            add_bias(&mut second, &branch.second_bias);
            relu(&mut second);
            add(&mut second, &first);
            let place = WIDTH + n * BRANCH;
            for (row, made) in features.chunks_exact_mut(FEATURES).zip(second.chunks_exact(BRANCH)) {
                row[place..place + BRANCH].copy_from_slice(made);
            }
        }
        layer_norm(&mut features, &self.feature_norm.gain, &self.feature_norm.shift, self.epsilon);
        features
    }

    /// From the sums of the texts' features, with the texts' lengths, to their vectors.
    fn head(&self, texts: &[(Vec<f64>, usize)]) -> Vec<Vec<f32>> {
        let sums: Vec<f32> = texts.iter().flat_map(|(sum, _)| sum).map(|&x| x as f32).collect();
        let mut summary = self.summary.product(&sums);
        for (row, &(_, length)) in summary.chunks_exact_mut(WIDTH).zip(texts) {
            // Divided by the root of the length, not by the length.
            let length = length as f32;
            for (x, bias) in row.iter_mut().zip(&self.summary_bias) {
                *x = (*x + length * bias) / length.sqrt();
            }
        }
        let head = &self.head;
        let mut inner = head.first_in.product(&summary);
        relu(&mut inner);
        let mut first = head.first_past.product(&summary);
        add(&mut first, &head.first_out.product(&inner));
        relu(&mut first);
        let mut inner = head.second_in.product(&first);
        relu(&mut inner);
        let mut second = head.second_past.product(&first);
        add(&mut second, &head.second_out.product(&inner));
        for x in &mut second {
            *x = tanh(*x);
        }
        let least = self.epsilon.sqrt();
        second
            .chunks_exact_mut(WIDTH)
            .map(|row| {
                crate::vector::normalise(row, least);
                row.to_vec()
            })
            .collect()
    }
}

fn stretches(text: usize, length: usize) -> impl Iterator<Item = Stretch> {
    (0..length).step_by(STRETCH).map(move |start| {
        let end = (start + STRETCH).min(length);
        Stretch { text, summed: start..end, seen: start.saturating_sub(REACH)..(end + REACH).min(length) }
    })
}

/// For each token the vectors in its window, side by side; zeros where the window reaches beyond the text.
fn neighbours(rows: &[f32], lengths: &[usize], window: Window) -> Vec<f32> {
    let tokens = rows.len() / BRANCH;
    let mut out = vec![0.0; tokens * window.size * BRANCH];
    let mut begin = 0;
    for &length in lengths {
        for token in 0..length {
            let place = (begin + token) * window.size * BRANCH;
            for slot in 0..window.size {
                let Some(neighbour) = (token + slot).checked_sub(window.before).filter(|&n| n < length) else {
                    continue;
                };
                let from = (begin + neighbour) * BRANCH;
                let to = place + slot * BRANCH;
                out[to..to + BRANCH].copy_from_slice(&rows[from..from + BRANCH]);
            }
        }
        begin += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_stop_at_the_ends_of_texts() {
        let rows: Vec<f32> = (1..=3).flat_map(|n| [n as f32; BRANCH]).collect();
        let window = Window { size: 3, before: 1 };
        let seen: Vec<f32> = neighbours(&rows, &[2, 1], window).chunks_exact(BRANCH).map(|row| row[0]).collect();
        assert_eq!(seen, [0.0, 1.0, 2.0, 1.0, 2.0, 0.0, 0.0, 3.0, 0.0]);
    }

    #[test]
    fn stretches_cover_a_text_once() {
        for length in [0, 1, STRETCH, STRETCH + 1, 5 * STRETCH + 7] {
            let all: Vec<Stretch> = stretches(0, length).collect();
            let summed: Vec<usize> = all.iter().flat_map(|stretch| stretch.summed.clone()).collect();
            assert_eq!(summed, (0..length).collect::<Vec<_>>());
            for stretch in &all {
                assert!(stretch.seen.end <= length);
                assert!(stretch.seen.start == 0 || stretch.summed.start - stretch.seen.start == REACH);
                assert!(stretch.seen.end == length || stretch.seen.end - stretch.summed.end == REACH);
            }
        }
    }
}
