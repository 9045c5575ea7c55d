//! The outermost frame: the document itself, and pages without navigation.

use super::assets;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A document of ours.
pub(super) fn document(title: &str, head: Markup, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="/favicon.ico" type="image/svg+xml";
                link rel="stylesheet" href=(assets::address("style.css"));
                (head)
            }
            body { (body) }
        }
    }
}

/// A page without navigation: nobody is signed in, or nothing is there.
pub(super) fn bare(title: &str, body: Markup) -> Markup {
    document(
        &format!("{title} · Assize"),
        html! {},
        html! {
            header.top { a.brand href="/" { (mark()) "Assize" } }
            main #main { h1 { (title) } (body) }
        },
    )
}

/// The scales.
pub(super) fn mark() -> Markup {
    PreEscaped(include_str!("assets/icon.svg").to_owned())
}
