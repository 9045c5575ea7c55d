//! How a figure is spread over the cases of a model.

use super::{at, placed};
use crate::shown::count;
use assize_core::Unit;
use maud::{Markup, html};

const BINS: usize = 20;

/// How many values fall into each of the bins between two ends; the last bin takes its upper end too.
fn binned(values: &[f64], (low, high): (f64, f64)) -> [u64; BINS] {
    let mut bins = [0; BINS];
    for value in values {
        let bin = placed(*value, (low, high), 0.0, BINS as f64).floor().clamp(0.0, (BINS - 1) as f64);
        bins[bin as usize] += 1;
    }
    bins
}

/// The spread of a metric for one model, over a scale shared with the other models.
pub(crate) fn histogram(model: &str, unit: Unit, values: &[f64], scale: (f64, f64)) -> Markup {
    const WIDTH: f64 = 280.0;
    const HEIGHT: f64 = 74.0;
    const TOP: f64 = 16.0;
    const FLOOR: f64 = 58.0;
    let bins = binned(values, scale);
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let words = format!(
        "{model}: {} cases between {} and {}, mean {}",
        values.len(),
        unit.show(scale.0),
        unit.show(scale.1),
        unit.show(mean)
    );
    let width = WIDTH / BINS as f64;
    html! {
        svg.chart.histogram viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(words) {
            title { (words) }
            text.strong x="0" y="10" { (model) }
            text x=(WIDTH) y="10" text-anchor="end" { "mean " (unit.show(mean)) " · n " (count(values.len() as u64)) }
            @for (bin, number) in bins.iter().enumerate().filter(|(_, number)| **number > 0) {
                @let top = placed(*number as f64, (0.0, most as f64), FLOOR, TOP);
                rect.bar x=(at(bin as f64 * width + 0.5)) y=(at(top.min(FLOOR - 1.0))) width=(at(width - 1.0)) height=(at((FLOOR - top).max(1.0))) { title { (count(*number)) } }
            }
            line.rule x1="0" x2=(WIDTH) y1=(FLOOR) y2=(FLOOR) {}
            @let middle = placed(mean, scale, 0.0, WIDTH);
            line.interval x1=(at(middle)) x2=(at(middle)) y1=(TOP) y2=(FLOOR + 3.0) {}
            text x="0" y=(HEIGHT - 3.0) { (unit.show(scale.0)) }
            text x=(WIDTH) y=(HEIGHT - 3.0) text-anchor="end" { (unit.show(scale.1)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_falls_into_one_bin() {
        let bins = binned(&[0.0, 0.049, 0.05, 0.5, 0.999, 1.0], (0.0, 1.0));
        assert_eq!((bins[0], bins[1], bins[10], bins[19]), (2, 1, 1, 2));
        assert_eq!(bins.iter().sum::<u64>(), 6);
        assert_eq!(binned(&[3.0, 3.0], (3.0, 3.0))[10], 2, "a scale of no length");
    }
}
