//! The workbench: a text, what is wrong with it, what it says of chosen cases, and writing it.
//!
//! The server gives the frame and the text; `workbench.js` does the rest through the API.

use super::file_address;
use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::rubrics::{self, Address, Origin, RubricFileKind, RubricFiles};
use axum::extract::{Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;

/// Which file. The rest of the address belongs to the script: which cases are chosen.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    path: String,
}

pub(super) async fn show(State(app): State<App>, Query(wanted): Query<Wanted>) -> Result<Response, Failure> {
    let address = Address::parse(&wanted.path);
    let (text, kind) = app
        .blocking({
            let address = address.clone();
            move |app| {
                let text = address.read(app)?;
                let files = RubricFiles::around(app, &address);
                let kind = files.file(&address.path).map(|(_, kind)| *kind).ok_or_else(|| {
                    Failure::bad(format!("“{}” is no rubric file.", address.path))
                        .with_way_on("Rubric files are behaviour prompts, benchmarks, rubrics and criteria.")
                })?;
                Ok((text, kind))
            }
        })
        .await?;
    let name = address.path.rsplit('/').next().unwrap_or(&address.path).to_owned();
    let title = format!("Edit {name}");
    let mut page = Page::new(&title, Section::Rubrics, workbench(&address, kind, &text));
    page.trail = vec![("Rubrics".to_owned(), "/rubrics".to_owned()), (address.path.clone(), file_address(&address))];
    page.scripts = &["workbench.js", "rubrics.js"];
    Ok(page.framed())
}

fn workbench(address: &Address, kind: RubricFileKind, text: &str) -> Markup {
    let writable = address.origin == Origin::Folder;
    let newline = if text.contains("\r\n") { "crlf" } else { "lf" };
    html! {
        div #workbench data-path=(address) data-fingerprint=(rubrics::fingerprint(text)) data-newline=(newline) {
            div.actions.bench-bar {
                @if writable {
                    button.primary #write type="button" disabled { "Write the file" }
                    button #undo type="button" hidden { "Undo the writing" }
                    span #state role="status" { "No changes." }
                } @else {
                    span #state role="status" { "The example can be changed here to try things; it is not written." }
                }
            }
            div #conflict.notice data-kind="error" role="alert" hidden {}
            @if !writable {
                form.actions data-new="example" {
                    label { "To work on it, write a copy of the example into the folder" input type="text" name="path" value="behaviours" size="14" required; }
                    button { "Write a copy" }
                }
            }
            noscript { p.notice data-kind="warning" { "The workbench needs scripts. Without them, edit the file on the disk and look at " a href=(file_address(address)) { "its findings" } "." } }
            div.split.bench {
                section.card {
                    h2 { label for="text" { "The " (kind.name()) } }
                    p.faint.small #text-help { "Tab indents. To leave the text by keyboard, press Esc and then Tab. " kbd { "Ctrl" } "+" kbd { "S" } " writes the file." }
                    div.editor {
                        div.mirror aria-hidden="true" {}
                        // The first line break after the tag is not part of a text area's value.
                        textarea #text.code aria-describedby="text-help" spellcheck="false" autocapitalize="off" autocomplete="off" { "\n" (text) }
                    }
                }
                div.bench-side {
                    section.card aria-label="Findings" { h2 { "Findings " span #counts {} } div #findings tabindex="0" { p.faint { "Looking the text over …" } } }
                    details.card #changes-card { summary { h2.inline { "Changes against the file" } " " span.faint #changes-count {} } div #changes {} }
                    details.card open { summary { h2.inline { "By its parts" } } div #parts tabindex="0" {} }
                }
            }
            (trial())
        }
    }
}

fn trial() -> Markup {
    html! {
        section.card {
            h2 { "Try it on cases" }
            p.faint.small { "The text is judged as it stands above, saved or not, beside the file on the disk. Answers are kept, so nothing is paid twice; no run is recorded." }
            form #trial {
                div.filters {
                    label { "Cases of" select name="source" {} }
                    label { "Judge" select name="use" {} }
                    label { "Model" input type="text" name="model" list="models" value="offline" required autocomplete="off"; }
                    datalist #models {}
                }
                fieldset { legend { "Cases" } div #cases.case-choice {} button #more type="button" hidden { "More cases" } }
                div.actions { button.primary #try type="submit" disabled { "Try" } span #estimate.faint {} }
            }
            div #tried aria-live="polite" {}
        }
    }
}
