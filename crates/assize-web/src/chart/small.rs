//! Pictures in the size of a word, for tables.

use super::{at, placed};
use assize_core::{Interval, Unit};
use maud::{Markup, html};

/// How one figure went from run to run, oldest first. The last is marked.
pub(crate) fn trend(values: &[f64]) -> Markup {
    const WIDTH: f64 = 72.0;
    const HEIGHT: f64 = 18.0;
    const EDGE: f64 = 3.0;
    let (low, high) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    // A flat line stays in the middle instead of showing dust as a slope.
    let span = if high - low > 1e-9 { (low, high) } else { (low, low) };
    let across = |step: usize| placed(step as f64, (0.0, (values.len() - 1) as f64), EDGE, WIDTH - EDGE);
    let up = |value: f64| placed(value, span, HEIGHT - EDGE, EDGE);
    html! {
        @if let [_, .., last] = values {
            @let points: Vec<String> = values.iter().enumerate().map(|(step, value)| format!("{},{}", at(across(step)), at(up(*value)))).collect();
            @let words = format!("{} runs, from {low:.3} to {high:.3}, last {last:.3}", values.len());
            svg.chart.trend width=(WIDTH) height=(HEIGHT) viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(words) {
                title { (words) }
                polyline.line points=(points.join(" ")) {}
                circle.dot cx=(at(across(values.len() - 1))) cy=(at(up(*last))) r="2.2" {}
            }
        }
    }
}

/// A share with its interval between 0 and 1; any other figure has its interval in words.
pub(crate) fn interval(unit: Unit, value: f64, Interval(low, high): Interval) -> Markup {
    const WIDTH: f64 = 64.0;
    const EDGE: f64 = 3.0;
    let words = format!("95 % interval {} to {}", unit.show(low), unit.show(high));
    let across = |value: f64| at(placed(value, (0.0, 1.0), EDGE, WIDTH - EDGE));
    html! {
        @if unit == Unit::Score && low >= 0.0 && high <= 1.0 {
            svg.chart.trend width=(WIDTH) height="12" viewBox=(format!("0 0 {WIDTH} 12")) role="img" aria-label=(words) {
                title { (words) }
                line.rule x1=(across(0.0)) x2=(across(1.0)) y1="6" y2="6" {}
                line.interval x1=(across(low)) x2=(across(high)) y1="6" y2="6" {}
                line.interval x1=(across(low)) x2=(across(low)) y1="3" y2="9" {}
                line.interval x1=(across(high)) x2=(across(high)) y1="3" y2="9" {}
                circle.dot cx=(across(value)) cy="6" r="2.6" {}
            }
        } @else {
            span.faint.small title=(words) { (unit.show(low)) "–" (unit.show(high)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_rises_from_left_to_right() {
        let drawn = trend(&[0.2, 0.4, 0.6]).into_string();
        assert!(drawn.contains(r#"points="3.0,15.0 36.0,9.0 69.0,3.0""#), "{drawn}");
        assert!(trend(&[0.5]).into_string().is_empty(), "one run is no trend");
        assert!(trend(&[0.5, 0.5]).into_string().contains("3.0,9.0 69.0,9.0"), "nothing changed");
    }

    #[test]
    fn an_interval_is_drawn_to_scale() {
        let drawn = interval(Unit::Score, 0.5, Interval(0.25, 1.0)).into_string();
        assert!(drawn.contains(r#"x1="17.5" x2="61.0""#) && drawn.contains(r#"cx="32.0""#), "{drawn}");
        assert!(interval(Unit::Count, 12.0, Interval(10.0, 14.0)).into_string().contains("10–14"));
    }
}
