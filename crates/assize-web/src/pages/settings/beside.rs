//! Two profiles side by side: their settings, their figures, and what flips between them.

use super::state::{Base, State, brief};
use super::{Part, Shown, figures, flips};
use crate::failure::Failure;
use crate::whatif::CaseSet;
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
    let offered = state.system.what_if().map(|what_if| what_if.terms().flipping);
    html! {
        div data-part="beside" {
            @if other.is_empty() {
                p.faint {
                    @match offered {
                        Some(flipping) => { "Choose one to see the settings, the figures and the " (flipping) "s that flip between the two." }
                        None => { "Choose one to see in which settings the two differ." }
                    }
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
    let differing: Vec<String> = state.changes_since(theirs).into_iter().map(|change| change.key).collect();
    html! {
        @if let Some(set) = set {
            @match set.opened.change(theirs, &state.settings, flips::LISTED) {
                Err(wrong) => { div.notice data-kind="error" { (wrong) } }
                Ok(change) => {
                    (figures::side_by_side(&set.terms, &change, (&own, &other.title())))
                    @let (under_own, under_other) = (format!("only under {own}"), format!("only under {}", other.title()));
                    (flips::list(set, &change, &flips::Names { gained: (&under_own, ""), lost: (&under_other, "") }))
                }
            }
        }
        h3 { "Settings" }
        @if differing.is_empty() { p { "They are the same." } } @else {
            div.scroll { table.settings-table {
                thead { tr { th { "Setting" } th { (own) } th { (other.title()) } } }
                tbody { @for key in keys(state, theirs) {
                    tr.differs[differing.contains(&key)] {
                        th scope="row" { (key) }
                        @for settings in [&state.settings, theirs] { td { (brief(settings.get(&key).unwrap_or(&Value::Null))) } }
                    }
                } }
            } }
        }
    }
}

fn keys(state: &State, theirs: &Value) -> Vec<String> {
    let empty = Map::new();
    let (one, other) = (state.settings.as_object().unwrap_or(&empty), theirs.as_object().unwrap_or(&empty));
    one.keys()
        .chain(other.keys().filter(|key| !one.contains_key(*key)))
        .filter(|key| Some(key.as_str()) != state.name_key())
        .cloned()
        .collect()
}
