//! Chat completions, from the server's side.

use super::{Ending, Spoken};
use crate::script::Received;
use serde_json::{Value, json};

pub(super) fn render(received: &Received, spoken: &Spoken) -> Value {
    let (content, refusal) = match spoken.ending {
        Ending::Declined => (Value::Null, json!(spoken.text)),
        Ending::Filtered => (json!(""), Value::Null),
        Ending::Complete | Ending::Length => (json!(spoken.text), Value::Null),
    };
    let finish = match spoken.ending {
        Ending::Complete | Ending::Declined => "stop",
        Ending::Length => "length",
        Ending::Filtered => "content_filter",
    };
    let mut response = json!({
        "id": format!("chatcmpl-{}", received.number),
        "object": "chat.completion",
        "model": spoken.model,
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": content, "refusal": refusal},
            "finish_reason": finish,
        }],
    });
    if let Some((input, output, cached)) = spoken.usage {
        response["usage"] = json!({
            "prompt_tokens": input,
            "completion_tokens": output,
            "total_tokens": input + output,
            "prompt_tokens_details": {"cached_tokens": cached},
        });
    }
    response
}

pub(super) fn refuse(name: &str) -> Value {
    match name {
        "json_schema" | "json_object" => json!({"error": {
            "message": format!("Invalid parameter: 'response_format' of type '{name}' is not supported with this model."),
            "type": "invalid_request_error", "param": "response_format", "code": null,
        }}),
        "max_tokens" => json!({"error": {
            "message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "type": "invalid_request_error", "param": "max_tokens", "code": "unsupported_parameter",
        }}),
        _ => json!({"error": {
            "message": format!("Unsupported value: '{name}' does not support this value with this model. Only the default is supported."),
            "type": "invalid_request_error", "param": name, "code": "unsupported_value",
        }}),
    }
}
