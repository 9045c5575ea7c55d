//! What pooled figures are made of, as rows of numbers that can be added up and resampled.

use super::super::metrics::{METRICS, Pooling, Row, compose};
use super::super::tasks::text::{CLASS_COUNTS, macro_f1};
use assize_core::{Bounds, Judgment};

/// Of every figure the worst and the best numerator and the denominator, then the nine counts of the sentiment classes.
pub(super) const WIDTH: usize = 3 * METRICS.len() + 9;

/// What one case adds. What is undecided in it adds to the best numerator alone.
pub(super) fn of(judgment: &Judgment) -> Vec<f64> {
    let mut sums = vec![0.0; WIDTH];
    for (position, row) in METRICS.iter().enumerate() {
        let Some(metric) = judgment.metrics.get(row.name) else { continue };
        let weight = match row.pooling {
            Pooling::Rate => metric.parts.map_or(0.0, |parts| parts.denominator),
            Pooling::Mean => 1.0,
            Pooling::Classes => {
                for (slot, name) in CLASS_COUNTS.iter().flatten().enumerate() {
                    sums[3 * METRICS.len() + slot] = metric.counts.get(*name).copied().unwrap_or_default() as f64;
                }
                continue;
            }
            _ => continue,
        };
        let Some(Bounds(worst, best)) = metric.range() else { continue };
        let parts = metric.parts.filter(|_| metric.value.is_some());
        let numerators = parts.map_or([weight * worst, weight * best], |parts| [parts.numerator; 2]);
        sums[3 * position..3 * position + 2].copy_from_slice(&numerators);
        sums[3 * position + 2] = weight;
    }
    sums
}

/// How far a figure of the summed rows can go. Figures of single cases, of repeats and of the whole run are not in the sums.
pub(super) fn range(sums: &[f64], row: &Row) -> Option<Bounds> {
    match row.pooling {
        Pooling::Rate | Pooling::Mean => {
            let position = METRICS.iter().position(|other| other.name == row.name)?;
            let [worst, best, denominator] = sums[3 * position..3 * position + 3] else { return None };
            (denominator > 0.0).then(|| Bounds(worst / denominator, best / denominator))
        }
        Pooling::Classes => macro_f1(&classes(sums)).map(|value| Bounds(value, value)),
        Pooling::MeanOfTwo(one, other) => {
            let (one, other) = (named(sums, one)?, named(sums, other)?);
            Some(Bounds((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0))
        }
        Pooling::Composed => compose(row.name, &|name| named(sums, name), &|_| Some(false)).range(),
        Pooling::Worst | Pooling::Repeats | Pooling::Run => None,
    }
}

/// A figure of the summed rows, where it is decided.
pub(super) fn value(sums: &[f64], row: &Row) -> Option<f64> {
    range(sums, row).and_then(Bounds::settled)
}

/// How far a figure of the summed rows can go, by name.
pub(super) fn named(sums: &[f64], name: &str) -> Option<Bounds> {
    METRICS.iter().find(|row| row.name == name).and_then(|row| range(sums, row))
}

/// What a figure is out of.
pub(super) fn out_of(sums: &[f64], row: &Row) -> u64 {
    match row.pooling {
        Pooling::Rate | Pooling::Mean => METRICS
            .iter()
            .position(|other| other.name == row.name)
            .map_or(0, |position| sums[3 * position + 2].round() as u64),
        Pooling::Classes => classes(sums).iter().map(|[_, _, expected]| *expected).sum::<f64>().round() as u64,
        Pooling::MeanOfTwo(one, other) => [one, other]
            .iter()
            .filter_map(|name| METRICS.iter().find(|row| row.name == *name))
            .map(|row| out_of(sums, row))
            .sum(),
        _ => 0,
    }
}

fn classes(sums: &[f64]) -> [[f64; 3]; 3] {
    let counts = &sums[3 * METRICS.len()..];
    std::array::from_fn(|class| std::array::from_fn(|slot| counts[3 * class + slot]))
}
