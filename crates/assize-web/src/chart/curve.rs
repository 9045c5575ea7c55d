//! A figure over a setting: one line for each model, and a mark where the setting stands.

use super::{at, placed};
use crate::shown::figure;
use crate::visible::visible;
use maud::{Markup, html};

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 128.0;
/// Half the thumb of a slider of the same width, so that the mark stands above it.
const EDGE: f64 = 8.0;
const TOP: f64 = 18.0;
const FLOOR: f64 = 104.0;

/// As many lines as can be told apart.
const MOST_LINES: usize = 4;

/// A model and its points.
pub(crate) type Line<'l> = (&'l str, Vec<(f64, Option<f64>)>);

/// What a curve is of.
pub(crate) struct Axes<'a> {
    /// The figure.
    pub(crate) figure: &'a str,
    /// The setting it is drawn over.
    pub(crate) setting: &'a str,
    /// What stands behind a value of the setting.
    pub(crate) unit: &'a str,
}

/// A figure over a setting.
pub(crate) fn curve(lines: &[Line<'_>], mark: f64, axes: &Axes<'_>) -> Markup {
    let Axes { figure: name, setting, unit } = axes;
    let points = || lines.iter().flat_map(|(_, points)| points);
    let across = points().fold((0.0f64, 0.0f64), |(low, high), (x, _)| (low.min(*x), high.max(*x)));
    let (low, high) = points()
        .filter_map(|(_, y)| *y)
        .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    // A narrow range is widened, so that dust does not look like a cliff.
    let (low, high) = if low > high {
        (0.0, 1.0)
    } else {
        (((low - 0.05) * 10.0).floor() / 10.0, ((high + 0.05) * 10.0).ceil() / 10.0)
    };
    let scale = (low.max(0.0), high.min(1.0));
    let x = |value: f64| placed(value.clamp(across.0, across.1), across, EDGE, WIDTH - EDGE);
    let y = |value: f64| placed(value, scale, FLOOR, TOP);
    let here = |points: &[(f64, Option<f64>)]| points.iter().rev().find(|(x, _)| *x <= mark).and_then(|(_, y)| *y);
    let words: Vec<String> = lines.iter().map(|(model, points)| format!("{model} {}", figure(here(points)))).collect();
    let words = format!("{name} over {setting}; at {mark}{unit}: {}", words.join(", "));
    html! {
        svg.chart.curve width=(WIDTH) height=(HEIGHT) viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(words) {
            title { (words) }
            @for value in [scale.0, scale.1] {
                line.rule x1=(EDGE) x2=(WIDTH - EDGE) y1=(at(y(value))) y2=(at(y(value))) {}
            }
            text x=(EDGE) y="10" { (format!("{name}, {:.1} to {:.1}", scale.0, scale.1)) }
            @for (number, (_, points)) in lines.iter().take(MOST_LINES).enumerate() {
                polyline.line data-line=(number) points=(steps(points, x, y)) {}
            }
            line.mark x1=(at(x(mark))) x2=(at(x(mark))) y1=(TOP - 4.0) y2=(FLOOR + 4.0) {}
            @for (number, (_, points)) in lines.iter().take(MOST_LINES).enumerate() {
                @if let Some(value) = here(points) { circle.dot data-line=(number) cx=(at(x(mark))) cy=(at(y(value))) r="3.2" {} }
            }
            @for quarter in 0..=4 {
                @let value = across.0 + (across.1 - across.0) * f64::from(quarter) / 4.0;
                text x=(at(x(value))) y=(HEIGHT - 10.0) text-anchor="middle" { (value) (unit) }
            }
        }
        ul.legend { @for (number, (model, points)) in lines.iter().enumerate() {
            li { @if number < MOST_LINES { svg.chart width="22" height="8" aria-hidden="true" { line.line data-line=(number) x1="0" x2="22" y1="4" y2="4" {} } " " } (visible(model)) " " b { (figure(here(points))) } }
        } }
    }
}

/// A figure holds from its value of the setting to the next: steps, not slopes.
fn steps(points: &[(f64, Option<f64>)], x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
    let mut path = String::new();
    let mut before = None;
    for (place, value) in points.iter().filter_map(|(place, value)| Some((*place, (*value)?))) {
        if let Some(before) = before {
            path.push_str(&format!("{},{} ", at(x(place)), at(y(before))));
        }
        path.push_str(&format!("{},{} ", at(x(place)), at(y(value))));
        before = Some(value);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_says_what_holds_where_it_stands() {
        let points = vec![(0.0, Some(0.2)), (2.0, Some(0.6)), (20.0, Some(0.8))];
        let axes = Axes { figure: "F1", setting: "tolerance", unit: " %" };
        let drawn = |mark: f64| curve(&[("a", points.clone())], mark, &axes).into_string();
        assert!(drawn(1.5).contains("F1 over tolerance") && drawn(1.5).contains(">15 %<"));
        assert!(drawn(1.5).contains("at 1.5 %: a 0.200"));
        assert!(drawn(2.0).contains("at 2 %: a 0.600"));
        // Beyond the curve the mark stands at its end.
        assert!(drawn(50.0).contains("at 50 %: a 0.800") && drawn(50.0).contains("cx=\"312.0\""));
        assert_eq!(steps(&points, |x| x, |y| y * 10.0), "0.0,2.0 2.0,2.0 2.0,6.0 20.0,6.0 20.0,8.0 ");
    }
}
