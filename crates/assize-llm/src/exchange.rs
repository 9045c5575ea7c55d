//! One exchange with the server: send, wait and repeat where that helps, decode.
//!
//! What is sent and how the reply is read is an [`ApiCall`]: a question, or texts to embed. What comes back is a reply or
//! a failure; what it took (retries) is counted on the way, whether it worked or not.

use crate::client::ClientSettings;
use crate::retry::{RetryGate, asked_wait, verdict};
use crate::transport::{LARGEST_RESPONSE, describe, read_body};
use crate::wire::{ProviderError, WireError, anthropic};
use assize_core::suite::Api;
use assize_core::{Failure, FailureKind};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use secrecy::{ExposeSecret, SecretString};
use std::time::{Duration, SystemTime};

/// What is sent, and how the reply is read.
pub(crate) trait ApiCall {
    /// What comes back.
    type Reply;

    /// Where it goes.
    fn address(&self) -> String;

    /// What is sent with the next attempt.
    fn body(&mut self) -> String;

    /// What a response says.
    fn decode(&self, status: u16, body: &[u8]) -> Result<Self::Reply, WireError>;

    /// Changes what is sent so that this error does not come again, where that can be done.
    fn adapt(&mut self, _error: &ProviderError) -> bool {
        false
    }
}

/// What went wrong with one request.
struct AttemptError {
    failure: Failure,
    worth_repeating: bool,
    asked_wait: Option<Duration>,
    error: Option<ProviderError>,
}

/// Sends until there is a reply or no hope; adds to `retries` each time it is sent again.
pub(crate) async fn exchange<E: ApiCall>(
    settings: &ClientSettings,
    http: &reqwest::Client,
    call: &mut E,
    patience: &dyn RetryGate,
    retries: &mut u32,
) -> Result<E::Reply, Failure> {
    let mut attempt = 0;
    loop {
        let body = call.body();
        let failed_attempt = match send(settings, http, call, body).await {
            Ok(reply) => return Ok(reply),
            Err(failed_attempt) => failed_attempt,
        };
        if failed_attempt.error.as_ref().is_some_and(|error| call.adapt(error)) {
            *retries += 1;
            continue;
        }
        if !failed_attempt.worth_repeating || attempt >= settings.retry.retries {
            return Err(told_attempts(failed_attempt.failure, attempt));
        }
        let Some(wait) = settings.retry.wait(attempt, failed_attempt.asked_wait, fastrand::f64()) else {
            let asked = failed_attempt.asked_wait.unwrap_or_default().as_secs();
            let message =
                format!("{}; the server asks to wait {asked} s, which is too long", failed_attempt.failure.message);
            return Err(Failure::new(FailureKind::RateLimited, message));
        };
        if !patience.wait(wait).await {
            return Err(told_attempts(failed_attempt.failure, attempt));
        }
        attempt += 1;
        *retries += 1;
    }
}

fn told_attempts(mut failure: Failure, attempt: u32) -> Failure {
    if attempt > 0 {
        failure.message = format!("{} (after {} attempts)", failure.message, attempt + 1);
    }
    failure
}

async fn send<E: ApiCall>(
    settings: &ClientSettings,
    http: &reqwest::Client,
    call: &E,
    body: String,
) -> Result<E::Reply, Box<AttemptError>> {
    let headers = headers(settings)?;
    let request = http.post(call.address()).headers(headers).timeout(settings.timeout).body(body);
    let response = request.send().await.map_err(|error| broken(settings, &error))?;
    let status = response.status().as_u16();
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
    let wait = asked_wait(header, SystemTime::now());
    if (300..400).contains(&status) {
        let to = header(LOCATION.as_str()).unwrap_or("another address");
        let message = format!(
            "the server answered {status} and points to {to}; redirects are not followed, write that address as the base URL"
        );
        return Err(failed(settings, FailureKind::BadRequest, &message));
    }
    let body = match read_body(response).await {
        Ok(Some(body)) => body,
        Ok(None) => {
            let message = format!("the response is larger than {} MiB", LARGEST_RESPONSE / (1024 * 1024));
            return Err(failed(settings, FailureKind::ServerError, &message));
        }
        Err(error) => return Err(broken(settings, &error)),
    };
    call.decode(status, &body).map_err(|error| {
        let mut failed_attempt = match error {
            WireError::Broken(message) => {
                let mut failed_attempt = failed(settings, FailureKind::ServerError, &message);
                failed_attempt.worth_repeating = true;
                failed_attempt
            }
            WireError::Provider(error) => {
                let verdict = verdict(&error);
                let message = format!("the server answered {}: {}", error.status, error.message);
                let mut failed_attempt = failed(settings, verdict.kind, message.trim_end_matches([':', ' ']));
                failed_attempt.worth_repeating = verdict.worth_repeating;
                failed_attempt.error = Some(error);
                failed_attempt
            }
        };
        failed_attempt.asked_wait = wait;
        failed_attempt
    })
}

/// An error on the way: it may pass.
fn broken(settings: &ClientSettings, error: &reqwest::Error) -> Box<AttemptError> {
    if error.is_builder() {
        return failed(settings, FailureKind::BadRequest, &describe(error));
    }
    let (kind, message) = if error.is_timeout() {
        (FailureKind::Timeout, format!("no reply within {} s", settings.timeout.as_secs_f64()))
    } else {
        (FailureKind::Unreachable, describe(error))
    };
    let mut failed_attempt = failed(settings, kind, &message);
    failed_attempt.worth_repeating = true;
    failed_attempt
}

/// A failed_attempt that is the last word, unless its maker says otherwise.
fn failed(settings: &ClientSettings, kind: FailureKind, message: &str) -> Box<AttemptError> {
    let message = format!("{}: {}", settings.asked(), scrub(message, settings.api_key.as_ref()));
    Box::new(AttemptError {
        failure: Failure::new(kind, message),
        worth_repeating: false,
        asked_wait: None,
        error: None,
    })
}

fn headers(settings: &ClientSettings) -> Result<HeaderMap, Box<AttemptError>> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if settings.api == Api::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(anthropic::VERSION));
    }
    if let Some(key) = &settings.api_key {
        let value = match settings.api {
            Api::OpenAi => HeaderValue::from_str(&format!("Bearer {}", key.expose_secret())),
            Api::Anthropic => HeaderValue::from_str(key.expose_secret()),
        };
        let mut value = value
            .map_err(|_| failed(settings, FailureKind::Unauthorised, "the key holds characters that cannot be sent"))?;
        value.set_sensitive(true);
        match settings.api {
            Api::OpenAi => headers.insert(AUTHORIZATION, value),
            Api::Anthropic => headers.insert("x-api-key", value),
        };
    }
    Ok(headers)
}

/// What stands in a key's place.
pub(crate) const HIDDEN: &str = "[key]";

/// What a server said, without the key: some quote it back, whole or in part.
fn scrub(message: &str, key: Option<&SecretString>) -> String {
    let mut message = message.to_owned();
    if let Some(key) = key.map(|key| key.expose_secret()).filter(|key| !key.is_empty()) {
        message = message.replace(key, HIDDEN);
    }
    // `sk-…`, also with its middle starred out.
    let looks_like_key = |word: &str| word.len() >= 8 && word.starts_with("sk-");
    let edges = |c: char| !c.is_alphanumeric() && !"-_*".contains(c);
    let words: Vec<String> = message
        .split(' ')
        .map(|word| {
            let core = word.trim_matches(edges);
            if looks_like_key(core) { word.replace(core, HIDDEN) } else { word.to_owned() }
        })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_out_of_what_servers_say() {
        let key = SecretString::from("my-secret-value");
        let said = "Incorrect key 'my-secret-value', or sk-proj-abc***xyz. See (sk-12345678).";
        assert_eq!(scrub(said, Some(&key)), "Incorrect key '[key]', or [key]. See ([key]).");
        assert_eq!(scrub("a plain  sentence, with sk-x", None), "a plain  sentence, with sk-x");
        assert_eq!(scrub("nothing", Some(&SecretString::from(""))), "nothing");
    }
}
