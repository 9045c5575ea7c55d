//! What a model wrote, before anything is made of it: its thinking left aside, the objects in its text found.
//!
//! Replies of judge models and outputs of models under test are read by the same functions. Each is linear in the text's
//! length: a text of a hundred thousand `{` costs what any other text of its size costs.

mod unambiguous;

pub use unambiguous::Unambiguous;

use serde_json::Value;
use std::borrow::Cow;
use std::collections::VecDeque;

/// The tags between which models think aloud.
const THINKING: [(&str, &str); 3] =
    [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")];

/// The text without what stands between thinking tags. A closing tag without an opening one ends a thought that began
/// in the prompt; an opening one without a closing one begins a thought that never ended.
pub fn without_thinking(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for (open, close) in THINKING {
        if !text.contains(open) && !text.contains(close) {
            continue;
        }
        let mut spoken = String::with_capacity(text.len());
        let mut rest: &str = &text;
        loop {
            // The opening tag is looked for only up to the closing one, so that the whole is read once.
            let end = rest.find(close);
            let start = rest[..end.unwrap_or(rest.len())].find(open);
            match (start, end) {
                (Some(start), Some(end)) => {
                    spoken.push_str(&rest[..start]);
                    rest = &rest[end + close.len()..];
                }
                (None, Some(end)) => {
                    spoken.clear();
                    rest = &rest[end + close.len()..];
                }
                (start, None) => {
                    spoken.push_str(&rest[..start.unwrap_or(rest.len())]);
                    break;
                }
            }
        }
        text = Cow::Owned(spoken);
    }
    text
}

/// What a text holds.
pub struct Found {
    /// The last well-formed objects that stand in no other one, in their order.
    pub objects: VecDeque<Value>,
    /// Whether the text ends in the middle of a further one.
    pub cut_off: bool,
}

/// The last `most` objects of a text. What stands wholly *inside* a broken or unfinished object is a part of it and no
/// object of its own.
pub fn objects(text: &str, most: usize) -> Found {
    let mut found = Found { objects: VecDeque::new(), cut_off: false };
    let mut at = 0;
    // Up to where an object that turned out to be broken had been read.
    let mut broken_to = 0;
    // Every `{` of a broken object is tried in turn, because it may have been a stray one; not without end, though.
    let mut patience = 4 * text.len() + 4096;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + offset;
        let mut parser = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Unambiguous>();
        match parser.next() {
            Some(Ok(Unambiguous(value))) => {
                at = start + parser.byte_offset();
                if at <= broken_to {
                    continue;
                }
                if found.objects.len() == most {
                    found.objects.pop_front();
                }
                found.objects.push_back(value);
            }
            Some(Err(error)) if !error.is_eof() => {
                let mut reached = start + place(&text[start..], error.line(), error.column()).saturating_sub(1);
                while !text.is_char_boundary(reached) {
                    reached -= 1;
                }
                broken_to = broken_to.max(reached);
                patience = patience.saturating_sub(reached.saturating_sub(start));
                at = if patience > 0 { start + 1 } else { reached.max(start + 1) };
            }
            _ => {
                found.cut_off = true;
                break;
            }
        }
    }
    found
}

/// The offset of a parser's line and column, both from 1.
fn place(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(text: &str) -> String {
        without_thinking(text).into_owned()
    }

    #[test]
    fn thoughts_are_left_aside() {
        assert_eq!(spoken("<think>a {draft}</think>b"), "b");
        assert_eq!(spoken("a<think>x</think>b<think>y</think>c"), "abc");
        assert_eq!(spoken("began in the prompt</think>b"), "b");
        assert_eq!(spoken("a<thinking>never ends"), "a");
        assert_eq!(spoken("plain"), "plain");
    }

    #[test]
    fn objects_are_found_among_prose() {
        let found = objects(r#"if {x} then {"a": "}{"} and "{" or {"b": {"c": 1}} end"#, 8);
        let values: Vec<String> = found.objects.iter().map(|object| object.to_string()).collect();
        assert_eq!(values, [r#"{"a":"}{"}"#, r#"{"b":{"c":1}}"#]);
    }

    #[test]
    fn what_stands_in_a_broken_object_is_no_object_of_its_own() {
        let of = |text: &str| {
            let found = objects(text, 8);
            (found.objects.iter().map(|object| object.to_string()).collect::<Vec<_>>(), found.cut_off)
        };
        assert_eq!(of(r#"{"a": {"b": 1}, oops} {"c": 2}"#), (vec![r#"{"c":2}"#.to_owned()], false));
        assert_eq!(of(r#"{"c": 2} and {"a": {"b": 1}, "#), (vec![r#"{"c":2}"#.to_owned()], true));
        assert_eq!(of("{{\"c\": 2}"), (vec![r#"{"c":2}"#.to_owned()], false));
        assert_eq!(of("{é{\n  {x\n{\"c\": 2}"), (vec![r#"{"c":2}"#.to_owned()], false));
    }
}
