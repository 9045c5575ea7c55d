//! Rubric files over the API: listed, read, looked over, written.

use super::operation::{ApiFailure, Body, Created, Operation, Query, Reply, reply};
use crate::app::App;
use crate::failure::Failure;
use crate::rubrics::{self, Address, Found, Origin, Part, RubricFileKind, RubricFiles, Template};
use assize_judges::systems::behaviour::unified_diff;
use axum::extract::State;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) fn operations() -> Vec<Operation> {
    const MISSING: &[StatusCode] = &[StatusCode::NOT_FOUND];
    const CONFLICT: &[StatusCode] = &[StatusCode::NOT_FOUND, StatusCode::CONFLICT];
    vec![
        Operation::new(
            Method::GET,
            "/rubrics",
            "listRubrics",
            "The rubric files of the served folder and of the bundled example, with what is wrong with them.",
            list,
        ),
        Operation::new(
            Method::GET,
            "/rubrics/file",
            "getRubricFile",
            "A rubric file: its text, its parts, its findings.",
            one,
        )
        .with_refusals(MISSING),
        Operation::new(
            Method::PUT,
            "/rubrics/file",
            "writeRubricFile",
            "Writes a rubric file, if it is still the version that was started from.",
            put,
        )
        .with_refusals(CONFLICT),
        Operation::new(
            Method::POST,
            "/rubrics/new",
            "newRubricFile",
            "Writes a new rubric file to start from, or a copy of the bundled example.",
            new,
        )
        .with_refusals(CONFLICT),
        Operation::new(
            Method::POST,
            "/lint",
            "lint",
            "Looks a text over as if it stood in a file; nothing is written.",
            lint,
        ),
    ]
}

/// Rubric files.
#[derive(Debug, Serialize, JsonSchema)]
struct RubricList {
    /// In the order of their paths; those of the example last.
    files: Vec<ListedFile>,
}

/// A rubric file in a list.
#[derive(Debug, Serialize, JsonSchema)]
struct ListedFile {
    /// Its path in the served folder, or `example:` and its path in the example.
    path: String,
    /// What it is.
    kind: RubricFileKind,
    /// What it is about, in a line.
    title: String,
    /// The folder of the tree it belongs to, if it belongs to one.
    tree: Option<String>,
    /// How many errors were found in it.
    errors: usize,
    /// How many warnings.
    warnings: usize,
    /// How many notes.
    notes: usize,
}

async fn list(State(app): State<App>) -> Reply<RubricList> {
    let files = app.blocking(|app| {
        let both = [RubricFiles::of_folder(app), RubricFiles::of_example()];
        Ok(both.iter().flat_map(|files| listed(app, files)).collect())
    });
    reply(RubricList { files: files.await? })
}

fn listed(app: &App, files: &RubricFiles) -> Vec<ListedFile> {
    let findings = app.looked_over().findings(files);
    let row = |(file, kind): &(assize_core::SourceFile, RubricFileKind)| {
        let found = findings.get(&file.path).map(Vec::as_slice).unwrap_or_default();
        let of = |severity: rubrics::Severity| found.iter().filter(|found| found.severity == severity).count();
        ListedFile {
            path: files.address(&file.path).to_string(),
            kind: *kind,
            title: rubrics::title(*kind, &file.text),
            tree: files.root_of(&file.path).map(str::to_owned),
            errors: of(rubrics::Severity::Error),
            warnings: of(rubrics::Severity::Warning),
            notes: of(rubrics::Severity::Note),
        }
    };
    files.files.iter().map(row).collect()
}

/// Which file.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfPath {
    /// Its path in the served folder, or `example:` and its path in the example.
    path: String,
}

/// A rubric file.
#[derive(Debug, Serialize, JsonSchema)]
struct RubricFile {
    /// Its path.
    path: String,
    /// What it is.
    kind: RubricFileKind,
    /// Its text.
    text: String,
    /// The version of the text, for writing another in its place.
    fingerprint: String,
    /// Whether it can be written.
    writable: bool,
    /// Its parts.
    parts: Vec<Part>,
    /// What was found in it.
    findings: Vec<Found>,
}

async fn one(State(app): State<App>, Query(wanted): Query<OfPath>) -> Reply<RubricFile> {
    let found = app.blocking(move |app| {
        let address = Address::parse(&wanted.path);
        let text = address.read(app)?;
        let files = RubricFiles::around(app, &address);
        let kind = kind_of(&files, &address, &text, None)?;
        let (findings, _) = rubrics::of_file(&files, &address.path);
        Ok(RubricFile {
            path: address.to_string(),
            kind,
            fingerprint: rubrics::fingerprint(&text),
            writable: address.origin == Origin::Folder,
            parts: rubrics::parts(kind, &text),
            findings,
            text,
        })
    });
    reply(found.await?)
}

/// What a file is taken for: what it is on the disk, what it is said to be, what its text looks like.
pub(super) fn kind_of(
    files: &RubricFiles,
    address: &Address,
    text: &str,
    given: Option<RubricFileKind>,
) -> Result<RubricFileKind, Failure> {
    let on_disk = files.file(&address.path).map(|(_, kind)| *kind);
    on_disk.or(given).or_else(|| RubricFileKind::of(&address.path, text, &files.roots)).ok_or_else(|| {
        Failure::bad(format!("“{}” is no rubric file.", address.path))
            .with_way_on("Rubric files are behaviour prompts, benchmarks, rubrics and criteria.")
    })
}

/// A text for a file.
#[derive(Debug, Deserialize, JsonSchema)]
struct NewText {
    /// The file's path in the served folder.
    path: String,
    /// The whole text.
    text: String,
    /// The fingerprint of the version this text was made from.
    base: String,
}

/// What was written.
#[derive(Debug, Serialize, JsonSchema)]
struct Written {
    /// The file's path.
    path: String,
    /// The version that stands there now.
    fingerprint: String,
    /// The text that stood there before, to put it back.
    previous: String,
}

async fn put(State(app): State<App>, Body(wanted): Body<NewText>) -> Reply<Written> {
    let written = app.blocking(move |app| {
        let address = Address::parse(&wanted.path);
        let previous = rubrics::write(app, &address, &wanted.text, &wanted.base)?;
        Ok(Written { path: address.to_string(), fingerprint: rubrics::fingerprint(&wanted.text), previous })
    });
    reply(written.await?)
}

/// A new file.
#[derive(Debug, Serialize, JsonSchema)]
struct NewFile {
    /// Its path; for the example, the path of its tree.
    path: String,
}

async fn new(State(app): State<App>, Body(template): Body<Template>) -> Result<Created<NewFile>, ApiFailure> {
    let path = app.blocking(move |app| rubrics::start_from(app, &template)).await?;
    Ok(Created(NewFile { path }))
}

/// A text to look over.
#[derive(Debug, Deserialize, JsonSchema)]
struct ToLint {
    /// The file it stands for; together with it the rest of its tree is looked over.
    #[serde(default)]
    path: Option<String>,
    /// What it is, where its path does not tell.
    #[serde(default)]
    kind: Option<RubricFileKind>,
    /// The text.
    text: String,
}

/// What was found in a text.
#[derive(Debug, Serialize, JsonSchema)]
struct Looked {
    /// What it was taken for.
    kind: RubricFileKind,
    /// What was found in it, in order.
    findings: Vec<Found>,
    /// What was found in the other files of its tree.
    elsewhere: Vec<Elsewhere>,
    /// Its parts, as far as they can be read.
    parts: Vec<Part>,
    /// How it differs from the file on the disk, as a unified diff; empty where it does not.
    changes: String,
}

/// Something that is wrong in another file.
#[derive(Debug, Serialize, JsonSchema)]
struct Elsewhere {
    /// That file's path.
    path: String,
    /// What was found there.
    finding: Found,
}

async fn lint(State(app): State<App>, Body(wanted): Body<ToLint>) -> Reply<Looked> {
    let looked = app.blocking(move |app| {
        let address = Address::parse(&name_of(&wanted)?);
        address.is_inside(app)?;
        let files = RubricFiles::around(app, &address);
        let kind = kind_of(&files, &address, &wanted.text, wanted.kind)?;
        let on_disk = files.file(&address.path).map(|(file, _)| file.text.clone());
        let files = files.with_text(&address.path, &wanted.text, kind);
        let (findings, elsewhere) = rubrics::of_file(&files, &address.path);
        let elsewhere =
            elsewhere.into_iter().map(|(path, finding)| Elsewhere { path: files.address(&path).to_string(), finding });
        Ok(Looked {
            kind,
            findings,
            elsewhere: elsewhere.collect(),
            parts: rubrics::parts(kind, &wanted.text),
            changes: on_disk.map(|old| unified_diff(&address.path, &old, &wanted.text)).unwrap_or_default(),
        })
    });
    reply(looked.await?)
}

/// A name for a text that has none, such as its kind would have.
fn name_of(wanted: &ToLint) -> Result<String, Failure> {
    let name = match (&wanted.path, wanted.kind) {
        (Some(path), _) => path,
        (None, Some(RubricFileKind::Prompt)) => "untitled_prompt.md",
        (None, Some(RubricFileKind::Benchmark)) => "untitled/benchmarks/untitled.yaml",
        (None, Some(RubricFileKind::Rubric)) => "untitled/rubrics/untitled.yaml",
        (None, Some(RubricFileKind::Criteria)) => "untitled.yaml",
        (None, None) => {
            return Err(Failure::bad("Say what the text is.").with_way_on("Give `path`, or `kind`."));
        }
    };
    Ok(name.to_owned())
}
