//! What goes wrong on the way: statuses, waits, broken connections, keys.

use crate::setting::{KEY, ask, client, client_with, good, settings};
use assize_core::FailureKind;
use assize_core::suite::Api;
use assize_testkit::{ModelServer, Reply, Script};
use std::time::Duration;

#[tokio::test]
async fn each_status_has_its_name() {
    for (api, reply, kind, requests) in [
        (
            Api::OpenAi,
            Reply::error(401, "Incorrect API key provided", "invalid_api_key", &[]),
            FailureKind::Unauthorised,
            1,
        ),
        (Api::Anthropic, Reply::error(403, "no", "permission_error", &[]), FailureKind::Unauthorised, 1),
        (
            Api::OpenAi,
            Reply::error(404, "The model `x` does not exist", "model_not_found", &[]),
            FailureKind::ModelNotFound,
            1,
        ),
        (Api::OpenAi, Reply::status(400, "context length exceeded"), FailureKind::BadRequest, 1),
        (Api::OpenAi, Reply::status(422, "no"), FailureKind::BadRequest, 1),
        (Api::OpenAi, Reply::error(400, "filtered", "content_filter", &[]), FailureKind::ContentFiltered, 1),
        (
            Api::OpenAi,
            Reply::error(429, "You exceeded your current quota", "insufficient_quota", &[]),
            FailureKind::QuotaExhausted,
            1,
        ),
        (Api::OpenAi, Reply::status(500, "oops"), FailureKind::ServerError, 4),
        (Api::OpenAi, Reply::status(408, "late"), FailureKind::Timeout, 4),
    ] {
        let server = ModelServer::start(Script::always(reply.clone())).await;
        let asked = ask(&client(&server, api), "a").await;
        let failure = asked.outcome.unwrap_err();
        assert_eq!((failure.kind, server.stats().requests), (kind, requests), "{reply:?}: {failure}");
        assert_eq!((asked.spent.calls as usize, asked.spent.retries as usize), (0, requests - 1));
        assert_eq!(asked.spent.cost_usd, Some(0.0), "no reply, nothing paid");
    }
    // Waiting for a limit is no failed attempt: only the deadline ends it.
    for (reply, kind) in [
        (Reply::error(429, "slow down", "rate_limit_exceeded", &[]), FailureKind::RateLimited),
        (Reply::error(529, "Overloaded", "overloaded_error", &[]), FailureKind::ServerError),
    ] {
        let server = ModelServer::start(Script::always(reply)).await;
        let failure = ask(&client(&server, Api::Anthropic), "a").await.outcome.unwrap_err();
        assert!(failure.kind == kind && server.stats().requests > 4, "{failure}");
    }
}

#[tokio::test]
async fn the_servers_own_words_are_in_the_failure() {
    let server = ModelServer::start(Script::always(Reply::status(400, "the flux is too low"))).await;
    let failure = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap_err();
    assert_eq!(failure.message, "openai:gpt-4o-mini: the server answered 400: the flux is too low");
}

#[tokio::test]
async fn what_passes_is_retried() {
    for trouble in [
        Reply::error(429, "slow", "rate_limit_exceeded", &[("Retry-After", "0.01")]),
        Reply::error(429, "slow", "rate_limit_exceeded", &[("retry-after-ms", "1")]),
        Reply::status(503, "busy"),
        Reply::CutBody,
        Reply::Status { code: 200, body: "<html>a proxy says hello</html>".to_owned(), headers: Vec::new() },
        Reply::Status { code: 200, body: "{\"choices\": []}".to_owned(), headers: Vec::new() },
    ] {
        let server =
            ModelServer::start(Script::sequence([trouble.clone(), trouble.clone(), Reply::Json(good())])).await;
        let asked = ask(&client(&server, Api::OpenAi), "a").await;
        let answer = asked.outcome.unwrap_or_else(|failure| panic!("{trouble:?}: {failure}"));
        assert_eq!((answer.value, answer.provenance.retries, answer.provenance.calls), (good(), 2, 1), "{trouble:?}");
    }
}

#[tokio::test]
async fn the_wait_a_server_asks_for_is_kept() {
    // Without the header this client would wait an hour.
    let busy = Reply::error(429, "slow", "rate_limit_exceeded", &[("retry-after-ms", "3")]);
    let server = ModelServer::start(Script::sequence([busy])).await;
    let mut patient = settings(&server, Api::OpenAi);
    patient.retry.first_wait = Duration::from_secs(3600);
    patient.retry.longest_wait = Duration::from_secs(3600);
    assert!(ask(&client_with(patient), "a").await.outcome.is_ok());
}

#[tokio::test]
async fn a_wait_beyond_patience_is_a_failure_at_once() {
    let busy = Reply::error(429, "come back tomorrow", "rate_limit_exceeded", &[("Retry-After", "86400")]);
    let server = ModelServer::start(Script::always(busy)).await;
    let failure = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap_err();
    assert_eq!((failure.kind, server.stats().requests), (FailureKind::RateLimited, 1));
    assert!(failure.message.contains("86400 s"), "{failure}");
}

#[tokio::test]
async fn no_reply_in_time_is_a_timeout() {
    let server = ModelServer::start(Script::always(Reply::Hang)).await;
    let mut hasty = settings(&server, Api::OpenAi);
    hasty.timeout = Duration::from_millis(30);
    hasty.retry.retries = 1;
    let asked = ask(&client_with(hasty), "a").await;
    assert_eq!(asked.outcome.unwrap_err().kind, FailureKind::Timeout);
    assert_eq!(asked.spent.retries, 1);
}

#[tokio::test]
async fn a_cut_body_that_stays_cut_is_unreachable() {
    let server = ModelServer::start(Script::always(Reply::CutBody)).await;
    let asked = ask(&client(&server, Api::Anthropic), "a").await;
    let failure = asked.outcome.unwrap_err();
    assert_eq!((failure.kind, asked.spent.retries), (FailureKind::Unreachable, 3), "{failure}");
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let server = ModelServer::start(Script::default()).await;
    let mut nobody = settings(&server, Api::OpenAi);
    nobody.base_url = "http://user:hunter2@127.0.0.1:1/v1".to_owned();
    let failure = ask(&client_with(nobody), "a").await.outcome.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(failure.message.contains("cannot connect") && failure.message.contains("4 attempts"), "{failure}");
    assert!(!failure.message.contains("hunter2"), "{failure}");
}

#[tokio::test]
async fn the_key_is_in_its_header_and_nowhere_else() {
    let echo = Script::new(|received| {
        let seen = received.header("authorization").or(received.header("x-api-key")).unwrap_or_default();
        Reply::error(401, &format!("Incorrect API key provided: {seen}."), "invalid_api_key", &[])
    });
    let server = ModelServer::start(echo).await;
    for (api, header, value) in
        [(Api::OpenAi, "authorization", format!("Bearer {KEY}")), (Api::Anthropic, "x-api-key", KEY.to_owned())]
    {
        let client = client(&server, api);
        let asked = ask(&client, "a").await;
        let failure = asked.outcome.as_ref().unwrap_err();
        assert!(failure.message.contains("[key]"), "{failure}");
        assert!(!format!("{asked:?} {client:?}").contains(KEY));
        let request = server.requests().pop().unwrap();
        assert_eq!(request.header(header), Some(value.as_str()));
        assert!(!request.body.to_string().contains(KEY));
        if api == Api::Anthropic {
            assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = ModelServer::start(Script::default()).await;
    let to = format!("{}/chat/completions", elsewhere.openai_url());
    let moved = Reply::Status { code: 307, body: String::new(), headers: vec![("location".to_owned(), to.clone())] };
    let server = ModelServer::start(Script::always(moved)).await;
    let failure = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap_err();
    assert_eq!(failure.kind, FailureKind::BadRequest);
    assert!(failure.message.contains(&to) && failure.message.contains("not followed"), "{failure}");
    assert_eq!((server.stats().requests, elsewhere.stats().requests), (1, 0), "the key went nowhere else");
}

#[tokio::test]
async fn a_response_without_end_is_not_read() {
    let body = "x".repeat(17 * 1024 * 1024);
    let server = ModelServer::start(Script::always(Reply::Status { code: 200, body, headers: Vec::new() })).await;
    let failure = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap_err();
    assert_eq!((failure.kind, server.stats().requests), (FailureKind::ServerError, 1));
    assert!(failure.message.contains("16 MiB"), "{failure}");
}

#[tokio::test]
async fn an_error_behind_a_gateway_is_judged_by_its_own_status() {
    let body = r#"{"error": {"message": "upstream is busy", "code": 429}}"#.to_owned();
    let server = ModelServer::start(Script::sequence([Reply::Status { code: 200, body, headers: Vec::new() }])).await;
    let answer = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap();
    assert_eq!(answer.provenance.retries, 1);
}
