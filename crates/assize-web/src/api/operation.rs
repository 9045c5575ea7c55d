//! One operation of the API, and how its requests are read and its replies written.

use crate::app::App;
use crate::failure::Failure;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
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
    /// What it gives when all went well.
    pub(super) reply: ReplyKind,
    /// An example of the body.
    pub(super) example: Option<fn() -> Value>,
    /// Headers that it looks at, with what each is.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// Why it may be refused, beyond what holds for every operation.
    pub(super) refusals: &'static [StatusCode],
    pub(super) handler: MethodRouter<App>,
}

impl Operation {
    /// An operation. What it takes and gives is what its handler takes and gives.
    pub(super) fn new<H, T>(
        method: Method,
        path: &'static str,
        name: &'static str,
        about: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, App> + Gives<T>,
        T: Takes + 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("operations have methods that can be routed");
        let mut taken = Taken::default();
        T::describe(&mut taken);
        assert_eq!(path.matches('{').count(), taken.parameters, "the handler of {path} takes other parameters");
        Self {
            method,
            path,
            name,
            about,
            parameters: &[],
            query: taken.query,
            body: taken.body,
            reply: H::Reply::REPLY,
            example: None,
            headers: &[],
            refusals: &[],
            handler: on(filter, handler),
        }
    }

    /// The same with parameters in its path. What they name may not be there.
    pub(super) fn with_parameters(mut self, parameters: &'static [(&'static str, &'static str)]) -> Self {
        self.parameters = parameters;
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

    /// The same with further ways to be refused.
    pub(super) fn with_refusals(mut self, refusals: &'static [StatusCode]) -> Self {
        self.refusals = refusals;
        self
    }
}

/// What the handler of an operation takes from a request.
#[derive(Default)]
pub(super) struct Taken {
    parameters: usize,
    query: Option<Describe>,
    body: Option<Describe>,
}

/// The arguments of a handler, and each of them.
pub(super) trait Takes {
    fn describe(taken: &mut Taken);
}

impl Takes for State<App> {
    fn describe(_: &mut Taken) {}
}

/// Which headers those are is said of the operation.
impl Takes for HeaderMap {
    fn describe(_: &mut Taken) {}
}

impl<P: Parameters> Takes for Path<P> {
    fn describe(taken: &mut Taken) {
        taken.parameters += P::COUNT;
    }
}

impl<Q: JsonSchema> Takes for Query<Q> {
    fn describe(taken: &mut Taken) {
        taken.query = Some(describe::<Q>);
    }
}

impl<B: JsonSchema> Takes for Body<B> {
    fn describe(taken: &mut Taken) {
        taken.body = Some(describe::<B>);
    }
}

/// The parameters of a path.
pub(super) trait Parameters {
    const COUNT: usize;
}

impl Parameters for String {
    const COUNT: usize = 1;
}

impl Parameters for (String, String) {
    const COUNT: usize = 2;
}

impl Parameters for (String, String, String) {
    const COUNT: usize = 3;
}

/// What an operation gives when all went well.
#[derive(Clone, Copy)]
pub(super) struct ReplyKind {
    pub(super) status: StatusCode,
    pub(super) media: &'static str,
    pub(super) describe: Describe,
    /// Other replies that are no refusals: the status, and when it is given.
    pub(super) others: &'static [(StatusCode, &'static str)],
}

impl ReplyKind {
    /// A value as JSON.
    const fn json<T: JsonSchema>(status: StatusCode) -> Self {
        Self { status, media: "application/json", describe: describe::<T>, others: &[] }
    }
}

/// What can be given.
pub(super) trait Given: IntoResponse {
    const REPLY: ReplyKind;
}

impl<T: JsonSchema + Serialize> Given for Json<T> {
    const REPLY: ReplyKind = ReplyKind::json::<T>(StatusCode::OK);
}

impl Given for Html<String> {
    const REPLY: ReplyKind =
        ReplyKind { status: StatusCode::OK, media: "text/html", describe: describe::<String>, others: &[] };
}

/// Something that is new.
#[derive(Debug)]
pub(crate) struct Created<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

impl<T: JsonSchema + Serialize> Given for Created<T> {
    const REPLY: ReplyKind = ReplyKind::json::<T>(StatusCode::CREATED);
}

/// Something that has begun.
#[derive(Debug)]
pub(crate) struct Accepted<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(self.0)).into_response()
    }
}

impl<T: JsonSchema + Serialize> Given for Accepted<T> {
    const REPLY: ReplyKind = ReplyKind::json::<T>(StatusCode::ACCEPTED);
}

/// A handler that gives something that describes itself.
pub(super) trait Gives<T> {
    type Reply: Given;
}

/// Handlers by the number of their arguments. The first of the types that axum knows a handler by is a marker.
macro_rules! handlers {
    ($($marker:ident $(, $argument:ident)*;)*) => {$(
        impl<Marker, $($argument: Takes),*> Takes for ($marker, $($argument,)*) {
            #[allow(unused_variables, reason = "a handler without arguments takes nothing")]
            fn describe(taken: &mut Taken) {
                $($argument::describe(taken);)*
            }
        }

        impl<Marker, F, Later, R, $($argument),*> Gives<($marker, $($argument,)*)> for F
        where
            F: Fn($($argument),*) -> Later,
            Later: Future<Output = Result<R, ApiFailure>>,
            R: Given,
        {
            type Reply = R;
        }
    )*};
}

handlers! {
    Marker;
    Marker, A;
    Marker, A, B;
    Marker, A, B, C;
}

/// A type by its description of itself.
pub(super) fn describe<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
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
