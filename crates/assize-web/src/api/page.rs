//! The API for people: every operation of the OpenAPI document, with a command to try it.

use super::openapi::document;
use crate::app::App;
use crate::layout::{Page, Section};
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use serde_json::Value;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/api", get(show))
}

async fn show(State(app): State<App>) -> Response {
    let document = document(&app);
    let mut page = Page::new("API", Section::Api, body(&document));
    page.beside = html! { a.button href="/api/v1/openapi.json" { "OpenAPI document" } };
    page.framed()
}

/// A longer command is broken into lines.
const LONGEST_LINE: usize = 90;

/// An operation, found in the document.
struct Entry<'d> {
    method: String,
    path: &'d str,
    described: &'d Value,
}

impl Entry<'_> {
    fn text(&self, name: &str) -> &str {
        self.described[name].as_str().unwrap_or_default()
    }

    fn area(&self) -> &str {
        self.described["tags"][0].as_str().unwrap_or_default()
    }

    fn list(&self, name: &str) -> &[Value] {
        self.described[name].as_array().map_or(&[], Vec::as_slice)
    }

    fn body(&self) -> Option<&Value> {
        self.described.pointer("/requestBody/content/application~1json")
    }
}

fn entries(document: &Value) -> Vec<Entry<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let methods =
        paths.flat_map(|(path, methods)| methods.as_object().into_iter().flatten().map(move |one| (path, one)));
    methods.map(|(path, (method, described))| Entry { method: method.to_uppercase(), path, described }).collect()
}

fn body(document: &Value) -> Markup {
    let entries = entries(document);
    let mut areas: Vec<&str> = entries.iter().map(Entry::area).collect();
    areas.dedup();
    let mut seen = Vec::new();
    areas.retain(|area| {
        !seen.contains(area) && {
            seen.push(*area);
            true
        }
    });
    html! {
        p { "Everything the page does, programs can do as well. Reading needs nothing on this machine; whatever changes something needs the secret of the server (" code { "ASSIZE_TOKEN" } "):" }
        pre { "export ASSIZE_TOKEN=$(openssl rand -hex 16)\nassize serve   # takes it from there" }
        p { "A request that is not served is answered with its status and " code { "{\"error\": {\"status\", \"message\", \"help\", \"problems\"}}" } ": what happened, what to do, and what is wrong with a suite or a request, each at its place." }
        nav.chips aria-label="Operations" {
            @for entry in &entries { a.chip href=(format!("#{}", entry.text("operationId"))) { (entry.text("operationId")) } }
        }
        @for area in areas {
            h2 { (area) }
            @for entry in entries.iter().filter(|entry| entry.area() == area) { (operation(entry, document)) }
        }
    }
}

fn operation(entry: &Entry<'_>, document: &Value) -> Markup {
    let server = document["servers"][0]["url"].as_str().unwrap_or_default();
    let parameters = entry.list("parameters");
    let responses = entry.described["responses"].as_object();
    html! {
        article.card.operation id=(entry.text("operationId")) {
            h3 { span.method { (entry.method) } code { (entry.path) } }
            p { (entry.text("summary")) }
            @if !parameters.is_empty() {
                div.scroll { table {
                    thead { tr { th { "Parameter" } th { "In" } th { "What it is" } } }
                    tbody { @for parameter in parameters {
                        tr {
                            td { code { (string(&parameter["name"])) } }
                            td { (string(&parameter["in"])) @if parameter["required"] == true { " (needed)" } }
                            td { (string(&parameter["description"])) }
                        }
                    } }
                } }
            }
            (fields(entry, document))
            pre { (command(entry, server)) }
            p.faint { "Replies: " @for (at, (status, response)) in responses.into_iter().flatten().enumerate() {
                @if at > 0 { ", " } code { (status) } " " (string(&response["description"]).trim_end_matches('.').to_lowercase())
            } }
        }
    }
}

/// The fields of the body.
fn fields(entry: &Entry<'_>, document: &Value) -> Markup {
    let schema = entry.body().map(|body| resolved(&body["schema"], document));
    let needed = |name: &str| {
        let required = schema.and_then(|schema| schema["required"].as_array());
        required.is_some_and(|required| required.iter().any(|one| one == name))
    };
    html! {
        @if let Some(properties) = schema.and_then(|schema| schema["properties"].as_object()) {
            div.scroll { table {
                thead { tr { th { "In the body" } th { "RubricFileKind" } th { "What it is" } } }
                tbody { @for (name, field) in properties {
                    tr {
                        td { code { (name) } @if needed(name) { " (needed)" } }
                        td { (kind(resolved(field, document))) }
                        td { (string(&field["description"])) }
                    }
                } }
            } }
        }
    }
}

/// What a `$ref` stands for.
fn resolved<'d>(schema: &'d Value, document: &'d Value) -> &'d Value {
    let target = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| document.pointer(pointer)).unwrap_or(schema)
}

fn kind(schema: &Value) -> String {
    let choices = |list: &Value| list.as_array().map(|list| list.iter().map(text).collect::<Vec<_>>().join(" | "));
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" | "),
        _ if schema["enum"].is_array() => choices(&schema["enum"]).unwrap_or_default(),
        _ if schema["oneOf"].is_array() => {
            let constants = schema["oneOf"].as_array().into_iter().flatten().map(|one| text(&one["const"]));
            constants.collect::<Vec<_>>().join(" | ")
        }
        Value::String(kind) => kind.clone(),
        _ => "any".to_owned(),
    }
}

/// A value in words.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A command for a shell that does it.
fn command(entry: &Entry<'_>, server: &str) -> String {
    let mut path = entry.path.to_owned();
    for parameter in entry.list("parameters").iter().filter(|parameter| parameter["in"] == "path") {
        let example = match &parameter["example"] {
            Value::Null => string(&parameter["name"]).to_uppercase(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        path = path.replace(&format!("{{{}}}", string(&parameter["name"])), &example);
    }
    let mut words = vec!["curl".to_owned()];
    if entry.described.pointer("/responses/200/content/text~1event-stream").is_some() {
        words.push("-N".to_owned());
    }
    if entry.method != "GET" {
        words.push(format!("-X {} -H \"authorization: Bearer $ASSIZE_TOKEN\"", entry.method));
    }
    if let Some(body) = entry.body() {
        words.push("-H 'content-type: application/json'".to_owned());
        let example = body["example"].to_string().replace('\'', "'\\''");
        words.push(format!("-d '{example}'"));
    }
    words.push(format!("{server}{path}"));
    let line = words.join(" ");
    if line.len() <= LONGEST_LINE { line } else { words.join(" \\\n  ") }
}
