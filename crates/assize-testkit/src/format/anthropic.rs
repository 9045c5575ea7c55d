//! Messages, from the server's side.

use super::{Ending, Spoken};
use crate::script::Received;
use serde_json::{Value, json};

pub(super) fn render(received: &Received, spoken: &Spoken) -> Value {
    let tool = received.body.pointer("/tool_choice/name").filter(|_| spoken.is_object);
    let block = match (tool, serde_json::from_str::<Value>(&spoken.text)) {
        (Some(name), Ok(input)) => json!({"type": "tool_use", "id": "toolu_1", "name": name, "input": input}),
        _ => json!({"type": "text", "text": spoken.text}),
    };
    let stop = match spoken.ending {
        Ending::Complete if tool.is_some() => "tool_use",
        Ending::Complete => "end_turn",
        Ending::Length => "max_tokens",
        // This format has one word for both.
        Ending::Declined | Ending::Filtered => "refusal",
    };
    let mut response = json!({
        "id": format!("msg_{}", received.number),
        "type": "message",
        "role": "assistant",
        "model": spoken.model,
        "content": [{"type": "thinking", "thinking": "{\"a\": \"draft\"}", "signature": "x"}, block],
        "stop_reason": stop,
        "stop_sequence": null,
    });
    if let Some((input, output, cached)) = spoken.usage {
        response["usage"] = json!({
            "input_tokens": input - cached,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": cached,
            "output_tokens": output,
        });
    }
    response
}

pub(super) fn refuse(name: &str) -> Value {
    let message = match name {
        "temperature" => "`temperature` is deprecated for this model.".to_owned(),
        "tool_choice" => "tool_choice: forced tool use is not supported by this model".to_owned(),
        _ => format!("{name}: Extra inputs are not permitted"),
    };
    json!({"type": "error", "error": {"type": "invalid_request_error", "message": message}})
}
