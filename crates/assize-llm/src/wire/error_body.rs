//! What providers put into the body of an error. The formats agree on little, so every known shape is tried, and the
//! text itself is the last resort.

use serde_json::Value;

/// The longest message that is kept: a server's own words, not its HTML page.
const LONGEST_MESSAGE: usize = 600;

/// An error the provider answered with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderError {
    /// The HTTP status; where a gateway hides one in a body of status 200, that one.
    pub status: u16,
    /// What the server says, bounded.
    pub message: String,
    /// Its code, such as `insufficient_quota`.
    pub code: Option<String>,
    /// Its type, such as `overloaded_error`.
    pub kind: Option<String>,
    /// The parameter it is about.
    pub param: Option<String>,
}

impl ProviderError {
    /// Reads the body of an error.
    pub fn read(status: u16, body: &[u8]) -> Self {
        let Ok(document) = serde_json::from_slice::<Value>(body) else {
            return Self { status, message: plain(&String::from_utf8_lossy(body)), ..Self::default() };
        };
        let error = match document.get("error") {
            Some(error) if !error.is_null() => error,
            _ => &document,
        };
        let text = |key: &str| error.get(key).and_then(scalar).filter(|text| !text.is_empty());
        let message = error
            .as_str()
            .map(str::to_owned)
            .or_else(|| text("message"))
            .or_else(|| error.get("detail").or_else(|| document.get("detail")).map(detail))
            .unwrap_or_else(|| document.to_string());
        let code = text("code");
        let hidden = code.as_deref().and_then(|code| code.parse().ok()).filter(|code| (400..600).contains(code));
        Self {
            status: if (200..300).contains(&status) { hidden.unwrap_or(502) } else { status },
            message: plain(&message),
            code,
            kind: text("type"),
            param: text("param"),
        }
    }

    /// Whether its code or type is this one.
    pub fn is(&self, name: &str) -> bool {
        self.code.as_deref() == Some(name) || self.kind.as_deref() == Some(name)
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// `detail` is a text, or a list of `{loc, msg}` (FastAPI, which vLLM and many others stand on).
fn detail(value: &Value) -> String {
    let Some(items) = value.as_array() else {
        return value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    };
    let one = |item: &Value| {
        let place = item
            .get("loc")
            .and_then(Value::as_array)
            .map(|parts| parts.iter().filter_map(scalar).filter(|part| part != "body").collect::<Vec<_>>().join("."));
        let message = item.get("msg").and_then(Value::as_str).unwrap_or_default();
        place.map_or_else(|| message.to_owned(), |place| format!("{place}: {message}"))
    };
    items.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// One bounded line, without control characters.
fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST_MESSAGE));
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !c.is_control()).take(LONGEST_MESSAGE));
        if line.len() > LONGEST_MESSAGE {
            let cut = (0..=LONGEST_MESSAGE).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
            line.truncate(cut);
            line.push('…');
            return line;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: &Value) -> ProviderError {
        ProviderError::read(400, body.to_string().as_bytes())
    }

    #[test]
    fn every_shape_gives_its_message() {
        let openai = read(
            &json!({"error": {"message": "No.", "type": "invalid_request_error", "param": "seed", "code": "unsupported_parameter"}}),
        );
        assert_eq!((openai.message.as_str(), openai.param.as_deref()), ("No.", Some("seed")));
        assert!(openai.is("unsupported_parameter") && openai.is("invalid_request_error"));
        assert_eq!(
            read(&json!({"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}})).message,
            "Busy"
        );
        assert_eq!(read(&json!({"error": "model not found"})).message, "model not found");
        assert_eq!(read(&json!({"object": "error", "message": "vLLM says no", "code": 400})).message, "vLLM says no");
        assert_eq!(
            read(&json!({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs"}]})).message,
            "seed: Extra inputs"
        );
        assert_eq!(ProviderError::read(502, b"<html>\n<b>Bad  gateway</b>").message, "<html> <b>Bad gateway</b>");
    }

    #[test]
    fn a_failure_behind_a_gateway_keeps_its_own_status() {
        let body = json!({"error": {"message": "rate limited upstream", "code": 429}});
        assert_eq!(ProviderError::read(200, body.to_string().as_bytes()).status, 429);
    }

    #[test]
    fn a_long_message_is_cut_at_a_character() {
        let error = ProviderError::read(500, "ä".repeat(5000).as_bytes());
        assert!(error.message.len() <= LONGEST_MESSAGE + '…'.len_utf8() + 2, "{}", error.message.len());
        assert!(error.message.ends_with('…'));
    }
}
