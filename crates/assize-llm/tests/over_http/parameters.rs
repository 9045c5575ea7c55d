//! Parameters a model refuses: left out, recorded, and not sent again.

use crate::setting::{ask, client, client_with, settings};
use assize_core::document::{Problems, parse};
use assize_core::suite::Api;
use assize_core::{FailureKind, Reading, Suite};
use assize_llm::{CallOptions, connect};
use assize_testkit::{ModelServer, Reply, Script};
use serde_json::{Value, json};

fn has(body: &Value, name: &str) -> bool {
    body.get(name).is_some()
}

#[tokio::test]
async fn a_refused_parameter_is_left_out_recorded_and_not_sent_again() {
    for (api, name) in [(Api::OpenAi, "temperature"), (Api::OpenAi, "seed"), (Api::Anthropic, "temperature")] {
        let server = ModelServer::start(Script::refusing(&[name])).await;
        let client = client(&server, api);
        let first = ask(&client, "a").await.outcome.expect("an answer");
        assert!(first.provenance.dropped_parameters.contains(&name.to_owned()), "{api:?} {name}");
        assert_eq!((first.provenance.calls, first.provenance.retries), (1, 1));
        let second = ask(&client, "b").await.outcome.expect("an answer");
        assert_eq!(second.provenance.dropped_parameters, first.provenance.dropped_parameters);
        assert_eq!(second.provenance.retries, 0);
        let sent: Vec<bool> = server.requests().iter().map(|request| has(&request.body, name)).collect();
        assert_eq!(sent, [true, false, false], "{api:?} {name}");
    }
}

#[tokio::test]
async fn nothing_is_dropped_that_is_taken() {
    let server = ModelServer::start(Script::default()).await;
    let answer = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap();
    assert!(answer.provenance.dropped_parameters.is_empty());
    let body = &server.requests()[0].body;
    assert_eq!((&body["temperature"], &body["seed"]), (&json!(0.0), &json!(7)));
    // The messages format has no seed, and the answer says so.
    let answer = ask(&client(&server, Api::Anthropic), "a").await.outcome.unwrap();
    assert_eq!(answer.provenance.dropped_parameters, ["seed"]);
}

#[tokio::test]
async fn a_schema_that_is_refused_goes_down_the_ladder() {
    let server = ModelServer::start(Script::refusing(&["json_schema"])).await;
    let answer = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap();
    assert_eq!(answer.provenance.dropped_parameters, ["json_schema"]);
    assert_eq!(server.requests()[1].body["response_format"], json!({"type": "json_object"}));

    let server = ModelServer::start(Script::refusing(&["json_schema", "json_object"])).await;
    let answer = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap();
    assert_eq!(answer.provenance.dropped_parameters, ["json_schema", "json_object"]);
    assert_eq!(answer.provenance.reading, Reading::Exact);
    let last = &server.requests()[2];
    assert!(!has(&last.body, "response_format"));
    assert!(last.messages()[0].1.contains("JSON Schema:"), "the schema stands in the prompt");

    let server = ModelServer::start(Script::refusing(&["output_config"])).await;
    let answer = ask(&client(&server, Api::Anthropic), "a").await.outcome.unwrap();
    assert_eq!(answer.provenance.dropped_parameters, ["seed", "json_schema"]);
    assert_eq!(server.requests()[1].body["tool_choice"], json!({"type": "tool", "name": "judgment"}));

    let server = ModelServer::start(Script::refusing(&["output_config", "tool_choice"])).await;
    let answer = ask(&client(&server, Api::Anthropic), "a").await.outcome.unwrap();
    assert_eq!(answer.provenance.dropped_parameters, ["seed", "json_schema", "tool_choice"]);
}

#[tokio::test]
async fn everything_refused_at_once_still_gives_an_answer() {
    let server =
        ModelServer::start(Script::refusing(&["temperature", "seed", "json_schema", "json_object", "max_tokens"]))
            .await;
    let mut settings = settings(&server, Api::OpenAi);
    settings.provider = "local".to_owned();
    settings.parameters.max_output_tokens = Some(500);
    let answer = ask(&client_with(settings), "a").await.outcome.unwrap();
    assert_eq!(answer.provenance.dropped_parameters, ["temperature", "seed", "json_schema", "json_object"]);
    assert_eq!(
        server.requests().last().unwrap().body["max_completion_tokens"],
        500,
        "the limit goes by its other name"
    );
}

#[tokio::test]
async fn a_server_that_always_complains_is_not_asked_for_ever() {
    let complaint = r#"{"error": {"message": "'temperature' is not supported", "param": "temperature", "code": "unsupported_parameter"}}"#;
    let reply = Reply::Status { code: 400, body: complaint.to_owned(), headers: Vec::new() };
    let server = ModelServer::start(Script::always(reply)).await;
    let failure = ask(&client(&server, Api::OpenAi), "a").await.outcome.unwrap_err();
    assert_eq!(failure.kind, FailureKind::BadRequest);
    assert_eq!(server.stats().requests, 2);
}

#[tokio::test]
async fn many_at_once_learn_together() {
    let server = ModelServer::start(Script::refusing(&["json_schema", "temperature"])).await;
    let client = client(&server, Api::OpenAi);
    server.hold();
    let asking = async {
        let all = (0..8).map(|n| {
            let client = &client;
            async move { ask(client, &n.to_string()).await }
        });
        futures_util::future::join_all(all).await
    };
    let releasing = async {
        server.wait_for_requests(8).await;
        assert_eq!(server.stats().in_flight, 8);
        server.release_all();
    };
    let (asked, ()) = tokio::join!(asking, releasing);
    for one in asked {
        let answer = one.outcome.expect("an answer");
        assert_eq!(answer.provenance.dropped_parameters, ["temperature", "json_schema"], "not one rung further down");
    }
    assert_eq!(server.stats().most_in_flight, 8);
}

#[tokio::test]
async fn a_providers_entry_says_where_and_how() {
    let server = ModelServer::start(Script::default()).await;
    let text = format!(
        "name: s\njudge: {{use: transcript-quality, model: 'mine:llama3:8b'}}\ncases: c.jsonl\n\
         providers:\n  mine: {{base_url: '{}/', api_key_env: MINE_KEY, structured: prompt}}\n",
        server.openai_url()
    );
    let mut problems = Problems::of("suite.yaml");
    let suite = parse(&text, &mut problems).and_then(|node| Suite::read(&node, &mut problems)).expect("a suite");
    let environment = |name: &str| (name == "MINE_KEY").then(|| "sesame".to_owned());
    let mut options = CallOptions::default();
    options.permits.allow("MINE_KEY", "127.0.0.1").expect("a host");
    let connected =
        connect(&suite.models[0].value, &suite.providers, &suite.parameters, &options, &environment).unwrap();
    assert!(connected.missing.is_none());
    let answer = ask(&connected.client, "a").await.outcome.expect("an answer");
    assert_eq!(answer.provenance.asked, "mine:llama3:8b");
    assert!(answer.provenance.dropped_parameters.is_empty(), "what the user chose is not dropped");
    assert_eq!(answer.provenance.cost_usd, None);
    let request = &server.requests()[0];
    assert_eq!((request.model(), request.header("authorization")), ("llama3:8b", Some("Bearer sesame")));
    assert!(!has(&request.body, "response_format"));
    // Without its key it can still estimate.
    let keyless = connect(&suite.models[0].value, &suite.providers, &suite.parameters, &options, &|_| None).unwrap();
    assert!(keyless.missing.expect("a problem").to_string().contains("MINE_KEY"));
}
