//! The headline figure over the setting that has a slider with a curve, and a mark where the slider stands.

use super::state::State;
use crate::chart::{self, Axes};
use crate::whatif::CaseSet;
use assize_core::hints::{self, Hints};
use maud::{Markup, html};
use std::sync::Arc;

/// The curve, where the judge has a setting for one. One that is not known is computed if that is allowed, and otherwise
/// comes later.
pub(super) fn curve(state: &State, set: Option<&Arc<CaseSet>>, compute: bool) -> Markup {
    let Some((setting, _)) = hints::curve(&state.schema) else { return html! {} };
    let found = match set {
        Some(set) if compute => set.curve(&state.settings),
        Some(set) => Ok(set.known(&state.settings)),
        None => Ok(None),
    };
    let later = matches!(found, Ok(None));
    html! {
        div.curve-place data-part="curve" data-later=[later.then_some("")] {
            @match (&found, set) {
                (Ok(Some(points)), Some(set)) => { (drawn(state, set, points, setting)) }
                (Err(wrong), _) => { div.notice data-kind="error" { (wrong) } }
                _ => {}
            }
        }
    }
}

fn drawn(state: &State, set: &CaseSet, points: &[assize_core::what_if::SweepPoint], setting: &str) -> Markup {
    let Some(headline) = set.terms.headline() else { return html! {} };
    let models: Vec<&String> = points.first().map(|point| point.models.keys().collect()).unwrap_or_default();
    let value = |point: &assize_core::what_if::SweepPoint, model: &str| {
        (point.value, point.models.get(model).and_then(|figures| figures.value(&headline.name)))
    };
    let lines: Vec<_> = models
        .iter()
        .map(|model| (model.as_str(), points.iter().map(|point| value(point, model)).collect::<Vec<_>>()))
        .collect();
    let schema = &state.schema["properties"][setting];
    let label = schema["title"].as_str().unwrap_or(setting);
    let unit = Hints::of(schema).unit.map(|unit| unit.after).unwrap_or_default();
    let axes = Axes { figure: &headline.label, setting: &label.to_lowercase(), unit: &unit };
    chart::curve(&lines, state.settings[setting].as_f64().unwrap_or_default(), &axes)
}
