//! The judge's settings: controls instead of prompt edits, with figures that move while a control does.
//!
//! Everything is drawn here. The page is made of parts; when a control moves or the JSON is edited, the script sends the
//! settings as they stand and puts the parts that come back in place of the old ones, so a part is drawn by the same code
//! the first time and every time after. Nothing is kept but what is saved: settings that are not are in the address.

mod bar;
mod beside;
mod curve;
mod figures;
mod flips;
mod form;
mod json;
mod names;
mod question;
mod state;
mod versions;

use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::links;
use crate::whatif::{CaseSet, Offer};
use assize_core::document::Problems;
use assize_core::what_if::Change;
use assize_core::{JudgeSource, JudgeSystem, hints};
use assize_judges::{SYSTEMS, registry};
use axum::Router;
use axum::extract::{Query, State as Extracted};
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use schemars::JsonSchema;
use serde::Deserialize;
use state::State;
use std::cell::OnceCell;
use std::sync::Arc;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/settings", get(page))
}

/// What the address says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Wanted {
    /// A judge; where it is empty, the one that comes with profiles, or else the first.
    judge: String,
    /// `NAME` or `NAME@VERSION`.
    profile: String,
    /// The run whose cases are taken.
    run: String,
    /// Another profile to hold against this one.
    beside: String,
    /// What differs from the profile, as a JSON object.
    edit: String,
    /// Which case the question is about, from 1.
    case: String,
    /// A profile that was just deleted.
    deleted: String,
}

impl Wanted {
    /// The address of the same page with some of it changed. What was not saved and what was deleted are left behind.
    fn address(&self, changed: &[(&'static str, &str)]) -> String {
        let own = [
            ("judge", &self.judge),
            ("profile", &self.profile),
            ("run", &self.run),
            ("beside", &self.beside),
            ("case", &self.case),
        ];
        let value = |(name, own): (&'static str, &String)| {
            let other = changed.iter().find(|(key, _)| *key == name);
            (name, other.map_or_else(|| own.clone(), |(_, value)| (*value).to_owned()))
        };
        links::with_query("/settings", own.map(value))
    }
}

/// A part of the page that is drawn anew when settings change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// The controls.
    Controls,
    /// What differs from the saved version.
    Changes,
    /// The figures of a what-if.
    Figures,
    /// What flipped.
    Flips,
    /// A figure over one setting.
    Curve,
    /// Two profiles side by side.
    Beside,
    /// The question this produces.
    Question,
    /// The way to a run.
    Run,
}

/// Settings that are not saved, and what is to be drawn for them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draft {
    /// The profile they started from: `NAME` or `NAME@VERSION`.
    #[serde(default)]
    profile: String,
    /// The settings as JSON text, as somebody is writing it.
    text: String,
    /// The run whose cases are taken.
    #[serde(default)]
    run: String,
    /// Another profile to hold against this one.
    #[serde(default)]
    beside: String,
    /// Which case the question is about, from 1.
    #[serde(default)]
    case: u32,
    /// The parts to draw.
    parts: Vec<Part>,
}

/// Draws parts of the page for settings that are not saved. Where they are wrong, only what is wrong with them is drawn.
pub(crate) fn drawn(app: &App, system: &'static dyn JudgeSystem, draft: &Draft) -> Result<Markup, Failure> {
    let mut state = State::open(app, system, &draft.profile)?;
    let problems = state.read(&draft.text);
    if !problems.is_empty() {
        return Ok(json::problems(&draft.text, &problems));
    }
    let wanted = Wanted {
        judge: system.name().to_owned(),
        profile: draft.profile.clone(),
        run: draft.run.clone(),
        beside: draft.beside.clone(),
        case: draft.case.to_string(),
        ..Wanted::default()
    };
    let set = Offer::of(system).map(|offer| app.case_sets().find(offer, &draft.run)).transpose()?;
    let shown = Shown::new(app, &wanted, &state, set.as_ref(), true);
    Ok(html! {
        (json::problems(&draft.text, &[]))
        @for part in &draft.parts { (shown.part(*part)?) }
    })
}

/// What a page shows.
struct Shown<'p> {
    app: &'p App,
    wanted: &'p Wanted,
    state: &'p State,
    /// The cases to try settings on; none for a judge that offers no what-if, and none where they have yet to be read.
    set: Option<&'p Arc<CaseSet>>,
    /// Whether a curve that is not known may be computed.
    curve: bool,
    change: OnceCell<Result<Change, String>>,
}

/// Cases, and what other settings change on them.
type Trial<'t> = (&'t CaseSet, &'t Change);

impl<'p> Shown<'p> {
    fn new(app: &'p App, wanted: &'p Wanted, state: &'p State, set: Option<&'p Arc<CaseSet>>, curve: bool) -> Self {
        Self { app, wanted, state, set, curve, change: OnceCell::new() }
    }
}

impl Shown<'_> {
    fn part(&self, part: Part) -> Result<Markup, Failure> {
        Ok(match part {
            Part::Controls => self.controls(),
            Part::Changes => bar::changes(self.state),
            Part::Figures => figures::figures(self.state, self.trial()?),
            Part::Flips => flips::against_saved(self.state, self.trial()?),
            Part::Curve => curve::curve(self.state, self.set, self.curve),
            Part::Beside => beside::beside(self.state, self.set, &self.wanted.beside),
            Part::Question => question::question(self.app, self.wanted, self.state),
            Part::Run => bar::run_it(self.state),
        })
    }

    /// The cases, and what the settings change on them.
    fn trial(&self) -> Result<Option<Trial<'_>>, Failure> {
        let Some(set) = self.set else { return Ok(None) };
        let compute = || set.opened.change(&self.state.saved, &self.state.settings, flips::LISTED);
        match self.change.get_or_init(compute) {
            Ok(change) => Ok(Some((set, change))),
            Err(wrong) => Err(Failure::broken(wrong.as_str())),
        }
    }

    fn controls(&self) -> Markup {
        let beside = form::Beside {
            found: self.set.map_or(&[], |set| set.opened.names()),
            curve: curve::curve(self.state, self.set, self.curve),
        };
        html! {
            div data-part="controls" { (form::of_schema(&self.state.schema, &self.state.settings, &beside)) }
        }
    }
}

async fn page(Extracted(app): Extracted<App>, Query(wanted): Query<Wanted>) -> Result<Response, Failure> {
    let body = app.blocking(move |app| body(app, &wanted)).await?;
    let mut page = Page::new("Judge settings", Section::Settings, body);
    page.scripts = &["settings.js"];
    Ok(page.framed())
}

/// The figures a judge gives.
fn gives(system: &dyn JudgeSystem) -> Markup {
    let source = JudgeSource::BuiltIn(system.name().to_owned());
    let judge = system.takes(&source).then(|| system.build(&source, None, &mut Problems::default())).flatten();
    html! {
        section.card aria-labelledby="gives-title" {
            details {
                summary #gives-title { "What this judge gives" }
                @match &judge {
                    None => { p { "It is made of a file of yours, which says what it looks at and what it gives." } }
                    Some(judge) => {
                        div.scroll { table {
                            thead { tr { th { "Figure" } th { "What it is" } } }
                            tbody { @for metric in &judge.spec().metrics { tr { td { code { (metric.name) } } td { (metric.about) @if metric.run_only { span.faint { " (over a run)" } } } } } }
                        } }
                    }
                }
            }
        }
    }
}

/// The judge that an address means.
fn shown_judge(name: &str) -> Result<&'static dyn JudgeSystem, Failure> {
    let found = match name {
        "" => registry::only_with_profiles().or(SYSTEMS.first().copied()),
        name => registry::system_named(name),
    };
    found.ok_or_else(|| {
        Failure::missing(format!("There is no judge “{name}”.")).with_way_on("The settings page lists them.")
    })
}

fn body(app: &App, wanted: &Wanted) -> Result<Markup, Failure> {
    let system = shown_judge(&wanted.judge)?;
    let mut state = State::open(app, system, &wanted.profile)?;
    let lost = state.edit(&wanted.edit);
    let offer = Offer::of(system);
    let set = offer.map(|offer| app.case_sets().find_at_once(offer, &wanted.run)).transpose()?.flatten();
    // A curve over many cases takes longer than a page may; the script asks for it.
    let curve = set.as_ref().is_some_and(|set| set.is_small());
    let shown = Shown::new(app, wanted, &state, set.as_ref(), curve);
    let later = offer.is_some() && set.is_none();
    let has_curve = offer.is_some() && hints::curve(&state.schema).is_some();
    Ok(html! {
        (bar::judges(system))
        div #settings data-judge=(system.name()) data-profile=(state.base.address()) data-name=(state.base.name)
            data-saved=(state.saved) data-run=(wanted.run) data-beside=(wanted.beside) data-name-key=[state.name_key()]
            data-what-if=[offer.is_some().then_some("")] data-curve=[has_curve.then_some("")] data-later=[later.then_some("")] {
            (bar::notices(wanted, &state, &lost))
            (bar::bar(app, wanted, &state, set.as_ref())?)
            div.workspace {
                div {
                    @if let Some(offer) = offer {
                        section.card.headline-card aria-labelledby="figures-title" {
                            h2 #figures-title { (offer.terms().title) }
                            (shown.part(Part::Figures)?)
                        }
                    }
                    section.card.flips-card[offer.is_some()] aria-labelledby="changes-title" {
                        h2 #changes-title { "What differs from the saved version" }
                        (shown.part(Part::Changes)?)
                        @if offer.is_some() { (shown.part(Part::Flips)?) }
                    }
                    (beside::section(&shown)?)
                    (versions::section(wanted, &state))
                    (question::section(wanted, offer.is_none()))
                    (gives(system))
                    section.card aria-labelledby="run-title" { h2 #run-title { "Run it with a model" } (shown.part(Part::Run)?) }
                }
                div {
                    form.card.controls-card #controls autocomplete="off" aria-label="Settings" { (shown.part(Part::Controls)?) }
                    (json::panel(&state))
                }
            }
            (bar::dialogs())
            p.unseen #moved role="status" {}
        }
    })
}
