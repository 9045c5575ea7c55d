//! One exchange with the server: send, wait and repeat where that helps, leave out what the model refuses, decode.
//!
//! What comes back is a reply or a failure; what it took (retries) is counted on the way, whether it worked or not.

use crate::capabilities::{Capabilities, Learned};
use crate::client::ClientSettings;
use crate::retry::{asked_wait, verdict};
use crate::transport::{LARGEST_RESPONSE, describe, read_body};
use crate::wire::{self, Finish, Reply, Request, WireError, anthropic};
use assize_core::suite::Api;
use assize_core::{Failure, FailureKind, Question};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use secrecy::{ExposeSecret, SecretString};
use std::time::{Duration, SystemTime};

/// More refused parameters than there are parameters, in case a server contradicts itself.
const MOST_REFUSALS: u32 = 8;

/// A reply and what it was asked with.
pub(crate) struct Exchanged {
    pub(crate) reply: Reply,
    pub(crate) sent: Capabilities,
}

/// What went wrong with one request.
struct Trouble {
    failure: Failure,
    worth_repeating: bool,
    asked_wait: Option<Duration>,
    error: Option<wire::ProviderError>,
}

/// Sends a question until there is a reply or no hope; adds to `retries` each time it is sent again.
pub(crate) async fn exchange(
    settings: &ClientSettings,
    http: &reqwest::Client,
    learned: &Learned,
    question: &Question,
    retries: &mut u32,
) -> Result<Exchanged, Failure> {
    let mut attempt = 0;
    let mut refusals = 0;
    loop {
        let sent = learned.now();
        let request = Request { model: &settings.model, parameters: &settings.parameters, capabilities: sent };
        let body = wire::encode(settings.api, question, &request).to_string();
        let trouble = match send(settings, http, body).await {
            Ok(reply) => return Ok(Exchanged { reply: without_key_in(reply, settings.api_key.as_ref()), sent }),
            Err(trouble) => trouble,
        };
        let refused = trouble.error.as_ref().and_then(|error| sent.refused(settings.api, &settings.parameters, error));
        if let Some(refused) = refused
            && refusals < MOST_REFUSALS
        {
            refusals += 1;
            *retries += 1;
            learned.note(sent, refused);
            continue;
        }
        if !trouble.worth_repeating || attempt >= settings.retry.retries {
            return Err(told_attempts(trouble.failure, attempt));
        }
        let Some(wait) = settings.retry.wait(attempt, trouble.asked_wait, fastrand::f64()) else {
            let asked = trouble.asked_wait.unwrap_or_default().as_secs();
            let message = format!("{}; the server asks to wait {asked} s, which is too long", trouble.failure.message);
            return Err(Failure::new(FailureKind::RateLimited, message));
        };
        tokio::time::sleep(wait).await;
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

async fn send(settings: &ClientSettings, http: &reqwest::Client, body: String) -> Result<Reply, Box<Trouble>> {
    let headers = headers(settings)?;
    let request = http.post(endpoint(settings)).headers(headers).timeout(settings.timeout).body(body);
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
    wire::decode(settings.api, status, &body).map_err(|error| {
        let mut trouble = match error {
            WireError::Broken(message) => {
                let mut trouble = failed(settings, FailureKind::ServerError, &message);
                trouble.worth_repeating = true;
                trouble
            }
            WireError::Provider(error) => {
                let verdict = verdict(&error);
                let message = format!("the server answered {}: {}", error.status, error.message);
                let mut trouble = failed(settings, verdict.kind, message.trim_end_matches([':', ' ']));
                trouble.worth_repeating = verdict.worth_repeating;
                trouble.error = Some(error);
                trouble
            }
        };
        trouble.asked_wait = wait;
        trouble
    })
}

/// An error on the way: it may pass.
fn broken(settings: &ClientSettings, error: &reqwest::Error) -> Box<Trouble> {
    if error.is_builder() {
        return failed(settings, FailureKind::BadRequest, &describe(error));
    }
    let (kind, message) = if error.is_timeout() {
        (FailureKind::Timeout, format!("no reply within {} s", settings.timeout.as_secs_f64()))
    } else {
        (FailureKind::Unreachable, describe(error))
    };
    let mut trouble = failed(settings, kind, &message);
    trouble.worth_repeating = true;
    trouble
}

/// A trouble that is the last word, unless its maker says otherwise.
fn failed(settings: &ClientSettings, kind: FailureKind, message: &str) -> Box<Trouble> {
    let message = format!("{}: {}", settings.asked(), scrub(message, settings.api_key.as_ref()));
    Box::new(Trouble { failure: Failure::new(kind, message), worth_repeating: false, asked_wait: None, error: None })
}

/// Where questions go. The base of the messages format may stand with or without its version.
fn endpoint(settings: &ClientSettings) -> String {
    let base = settings.base_url.trim_end_matches('/');
    match settings.api {
        Api::OpenAi => format!("{base}/chat/completions"),
        Api::Anthropic => format!("{}/v1/messages", base.strip_suffix("/v1").unwrap_or(base)),
    }
}

fn headers(settings: &ClientSettings) -> Result<HeaderMap, Box<Trouble>> {
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
const HIDDEN: &str = "[key]";

/// A reply without the key: a server that quotes it in what should be the model's words would have it stored for good.
fn without_key_in(mut reply: Reply, key: Option<&SecretString>) -> Reply {
    // A word so short is no secret, and may well be part of an honest reply.
    const SHORTEST: usize = 8;
    let Some(key) = key.map(|key| key.expose_secret()).filter(|key| key.len() >= SHORTEST) else { return reply };
    let mut texts = vec![&mut reply.text];
    texts.extend(reply.model.as_mut());
    if let Finish::Refusal(words) = &mut reply.finish {
        texts.push(words);
    }
    for text in texts {
        if text.contains(key) {
            *text = text.replace(key, HIDDEN);
        }
    }
    reply
}

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
