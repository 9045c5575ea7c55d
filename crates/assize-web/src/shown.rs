//! Figures, ratings, times and counts as the page shows them.

use assize_core::Rating;
use maud::{Markup, html};

pub(super) use assize_core::number::{count, dollars, figure, plural};

/// A rating in colour and in words.
pub(super) fn rating(rating: Rating) -> Markup {
    html! { span.rating data-rating=(rating.name()) { (rating.name()) } }
}

/// Whether something holds, in colour and in words.
pub(super) fn passed(passed: bool, yes: &str, no: &str) -> Markup {
    html! { span.rating data-rating=(if passed { "good" } else { "fail" }) { (if passed { yes } else { no }) } }
}

/// A moment in UTC, short, with the whole of it for those who point at it.
pub(super) fn moment(timestamp: &str) -> Markup {
    let short = timestamp.get(..16).unwrap_or(timestamp).replace('T', " ");
    html! { time datetime=(timestamp) title=(timestamp) { (short) } }
}

/// Milliseconds as people say them.
pub(super) fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..1000 => format!("{milliseconds} ms"),
        1000..60_000 => format!("{:.1} s", milliseconds as f64 / 1000.0),
        60_000..3_600_000 => format!("{} min {} s", milliseconds / 60_000, milliseconds / 1000 % 60),
        _ => format!("{} h {} min", milliseconds / 3_600_000, milliseconds / 60_000 % 60),
    }
}

/// What an empty place says: what there would be, and what to do.
pub(super) fn nothing_here(what: &str, way_on: Markup) -> Markup {
    html! { div.empty { p { strong { (what) } } (way_on) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        let shown = [duration(7), duration(1500), duration(61_000), duration(7_260_000)];
        assert_eq!(shown, ["7 ms", "1.5 s", "1 min 1 s", "2 h 1 min"]);
        assert!(moment("2026-11-15T05:40:41.12Z").into_string().contains(">2026-11-15 05:40<"));
    }
}
