//! One exchange with the server: send, wait and repeat where that helps, decode.
//!
//! What is sent and how the reply is read is an [`ApiCall`]: a question, or texts to embed. What comes back is a reply or
//! a failure; what it took (retries) is counted on the way, whether it worked or not.

use crate::client::ClientSettings;
use crate::pace::{Met, Pace};
use crate::retry::{CallGate, asked_wait, verdict};
use crate::transport::{LARGEST_RESPONSE, describe, read_body};
use crate::wire::{ProviderError, WireError, anthropic};
use assize_core::suite::Api;
use assize_core::{Failure, FailureKind};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use secrecy::{ExposeSecret, SecretString};
use std::time::{Duration, Instant, SystemTime};

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
    /// Whether the server may have done its work, and may want to be paid for it.
    may_be_billed: bool,
    /// Whether it says something about the server, and not about this request.
    is_outage: bool,
}

impl AttemptError {
    /// Whether the server was asked too much.
    fn is_limit(&self) -> bool {
        let overloaded = self
            .error
            .as_ref()
            .is_some_and(|error| error.status == 529 || (error.status == 503 && self.asked_wait.is_some()));
        self.worth_repeating && (self.failure.kind == FailureKind::RateLimited || overloaded)
    }
}

/// Sends until there is a reply or no hope; adds to `retries` each time it is sent again. `highest` is what a request may
/// cost at most; what the reply really cost is for whoever called to settle.
pub(crate) async fn exchange<E: ApiCall>(
    (settings, http, pace): (&ClientSettings, &reqwest::Client, &Pace),
    call: &mut E,
    highest: Option<f64>,
    gate: &dyn CallGate,
    retries: &mut u32,
) -> Result<E::Reply, Failure> {
    let began = Instant::now();
    let (mut attempt, mut limited) = (0, 0);
    let whom = settings.asked();
    let not_sent = |why: &str| Failure::new(FailureKind::Unreachable, format!("{whom}: {why}"));
    loop {
        let Some(ticket) = pace.admit(&whom, gate).await else {
            return Err(not_sent("the question was not sent"));
        };
        if !gate.reserve(highest).await {
            return Err(not_sent("there is no money left for the question"));
        }
        let body = call.body();
        let sent = send(settings, http, call, body).await;
        let wait = match &sent {
            Err(error) if error.is_limit() => settings.retry.wait(limited, error.asked_wait, fastrand::f64()),
            _ => None,
        };
        let met = match &sent {
            Err(error) if error.is_limit() => Met::Limit(wait),
            Err(error) if error.is_outage => Met::Failure,
            _ => Met::Answer,
        };
        if let Some(notice) = ticket.met(met) {
            gate.notice(&format!("{whom}: {notice}"));
        }
        let failed_attempt = match sent {
            Ok(reply) => return Ok(reply),
            Err(failed_attempt) => failed_attempt,
        };
        gate.settle(if failed_attempt.may_be_billed { None } else { Some(0.0) });
        if failed_attempt.error.as_ref().is_some_and(|error| call.adapt(error)) {
            *retries += 1;
            continue;
        }
        let too_late = began.elapsed() >= settings.retry.deadline;
        if failed_attempt.is_limit() {
            if wait.is_none() {
                let asked = failed_attempt.asked_wait.unwrap_or_default().as_secs();
                let message =
                    format!("{}; the server asks to wait {asked} s, which is too long", failed_attempt.failure.message);
                return Err(Failure::new(FailureKind::RateLimited, message));
            }
            if too_late {
                return Err(told_attempts(failed_attempt.failure, limited));
            }
            // The next one is let through when the wait is over: waiting for a limit is no failed attempt.
            limited += 1;
            *retries += 1;
            continue;
        }
        if !failed_attempt.worth_repeating || attempt >= settings.retry.retries || too_late {
            return Err(told_attempts(failed_attempt.failure, attempt));
        }
        let wait = settings.retry.wait(attempt, failed_attempt.asked_wait, fastrand::f64());
        let wait = wait.unwrap_or(settings.retry.longest_wait);
        if !gate.wait(wait).await {
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
                failed_attempt.may_be_billed = status < 300;
                failed_attempt.is_outage = true;
                failed_attempt
            }
            WireError::Provider(error) => {
                let verdict = verdict(&error);
                let message = format!("the server answered {}: {}", error.status, error.message);
                let mut failed_attempt = failed(settings, verdict.kind, message.trim_end_matches([':', ' ']));
                failed_attempt.worth_repeating = verdict.worth_repeating;
                failed_attempt.is_outage = error.status >= 500;
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
    // A name that nobody knows and a certificate that nobody trusts stay so.
    failed_attempt.worth_repeating = !is_lasting(error);
    failed_attempt.may_be_billed = !error.is_connect();
    failed_attempt.is_outage = true;
    failed_attempt
}

/// Whether an error on the way will be the same the next time: the name is not known, or the certificate is no good.
fn is_lasting(error: &reqwest::Error) -> bool {
    let mut source = std::error::Error::source(error);
    let mut said = String::new();
    while let Some(error) = source {
        said += &error.to_string().to_lowercase();
        source = error.source();
    }
    error.is_connect() && ["dns error", "certificate", "unknownissuer"].iter().any(|words| said.contains(words))
}

/// A failed_attempt that is the last word, unless its maker says otherwise.
fn failed(settings: &ClientSettings, kind: FailureKind, message: &str) -> Box<AttemptError> {
    let message = format!("{}: {}", settings.asked(), scrub(message, settings.api_key.as_ref()));
    Box::new(AttemptError {
        failure: Failure::new(kind, message),
        worth_repeating: false,
        asked_wait: None,
        error: None,
        may_be_billed: false,
        is_outage: false,
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
