//! Pictures of figures, as SVG. Colours come from the style sheet, so that they fit light and dark.

use maud::{Markup, html};

/// A line of figures in the size of a word: how one figure went from run to run, oldest first. The last is marked.
pub(super) fn trend(values: &[f64]) -> Markup {
    const WIDTH: f64 = 72.0;
    const HEIGHT: f64 = 18.0;
    const EDGE: f64 = 3.0;
    let (low, high) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    // A flat line stays in the middle instead of showing dust as a slope.
    let span = if high - low > 1e-9 { high - low } else { 0.0 };
    let across = |at: usize| EDGE + (WIDTH - 2.0 * EDGE) * at as f64 / (values.len().max(2) - 1) as f64;
    let up = |value: f64| {
        if span == 0.0 { HEIGHT / 2.0 } else { HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * (value - low) / span }
    };
    let points: Vec<String> =
        values.iter().enumerate().map(|(at, value)| format!("{:.1},{:.1}", across(at), up(*value))).collect();
    let label = format!(
        "{} runs, from {:.3} to {:.3}, last {:.3}",
        values.len(),
        low,
        high,
        values.last().copied().unwrap_or_default()
    );
    html! {
        @if values.len() >= 2 {
            svg.chart.trend width=(WIDTH) height=(HEIGHT) viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
                polyline.line points=(points.join(" ")) {}
                @if let Some(last) = values.last() { circle.dot cx=(across(values.len() - 1)) cy=(up(*last)) r="2.2" {} }
            }
        }
    }
}
