//! Who may ask for what: checked before anything else sees a request.
//!
//! A page on loopback can be reached by every site the user visits, through the user's own browser, and by every user
//! and program of the machine. So the name in `Host` must be one of ours (a foreign name that resolves to us is an
//! attack), an `Origin` must be our own, and whatever changes something needs somebody who is known: a browser that
//! signed in with the link that the server printed, from a page of ours, or a program that was given the secret. Beyond
//! loopback everything does.

use super::app::App;
use super::failure::Failure;
use super::frame::bare;
use super::sessions::same;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};

/// Nothing but our own scripts and styles, no frames, no forms to elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Lets a request through, or says why not.
pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let for_program = request.uri().path().starts_with("/api/");
    let mut response = match admit(&app, request.method(), request.uri(), request.headers()) {
        Ok(Admitted::Yes) => next.run(request).await,
        Ok(Admitted::SignedIn(response)) => response,
        Err(failure) if for_program => failure.as_json(),
        Err(failure) if failure.status == StatusCode::UNAUTHORIZED => {
            (failure.status, Html(sign_in().into_string())).into_response()
        }
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    // What is shown can change with every run; only assets, whose address names their content, are kept.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Where a server that is open to a network asks who is there.
fn sign_in() -> Markup {
    bare(
        "Sign in",
        html! {
            p { "Open the link that the server printed, or sign in with the token it was started with." }
            form method="get" action="/" {
                label { "Token " input type="password" name="token" autocomplete="current-password" required autofocus; }
                " " button { "Sign in" }
            }
        },
    )
}

enum Admitted {
    Yes,
    /// The secret was right: a cookie, and the page again without the secret in its address.
    SignedIn(Response),
}

fn admit(app: &App, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Admitted, Failure> {
    let loopback = app.address().ip().is_loopback();
    let host =
        text(headers, header::HOST).or_else(|| uri.authority().map(|authority| authority.as_str())).unwrap_or_default();
    if loopback && !is_our_name(host, app.address().port()) {
        let message = format!("This server does not answer to the name “{host}”.");
        return Err(Failure::refused(message).with_way_on(format!("Open http://{}.", app.address())));
    }
    if let Some(origin) = text(headers, header::ORIGIN)
        && origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) != Some(host)
    {
        return Err(Failure::refused("A page of another site may not use this server."));
    }
    let bearer = text(headers, header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    if bearer.is_some_and(|given| same(given, app.secret())) {
        return Ok(Admitted::Yes);
    }
    let signed_in = cookie(app, headers).is_some_and(|id| app.sessions().touch(id));
    if *method == Method::GET
        && !signed_in
        && let Some(session) = sign_in_by(app, uri)
    {
        return Ok(Admitted::SignedIn(signed_in_to(app, uri, &session)));
    }
    if !loopback && !signed_in && !is_open(uri.path()) {
        return Err(Failure::unknown_caller("This server is open to a network, so it asks for its token."));
    }
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    if changes && !signed_in {
        return Err(Failure::unknown_caller("Only somebody who is signed in can change something.").with_way_on(
            "Open the link that `assize serve` printed. Programs send `Authorization: Bearer SECRET` with the secret \
             in ASSIZE_TOKEN.",
        ));
    }
    // Browsers name the page that a change comes from; a cookie without one comes from somewhere else.
    if changes && text(headers, header::ORIGIN).is_none() {
        return Err(Failure::refused("A change by a browser must come from a page of this server."));
    }
    Ok(Admitted::Yes)
}

/// What may be fetched before signing in: how the page to sign in looks.
fn is_open(path: &str) -> bool {
    path.starts_with("/assets/")
}

fn is_our_name(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, given)) if !given.ends_with(']') => (name, given.parse::<u16>().ok()),
        _ => (host, Some(80)),
    };
    given == Some(port) && ["localhost", "127.0.0.1", "[::1]"].iter().any(|ours| name.eq_ignore_ascii_case(ours))
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The session that a browser says it has. Cookies are shared among the ports of a host, so the port is in the name.
fn cookie<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
    let own = cookie_name(app);
    let cookies = text(headers, header::COOKIE)?;
    cookies
        .split(';')
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == own)
        .map(|(_, value)| value)
}

fn cookie_name(app: &App) -> String {
    format!("assize-{}", app.address().port())
}

/// A session for whoever brings the code of the printed link, or the secret.
fn sign_in_by(app: &App, uri: &Uri) -> Option<String> {
    let query = axum::extract::Query::<std::collections::HashMap<String, String>>::try_from_uri(uri).ok()?;
    match (query.get("code"), query.get("token")) {
        (Some(code), _) => app.sign_in_with(code),
        (None, Some(secret)) => same(secret, app.secret()).then(|| app.sessions().begin()),
        (None, None) => None,
    }
}

/// The page again, without the code or the secret in its address.
fn signed_in_to(app: &App, uri: &Uri, session: &str) -> Response {
    let cookie = format!("{}={session}; Path=/; HttpOnly; SameSite=Strict", cookie_name(app));
    (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, uri.path().to_owned())]).into_response()
}
