//! Two profiles side by side: their settings, their figures, and the pairs that flip between them.

use super::state::{Base, State, brief, changes, config_of};
use super::{Part, Shown, figures, flips};
use crate::failure::Failure;
use crate::whatif::CaseSet;
use assize_judges::systems::facts::whatif::change;
use maud::{Markup, html};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The section: which other profile, and the two side by side.
pub(super) fn section(shown: &Shown<'_>) -> Result<Markup, Failure> {
    let (built_in, saved) = shown.state.choices();
    let chosen = &shown.wanted.beside;
    Ok(html! {
        section.card aria-labelledby="beside-title" {
            h2 #beside-title { "Beside another profile" }
            div.actions {
                label { "Beside " select #beside {
                    option value="" { "none" }
                    @for name in built_in { option value=(name) selected[name == chosen] { (Base::named(name)) } }
                    @for profile in saved { option value=(profile.name) selected[profile.name == *chosen] { (profile.name) } }
                    // A version that somebody linked to.
                    @if chosen.contains('@') && chosen != super::state::OWN { option value=(chosen) selected { (chosen) } }
                } }
            }
            (shown.part(Part::Beside)?)
        }
    })
}

pub(super) fn beside(state: &State, set: Option<&Arc<CaseSet>>, other: &str) -> Markup {
    html! {
        div data-part="beside" {
            @if other.is_empty() {
                p.faint {
                    @if super::is_fact_judge(state.system) { "Choose one to see the settings, the figures and the pairs that flip between the two." }
                    @else { "Choose one to see in which settings the two differ." }
                }
            } @else {
                @match state.other(other) {
                    None => { div.notice { "There is no profile “" (other) "” of this judge." } }
                    Some((base, settings)) => { (compared(state, set, &base, &settings)) }
                }
            }
        }
    }
}

fn compared(state: &State, set: Option<&Arc<CaseSet>>, other: &Base, theirs: &Value) -> Markup {
    let own =
        if state.changes().is_empty() { state.base.title() } else { format!("{}, as changed", state.base.title()) };
    let differing: Vec<String> = changes(theirs, &state.settings).into_iter().map(|change| change.key).collect();
    html! {
        @if let Some(set) = set {
            @let change = change((&set.cases, &config_of(theirs)), (&set.cases, &state.config()));
            (figures::side_by_side(&change, (&own, &other.title())))
            @let (under_own, under_other) = (format!("only under {own}"), format!("only under {}", other.title()));
            (flips::list(set, &change, &flips::Names { after: (&under_own, ""), before: (&under_other, "") }))
        }
        h3 { "Settings" }
        @if differing.is_empty() { p { "They are the same." } } @else {
            div.scroll { table.settings-table {
                thead { tr { th { "Setting" } th { (own) } th { (other.title()) } } }
                tbody { @for key in keys(&state.settings, theirs) {
                    tr.differs[differing.contains(&key)] {
                        th scope="row" { (key) }
                        @for settings in [&state.settings, theirs] { td { (brief(settings.get(&key).unwrap_or(&Value::Null))) } }
                    }
                } }
            } }
        }
    }
}

fn keys(one: &Value, other: &Value) -> Vec<String> {
    let empty = Map::new();
    let (one, other) = (one.as_object().unwrap_or(&empty), other.as_object().unwrap_or(&empty));
    one.keys()
        .chain(other.keys().filter(|key| !one.contains_key(*key)))
        .filter(|key| *key != "profile_name")
        .cloned()
        .collect()
}
