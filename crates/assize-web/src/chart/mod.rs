//! Pictures of figures, as SVG. Colours come from the style sheet, so that they fit light and dark; every picture says in
//! words what it shows.

mod curve;
mod frontier;
mod histogram;
mod small;

pub(super) use curve::{Axes, curve};
pub(super) use frontier::{Candidate, frontier};
pub(super) use histogram::histogram;
pub(super) use small::{interval, trend};

/// Where a value stands between two ends that are drawn from `from` to `to`.
fn placed(value: f64, (low, high): (f64, f64), from: f64, to: f64) -> f64 {
    let share = if high > low { (value - low) / (high - low) } else { 0.5 };
    from + (to - from) * share
}

/// A coordinate: a tenth of a pixel is enough.
fn at(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}
