//! What a request is told that cannot be served: a sentence, and a way on.
//!
//! The same value answers a person with a page and a program with JSON; which of the two asked is told by the path.

use super::frame;
use assize_core::number::sentence;
use assize_engine::report::ReportError;
use assize_engine::store::{StoreError, UnreadableRun};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use maud::html;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// Why a request is not served.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    pub(super) message: String,
    /// What to do about it.
    pub(super) way_on: String,
    /// What is wrong with files or values, each at its place.
    pub(super) problems: Vec<PlacedProblem>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct PlacedProblem {
    /// The file, by its path in the served folder; `the request` for what was sent.
    pub(super) file: String,
    /// The line, from 1; `null` for the file as a whole.
    pub(super) line: Option<u32>,
    /// The column, from 1, in characters.
    pub(super) column: Option<u32>,
    /// `error` or `warning`.
    pub(super) severity: &'static str,
    /// What was found and what was expected.
    pub(super) message: String,
    /// What to do; may be empty.
    pub(super) help: String,
    /// The line it stands on.
    pub(super) source: Option<PlacedSource>,
}

/// A line of a file around the part that is meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct PlacedSource {
    /// What stands before it.
    pub(super) before: String,
    /// The part that is meant.
    pub(super) marked: String,
    /// What stands after it.
    pub(super) after: String,
}

impl Failure {
    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), way_on: String::new(), problems: Vec::new() }
    }

    /// There is no such thing.
    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The request makes no sense as it is.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// The request cannot be read.
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The request is larger than any should be.
    pub(super) fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "The request is too large.")
    }

    /// The request is written in something that is not read here.
    pub(super) fn unknown_media(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
    }

    /// The judge model's server does not do its part.
    pub(super) fn bad_gateway(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, message)
    }

    /// The server is on its way out.
    pub(super) fn ending() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "The server is ending and starts nothing more.")
    }

    /// The address is right and the method is not.
    pub(super) fn wrong_method() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "This address does not take this method.")
    }

    /// It may not be done, or not from there.
    pub(super) fn refused(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// Whoever asks has to say who they are.
    pub(super) fn unknown_caller(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// It does not go together with the state things are in.
    pub(super) fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// Something here does not work.
    pub(super) fn broken(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// The same with what to do about it.
    pub(super) fn with_way_on(mut self, way_on: impl Into<String>) -> Self {
        self.way_on = way_on.into();
        self
    }

    /// The same with what is wrong, each at its place.
    pub(super) fn with_problems(mut self, problems: Vec<PlacedProblem>) -> Self {
        self.problems = problems;
        self
    }

    /// For a program.
    pub(super) fn as_json(&self) -> Response {
        let Self { status, message, way_on, problems } = self;
        let error = json!({"status": status.as_u16(), "message": message, "help": way_on, "problems": problems});
        let mut response = (*status, axum::Json(json!({ "error": error }))).into_response();
        if *status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// For a person. The API's own handlers turn it into JSON before it gets here.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let page = frame::bare(
            self.status.canonical_reason().unwrap_or("Error"),
            html! {
                p { (self.message) }
                @if !self.way_on.is_empty() { p { (self.way_on) } }
                p { a href="/" { "To the runs" } }
            },
        );
        (self.status, Html(page.into_string())).into_response()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::broken(error.to_string()).with_way_on(error.hint())
    }
}

impl From<UnreadableRun> for Failure {
    fn from(error: UnreadableRun) -> Self {
        Self::broken(sentence(&error.to_string())).with_way_on(sentence(error.hint()))
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::broken(error.to_string()).with_way_on(error.hint())
    }
}

/// There is nothing at this address.
pub(super) async fn no_such_page(uri: Uri) -> Response {
    let failure = Failure::missing(format!("There is no page at {}.", uri.path()));
    if uri.path().starts_with("/api/") { failure.as_json() } else { failure.into_response() }
}
