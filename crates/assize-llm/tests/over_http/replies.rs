//! From a reply to an answer: readings, the corrective round, endings, costs.

use crate::setting::{ask, client, client_with, good, question, settings};
use assize_core::suite::{Api, Structured};
use assize_core::{FailureKind, Reading, Usage};
use assize_testkit::{Behaviour, ModelServer, Reply, Script};
use serde_json::json;

const BOTH: [Api; 2] = [Api::OpenAi, Api::Anthropic];

#[tokio::test]
async fn a_good_reply_is_an_answer_in_both_formats_and_every_way_of_structuring() {
    for api in BOTH {
        for structured in [Structured::Schema, Structured::Json, Structured::Prompt] {
            let server = ModelServer::start(Script::default()).await;
            let client = client_with(assize_llm::ClientSettings { structured, ..settings(&server, api) });
            let asked = ask(&client, "a").await;
            let answer = asked.outcome.expect("an answer");
            assert_eq!(answer.provenance.reading, Reading::Exact);
            assert!((1..=5).contains(&answer.value["score"].as_i64().unwrap()));
            assert_eq!(answer.raw, answer.value.to_string());
            assert_eq!((answer.provenance.calls, answer.provenance.retries), (1, 0));
            assert_eq!(answer.key, client.key(&question("a")));
            let request = &server.requests()[0];
            assert!(request.schema().is_some(), "{api:?} {structured:?}: the schema reaches the model somehow");
        }
    }
}

#[tokio::test]
async fn what_is_sent() {
    let server = ModelServer::start(Script::default()).await;
    ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap();
    ask(&client(&server, Api::Anthropic), "a").await.outcome.unwrap();
    let json = Structured::Json;
    ask(&client_with(assize_llm::ClientSettings { structured: json, ..settings(&server, Api::OpenAi) }), "a")
        .await
        .outcome
        .unwrap();
    ask(&client_with(assize_llm::ClientSettings { structured: json, ..settings(&server, Api::Anthropic) }), "a")
        .await
        .outcome
        .unwrap();
    let bodies: Vec<_> = server.requests().into_iter().map(|request| request.body).collect();
    insta::assert_json_snapshot!(bodies);
}

#[tokio::test]
async fn lenient_readings_are_flagged() {
    for api in BOTH {
        for (reply, reading) in [
            (Reply::Json(good()), Reading::Exact),
            (Reply::Fenced(good()), Reading::Extracted),
            (Reply::WithProse(good()), Reading::Extracted),
            (Reply::Text(format!("<think>{{\"score\": 1}}</think>{}", good())), Reading::Extracted),
            (Reply::TrailingComma(good()), Reading::Repaired),
        ] {
            let server = ModelServer::start(Script::always(reply.clone())).await;
            let answer = ask(&client(&server, api), "a").await.outcome.expect("an answer");
            assert_eq!((answer.value, answer.provenance.reading), (good(), reading), "{api:?} {reply:?}");
            assert_eq!((answer.provenance.calls, answer.provenance.corrected), (1, false));
        }
    }
}

#[tokio::test]
async fn an_invalid_reply_is_sent_back_once_with_what_is_wrong() {
    for api in BOTH {
        let wrong = json!({"reason": "fine", "score": "4"});
        let server = ModelServer::start(Script::sequence([Reply::Json(wrong.clone()), Reply::Json(good())])).await;
        let asked = ask(&client(&server, api), "a").await;
        let answer = asked.outcome.expect("an answer");
        assert!(answer.provenance.corrected);
        assert_eq!((answer.provenance.calls, asked.spent.calls, server.stats().requests), (2, 2, 2));
        assert_eq!(answer.raw, good().to_string());
        let messages = server.requests()[1].messages();
        let [.., (assistant, said), (user, complaint)] = messages.as_slice() else { panic!("{messages:?}") };
        assert_eq!((assistant.as_str(), user.as_str()), ("assistant", "user"));
        assert_eq!(*said, wrong.to_string());
        assert!(complaint.contains("`/score`") && complaint.contains("integer"), "{complaint}");
        // Both calls are paid for.
        let usage = answer.provenance.usage;
        assert!(usage.input_tokens > 2 * 20 && answer.provenance.cost_usd.unwrap() > 0.0, "{usage:?}");
    }
}

#[tokio::test]
async fn what_the_judge_finds_wrong_is_sent_back_too() {
    let server = ModelServer::start(Script::sequence([Reply::Json(json!({"reason": "bad", "score": 4}))])).await;
    let client = client(&server, Api::OpenAi);
    let only_about = |value: &serde_json::Value| {
        if value["reason"] == "bad" { vec!["the reason must not be bad".to_owned()] } else { Vec::new() }
    };
    let answer = client.ask(&question("a"), &only_about).await.outcome.unwrap();
    assert!(answer.provenance.corrected);
    assert!(server.requests()[1].messages()[3].1.contains("the reason must not be bad"));
}

#[tokio::test]
async fn a_reply_that_stays_invalid_fails_with_what_it_said() {
    for reply in ["I cannot say.", "", "{\"score\": 9}"] {
        let server = ModelServer::start(Script::always(Reply::Text(reply.to_owned()))).await;
        let asked = ask(&client(&server, Api::Anthropic), "a").await;
        let failure = asked.outcome.unwrap_err();
        assert_eq!(failure.kind, FailureKind::InvalidReply);
        assert_eq!(failure.raw.as_deref(), Some(reply));
        assert_eq!((asked.spent.calls, server.stats().requests), (2, 2));
        assert!(asked.spent.cost_usd.unwrap() > 0.0, "what failed was paid for as well");
    }
}

#[tokio::test]
async fn endings_are_failures_with_their_own_names_and_only_a_short_one_is_asked_again() {
    let half = "{\"reason\": \"it was go";
    for (api, reply, kind, raw) in [
        (Api::OpenAi, Reply::Truncated(half.to_owned()), FailureKind::Truncated, half),
        (Api::Anthropic, Reply::Truncated(half.to_owned()), FailureKind::Truncated, half),
        // Complete by chance, cut off all the same.
        (
            Api::OpenAi,
            Reply::Truncated(good().to_string()),
            FailureKind::Truncated,
            "{\"reason\":\"fine\",\"score\":4}",
        ),
        (Api::OpenAi, Reply::Refusal("I won't.".to_owned()), FailureKind::Refused, "I won't."),
        (Api::Anthropic, Reply::Refusal("I won't.".to_owned()), FailureKind::Refused, "I won't."),
        (Api::OpenAi, Reply::ContentFilter, FailureKind::ContentFiltered, ""),
    ] {
        let server = ModelServer::start(Script::always(reply)).await;
        let asked = ask(&client(&server, api), "a").await;
        let failure = asked.outcome.unwrap_err();
        assert_eq!((failure.kind, failure.raw.as_deref()), (kind, Some(raw)), "{api:?}");
        // It says that the limit cut it off, and the limit is far away.
        let calls = if kind == FailureKind::Truncated { 4 } else { 1 };
        assert_eq!((asked.spent.calls, server.requests().len()), (calls, calls as usize));
    }
}

#[tokio::test]
async fn a_reply_that_was_cut_off_is_asked_for_again_with_twice_the_room() {
    for (api, name) in [(Api::OpenAi, "max_completion_tokens"), (Api::Anthropic, "max_tokens")] {
        for limit in [None, Some(300)] {
            let half = Reply::Truncated("{\"reason\": \"it was go".to_owned());
            let server = ModelServer::start(Script::sequence([half, Reply::Json(good())])).await;
            let mut settings = settings(&server, api);
            settings.parameters.max_output_tokens = limit;
            let asked = ask(&client_with(settings), "a").await;
            assert_eq!(asked.outcome.unwrap().value, good());
            assert_eq!(asked.spent.calls, 2, "both were paid for");
            let sent: Vec<u64> = server.requests().iter().map(|request| request.body[name].as_u64().unwrap()).collect();
            let first = limit.unwrap_or(16_384);
            assert_eq!(sent, [first, 2 * first], "{api:?}");
        }
    }
}

#[tokio::test]
async fn cached_tokens_are_counted_and_cost_less() {
    for api in BOTH {
        let cost = async |cached_tokens| {
            let server = ModelServer::start(Behaviour { cached_tokens, ..Behaviour::default() }).await;
            let asked = ask(&client(&server, api), &"word ".repeat(2000)).await;
            assert_eq!(asked.spent.usage.cached_input_tokens, cached_tokens);
            assert!(asked.spent.usage.input_tokens > 2000);
            (asked.spent.usage.input_tokens, asked.spent.cost_usd.unwrap())
        };
        let (plain, cached) = (cost(0).await, cost(2000).await);
        assert_eq!(plain.0, cached.0, "{api:?}: cached tokens are part of the tokens sent");
        assert!(cached.1 < plain.1, "{api:?}");
    }
}

#[tokio::test]
async fn an_unknown_price_and_an_unknown_usage_are_not_zero() {
    let server = ModelServer::start(Script::default()).await;
    let mut unknown = settings(&server, Api::OpenAi);
    unknown.model = "some-model".to_owned();
    let asked = ask(&client_with(unknown), "a").await;
    assert_eq!(asked.spent.cost_usd, None);
    assert_eq!(asked.outcome.unwrap().provenance.cost_usd, None);
    assert!(asked.spent.usage.input_tokens > 0);
    let silent = ModelServer::start(Script::always(Reply::WithoutUsage)).await;
    let asked = ask(&client(&silent, Api::OpenAi), "a").await;
    assert_eq!((asked.spent.cost_usd, asked.spent.usage), (None, Usage::default()));
}

#[tokio::test]
async fn the_model_the_server_names_is_kept() {
    let server = ModelServer::start(Script::always(Reply::WrongModelName("gpt-2".to_owned()))).await;
    let answer = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap();
    assert_eq!(
        (answer.provenance.asked.as_str(), answer.provenance.model.as_deref()),
        ("openai:gpt-4o-mini", Some("gpt-2"))
    );
}

#[tokio::test]
async fn the_key_names_what_is_asked_of_whom_and_nothing_else() {
    let server = ModelServer::start(Script::default()).await;
    let base = settings(&server, Api::OpenAi);
    let key = |settings: &assize_llm::ClientSettings, text: &str| client_with(settings.clone()).key(&question(text));
    let same = key(&base, "a");
    let mut elsewhere = base.clone();
    elsewhere.base_url = "http://127.0.0.1:1/v1".to_owned();
    elsewhere.timeout *= 2;
    elsewhere.api_key = None;
    assert_eq!(key(&elsewhere, "a"), same);
    assert_ne!(key(&base, "b"), same);
    let mut other = base.clone();
    other.model = "gpt-4o".to_owned();
    assert_ne!(key(&other, "a"), same);
    let mut other = base.clone();
    other.parameters.seed = Some(8);
    assert_ne!(key(&other, "a"), same);
    let client = client_with(base);
    let mut swapped = question("a");
    swapped.schema.schema["properties"] = json!({
        "score": swapped.schema.schema["properties"]["score"], "reason": swapped.schema.schema["properties"]["reason"],
    });
    assert_ne!(client.key(&swapped), same, "the order of properties is the order of writing");
    assert_ne!(client.key(&assize_core::Question { sample: 1, ..question("a") }), same);
}

#[tokio::test]
async fn an_estimate_is_near_what_is_used() {
    let server = ModelServer::start(Script::default()).await;
    let client = client(&server, Api::OpenAi);
    let estimate = client.estimate(&question(&"The quick brown fox jumps over the lazy dog. ".repeat(100)));
    assert!((900..1300).contains(&estimate.input_tokens), "{estimate:?}");
    assert!(estimate.cost_usd.unwrap() > 0.0);
    assert_eq!(server.stats().requests, 0);
}
