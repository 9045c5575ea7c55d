//! What pooled figures are made of, as rows of numbers that can be added up and resampled.

use super::super::metrics::{METRICS, Pooling, Row, compose};
use super::super::tasks::text::{CLASS_COUNTS, macro_f1};
use assize_core::Judgment;

/// Numerator and denominator of every figure, then the nine counts of the sentiment classes.
pub(super) const WIDTH: usize = 2 * METRICS.len() + 9;

/// What one case adds.
pub(super) fn of(judgment: &Judgment) -> Vec<f64> {
    let mut sums = vec![0.0; WIDTH];
    for (position, row) in METRICS.iter().enumerate() {
        let Some(metric) = judgment.metrics.get(row.name) else { continue };
        match row.pooling {
            Pooling::Rate => {
                if let Some(parts) = metric.parts {
                    sums[2 * position] = parts.numerator;
                    sums[2 * position + 1] = parts.denominator;
                }
            }
            Pooling::Mean => {
                if let Some(value) = metric.value {
                    sums[2 * position] = value;
                    sums[2 * position + 1] = 1.0;
                }
            }
            Pooling::Classes => {
                for (slot, name) in CLASS_COUNTS.iter().flatten().enumerate() {
                    sums[2 * METRICS.len() + slot] = metric.counts.get(*name).copied().unwrap_or_default() as f64;
                }
            }
            _ => {}
        }
    }
    sums
}

/// A figure of the summed rows. Figures of single cases, of repeats and of the whole run are not in the sums.
pub(super) fn value(sums: &[f64], row: &Row) -> Option<f64> {
    match row.pooling {
        Pooling::Rate | Pooling::Mean => {
            let position = METRICS.iter().position(|other| other.name == row.name)?;
            let (numerator, denominator) = (sums[2 * position], sums[2 * position + 1]);
            (denominator > 0.0).then(|| numerator / denominator)
        }
        Pooling::Classes => macro_f1(&classes(sums)),
        Pooling::MeanOfTwo(one, other) => Some((named(sums, one)? + named(sums, other)?) / 2.0),
        Pooling::Composed => compose(row.name, &|name| named(sums, name), &|_| false).value(),
        Pooling::Worst | Pooling::Repeats | Pooling::Run => None,
    }
}

/// A figure of the summed rows, by name.
pub(super) fn named(sums: &[f64], name: &str) -> Option<f64> {
    METRICS.iter().find(|row| row.name == name).and_then(|row| value(sums, row))
}

/// What a figure is out of.
pub(super) fn out_of(sums: &[f64], row: &Row) -> u64 {
    match row.pooling {
        Pooling::Rate | Pooling::Mean => {
            METRICS.iter().position(|other| other.name == row.name).map_or(0, |position| sums[2 * position + 1] as u64)
        }
        Pooling::Classes => classes(sums).iter().map(|[_, _, expected]| *expected as u64).sum(),
        Pooling::MeanOfTwo(one, other) => [one, other]
            .iter()
            .filter_map(|name| METRICS.iter().find(|row| row.name == *name))
            .map(|row| out_of(sums, row))
            .sum(),
        _ => 0,
    }
}

fn classes(sums: &[f64]) -> [[f64; 3]; 3] {
    let counts = &sums[2 * METRICS.len()..];
    std::array::from_fn(|class| std::array::from_fn(|slot| counts[3 * class + slot]))
}
