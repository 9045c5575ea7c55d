//! What stands above the settings: which judge, which profile, which cases, and what can be done with them.

use super::Wanted;
use super::state::{Base, OWN, State, brief};
use crate::app::App;
use crate::failure::Failure;
use crate::questions::EXAMPLE;
use crate::shown::{moment, plural};
use crate::whatif::CaseSet;
use assize_core::JudgeSystem;
use assize_core::document::Problem;
use assize_judges::SYSTEMS;
use maud::{Markup, html};
use std::sync::Arc;

/// As many runs as can be chosen from; an address can name any.
const RUNS: usize = 20;

/// The judges, the one looked at marked.
pub(super) fn judges(chosen: &dyn JudgeSystem) -> Markup {
    // Profiles and runs belong to a judge.
    let address = |judge: &str| Wanted { judge: judge.to_owned(), ..Wanted::default() }.address(&[]);
    html! {
        nav.chips aria-label="Judge" {
            @for system in SYSTEMS {
                a.chip href=(address(system.name())) title=(system.card().summary) aria-current=[(system.name() == chosen.name()).then_some("page")] { (system.name()) }
            }
        }
        p.faint { (sentence(chosen.card().summary)) }
    }
}

fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// What should be known before anything else.
pub(super) fn notices(wanted: &Wanted, state: &State, lost: &[Problem]) -> Markup {
    let base = &state.base;
    html! {
        @if !wanted.deleted.is_empty() {
            div.notice role="status" {
                "The profile " b { (wanted.deleted) } " was deleted. Its versions are kept, and runs that used it stay readable. "
                button type="button" data-do="bring-back" data-profile=(wanted.deleted) { "Undo" }
            }
        }
        @if base.deleted {
            div.notice {
                "This profile was deleted. " button type="button" data-do="bring-back" data-profile=(base.name) { "Bring back" }
            }
        } @else if let Some((version, newest)) = base.version.filter(|(version, newest)| version != newest) {
            div.notice {
                "This is version " (version) " of " (newest) ". "
                button type="button" data-do="restore" data-version=(version) { "Restore it as version " (newest + 1) }
                " " a href=(wanted.address(&[("profile", &base.name)])) { "Go to the newest" }
            }
        }
        @if !lost.is_empty() {
            div.notice data-kind="warning" {
                "What the address says of changed settings could not be read, so they are as saved: "
                @for problem in lost { (problem.message) ". " }
            }
        }
    }
}

/// Which profile and which cases, and what can be done.
pub(super) fn bar(app: &App, wanted: &Wanted, state: &State, set: Option<&Arc<CaseSet>>) -> Result<Markup, Failure> {
    let offered = state.system.what_if().is_some();
    let runs = if offered { run_choices(app, wanted, state.system, set)? } else { Vec::new() };
    let (built_in, saved) = state.choices();
    let base = &state.base;
    let shown = base.address();
    let is_saved = base.version.is_some();
    Ok(html! {
        div.card.profile-bar {
            div.choices {
                label { "Profile "
                    select #profile {
                        optgroup label="Built in" { @for name in built_in { option value=(name) selected[name == shown] { (Base::named(name)) } } }
                        @if !saved.is_empty() { optgroup label="Saved" {
                            @for profile in saved { option value=(profile.name) selected[profile.name == shown] { (profile.name) " (version " (profile.version) ")" } }
                        } }
                        @if !base.is_newest() { option value=(shown) selected { (shown) } }
                    }
                }
                @if !runs.is_empty() {
                    label { "Cases of "
                        select #run { @for (value, words, chosen) in runs { option value=(value) selected[chosen] { (words) } } }
                    }
                }
                span.faint.small { @if let Some(saved) = &base.saved { "saved " (moment(saved)) } @else { "comes with the judge" } }
            }
            div.actions {
                @if is_saved && !base.deleted { button.primary type="button" data-do="save" disabled { "Save" } }
                button.primary[!is_saved] type="button" data-do="save-as" { "Save as …" }
                button type="button" data-do="discard" disabled { "Discard changes" }
                button type="button" data-do="duplicate" { "Duplicate" }
                button type="button" data-do="import" { "Import" }
                button type="button" data-do="export" { "Export" }
                @if is_saved && !base.deleted { button.danger type="button" data-do="delete" { "Delete" } }
                input #import-file type="file" accept=".json,application/json" hidden aria-label="A file with settings";
            }
        }
    })
}

/// A value, what it says, and whether it is the one.
type Choice = (String, String, bool);

fn run_choices(
    app: &App,
    wanted: &Wanted,
    system: &dyn JudgeSystem,
    set: Option<&Arc<CaseSet>>,
) -> Result<Vec<Choice>, Failure> {
    let runs = app.store().runs_judged_by(system.name(), RUNS)?;
    let current = set.and_then(|set| set.run.as_ref()).map(|run| run.id.clone());
    let is_current = |id: &str| current.as_deref().map_or(wanted.run == id, |current| current == id);
    let mut choices: Vec<Choice> = runs
        .iter()
        .map(|run| {
            let started = run.started.get(..16).unwrap_or(&run.started).replace('T', " ");
            (run.id.clone(), format!("{} · {started}", run.suite), is_current(&run.id))
        })
        .collect();
    if let Some(run) = set.and_then(|set| set.run.as_ref())
        && !choices.iter().any(|(id, _, _)| *id == run.id)
    {
        choices.push((run.id.clone(), run.suite.clone(), true));
    }
    let example = set.is_some_and(|set| set.run.is_none());
    choices.push((EXAMPLE.to_owned(), "the bundled example".to_owned(), example));
    Ok(choices)
}

/// What differs from the profile, each with a way back.
pub(super) fn changes(state: &State) -> Markup {
    let changes = state.changes();
    let title = state.base.title();
    html! {
        div data-part="changes" data-changes=(changes.len()) {
            @if changes.is_empty() { p.faint { "Nothing: they are as in " (title) "." } }
            @else {
                p.small.faint { (plural(changes.len() as u64, "change")) " against " (title) ", not saved." }
                ul.changes { @for change in &changes {
                    li {
                        code { (change.key) } ": " (brief(&change.from)) " → " b { (brief(&change.to)) }
                        " " button.quiet type="button" data-do="reset" data-key=(change.key) aria-label=(format!("Undo the change of {}", change.key)) { "undo" }
                    }
                } }
            }
        }
    }
}

/// The way to a run with this profile.
pub(super) fn run_it(state: &State) -> Markup {
    let base = &state.base;
    let ready = state.changes().is_empty() && !base.deleted;
    html! {
        div data-part="run" {
            @if !ready {
                p { "Save first: a run names the version of the profile that it used." }
            } @else {
                p.small.faint {
                    @match state.system.what_if() {
                        Some(what_if) => { (what_if.terms().with_model) }
                        None => { "What it asks and costs is shown before anything is asked." }
                    }
                }
                form.actions method="get" action="/new" {
                    @if base.name != OWN { input type="hidden" name="profile" value=(base.title()); }
                    input type="hidden" name="judge" value=(state.system.name());
                    label { "Judge model " input type="text" name="model" placeholder="openai:gpt-4o-mini" list="models" autocomplete="off"; }
                    datalist #models { @for model in ["offline", "openai:gpt-4o-mini", "openai:gpt-4o", "anthropic:claude-sonnet-4-5"] { option value=(model) {} } }
                    button { "Choose a suite …" }
                }
                p.small.faint { "In a suite: " code { @if base.name == OWN { "settings: {}" } @else { "settings: {profile: " (base.title()) "}" } } }
            }
        }
    }
}

/// Where a name is asked for.
pub(super) fn dialogs() -> Markup {
    html! {
        dialog #save-as aria-labelledby="save-as-title" {
            h2 #save-as-title { "Save as" }
            form method="dialog" {
                p { label { "Name " input type="text" #save-as-name required maxlength="60" autocomplete="off" spellcheck="false"; } }
                p.small.faint { "Letters, digits, spaces, “-”, “_” and “.”. A name that is taken gets a new version." }
                p.notice #save-as-wrong data-kind="error" hidden {}
                div.actions { button.primary value="save" { "Save" } button type="button" data-do="cancel" { "Cancel" } }
            }
        }
    }
}
