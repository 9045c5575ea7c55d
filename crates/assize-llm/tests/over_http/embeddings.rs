//! Vectors over the real HTTP path.

use crate::setting::{KEY, settings};
use assize_core::FailureKind;
use assize_core::suite::Api;
use assize_llm::{Embedded, EmbeddingClient, Transport};
use assize_testkit::{ModelServer, Reply, Script, Slip, bag_of_words};

const TEXTS: [&str; 3] = ["refund in five days", "no refund", "good morning to you"];

fn client(server: &ModelServer, model: &str) -> EmbeddingClient {
    let mut settings = settings(server, Api::OpenAi);
    settings.model = model.to_owned();
    let http = Transport.client_for(&settings.base_url).expect("an HTTP client");
    EmbeddingClient::new(settings, http)
}

async fn embed(script: Script) -> (Embedded, ModelServer) {
    let server = ModelServer::start(script).await;
    (client(&server, "text-embedding-3-small").embed(&TEXTS).await, server)
}

#[tokio::test]
async fn each_text_gets_its_vector_whatever_the_order_of_the_reply() {
    for reply in [Reply::Filled, Reply::Vectors(Slip::Shuffled)] {
        let (embedded, server) = embed(Script::always(reply)).await;
        assert_eq!(embedded.outcome.expect("vectors"), TEXTS.map(bag_of_words));
        // Ten words, a token each, at 2 cents a million.
        assert_eq!((embedded.spent.calls, embedded.spent.usage.input_tokens), (1, 10));
        assert!((embedded.spent.cost_usd.expect("a price") - 10.0 * 0.02 / 1e6).abs() < 1e-18);
        let requests = server.requests();
        assert_eq!((requests.len(), requests[0].texts()), (1, TEXTS.map(str::to_owned).to_vec()));
        assert_eq!(requests[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    }
}

#[tokio::test]
async fn vectors_that_cannot_be_right_fail_at_once_and_are_paid() {
    for (slip, said) in [
        (Slip::OneMissing, "the server gave 2 vectors for 3 texts"),
        (Slip::SameIndex, "the server gave two vectors for text 0"),
        (Slip::OneShorter, "the vector of text 0 has 64 numbers and that of text 2 has 63"),
        (Slip::NotANumber, "the vector of text 2 holds something that is no number"),
    ] {
        let (embedded, server) = embed(Script::always(Reply::Vectors(slip))).await;
        let failure = embedded.outcome.expect_err("no vectors");
        assert_eq!(failure.kind, FailureKind::EmbeddingFailed);
        assert_eq!(failure.message, format!("openai:text-embedding-3-small: {said}"));
        assert_eq!((server.stats().requests, embedded.spent.calls, embedded.spent.usage.input_tokens), (1, 1, 10));
    }
}

#[tokio::test]
async fn trouble_on_the_way_is_ridden_out_and_has_its_name_where_it_stays() {
    let busy = Reply::error(429, "slow down", "rate_limit_exceeded", &[("Retry-After", "0.001")]);
    let (embedded, _) = embed(Script::sequence([busy.clone(), Reply::status(500, "oops"), Reply::CutBody])).await;
    assert_eq!((embedded.outcome.map(|vectors| vectors.len()), embedded.spent.retries), (Ok(3), 3));
    for (reply, kind, requests) in [
        (Reply::status(500, "oops"), FailureKind::ServerError, 4),
        (Reply::status(404, "no such model"), FailureKind::ModelNotFound, 1),
        (Reply::status(400, "too long"), FailureKind::BadRequest, 1),
        (Reply::error(401, &format!("wrong key {KEY}"), "invalid_api_key", &[]), FailureKind::Unauthorised, 1),
    ] {
        let (embedded, server) = embed(Script::always(reply)).await;
        let failure = embedded.outcome.expect_err("no vectors");
        assert_eq!((failure.kind, server.stats().requests), (kind, requests), "{failure}");
        assert_eq!((embedded.spent.calls, embedded.spent.cost_usd), (0, Some(0.0)));
        assert!(!failure.message.contains(KEY), "{failure}");
    }
    // Waiting for a limit is no failed attempt: only the deadline ends it.
    let (embedded, server) = embed(Script::always(busy)).await;
    assert_eq!(embedded.outcome.expect_err("no vectors").kind, FailureKind::RateLimited);
    assert!(server.stats().requests > 4);
}

#[tokio::test]
async fn what_it_cost_is_unknown_where_nobody_says() {
    let (embedded, _) = embed(Script::always(Reply::WithoutUsage)).await;
    assert_eq!((embedded.outcome.is_ok(), embedded.spent.cost_usd), (true, None));
    let server = ModelServer::start(Script::default()).await;
    let unpriced = client(&server, "home-made");
    assert_eq!(unpriced.embed(&TEXTS).await.spent.cost_usd, None);
    assert!(!unpriced.settings().has_price());
    assert_ne!(unpriced.fingerprint(), client(&server, "text-embedding-3-small").fingerprint());
}
