//! Who may ask for what: checked before anything else sees a request.
//!
//! A page on loopback can be reached by every site the user visits, through the user's own browser. So the name in `Host`
//! must be one of ours (a foreign name that resolves to us is an attack), an `Origin` must be our own, and whatever changes
//! something needs a token that only a page of ours, or a program that was given the secret, can know. Beyond loopback
//! everything needs the secret: as a bearer token, or as a cookie that signing in sets.

use super::app::App;
use super::failure::Failure;
use super::frame::bare;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};

/// The header in which scripts send the form token.
pub(super) const TOKEN_HEADER: &str = "x-assize-token";

/// The cookie that signing in sets.
const COOKIE: &str = "assize";

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
            p { "This server is open to a network. The token is the one it was started with." }
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
    let trusted = bearer.is_some_and(|given| same(given, app.secret()));
    if !loopback && !trusted && !is_open(uri.path()) {
        let cookie = cookie(headers).is_some_and(|given| same(given, &cookie_value(app)));
        if !cookie {
            return match (method, token_in(uri)) {
                (&Method::GET, Some(given)) if same(&given, app.secret()) => {
                    Ok(Admitted::SignedIn(signed_in(app, uri)))
                }
                _ => Err(Failure::unknown_caller("This server is open to a network, so it asks for its token.")),
            };
        }
    }
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let given = text(headers, header::HeaderName::from_static(TOKEN_HEADER));
    let from_our_page = given.is_some_and(|given| same(given, app.form_token()));
    if changes && !trusted && !from_our_page {
        let message = "A change needs the token of a page of this server, or its secret as a bearer token.";
        // A page that was loaded before the server was started anew has an old token.
        return Err(match given {
            Some(_) => Failure::refused(message).with_way_on("Reload the page and try again."),
            None => Failure::unknown_caller(message)
                .with_way_on("Programs send `Authorization: Bearer SECRET` with the secret given to --token."),
        });
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

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = text(headers, header::COOKIE)?;
    cookies
        .split(';')
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}

/// The cookie does not hold the secret itself: whoever reads it can use this server only, and only until it restarts with another.
fn cookie_value(app: &App) -> String {
    blake3::Hash::from(blake3::derive_key("assize cookie", app.secret().as_bytes())).to_hex().to_string()
}

fn token_in(uri: &Uri) -> Option<String> {
    let query = axum::extract::Query::<std::collections::HashMap<String, String>>::try_from_uri(uri).ok()?;
    query.get("token").cloned()
}

fn signed_in(app: &App, uri: &Uri) -> Response {
    let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", cookie_value(app));
    (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, uri.path().to_owned())]).into_response()
}

/// Compares without telling by its speed how much was right.
fn same(given: &str, wanted: &str) -> bool {
    blake3::hash(given.as_bytes()) == blake3::hash(wanted.as_bytes())
}
