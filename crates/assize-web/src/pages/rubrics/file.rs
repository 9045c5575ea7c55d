//! One file: its parts, its source with findings, and the question it leads to.

use super::source::{by_parts, with_findings};
use super::tree::benchmark_score;
use super::{counted, edit_address, file_address};
use crate::app::App;
use crate::failure::Failure;
use crate::layout::{Page, Section};
use crate::links;
use crate::rubrics::{
    self, Address, Attempt, CaseSource, ListedCase, Origin, RubricFileKind, RubricFiles, SourceChoice,
};
use assize_core::Question;
use assize_core::document::Problems;
use assize_judges::systems::behaviour::spec::TreeFiles;
use axum::extract::{Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;

/// As many cases as can be chosen from.
const CASES: usize = 50;

/// What is wanted of a file.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    path: String,
    /// Where the case comes from whose question is shown.
    #[serde(default)]
    source: String,
    /// Its position there.
    #[serde(default)]
    case: u32,
}

pub(super) async fn show(State(app): State<App>, Query(wanted): Query<Wanted>) -> Result<Response, Failure> {
    let (title, writable, body) = app.blocking(move |app| drawn(app, &wanted)).await?;
    let mut page = Page::new(&title, Section::Rubrics, body);
    page.trail = vec![("Rubrics".to_owned(), "/rubrics".to_owned())];
    page.beside = writable;
    Ok(page.framed())
}

fn drawn(app: &App, wanted: &Wanted) -> Result<(String, Markup, Markup), Failure> {
    let address = Address::parse(&wanted.path);
    let text = address.read(app)?;
    let files = RubricFiles::around(app, &address);
    let Some((_, kind)) = files.file(&address.path) else {
        return Err(Failure::bad(format!("“{}” is no rubric file.", address.path))
            .with_way_on("Rubric files are behaviour prompts, benchmarks, rubrics and criteria."));
    };
    let (findings, elsewhere) = rubrics::of_file(&files, &address.path);
    let parts = rubrics::parts(*kind, &text);
    let top = rubrics::top_codes(&files, &address.path);
    let name = address.path.rsplit('/').next().unwrap_or(&address.path).to_owned();
    let edit = html! {
        a.button.primary href=(edit_address(&address)) {
            @if address.origin == Origin::Folder { "Edit" } @else { "Try changes" }
        }
    };
    let body = html! {
        dl.facts {
            div { dt { "What it is" } dd { (kind.name()) } }
            div { dt { "File" } dd { code { (address.path) } @if address.origin == Origin::Example { " in the bundled example" } } }
            div { dt { "Findings" } dd { (counted(&findings)) } }
            @if !elsewhere.is_empty() { div { dt { "In the rest of its tree" } dd { (elsewhere.len()) " more" } } }
            (relations(app, &files, &address, *kind, &top)?)
        }
        div.split {
            section.card { h2 { "By its parts" }
                @if parts.is_empty() { p { "Nothing of it can be read. The findings beside say why." } } @else { (by_parts(&parts)) }
            }
            section.card { h2 { "As written" } (with_findings(&text, &findings)) }
        }
        (question_fold(&questions(app, &files, &address, *kind, &text, &top, wanted), &address, wanted))
    };
    Ok((name, edit, body))
}

/// What the file has to do with others in its tree, and how it did in the newest run.
fn relations(
    app: &App,
    files: &RubricFiles,
    address: &Address,
    kind: RubricFileKind,
    top: &[String],
) -> Result<Markup, Failure> {
    let Some(root) = files.root_of(&address.path) else { return Ok(html! {}) };
    let sources: Vec<_> = files.files.iter().map(|(file, _)| file.clone()).collect();
    let tree = TreeFiles::read(root, &sources, &mut Problems::default());
    let benchmarks: Vec<_> = tree
        .benchmarks
        .iter()
        .filter(|benchmark| match kind {
            RubricFileKind::Prompt => tree.prompt_of(benchmark).is_some_and(|prompt| prompt.path == address.path),
            _ => benchmark.file == address.path,
        })
        .collect();
    let run = rubrics::newest_runs(app)?.into_iter().find(|run| run.top.iter().eq(top));
    Ok(html! {
        @for benchmark in &benchmarks {
            @if kind == RubricFileKind::Prompt {
                div { dt { "Used by" } dd { a href=(file_address(&files.address(&benchmark.file))) { (benchmark.code.value) } } }
            } @else if let Some(prompt) = tree.prompt_of(benchmark) {
                div { dt { "Its prompt" } dd { a href=(file_address(&files.address(&prompt.path))) { (prompt.path) } } }
            }
            @if let Some(run) = &run {
                @for (model, scores) in &run.models {
                    div { dt { (model) ", " a href=(links::run(&run.run_id)) { "newest run" } } dd { (benchmark_score(scores.benchmarks.get(&benchmark.code.value))) } }
                }
            }
        }
    })
}

/// The question that the file leads to for a case, in a fold; what stands in the way is said there.
fn question_fold(found: &Result<Chosen, Failure>, address: &Address, wanted: &Wanted) -> Markup {
    html! {
        details.card #question open[!wanted.source.is_empty()] {
            summary { h2.inline { "The question it leads to" } }
            @match found {
                Err(failure) => { p { (failure.message) " " (failure.way_on) } },
                Ok(Chosen { sources, source, cases, asked }) => {
                    form.filters method="get" action="/rubrics/file#question" {
                        input type="hidden" name="path" value=(address);
                        label { "Cases of" select name="source" { @for choice in sources {
                            option value=(choice.source) selected[choice.source == *source] { (choice.label) }
                        } } }
                        label { "Case" select name="case" { @for case in cases {
                            option value=(case.position) selected[case.position == wanted.case] disabled[case.problem.is_some()] {
                                (case.id) " (" (case.model) ")" @if let Some(problem) = &case.problem { ": " (problem) }
                            }
                        } } }
                        button { "Show" }
                    }
                    @match asked {
                        Ok(questions) => { @for question in questions { (drawn_question(question)) } },
                        Err(why) => { p { (why) } },
                    }
                },
            }
        }
    }
}

struct Chosen {
    sources: Vec<SourceChoice>,
    source: String,
    cases: Vec<ListedCase>,
    asked: Result<Vec<Question>, String>,
}

fn questions(
    app: &App,
    files: &RubricFiles,
    address: &Address,
    kind: RubricFileKind,
    text: &str,
    top: &[String],
    wanted: &Wanted,
) -> Result<Chosen, Failure> {
    let inputs = rubrics::inputs(kind, &address.path, text);
    let sources = rubrics::sources(app, address, &inputs, top)?;
    let likeliest = sources.first().map(|choice| choice.source.as_str());
    let source = likeliest.filter(|_| wanted.source.is_empty()).unwrap_or(&wanted.source);
    if source.is_empty() {
        return Err(Failure::bad(rubrics::no_cases(&inputs)));
    }
    let source = CaseSource::parse(source)?;
    let (cases, _) = rubrics::listed(app, &source, &inputs, 0, CASES)?;
    let ways = rubrics::ways(files, &address.path, kind);
    let judge_use = ways.first().map(|way| way.judge_use.clone()).unwrap_or_default();
    // A case that cannot be judged, or a file that cannot be judged by, is no reason to show no choice.
    let asked = rubrics::case_at(app, &source, &inputs, [wanted.case])
        .and_then(|cases| Attempt::new(app, address, judge_use, "offline", cases))
        .and_then(|attempt| rubrics::question(&attempt, files))
        .unwrap_or_else(|failure| Err(format!("{} {}", failure.message, failure.way_on)));
    Ok(Chosen { source: source.to_string(), sources, cases, asked })
}

fn drawn_question(question: &Question) -> Markup {
    html! {
        h3 { (question.name) }
        @for message in &question.messages {
            h4 { @match message.role {
                assize_core::Role::System => "Standing instructions",
                assize_core::Role::User => "What is put to the judge",
                assize_core::Role::Assistant => "An answer shown as an example",
            } }
            pre tabindex="0" { (message.content) }
        }
        details.small { summary { "The form of the answer" }
            pre { (format!("{:#}", question.schema.schema)) }
        }
    }
}
