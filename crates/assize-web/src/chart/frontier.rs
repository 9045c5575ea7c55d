//! Cost against quality: which models nobody beats on both.

use super::{at, placed};
use crate::shown::{dollars, figure};
use maud::{Markup, html};

/// A model with what it costs and how good it is.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) model: String,
    pub(crate) cost: f64,
    pub(crate) quality: f64,
    /// Whether a blocker rules it out.
    pub(crate) disqualified: bool,
}

/// The frontier: for each cost the best that can be had for it, cheapest first. What is disqualified cannot be had.
fn best(candidates: &[Candidate]) -> Vec<&Candidate> {
    let mut by_cost: Vec<&Candidate> = candidates.iter().filter(|candidate| !candidate.disqualified).collect();
    by_cost.sort_by(|one, other| one.cost.total_cmp(&other.cost).then(other.quality.total_cmp(&one.quality)));
    let mut frontier: Vec<&Candidate> = Vec::new();
    for candidate in by_cost {
        if frontier.last().is_none_or(|last| candidate.quality > last.quality) {
            frontier.push(candidate);
        }
    }
    frontier
}

/// The picture; nothing for fewer than two models.
pub(crate) fn frontier(candidates: &[Candidate], quality: &str, cost: &str) -> Markup {
    const WIDTH: f64 = 320.0;
    const HEIGHT: f64 = 210.0;
    const LEFT: f64 = 40.0;
    const FLOOR: f64 = 172.0;
    const TOP: f64 = 22.0;
    let dearest = candidates.iter().map(|candidate| candidate.cost).fold(0.0, f64::max) * 1.1;
    let across = |cost: f64| placed(cost, (0.0, dearest), LEFT, WIDTH - 50.0);
    let up = |quality: f64| placed(quality, (0.0, 1.0), FLOOR, TOP);
    let frontier = best(candidates);
    let line: Vec<String> = frontier
        .iter()
        .map(|candidate| format!("{},{}", at(across(candidate.cost)), at(up(candidate.quality))))
        .collect();
    let names: Vec<&str> = frontier.iter().map(|candidate| candidate.model.as_str()).collect();
    let words = format!("{quality} against {cost}. Nobody beats {} on both.", names.join(", "));
    html! {
        @if candidates.len() >= 2 {
            svg.chart.frontier viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(words) {
                title { (words) }
                line.rule x1=(LEFT) x2=(WIDTH) y1=(FLOOR) y2=(FLOOR) {}
                line.rule x1=(LEFT) x2=(LEFT) y1=(TOP) y2=(FLOOR) {}
                @for step in [0.0, 0.5, 1.0] { text x=(LEFT - 6.0) y=(at(up(step) + 4.0)) text-anchor="end" { (step) } }
                text x=(LEFT) y=(FLOOR + 16.0) { "$0" }
                text x=(WIDTH) y=(FLOOR + 16.0) text-anchor="end" { (dollars(Some(dearest))) }
                text x=((LEFT + WIDTH) / 2.0) y=(HEIGHT - 4.0) text-anchor="middle" { (cost) }
                text x="0" y="10" { (quality) }
                @if line.len() > 1 { polyline.line points=(line.join(" ")) {} }
                @for candidate in candidates {
                    circle class=(if candidate.disqualified { "dot out" } else { "dot" }) cx=(at(across(candidate.cost))) cy=(at(up(candidate.quality))) r="4.5" {
                        title { (candidate.model) ": " (figure(Some(candidate.quality))) " for " (dollars(Some(candidate.cost))) }
                    }
                    text.strong x=(at(across(candidate.cost) + 8.0)) y=(at(up(candidate.quality) - 6.0)) { (candidate.model) @if candidate.disqualified { " (disqualified)" } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontier_leaves_out_what_is_beaten_and_what_is_ruled_out() {
        let candidate =
            |model: &str, cost, quality, disqualified| Candidate { model: model.into(), cost, quality, disqualified };
        let candidates = [
            candidate("dear", 3.0, 0.9, false),
            candidate("beaten", 3.0, 0.7, false),
            candidate("cheap", 1.0, 0.6, false),
            candidate("out", 0.5, 0.95, true),
            candidate("worse and dearer", 4.0, 0.8, false),
        ];
        let names: Vec<&str> = best(&candidates).iter().map(|candidate| candidate.model.as_str()).collect();
        assert_eq!(names, ["cheap", "dear"]);
    }
}
