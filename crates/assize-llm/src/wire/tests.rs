//! What servers answer, decoded.

use super::*;
use serde_json::json;

fn openai(body: &Value) -> Result<Reply, WireError> {
    decode(Api::OpenAi, 200, body.to_string().as_bytes())
}

fn anthropic(body: &Value) -> Result<Reply, WireError> {
    decode(Api::Anthropic, 200, body.to_string().as_bytes())
}

#[test]
fn a_chat_completion() {
    let reply = openai(&json!({
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"message": {"role": "assistant", "content": "{}", "refusal": null}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}}
    }))
    .unwrap();
    let usage = Usage { input_tokens: 10, output_tokens: 5, cached_input_tokens: 4 };
    let model = Some("gpt-4o-mini-2024-07-18".to_owned());
    assert_eq!(reply, Reply { text: "{}".to_owned(), finish: Finish::Complete, usage: Some(usage), model });
}

#[test]
fn endings_of_a_chat_completion() {
    let ending = |message: Value, reason: Value| {
        let reply = openai(&json!({"choices": [{"message": message, "finish_reason": reason}]})).unwrap();
        (reply.text, reply.finish)
    };
    let text = || "x".to_owned();
    assert_eq!(ending(json!({"content": "x"}), json!("length")), (text(), Finish::Length));
    assert_eq!(ending(json!({"content": "x"}), json!("content_filter")), (text(), Finish::ContentFilter));
    assert_eq!(ending(json!({"content": "x"}), Value::Null), (text(), Finish::Complete));
    let declined = ending(json!({"content": null, "refusal": "No."}), json!("stop"));
    assert_eq!(declined, (String::new(), Finish::Refusal("No.".to_owned())));
    let parts = json!({"content": [{"type": "text", "text": "x"}, {"type": "image"}, {"type": "text", "text": "y"}]});
    assert_eq!(ending(parts, json!("stop")).0, "xy");
    assert_eq!(ending(json!({"reasoning_content": "thinking"}), json!("stop")).0, "");
}

#[test]
fn endings_of_a_message() {
    let ending = |reason: &str| {
        let body = json!({"content": [{"type": "thinking", "thinking": "no"}, {"type": "text", "text": "x"}], "stop_reason": reason});
        anthropic(&body).unwrap().finish
    };
    assert_eq!(ending("end_turn"), Finish::Complete);
    assert_eq!(ending("max_tokens"), Finish::Length);
    assert_eq!(ending("model_context_window_exceeded"), Finish::Length);
    assert_eq!(ending("refusal"), Finish::Refusal("x".to_owned()));
}

#[test]
fn a_tools_input_is_the_text_and_keeps_its_order() {
    let block = json!({"type": "tool_use", "name": "t", "input": {"z": 1, "a": 2}});
    let body = json!({"content": [{"type": "text", "text": "Calling."}, block], "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 2, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 7}});
    let reply = anthropic(&body).unwrap();
    assert_eq!(reply.text, r#"{"z":1,"a":2}"#);
    assert_eq!(reply.usage, Some(Usage { input_tokens: 15, output_tokens: 2, cached_input_tokens: 5 }));
}

#[test]
fn what_is_no_envelope_is_broken() {
    for body in [json!({}), json!([]), json!({"choices": []}), json!({"choices": [{}]}), json!(null)] {
        assert!(matches!(openai(&body), Err(WireError::Broken(_))), "{body}");
        assert!(matches!(anthropic(&body), Err(WireError::Broken(_))), "{body}");
    }
    assert!(matches!(decode(Api::OpenAi, 200, b"{\"choices\": [{\"mess"), Err(WireError::Broken(_))));
    assert!(matches!(decode(Api::OpenAi, 200, b"\xff\xfe"), Err(WireError::Broken(_))));
    assert!(matches!(decode(Api::OpenAi, 500, b""), Err(WireError::Provider(error)) if error.status == 500));
}
