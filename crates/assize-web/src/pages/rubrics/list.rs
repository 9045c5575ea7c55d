//! All rubric files: the trees, the files outside them, the bundled example, and how to begin a new one.

use super::tree::DrawnTree;
use super::{counted, edit_address, file_address};
use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::rubrics::{self, Findings, Origin, RubricFileKind, RubricFiles, RubricRun};
use crate::shown;
use assize_core::SourceFile;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

pub(super) async fn show(State(app): State<App>) -> Result<Response, Failure> {
    let body = app.blocking(|app| {
        let runs = rubrics::newest_runs(app)?;
        let (own, example) = (RubricFiles::of_folder(app), RubricFiles::of_example());
        let empty = own.files.is_empty();
        let folder = app.folder().root().file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(html! {
            @if empty {
                (shown::nothing_here("There are no rubric files in this folder yet.", html! {
                    p { "A rubric says what a good output is, as questions that a judge answers yes or no. "
                        "Begin with a copy of the example below, or with a question of your own." }
                    (copy_form())
                }))
            } @else { (drawn(app, &own, &runs)) }
            (new_file(&own))
            details.card open[empty] {
                summary { h2.inline { "The bundled example" } }
                p { "Fourteen questions about insurance claim notes, added up to a release decision. It is part of the program: "
                    "open a file to see how it is made and try changes on it; to keep them, write a copy into your folder." }
                @if !empty { (copy_form()) }
                (drawn(app, &example, &runs))
            }
            p.faint.small { "Files of the folder " code { (folder) } ". " code { "assize lint" } " reports the same findings in a terminal." }
        })
    });
    let mut page = Page::new("Rubrics", Section::Rubrics, body.await?);
    page.scripts = &["rubrics.js"];
    page.beside = html! { a.button href="#new" { "New rubric" } };
    Ok(page.framed())
}

fn drawn(app: &App, files: &RubricFiles, runs: &[RubricRun]) -> Markup {
    let findings = app.looked_over().findings(files);
    let sources: Vec<SourceFile> = files.files.iter().map(|(file, _)| file.clone()).collect();
    let roots: Vec<&String> = files.roots.iter().filter(|root| files.in_tree(root).next().is_some()).collect();
    let alone: Vec<&(SourceFile, RubricFileKind)> =
        files.files.iter().filter(|(file, _)| files.root_of(&file.path).is_none()).collect();
    html! {
        @for root in roots {
            section.card {
                h2 { (tree_name(files, root)) }
                (DrawnTree::new(files, root, &sources, &findings, runs).drawn())
            }
        }
        @if !alone.is_empty() { (files_drawn(files, &alone, &findings)) }
    }
}

fn tree_name(files: &RubricFiles, root: &str) -> String {
    match (files.origin, root) {
        (Origin::Example, _) => "Claim notes".to_owned(),
        (Origin::Folder, "") => "The tree in this folder".to_owned(),
        (Origin::Folder, root) => root.to_owned(),
    }
}

fn files_drawn(files: &RubricFiles, listed: &[&(SourceFile, RubricFileKind)], findings: &Findings) -> Markup {
    html! {
        section.card {
            h2 { "Files that stand alone" }
            div.scroll { table.list {
                thead { tr { th { "File" } th { "What it is" } th { "About" } th { "Findings" } th { "Edit" } } }
                tbody { @for (file, kind) in listed {
                    @let address = files.address(&file.path);
                    tr data-row {
                        td { a.main href=(file_address(&address)) { (file.path) } }
                        td { (kind.name()) }
                        td { (rubrics::title(*kind, &file.text)) }
                        td { (counted(findings.get(&file.path).map(Vec::as_slice).unwrap_or_default())) }
                        td { a href=(edit_address(&address)) aria-label={ "Edit " (file.path) } { "Edit" } }
                    }
                } }
            } }
        }
    }
}

fn copy_form() -> Markup {
    html! {
        form.actions data-new="example" {
            label { "Folder" input type="text" name="path" value="behaviours" size="14" required; }
            button.primary { "Write a copy of the example into it" }
        }
    }
}

fn new_file(files: &RubricFiles) -> Markup {
    let benchmarks = rubrics::without_prompt(files);
    html! {
        details.card #new {
            summary { h2.inline { "New rubric" } }
            div.grid {
                form.stack data-new="behaviour" {
                    h3 { "A yes-or-no question" }
                    p.faint.small { "A behaviour prompt: one question that a judge answers for every output." }
                    label.over { span { "What is asked" } input type="text" name="about" required placeholder="Whether the note names the patient"; }
                    label.over { span { "It is wrong if … (may be left empty)" } input type="text" name="wrong_if" placeholder="the name differs from the record"; }
                    label.over { span { "File" } input type="text" name="path" required placeholder="patient_name_prompt.md" pattern=".*_prompt\\.md" title="The name ends in _prompt.md"; }
                    div.actions { button { "Begin" } }
                }
                form.stack data-new="criteria" {
                    h3 { "Criteria with scales" }
                    p.faint.small { "A criteria judge: scores on scales you describe, weights, verdicts by rules. It begins as a commented example." }
                    label.over { span { "File" } input type="text" name="path" required placeholder="support-reply.yaml" pattern=".*\\.ya?ml" title="The name ends in .yaml"; }
                    div.actions { button { "Begin" } }
                }
                @if !benchmarks.is_empty() {
                    form.stack data-new="from_benchmark" {
                        h3 { "The prompt of a benchmark" }
                        p.faint.small { "Made from the benchmark's own fields, where the prompt it names is not written yet." }
                        label.over { span { "Benchmark" } select name="benchmark" { @for path in benchmarks { option value=(path) { (path) } } } }
                        div.actions { button { "Begin" } }
                    }
                }
            }
        }
    }
}
