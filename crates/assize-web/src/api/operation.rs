//! One operation of the API, and how its requests are read and its replies written.

use crate::app::App;
use crate::failure::Failure;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How a type describes itself.
pub(super) type Describe = fn(&mut SchemaGenerator) -> Schema;

/// One operation.
pub(super) struct Operation {
    pub(super) method: Method,
    /// The path under `/api/v1`, with its parameters in braces.
    pub(super) path: &'static str,
    /// The name programs call it by.
    pub(super) name: &'static str,
    /// One line on what it does.
    pub(super) about: &'static str,
    /// What each parameter of the path is.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// What the query may hold.
    pub(super) query: Option<Describe>,
    /// What the body holds.
    pub(super) body: Option<Describe>,
    /// The status and body of a reply that went well; no body where there is nothing to say.
    pub(super) reply: (StatusCode, Option<Describe>),
    /// An example of the body.
    pub(super) example: Option<fn() -> Value>,
    /// Headers that it looks at, with what each is.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// The media type of the reply.
    pub(super) media: &'static str,
    /// Further replies that are no refusals: the status, and when it is given.
    pub(super) others: &'static [(StatusCode, &'static str)],
    /// Why it may be refused, beyond what holds for every operation.
    pub(super) refusals: &'static [StatusCode],
    pub(super) handler: MethodRouter<App>,
}

impl Operation {
    /// An operation that replies with a value.
    pub(super) fn new<H, T, Out: JsonSchema>(
        method: Method,
        path: &'static str,
        name: &'static str,
        about: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("operations have methods that can be routed");
        Self {
            method,
            path,
            name,
            about,
            parameters: &[],
            query: None,
            body: None,
            reply: (StatusCode::OK, Some(describe::<Out>)),
            example: None,
            headers: &[],
            media: "application/json",
            others: &[],
            refusals: &[],
            handler: on(filter, handler),
        }
    }

    /// The same with parameters in its path. What they name may not be there.
    pub(super) fn with_parameters(mut self, parameters: &'static [(&'static str, &'static str)]) -> Self {
        self.parameters = parameters;
        self
    }

    /// The same with a query.
    pub(super) fn with_query<Q: JsonSchema>(mut self) -> Self {
        self.query = Some(describe::<Q>);
        self
    }

    /// The same with a body.
    pub(super) fn with_body<B: JsonSchema>(mut self) -> Self {
        self.body = Some(describe::<B>);
        self
    }

    /// The same with an example of its body.
    pub(super) fn with_example(mut self, example: fn() -> Value) -> Self {
        self.example = Some(example);
        self
    }

    /// The same with headers that it looks at.
    pub(super) fn with_headers(mut self, headers: &'static [(&'static str, &'static str)]) -> Self {
        self.headers = headers;
        self
    }

    /// The same with further replies that are no refusals.
    pub(super) fn with_others(mut self, others: &'static [(StatusCode, &'static str)]) -> Self {
        self.others = others;
        self
    }

    /// The same with a status of its own.
    pub(super) fn with_status(mut self, status: StatusCode) -> Self {
        self.reply.0 = status;
        self
    }

    /// The same with a reply that is no JSON.
    pub(super) fn with_media(mut self, media: &'static str) -> Self {
        self.media = media;
        self
    }

    /// The same with further ways to be refused.
    pub(super) fn with_refusals(mut self, refusals: &'static [StatusCode]) -> Self {
        self.refusals = refusals;
        self
    }
}

fn describe<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// A failure as a program reads it.
#[derive(Debug)]
pub(crate) struct ApiFailure(pub(crate) Failure);

impl<F: Into<Failure>> From<F> for ApiFailure {
    fn from(failure: F) -> Self {
        Self(failure.into())
    }
}

impl IntoResponse for ApiFailure {
    fn into_response(self) -> Response {
        self.0.as_json()
    }
}

/// What an operation gives.
pub(crate) type Reply<T> = Result<Json<T>, ApiFailure>;

/// The body of a request. What is wrong with it is a sentence.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiFailure;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiFailure> {
        if !is_json(&request) {
            let message = "The body must be JSON, with `content-type: application/json`.";
            return Err(Failure::unknown_media(message).into());
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Failure::too_large(),
            _ => Failure::unreadable(error.body_text()),
        })?;
        match Json::<T>::from_bytes(&bytes) {
            Ok(Json(body)) => Ok(Self(body)),
            Err(JsonRejection::JsonDataError(error)) => match with_whole_numbers(&bytes) {
                Some(body) => Ok(Self(body)),
                None => Err(Failure::bad(error.body_text()).into()),
            },
            Err(error) => Err(Failure::unreadable(error.body_text()).into()),
        }
    }
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// The body once more, with numbers such as `5.0` as the whole numbers they are: JSON Schema makes no difference, and
/// some programs cannot.
fn with_whole_numbers<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    fn whole(value: &mut Value) {
        match value {
            Value::Number(number) => {
                // Up to 2^53 every whole number has a form of its own.
                if let Some(float) = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9.0e15) {
                    *value = Value::from(float as i64);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(whole),
            Value::Object(entries) => entries.values_mut().for_each(whole),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    let mut value = serde_json::from_slice(bytes).ok()?;
    whole(&mut value);
    serde_json::from_value(value).ok()
}

/// The parameters in the path of a request. What is wrong with them is a sentence.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiFailure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiFailure> {
        let read: Result<_, PathRejection> = axum::extract::Path::from_request_parts(parts, state).await;
        read.map(|axum::extract::Path(path)| Self(path)).map_err(|error| Failure::unreadable(error.body_text()).into())
    }
}

/// The query of a request. What is wrong with it is a sentence.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiFailure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiFailure> {
        let read: Result<_, QueryRejection> = axum::extract::Query::try_from_uri(&parts.uri);
        read.map(|axum::extract::Query(query)| Self(query)).map_err(|error| Failure::bad(error.body_text()).into())
    }
}

/// Gives a value.
pub(super) fn reply<T: Serialize>(value: T) -> Reply<T> {
    Ok(Json(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize, PartialEq)]
    struct Asked {
        limit: u32,
        case: Value,
    }

    #[test]
    fn a_whole_number_is_one_however_it_is_written() {
        let asked = with_whole_numbers::<Asked>(br#"{"limit": 5.0, "case": {"figure": 0.5}}"#);
        assert_eq!(asked, Some(Asked { limit: 5, case: serde_json::json!({"figure": 0.5}) }));
        for bad in [r#"{"limit": 5.5, "case": 1}"#, r#"{"limit": -5.0, "case": 1}"#, r#"{"limit": 1e300, "case": 1}"#] {
            assert_eq!(with_whole_numbers::<Asked>(bad.as_bytes()), None, "{bad}");
        }
    }
}
