//! The key an older prompt asks its verdict under.

use regex::Regex;
use std::sync::LazyLock;

/// Keys of the answer that are no verdict of their own.
const KNOWN: [&str; 12] = [
    "pass",
    "reason",
    "score",
    "confidence",
    "uncertain",
    "applicable",
    "explanation",
    "rationale",
    "reasoning",
    "evidence",
    "comment",
    "notes",
];

/// The key other than `pass` that a text asks to be set to true or false: in a JSON object, or in backticks beside the words.
pub(super) fn find(text: &str) -> Option<String> {
    static KEY: LazyLock<Regex> = LazyLock::new(|| {
        #[expect(clippy::unwrap_used, reason = "a constant pattern")]
        Regex::new(r#"(?i)["'`]?([A-Za-z][A-Za-z0-9_]{2,})["'`]?\s*[:=]\s*["'`<\[{(]*\s*(?:true|false|bool)"#).unwrap()
    });
    let mut keys =
        KEY.captures_iter(text).filter_map(|found| found.get(1)).map(|key| key.as_str().to_owned()).peekable();
    let first = keys.peek().cloned();
    // A text that asks for `pass` at all asks for the right key, whatever else stands beside it.
    if first.is_none() || keys.any(|key| key == "pass") {
        return None;
    }
    first.filter(|key| !KNOWN.contains(&key.as_str()))
}
