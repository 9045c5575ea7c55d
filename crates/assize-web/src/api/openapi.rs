//! The OpenAPI document, assembled from the list of operations. OpenAPI 3.1 is JSON Schema, so the types describe themselves.

use super::operation::{Describe, Operation, ReplyKind};
use super::operations;
use crate::app::App;
use crate::failure::PlacedProblem;
use axum::http::{Method, StatusCode};
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The description of the API at an address.
pub(crate) fn document(app: &App) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        })
        .into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations() {
        let path = paths.entry(format!("/api/v1{}", operation.path)).or_insert_with(|| json!({}));
        path[operation.method.as_str().to_lowercase()] = described(&operation, &mut generator);
    }
    let problem = generator.subschema_for::<PlacedProblem>();
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Error".into(), error_schema(&problem));
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Assize",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A judge for what language models write: the model labels, the code counts. Reading needs nothing on loopback; \
                            changes need the secret of `assize serve` (`ASSIZE_TOKEN`) as a bearer token.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": format!("http://{}", app.address())}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"secret": {"type": "http", "scheme": "bearer"}},
        },
    });
    bound_integers(&mut document);
    document
}

/// Says of every integer how large it can be: its format is a word that only Rust knows.
fn bound_integers(schema: &mut Value) {
    let most = match schema["format"].as_str() {
        Some("uint8") => Some(u64::from(u8::MAX)),
        Some("uint16") => Some(u64::from(u16::MAX)),
        Some("uint32") => Some(u64::from(u32::MAX)),
        Some("uint64" | "uint") => Some(u64::MAX),
        _ => None,
    };
    match schema {
        Value::Object(entries) => {
            if let Some(most) = most {
                entries.entry("maximum").or_insert_with(|| json!(most));
                entries.shift_remove("format");
            }
            entries.values_mut().for_each(bound_integers);
        }
        Value::Array(items) => items.iter_mut().for_each(bound_integers),
        _ => {}
    }
}

fn described(operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> =
        operation.parameters.iter().map(|(name, about)| path_parameter(name, about)).collect();
    parameters.extend(operation.query.map(|describe| query_parameters(describe)).unwrap_or_default());
    parameters.extend(operation.headers.iter().map(|(name, about)| {
        json!({"name": name, "in": "header", "required": false, "description": about, "schema": {"type": "string"}})
    }));
    let changes = operation.method != Method::GET;
    let mut refusals: Vec<StatusCode> = operation.refusals.to_vec();
    // Beyond loopback every request may be asked who it is; a foreign name is always refused.
    refusals.extend([StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN]);
    if !operation.parameters.is_empty() {
        refusals.extend([StatusCode::NOT_FOUND, StatusCode::BAD_REQUEST]);
    }
    if operation.body.is_some() {
        refusals.extend([
            StatusCode::BAD_REQUEST,
            StatusCode::UNPROCESSABLE_ENTITY,
            StatusCode::PAYLOAD_TOO_LARGE,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ]);
    } else if operation.query.is_some() {
        refusals.push(StatusCode::UNPROCESSABLE_ENTITY);
    }
    refusals.sort_unstable();
    refusals.dedup();
    let ReplyKind { status, media, describe, others } = operation.reply;
    let mut responses = Map::new();
    let went_well = if status == StatusCode::ACCEPTED { "It has begun." } else { "OK" };
    let content = json!({media: {"schema": describe(generator)}});
    responses.insert(status.as_str().into(), json!({"description": went_well, "content": content}));
    for (status, about) in others {
        responses.insert(status.as_str().into(), json!({ "description": about }));
    }
    for status in refusals {
        let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}});
        let why = status.canonical_reason().unwrap_or("It did not go well.");
        responses.insert(status.as_str().into(), json!({"description": why, "content": content}));
    }
    let mut described = json!({
        "operationId": operation.name, "summary": operation.about, "tags": [area(operation.path)],
        "parameters": parameters, "responses": responses,
    });
    if let Some(describe) = operation.body {
        let mut content = json!({ "schema": describe(generator) });
        if let Some(example) = operation.example {
            content["example"] = example();
        }
        described["requestBody"] = json!({"required": true, "content": {"application/json": content}});
    }
    if changes {
        described["security"] = json!([{"secret": []}]);
    }
    described
}

/// The part of the API that a path belongs to: its first word.
fn area(path: &str) -> &str {
    path.trim_start_matches('/').split('/').next().unwrap_or_default()
}

fn path_parameter(name: &str, about: &str) -> Value {
    let (schema, example) = match name {
        "run" => (json!({"type": "string", "minLength": 1, "maxLength": 64}), json!("last")),
        "position" | "version" => (json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}), json!(1)),
        _ => (json!({"type": "string", "minLength": 1}), Value::Null),
    };
    let mut parameter = json!({"name": name, "in": "path", "required": true, "description": about, "schema": schema});
    if !example.is_null() {
        parameter["example"] = example;
    }
    parameter
}

/// Each field of the query's type is a parameter.
fn query_parameters(describe: Describe) -> Vec<Value> {
    // A generator that writes everything out: parameters stand alone.
    let mut generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    let schema = describe(&mut generator).to_value();
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields
        .map(|(name, field)| {
            let mut field = field.clone();
            let about = field.as_object_mut().and_then(|field| field.shift_remove("description"));
            json!({"name": name, "in": "query", "required": required.contains(&name.as_str()), "description": about, "schema": field})
        })
        .collect()
}

fn error_schema(problem: &Schema) -> Value {
    json!({
        "type": "object",
        "description": "Why a request was not served.",
        "required": ["error"],
        "properties": {"error": {
            "type": "object",
            "required": ["status", "message", "help", "problems"],
            "properties": {
                "status": {"type": "integer", "minimum": 400, "maximum": 599},
                "message": {"type": "string", "description": "What happened, as a sentence."},
                "help": {"type": "string", "description": "What to do about it; may be empty."},
                "problems": {
                    "type": "array", "items": problem,
                    "description": "What is wrong with a suite, its cases or the request, all of it, each at its place.",
                },
            },
        }},
    })
}
