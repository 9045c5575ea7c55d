//! The server itself: what later tests and benches rely on.

use crate::setting::{ask, client, client_with, settings};
use assize_core::suite::Api;
use assize_testkit::{Behaviour, Faults, ModelServer, Reply, Script};
use std::time::Duration;

#[tokio::test]
async fn replies_can_be_held_and_let_go_one_by_one() {
    let server = ModelServer::start(Script::default()).await;
    server.hold();
    let client = client(&server, Api::OpenAi);
    let one = ask(&client, "a");
    let steps = async {
        server.wait_for_requests(1).await;
        assert_eq!(server.stats().in_flight, 1);
        server.release(1);
    };
    let (asked, ()) = tokio::join!(one, steps);
    assert!(asked.outcome.is_ok());
    assert_eq!(server.stats().most_in_flight, 1);
}

#[tokio::test]
async fn the_same_question_gets_the_same_answer_from_another_server() {
    let mut answers = Vec::new();
    for _ in 0..2 {
        let server =
            ModelServer::start(Script::always(Reply::Delay(Duration::from_millis(1), Box::new(Reply::Filled)))).await;
        answers.push(ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap().raw);
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn strewn_failures_follow_from_the_seed_and_are_survived() {
    let retries = async |seed| {
        let server =
            ModelServer::start(Behaviour { faults: Some(Faults { seed, rate: 0.3 }), ..Behaviour::default() }).await;
        let mut settings = settings(&server, Api::OpenAi);
        settings.retry.retries = 20;
        settings.retry.deadline = Duration::from_secs(60);
        let client = client_with(settings);
        let mut retries = Vec::new();
        for n in 0..40 {
            let asked = ask(&client, &n.to_string()).await;
            assert!(asked.outcome.is_ok());
            retries.push(asked.spent.retries);
        }
        assert_eq!(server.stats().repeated, retries.iter().sum::<u32>() as usize);
        retries
    };
    let (one, again, other) = (retries(1).await, retries(1).await, retries(2).await);
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!((5..40).contains(&one.iter().sum::<u32>()), "{one:?}");
}

#[tokio::test]
async fn an_unknown_path_is_not_found() {
    let server = ModelServer::start(Script::default()).await;
    let mut lost = settings(&server, Api::OpenAi);
    lost.base_url = server.url();
    let failure = ask(&client_with(lost), "a").await.outcome.unwrap_err();
    assert_eq!(failure.kind, assize_core::FailureKind::ModelNotFound);
    assert!(failure.message.contains("/chat/completions"), "{failure}");
}
