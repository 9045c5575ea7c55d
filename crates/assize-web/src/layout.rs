//! What every page of a signed-in reader has around it: navigation, trail, keys.

use super::assets;
use super::frame::{document, mark};
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};

/// A part of the page, as the navigation names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Runs,
    NewRun,
    Compare,
    Rubrics,
    Settings,
    Api,
}

/// The navigation: what it says, where it leads, and the key that goes there after `g`.
const NAVIGATION: &[(Section, &str, &str, char)] = &[
    (Section::Runs, "Runs", "/", 'r'),
    (Section::NewRun, "New run", "/new", 'n'),
    (Section::Compare, "Compare", "/compare", 'c'),
    (Section::Rubrics, "Rubrics", "/rubrics", 'b'),
    (Section::Settings, "Judge settings", "/settings", 's'),
    (Section::Api, "API", "/api", 'a'),
];

/// A page to be framed.
pub(super) struct Page<'p> {
    /// What the window is called, and the heading.
    pub(super) title: &'p str,
    /// Where in the navigation it stands.
    pub(super) section: Section,
    /// The pages it lies under: name and address.
    pub(super) trail: Vec<(String, String)>,
    /// Scripts it needs, by asset name.
    pub(super) scripts: &'p [&'p str],
    /// What stands beside the heading.
    pub(super) beside: Markup,
    /// The page itself.
    pub(super) body: Markup,
}

impl<'p> Page<'p> {
    /// A page with nothing beside its heading and no script of its own.
    pub(super) fn new(title: &'p str, section: Section, body: Markup) -> Self {
        Self { title, section, trail: Vec::new(), scripts: &[], beside: html! {}, body }
    }

    /// The response.
    pub(super) fn framed(self) -> Response {
        Html(self.document().into_string()).into_response()
    }

    fn document(self) -> Markup {
        let head = html! {
            script type="module" src=(assets::address("keys.js")) {}
            @for script in self.scripts { script type="module" src=(assets::address(script)) {} }
        };
        let body = html! {
            a.skip href="#main" { "Skip to the content" }
            header.top {
                a.brand href="/" { (mark()) "Assize" }
                nav aria-label="Main" {
                    @for (section, name, address, key) in NAVIGATION {
                        a href=(address) data-key=(key) aria-current=[(*section == self.section).then_some("page")] { (name) }
                    }
                }
                button.quiet #keys-button type="button" title="Keys (?)" aria-label="Show the keys" { kbd { "?" } }
            }
            main #main tabindex="-1" {
                @if !self.trail.is_empty() {
                    nav.trail aria-label="Where you are" {
                        @for (name, address) in &self.trail { a href=(address) { (name) } " / " }
                        span aria-current="page" { (self.title) }
                    }
                }
                div.heading { h1 { (self.title) } div.beside { (self.beside) } }
                (self.body)
            }
            div #said role="status" aria-live="polite" {}
            dialog #keys aria-labelledby="keys-title" {
                h2 #keys-title { "Keys" }
                dl.keys {
                    dt { kbd { "?" } } dd { "this list" }
                    dt { kbd { "/" } } dd { "search" }
                    @for (_, name, _, key) in NAVIGATION { dt { kbd { "g" } " " kbd { (key) } } dd { (name) } }
                    dt { kbd { "j" } " " kbd { "k" } } dd { "next, previous: row in a list, case on its page" }
                    dt { kbd { "Enter" } } dd { "open the row" }
                    dt { kbd { "u" } } dd { "up: from a case to its list" }
                    dt { kbd { "n" } " " kbd { "p" } } dd { "next, previous mark in the texts of a case" }
                    dt { kbd { "Esc" } } dd { "close" }
                }
                form method="dialog" { button { "Close" } }
            }
        };
        document(&format!("{} · Assize", self.title), head, body)
    }
}
