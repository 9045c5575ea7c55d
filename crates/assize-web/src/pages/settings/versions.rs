//! The versions of a profile: when each was saved, what it changed, and the way back to it.

use super::Wanted;
use super::state::{State, brief};
use crate::profiles::versions_of;
use crate::shown::{moment, plural};
use maud::{Markup, html};

/// As many versions as are listed at once; the others are behind a fold.
const LISTED: usize = 12;

pub(super) fn section(wanted: &Wanted, state: &State) -> Markup {
    let versions = versions_of(&state.profiles, &state.base.name);
    let deleted = state.deleted();
    let row = |version: &crate::profiles::ProfileVersion| {
        let shown = state.base.version.is_some_and(|(shown, _)| shown == version.version);
        let newest = versions.first().is_some_and(|first| first.version == version.version);
        let name = format!("{}@{}", state.base.name, version.version);
        html! {
            tr {
                td { a href=(wanted.address(&[("profile", &name)])) aria-current=[shown.then_some("true")] { (name) } @if newest { " " span.faint { "newest" } } }
                td { (moment(&version.saved)) }
                td {
                    @if version.version == 1 { span.faint { "the first" } }
                    @else if version.changes.is_empty() { span.faint { "the same as the one before" } }
                    @for change in &version.changes { div { (change.key) ": " (brief(&change.from)) " → " b { (brief(&change.to)) } } }
                }
                td { @if !newest || state.base.deleted { button type="button" data-do="restore" data-version=(version.version) aria-label=(format!("Restore {name}")) { "Restore" } } }
            }
        }
    };
    html! {
        @if !versions.is_empty() || !deleted.is_empty() {
            section.card aria-labelledby="versions-title" {
                h2 #versions-title { "Versions" }
                @if !versions.is_empty() {
                    p.small.faint { "Every version is kept. A run names the one it used; restoring saves an old one as the newest." }
                    div.scroll { table.versions {
                        thead { tr { th { "Version" } th { "Saved" } th { "What changed" } th { span.unseen { "Restore" } } } }
                        tbody { @for version in versions.iter().take(LISTED) { (row(version)) } }
                    } }
                    @if versions.len() > LISTED {
                        details { summary { (plural((versions.len() - LISTED) as u64, "older version")) }
                            div.scroll { table.versions {
                                thead { tr { th { "Version" } th { "Saved" } th { "What changed" } th { span.unseen { "Restore" } } } }
                                tbody { @for version in versions.iter().skip(LISTED) { (row(version)) } }
                            } }
                        }
                    }
                }
                @if !deleted.is_empty() {
                    details { summary { (plural(deleted.len() as u64, "deleted profile")) }
                        ul.plain { @for name in &deleted { li { (name) " " button type="button" data-do="bring-back" data-profile=(name) aria-label=(format!("Bring back {name}")) { "Bring back" } } } }
                    }
                }
            }
        }
    }
}
